//! One listing over a grid, on one machine in one mode: what `umm bounds` and `umm complexity` study.

use std::sync::Arc;

use clap::Args;
use clap::builder::PossibleValuesParser;
use rayon::prelude::*;

use super::Failure;
use super::grid::{GridOptions, failed, points};
use super::options::{MachineWord, machine_word, word};
use super::progress::Bar;
#[cfg(feature = "mpi")]
use crate::case::CaseError;
use crate::case::claim::{UnitCost, figure, figures};
use crate::case::{Case, RunTime, load};
use crate::language::program::Program;
#[cfg(feature = "mpi")]
use crate::machine::{Counts, Traffic};
use crate::machine::{MachineKind, Mode};
#[cfg(feature = "mpi")]
use crate::mpi::{PieceResult, WorkDealer, World, work};
use crate::run::layout::Arrangement;
use crate::sweep::SweepSpec;
#[cfg(feature = "mpi")]
use crate::units::TimeUnits;

#[derive(Debug, Args)]
pub(crate) struct StudyOptions {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    algorithm: String,
    #[command(flatten)]
    grid: GridOptions,
    /// The kind of memory machine [default: umm]; of derived bounds and claims on them also a machine of
    /// courses, such as pram and work-span, in accesses
    #[arg(short, long, value_parser = machine_word(false), value_name = "KIND")]
    machine: Option<MachineWord>,
    /// Of a machine of courses: which figure, as span of -m work-span [default: its first]
    #[arg(long, value_parser = PossibleValuesParser::new(figures()), value_name = "FIGURE")]
    of: Option<String>,
    /// How steps follow each other
    #[arg(long, value_parser = word::<Mode>(), default_value_t = Mode::Sync)]
    mode: Mode,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_parser = word::<Arrangement>(), value_name = "ARRANGEMENT")]
    bulk: Option<Arrangement>,
}

/// The grid with its listing, which is read once: it may come through a pipe.
pub(crate) struct LoadedStudy {
    spec: SweepSpec,
    program: Arc<Program>,
}

/// What was asked of each point, in the order of the grids: parameters outermost, then threads.
pub(crate) struct Study<T> {
    pub(crate) algorithm: String,
    pub(crate) machine: MachineKind,
    pub(crate) mode: Mode,
    pub(crate) answers: Vec<T>,
}

impl StudyOptions {
    pub(crate) fn grid(&self) -> &GridOptions {
        &self.grid
    }

    pub(crate) fn algorithm(&self) -> &str {
        &self.algorithm
    }

    pub(crate) const fn bulk(&self) -> Option<Arrangement> {
        self.bulk
    }

    /// What bounds are of, if not of the time of a memory machine.
    ///
    /// # Errors
    /// A machine that has none.
    pub(crate) fn unit(&self) -> Result<Option<UnitCost>, Failure> {
        match (self.machine, &self.of) {
            (Some(MachineWord::Course(kind)), of) => {
                figure(kind, of.as_deref()).map(Some).map_err(Failure::input)
            }
            (_, None) => Ok(None),
            (_, Some(of)) => Err(Failure::input(format_args!(
                "--of {of}: it is a figure of a machine of courses, as of -m work-span; say so, or leave it out"
            ))),
        }
    }

    /// # Errors
    /// A machine of courses: `asked` is answered on memory machines alone.
    pub(crate) fn refuse_units(&self, asked: &str) -> Result<(), Failure> {
        match self.unit()?.and(self.machine) {
            Some(MachineWord::Course(kind)) => Err(Failure::input(format_args!(
                "-m {kind}: {asked} of memory machines alone; for its bounds say `umm bounds --derive`, \
                 for claims `umm complexity --bound`"
            ))),
            _ => Ok(()),
        }
    }

    /// Reads the listing.
    pub(crate) fn load(&self) -> Result<LoadedStudy, Failure> {
        let spec = self.spec()?;
        let program = Arc::new(load(&self.algorithm)?);
        Ok(LoadedStudy { spec, program })
    }

    fn spec(&self) -> Result<SweepSpec, Failure> {
        let (algorithms, modes) = (vec![self.algorithm.clone()], vec![self.mode]);
        let spec = SweepSpec { algorithms, modes, bulk: vec![self.bulk], ..SweepSpec::default() };
        let mut spec = self.grid.over(spec)?;
        if let Some(MachineWord::Memory(kind)) = self.machine {
            spec.machines = vec![kind];
        }
        Ok(spec)
    }
}

