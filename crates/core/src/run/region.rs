//! Where an array lies, and what its cells are called.

use crate::units::Address;

/// One array's place: a region of `cells` words an input; of a local array, a block or a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The address of its first word: a multiple of the width, but for registers.
    pub base: Address,
    /// One at least, each at least 1; none of a single register.
    pub extents: Vec<u64>,
    /// What the listing calls the first index, by dimension.
    pub firsts: Vec<i64>,
    /// Words of one input's array.
    pub cells: u64,
}

impl Region {
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
