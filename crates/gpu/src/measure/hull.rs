//! Engines of convex hulls, on a GPU or on the CPU.

use rayon::ThreadPoolBuildError;
use thiserror::Error;

use crate::CudaError;
use crate::hull::{DevicePoints, HullKernels};
use memory_machine_geometry::points::Point;
use memory_machine_measure::engines::hull::{CpuHull, HullRun};
use memory_machine_measure::hull::HullEngine;

/// Why points have no hull.
#[derive(Debug, Error)]
pub enum HullError {
    /// The GPU, its driver or its compiler fails.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// No more threads are started.
    #[error("cannot start {workers} threads: {error}")]
    Threads {
        /// As many as were asked for.
        workers: usize,
        /// What the system says.
        error: ThreadPoolBuildError,
    },
}

/// An engine made ready for points.
pub enum PreparedHull<'a> {
    /// The points in the memory of a GPU, and whether the paper's phases are wanted.
    Gpu(DevicePoints<'a>, bool),
    /// The points in the host's.
    Cpu(CpuHull, &'a [Point]),
}

impl<'a> PreparedHull<'a> {
    /// `gpu` is there for engines that need one.
    ///
    /// # Errors
    /// [`HullError`].
    pub fn new(
        engine: HullEngine,
        points: &'a [Point],
        (workers, simd): (usize, bool),
        gpu: Option<&'a HullKernels<'_>>,
    ) -> Result<Self, HullError> {
        if let Some(gpu) = gpu {
            return Ok(Self::Gpu(gpu.load(points)?, engine == HullEngine::GpuPaper));
        }
        let cpu = CpuHull::new(engine, workers, simd);
        Ok(Self::Cpu(cpu.map_err(|error| HullError::Threads { workers, error })?, points))
    }

    /// The hull.
    ///
    /// # Errors
    /// What the GPU says.
    pub fn run(&self) -> Result<HullRun, HullError> {
        let (run, first_pass) = match self {
            Self::Cpu(cpu, points) => return Ok(cpu.run(points)),
            Self::Gpu(points, true) => (points.paper()?, None),
            Self::Gpu(points, false) => {
                let run = points.hull()?;
                let first_pass = Some((run.first_pass_s, run.survivors));
                (run, first_pass)
            }
        };
        let (time_s, rounds) = (run.seconds, Some(run.rounds.into()));
        Ok(HullRun { vertices: run.vertices, time_s, first_pass, rounds })
    }
}
