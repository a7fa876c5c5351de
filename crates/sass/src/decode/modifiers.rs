//! Which modifiers of each instruction are known: one that is not makes another instruction of it, and
//! is refused. And how instructions are called.

use super::EncodedInstruction;
use super::masks::{END, FIRST, FROM, TO, UNIFORM, bits};
use super::table::{Entry, entry};

/// An instruction's name with its modifiers, and its word, for messages.
pub(crate) fn mnemonic(bits: u128) -> String {
    let word = EncodedInstruction { bits, place: 0 };
    let number = word.field(0, 9);
    match entry(number) {
        Some(entry) => format!("{} ({bits:#034x})", word.mnemonic_text(entry)),
        None => format!("opcode {number:#05x} ({bits:#034x})"),
    }
}

/// Its name without modifiers, if it has one.
pub(crate) fn plain_name(bits: u128) -> Option<String> {
    let number = bits as u64 & 0x1ff;
    let name = entry(number)?.name.split(' ').next()?;
    Some(name_of_warp(number, name))
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
    pub(super) fn has_known_modifiers(self) -> bool {
        let number = self.field(0, 9);
        let Some(&Entry { known, .. }) = entry(number) else { return false };
        let mut left =
            (self.bits >> FIRST) as u64 & !(u64::MAX << (END - FIRST)) & !known & !UNIFORM;
        for first in [TO[0], TO[1], FROM] {
            let field = bits(first, 3);
            // The condition that is always true.
            if known & field == 0 && left & field == field {
                left &= !field;
            }
        }
        left == 0 && self.has_known_values(number)
    }

    /// Of a conversion, whether it makes a bfloat16 of an f32, rounded to the nearest.
    pub(super) fn makes_bfloat(self) -> bool {
        self.field(75, 3) == 4 && self.field(84, 2) == 2 && self.field(78, 3) == 0
    }

    /// Whether fields of which some values are known have these.
    fn has_known_values(self, number: u64) -> bool {
        match number {
            // All bytes.
            0x002 => self.field(72, 4) == 15,
            // Not halved, doubled …
            0x020 => self.field(84, 3) == 4 || self.field(84, 3) == 0,
            // One, two or four.
            0x03b | 0x044 => self.field(72, 2) < 3,
            // Either no bfloat16, or one of an f32, to the nearest.
            0x104 => !self.bit(77) || self.makes_bfloat(),
            // From a word to an f32.
            0x045 => self.field(75, 2) == 2 && self.field(84, 2) == 2,
            // The second operand is negated, not the third.
            0x046 => !self.bit(75) || matches!(self.form(), 2 | 3 | 7),
            // Addresses of 64 bits, without a register of the warp.
            0x181 | 0x186 | 0x180 | 0x185 => self.bit(72) && (!self.bit(91) || self.form() == 4),
            _ => true,
        }
    }
}
