//! The CPU engine by several that share no memory: each has some of the table's block columns.
//!
//! Blocks of columns go round the shares, a few neighbours at a time. The tiles of block diagonal d
//! are made in round d: tile (I, J) from column J, which stays where it is, and from row I, whose
//! tiles (I, I) … (I, J − 1) have come to that share; with tile (I, J) the row goes on to column
//! J + 1. So each tile is held twice at most, and a share hands rows to the next one alone.
//!
//! On P shares, each holds about 2/3·n²/P cells when it holds most. With B blocks and `w` neighbours
//! there are B rounds, in which a share hands on B³/6wP tiles in all, and makes B³/6P products of
//! tiles.

use super::engine::{BlockedEngine, FinalTiles};
use super::problem::with_split;
use super::simd::SimdLevel;
use super::table::{TILE, Tile};
use super::triangulation::{RecoverError, Triangle, explain, walk};
use super::{Problem, Weight};

/// What all shares do at once: each calls the same functions in the same order.
pub trait Shares<T> {
    /// This one's number, from 0.
    fn number(&self) -> usize;
    /// How many there are.
    fn of(&self) -> usize;
    /// Hands rows of cells to the next share, the first after the last one, and takes those of the
    /// one before, which has as many for this one as there is room for.
    fn pass(&mut self, rows: &[&[T]], room: &mut [&mut [T]]);
    /// Gives the cells of one share to all.
    fn spread(&mut self, from: usize, cells: &mut [T]);
    /// What every share gives.
    fn gather(&mut self, mine: (T, u64)) -> Vec<(T, u64)>;
}

/// Block columns of a table `T`, all final.
pub struct Columns<T> {
    layout: ColumnDeal,
    /// Column J as tiles (J, J), (J − 1, J) … (0, J), the columns in order.
    columns: Vec<Vec<Tile<T>>>,
}

/// Which share has which block column.
#[derive(Debug, Clone, Copy)]
struct ColumnDeal {
    number: usize,
    of: usize,
    blocks: usize,
    /// Neighbouring columns of one share.
    width: usize,
}

impl ColumnDeal {
    /// Whose column J is.
    const fn owner(self, j: usize) -> usize {
        j / self.width % self.of
    }

    fn own(self) -> impl Iterator<Item = usize> {
        (0..self.blocks).filter(move |&j| self.owner(j) == self.number)
    }

    /// How many of its share's columns are before column J.
    const fn place(self, j: usize) -> usize {
        j / (self.width * self.of) * self.width + j % self.width
    }
}

/// Bytes that a share holds at most, about, of a table of `n` vertices.
pub fn bytes<T: Weight>(n: usize, of: usize) -> u64 {
    let cells = n as u64 * n as u64 * 3 / 4 / of as u64;
    (cells + (n * TILE) as u64) * size_of::<T>() as u64
}

/// What a round finds: columns as far as they are, and the rows that came to them.
struct Round<'a, T> {
    layout: ColumnDeal,
    columns: &'a [Vec<Tile<T>>],
    /// For each column, tiles (I, I) … (I, J − 1).
    rows: &'a [Vec<Tile<T>>],
    diagonal: usize,
}

impl<T: Weight> FinalTiles<T> for Round<'_, T> {
    fn in_row(&self, i: usize, k: usize) -> &Tile<T> {
        &self.rows[self.layout.place(i + self.diagonal)][k - i]
    }

    fn in_column(&self, k: usize, j: usize) -> &Tile<T> {
        &self.columns[self.layout.place(j)][j - k]
    }
}

/// Fills a table of which every share has some columns. Bit for bit what [`super::solve`] gives.
///
/// `progress` receives now and then, from any thread, how many [`super::relaxations`] this share has
/// done since it was last called.
pub fn solve<T: Weight>(
    problem: &dyn Problem<T>,
    shares: &mut impl Shares<T>,
    progress: &(dyn Fn(u64) + Sync),
) -> Columns<T> {
    let blocks = problem.n().div_ceil(TILE);
    solve_by((blocks / (16 * shares.of())).clamp(1, 16), problem, shares, progress)
}

/// As [`solve`], with `width` neighbours at a time. Wide ones are handed on seldom, many of them are
/// balanced: with 16 a share, the largest share of the work is a tenth above the mean one.
pub fn solve_by<T: Weight>(
    width: usize,
    problem: &dyn Problem<T>,
    shares: &mut impl Shares<T>,
    progress: &(dyn Fn(u64) + Sync),
) -> Columns<T> {
    let engine = BlockedEngine::new(SimdLevel::fastest(), problem);
    let (number, of) = (shares.number(), shares.of());
    let layout = ColumnDeal { number, of, blocks: engine.blocks(), width };
    let own: Vec<usize> = layout.own().collect();
    let mut columns: Vec<Vec<Tile<T>>> = own.iter().map(|j| Vec::with_capacity(j + 1)).collect();
    let mut rows: Vec<Vec<Tile<T>>> = own.iter().map(|_| vec![]).collect();
    for diagonal in 0..layout.blocks {
        let first = own.partition_point(|&j| j < diagonal);
        let round = Round { layout, columns: &columns, rows: &rows, diagonal };
        let tiles = engine.tiles(diagonal, &own[first..], &round, progress);
        for (place, tile) in (first..).zip(tiles) {
            rows[place].reserve_exact(1);
            rows[place].push(tile);
            columns[place].push(tile);
        }
        rows = hand_on(rows, &own, layout, diagonal, shares);
    }
    Columns { layout, columns }
}

