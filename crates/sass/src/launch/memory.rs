//! The device's global memory: arrays far apart from each other, so that an access beyond one's end meets
//! no other.

use crate::values::word_at;

/// Addresses of an array begin at a multiple of this.
const APART: u64 = 1 << 40;
/// The last array's number.
const MOST_ARRAYS: usize = 100;

/// An array in global memory.
#[derive(Debug, Clone, Default)]
pub struct DeviceArray {
    /// What messages call it.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// A bit for each byte, whether it was ever written; none, if all were.
    written: Vec<u64>,
}

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayPlace {
    /// The array's number.
    pub array: usize,
    /// The byte there.
    pub byte: u64,
}

/// All arrays.
#[derive(Debug, Clone, Default)]
pub struct GlobalMemory {
    arrays: Vec<DeviceArray>,
}

impl GlobalMemory {
    /// Puts an array there that holds these bytes; its address, or none, if there are too many.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) -> Option<u64> {
        self.push(DeviceArray { name: name.to_owned(), bytes, written: vec![] })
    }

    /// Puts an array there of which nothing was written, and that reads as zeros.
    pub fn add_unwritten(&mut self, name: &str, bytes: usize) -> Option<u64> {
        let written = vec![0; bytes.div_ceil(64)];
        self.push(DeviceArray { name: name.to_owned(), bytes: vec![0; bytes], written })
    }

    fn push(&mut self, array: DeviceArray) -> Option<u64> {
        if self.arrays.len() >= MOST_ARRAYS {
            return None;
        }
        self.arrays.push(array);
        Some(self.arrays.len() as u64 * APART)
    }

    /// How many arrays there are.
    pub fn len(&self) -> usize {
        self.arrays.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty()
    }

    /// An array by its number, in the order in which they were added.
    pub fn array(&self, number: usize) -> Option<&DeviceArray> {
        self.arrays.get(number)
    }

    /// The array whose addresses these are, and the byte there, though it may not have that many: that is
    /// for [`Self::place`].
    fn nearest(&self, address: u64) -> Option<(usize, i64)> {
        // A quarter of the gap before an array is of those before its beginning.
        let array = ((address + APART / 4) / APART).checked_sub(1)? as usize;
        let byte = address.wrapping_sub((array as u64 + 1) * APART).cast_signed();
        (array < self.arrays.len()).then_some((array, byte))
    }

    /// Where this many bytes at an address lie.
    pub fn place(&self, address: u64, bytes: u64) -> Option<ArrayPlace> {
        let array = (address / APART).checked_sub(1)? as usize;
        let byte = address % APART;
        let is_inside = byte + bytes <= self.arrays.get(array)?.bytes.len() as u64;
        is_inside.then_some(ArrayPlace { array, byte })
    }

    /// An address in words: which array's, and how far from its beginning or end.
    pub fn describe(&self, address: u64) -> String {
        let Some((array, byte)) = self.nearest(address) else {
            return format!("address {address:#x}, where no array is");
        };
        let DeviceArray { name, bytes, .. } = &self.arrays[array];
        let size = bytes.len() as i64;
        match byte {
            ..0 => format!("{} bytes before the beginning of `{name}`", -byte),
            it if it < size => format!("byte {byte} of `{name}`, which has {size}"),
            _ => format!("{} bytes beyond the end of `{name}`, which has {size}", byte - size),
        }
    }

    pub(super) fn load(&self, at: ArrayPlace, bytes: u64) -> u64 {
        word_at(&self.arrays[at.array].bytes, at.byte as usize, bytes as usize)
    }

    pub(super) fn store(&mut self, at: ArrayPlace, bytes: u64, value: u64) {
        let DeviceArray { bytes: all, written, .. } = &mut self.arrays[at.array];
        let place = at.byte as usize;
        let bytes = bytes as usize;
        all[place..place + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        if !written.is_empty() {
            (place..place + bytes).for_each(|it| written[it / 64] |= 1 << (it % 64));
        }
    }

    /// Whether all these bytes were written.
    pub(super) fn is_written(&self, at: ArrayPlace, bytes: u64) -> bool {
        let written = &self.arrays[at.array].written;
        let mut all = at.byte as usize..(at.byte + bytes) as usize;
        written.is_empty() || all.all(|it| written[it / 64] >> (it % 64) & 1 == 1)
    }
}
