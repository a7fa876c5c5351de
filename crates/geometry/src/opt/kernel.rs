//! Tiles: min-plus products of two, and the closure of one.
//!
//! `SPLIT` says whether triangles weigh something themselves. A cell that is none is +∞, and so is
//! every sum with it; so a product may run over all `k` of a block. Whatever a kernel is generic
//! over must be inlined (see [`super::simd`]).

use std::ops::Range;

use super::Weight;
use super::simd::{Simd, SimdJob};
use super::table::{Row, TILE, Tile};

/// The sides `p_a`, `p_k` and `p_b` of three blocks.
pub(super) type Sides<'a, T> = [&'a Row<T>; 3];

/// `strip ← min(strip, left ⊗ right)`, where `strip` and `left` are rows from `first` on, as many
/// as [`ROWS`] divides, of tiles (I, J) and (I, K), and `right` is tile (K, J).
pub(super) struct Product<'a, T, const SPLIT: bool> {
    pub(super) first: usize,
    pub(super) strip: &'a mut [Row<T>],
    pub(super) left: &'a [Row<T>],
    pub(super) right: &'a Tile<T>,
    pub(super) sides: Sides<'a, T>,
    /// What the next product reads, to be fetched meanwhile: memory is too slow to wait for.
    pub(super) next: [&'a [Row<T>]; 2],
}

/// Rows of a block of accumulators, at most.
pub(super) const ROWS: usize = 8;

impl<T: Weight, const SPLIT: bool> SimdJob<T> for Product<'_, T, SPLIT> {
    #[inline(always)]
    fn run<S: Simd<T>>(self, simd: S) {
        if S::MANY_REGISTERS {
            self.by_blocks::<S, ROWS, 2>(simd);
        } else {
            self.by_blocks::<S, 4, 2>(simd);
        }
    }
}

impl<T: Weight, const SPLIT: bool> Product<'_, T, SPLIT> {
    #[inline(always)]
    fn by_blocks<S: Simd<T>, const R: usize, const C: usize>(self, simd: S) {
        let (strip, _) = self.strip.as_chunks_mut::<R>();
        let (left, _) = self.left.as_chunks::<R>();
        let [next, more] = self.next;
        let blocks = strip.len() * (TILE / (C * S::LANES));
        let share = (next.len() + more.len()).div_ceil(blocks);
        let mut next = next.iter().chain(more);
        for j in (0..TILE).step_by(C * S::LANES) {
            for (i, (rows, left)) in strip.iter_mut().zip(left).enumerate() {
                next.by_ref().take(share).for_each(|row| simd.fetch(row));
                let mut block = Accumulators::<T, S, R, C>::load(simd, rows, j);
                let place = (self.first + i * R, 0..TILE);
                block.relax::<SPLIT>(left, self.right, place, self.sides);
                block.store(rows);
            }
        }
    }
}

/// Accumulators of `R` rows and `C` vectors, from column `j` of a tile on.
struct Accumulators<T, S: Simd<T>, const R: usize, const C: usize> {
    simd: S,
    j: usize,
    least: [[S::Vector; C]; R],
}

impl<T: Weight, S: Simd<T>, const R: usize, const C: usize> Accumulators<T, S, R, C> {
    #[inline(always)]
    fn load(simd: S, rows: &[Row<T>; R], j: usize) -> Self {
        let vector = |r: usize, c: usize| simd.load(&rows[r][j + c * S::LANES..]);
        let least = std::array::from_fn(|r| std::array::from_fn(|c| vector(r, c)));
        Self { simd, j, least }
    }

    #[inline(always)]
    fn store(&self, rows: &mut [Row<T>; R]) {
        for (row, least) in rows.iter_mut().zip(&self.least) {
            for (c, &vector) in least.iter().enumerate() {
                self.simd.store(vector, &mut row[self.j + c * S::LANES..]);
            }
        }
    }

    /// Relaxations over all `k` of `ks`; the first row is row `first` of its tile.
    #[inline(always)]
    fn relax<const SPLIT: bool>(
        &mut self,
        left: &[Row<T>; R],
        right: &Tile<T>,
        (first, ks): (usize, Range<usize>),
        [p_a, p_k, p_b]: Sides<T>,
    ) {
        let (simd, j) = (self.simd, self.j);
        let vectors = |row: &Row<T>| -> [S::Vector; C] {
            let row = &row[j..j + C * S::LANES];
            std::array::from_fn(|c| simd.load(&row[c * S::LANES..]))
        };
        let p_b = vectors(p_b);
        let p_a: &[T; R] = p_a[first..].first_chunk().expect("whole blocks");
        for k in ks {
            let row = vectors(&right[k]);
            for r in 0..R {
                let cell = simd.splat(left[r][k]);
                for c in 0..C {
                    let mut sum = simd.plus(cell, row[c]);
                    if SPLIT {
                        let side = simd.times(simd.splat(p_a[r]), p_b[c]);
                        let split = simd.times(simd.splat(p_k[k]), side);
                        sum = simd.plus(simd.settled(sum), split);
                    }
                    self.least[r][c] = simd.least(self.least[r][c], sum);
                }
            }
        }
    }
}

