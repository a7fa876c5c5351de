//! Where an array lies, and what its cells are called.

use super::cell_order::CellOrder;
use crate::units::Address;

/// One array's place: a region of `words` words an input; of a local array, a block or a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The address of its first word: a multiple of the width, but for registers.
    pub base: Address,
    /// One at least, each at least 1; none of a single register.
    pub extents: Vec<u64>,
    /// What the listing calls the first index, by dimension.
    pub firsts: Vec<i64>,
    /// Of one input's array.
    pub cells: u64,
    /// Words of one input's array: more than cells, where a layout leaves some out.
    pub words: u64,
    /// Which word is a cell's.
    pub order: CellOrder,
}

impl Region {
    /// The word of a cell, counted from the first.
    #[inline]
    pub fn word(&self, cell: u64) -> u64 {
        match self.order {
            CellOrder::Rows => cell,
            _ => self.order.word(&self.extents, cell),
        }
    }

    /// The cell of a word; of one that is no cell's, the word itself.
    pub fn cell(&self, word: u64) -> u64 {
        self.order.cell(&self.extents, word).unwrap_or(word)
    }

    /// The indices of a cell, as the listing counts them.
    pub fn indices(&self, cell: u64) -> Vec<i64> {
        let mut rest = cell;
        let dimensions = self.extents.iter().zip(&self.firsts).rev();
        let mut indices: Vec<i64> = dimensions
            .map(|(extent, first)| {
                let index = rest % extent;
                rest /= extent;
                (index as i64).wrapping_add(*first)
            })
            .collect();
        indices.reverse();
        indices
    }
}
