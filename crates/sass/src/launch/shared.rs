//! Small matrices that a warp moves from shared memory and to it: each row lies where one lane says.

use super::Fault;
use super::access::At;
use super::execution::Running;
use super::observer::{LaunchObserver, MemoryAccess, MemorySpace, WarpAccess};
use crate::lanes::{Lanes, each};
use crate::opcode::{AddressSpace, MatrixAccess};

/// Rows of a matrix, and bytes of a row.
const ROWS: usize = 8;
const ROW_BYTES: usize = 16;

impl<O: LaunchObserver> Running<'_, O> {
    pub(super) fn move_matrices(&mut self, at: At<'_>, of: MatrixAccess) -> Result<(), Box<Fault>> {
        let addresses = self.addresses(at.warp, at.it, AddressSpace::Shared);
        let active = u32::MAX >> (32 - ROWS * usize::from(of.count));
        // Rows lie in shared memory, so all in one stretch, or the first that does not is refused.
        let mut unwritten = 0;
        let mut left = active;
        while left != 0 {
            let stretch = self.stretch(at, AddressSpace::Shared, &addresses, left)?;
            left &= !stretch.lanes;
            if !of.is_store {
                unwritten |= self.read(at.warp, &stretch, ROW_BYTES as u64);
            }
        }
        for matrix in 0..usize::from(of.count) {
            let places: [usize; ROWS] =
                std::array::from_fn(|row| addresses[ROWS * matrix + row] as usize);
            let word = matrix as u16;
            if of.is_store {
                let lanes = self.registers(at.warp).word(at.it.b, word);
                for (row, place) in matrix_rows(&lanes, of.is_transposed).iter().zip(places) {
                    self.block.shared[place..place + ROW_BYTES].copy_from_slice(row);
                    self.block.written.set(place, ROW_BYTES);
                }
            } else {
                let mut rows = [[0; ROW_BYTES]; ROWS];
                for (row, place) in rows.iter_mut().zip(places) {
                    row.copy_from_slice(&self.block.shared[place..place + ROW_BYTES]);
                }
                let lanes = matrix_lanes(&rows, of.is_transposed);
                self.registers(at.warp).put_word(at.it.to, word, &lanes, u32::MAX);
            }
        }
        let access = if of.is_store { MemoryAccess::Store } else { MemoryAccess::Load };
        let values = first_words(&self.block.shared, &addresses, active);
        let warp = self.place(at.warp, at.place as usize, active);
        let access = WarpAccess {
            warp,
            space: MemorySpace::Shared,
            access,
            bytes: ROW_BYTES as u64,
            addresses: &addresses,
            unwritten,
            unchanged: if of.is_store { 0 } else { active },
            values: &values,
            is_request: true,
        };
        self.observer.access(&access);
        Ok(())
    }
}

/// Where a byte is in a pattern in which the units of 16 bytes of a row, so many, change places from row to row of
/// 128 bytes.
pub(super) fn swizzled(place: u64, units: u64) -> u64 {
    place ^ (place >> 7 & units.saturating_sub(1)) << 4
}

/// At lanes' places.
pub(super) fn first_words(shared: &[u8], places: &[u64; 32], lanes: u32) -> Lanes {
    each!(|lane| match lanes >> lane & 1 {
        1 => crate::values::word_at(shared, places[lane] as usize, 4) as u32,
        _ => 0,
    })
}

/// Of a matrix of halves, 8 × 8, whose rows these are, the word of each lane.
fn matrix_lanes(rows: &[[u8; ROW_BYTES]; ROWS], is_transposed: bool) -> Lanes {
    let half = |row: usize, column: usize| {
        u32::from(u16::from_le_bytes([rows[row][2 * column], rows[row][2 * column + 1]]))
    };
    each!(|lane| {
        let (row, column) = (lane / 4, 2 * (lane % 4));
        match is_transposed {
            false => half(row, column + 1) << 16 | half(row, column),
            true => half(column + 1, row) << 16 | half(column, row),
        }
    })
}

/// And the rows, of the lanes' words.
fn matrix_rows(lanes: &Lanes, is_transposed: bool) -> [[u8; ROW_BYTES]; ROWS] {
    let mut rows = [[0; ROW_BYTES]; ROWS];
    for (lane, word) in lanes.iter().enumerate() {
        for part in 0..2 {
            let half = (word >> (16 * part)) as u16;
            let (mut row, mut column) = (lane / 4, 2 * (lane % 4) + part);
            if is_transposed {
                (row, column) = (column, row);
            }
            rows[row][2 * column..2 * column + 2].copy_from_slice(&half.to_le_bytes());
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_from_lanes() {
        let rows: [[u8; 16]; 8] =
            std::array::from_fn(|row| std::array::from_fn(|at| (16 * row + at) as u8));
        for is_transposed in [false, true] {
            let lanes = matrix_lanes(&rows, is_transposed);
            assert_eq!(matrix_rows(&lanes, is_transposed), rows);
        }
        assert_eq!(matrix_lanes(&rows, false)[5], 0x1716_1514);
    }
}
