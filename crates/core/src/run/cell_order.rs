//! In which order the cells of an array lie: what `layout` behind an array's type says, for given sizes.

use crate::language::program::{Array, ArrayLayout, Expr, LayoutKind};

/// A bijection from cells, numbered row by row, to words from the array's first one on. Words that it
/// leaves out are of no cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CellOrder {
    /// Row by row.
    #[default]
    Rows,
    /// The first index goes fastest.
    Columns,
    /// The last index goes slowest, the others row by row.
    Fields,
    /// Tile by tile of these extents, row by row, and row by row in each.
    Tiles(Vec<u64>),
    /// Row by row, with this many words behind each row.
    Padding(u64),
    /// Row by row, but bits of a cell's number change others.
    Swizzle(Swizzle),
}

/// `bits` bits of a number, from bit `base + shift` on, are combined with those from `base` on by an
/// exclusive or; where `shift` is negative, from `base` on with those from `base − shift` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swizzle {
    bits: u32,
    base: u32,
    shift: i32,
}

/// Bits that a swizzle may reach: sizes stay far below 2⁶³.
const MOST_BITS: u64 = 48;

impl Swizzle {
    fn new(bits: u64, base: u64, shift: i64) -> Result<Self, String> {
        let reach = bits.saturating_add(base).saturating_add(shift.unsigned_abs());
        if reach > MOST_BITS {
            return Err(format!("a swizzle reaches up to bit {MOST_BITS}, not {reach}"));
        }
        if shift == 0 && bits > 0 {
            return Err(
                "by a shift of 0 each bit meets itself, so that cells would meet".to_owned()
            );
        }
        Ok(Self { bits: bits as u32, base: base as u32, shift: shift as i32 })
    }

    /// The bits that change others, where those are.
    const fn change(self, number: u64) -> u64 {
        let mask = ((1 << self.bits) - 1) << self.base;
        match self.shift {
            0.. => (number >> self.shift.unsigned_abs()) & mask,
            _ => (number & mask) << self.shift.unsigned_abs(),
        }
    }

    const fn apply(self, number: u64) -> u64 {
        number ^ self.change(number)
    }

    /// The number that becomes this one. Bits that change nothing are known; each turn finds more.
    fn undo(self, word: u64) -> u64 {
        (0..=self.bits).fold(word, |number, _| word ^ self.change(number))
    }

    /// Numbers in a block of this many change places within it.
    const fn block(self) -> u64 {
        let beyond = if self.shift < 0 { self.shift.unsigned_abs() } else { 0 };
        1 << (self.bits + self.base + beyond)
    }
}

impl CellOrder {
    /// That of an array for these parameters.
    ///
    /// # Errors
    /// Why there is no such layout.
    pub fn of(array: &Array, value: impl Fn(&Expr) -> Option<i64>) -> Result<Self, String> {
        let Some(layout) = &array.layout else { return Ok(Self::Rows) };
        let known = |it: &Expr| value(it).ok_or_else(|| "an argument has no value".to_owned());
        let values: Vec<i64> = layout.arguments.iter().map(known).collect::<Result<_, _>>()?;
        Self::new(layout, &values)
    }

    fn new(layout: &ArrayLayout, values: &[i64]) -> Result<Self, String> {
        let natural = |at: usize| {
            u64::try_from(values[at]).map_err(|_| format!("{} is negative", values[at]))
        };
        Ok(match layout.kind {
            LayoutKind::Column => Self::Columns,
            LayoutKind::Soa => Self::Fields,
            LayoutKind::Tile => {
                let tiles: Vec<u64> = (0..values.len()).map(natural).collect::<Result<_, _>>()?;
                if tiles.contains(&0) {
                    return Err("a tile's sides must be at least 1".to_owned());
                }
                Self::Tiles(tiles)
            }
            LayoutKind::Pad => Self::Padding(natural(0)?),
            LayoutKind::Swizzle => {
                Self::Swizzle(Swizzle::new(natural(0)?, natural(1)?, values[2])?)
            }
        })
    }

    /// Whether a cell's number is its word.
    pub const fn is_plain(&self) -> bool {
        matches!(self, Self::Rows)
    }

