//! The machine's memory: one 64-bit cell a word, holding the bits of an element of any type.

use thiserror::Error;

use super::layout::Layout;
use crate::host::memory::{self, MemoryExcess};
use crate::language::program::{ArrayId, Program};
use crate::language::syntax::{Type, short_float};
use crate::number::Number;

/// A value of an element type as bits: floats by their representation, integers sign-extended.
pub trait Bits: Copy {
    /// The bits in a cell of 64.
    fn to_bits(self) -> u64;
    /// The value that [`Self::to_bits`] made these bits of.
    fn from_bits(bits: u64) -> Self;
}

macro_rules! bits {
    ($($type:ty, $it:ident => $to:expr, $bits:ident => $from:expr;)*) => {$(
        impl Bits for $type {
            #[inline]
            fn to_bits(self) -> u64 {
                let $it = self;
                $to
            }
            #[inline]
            fn from_bits($bits: u64) -> Self {
                $from
            }
        }
    )*};
}

bits! {
    f32, it => u64::from(it.to_bits()), bits => f32::from_bits(bits as u32);
    f64, it => it.to_bits(), bits => f64::from_bits(bits);
    i8, it => i64::from(it).cast_unsigned(), bits => bits as u8 as i8;
    u8, it => u64::from(it), bits => bits as u8;
    i16, it => i64::from(it).cast_unsigned(), bits => bits as u16 as i16;
    u16, it => u64::from(it), bits => bits as u16;
    i32, it => i64::from(it).cast_unsigned(), bits => bits as u32 as i32;
    u32, it => u64::from(it), bits => bits as u32;
    i64, it => it.cast_unsigned(), bits => bits.cast_signed();
    u64, it => it, bits => bits;
    bool, it => u64::from(it), bits => bits != 0;
}

/// An element's value as a number (true is 1).
pub fn number(element: Type, bits: u64) -> f64 {
    match element {
        Type::F32 => f64::from(<f32 as Bits>::from_bits(bits)),
        Type::F64 => <f64 as Bits>::from_bits(bits),
        Type::F16 | Type::Bf16 => short_float::widened(element, bits as u16).into(),
        Type::U64 => bits as f64,
        Type::Bool => f64::from(u8::from(<bool as Bits>::from_bits(bits))),
        _ => <i64 as Bits>::from_bits(bits) as f64,
    }
}

/// The same exactly, of integers of 64 bits, too.
pub fn exact(element: Type, bits: u64) -> Number {
    match element {
        _ if element.is_float() => Number::Float(number(element, bits)),
        Type::U64 => Number::Integer(bits.into()),
        Type::Bool => Number::Integer(<bool as Bits>::from_bits(bits).into()),
        _ => Number::Integer(<i64 as Bits>::from_bits(bits).into()),
    }
}

/// An element's value as text: the shortest that reads back as the same value.
pub fn text(element: Type, bits: u64) -> String {
    match element {
        Type::F32 => <f32 as Bits>::from_bits(bits).to_string(),
        Type::F64 => <f64 as Bits>::from_bits(bits).to_string(),
        Type::F16 | Type::Bf16 => short_float::widened(element, bits as u16).to_string(),
        Type::U64 => bits.to_string(),
        Type::Bool => u8::from(<bool as Bits>::from_bits(bits)).to_string(),
        _ => <i64 as Bits>::from_bits(bits).to_string(),
    }
}

/// All words, and which of them have a value.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    pub(super) cells: Vec<u64>,
    /// One bit a word.
    defined: Vec<u64>,
}

/// More words than this are not executed with values: 2³² words are 32 GiB.
pub const MOST_WORDS: u64 = 1 << 32;

/// Bytes of memory that a word takes at most, from the first input to the last comparison with a
/// reference.
const BYTES_A_WORD: u64 = 16;

/// Whether there is room for this many registers of each of this many threads.
pub(super) fn holds_registers(threads: u64, registers: usize) -> bool {
    let words = threads.checked_mul(registers as u64).filter(|words| *words <= MOST_WORDS);
    words.is_some_and(|words| memory::check(8 * words).is_ok())
}

/// Arrays that are too large to run with values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MemoryError {
    /// Arrays of more words than a run holds whatever the machine: as many.
    #[error("the arrays take {0} words; runs with values take at most {MOST_WORDS}: {REMEDY}")]
    Words(u64),
    /// Arrays that this machine's memory does not hold.
    #[error("the arrays take {words} words; a run with values takes up to {too_much}: {REMEDY}")]
    Bytes {
        /// Words of all arrays.
        words: u64,
        /// What they take, and what there is.
        too_much: MemoryExcess,
    },
}

