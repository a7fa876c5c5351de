//! Words of machine code of 128 bits, as GPUs since Volta have them, decoded.
//!
//! The encoding is not published; it was read off NVIDIA's disassembler, and is known from Mesa's
//! compiler for these GPUs. [`table`] has a row for each instruction: its name with its modifiers and
//! operands as the disassembler writes them, and which modifiers are executed. What is held against it:
//! the disassembler's text of some 600 words, and every array that emitted kernels compute.

mod address_text;
mod alu;
mod fields;
mod halves;
mod masks;
mod matrix;
mod memory;
mod modifiers;
mod operand_text;
mod special_registers;
mod table;
mod text;
mod warp_wide;

use self::alu::Arithmetic;
use super::instruction::{Control, Instruction};
use super::opcode::{
    Combination, Comparison, FloatMode, HalfFormat, Opcode, Rounding, SpecialFunction,
};
use super::operand::{
    CONDITIONS, Condition, Operand, OperandSource, RZ, Register, TRUE, UNIFORM, UNIFORM_CONDITIONS,
    UNIFORM_ZERO,
};

/// Bytes of an instruction.
pub(super) const INSTRUCTION_BYTES: u64 = 16;

/// A word, and its place among the instructions of its kernel.
#[derive(Clone, Copy)]
struct EncodedInstruction {
    bits: u128,
    place: u64,
}

pub(super) use self::modifiers::{mnemonic, plain_name};
pub(super) use self::text::text;

/// Decodes an instruction; one that is not known, or has a modifier that is not, is
/// [`Opcode::Unknown`].
pub(super) fn decode(bits: u128, place: u64) -> Instruction {
    let word = EncodedInstruction { bits, place };
    let found = || {
        let it = word.halves_but_constants().or_else(|| {
            Arithmetic::of(word)
                .decode()
                .or_else(|| word.special())
                .or_else(|| word.warp_wide())
                .or_else(|| word.matrix())
                .or_else(|| word.memory_barrier())
                .or_else(|| word.memory())
                .or_else(|| word.control_flow())
        });
        it.filter(|_| word.has_known_modifiers())
    };
    found().unwrap_or_else(|| Instruction {
        guard: Condition::ALWAYS,
        ..word.instruction(Opcode::Unknown)
    })
}

impl EncodedInstruction {
    fn field(self, first: u32, bits: u32) -> u64 {
        (self.bits >> first) as u64 & !(u64::MAX << bits)
    }

    fn bit(self, at: u32) -> bool {
        self.field(at, 1) == 1
    }

    /// Which operands are registers, and which a number or a constant.
    fn form(self) -> u64 {
        self.field(9, 3)
    }

    fn register(self, first: u32) -> Register {
        self.field(first, 8) as Register
    }

    fn uniform(self, first: u32) -> Register {
        UNIFORM + (self.field(first, 8) as Register).min(UNIFORM_ZERO - UNIFORM)
    }

    fn condition_to(self, first: u32, is_uniform: bool) -> Register {
        let base = if is_uniform { UNIFORM_CONDITIONS } else { CONDITIONS };
        base + self.field(first, 3) as Register
    }

    fn condition(self, first: u32, negated: u32, is_uniform: bool) -> Condition {
        Condition { register: self.condition_to(first, is_uniform), is_negated: self.bit(negated) }
    }

    /// Whether the warp does it once, with its own registers and conditions.
    fn is_of_warp(self) -> bool {
        matches!(self.field(0, 9), 0x080..=0x0bf)
    }

    /// The condition under which it is done: the warp's own, if it is done once, but for a vote, which
    /// threads are asked for.
    fn guard(self) -> Condition {
        let is_of_warp = match self.field(0, 9) {
            0x086 => false,
            0x1b2 | 0x1ba | 0x1c3 => true,
            _ => self.is_of_warp(),
        };
        self.condition(12, 15, is_of_warp)
    }

    /// What is added to an address.
    fn signed_offset(self) -> i32 {
        (self.field(40, 24) as i32) << 8 >> 8
    }

    /// Of a copy, what is added to the address in shared memory (20 bits), and to that which it reads (12).
    fn offsets_of_copy(self) -> [i32; 2] {
        [self.signed_offset() >> 4, (self.field(32, 12) as i32) << 20 >> 20]
    }

    /// Where a jump goes, in words of 32 bits from the next instruction.
    fn far(self) -> i64 {
        ((self.field(34, 48) << 16).cast_signed() >> 8) | self.field(16, 8).cast_signed()
    }

    /// The same of one that goes less far.
    fn near(self) -> i64 {
        (self.field(34, 30) << 34).cast_signed() >> 34
    }

