//! The table `T`, upper triangle only.

use super::Weight;

/// Vertices along the side of a tile.
pub(super) const TILE: usize = 64;
/// A row of cells.
pub(super) type Row<T> = [T; TILE];
/// Rows of cells.
pub(super) type Tile<T> = [Row<T>; TILE];

/// The table `T` of [`super::Problem`]: cells `a < b`, about `n² / 2` of them.
///
/// Vertices are cut into blocks of 64. Tile (I, J), `I ≤ J`, holds the cells with `a` in block I and
/// `b` in block J, row-major; it lies in block diagonal J − I. A cell that is none (`a ≥ b` in a
/// tile (I, I), or beyond `n`) is [`Weight::INFINITY`].
#[derive(Debug, Clone, PartialEq)]
pub struct Table<T> {
    n: usize,
    diagonals: Vec<Vec<Tile<T>>>,
}

impl<T: Weight> Table<T> {
    /// No block diagonal yet.
    pub(super) const fn new(n: usize) -> Self {
        Self { n, diagonals: Vec::new() }
    }

    /// The next block diagonal.
    pub(super) fn push(&mut self, tiles: Vec<Tile<T>>) {
        self.diagonals.push(tiles);
    }

    /// Tile (I, J), `I ≤ J`.
    pub(super) fn tile(&self, i: usize, j: usize) -> &Tile<T> {
        &self.diagonals[j - i][i]
    }

    /// Number of vertices.
    pub const fn n(&self) -> usize {
        self.n
    }

    /// `T[a][b]`.
    ///
    /// # Panics
    /// Unless `a < b < n`.
    pub fn get(&self, a: usize, b: usize) -> T {
        assert!(a < b && b < self.n, "no cell {a}, {b} among {} vertices", self.n);
        self.tile(a / TILE, b / TILE)[a % TILE][b % TILE]
    }

    /// The papers' `M[i][j] = T[i−1][j]`, `n × n` row-major; cells that they do not define are 0.
    /// `O(n²)` time.
    pub fn square(&self) -> Vec<T> {
        let n = self.n;
        let mut m = vec![T::ZERO; n * n];
        for i in 1..n {
            for j in i..n {
                m[i * n + j] = self.get(i - 1, j);
            }
        }
        m
    }
}