const REMEDY: &str = "choose smaller sizes, or count the time alone (umm run --time-only)";

impl Memory {
    /// Memory in which nothing has a value.
    ///
    /// # Errors
    /// [`MemoryError`] if the layout has more than [`MOST_WORDS`], or more than the system has room
    /// for.
    pub fn new(layout: &Layout) -> Result<Self, MemoryError> {
        let words = layout.words;
        let Some(count) = usize::try_from(words).ok().filter(|_| words <= MOST_WORDS) else {
            return Err(MemoryError::Words(words));
        };
        memory::check(BYTES_A_WORD * words)
            .map_err(|too_much| MemoryError::Bytes { words, too_much })?;
        Ok(Self { cells: vec![0; count], defined: vec![0; count.div_ceil(64)] })
    }

    /// This many words of what has no place in a layout; `None` if there is no room for them.
    pub(super) fn of_words(words: u64) -> Option<Self> {
        let count = usize::try_from(words).ok().filter(|_| words <= MOST_WORDS)?;
        memory::check(BYTES_A_WORD * words).ok()?;
        Some(Self { cells: vec![0; count], defined: vec![0; count.div_ceil(64)] })
    }

    /// The first words have no value any more, if there are this many.
    pub(super) fn forget(&mut self, words: u64) -> bool {
        let has = words <= self.cells.len() as u64;
        if has {
            self.defined[..words.div_ceil(64) as usize].fill(0);
        }
        has
    }

    #[inline]
    pub(super) fn is_defined(&self, address: u64) -> bool {
        self.defined[(address / 64) as usize] >> (address % 64) & 1 == 1
    }

    /// Which of 64 words each have a value, from word `64 × from` on: a bit each.
    pub(super) fn defined(&self, from: usize, count: usize) -> &[u64] {
        &self.defined[from..][..count]
    }

    /// The same as if they had been written.
    pub(super) fn define(&mut self, from: usize, defined: &[u64]) {
        self.defined[from..][..defined.len()].copy_from_slice(defined);
    }

    /// A word's bits, if it has a value.
    pub fn read(&self, address: u64) -> Option<u64> {
        self.is_defined(address).then(|| self.cells[address as usize])
    }

    #[inline]
    pub(super) fn write(&mut self, address: u64, bits: u64) {
        self.cells[address as usize] = bits;
        self.defined[(address / 64) as usize] |= 1 << (address % 64);
    }

    /// Gives cells of the first input's array that have no value those of others: of a row whose first
    /// cells have some these again and again, of one that has none a row's that has; of an array that has
    /// none, 0.
    pub fn repeat(&mut self, layout: &Layout, array: ArrayId) {
        let region = &layout.regions[array.0];
        let row = region.extents.last().copied().unwrap_or(1);
        let address = |cell| layout.address(array, cell, 0).0;
        let mut rows = 0;
        for first in (0..region.cells).step_by(row as usize) {
            let has = |it: &u64| self.is_defined(address(first + it));
            let known = (0..row).take_while(has).count() as u64;
            rows += u64::from(rows * row == first && known > 0);
            for at in known..row {
                let like = match known {
                    0 => (rows > 0).then(|| first / row % rows.max(1) * row + at),
                    _ => Some(first + at % known),
                };
                if !self.is_defined(address(first + at)) {
                    let value = like.map_or(0, |it| self.cells[address(it) as usize]);
                    self.write(address(first + at), value);
                }
            }
        }
    }

    /// Gives an array of one input (0 unless bulk) its values, row-major.
    pub fn fill(&mut self, layout: &Layout, array: ArrayId, input: u64, values: &[u64]) {
        for (cell, &bits) in (0..).zip(values) {
            self.write(layout.address(array, cell, input).0, bits);
        }
    }

    /// The same with bits of the array's type, one by one, or a number that the type does not hold.
    ///
    /// # Errors
    /// The place of the first such number, and the number; what stands before it is in memory.
    pub fn fill_each(
        &mut self,
        layout: &Layout,
        array: ArrayId,
        input: u64,
        values: impl IntoIterator<Item = Result<u64, f64>>,
    ) -> Result<(), (usize, f64)> {
        for (cell, value) in (0..).zip(values) {
            let bits = value.map_err(|number| (cell as usize, number))?;
            self.write(layout.address(array, cell, input).0, bits);
        }
        Ok(())
    }

