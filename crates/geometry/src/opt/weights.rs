//! Weights of the chords of a polygon.

use super::{Problem, Weight};

/// Weights `c` of the chords of an `n`-gon, `n ≥ 3`: symmetric, 0 for polygon edges and on the
/// main diagonal, [`Weight::INFINITY`] for a chord that may not be used, never NaN or −∞.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights<T = f32> {
    n: usize,
    cells: Vec<T>,
}

impl<T: Weight> Weights<T> {
    /// Weights of the chords as `weight(a, b)` gives them; it is asked once for each chord, with
    /// `a < b`, in row-major order. `O(n²)` time.
    ///
    /// # Panics
    /// If `n < 3`, or one is no [weight](Weight::is_weight): both are mistakes of the calling code.
    pub fn from_chords(n: usize, mut weight: impl FnMut(usize, usize) -> T) -> Self {
        assert!(n >= 3, "a polygon has at least three vertices");
        let mut cells = vec![T::ZERO; n * n];
        for a in 0..n {
            for b in (a + 2)..n - usize::from(a == 0) {
                let weight = weight(a, b);
                assert!(weight.is_weight(), "chord {a}–{b} weighs {weight}");
                cells[a * n + b] = weight;
                cells[b * n + a] = weight;
            }
        }
        Self { n, cells }
    }

    /// Weights that the caller has laid out as this type demands.
    pub(crate) fn from_cells(n: usize, cells: Vec<T>) -> Self {
        debug_assert_eq!(cells.len(), n * n);
        Self { n, cells }
    }

    /// Number of vertices.
    pub const fn n(&self) -> usize {
        self.n
    }

    /// `c[i][j]`.
    ///
    /// # Panics
    /// If a vertex is not below `n`.
    pub fn get(&self, i: usize, j: usize) -> T {
        assert!(i < self.n && j < self.n, "no chord {i}–{j} among {} vertices", self.n);
        self.cells[i * self.n + j]
    }

    /// `n × n` weights, row-major.
    pub fn as_slice(&self) -> &[T] {
        &self.cells
    }
}

impl<T: Weight> Problem<T> for Weights<T> {
    fn n(&self) -> usize {
        self.n
    }

    #[inline]
    fn whole(&self, a: usize, b: usize) -> T {
        self.cells[a * self.n + b]
    }
}

/// Weights laid out row-major, of which only those of chords `a`–`b`, `a < b`, are read.
pub(super) struct Square<'a, T> {
    pub(super) n: usize,
    pub(super) cells: &'a [T],
}

impl<T: Weight> Problem<T> for Square<'_, T> {
    fn n(&self) -> usize {
        self.n
    }

    fn whole(&self, a: usize, b: usize) -> T {
        self.cells[a * self.n + b]
    }
}
