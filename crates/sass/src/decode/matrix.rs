//! Products of small matrices that a warp holds, how these come from shared memory, and barriers there with
//! the copies of many bytes that they wait for.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{
    HalfFormat, MatrixAccess, MatrixElement, MatrixProduct, MemoryBarrierStep, Opcode,
};
use crate::operand::{Operand, OperandSource, RZ, Register, TRUE, UNIFORM};

/// Columns of the second matrix.
const COLUMNS: u32 = 8;
/// Bytes of a barrier in shared memory.
const BARRIER_BYTES: u8 = 8;

impl EncodedInstruction {
    pub(super) fn matrix(self) -> Option<Instruction> {
        match self.field(0, 9) {
            0x037 => self.product(self.bytes_product()?),
            0x03c => self.product(self.halves_product()?),
            0x03f => self.product(MatrixProduct {
                element: MatrixElement::Double,
                rows: if self.bit(76) { 16 } else { 8 },
                depth: 4,
            }),
            0x03b | 0x044 => self.moved_matrix(),
            _ => None,
        }
    }

    fn bytes_product(self) -> Option<MatrixProduct> {
        // The first by rows, the second by columns, sums of 32 bits.
        let is_plain = self.bit(74) && self.bit(86);
        is_plain.then_some(MatrixProduct {
            element: MatrixElement::Byte([self.bit(76), self.bit(78)]),
            rows: 16,
            depth: if self.bit(75) { 32 } else { 16 },
        })
    }

    fn halves_product(self) -> Option<MatrixProduct> {
        let is_wide = self.bit(76);
        let element = match (self.field(82, 2), is_wide) {
            (0, _) => MatrixElement::Half(HalfFormat::F16, is_wide),
            (1, true) => MatrixElement::Half(HalfFormat::Bf16, true),
            (2, true) => MatrixElement::Tf32,
            _ => return None,
        };
        let depth = match (self.bit(75), self.bit(78)) {
            (true, false) if element != MatrixElement::Tf32 => 16,
            (false, false) => 8,
            (false, true) if element == MatrixElement::Tf32 => 4,
            _ => return None,
        };
        Some(MatrixProduct { element, rows: 16, depth })
    }

    fn product(self, of: MatrixProduct) -> Option<Instruction> {
        if self.form() != 1 {
            return None;
        }
        let [rows, depth] = [of.rows, of.depth].map(u32::from);
        let (bits, sum_bits) = of.element.bits();
        // A warp's 32 threads hold a matrix together.
        let words = |elements: u32, bits: u32| (elements * bits / 32 / 32) as u8;
        let operand =
            |first, words| Operand::of(OperandSource::Register(self.register(first))).words(words);
        let sums = words(rows * COLUMNS, sum_bits);
        Some(Instruction {
            to: self.register(16),
            words: sums,
            a: operand(24, words(rows * depth, bits)),
            b: operand(32, words(depth * COLUMNS, bits)),
            c: operand(64, sums),
            ..self.instruction(Opcode::Mma(of))
        })
    }

    fn moved_matrix(self) -> Option<Instruction> {
        let is_store = self.field(0, 9) == 0x044;
        let count = 1 << self.field(72, 2).min(2);
        let register = |first| Operand::of(OperandSource::Register(self.register(first)));
        let access = MatrixAccess { count, is_transposed: self.bit(78), is_store };
        let also = match self.bit(91) {
            true => {
                Operand::of(OperandSource::Register(self.uniform(if is_store { 64 } else { 32 })))
            }
            false => Operand::NONE,
        };
        let it = Instruction {
            a: register(24),
            c: also,
            // Of a row of a matrix.
            bytes: 16,
            offset: self.signed_offset(),
            ..self.instruction(Opcode::MoveMatrix(access))
        };
        Some(match is_store {
            true => Instruction { b: register(32).words(count), ..it },
            false => Instruction { to: self.register(16), words: count, ..it },
        })
    }

    pub(super) fn memory_barrier(self) -> Option<Instruction> {
        let register = |first| Operand::of(OperandSource::Register(self.register(first)));
        let uniform = |first| Operand::of(OperandSource::Register(self.uniform_of_six(first)));
        let modifiers = self.field(72, 19);
        let (step, data) = match (self.field(0, 9), modifiers & !0x0e00) {
            // A thread's condition is written by one alone.
            (0x1a7, 0x1000) => (MemoryBarrierStep::Arrive, Operand::NONE),
            (0x1a7, 0x2004) => (MemoryBarrierStep::Expect { from_register: false }, Operand::NONE),
            (0x1a7, 0x3004) => (MemoryBarrierStep::Expect { from_register: true }, register(32)),
            (0x1a7, 0x0001) => (MemoryBarrierStep::Test, register(32)),
            (0x1b0, 0x000a) => (MemoryBarrierStep::CopiesArrive, Operand::NONE),
            // Is not to be used any more.
            (0x1b1, 0) => return Some(self.instruction(Opcode::Nop)),
            (0x1b2, 0x0001) => {
                return Some(Instruction {
                    a: Operand::NONE,
                    b: uniform(32).words(2),
                    c: uniform(24),
                    bytes: BARRIER_BYTES,
                    offset: self.signed_offset(),
                    ..self.instruction(Opcode::MemoryBarrier(MemoryBarrierStep::Set))
                });
            }
            (0x1ba, 0x0002) => {
                return Some(Instruction {
                    a: uniform(24).words(2),
                    b: uniform(32).words(2),
                    c: uniform(64),
                    ..self.instruction(Opcode::BulkCopy)
                });
            }
            _ => return None,
        };
        let gives = step == MemoryBarrierStep::Arrive;
        let tests = step == MemoryBarrierStep::Test;
        Some(Instruction {
            to: if gives { self.register(16) } else { RZ },
            words: 2,
            conditions_to: [if tests { self.condition_to(81, false) } else { TRUE }, TRUE],
            a: register(24),
            b: data,
            c: uniform(64),
            bytes: BARRIER_BYTES,
            offset: self.signed_offset(),
            ..self.instruction(Opcode::MemoryBarrier(step))
        })
    }

    /// A register of the warp, beside which other bits stand.
    fn uniform_of_six(self, first: u32) -> Register {
        UNIFORM + self.field(first, 6) as Register
    }
}
