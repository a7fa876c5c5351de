//! What finds a hull.

use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::algorithms::hull;
use crate::algorithms::points::Point;
use crate::cli::Failure;
use crate::cli::record::Missing;
use crate::gpu::hull::{DevicePoints, HullKernels};
use crate::measure::hull::HullEngine;

/// An engine made ready for points.
pub(super) struct Ready<'a> {
    engine: HullEngine,
    points: &'a [Point],
    workers: usize,
    simd: bool,
    /// The threads that the engine cpu runs on; the others have their own.
    pool: Option<ThreadPool>,
    /// The points in the memory of a GPU.
    resident: Option<DevicePoints<'a>>,
}

/// What an engine found.
pub(super) struct Solved {
    pub(super) vertices: Vec<u32>,
    /// From points in the engine's memory to vertices in the host's.
    pub(super) time_s: f64,
    /// Seconds of the first pass on a GPU, and points left by it.
    pub(super) first_pass: Option<(f64, u64)>,
    /// On a GPU.
    pub(super) rounds: Option<u64>,
}

impl<'a> Ready<'a> {
    /// `gpu` is there for engines that need one.
    pub(super) fn new(
        engine: HullEngine,
        points: &'a [Point],
        (workers, simd): (usize, bool),
        gpu: Option<&'a HullKernels<'_>>,
    ) -> Result<Self, Missing> {
        let pool = match engine {
            HullEngine::Cpu => {
                Some(ThreadPoolBuilder::new().num_threads(workers).build().map_err(|error| {
                    Failure::run(format_args!("cannot start {workers} threads: {error}"))
                })?)
            }
            _ => None,
        };
        let resident = match gpu {
            Some(gpu) => Some(gpu.load(points)?),
            None => None,
        };
        Ok(Self { engine, points, workers, simd, pool, resident })
    }

    pub(super) fn solve(&self) -> Result<Solved, Missing> {
        let Self { points, workers, simd, .. } = *self;
        let started = Instant::now();
        let vertices = match (self.engine, &self.resident, &self.pool) {
            (HullEngine::Gpu, Some(points), _) => {
                let run = points.hull()?;
                return Ok(Solved {
                    vertices: run.vertices,
                    time_s: run.seconds,
                    first_pass: Some((run.first_pass_s, run.survivors)),
                    rounds: Some(run.rounds.into()),
                });
            }
            (HullEngine::GpuPaper, Some(points), _) => {
                let run = points.paper()?;
                let (vertices, rounds) = (run.vertices, Some(run.rounds.into()));
                return Ok(Solved { vertices, time_s: run.seconds, first_pass: None, rounds });
            }
            (HullEngine::Sequential, ..) => hull::sequential(points),
            (HullEngine::Workers, ..) => hull::workers(points, workers, simd),
            (HullEngine::WorkersPrefetch, ..) => hull::workers_prefetch(points, workers, simd),
            (_, _, Some(pool)) => pool.install(|| hull::cpu(points, simd)),
            _ => hull::cpu(points, simd),
        };
        let time_s = started.elapsed().as_secs_f64();
        Ok(Solved { vertices, time_s, first_pass: None, rounds: None })
    }
}

/// Bytes of the host's memory that a point takes, at most.
pub(super) const fn bytes(engine: HullEngine) -> u64 {
    match engine {
        HullEngine::Sequential => 80,
        _ => 64,
    }
}
