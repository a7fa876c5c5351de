//! The CPU engine.

use super::problem::{relaxations, with_split};
use super::{Problem, Table, Weight};

/// The whole table, in `O(n³)` time and `n² / 2` cells of memory. Bit for bit what
/// [`super::reference::solve`] gives.
///
/// `progress` is told now and then, from any thread, how many [`relaxations`] were done since it was
/// last called.
pub fn solve<T, P>(problem: &P, progress: &(dyn Fn(u64) + Sync)) -> Table<T>
where
    T: Weight,
    P: Problem<T>,
{
    let (n, sides) = (problem.n(), problem.sides());
    let mut table = Table::new(n);
    for a in (0..n.saturating_sub(1)).rev() {
        table.set(a, a + 1, problem.base(a));
        for b in a + 2..n {
            let sums = (a + 1..b)
                .map(|k| with_split(table.get(a, k).plus(table.get(k, b)), sides, [a, k, b]));
            let least = sums.fold(T::INFINITY, T::least);
            table.set(a, b, least.settled().plus(problem.whole(a, b)).settled());
        }
    }
    progress(u64::try_from(relaxations(n as u64)).unwrap_or(u64::MAX));
    table
}