    /// The same with numbers of a type.
    ///
    /// # Errors
    /// As [`Self::fill_each`].
    pub fn fill_numbers(
        &mut self,
        layout: &Layout,
        (array, element): (ArrayId, Type),
        input: u64,
        numbers: impl IntoIterator<Item = f64>,
    ) -> Result<(), (usize, f64)> {
        let values = numbers.into_iter().map(|it| bits(element, it).ok_or(it));
        self.fill_each(layout, array, input, values)
    }

    /// An array's words in the order of addresses, of all inputs; `None` for one without value.
    pub fn words(&self, layout: &Layout, array: ArrayId) -> impl Iterator<Item = Option<u64>> {
        let region = &layout.regions[array.0];
        let words = region.words * layout.bulk.map_or(1, |bulk| bulk.inputs);
        (region.base.0..region.base.0 + words).map(|address| self.read(address))
    }

    /// The values of an array of one input, row-major; `None` for a cell without value.
    pub fn cells(
        &self,
        layout: &Layout,
        array: ArrayId,
        input: u64,
    ) -> impl Iterator<Item = Option<u64>> {
        let addresses = (0..layout.regions[array.0].cells)
            .map(move |cell| layout.address(array, cell, input).0);
        addresses.map(|address| self.read(address))
    }

    /// [`Memory::cells`], all at once.
    pub fn values(&self, layout: &Layout, array: ArrayId, input: u64) -> Vec<Option<u64>> {
        self.cells(layout, array, input).collect()
    }
}

/// Converts numbers to an element type's bits: floats to the nearest, others exactly.
///
/// # Errors
/// The index of the first number that the type does not hold.
pub fn encode(element: Type, numbers: &[f64]) -> Result<Vec<u64>, usize> {
    let all = numbers.iter().enumerate();
    all.map(|(index, &number)| bits(element, number).ok_or(index)).collect()
}

/// A number as an element type's bits: a float to the nearest, others exactly; `None` if the type does
/// not hold it.
pub fn bits(element: Type, number: f64) -> Option<u64> {
    let fits = |low: f64, high: f64| number.fract() == 0.0 && number >= low && number <= high;
    match element {
        Type::F32 => (number.is_infinite() || (number as f32).is_finite())
            .then(|| Bits::to_bits(number as f32)),
        Type::F64 => Some(Bits::to_bits(number)),
        Type::F16 | Type::Bf16 => {
            let bits = short_float::rounded(element, number as f32);
            let fits = number.is_infinite() || short_float::widened(element, bits).is_finite();
            fits.then(|| bits.into())
        }
        Type::Bool => fits(0.0, 1.0).then(|| Bits::to_bits(number == 1.0)),
        _ => {
            let (least, most) = (*element.limits().start(), *element.limits().end());
            fits((least as f64).max(-Type::EXACT), (most as f64).min(Type::EXACT))
                .then(|| Bits::to_bits(number as i64))
        }
    }
}

/// The role decides what a run needs: whether the array is given before it.
pub fn given(program: &Program) -> impl Iterator<Item = ArrayId> {
    (0..program.arrays.len()).map(ArrayId).filter(|id| program.arrays[id.0].role.is_given())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::layout::{CellOrder, Region};
    use crate::units::{Address, Width};

    #[test]
    fn rows_without_values_are_like_others() {
        let region = |base, extents: &[u64]| Region {
            base: Address(base),
            extents: extents.to_vec(),
            firsts: vec![0; extents.len()],
            cells: extents.iter().product(),
            words: extents.iter().product(),
            order: CellOrder::Rows,
        };
        let layout = Layout {
            regions: vec![region(0, &[4, 3]), region(12, &[2])],
            words: 14,
            parameters: vec![],
            blocks: vec![],
            registers: 0,
            bulk: None,
            width: Width::at_least_one(4),
        };
        let mut memory = Memory::new(&layout).unwrap();
        (0..5).for_each(|at| memory.write(at, at + 1));
        (0..2).for_each(|array| memory.repeat(&layout, ArrayId(array)));
        let values = |array| memory.values(&layout, ArrayId(array), 0);
        let of = |values: &[u64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        // The second row again and again what it has; the third and the fourth as the first and the second.
        assert_eq!(values(0), of(&[1, 2, 3, 4, 5, 4, 1, 2, 3, 4, 5, 4]));
        assert_eq!(values(1), of(&[0, 0]));
    }
}