/// Every row goes to the column after the one that it has just passed.
fn hand_on<T: Weight>(
    mut rows: Vec<Vec<Tile<T>>>,
    own: &[usize],
    layout: ColumnDeal,
    diagonal: usize,
    shares: &mut impl Shares<T>,
) -> Vec<Vec<Tile<T>>> {
    let stays = |j: usize| layout.owner(j) == layout.number;
    let mut next: Vec<Vec<Tile<T>>> = own.iter().map(|_| vec![]).collect();
    let (mut given, mut taken) = (vec![], vec![]);
    for (place, &j) in own.iter().enumerate() {
        if j >= diagonal && j + 1 < layout.blocks {
            let row = std::mem::take(&mut rows[place]);
            if stays(j + 1) {
                next[place + 1] = row;
            } else {
                given.push(row);
            }
        }
        if j > diagonal && !stays(j - 1) {
            taken.push(place);
        }
    }
    drop(rows);
    for &place in &taken {
        let mut row = Vec::with_capacity(diagonal + 1 + layout.width);
        row.resize(diagonal + 1, [[T::ZERO; TILE]; TILE]);
        next[place] = row;
    }
    let given: Vec<&[T]> = given.iter().map(|row| row.as_flattened().as_flattened()).collect();
    let wanted = next.iter_mut().enumerate().filter(|(place, _)| taken.contains(place));
    let mut room: Vec<&mut [T]> =
        wanted.map(|(_, row)| row.as_flattened_mut().as_flattened_mut()).collect();
    shares.pass(&given, &mut room);
    next
}

impl<T: Weight> Columns<T> {
    /// `T[a][b]`, `a < b`; `None` where another share has it.
    pub fn get(&self, a: usize, b: usize) -> Option<T> {
        (self.layout.owner(b / TILE) == self.layout.number).then(|| self.cell(a, b))
    }

    /// `T[a][b]` of an own column.
    fn cell(&self, a: usize, b: usize) -> T {
        let j = b / TILE;
        self.columns[self.layout.place(j)][j - a / TILE][a % TILE][b % TILE]
    }

    /// `T[0][n−1]` and the triangles of [`super::triangulation::triangles`], for every share. Of each
    /// polygon, all shares receive the column `T[·][b]`, and send their best split.
    ///
    /// # Errors
    /// [`RecoverError`], the same for every share.
    pub fn triangles(
        &self,
        problem: &dyn Problem<T>,
        shares: &mut impl Shares<T>,
    ) -> Result<(T, Vec<Triangle>), RecoverError> {
        let (n, sides, layout) = (problem.n(), problem.sides(), self.layout);
        let mut column = vec![T::ZERO; n];
        let mut weight = T::ZERO;
        if n == 2 {
            weight = problem.base(0);
        }
        let triangles = walk(n, |a, b| {
            if a + 1 == b {
                return Ok(None);
            }
            let owner = layout.owner(b / TILE);
            let column = &mut column[..b - a];
            if owner == layout.number {
                for (k, cell) in (a..).zip(&mut *column) {
                    *cell = self.cell(k, b);
                }
            }
            shares.spread(owner, column);
            let target = column[0];
            if b - a == n - 1 {
                weight = target;
            }
            let own = (a + 1..b).filter(|k| layout.owner(k / TILE) == layout.number);
            let total = |k: usize| {
                let sum = self.cell(a, k).plus(column[k - a]);
                with_split(sum, sides, [a, k, b]).settled()
            };
            let best = least(own.map(|k| (total(k), k as u64)));
            let all = shares.gather(best.unwrap_or((T::ZERO, NONE)));
            let all = all.into_iter().filter(|&(_, k)| k != NONE);
            let Some((least, k)) = least(all) else { return Ok(None) };
            explain(problem, [a, b], target, least)?;
            Ok(Some(k as usize))
        })?;
        Ok((weight, triangles))
    }
}

/// Stands for a split where a share has none.
const NONE: u64 = u64::MAX;

/// The least sum, and of equal ones the first split.
fn least<T: Weight>(splits: impl Iterator<Item = (T, u64)>) -> Option<(T, u64)> {
    splits.reduce(|best, next| {
        let is_less = next.0 < best.0 || next.0 == best.0 && next.1 < best.1;
        if is_less { next } else { best }
    })
}