    /// Words of an array of these extents; `None` if there are too many.
    pub fn words(&self, extents: &[u64]) -> Option<u64> {
        let product = |mut of: Box<dyn Iterator<Item = u64> + '_>| {
            of.try_fold(1, |all: u64, it| all.checked_mul(it))
        };
        match self {
            Self::Rows | Self::Columns | Self::Fields => product(Box::new(extents.iter().copied())),
            Self::Tiles(tiles) => {
                let whole = extents.iter().zip(tiles).map(|(a, b)| a.checked_next_multiple_of(*b));
                product(Box::new(whole.collect::<Option<Vec<_>>>()?.into_iter()))
            }
            Self::Padding(more) => {
                let (row, rows) = extents.split_last()?;
                let row = row.checked_add(*more)?;
                product(Box::new(rows.iter().copied().chain([row])))
            }
            Self::Swizzle(swizzle) => product(Box::new(extents.iter().copied()))?
                .checked_next_multiple_of(swizzle.block()),
        }
    }

    /// The word of a cell.
    pub fn word(&self, extents: &[u64], cell: u64) -> u64 {
        let mut rest = cell;
        match self {
            Self::Rows => cell,
            Self::Columns => {
                let (mut word, mut stride) = (0, extents.iter().product::<u64>());
                for extent in extents.iter().rev() {
                    stride /= extent;
                    word += rest % extent * stride;
                    rest /= extent;
                }
                word
            }
            Self::Fields => {
                let fields = extents.last().copied().unwrap_or(1);
                let records: u64 = extents.iter().product::<u64>() / fields;
                cell % fields * records + cell / fields
            }
            Self::Tiles(tiles) => {
                let (mut word, mut inside, mut outside) = (0, 1, tiles.iter().product::<u64>());
                for (extent, tile) in extents.iter().zip(tiles).rev() {
                    let index = rest % extent;
                    rest /= extent;
                    word += index % tile * inside + index / tile * outside;
                    (inside, outside) = (inside * tile, outside * extent.div_ceil(*tile));
                }
                word
            }
            Self::Padding(more) => {
                let row = extents.last().copied().unwrap_or(1);
                cell / row * (row + more) + cell % row
            }
            Self::Swizzle(swizzle) => swizzle.apply(cell),
        }
    }

    /// The cell of a word, if it is one's.
    pub fn cell(&self, extents: &[u64], word: u64) -> Option<u64> {
        let cells: u64 = extents.iter().product();
        match self {
            Self::Rows => Some(word),
            Self::Columns => {
                let (mut rest, mut cell, mut stride) = (word, 0, cells);
                for extent in extents {
                    stride /= extent;
                    cell += rest % extent * stride;
                    rest /= extent;
                }
                Some(cell)
            }
            Self::Fields => {
                let fields = extents.last().copied().unwrap_or(1);
                let records = cells / fields;
                Some(word % records * fields + word / records)
            }
            Self::Tiles(tiles) => {
                let volume: u64 = tiles.iter().product();
                let (mut inside, mut outside) = (word % volume, word / volume);
                let (mut cell, mut stride) = (0, 1);
                for (extent, tile) in extents.iter().zip(tiles).rev() {
                    let grid = extent.div_ceil(*tile);
                    let index = inside % tile + outside % grid * tile;
                    if index >= *extent {
                        return None;
                    }
                    (inside, outside) = (inside / tile, outside / grid);
                    cell += index * stride;
                    stride *= extent;
                }
                Some(cell)
            }
            Self::Padding(more) => {
                let row = extents.last().copied().unwrap_or(1);
                let (at, column) = (word / (row + more), word % (row + more));
                (column < row).then(|| at * row + column)
            }
            Self::Swizzle(swizzle) => Some(swizzle.undo(word)).filter(|it| *it < cells),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(order: &CellOrder, extents: &[u64]) -> Vec<u64> {
        (0..extents.iter().product()).map(|cell| order.word(extents, cell)).collect()
    }

    #[test]
    fn orders_are_those_of_their_definitions() {
        assert_eq!(words(&CellOrder::Columns, &[2, 3]), [0, 2, 4, 1, 3, 5]);
        assert_eq!(words(&CellOrder::Fields, &[1, 2, 3]), [0, 2, 4, 1, 3, 5]);
        // Tiles of 2 × 2 of a matrix of 3 × 3: the second begins at 4, the third at 8.
        let tiles = CellOrder::Tiles(vec![2, 2]);
        assert_eq!(words(&tiles, &[3, 3]), [0, 1, 4, 2, 3, 6, 8, 9, 12]);
        assert_eq!(tiles.words(&[3, 3]), Some(16));
        assert_eq!(words(&CellOrder::Padding(1), &[2, 3]), [0, 1, 2, 4, 5, 6]);
        // Rows of four: row i has its columns at j xor i.
        let swizzle = CellOrder::Swizzle(Swizzle::new(2, 0, 2).unwrap());
        assert_eq!(words(&swizzle, &[3, 4]), [0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9]);
    }

    #[test]
    fn each_word_is_of_one_cell_at_most() {
        let swizzle =
            |bits, base, shift| CellOrder::Swizzle(Swizzle::new(bits, base, shift).unwrap());
        let orders = [
            CellOrder::Rows,
            CellOrder::Columns,
            CellOrder::Fields,
            CellOrder::Tiles(vec![2, 3, 4]),
            CellOrder::Padding(3),
            swizzle(3, 1, 3),
            swizzle(3, 0, 1),
            swizzle(2, 1, -2),
            swizzle(3, 0, -1),
            swizzle(0, 2, 0),
        ];
        for (order, extents) in
            orders.iter().flat_map(|it| [[3, 5, 7], [4, 3, 8], [1, 1, 1]].map(|e| (it, e)))
        {
            let cells: u64 = extents.iter().product();
            let all = order.words(&extents).unwrap();
            let mut seen = vec![None; all as usize];
            for cell in 0..cells {
                let word = order.word(&extents, cell);
                assert_eq!(seen[word as usize].replace(cell), None, "{order:?} {extents:?}");
            }
            for word in 0..all {
                let cell = order.cell(&extents, word);
                assert_eq!(cell, seen[word as usize], "{order:?} {extents:?} {word}");
            }
        }
    }

    #[test]
    fn layouts_that_are_no_bijections_are_refused() {
        assert!(Swizzle::new(2, 0, 0).is_err());
        assert!(Swizzle::new(30, 20, 3).is_err());
    }
}
