//! The table `T`, upper triangle only.

use super::Weight;

/// Vertices along the side of a tile.
pub(super) const TILE: usize = 64;
/// Cells of a tile.
pub(super) const CELLS: usize = TILE * TILE;

/// The table `T` of [`super::Problem`]: cells `a < b`, about `n² / 2` of them.
///
/// Vertices are cut into blocks of 64. Tile (I, J), `I ≤ J`, holds the cells with `a` in block I and
/// `b` in block J, row-major; tiles lie one after another, row by row of tiles. A cell that is none
/// (`a ≥ b` in a tile (I, I), or beyond `n`) is [`Weight::INFINITY`].
#[derive(Debug, Clone, PartialEq)]
pub struct Table<T> {
    n: usize,
    cells: Vec<T>,
}

impl<T: Weight> Table<T> {
    /// All cells +∞.
    pub(super) fn new(n: usize) -> Self {
        let blocks = n.div_ceil(TILE);
        Self { n, cells: vec![T::INFINITY; blocks * (blocks + 1) / 2 * CELLS] }
    }

    /// A table of tiles that another engine has filled; what is in cells that are none is ignored.
    ///
    /// # Panics
    /// If `cells` are not as many as the tiles have.
    pub fn from_tiles(n: usize, mut cells: Vec<T>) -> Self {
        let blocks = n.div_ceil(TILE);
        assert_eq!(cells.len(), blocks * (blocks + 1) / 2 * CELLS, "tiles of {n} vertices");
        for i in 0..blocks {
            for j in i..blocks {
                let from = tile_number(blocks, i, j) * CELLS;
                for (at, cell) in cells[from..from + CELLS].iter_mut().enumerate() {
                    let (a, b) = (i * TILE + at / TILE, j * TILE + at % TILE);
                    if a >= b || b >= n {
                        *cell = T::INFINITY;
                    }
                }
            }
        }
        Self { n, cells }
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
        self.cells[self.place(a, b)]
    }

    pub(super) fn set(&mut self, a: usize, b: usize, value: T) {
        let place = self.place(a, b);
        self.cells[place] = value;
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

    fn place(&self, a: usize, b: usize) -> usize {
        let blocks = self.n.div_ceil(TILE);
        tile_number(blocks, a / TILE, b / TILE) * CELLS + a % TILE * TILE + b % TILE
    }
}

/// The place of tile (I, J) among all.
pub(super) const fn tile_number(blocks: usize, i: usize, j: usize) -> usize {
    // Rows of tiles above have blocks, blocks − 1, … tiles.
    i * (2 * blocks + 1 - i) / 2 + j - i
}
