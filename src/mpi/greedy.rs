//! The greedy triangulation over ranks: as Shoemaker et al. distributed it, and in cells of the plane.

use mpi::traits::{Communicator, Destination, Source};

use super::World;
use crate::algorithms::greedy::fast::plane_partition::{CellEdges, part, whole};
use crate::algorithms::greedy::paper::{self, PaperTriangulation, Share, TooMany};
use crate::algorithms::points::Point;

/// Stands for a line where a rank has none left.
const NONE: [u32; 2] = [u32::MAX; 2];

/// The edges of [`paper::run`], in the same order, on every rank. Each rank makes and sorts its share
/// of the lines; each round they tell one another their smallest one, 8 bytes a rank, and each
/// eliminates what conflicts with the smallest of all among its own.
///
/// Seconds and tests are this rank's own.
///
/// # Errors
/// [`TooMany`].
pub fn greedy(
    world: &World,
    points: &[Point],
    mut each_round: impl FnMut(),
) -> Result<PaperTriangulation, TooMany> {
    let share = Share { number: world.rank(), of: world.size() };
    let mut all = vec![NONE; share.of];
    let smallest = |mine: Option<[u32; 2]>| {
        world.gather(mine.unwrap_or(NONE), &mut all);
        paper::smallest(points, all.iter().copied().filter(|it| *it != NONE))
    };
    paper::run_share(points, share, smallest, |_| each_round())
}

/// The edges of [`crate::algorithms::greedy::fast::run`], in the same order, on the first rank. Each
/// rank triangulates a cell; the first one completes what they are sure of.
pub fn greedy_in_cells(
    world: &World,
    points: &[Point],
    progress: &dyn Fn(u64),
) -> Option<Vec<[u32; 2]>> {
    let mine = part(points, world.rank(), world.size(), progress);
    let all = world.0.world();
    if world.rank() > 0 {
        let first = all.process_at_rank(0);
        for lines in [&mine.edges, &mine.walls, &mine.closed] {
            first.send(lines.as_flattened());
        }
        first.send(&mine.unfinished[..]);
        return None;
    }
    let mut parts = vec![mine];
    for rank in 1..world.size() {
        let rank = all.process_at_rank(rank as i32);
        let numbers = || rank.receive_vec::<u32>().0;
        let lines = || bytemuck::cast_slice::<u32, [u32; 2]>(&numbers()).to_vec();
        let (edges, walls, closed) = (lines(), lines(), lines());
        parts.push(CellEdges { edges, walls, closed, unfinished: numbers() });
    }
    Some(whole(points, parts, progress))
}
