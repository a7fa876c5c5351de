//! Words of machine code of 128 bits, as GPUs since Volta have them, decoded.
//!
//! The encoding is not published; it was read off NVIDIA's disassembler, and is known from Mesa's
//! compiler for these GPUs. [`table`] has a row for each instruction: its name with its modifiers and
//! operands as the disassembler writes them, which modifiers are executed, and what it does. What is held against it:
//! the disassembler's text of some 600 words, and every array that emitted kernels compute.

mod fields;
mod floats;
mod halves;
mod matrix;
mod memory;
mod modifiers;
mod operand_text;
mod operands;
mod special_registers;
mod table;
mod text;
mod texture;
mod warp_wide;

use super::instruction::{Control, Instruction};
use super::opcode::{Combination, Comparison, FloatMode, Opcode};
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

pub(super) use self::modifiers::{full_name, mnemonic};
pub(super) use self::text::text;

/// Decodes an instruction; one that is not known, or has a modifier that is not, is
/// [`Opcode::Unknown`].
pub(super) fn decode(bits: u128, place: u64) -> Instruction {
    let word = EncodedInstruction { bits, place };
    let known = table::entry(word.field(0, 9)).filter(|it| word.has_known_modifiers(it));
    known.and_then(|it| (it.meaning)(word, word.operands_of(it)?)).unwrap_or_else(|| Instruction {
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

    fn in_register(self, first: u32) -> Operand {
        Operand::of(OperandSource::Register(self.register(first)))
    }

    fn in_uniform(self, first: u32) -> Operand {
        Operand::of(OperandSource::Register(self.uniform(first)))
    }

    /// A register of the warp, beside which other bits stand.
    fn in_uniform_of_six(self, first: u32) -> Operand {
        Operand::of(OperandSource::Register(UNIFORM + self.field(first, 6) as Register))
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
            0x1b2 | 0x1b4..=0x1b6 | 0x1ba | 0x1bb | 0x1c3 | 0x1c8 => true,
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
    pub(super) fn far(self) -> i64 {
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
        if self.is_moved() { [a, last, flexible] } else { [a, flexible, last] }
    }

    /// Whether what stands in the place of the second operand is the third.
    fn is_moved(self) -> bool {
        matches!(self.form(), 2 | 3 | 7)
    }

    /// Whether conditions that it reads are the warp's: not of a vote of its threads.
    fn reads_of_warp(self) -> bool {
        self.is_of_warp() && self.field(0, 9) != 0x086
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::{HalfFormat, MatrixElement, MatrixProduct, MemoryBarrierStep};

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
            assert_eq!(
                (it.opcode, [it.offset, it.source_offset]),
                (Opcode::Ldgsts { fills: false }, offsets)
            );
        }
    }

    /// HFMA2 R0, R1, R2, -R2: the sign is that of the third operand alone.
    #[test]
    fn operands_that_are_equal_have_signs_of_their_own() {
        let word = 0x7231 | 1 << 24 | 2 << 32 | 2 << 64 | 1 << 84;
        assert_eq!(text(word, 0).as_deref(), Some("HFMA2 R0, R1, R2, -R2"));
        let it = decode(word, 0);
        assert_eq!([it.b.is_negated, it.c.is_negated], [false, true]);
    }

    /// What the text has and execution would have to leave out makes another instruction.
    #[test]
    fn what_is_not_executed_is_refused() {
        let copy = 0x000fe2000b921846_00204004020d7fae_u128;
        for (word, expected) in [
            (copy, "LDGSTS.E [R13+0x204], desc[UR6][R2.64+0x4]"),
            (copy & !(7 << 87), "LDGSTS.E [R13+0x204], desc[UR6][R2.64+0x4], P0"),
            (0x000fea0003800000_0000000000007941, "BSYNC B0"),
            (0x000fea0003c3ffff_fffffffc04fc7950, "RET.REL.NODEC R4 0x0"),
            (0x000fea0000800000_0000000000028942, "@!P0 BREAK P1, B2"),
            (0x000fea0000000000_000000000000994d, "@!P1 EXIT P0"),
        ] {
            assert_eq!(text(word, 0).as_deref(), Some(expected));
            assert_ne!(decode(word, 0).opcode, Opcode::Unknown, "{expected}");
        }
        for (word, expected) in [
            (0x000fea0000000000_0000000000007941, "BSYNC P0, B0"),
            (0x000fea0003c00000_0000000004007950, "RET.REL.NODEC R4 0x10"),
            (0x000fea0003c00000_0000000000007943, "CALL.ABS.NOINC 0x0"),
        ] {
            assert_eq!(text(word, 0).as_deref(), Some(expected));
            assert_eq!(decode(word, 0).opcode, Opcode::Unknown, "{expected}");
        }
        // LDC of 8 bytes, and of 16, which no constant has.
        let lookup =
            |size: u128| decode(0x000e620000000000_00008800ff0a8b82 | size << 73, 0).opcode;
        assert_eq!([5, 6].map(lookup), [Opcode::Ldc(0), Opcode::Unknown]);
    }
}
