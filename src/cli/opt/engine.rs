//! What fills a table.

use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;

use crate::algorithms::opt::plan::Plans;
use crate::algorithms::opt::triangulation::{self, RecoverError};
use crate::algorithms::opt::variant::MOST_VERTICES;
use crate::algorithms::opt::{self, Chord, Problem, Table, Weight, reference};
use crate::cli::Failure;
use crate::cli::gpu::DeviceOptions;
use crate::cli::outcome::grouped;
use crate::cli::progress::{Bar, spin};
use crate::cuda::opt::stages;
use crate::cuda::opt::tiled::{Number, Tiled};
use crate::cuda::{self, nvrtc};
use crate::host::files::{DESCRIPTION, read};
use crate::host::memory;
use crate::word::{Word, words};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EngineOption {
    Naive,
    Cpu,
    Gpu,
    Auto,
}

words! { EngineOption {
    Naive "naive" "The plain triple loop on one core, to compare with"
    Cpu "cpu" "Blocked, vectorised, on all cores"
    Gpu "gpu" "By tiles on a GPU"
    Auto "auto" "On a GPU if there is one and n is at least 4096, else cpu"
} }

/// What `auto` gives to a GPU.
const LARGE: usize = 4096;

/// What an engine found.
pub(super) struct Solved<T> {
    pub(super) weight: T,
    /// Each after the chord that encloses it.
    pub(super) chords: Vec<Chord>,
    /// Of the table, from weights in memory to the last value.
    pub(super) seconds: f64,
    /// Of the chords.
    pub(super) chords_s: f64,
    pub(super) engine: &'static str,
}

impl<T: Weight> Solved<T> {
    /// Reads the triangulation from a table `T`.
    fn read<P: Problem<T>>(
        problem: &P,
        cell: impl Fn(usize, usize) -> T,
        seconds: f64,
        engine: &'static str,
    ) -> Result<Self, Failure> {
        let weight = cell(0, problem.n() - 1);
        let started = Instant::now();
        let chords = triangulation::recover_from(problem, cell).map_err(Failure::run)?;
        let chords_s = started.elapsed().as_secs_f64();
        Ok(Self { weight, chords, seconds, chords_s, engine })
    }
}

impl EngineOption {
    pub(super) fn solve<T, P>(
        self,
        problem: &P,
        device: DeviceOptions,
    ) -> Result<Solved<T>, Failure>
    where
        T: Number,
        P: Problem<T>,
    {
        let n = problem.n();
        let cells = n as u64 * n as u64;
        let size = size_of::<T>() as u64;
        match self {
            Self::Auto if n >= LARGE && nvrtc::is_present() && cuda::count().is_ok() => {
                Self::Gpu.solve(problem, device)
            }
            Self::Auto | Self::Cpu => {
                let (table, seconds) = table(problem)?;
                Solved::read(problem, |a, b| table.get(a, b), seconds, Self::Cpu.word())
            }
            Self::Naive => {
                fits_memory::<T>(n, cells * size)?;
                let started = Instant::now();
                let what = format!("{} relaxations", grouped(relaxations(n).into()));
                let m = spin(what, || reference::solve(problem));
                let seconds = started.elapsed().as_secs_f64();
                Solved::read(problem, |a, b| m[(a + 1) * n + b], seconds, self.word())
            }
            Self::Gpu => {
                let gpu = device.open()?;
                let engine = Tiled::<T>::new(&gpu)?;
                let mut polygon = engine.polygons(n, 1)?;
                let bar = Bar::new(n as u64, "vertices");
                polygon.load(problem, &|rows| bar.add(rows))?;
                let seconds = gpu.seconds(|| polygon.triangulate())?;
                let weight = polygon.cell(0, 0, n - 1)?;
                let started = Instant::now();
                let none = || RecoverError::Infinite { i: 1, j: n - 1, value: weight.to_string() };
                let chords = polygon.chords()?.ok_or_else(none).map_err(Failure::run)?;
                let chords_s = started.elapsed().as_secs_f64();
                Ok(Solved { weight, chords, seconds, chords_s, engine: self.word() })
            }
        }
    }
}

/// The table by all cores of the host, and the seconds that it took.
pub(super) fn table<T: Weight, P: Problem<T>>(problem: &P) -> Result<(Table<T>, f64), Failure> {
    let n = problem.n();
    fits_memory::<T>(n, n as u64 * n as u64 / 2 * size_of::<T>() as u64)?;
    let bar = Bar::new(relaxations(n), "relaxations");
    let started = Instant::now();
    let table = opt::solve(problem, &|done| bar.add(done));
    Ok((table, started.elapsed().as_secs_f64()))
}

/// Relaxations on `n` vertices, as reports count them.
pub(super) fn relaxations(n: usize) -> u64 {
    u64::try_from(opt::relaxations(n as u64)).unwrap_or(u64::MAX)
}

/// Solves stage by stage on a GPU, as a file of plans has it (Ito and Nakano 2013).
pub(super) fn planned<T, P>(
    problem: &P,
    path: &Path,
    device: DeviceOptions,
) -> Result<Solved<T>, Failure>
where
    T: Number,
    P: Problem<T>,
{
    let plans = Plans::parse(&read(path, DESCRIPTION)?)
        .map_err(|error| Failure::input(format_args!("{}: {error}", path.display())))?;
    let n = problem.n();
    if n > MOST_VERTICES {
        return Err(Failure::input(format_args!(
            "--plan: stages are computed for at most {MOST_VERTICES} vertices; choose --engine gpu"
        )));
    }
    let gpu = device.open()?;
    let mut weights = vec![T::ZERO; n * n];
    weights.par_chunks_exact_mut(n).enumerate().for_each(|(a, row)| problem.write_row(a, 0, row));
    let (m, seconds) = stages::solve(&gpu, &weights, &plans.plan(n))?;
    Solved::read(problem, |a, b| m[(a + 1) * n + b], seconds, "plan")
}

/// Refuses a table that memory cannot hold, where the system tells how much it has.
fn fits_memory<T: Weight>(n: usize, bytes: u64) -> Result<(), Failure> {
    memory::check(bytes).map_err(|too_much| {
        let kind = T::NAME;
        Failure::input(format_args!(
            "the table of {n} vertices in {kind} takes {too_much}; choose fewer vertices"
        ))
    })
}
