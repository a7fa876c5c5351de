//! Engines of convex hulls.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Checked, Implausible, Row, plausibility};
use memory_machine_core::keyword::keywords;
use memory_machine_geometry::points::random::PointDistribution;

/// An engine. Variants stand by their words, as tables are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HullEngine {
    /// On all cores of the host: filtered, then finished.
    Cpu,
    /// On a GPU, points in its memory: filtered, then finished.
    Gpu,
    /// The paper's seven phases on a GPU, points in its memory.
    GpuPaper,
    /// The paper's Algorithm 1, one thread, plain.
    Sequential,
    /// The paper's version for the Cell: chunks, by `workers`, with SIMD or without.
    Workers,
    /// The same with double buffering: the next block of a chunk is prefetched.
    WorkersPrefetch,
}

keywords! { HullEngine {
    Sequential "sequential" "The iterative quickhull of Srikanth et al., on one thread"
    Workers "workers" "Their version for the Cell processor, in one chunk for each of --workers"
    WorkersPrefetch "workers_prefetch" "The same, each chunk's next block prefetched meanwhile: double buffering"
    Cpu "cpu" "One pass drops what the hull of a sample contains; the rest is sorted"
    Gpu "gpu" "The same pass on a GPU"
    GpuPaper "gpu_paper" "The seven phases of Srikanth et al. on a GPU"
} }

impl super::Engine for HullEngine {
    fn is_on_gpu(self) -> bool {
        matches!(self, Self::Gpu | Self::GpuPaper)
    }
}

impl HullEngine {
    /// Whether it has `workers`, and SIMD or not.
    pub const fn has_workers(self) -> bool {
        matches!(self, Self::Workers | Self::WorkersPrefetch | Self::Cpu)
    }
}

/// One hull: a row of `hull.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HullRepetition {
    /// Which one ran.
    pub engine: HullEngine,
    /// Points.
    pub n: u64,
    /// Of the random points.
    pub distribution: PointDistribution,
    /// Of the random points.
    pub seed: u64,
    /// How many there are, of [engines that have them](HullEngine::has_workers).
    pub workers: Option<u64>,
    /// Whether vectors of numbers are used, by engines that have workers.
    pub simd: Option<bool>,
    /// Of the hull.
    pub vertices: u64,
    /// Points that the first pass leaves.
    pub survivors: Option<u64>,
    /// On a GPU: its rounds behind the first pass.
    pub rounds: Option<u64>,
    /// The pass over all points.
    pub first_pass_s: Option<f64>,
    /// From points in memory to vertices in memory.
    pub time_s: f64,
    /// From 0.
    pub repetition: u64,
    /// `all` if the vertices were compared with another engine's before timing, or `none`.
    pub verified: String,
}

/// What all repetitions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HullSubject {
    /// As [`HullRepetition::distribution`].
    pub distribution: PointDistribution,
    /// As [`HullRepetition::engine`].
    pub engine: HullEngine,
    /// As [`HullRepetition::n`].
    pub n: u64,
    /// As [`HullRepetition::seed`].
    pub seed: u64,
    /// As [`HullRepetition::workers`].
    pub workers: Option<u64>,
    /// As [`HullRepetition::simd`].
    pub simd: Option<bool>,
}

impl Checked for HullRepetition {
    fn check(&self) -> Result<(), Implausible> {
        plausibility::points(self.n, 1)?;
        plausibility::count("vertices", self.vertices, 1)?;
        self.workers.map_or(Ok(()), |it| plausibility::count("workers", it, 1))?;
        self.first_pass_s.map_or(Ok(()), |it| plausibility::seconds("first_pass_s", it))?;
        plausibility::seconds("time_s", self.time_s)
    }
}

impl Row for HullRepetition {
    type Subject = HullSubject;

    fn subject(&self) -> HullSubject {
        HullSubject {
            distribution: self.distribution,
            engine: self.engine,
            n: self.n,
            seed: self.seed,
            workers: self.workers,
            simd: self.simd,
        }
    }

    fn time_s(&self) -> f64 {
        self.time_s
    }
}

impl fmt::Display for HullSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} n={} seed={}", self.engine, self.distribution, self.n, self.seed)?;
        if let Some(workers) = self.workers {
            write!(f, " workers={workers}")?;
        }
        match self.simd {
            Some(false) => f.write_str(" without SIMD"),
            _ => Ok(()),
        }
    }
}
