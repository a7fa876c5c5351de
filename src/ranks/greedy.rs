//! The greedy triangulation over ranks, as Shoemaker et al. distributed it.

use super::World;
use crate::algorithms::greedy::paper::{self, Run, Share, TooMany};
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
) -> Result<Run, TooMany> {
    let share = Share { number: world.rank(), of: world.size() };
    let mut all = vec![NONE; share.of];
    let smallest = |mine: Option<[u32; 2]>| {
        world.gather(mine.unwrap_or(NONE), &mut all);
        paper::smallest(points, all.iter().copied().filter(|it| *it != NONE))
    };
    paper::run_share(points, share, smallest, |_| each_round())
}