    /// Of an instruction that gives an address of code, which is in bytes.
    fn near_address(self) -> i64 {
        (self.field(24, 40) << 24).cast_signed() >> 26
    }

    fn conditions_to(self, is_uniform: bool) -> [Register; 2] {
        [self.condition_to(81, is_uniform), self.condition_to(84, is_uniform)]
    }

    fn control(self) -> Control {
        let board = |first| Some(self.field(first, 3) as u8).filter(|it| *it < 6);
        Control {
            stall: self.field(105, 4) as u8,
            written: board(110),
            read: board(113),
            waits: self.field(116, 6) as u8,
        }
    }

    /// With all that does not depend on the opcode.
    fn instruction(self, opcode: Opcode) -> Instruction {
        Instruction {
            opcode,
            guard: self.guard(),
            to: RZ,
            words: 1,
            conditions_to: [TRUE; 2],
            a: Operand::NONE,
            b: Operand::NONE,
            c: Operand::NONE,
            conditions: [Condition::ALWAYS; 3],
            bytes: 0,
            is_signed: false,
            mode: FloatMode::PLAIN,
            offset: 0,
            source_offset: 0,
            target: 0,
            barrier: 0,
            control: self.control(),
        }
    }

    /// The operand that need not be a register of the thread.
    fn flexible(self, is_uniform: bool) -> Operand {
        let is_number = matches!(self.form(), 2 | 4);
        let source = match self.form() {
            1 if is_uniform => OperandSource::Register(self.uniform(32)),
            1 => OperandSource::Register(self.register(32)),
            2 | 4 => OperandSource::Number(self.field(32, 32) as u32),
            3 | 5 => OperandSource::Constant(self.field(54, 5) as u8, self.field(38, 16) as u16),
            _ => OperandSource::Register(self.uniform(32)),
        };
        Operand {
            is_negated: !is_number && self.bit(63),
            is_absolute: !is_number && self.bit(62),
            ..Operand::of(source)
        }
    }

    /// The three operands of an arithmetic instruction.
    fn operands(self, is_uniform: bool) -> [Operand; 3] {
        let register = |first, absolute, negated| {
            let register = if is_uniform { self.uniform(first) } else { self.register(first) };
            Operand {
                is_negated: self.bit(negated),
                is_absolute: self.bit(absolute),
                ..Operand::of(OperandSource::Register(register))
            }
        };
        let (a, flexible, last) =
            (register(24, 73, 72), self.flexible(is_uniform), register(64, 74, 75));
        match self.form() {
            2 | 3 | 7 => [a, last, flexible],
            _ => [a, flexible, last],
        }
    }

    /// The condition that is written, where it adds to what it was.
    fn condition_before(self) -> Condition {
        match self.bit(84) {
            true => Condition { register: self.condition_to(81, false), is_negated: false },
            false => Condition { register: TRUE, is_negated: true },
        }
    }

    fn comparison(self, bits: u32) -> Comparison {
        Comparison(self.field(76, bits) as u8)
    }

    fn combination(self) -> Option<Combination> {
        self.combination_at(74)
    }

    fn combination_at(self, first: u32) -> Option<Combination> {
        [Combination::And, Combination::Or, Combination::Xor]
            .get(self.field(first, 2) as usize)
            .copied()
    }

    fn mode(self) -> FloatMode {
        FloatMode { rounding: self.rounding(), is_saturated: self.bit(77), flushes: self.bit(80) }
    }

    /// Halves, but for what makes constants: 0 · 0 + c.
    fn halves_but_constants(self) -> Option<Instruction> {
        let [a, b, _] = self.operands(false);
        let is_zero = |it: Operand| it.source == OperandSource::Register(RZ);
        let makes_constant = matches!(self.field(0, 9), 0x031 | 0x035)
            && is_zero(a)
            && is_zero(b)
            && matches!(self.form(), 2 | 3 | 7)
            && self.field(81, 4) == 0;
        if makes_constant { None } else { self.halves() }
    }

    fn rounding(self) -> Rounding {
        match self.field(78, 2) {
            0 => Rounding::Nearest,
            1 => Rounding::Down,
            2 => Rounding::Up,
            _ => Rounding::Zero,
        }
    }

