//! What fills a table.

use std::time::Instant;

use clap::ValueEnum;

use crate::algorithms::opt::{self, Problem, Weight, reference};
use crate::cli::Failure;
use crate::cli::progress::Bar;
use crate::cuda;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineOption {
    /// The plain triple loop on one core, to compare with
    Naive,
    /// Blocked, vectorised, on all cores
    Cpu,
    /// On a GPU
    Gpu,
    /// On a GPU if there is one and n is at least 4096, else cpu
    Auto,
}

/// What `auto` gives to a GPU.
const LARGE: usize = 4096;

/// A table `T`, filled.
pub(super) struct Solved<T> {
    /// `T[a][b]`, `a < b`.
    pub(super) cell: Box<dyn Fn(usize, usize) -> T>,
    /// From weights to the last value.
    pub(super) seconds: f64,
    pub(super) engine: &'static str,
}

impl EngineOption {
    pub(super) fn solve<T, P>(self, problem: &P) -> Result<Solved<T>, Failure>
    where
        T: Weight,
        P: Problem<T>,
    {
        let n = problem.n();
        let cells = n as u64 * n as u64;
        let size = size_of::<T>() as u64;
        match self {
            Self::Auto if n >= LARGE && cuda::count().is_ok() => Self::Gpu.solve(problem),
            Self::Auto | Self::Cpu => {
                fits_memory::<T>(n, cells / 2 * size)?;
                let total = u64::try_from(opt::relaxations(n as u64)).unwrap_or(u64::MAX);
                let bar = Bar::new(total, "relaxations");
                let started = Instant::now();
                let table = opt::solve(problem, &|done| bar.add(done));
                let seconds = started.elapsed().as_secs_f64();
                Ok(Solved { cell: Box::new(move |a, b| table.get(a, b)), seconds, engine: "cpu" })
            }
            Self::Naive => {
                fits_memory::<T>(n, cells * size)?;
                let started = Instant::now();
                let m = reference::solve(problem);
                let seconds = started.elapsed().as_secs_f64();
                let cell = Box::new(move |a, b| m[(a + 1) * n + b]);
                Ok(Solved { cell, seconds, engine: "naive" })
            }
            Self::Gpu => {
                cuda::count()?;
                Err(Failure::run("--engine gpu: there is no engine for GPUs yet; use --engine cpu"))
            }
        }
    }
}

/// Refuses a table that memory cannot hold, where the system tells how much it has.
fn fits_memory<T: Weight>(n: usize, bytes: u64) -> Result<(), Failure> {
    const GIB: f64 = (1_u64 << 30) as f64;
    match available() {
        Some(available) if bytes > available => Err(Failure::input(format_args!(
            "{n} vertices need a table of {:.1} GiB in {}, but {:.1} GiB of memory are available; \
             choose fewer vertices",
            bytes as f64 / GIB,
            T::NAME,
            available as f64 / GIB
        ))),
        _ => Ok(()),
    }
}

/// Bytes of memory that a process may still ask for, as Linux tells.
fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}
