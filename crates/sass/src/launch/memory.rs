//! The device's global memory: arrays far apart from each other, so that an access beyond one's end meets
//! no other.

use std::sync::Arc;

use super::marks::Marks;
use crate::memory::DeviceMemory;
use crate::values::word_at;

/// Addresses of an array begin at a multiple of this, the first one's at this.
pub const ARRAY_STRIDE: u64 = 1 << 48;
/// The last array's number, and bytes of one.
const MOST_ARRAYS: usize = 100;
const MOST_ARRAY_BYTES: usize = u32::MAX as usize;

/// What `malloc` gives begins at a multiple of this, and at least so many bytes of nobody lie between two blocks.
const HEAP_UNIT: u64 = 16;
const LEAST_GAP: u64 = 64;
/// As many lie there as the block before has, but no more than these.
const MOST_GAP: u64 = 4096;
const MOST_HEAP_BYTES: u64 = 128 << 20;
const HEAP_NAME: &str = "the device's heap";

/// An array in global memory.
#[derive(Debug, Clone, Default)]
pub struct DeviceArray {
    /// What messages call it.
    pub name: String,
    /// What it holds. Copies of the memory share it until one of them writes to it.
    pub bytes: Arc<Vec<u8>>,
    /// Bytes that were ever written; without place for marks, if all were.
    pub(super) written: Marks,
    /// Bytes that were read and that were written by some of several that execute a launch beside each other.
    pub(super) shares: Option<[Marks; 2]>,
    /// Of the heap, what `malloc` gave, in order.
    blocks: Vec<HeapBlock>,
}

/// Bytes that `malloc` gave.
#[derive(Debug, Clone, Copy)]
struct HeapBlock {
    begin: u64,
    end: u64,
    is_freed: bool,
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
    /// Puts an array there that holds these bytes; its address, or none, if there are too many, or it has
    /// 4 GiB or more.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) -> Option<u64> {
        self.push(DeviceArray {
            name: name.to_owned(),
            bytes: Arc::new(bytes),
            ..DeviceArray::default()
        })
    }

    /// Other bytes for an array that begins at an address, all of them written.
    pub(super) fn replace(&mut self, address: u64, bytes: Vec<u8>) {
        let (number, _) = Self::array_at(address);
        self.arrays[number].bytes = Arc::new(bytes);
    }

    /// Puts an array there of which nothing was written, and that reads as zeros.
    pub fn add_unwritten(&mut self, name: &str, bytes: usize) -> Option<u64> {
        if bytes > MOST_ARRAY_BYTES {
            return None;
        }
        let written = Marks::none(bytes);
        self.push(DeviceArray {
            name: name.to_owned(),
            bytes: Arc::new(vec![0; bytes]),
            written,
            ..DeviceArray::default()
        })
    }

    fn push(&mut self, array: DeviceArray) -> Option<u64> {
        if self.arrays.len() >= MOST_ARRAYS || array.bytes.len() > MOST_ARRAY_BYTES {
            return None;
        }
        self.arrays.push(array);
        Some(Self::address(self.arrays.len() - 1))
    }

    /// Bytes of the device's heap, which stays from launch to launch; none, if it has no more. What is given
    /// back is not used again.
    pub(super) fn allocate(&mut self, bytes: u64) -> Option<u64> {
        let number = match self.arrays.iter().position(|it| it.name == HEAP_NAME) {
            Some(number) => number,
            None => {
                self.add_unwritten(HEAP_NAME, 0)?;
                self.arrays.len() - 1
            }
        };
        let heap = &mut self.arrays[number];
        let begin = heap.blocks.last().map_or(0, |it| {
            (it.end + (it.end - it.begin).clamp(LEAST_GAP, MOST_GAP)).next_multiple_of(HEAP_UNIT)
        });
        let end = begin.checked_add(bytes.max(1)).filter(|it| *it <= MOST_HEAP_BYTES)?;
        Arc::make_mut(&mut heap.bytes).resize(end as usize, 0);
        heap.written.grow(end as usize);
        heap.blocks.push(HeapBlock { begin, end, is_freed: false });
        Some(Self::address(number) + begin)
    }

    /// Gives a block back that [`Self::allocate`] gave; whether it did, and nobody gave it back before.
    pub(super) fn free(&mut self, address: u64) -> bool {
        let (number, begin) = Self::array_at(address);
        let heap = self.arrays.get_mut(number);
        let block = heap.and_then(|it| {
            let at = it.blocks.binary_search_by_key(&address.wrapping_sub(begin), |it| it.begin);
            it.blocks.get_mut(at.ok()?)
        });
        block.is_some_and(|it| !std::mem::replace(&mut it.is_freed, true))
    }

    /// Where the bytes begin and end that may be accessed with this one: of the heap a block's, else the array's.
    pub(super) fn range_at(&self, number: usize, byte: u64) -> [u64; 2] {
        let Some(array) = self.arrays.get(number) else { return [0, 0] };
        if array.blocks.is_empty() {
            return [0, array.bytes.len() as u64];
        }
        let at = array.blocks.partition_point(|it| it.begin <= byte);
        let block = at.checked_sub(1).map(|it| array.blocks[it]);
        let block = block.filter(|it| byte < it.end && !it.is_freed);
        block.map_or([byte, byte], |it| [it.begin, it.end])
    }

    /// The address of an array's first byte.
    pub fn address(number: usize) -> u64 {
        (number as u64 + 1) * ARRAY_STRIDE
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
        let of = address.checked_add(ARRAY_STRIDE / 4)? / ARRAY_STRIDE;
        let array = of.checked_sub(1)? as usize;
        let byte = address.wrapping_sub(Self::address(array)).cast_signed();
        (array < self.arrays.len()).then_some((array, byte))
    }

    /// Where this many bytes at an address lie.
    pub fn place(&self, address: u64, bytes: u64) -> Option<ArrayPlace> {
        let array = (address / ARRAY_STRIDE).checked_sub(1)? as usize;
        let byte = address % ARRAY_STRIDE;
        let [_, end] = self.range_at(array, byte);
        (byte + bytes <= end).then_some(ArrayPlace { array, byte })
    }

    /// An address in words: which array's, and how far from its beginning or end.
    pub fn describe(&self, address: u64) -> String {
        let Some((array, byte)) = self.nearest(address) else {
            return format!("address {address:#x}, where no array is");
        };
        let DeviceArray { name, bytes, blocks, .. } = &self.arrays[array];
        let size = bytes.len() as i64;
        let before = blocks.partition_point(|it| it.begin.cast_signed() <= byte);
        if let Some(HeapBlock { begin, end, is_freed }) = before.checked_sub(1).map(|it| blocks[it])
        {
            let (by, has) = (byte.cast_unsigned() - begin, end - begin);
            return match by.checked_sub(has) {
                None if is_freed => format!("byte {by} of a block of {has} bytes that was freed"),
                None => format!("byte {by} of a block of {has} bytes from malloc"),
                Some(beyond) => {
                    format!("{beyond} bytes beyond the end of a block of {has} bytes from malloc")
                }
            };
        }
        match byte {
            ..0 => format!("{} bytes before the beginning of `{name}`", -byte),
            it if it < size => format!("byte {byte} of `{name}`, which has {size}"),
            _ => format!("{} bytes beyond the end of `{name}`, which has {size}", byte - size),
        }
    }

    pub(super) fn load(&self, at: ArrayPlace, bytes: u64) -> u64 {
        word_at(&self.arrays[at.array].bytes, at.byte as usize, bytes as usize)
    }

    pub(super) fn arrays_mut(&mut self) -> &mut [DeviceArray] {
        &mut self.arrays
    }

    /// Bytes of all arrays.
    pub(super) fn bytes(&self) -> u64 {
        self.arrays.iter().map(|it| it.bytes.len() as u64).sum()
    }

    /// A copy for a part of a launch's blocks, which notes what they read and write.
    pub(super) fn shared(&self) -> Self {
        let mut all = self.clone();
        for it in &mut all.arrays {
            it.shares = Some([Marks::none(it.bytes.len()), Marks::none(it.bytes.len())]);
        }
        all
    }

    /// Whether one of such copies accessed what another wrote.
    pub(super) fn meet(copies: &[&Self]) -> bool {
        let marks: Vec<Vec<&[Marks; 2]>> = copies
            .iter()
            .map(|it| it.arrays.iter().filter_map(|it| it.shares.as_ref()).collect())
            .collect();
        (0..marks.len()).any(|one| {
            (0..marks.len()).filter(|other| *other != one).any(|other| {
                let mut arrays = marks[one].iter().zip(&marks[other]);
                arrays.any(|([_, written], [of_other, other_written])| {
                    written.meets(of_other) || written.meets(other_written)
                })
            })
        })
    }

    /// Takes over what copies' blocks wrote.
    pub(super) fn take(&mut self, mut copies: Vec<Self>) {
        // What they only read they share: no longer, so that nothing is copied to be written.
        for array in copies.iter_mut().flat_map(|it| &mut it.arrays) {
            if array.shares.as_ref().is_some_and(|[_, written]| written.is_blank()) {
                array.bytes = Arc::default();
            }
        }
        for copy in copies {
            for (to, from) in self.arrays.iter_mut().zip(copy.arrays) {
                if let Some([_, written]) = &from.shares
                    && !written.is_blank()
                {
                    written.copy(&from.bytes, Arc::make_mut(&mut to.bytes).as_mut_slice());
                }
                to.written.join(&from.written);
            }
        }
    }

    /// The number of the array that an address may lie in, and where that begins.
    pub(super) fn array_at(address: u64) -> (usize, u64) {
        let number = (address / ARRAY_STRIDE).max(1);
        (number as usize - 1, number * ARRAY_STRIDE)
    }
}

