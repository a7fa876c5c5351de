//! One listing over a grid, on one machine in one mode: what `umm bounds` and `umm complexity` study.

use clap::Args;
use rayon::prelude::*;

use super::Failure;
use super::grid::{GridOptions, failed, points, programs};
use super::options::word;
use super::progress::Bar;
use crate::case::{Case, Timed};
use crate::machine::{MachineKind, Mode};
use crate::run::layout::Arrangement;
use crate::sweep::Spec;

#[derive(Debug, Args)]
pub(super) struct StudyOptions {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    algorithm: String,
    #[command(flatten)]
    grid: GridOptions,
    /// The kind of memory machine [default: umm]
    #[arg(short, long, value_parser = word::<MachineKind>(), value_name = "KIND")]
    machine: Option<MachineKind>,
    /// How steps follow each other
    #[arg(long, value_parser = word::<Mode>(), default_value_t = Mode::Sync)]
    mode: Mode,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_parser = word::<Arrangement>(), value_name = "ARRANGEMENT")]
    bulk: Option<Arrangement>,
}

/// What was asked of each point, in the order of the grids: parameters outermost, then threads.
pub(super) struct Study<T> {
    pub(super) algorithm: String,
    pub(super) machine: MachineKind,
    pub(super) mode: Mode,
    pub(super) answers: Vec<T>,
}

impl StudyOptions {
    pub(super) fn grid(&self) -> &GridOptions {
        &self.grid
    }

    pub(super) fn algorithm(&self) -> &str {
        &self.algorithm
    }

    pub(super) const fn bulk(&self) -> Option<Arrangement> {
        self.bulk
    }

    /// The listing without sizes but those that are given one value: what is asked of all sizes is
    /// asked of it.
    pub(super) fn case(&self) -> Result<Case, Failure> {
        let spec = self.spec()?;
        let mut case = Case::load(&self.algorithm)?;
        for (name, grid) in &spec.set {
            if let [value] = grid.0[..] {
                case = case.set(name, value);
            }
        }
        case.machine.kind = spec.kinds()[0];
        (case.mode, case.bulk) = (self.mode, self.bulk);
        case.while_iterations = spec.while_iterations;
        Ok(case)
    }

    fn spec(&self) -> Result<Spec, Failure> {
        let (algorithms, modes) = (vec![self.algorithm.clone()], vec![self.mode]);
        let spec = Spec { algorithms, modes, bulk: vec![self.bulk], ..Spec::default() };
        let mut spec = self.grid.over(spec)?;
        if let Some(kind) = self.machine {
            spec.machines = vec![kind];
        }
        Ok(spec)
    }

    /// Times every point and calls `look` for it, in parallel.
    pub(super) fn each<T: Send>(
        &self,
        look: impl Fn(&Case, Timed) -> T + Sync,
    ) -> Result<Study<T>, Failure> {
        let spec = self.spec()?;
        let programs = programs(&spec)?;
        let points = points(&spec, &programs)?;
        // Points of one size stand together, with the threads innermost; here they are outermost.
        let threads = spec.threads.len();
        let machines = spec.kinds().len() * spec.widths.len() * spec.latencies.len();
        let place = |at: usize| {
            let (size, at) = (at / (threads * machines), at % (threads * machines));
            size * threads * machines + (at % machines) * threads + at / machines
        };
        let bar = Bar::new(points.len() as u64, "points");
        let one = |at: usize| {
            let case = points.get(place(at));
            let timed = case.time().map_err(|error| failed(&case, error))?;
            bar.add(1);
            Ok(look(&case, timed))
        };
        let answers: Result<Vec<T>, Failure> = (0..points.len()).into_par_iter().map(one).collect();
        Ok(Study {
            algorithm: programs[0].name.clone(),
            machine: spec.machines[0],
            mode: self.mode,
            answers: answers?,
        })
    }
}
