//! Floating-point numbers of 16 bits, two in a word.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{HalfFormat, HalfParts, Halves, Opcode};
use crate::operand::{Operand, OperandSource, RZ};

impl EncodedInstruction {
    fn parts(self, first: u32) -> HalfParts {
        [HalfParts::Both, HalfParts::Single, HalfParts::Lower, HalfParts::Upper]
            [self.field(first, 2) as usize]
    }

    pub(super) fn half_format(self, bit: u32) -> HalfFormat {
        if self.bit(bit) { HalfFormat::Bf16 } else { HalfFormat::F16 }
    }

    /// One of the three operands, and which halves of it: a number has two.
    pub(super) fn half_operand(self, at: usize) -> (Operand, HalfParts) {
        let [a, b, c] = self.operands(false);
        let has_three = matches!(self.field(0, 9), 0x031 | 0x035);
        // What stands in the second place of the word, and in the third.
        let second = |it: Operand| match it.source {
            OperandSource::Number(_) => (it, HalfParts::Both),
            _ => (it, self.parts(60)),
        };
        let third = |it: Operand| {
            let signed = Operand { is_absolute: self.bit(83), is_negated: self.bit(84), ..it };
            (signed, self.parts(81))
        };
        match at {
            0 => {
                let signed = Operand { is_absolute: self.bit(73), is_negated: self.bit(72), ..a };
                (signed, self.parts(74))
            }
            1 if has_three && self.is_moved() => third(b),
            1 if self.is_moved() => second(c),
            1 => second(b),
            _ if self.is_moved() => second(c),
            _ => third(c),
        }
    }

    /// Of two operands, in the format that a bit says.
    pub(super) fn halves(
        self,
        it: Instruction,
        format: u32,
        opcode: impl FnOnce(Halves) -> Opcode,
    ) -> Option<Instruction> {
        let parts = [self.half_operand(0).1, self.half_operand(1).1, HalfParts::Both];
        it.does(opcode(Halves { format: self.half_format(format), parts, is_wide: false }))
    }

    /// Of three.
    pub(super) fn product_of_halves(self, it: Instruction) -> Option<Instruction> {
        let is_zero = |it: Operand| it.source == OperandSource::Register(RZ);
        // 0 · 0 + c makes constants.
        if is_zero(it.a) && is_zero(it.b) && self.is_moved() && self.field(81, 4) == 0 {
            let b = self.source("c")?;
            let none = Operand::NONE;
            return Instruction { a: none, b, c: none, ..it }.does(Opcode::Mov);
        }
        let parts = [0, 1, 2].map(|at| self.half_operand(at).1);
        it.does(Opcode::Hfma2(Halves { format: self.half_format(85), parts, is_wide: false }))
    }
}
