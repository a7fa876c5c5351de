//! Engines over the ranks of MPI.

#[cfg(feature = "mpi")]
use std::time::Instant;

use crate::algorithms::points::Point;
use crate::cli::support::Failure;
#[cfg(not(feature = "mpi"))]
use crate::cli::support::failure::WITHOUT_MPI;
use crate::measure::engines::greedy::GreedyRun;
use crate::measure::greedy::GreedyEngine;
#[cfg(feature = "mpi")]
use crate::mpi::{self, World};

/// The edges of distinct points, of which the first rank alone has something to tell.
#[cfg(feature = "mpi")]
pub(super) fn over_ranks(
    engine: GreedyEngine,
    points: &[Point],
    progress: &dyn Fn(u64),
) -> Result<Option<GreedyRun>, Failure> {
    let world = World::start()?;
    let started = Instant::now();
    if engine == GreedyEngine::MpiFast {
        let edges = mpi::greedy_in_cells(&world, points, progress);
        let time_s = started.elapsed().as_secs_f64();
        return Ok(edges.map(|edges| GreedyRun { edges, steps: None, time_s }));
    }
    let run = mpi::greedy(&world, points, || progress(1));
    let run = world.agree(run).map_err(Failure::of_ranks)?;
    let steps = Some([run.generate_s, run.sort_s, run.triangulate_s]);
    let run = GreedyRun { edges: run.edges, steps, time_s: started.elapsed().as_secs_f64() };
    Ok((world.rank() == 0).then_some(run))
}

#[cfg(not(feature = "mpi"))]
pub(super) fn over_ranks(
    _: GreedyEngine,
    _: &[Point],
    _: &dyn Fn(u64),
) -> Result<Option<GreedyRun>, Failure> {
    Err(Failure::input(WITHOUT_MPI))
}