/// What no array has reads as 0, and is lost where it is written: who executes values says what is wrong.
impl DeviceMemory for GlobalMemory {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        self.place(address, bytes).map_or(0, |at| GlobalMemory::load(self, at, bytes))
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        if let Some(at) = self.place(address, bytes) {
            let place = at.byte as usize;
            let to = Arc::make_mut(&mut self.arrays[at.array].bytes);
            let to = &mut to[place..place + bytes as usize];
            to.copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heap_has_an_end() {
        let mut memory = GlobalMemory::default();
        let first = memory.allocate(5).unwrap();
        assert_eq!(memory.allocate(0), Some(first + 80));
        for too_much in [MOST_HEAP_BYTES, u64::MAX] {
            assert_eq!(memory.allocate(too_much), None);
        }
    }

    #[test]
    fn blocks_of_the_heap_have_their_own_ends() {
        let mut memory = GlobalMemory::default();
        let [first, second] = [(); 2].map(|()| memory.allocate(8).unwrap());
        assert!(memory.place(first + 4, 4).is_some() && memory.place(second, 8).is_some());
        assert!(memory.place(first + 8, 4).is_none() && memory.place(second - 4, 4).is_none());
        let beyond = "0 bytes beyond the end of a block of 8 bytes from malloc";
        assert_eq!(memory.describe(first + 8), beyond);
        assert!(!memory.free(first + 4) && memory.free(first) && !memory.free(first));
        assert!(memory.place(first, 4).is_none() && memory.place(second, 4).is_some());
        assert_eq!(memory.describe(first), "byte 0 of a block of 8 bytes that was freed");
    }
}
