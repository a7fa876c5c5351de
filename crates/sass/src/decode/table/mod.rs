//! The instructions: one row each, from which come the text of the disassembler, names in messages, which
//! modifiers have a meaning, and what is executed. Fields are explained in [`super::fields`], operands in
//! [`super::text`] and [`super::operands`].

mod arithmetic;
mod memory;
mod other;

use self::arithmetic::ARITHMETIC;
use self::memory::ACCESSES;
use self::other::OTHERS;
use super::EncodedInstruction;
use crate::instruction::Instruction;

/// Makes what is executed of a word and its operands, as the table has them; `None` if it is not known.
pub(super) type Meaning = fn(EncodedInstruction, Instruction) -> Option<Instruction>;

/// An instruction.
#[derive(Debug)]
pub(super) struct Entry {
    /// The lowest nine bits of the word.
    pub(super) number: u64,
    /// Bits of modifiers that are executed: all others must be as the compiler has them by default.
    pub(super) known: u64,
    /// Its name, and after it the fields of modifiers in the order in which they are printed.
    pub(super) name: &'static str,
    /// Operands in the order in which they are printed.
    pub(super) operands: &'static str,
    /// What it does.
    pub(super) meaning: Meaning,
}

/// Operands that nobody has read off yet.
pub(super) const UNKNOWN: &str = "?";

/// Of an instruction that is written as text alone.
const UNEXECUTED: Meaning = |_, _| None;

const fn row(
    number: u64,
    known: u64,
    name: &'static str,
    operands: &'static str,
    meaning: Meaning,
) -> Entry {
    Entry { number, known, name, operands, meaning }
}

/// The entry of a number: what warps do once has those of threads, but for a few.
pub(super) fn entry(number: u64) -> Option<&'static Entry> {
    let find = |number| entries().find(|it| it.number == number);
    find(number).or_else(|| match number {
        0x080..=0x0ab | 0x0b6 => find(number - 0x080),
        _ => None,
    })
}

/// All of them.
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    ARITHMETIC.iter().chain(OTHERS).chain(ACCESSES)
}