/// The last step of tile (I, J), `I < J`, to which all products are done: the relaxations with tiles
/// (I, I) and (J, J), and what the chords add.
///
/// A cell needs the cells below it and those to its left; blocks of rows and columns are taken in
/// waves, of which each needs those before it only.
pub(super) struct Closure<'a, T, const SPLIT: bool> {
    pub(super) tile: &'a mut Tile<T>,
    pub(super) left: &'a Tile<T>,
    pub(super) right: &'a Tile<T>,
    pub(super) whole: &'a Tile<T>,
    /// Of blocks I and J.
    pub(super) sides: [&'a Row<T>; 2],
}

impl<T: Weight, const SPLIT: bool> SimdJob<T> for Closure<'_, T, SPLIT> {
    #[inline(always)]
    fn run<S: Simd<T>>(mut self, simd: S) {
        let (down, across) = (TILE / ROWS, TILE / S::LANES);
        for wave in 0..down + across - 1 {
            let blocks = (0..=wave.min(down - 1))
                .map(|up| (TILE - ROWS * (up + 1), (wave - up) * S::LANES))
                .filter(|&(_, j)| j < TILE);
            for (i, j) in blocks.clone() {
                self.relax(simd, i, j);
            }
            // Rows of one block wait for each other, those of different blocks do not.
            for row in (0..ROWS).rev() {
                for (i, j) in blocks.clone() {
                    self.finish(simd, i + row, j, i + ROWS);
                }
            }
        }
    }
}

impl<T: Weight, const SPLIT: bool> Closure<'_, T, SPLIT> {
    /// Relaxations of a block with finished blocks below it and to its left.
    #[inline(always)]
    fn relax<S: Simd<T>>(&mut self, simd: S, i: usize, j: usize) {
        let [p_i, p_j] = self.sides;
        let own = rows(self.tile, i);
        let mut block = Accumulators::<T, S, ROWS, 1>::load(simd, own, j);
        let below = (i, i + ROWS..TILE);
        block.relax::<SPLIT>(rows(self.left, i), self.tile, below, [p_i, p_i, p_j]);
        block.relax::<SPLIT>(own, self.right, (i, 0..j), [p_i, p_j, p_j]);
        block.store(self.tile[i..].first_chunk_mut().expect("whole blocks"));
    }

    /// The cells of row `a` from column `j` on, as many as a vector has lanes: the remaining
    /// relaxations, with rows `a + 1` to `end` and with each other.
    #[inline(always)]
    fn finish<S: Simd<T>>(&mut self, simd: S, a: usize, j: usize, end: usize) {
        let [p_i, p_j] = self.sides;
        let side = simd.times(simd.splat(p_i[a]), simd.load(&p_j[j..]));
        let relaxed = |least, cell, row: &Row<T>, p: &Row<T>, k: usize| {
            let mut sum = simd.plus(simd.splat(cell), simd.load(&row[j..]));
            if SPLIT {
                sum = simd.plus(simd.settled(sum), simd.times(simd.splat(p[k]), side));
            }
            simd.least(least, sum)
        };
        let mut least = simd.load(&self.tile[a][j..]);
        for k in a + 1..end {
            least = relaxed(least, self.left[a][k], &self.tile[k], p_i, k);
        }
        for k in j..j + S::LANES {
            let cell = simd.lane(least, k - j).settled().plus(self.whole[a][k]).settled();
            self.tile[a][k] = cell;
            least = relaxed(least, cell, &self.right[k], p_j, k);
        }
    }
}

/// The rows of a block from row `i` on.
#[inline(always)]
fn rows<T>(tile: &Tile<T>, i: usize) -> &[Row<T>; ROWS] {
    tile[i..].first_chunk().expect("whole blocks")
}

/// All of tile (I, I), row by row from the bottom: what the chords add, and all relaxations.
pub(super) struct Corner<'a, T, const SPLIT: bool> {
    pub(super) tile: &'a mut Tile<T>,
    pub(super) whole: &'a Tile<T>,
    pub(super) sides: &'a Row<T>,
}

impl<T: Weight, const SPLIT: bool> SimdJob<T> for Corner<'_, T, SPLIT> {
    #[inline(always)]
    fn run<S: Simd<T>>(self, simd: S) {
        let p = self.sides;
        for a in (0..TILE).rev() {
            let mut least = self.tile[a];
            for k in a + 1..TILE {
                let cell = least[k].settled().plus(self.whole[a][k]).settled();
                self.tile[a][k] = cell;
                for j in ((k + 1) / S::LANES * S::LANES..TILE).step_by(S::LANES) {
                    let mut sum = simd.plus(simd.splat(cell), simd.load(&self.tile[k][j..]));
                    if SPLIT {
                        let side = simd.times(simd.splat(p[a]), simd.load(&p[j..]));
                        sum = simd.plus(simd.settled(sum), simd.times(simd.splat(p[k]), side));
                    }
                    let sum = simd.least(simd.load(&least[j..]), sum);
                    simd.store(sum, &mut least[j..]);
                }
            }
        }
    }
}
