//! Weights of the chords of a polygon.

/// Weights `c` of the chords of an `n`-gon, `n ≥ 3`: symmetric, 0 for polygon edges and on the
/// main diagonal, +∞ for a chord that may not be used, never NaN or −∞.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    n: usize,
    cells: Vec<f32>,
}

impl Weights {
    /// Weights of the chords as `weight(a, b)` gives them; it is asked once for each chord, with
    /// `a < b`, in row-major order. `O(n²)` time.
    ///
    /// # Panics
    /// If `n < 3`, or a weight is NaN or −∞: both are mistakes of the calling code.
    pub fn from_chords(n: usize, mut weight: impl FnMut(usize, usize) -> f32) -> Self {
        assert!(n >= 3, "a polygon has at least three vertices");
        let mut cells = vec![0.0; n * n];
        for a in 0..n {
            for b in (a + 2)..n - usize::from(a == 0) {
                let weight = weight(a, b);
                assert!(is_weight(weight), "chord {a}–{b} weighs {weight}");
                cells[a * n + b] = weight;
                cells[b * n + a] = weight;
            }
        }
        Self { n, cells }
    }

    /// Weights that the caller has laid out as this type demands.
    pub(in crate::algorithms) fn from_cells(n: usize, cells: Vec<f32>) -> Self {
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
    pub fn get(&self, i: usize, j: usize) -> f32 {
        assert!(i < self.n && j < self.n, "no chord {i}–{j} among {} vertices", self.n);
        self.cells[i * self.n + j]
    }

    /// `n × n` weights, row-major.
    pub fn as_slice(&self) -> &[f32] {
        &self.cells
    }
}

fn is_weight(weight: f32) -> bool {
    weight > f32::NEG_INFINITY
}
