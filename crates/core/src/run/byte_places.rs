//! Where arrays lie if an element has the bytes of its type: in words of 4 bytes, as the machine sees them.

use super::layout::Layout;
use crate::language::program::{ArrayId, Program};
use crate::language::syntax::{Role, Type};
use crate::units::Width;

/// Bytes of a word, the width of a bank.
pub const WORD_BYTES: u64 = 4;

/// Bytes of an element.
pub const fn bytes_of(element: Type) -> u64 {
    (element.bits() as u64).div_ceil(8)
}

/// By array, the places of its elements in memory whose addresses are bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BytePlaces(Vec<BytePlace>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BytePlace {
    /// Of its first element, where it lies with a word an element.
    base: u64,
    /// Of its first byte.
    first: u64,
    /// Of an element.
    bytes: u64,
}

impl BytePlaces {
    /// Arrays in the order of declaration, each from the next multiple of w words on; those of a loop on
    /// DMMs in the memory of each DMM.
    pub fn new(program: &Program, layout: &Layout, width: Width) -> Self {
        let inputs = layout.bulk.map_or(1, |it| it.inputs);
        // Of global memory, and of the shared memory of each loop on DMMs.
        let (mut end, mut ends) = (0_u64, vec![0_u64; program.blocks.len()]);
        let arrays = program.arrays.iter().zip(&layout.regions).enumerate();
        let places = arrays.map(|(at, (array, region))| {
            let of = program.blocks.iter().position(|it| it.arrays.contains(&at));
            let end = match (array.role, of) {
                (Role::Shared, Some(block)) => &mut ends[block],
                _ => &mut end,
            };
            let bytes = bytes_of(array.element);
            let first = end.next_multiple_of(WORD_BYTES * width.get());
            if array.role != Role::Register {
                *end = first + region.words * inputs * bytes;
            }
            BytePlace { base: region.base.0, first, bytes }
        });
        Self(places.collect())
    }

    /// The word of an element that lies at `address` with a word an element.
    pub fn word(&self, array: ArrayId, address: u64) -> u64 {
        let BytePlace { base, first, bytes } = self.0[array.0];
        (first + (address - base) * bytes) / WORD_BYTES
    }

    /// Words of this many elements side by side.
    pub fn words(&self, array: ArrayId, elements: u64) -> u64 {
        (self.0[array.0].bytes * elements).div_ceil(WORD_BYTES)
    }
}
