//! The CPU engine: tile after tile along block diagonals.

use rayon::prelude::*;

use super::kernel::{Closure, Corner, Product, ROWS};
use super::simd::SimdLevel;
use super::table::{Row, TILE, Tile};
use super::{Problem, Table, Weight};

/// The whole table, in `O(n³)` time and `n² / 2` cells of memory, on all threads of rayon's pool.
/// Bit for bit what [`super::reference::solve`] gives.
///
/// `progress` receives now and then, from any thread, how many [`super::relaxations`] were done since
/// it was last called.
pub fn solve<T: Weight>(problem: &dyn Problem<T>, progress: &(dyn Fn(u64) + Sync)) -> Table<T> {
    solve_at(SimdLevel::fastest(), problem, progress)
}

/// As [`solve`], with vectors of a given level.
pub fn solve_at<T: Weight>(
    level: SimdLevel,
    problem: &dyn Problem<T>,
    progress: &(dyn Fn(u64) + Sync),
) -> Table<T> {
    BlockedEngine::new(level, problem).solve(progress)
}

#[cfg(debug_assertions)]
type Engine<T> = fn(SimdLevel, &dyn Problem<T>, &(dyn Fn(u64) + Sync)) -> Table<T>;

/// Where generic functions are shared between crates, which is in tests: compiled with this crate, so
/// optimised, and not once more with each that calls them.
#[cfg(debug_assertions)]
#[used]
static ENGINES: (Engine<f32>, Engine<f64>, Engine<i32>) = (solve_at, solve_at, solve_at);

/// Tiles that are final.
pub(super) trait FinalTiles<T>: Sync {
    /// Tile (I, K), for one further along row I.
    fn in_row(&self, i: usize, k: usize) -> &Tile<T>;
    /// Tile (K, J), for one further up column J.
    fn in_column(&self, k: usize, j: usize) -> &Tile<T>;
}

impl<T: Weight> FinalTiles<T> for Table<T> {
    fn in_row(&self, i: usize, k: usize) -> &Tile<T> {
        self.tile(i, k)
    }

    fn in_column(&self, k: usize, j: usize) -> &Tile<T> {
        self.tile(k, j)
    }
}

/// Whatever the problem, one engine for each type of numbers: it asks for weights row by row, and so
/// seldom that a call need not be inlined.
pub(super) struct BlockedEngine<'a, T> {
    level: SimdLevel,
    problem: &'a dyn Problem<T>,
    n: usize,
    /// Whether triangles weigh something themselves.
    split: bool,
    /// The problem's, by block; 0 where there are none.
    sides: Vec<Row<T>>,
}

impl<'a, T: Weight> BlockedEngine<'a, T> {
    pub(super) fn new(level: SimdLevel, problem: &'a dyn Problem<T>) -> Self {
        let (n, given) = (problem.n(), problem.sides());
        let mut sides = vec![[T::ZERO; TILE]; n.div_ceil(TILE)];
        if let Some(given) = given {
            sides.as_flattened_mut()[..given.len()].copy_from_slice(given);
        }
        Self { level, problem, n, split: given.is_some(), sides }
    }

    /// Blocks of vertices.
    pub(super) const fn blocks(&self) -> usize {
        self.sides.len()
    }

    fn solve(&self, progress: &(dyn Fn(u64) + Sync)) -> Table<T> {
        let mut table = Table::new(self.n);
        for diagonal in 0..self.blocks() {
            let columns: Vec<usize> = (diagonal..self.blocks()).collect();
            let tiles = self.tiles(diagonal, &columns, &table, progress);
            table.push(tiles);
        }
        table
    }

