//! Which modifiers of each instruction are known: one that is not makes another instruction of it, and
//! is refused. Bits of modifiers, by what they say; and how instructions are called.

use super::EncodedInstruction;
use super::table::{Entry, entry};

/// The first bit of modifiers, and the one after the last; those before are operands, those after it the
/// compiler's counts.
pub(super) const FIRST: u32 = 72;
pub(super) const END: u32 = 105;
/// Conditions that are written, and one that is read, where an instruction has them; else they are those
/// that are always true, or absent.
pub(super) const TO: [u32; 2] = [81, 84];
pub(super) const FROM: u32 = 87;

pub(super) const fn bits(first: u32, count: u32) -> u64 {
    ((1 << count) - 1) << (first - FIRST)
}

pub(super) const fn bit(at: u32) -> u64 {
    bits(at, 1)
}

pub(super) const P: u64 = bits(81, 3);
pub(super) const Q: u64 = bits(84, 3);
pub(super) const SOURCE: u64 = bits(FROM, 4);
/// Every modifier, but a condition that is read.
pub(super) const ALL_BUT_SOURCE: u64 = !SOURCE;
pub(super) const SIGNS_OF_A: u64 = bits(72, 2);
pub(super) const SIGNS: u64 = bits(72, 4);
pub(super) const ROUNDING: u64 = bits(78, 2);
pub(super) const SATURATES: u64 = bit(77);
pub(super) const FLUSHES: u64 = bit(80);
pub(super) const SIZE: u64 = bits(73, 3);
pub(super) const CARRIES: u64 = bits(73, 3) | P | SOURCE;
/// A memory access's sort of address, its size, its order among others, and how caches keep it: but for the
/// size no value depends on them.
pub(super) const GLOBAL: u64 = bits(72, 20);
pub(super) const UNIFORM: u64 = bit(91);
pub(super) const HALVES: u64 = SIGNS | Q & bit(85) | bits(81, 4);

pub(super) const CONVERSION: u64 = bits(75, 2) | ROUNDING | FLUSHES | bits(84, 2);

/// An instruction's name with its modifiers, and its word, for messages.
pub(crate) fn mnemonic(bits: u128) -> String {
    match full_name(bits) {
        Some(name) => format!("{name} ({bits:#034x})"),
        None => format!("opcode {:#05x} ({bits:#034x})", bits as u64 & 0x1ff),
    }
}

/// Its name with its modifiers, if it has one.
pub(crate) fn full_name(bits: u128) -> Option<String> {
    let word = EncodedInstruction { bits, place: 0 };
    Some(word.mnemonic_text(entry(word.field(0, 9))?))
}

/// What a warp does once has a name of its own.
pub(super) fn name_of_warp(number: u64, name: &str) -> String {
    let is_of_warp = (0x080..=0x0bf).contains(&number) && !name.starts_with('U');
    match (is_of_warp, name) {
        (true, "VOTE") => "VOTEU".to_owned(),
        (true, _) => format!("U{name}"),
        (false, _) => name.to_owned(),
    }
}

impl EncodedInstruction {
    /// Whether all its modifiers are known.
    pub(super) fn has_known_modifiers(self, entry: &Entry) -> bool {
        let known = entry.known;
        let mut left =
            (self.bits >> FIRST) as u64 & !(u64::MAX << (END - FIRST)) & !known & !UNIFORM;
        for first in [TO[0], TO[1], FROM] {
            let field = bits(first, 3);
            // The condition that is always true.
            if known & field == 0 && left & field == field {
                left &= !field;
            }
        }
        left == 0
    }
}