impl LoadedStudy {
    /// The listing without sizes but those that are given one value: what is asked of all sizes is
    /// asked of it.
    pub(crate) fn case(&self) -> Case {
        self.spec.of_all_sizes(Case::new(self.program.clone()))
    }

    /// Times every point and calls `look` for it, in parallel; over the ranks of MPI where there are
    /// some, of which only the first goes on from here.
    pub(crate) fn each<T: Send>(
        &self,
        look: impl Fn(&Case, RunTime) -> T + Sync,
    ) -> Result<Study<T>, Failure> {
        let Self { spec, program } = self;
        let points = points(spec, std::slice::from_ref(program))?;
        // Points of one size stand together, with the threads innermost; here they are outermost.
        let threads = spec.threads.len();
        let machines = spec.kinds().len() * spec.widths.len() * spec.latencies.len();
        let place = |at: usize| {
            let (size, at) = (at / (threads * machines), at % (threads * machines));
            size * threads * machines + (at % machines) * threads + at / machines
        };
        let case = |at: usize| points.get(place(at));
        let time = |case: &Case| case.time().map_err(|error| failed(case, error));
        let bar = Bar::new(points.len() as u64, "points");
        #[cfg(feature = "mpi")]
        let given = over_ranks(points.len(), &bar, &case)?;
        let one = |at: usize| {
            let case = case(at);
            #[cfg(feature = "mpi")]
            if let Some(timed) = given.get(at) {
                return Ok(look(&case, timed.clone()));
            }
            let timed = time(&case)?;
            bar.add(1);
            Ok(look(&case, timed))
        };
        let answers: Result<Vec<T>, Failure> = (0..points.len()).into_par_iter().map(one).collect();
        Ok(Study {
            algorithm: program.name.clone(),
            machine: spec.machines[0],
            mode: spec.modes[0],
            answers: answers?,
        })
    }
}

/// What every point takes, in their order, by ranks that have a point at a time; nothing if this is a
/// process of its own.
#[cfg(feature = "mpi")]
fn over_ranks(
    points: usize,
    bar: &Bar,
    case: &impl Fn(usize) -> Case,
) -> Result<Vec<RunTime>, Failure> {
    let Some(world) = World::launched()? else { return Ok(vec![]) };
    if world.rank() > 0 {
        work(&world, |at| {
            let timed = case(at).time();
            timed.map_or(PieceResult::Failed, |it| PieceResult::Done(to_bytes(&it)))
        });
        return Err(Failure::elsewhere());
    }
    let mut given: Vec<Option<RunTime>> = vec![None; points];
    WorkDealer::new(&world).deal(0..points, |at, answer| {
        let case = case(at);
        let timed = match answer {
            PieceResult::Done(bytes) => from_bytes(&case, &bytes),
            // It fails here, too, and says why.
            PieceResult::Failed => case.time(),
        };
        given[at] = Some(timed.map_err(|error| failed(&case, error))?);
        bar.add(1);
        Ok::<(), Failure>(())
    })?;
    Ok(given.into_iter().flatten().collect())
}

/// All but the layout, which follows from the case.
#[cfg(feature = "mpi")]
fn to_bytes(timed: &RunTime) -> Vec<u8> {
    let phase = |it: &Counts| {
        let shared = [it.shared.accesses, it.shared.dispatches, it.shared.stages];
        let all = [it.accesses, it.dispatches, it.stages, it.time_units.0];
        all.into_iter().chain(shared).flat_map(u128::to_le_bytes).collect::<Vec<u8>>()
    };
    let counts = timed.counts.iter().flat_map(phase);
    std::iter::once(u8::from(timed.depends_on_values)).chain(counts).collect()
}

#[cfg(feature = "mpi")]
fn from_bytes(case: &Case, bytes: &[u8]) -> Result<RunTime, CaseError> {
    let (numbers, _) = bytes.get(1..).unwrap_or_default().as_chunks();
    let numbers: Vec<u128> = numbers.iter().map(|it| u128::from_le_bytes(*it)).collect();
    let (phases, _) = numbers.as_chunks();
    let counts = phases.iter().map(|&[accesses, dispatches, stages, time, a, d, s]| Counts {
        accesses,
        dispatches,
        stages,
        time_units: TimeUnits(time),
        shared: Traffic { accesses: a, dispatches: d, stages: s },
    });
    let depends_on_values = bytes.first() == Some(&1);
    Ok(RunTime { layout: case.layout()?, counts: counts.collect(), depends_on_values })
}
