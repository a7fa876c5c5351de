//! Nests of two or more loops whose blocks of threads lie as tiles over the innermost two.

use super::expression::Expressions;
use super::statement::{Statements, variable};
use memory_machine_core::language::program::{Block, Expr, LoopRange};
use memory_machine_core::units::WARP;

/// Threads of a tile: a row of them is a warp.
pub(super) const TILE_THREADS: u32 = 256;
const COLUMNS: i64 = WARP as i64;
const ROWS: i64 = TILE_THREADS as i64 / COLUMNS;

/// How blocks of threads lie as tiles over the innermost two loops of a nest, as a launch sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tile {
    /// Blocks of a launch.
    pub blocks: u32,
    /// Iterations of the loop around the innermost one.
    rows: u64,
    /// Iterations of the innermost loop.
    columns: u64,
    /// Columns of the first tile before the first iteration.
    before: u64,
}

impl Tile {
    /// Tiles side by side.
    const fn across(self) -> u64 {
        (self.before + self.columns).div_ceil(COLUMNS as u64)
    }

    /// The iterations of a block as (first, how many), ascending: a row of the tile each.
    pub fn pieces(self, block: u64) -> Vec<(u64, u64)> {
        let Self { rows, columns, before, .. } = self;
        let (height, width) = (ROWS as u64, COLUMNS as u64);
        let (column, rest) = (block % self.across() * width, block / self.across());
        let down = rows.div_ceil(height);
        let (first_row, outer) = (rest % down * height, rest / down);
        let (from, to) = (column.max(before) - before, (column + width - before).min(columns));
        (first_row..rows.min(first_row + height))
            .map(|row| ((outer * rows + row) * columns + from, to - from))
            .filter(|it| it.1 > 0)
            .collect()
    }

    /// The block of an iteration, and the number of its warp among those of all rows.
    pub const fn place(self, iteration: u64) -> (u64, u64) {
        let (height, width) = (ROWS as u64, COLUMNS as u64);
        let (line, column) = (iteration / self.columns, self.before + iteration % self.columns);
        let band = line / self.rows * self.rows.div_ceil(height) + line % self.rows / height;
        (band * self.across() + column / width, line * self.across() + column / width)
    }
}

/// The iterations of a box of two or more loops in tiles of 32 × 8: a block reads what neighbouring
/// rows share once. Neighbouring threads still have neighbouring iterations.
pub(super) struct Tiles {
    /// Tiles along each loop, outermost first; of all but the innermost two, iterations.
    counts: Vec<i64>,
    /// Iterations of the innermost two.
    lengths: [i64; 2],
    /// Columns before the first iteration: a warp's columns begin at a multiple of 32, as the words
    /// do that they mostly go to.
    before: i64,
}

impl Tiles {
    pub(super) fn of(ranges: &[LoopRange], expressions: &Expressions<'_>) -> Option<Self> {
        let is_fixed = |it: &Expr| expressions.intervals.of(it).value().is_some();
        if expressions.index != "int" || !ranges.iter().flat_map(LoopRange::bounds).all(is_fixed) {
            return None;
        }
        let lengths: Vec<i64> = ranges.iter().map(|it| expressions.intervals.length(it)).collect();
        let &[.., rows, columns] = &lengths[..] else { return None };
        if rows < ROWS || columns < COLUMNS {
            return None;
        }
        let before = match ranges.last() {
            Some(range) if !range.downward && range.step.is_none() => {
                expressions.intervals.of(&range.from).value()?.rem_euclid(COLUMNS)
            }
            _ => 0,
        };
        let mut counts = lengths;
        let last = counts.len() - 1;
        counts[last] = (before + columns + COLUMNS - 1) / COLUMNS;
        counts[last - 1] = (rows + ROWS - 1) / ROWS;
        let blocks = counts.iter().fold(1_i64, |product, &it| product.saturating_mul(it));
        let fits = (1..=i64::from(i32::MAX) / 2).contains(&blocks);
        fits.then_some(Self { counts, lengths: [rows, columns], before })
    }

    pub(super) fn tile(&self) -> Tile {
        let [rows, columns] = self.lengths.map(|it| it as u64);
        let blocks = self.counts.iter().product::<i64>() as u32;
        Tile { blocks, rows, columns, before: self.before as u64 }
    }

    pub(super) fn emit(&self, ranges: &[LoopRange], body: &Block, statements: &mut Statements<'_>) {
        let columns = self.counts[self.counts.len() - 1];
        statements.lines.line("// Blocks lie as tiles of 32 x 8 over the innermost two loops.");
        statements.lines.line("const int thread = threadIdx.x, tile = blockIdx.x;");
        let Some((last, outer)) = ranges.split_last() else { return };
        let digit = format!("modulus(tile, {columns}) * {COLUMNS} + modulus(thread, {COLUMNS})");
        let digit = if self.before > 0 { format!("{digit} - {}", self.before) } else { digit };
        statements.lines.line(&format!("const int column = {digit};"));
        let mut rest = format!("quotient(tile, {columns})");
        let mut found = vec![];
        for (depth, range) in outer.iter().enumerate().rev() {
            let count = self.counts[depth];
            let digit = match depth {
                0 => rest.clone(),
                _ => format!("modulus({rest}, {count})"),
            };
            let digit = match depth + 1 == outer.len() {
                true => format!("({digit} * {ROWS} + quotient(thread, {COLUMNS}))"),
                false => digit,
            };
            found.push((range, digit));
            rest = format!("quotient({rest}, {count})");
        }
        if let Some((_, digit)) = found.first_mut() {
            statements.lines.line(&format!("const int line = {digit};"));
            "line".clone_into(digit);
        }
        found.reverse();
        found.push((last, "column".to_owned()));
        for (range, digit) in found {
            if statements.expressions.used.contains(range.variable) {
                variable(range, &digit, statements);
            }
        }
        let [lines, columns] = self.lengths;
        let mut guards = vec![];
        if self.before > 0 {
            guards.push("column >= 0".to_owned());
        }
        for (name, length, rest) in
            [("line", lines, lines % ROWS), ("column", columns, (columns + self.before) % COLUMNS)]
        {
            if rest != 0 {
                guards.push(format!("{name} < {length}"));
            }
        }
        statements.guarded(&guards, body);
    }
}
