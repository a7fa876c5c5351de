//! What fills a table.

use std::path::Path;
use std::time::Instant;

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use crate::algorithms::opt::plan::Plans;
#[cfg(feature = "mpi")]
use crate::algorithms::opt::share;
use crate::algorithms::opt::triangulation::{RecoverError, triangles};
use crate::algorithms::opt::variant::MOST_VERTICES;
use crate::algorithms::opt::{self, Nearest, Problem, Table, Triangle, Weight, knuth, reference};
use crate::cli::support::Failure;
use crate::cli::support::device::DeviceOptions;
#[cfg(not(feature = "mpi"))]
use crate::cli::support::failure::WITHOUT_MPI;
use crate::cli::support::numbers::grouped;
use crate::cli::support::options::word;
use crate::cli::support::progress::{Bar, spin};
use crate::gpu::opt::stages;
use crate::gpu::opt::tiled::{Number, Tiled};
use crate::gpu::{self, nvrtc};
use crate::host::files::{DESCRIPTION, path_text, read};
use crate::host::memory;
use crate::keyword::{Keyword, keywords};
#[cfg(feature = "mpi")]
use crate::mpi::World;

/// Which engine, and which GPU if it needs one.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct EngineOptions {
    #[arg(long, value_parser = word::<EngineOption>(), default_value_t = EngineOption::Auto)]
    engine: EngineOption,
    #[command(flatten)]
    pub(super) device: DeviceOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EngineOption {
    Naive,
    Cpu,
    Gpu,
    Mpi,
    Knuth,
    Auto,
}

keywords! { EngineOption {
    Naive "naive" "The plain triple loop on one core, to compare with"
    Cpu "cpu" "Blocked, vectorised, on all cores"
    Gpu "gpu" "By tiles on a GPU"
    Mpi "mpi" "The engine cpu over the ranks that mpirun starts: block columns in shares"
    Knuth "knuth" "Search trees of whole or decimal weights in O(n²), on one core"
    Auto "auto" "knuth where it applies; on a GPU if there is one and n is at least 4096; else cpu"
} }

/// The numbers that a table is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TypeOption {
    F32,
    F64,
    I32,
}

/// What `auto` gives to a GPU.
const LARGE: usize = 4096;

/// What an engine found.
pub(super) struct Solution<T> {
    pub(super) weight: T,
    /// Each after the one beyond its side `a`–`b`.
    pub(super) triangles: Vec<Triangle>,
    /// Sums of two cells that were compared.
    pub(super) relaxations: u64,
    /// Of the table, from weights in memory to the last value.
    pub(super) seconds: f64,
    /// Of the triangles.
    pub(super) triangles_s: f64,
    pub(super) engine: &'static str,
}

impl<T: Weight> Solution<T> {
    /// Reads the triangulation from a table `T`.
    fn read<P: Problem<T>>(
        problem: &P,
        cell: impl Fn(usize, usize) -> T,
        seconds: f64,
        engine: &'static str,
    ) -> Result<Self, Failure> {
        let weight = cell(0, problem.n() - 1);
        let started = Instant::now();
        let triangles = triangles(problem, cell).map_err(Failure::run)?;
        let triangles_s = started.elapsed().as_secs_f64();
        let relaxations = relaxations(problem.n());
        Ok(Self { weight, triangles, relaxations, seconds, triangles_s, engine })
    }
}

impl EngineOptions {
    /// The failure of a command: of one rank alone where ranks work together.
    pub(super) fn fail_once(self, done: Result<(), Failure>) -> Result<(), Failure> {
        match self.engine {
            EngineOption::Mpi => done.map_err(Failure::of_one_rank),
            _ => done,
        }
    }

    /// Whether the engine cpu does, which solves polygons in parallel.
    pub(super) const fn is_cpu(self) -> bool {
        matches!(self.engine, EngineOption::Auto | EngineOption::Cpu)
    }

    /// `None` where another process tells what was found.
    pub(super) fn solve<T, P>(self, problem: &P) -> Result<Option<Solution<T>>, Failure>
    where
        T: Number,
        P: Problem<T>,
    {
        if self.engine == EngineOption::Mpi {
            return over_ranks(problem);
        }
        self.on_host(problem).map(Some)
    }