    /// The tiles of a block diagonal that lie in some columns, after all that they need.
    pub(super) fn tiles(
        &self,
        diagonal: usize,
        columns: &[usize],
        done: &impl FinalTiles<T>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Vec<Tile<T>> {
        let mut tiles: Vec<Tile<T>> =
            columns.par_iter().map(|&j| self.empty(j - diagonal, j)).collect();
        if diagonal > 1 {
            let rows = rows_at_once(tiles.len());
            let strips = tiles.as_flattened_mut().par_chunks_mut(rows).enumerate();
            strips.for_each(|(number, strip)| {
                let (j, first) = (columns[number * rows / TILE], number * rows % TILE);
                if self.split {
                    self.products::<true>(done, strip, first, j - diagonal, j);
                } else {
                    self.products::<false>(done, strip, first, j - diagonal, j);
                }
            });
        }
        tiles.par_iter_mut().zip(columns).for_each(|(tile, &j)| {
            let i = j - diagonal;
            if self.split {
                self.close::<true>(done, tile, i, j);
            } else {
                self.close::<false>(done, tile, i, j);
            }
            progress(self.relaxations(i, j));
        });
        tiles
    }

    /// Tile (I, J) before any relaxation.
    fn empty(&self, i: usize, j: usize) -> Tile<T> {
        let mut tile = [[T::INFINITY; TILE]; TILE];
        for (a, row) in (i * TILE..).zip(&mut tile) {
            if (a + 1) / TILE == j && a + 1 < self.n {
                row[(a + 1) % TILE] = self.problem.base(a);
            }
        }
        tile
    }

    /// The products of tiles (I, K) and (K, J), I < K < J, for rows of tile (I, J) from `first` on.
    fn products<const SPLIT: bool>(
        &self,
        done: &impl FinalTiles<T>,
        strip: &mut [Row<T>],
        first: usize,
        i: usize,
        j: usize,
    ) {
        let rows = first..first + strip.len();
        let factors = |k: usize| (&done.in_row(i, k)[rows.clone()], done.in_column(k, j));
        for k in i + 1..j {
            let (left, right) = factors(k);
            let (next_left, next_right) = factors((k + 1).min(j - 1));
            let product = Product::<T, SPLIT> {
                first,
                strip,
                left,
                right,
                sides: [i, k, j].map(|block| &self.sides[block]),
                next: [next_left, next_right],
            };
            T::run(self.level, product);
        }
    }

    /// All that is left to do for tile (I, J).
    fn close<const SPLIT: bool>(
        &self,
        done: &impl FinalTiles<T>,
        tile: &mut Tile<T>,
        i: usize,
        j: usize,
    ) {
        let whole = &self.whole(i, j);
        let sides = [i, j].map(|block| &self.sides[block]);
        if i == j {
            T::run(self.level, Corner::<T, SPLIT> { tile, whole, sides: sides[0] });
        } else {
            let (left, right) = (done.in_row(i, i), done.in_column(j, j));
            T::run(self.level, Closure::<T, SPLIT> { tile, left, right, whole, sides });
        }
    }

    /// What the chords of tile (I, J) add; 0 for polygon edges and where there is no cell.
    fn whole(&self, i: usize, j: usize) -> Tile<T> {
        let mut whole = [[T::ZERO; TILE]; TILE];
        let vertices = TILE.min(self.n - j * TILE);
        for (a, row) in (i * TILE..).zip(&mut whole) {
            self.problem.write_row(a, j * TILE, &mut row[..vertices]);
        }
        whole
    }

    /// How many relaxations lead to tile (I, J).
    fn relaxations(&self, i: usize, j: usize) -> u64 {
        let end = self.n.min((j + 1) * TILE);
        // Row a has b − a − 1 in column b.
        let up_to = |a: usize, b: usize| (b - a - 1) * (b - a).saturating_sub(2) / 2;
        (i * TILE..end.min((i + 1) * TILE))
            .map(|a| (up_to(a, end) - up_to(a, (j * TILE).max(a + 1))) as u64)
            .sum()
    }
}

/// Rows of a tile that one thread takes at a time, so that the few tiles of a late diagonal keep all
/// threads busy.
fn rows_at_once(tiles: usize) -> usize {
    if tiles >= 4 * rayon::current_num_threads() { TILE } else { 2 * ROWS }
}