    /// Conversions, bits, special functions and registers.
    fn special(self) -> Option<Instruction> {
        let [_, b, _] = self.operands(false);
        let size = |first| 1 << self.field(first, 2);
        let (from, to): (u8, u8) = (size(84), size(75));
        let rounding = self.rounding();
        let words = |bytes: u8| bytes.div_ceil(4);
        let with = |opcode| Instruction { to: self.register(16), b, ..self.instruction(opcode) };
        let mode = FloatMode { is_saturated: false, ..self.mode() };
        let converts = |opcode| Instruction {
            words: words(to),
            b: b.words(words(from)),
            mode,
            ..with(opcode)
        };
        Some(match self.field(0, 9) {
            0x100 => {
                let opcode = Opcode::Flo { is_signed: self.bit(73), is_distance: self.bit(74) };
                with(opcode)
            }
            0x101 => with(Opcode::Brev),
            0x102 => {
                let [a, b, _] = self.operands(false);
                let conditions_to = self.conditions_to(false);
                Instruction {
                    conditions_to: [conditions_to[0], TRUE],
                    a,
                    b,
                    ..self.instruction(Opcode::Fchk)
                }
            }
            // As the lower of two, the upper of which is 0.
            0x104 if self.makes_bfloat() => {
                Instruction { a: Operand::NONE, ..with(Opcode::F2fpPack(HalfFormat::Bf16)) }
            }
            0x104 | 0x110 => converts(Opcode::F2f { from, to }),
            0x105 | 0x111 => converts(Opcode::F2i { from, to, is_signed: self.bit(72), rounding }),
            0x106 | 0x112 => {
                let (is_signed, part) = (self.bit(74), self.field(60, 2) as u8);
                converts(Opcode::I2f { from, part, to, is_signed, rounding })
            }
            0x107 | 0x113 => converts(Opcode::Frnd { bytes: to, rounding }),
            0x108 => with(Opcode::Mufu(match self.field(74, 6) {
                4 => SpecialFunction::Reciprocal,
                0 => SpecialFunction::Cosine,
                1 => SpecialFunction::Sine,
                2 => SpecialFunction::PowerOfTwo,
                3 => SpecialFunction::BinaryLogarithm,
                5 => SpecialFunction::ReciprocalRoot,
                6 => SpecialFunction::UpperReciprocal,
                7 => SpecialFunction::UpperReciprocalRoot,
                8 => SpecialFunction::Root,
                9 => SpecialFunction::HyperbolicTangent,
                _ => return None,
            })),
            0x109 => with(Opcode::Popc),
            0x119 | 0x1c3 => {
                let special = self.special_register()?;
                let is_uniform = self.field(0, 9) == 0x1c3;
                let to = if is_uniform { self.uniform(16) } else { self.register(16) };
                Instruction { to, ..self.instruction(Opcode::S2r(special)) }
            }
            0x0ca | 0x1c2 => Instruction {
                to: self.uniform(16),
                a: Operand::of(OperandSource::Register(self.register(24))),
                // Whether a thread's value is another; or the condition held before.
                conditions_to: [self.condition_to(81, false), TRUE],
                conditions: [self.condition_before(), Condition::ALWAYS, Condition::ALWAYS],
                ..self.instruction(Opcode::R2ur)
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::{MatrixElement, MatrixProduct, MemoryBarrierStep};

    /// Words as nvcc makes them of inline PTX.
    #[test]
    fn words_of_tensor_cores_copies_and_barriers() {
        let product = |element, depth| Opcode::Mma(MatrixProduct { element, rows: 16, depth });
        let half = |is_wide| MatrixElement::Half(HalfFormat::F16, is_wide);
        for (bits, opcode) in [
            (0x044fec00_00001804_00000014_0c04723c, product(half(true), 16)),
            (0x008ff600_0000080c_0000000a_040c723c, product(half(false), 16)),
            (0x000ff600_00081010_0000000a_0410723c, product(MatrixElement::Tf32, 8)),
            (
                0x0c0ff600_0040440c_00000008_040c7237,
                product(MatrixElement::Byte([false, true]), 16),
            ),
            (0x000ff600_00445c0c_00000008_040c7237, Opcode::Unknown),
            (0x000e2200_00202000_00000020_00207304, Opcode::F2fpPack(HalfFormat::Bf16)),
            (0x000fea00_03a00000_00000000_0d007348, Opcode::WarpsyncExclusive),
            (0x000e2400_0800017f_00000007_180075a7, Opcode::MemoryBarrier(MemoryBarrierStep::Test)),
            (0x0001e200_0810013f_000008ff_18ff79a7, Opcode::Unknown),
        ] {
            assert_eq!(decode(bits, 0).opcode, opcode, "{bits:#034x}");
        }
    }

    #[test]
    fn a_copy_has_an_offset_on_each_side() {
        // LDGSTS.E [R13+0x204], desc[UR6][R2.64+0x4]; and [R13+0x8], desc[UR6][R8.64+-0x4].
        for (low, offsets) in
            [(0x00204004_020d7fae_u64, [0x204, 4]), (0x00008ffc_080d7fae, [8, -4])]
        {
            let it = decode(0x000fe2000b921846 << 64 | u128::from(low), 0);
            assert_eq!((it.opcode, [it.offset, it.source_offset]), (Opcode::Ldgsts, offsets));
        }
    }
}
