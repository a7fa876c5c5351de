//! Floating-point numbers: how they are rounded, and conversions.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{
    Float8, Float8Pack, FloatMode, HalfFormat, Opcode, Rounding, SpecialFunction, WordHalf,
};
use crate::operand::Operand;

impl EncodedInstruction {
    pub(super) fn rounding(self) -> Rounding {
        [Rounding::Nearest, Rounding::Down, Rounding::Up, Rounding::Zero]
            [self.field(78, 2) as usize]
    }

    pub(super) fn mode(self) -> FloatMode {
        let (is_saturated, flushes) = (self.bit(77), self.bit(80));
        FloatMode { rounding: self.rounding(), is_saturated, flushes, halvings: 0 }
    }

    /// Of a product, which may be halved, but not doubled.
    pub(super) fn product_mode(self) -> Option<FloatMode> {
        let halvings = match self.field(84, 3) as u8 {
            0 | 4 => 0,
            by @ 1..=3 => 4 - by,
            _ => return None,
        };
        Some(FloatMode { halvings, ..self.mode() })
    }

    pub(super) fn rounded(self) -> FloatMode {
        FloatMode { rounding: self.rounding(), ..FloatMode::PLAIN }
    }

    pub(super) fn flushing(self) -> FloatMode {
        FloatMode { flushes: self.bit(80), ..FloatMode::PLAIN }
    }

    /// Bytes of a number.
    pub(super) fn size(self, first: u32) -> u8 {
        1 << self.field(first, 2)
    }

    /// Between numbers of two sizes.
    pub(super) fn conversion(self, it: Instruction) -> Instruction {
        let words = |first| self.size(first).div_ceil(4);
        it.wide(words(75), [1, words(84), 1])
            .under(FloatMode { is_saturated: false, ..self.mode() })
    }

    pub(super) fn float_to_float(self, it: Instruction) -> Option<Instruction> {
        let is_rounded_nearest = self.field(78, 3) == 0;
        match self.bit(77) {
            false => {
                self.conversion(it).does(Opcode::F2f { from: self.size(84), to: self.size(75) })
            }
            // Of an f32, as the lower of two, the upper of which is 0.
            true if self.field(75, 2) == 0 && self.field(84, 2) == 2 && is_rounded_nearest => {
                Instruction { a: Operand::NONE, ..it }.does(Opcode::F2fpPack(HalfFormat::Bf16))
            }
            true => None,
        }
    }

    pub(super) fn float_to_integer(self, it: Instruction) -> Option<Instruction> {
        let (from, to, is_signed) = (self.size(84), self.size(75), self.bit(72));
        self.conversion(it).does(Opcode::F2i { from, to, is_signed, rounding: self.rounding() })
    }

    pub(super) fn integer_to_float(self, it: Instruction) -> Option<Instruction> {
        let (from, to, part) = (self.size(84), self.size(75), self.field(60, 2) as u8);
        let (is_signed, rounding) = (self.bit(74), self.rounding());
        self.conversion(it).does(Opcode::I2f { from, part, to, is_signed, rounding })
    }

    /// To a number without a fraction.
    pub(super) fn float_to_whole(self, it: Instruction) -> Option<Instruction> {
        self.conversion(it).does(Opcode::Frnd { bytes: self.size(75), rounding: self.rounding() })
    }

    pub(super) fn special_function(self, it: Instruction) -> Option<Instruction> {
        use SpecialFunction as Function;
        const FUNCTIONS: [SpecialFunction; 10] = [
            Function::Cosine,
            Function::Sine,
            Function::PowerOfTwo,
            Function::BinaryLogarithm,
            Function::Reciprocal,
            Function::ReciprocalRoot,
            Function::UpperReciprocal,
            Function::UpperReciprocalRoot,
            Function::Root,
            Function::HyperbolicTangent,
        ];
        let function = *FUNCTIONS.get(self.field(74, 6) as usize)?;
        let half = match (self.field(72, 2), function) {
            (0, _) => None,
            (1, Function::PowerOfTwo | Function::HyperbolicTangent) => Some(HalfFormat::F16),
            (2, Function::PowerOfTwo | Function::HyperbolicTangent) => Some(HalfFormat::Bf16),
            _ => return None,
        };
        it.does(Opcode::Mufu(function, half))
    }

    /// Of a sum of products, which half's.
    pub(super) fn dot_halves(self) -> Option<WordHalf> {
        let half = if self.bit(77) { WordHalf::Upper } else { WordHalf::Lower };
        self.bit(76).then_some(half)
    }

    /// Of two floating-point numbers, or of a word that has several.
    pub(super) fn packed_floats(self, it: Instruction) -> Option<Instruction> {
        const UPPER: u64 = 1 << 11;
        let a =
            Operand { is_negated: self.bit(72), is_absolute: self.bit(73), ..self.in_register(24) };
        let is_alone = self.in_register(64) == Operand::NONE;
        let format = if self.bit(76) { Float8::E4m3 } else { Float8::E5m2 };
        let bytes = |format, pack| Opcode::F2fpBytes(format, pack);
        // From bit 77 on, and those before it.
        let opcode = match (self.field(77, 14), self.field(73, 3)) {
            (0, 0 | 1) => {
                return Instruction { a, ..it }.does(Opcode::F2fpPack(self.half_format(76)));
            }
            (0x2403, 0) if is_alone && !self.bit(72) => bytes(format, Float8Pack::OfFloats),
            (0x2401, 1) if is_alone => bytes(format, Float8Pack::OfHalves),
            (it, from @ (2 | 3)) if it & !UPPER == 0x1000 && !self.bit(76) => {
                let format = if from == 3 { Float8::E4m3 } else { Float8::E5m2 };
                bytes(format, Float8Pack::ToHalves { is_upper: it & UPPER != 0 })
            }
            _ => return None,
        };
        Instruction { a: self.in_register(24), ..it }
            .does(opcode)
            .filter(|it| !it.b.is_negated && !it.b.is_absolute)
    }
}