    fn on_host<T, P>(self, problem: &P) -> Result<Solution<T>, Failure>
    where
        T: Number,
        P: Problem<T>,
    {
        let n = problem.n();
        let cells = n as u64 * n as u64;
        let size = size_of::<T>() as u64;
        let engine = self.engine;
        match engine {
            EngineOption::Knuth if !problem.has_monotone_splits() => Err(Failure::input(
                "--engine knuth: for umm opt search-tree with weights whose sums are exact; leave it \
                 out, or choose --engine cpu",
            )),
            EngineOption::Knuth => {
                fits_memory::<T>(n, cells * size / 2)?;
                let started = Instant::now();
                let table = spin("search tree", || knuth::solve(problem));
                let seconds = started.elapsed().as_secs_f64();
                let found =
                    Solution::read(problem, |a, b| table.get(a, b), seconds, engine.word())?;
                Ok(Solution { relaxations: table.relaxations, ..found })
            }
            EngineOption::Auto if problem.has_monotone_splits() => {
                Self { engine: EngineOption::Knuth, ..self }.on_host(problem)
            }
            EngineOption::Auto if n >= LARGE && nvrtc::is_present() && gpu::count().is_ok() => {
                Self { engine: EngineOption::Gpu, ..self }.on_host(problem)
            }
            EngineOption::Auto | EngineOption::Cpu | EngineOption::Mpi => {
                let (table, seconds) = table(problem)?;
                Solution::read(problem, |a, b| table.get(a, b), seconds, EngineOption::Cpu.word())
            }
            EngineOption::Naive => {
                fits_memory::<T>(n, cells * size)?;
                let started = Instant::now();
                let what = format!("{} relaxations", grouped(relaxations(n).into()));
                let m = spin(&what, || reference::solve(problem));
                let seconds = started.elapsed().as_secs_f64();
                Solution::read(problem, |a, b| m[(a + 1) * n + b], seconds, engine.word())
            }
            EngineOption::Gpu => {
                let gpu = self.device.open()?;
                let tiled = Tiled::<T>::new(&gpu, problem.sides().is_some());
                let mut polygon = tiled.polygons(n, 1)?;
                let bar = Bar::new(n as u64, "vertices");
                polygon.load(problem, &|rows| bar.add(rows))?;
                let seconds = gpu.seconds(|| polygon.triangulate())?;
                let weight = polygon.cell(0, 0, n - 1)?;
                let started = Instant::now();
                let none = || RecoverError::Infinite { i: 1, j: n - 1, value: weight.to_string() };
                let triangles = polygon.triangles()?.ok_or_else(none).map_err(Failure::run)?;
                let triangles_s = started.elapsed().as_secs_f64();
                let relaxations = relaxations(n);
                let engine = engine.word();
                Ok(Solution { weight, triangles, relaxations, seconds, triangles_s, engine })
            }
        }
    }
}

/// The table by all cores of the host, and the seconds that it took.
fn table<T: Weight, P: Problem<T>>(problem: &P) -> Result<(Table<T>, f64), Failure> {
    let n = problem.n();
    fits_memory::<T>(n, n as u64 * n as u64 / 2 * size_of::<T>() as u64)?;
    let bar = Bar::new(relaxations(n), "relaxations");
    let started = Instant::now();
    let table = opt::solve(problem, &|done| bar.add(done));
    Ok((table, started.elapsed().as_secs_f64()))
}

/// The same over the ranks of MPI, of which the first alone has something to tell.
#[cfg(feature = "mpi")]
fn over_ranks<T: Weight, P: Problem<T>>(problem: &P) -> Result<Option<Solution<T>>, Failure> {
    let mut world = World::start()?;
    let (n, ranks) = (problem.n(), world.size());
    let fits = memory::check(share::bytes::<T>(n, ranks)).map_err(|too_much| {
        format!(
            "the share of one of {ranks} ranks in the table of {n} vertices in {} takes {too_much}; \
             start more ranks, or choose fewer vertices",
            T::NAME
        )
    });
    world.agree(fits).map_err(Failure::of_ranks)?;
    let bar = Bar::new(relaxations(n) / ranks as u64, "relaxations of this rank");
    let started = Instant::now();
    let columns = share::solve(problem, &mut world, &|done| bar.add(done));
    let seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let found = columns.triangles(problem, &mut world);
    let triangles_s = started.elapsed().as_secs_f64();
    if world.rank() > 0 {
        return Ok(None);
    }
    let (weight, triangles) = found.map_err(Failure::run)?;
    let engine = EngineOption::Mpi.word();
    let relaxations = relaxations(n);
    Ok(Some(Solution { weight, triangles, relaxations, seconds, triangles_s, engine }))
}

#[cfg(not(feature = "mpi"))]
fn over_ranks<T: Weight, P: Problem<T>>(_: &P) -> Result<Option<Solution<T>>, Failure> {
    Err(Failure::input(WITHOUT_MPI))
}

/// Relaxations on `n` vertices, as reports count them.
pub(super) fn relaxations(n: usize) -> u64 {
    u64::try_from(opt::relaxations(n as u64)).unwrap_or(u64::MAX)
}

/// The plans of a file that `umm opt tune` wrote.
pub(super) fn read_plans(path: &Path) -> Result<Plans, Failure> {
    Plans::parse(&read(path, DESCRIPTION)?)
        .map_err(|error| Failure::input(format_args!("{}: {error}", path_text(path))))
}

/// Solves stage by stage on a GPU, as plans have it (Ito and Nakano 2013).
pub(super) fn planned<T, P>(
    problem: &P,
    plans: &Plans,
    device: DeviceOptions,
) -> Result<Solution<T>, Failure>
where
    T: Number,
    P: Problem<T>,
{
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
    Solution::read(problem, |a, b| m[(a + 1) * n + b], seconds, "plan")
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

/// Refuses lengths of which a type would keep nothing, or too few bits; `total` is of all chords.
pub(super) fn check_precision<T: Nearest>(n: usize, total: f64) -> Result<(), Failure> {
    if T::tells(n, total) {
        return Ok(());
    }
    Err(Failure::input(format_args!(
        "{} chords with a total length of at most {total:?} are too short for {}; use --type f64, \
         or rescale the polygon",
        n - 3,
        T::NAME
    )))
}
