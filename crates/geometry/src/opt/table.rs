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

    /// A table that another engine has filled. `row(I, cells)` writes the tiles (I, I), (I, I + 1) …
    /// one after another; what it writes to cells that are none is ignored.
    ///
    /// # Errors
    /// The first of `row`.
    pub fn from_rows<E>(
        n: usize,
        mut row: impl FnMut(usize, &mut [T]) -> Result<(), E>,
    ) -> Result<Self, E> {
        let blocks = n.div_ceil(TILE);
        let mut diagonals: Vec<Vec<Tile<T>>> = (0..blocks).map(|_| vec![]).collect();
        for i in 0..blocks {
            let mut cells = vec![T::INFINITY; (blocks - i) * TILE * TILE];
            row(i, &mut cells)?;
            let tiles = cells.chunks_exact(TILE * TILE);
            for (j, (diagonal, cells)) in (i..).zip(diagonals.iter_mut().zip(tiles)) {
                diagonal.push(std::array::from_fn(|row| {
                    std::array::from_fn(|column| {
                        let (a, b) = (i * TILE + row, j * TILE + column);
                        if a < b && b < n { cells[row * TILE + column] } else { T::INFINITY }
                    })
                }));
            }
        }
        Ok(Self { n, diagonals })
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
