//! What finds a greedy triangulation.

use std::time::Instant;

use crate::algorithms::greedy::{fast, paper};
use crate::algorithms::points::Point;
use crate::cli::Failure;
#[cfg(not(feature = "mpi"))]
use crate::cli::failure::WITHOUT_MPI;
use crate::cli::record::Missing;
use crate::gpu::greedy::GreedyKernels;
use crate::measure::greedy::GreedyEngine;
#[cfg(feature = "mpi")]
use crate::mpi::{self, World};

/// What an engine found.
pub(super) struct Solved {
    /// In the order in which they were accepted.
    pub(super) edges: Vec<[u32; 2]>,
    /// Of the paper's algorithm, in seconds: generation, sort, triangulation.
    pub(super) steps: Option<[f64; 3]>,
    /// From points in memory to edges in memory.
    pub(super) time_s: f64,
}

/// The edges of distinct points. `gpu` is there for the engine that needs it, with its numbers of
/// blocks and of threads; `progress` is told of new edges.
pub(super) fn solve(
    engine: GreedyEngine,
    points: &[Point],
    gpu: Option<(&GreedyKernels<'_>, u32, u32)>,
    progress: &dyn Fn(u64),
) -> Result<Solved, Missing> {
    let started = Instant::now();
    let (edges, steps) = match (engine, gpu) {
        (GreedyEngine::Gpu, Some((gpu, blocks, threads))) => {
            let run = gpu.triangulate(points, blocks, threads)?;
            (run.edges, Some([run.generate_s, run.sort_s, run.triangulate_s]))
        }
        (GreedyEngine::Paper, _) => {
            let run = paper::run(points, |_| progress(1)).map_err(Failure::input)?;
            (run.edges, Some([run.generate_s, run.sort_s, run.triangulate_s]))
        }
        _ => (fast::run(points, progress).edges, None),
    };
    Ok(Solved { edges, steps, time_s: started.elapsed().as_secs_f64() })
}

/// The same over the ranks of MPI, of which the first alone has something to tell.
#[cfg(feature = "mpi")]
pub(super) fn over_ranks(
    engine: GreedyEngine,
    points: &[Point],
    progress: &dyn Fn(u64),
) -> Result<Option<Solved>, Failure> {
    let world = World::start()?;
    let started = Instant::now();
    if engine == GreedyEngine::MpiFast {
        let edges = mpi::greedy_in_cells(&world, points, progress);
        let time_s = started.elapsed().as_secs_f64();
        return Ok(edges.map(|edges| Solved { edges, steps: None, time_s }));
    }
    let run = mpi::greedy(&world, points, || progress(1));
    let run = world.agree(run).map_err(Failure::of_ranks)?;
    let steps = Some([run.generate_s, run.sort_s, run.triangulate_s]);
    let solved = Solved { edges: run.edges, steps, time_s: started.elapsed().as_secs_f64() };
    Ok((world.rank() == 0).then_some(solved))
}

#[cfg(not(feature = "mpi"))]
pub(super) fn over_ranks(
    _: GreedyEngine,
    _: &[Point],
    _: &dyn Fn(u64),
) -> Result<Option<Solved>, Failure> {
    Err(Failure::input(WITHOUT_MPI))
}
