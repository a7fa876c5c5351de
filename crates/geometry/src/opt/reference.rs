//! The recurrence as it stands, to check faster engines against.

use super::problem::with_split;
use super::weights::Square;
use super::{Problem, Weight};

/// The table `M` for the weights `c` of the chords of an `n`-gon, both as in [`super`]; cells that
/// the papers do not define are 0. As [`solve`].
pub fn table<T: Weight>(n: usize, c: &[T]) -> Vec<T> {
    solve(&Square { n, cells: c })
}

/// The same into a table of which row and column 0 and the part below the diagonal are left alone.
pub fn fill<T: Weight>(n: usize, c: &[T], m: &mut [T]) {
    fill_for(&Square { n, cells: c }, m);
}

/// The table `M` of a problem, `n × n` row-major; cells that the papers do not define are 0.
///
/// Each cell is exactly `min over k of (M[i][k] + M[k+1][j] [+ split])`, then `+ whole(i−1, j)`. The
/// minimum does not depend on the order of `k`, so any engine that keeps these additions must give
/// the same bits. Infinite weights give infinite cells, never NaN.
///
/// `O(n³)` time.
pub fn solve<T: Weight>(problem: &impl Problem<T>) -> Vec<T> {
    let n = problem.n();
    let mut m = vec![T::ZERO; n * n];
    fill_for(problem, &mut m);
    m
}

fn fill_for<T: Weight>(problem: &impl Problem<T>, m: &mut [T]) {
    let (n, sides) = (problem.n(), problem.sides());
    for i in 1..n {
        m[i * n + i] = problem.base(i - 1);
    }
    for i in (1..n.saturating_sub(1)).rev() {
        for j in i + 1..n {
            let mut least = T::INFINITY;
            for k in i..j {
                let sum = m[i * n + k].plus(m[(k + 1) * n + j]);
                least = least.least(with_split(sum, sides, [i - 1, k, j]));
            }
            m[i * n + j] = least.settled().plus(problem.whole(i - 1, j)).settled();
        }
    }
}
