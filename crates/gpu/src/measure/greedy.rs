//! Engines of greedy triangulation, on a GPU or on the CPU.

use std::time::Instant;

use thiserror::Error;

use crate::CudaError;
use crate::greedy::GreedyKernels;
use memory_machine_geometry::greedy::paper::TooMany;
use memory_machine_geometry::points::Point;
use memory_machine_measure::engines::greedy::{GreedyRun, run_on_cpu};
use memory_machine_measure::greedy::GreedyEngine;

/// Kernels, with the blocks of a launch and the threads of each.
pub type GreedyLaunch<'k, 'g> = (&'k GreedyKernels<'g>, u32, u32);

/// Why points have no triangulation.
#[derive(Debug, Error)]
pub enum GreedyError {
    /// The GPU, its driver or its compiler fails.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// More points than the paper's algorithm has room for.
    #[error(transparent)]
    TooMany(#[from] TooMany),
}

/// The edges of distinct points. `gpu` is there for the engine that needs it; `progress` is called for
/// new edges of the others.
///
/// # Errors
/// [`GreedyError`].
pub fn run(
    engine: GreedyEngine,
    points: &[Point],
    gpu: Option<GreedyLaunch<'_, '_>>,
    progress: &dyn Fn(u64),
) -> Result<GreedyRun, GreedyError> {
    match (engine, gpu) {
        (GreedyEngine::Gpu, Some((gpu, blocks, threads))) => {
            let started = Instant::now();
            let run = gpu.triangulate(points, blocks, threads)?;
            let steps = Some([run.generate_s, run.sort_s, run.triangulate_s]);
            let time_s = started.elapsed().as_secs_f64();
            Ok(GreedyRun { edges: run.edges, steps, time_s })
        }
        _ => Ok(run_on_cpu(engine, points, progress)?),
    }
}
