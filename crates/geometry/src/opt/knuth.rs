//! Problems whose splits are [monotone](Problem::has_monotone_splits), in `O(n²)` (Knuth 1971, *Optimum
//! binary search trees*): of the splits of a polygon only those between the best of its two neighbours
//! are looked at, and over all polygons of one length such ranges have `O(n)` splits.

use super::{Problem, Weight};

/// The table `T`, a row after the other.
#[derive(Debug, Clone)]
pub struct Rows<T> {
    n: usize,
    cells: Vec<T>,
    /// Sums of two cells that were compared.
    pub relaxations: u64,
}

impl<T: Weight> Rows<T> {
    /// `T[a][b]`, a < b.
    pub fn get(&self, a: usize, b: usize) -> T {
        self.cells[self.place(a, b)]
    }

    const fn place(&self, a: usize, b: usize) -> usize {
        a * (2 * self.n - a - 1) / 2 + b - a - 1
    }
}

/// Fills the table; every cell is that of [`super::solve`].
pub fn solve<T: Weight>(problem: &impl Problem<T>) -> Rows<T> {
    let n = problem.n();
    let cells = vec![T::ZERO; n * n.saturating_sub(1) / 2];
    let mut rows = Rows { n, cells, relaxations: 0 };
    // Best splits of v_a … v_b, by b; of a + 1 until a takes their place.
    let mut splits = vec![0; n];
    for a in (0..n.saturating_sub(1)).rev() {
        let place = rows.place(a, a + 1);
        rows.cells[place] = problem.base(a);
        for b in a + 2..n {
            let between = if b == a + 2 { a + 1..=a + 1 } else { splits[b - 1]..=splits[b] };
            let (mut least, mut best) = (T::INFINITY, *between.start());
            for k in between {
                rows.relaxations += 1;
                let sum = rows.get(a, k).plus(rows.get(k, b));
                if sum < least {
                    (least, best) = (sum, k);
                }
            }
            splits[b] = best;
            let place = rows.place(a, b);
            rows.cells[place] = least.settled().plus(problem.whole(a, b)).settled();
        }
    }
    rows
}
