//! What an instruction reads: registers, numbers, constants, conditions.

/// Registers of a thread in one numbering: R0 … R254, P0 … P6, and those of the whole warp, UR0 …, UP0
/// … UP6. The last of each kind is fixed: 0 or true.
pub(super) type Register = u16;

pub(super) const RZ: Register = 255;
/// P0.
pub(super) const CONDITIONS: Register = 256;
/// PT.
pub(super) const TRUE: Register = 263;
/// UR0.
pub(super) const UNIFORM: Register = 264;
/// URZ.
pub(super) const UNIFORM_ZERO: Register = 327;
/// UP0.
pub(super) const UNIFORM_CONDITIONS: Register = 328;
/// UPT.
pub(super) const UNIFORM_TRUE: Register = 335;
/// Of all kinds.
pub(super) const REGISTERS: usize = 336;

/// Whether what is written to it is lost.
pub(super) fn is_fixed(register: Register) -> bool {
    matches!(register, RZ | TRUE | UNIFORM_ZERO | UNIFORM_TRUE)
}

/// Where a word that an instruction reads stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperandSource {
    Register(Register),
    Number(u32),
    /// A bank of constants, and the byte there.
    Constant(u8, u16),
}

/// What an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) source: OperandSource,
    /// Words.
    pub(super) words: u8,
    pub(super) is_negated: bool,
    pub(super) is_absolute: bool,
}

impl Operand {
    pub(super) const NONE: Self = Self::of(OperandSource::Register(RZ));

    pub(super) const fn of(source: OperandSource) -> Self {
        Self { source, words: 1, is_negated: false, is_absolute: false }
    }

    pub(super) fn words(self, words: u8) -> Self {
        Self { words, ..self }
    }

    /// Registers of it.
    pub(super) fn registers(self) -> impl Iterator<Item = Register> {
        let first = match self.source {
            OperandSource::Register(register) if !is_fixed(register) => Some(register),
            _ => None,
        };
        first.into_iter().flat_map(move |it| it..it + Register::from(self.words))
    }
}

/// A condition that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) register: Register,
    pub(super) is_negated: bool,
}

impl Condition {
    pub(super) const ALWAYS: Self = Self { register: TRUE, is_negated: false };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{Constants, Registers};

    #[test]
    fn words_that_are_written_nowhere_change_no_condition() {
        let constants = Constants::default();
        let mut lanes = vec![[0; 32]; REGISTERS];
        let mut registers = Registers { lanes: &mut lanes, constants: &constants };
        (0..4).for_each(|word| registers.put_word(RZ, word, &[7; 32], u32::MAX));
        assert!(lanes.iter().all(|it| *it == [0; 32]));
    }
}
