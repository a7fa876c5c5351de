//! Which modifiers of each instruction are known: one that is not makes another instruction of it, and
//! is refused. And how instructions are called.

use super::EncodedInstruction;
use super::fields::{END, FIRST, FROM, TO, UNIFORM, bits};
use super::table::{Entry, entry};

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
