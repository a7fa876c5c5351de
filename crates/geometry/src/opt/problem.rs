//! What the interval dynamic programming of [`super`] is asked to solve.

use super::Weight;

/// A problem on vertices `v_0 … v_{n−1}`:
///
/// ```text
/// T[a][a+1] = base(a)
/// T[a][b]   = min over a < k < b of (T[a][k] + T[k][b] + p_k · (p_a · p_b)) + whole(a, b)
/// ```
///
/// for `a + 1 < b`, `p` being [`sides`](Self::sides) and its term absent without them. Nothing it
/// gives may be NaN, −∞ or −0.
pub trait Problem<T: Weight>: Sync {
    /// Number of vertices.
    fn n(&self) -> usize;
    /// `T[a][a+1]`, for `a + 1 < n`.
    fn base(&self, _a: usize) -> T {
        T::ZERO
    }
    /// What chord `a`–`b` adds, for `a + 1 < b`.
    fn whole(&self, a: usize, b: usize) -> T;
    /// Writes `whole(a, b)` to `row[b − first]`, for all `b > a + 1`; the row has no vertex beyond `n`.
    fn write_row(&self, a: usize, first: usize, row: &mut [T]) {
        for (b, cell) in (first..).zip(row).skip((a + 2).saturating_sub(first)) {
            *cell = self.whole(a, b);
        }
    }
    /// Whether the first best split of any polygon is neither before that of the polygon without its last
    /// vertex nor after that of the one without its first, and sums are exact, so that [`super::knuth`]
    /// finds it.
    fn has_monotone_splits(&self) -> bool {
        false
    }
    /// The `n` sides `p`. Each `p_k · (p_a · p_b)` must be [finite](Weight::is_finite); it is added to
    /// the settled sum of two cells.
    fn sides(&self) -> Option<&[T]> {
        None
    }
}

/// The sum of two cells, and what triangle `a`–`k`–`b` adds if sides are given.
pub(super) fn with_split<T: Weight>(sum: T, sides: Option<&[T]>, [a, k, b]: [usize; 3]) -> T {
    sides.map_or(sum, |p| sum.settled().plus(p[k].times(p[a].times(p[b]))))
}

/// Relaxations in all, one for each triangle `a < k < b`: n (n − 1) (n − 2) / 6.
pub const fn relaxations(n: u64) -> u128 {
    let n = n as u128;
    n * n.saturating_sub(1) * n.saturating_sub(2) / 6
}
