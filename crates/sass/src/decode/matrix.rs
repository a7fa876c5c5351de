//! Products of small matrices that a warp holds, how these come from shared memory, and barriers there with
//! the copies of many bytes that they wait for.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{
    HalfFormat, MatrixAccess, MatrixElement, MatrixProduct, MemoryBarrierStep, Opcode,
};
use crate::operand::{Operand, RZ, TRUE};

/// Columns of the second matrix.
const COLUMNS: u32 = 8;
/// Bytes of a barrier in shared memory.
const BARRIER_BYTES: u8 = 8;

impl EncodedInstruction {
    pub(super) fn doubles_product(self) -> MatrixProduct {
        let rows = if self.bit(76) { 16 } else { 8 };
        MatrixProduct { element: MatrixElement::Double, rows, depth: 4 }
    }

    pub(super) fn bytes_product(self) -> Option<MatrixProduct> {
        // The first by rows, the second by columns, sums of 32 bits.
        let is_plain = self.bit(74) && self.bit(86);
        is_plain.then_some(MatrixProduct {
            element: MatrixElement::Byte([self.bit(76), self.bit(78)]),
            rows: 16,
            depth: if self.bit(75) { 32 } else { 16 },
        })
    }

    pub(super) fn halves_product(self) -> Option<MatrixProduct> {
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

    pub(super) fn product(self, it: Instruction, of: MatrixProduct) -> Option<Instruction> {
        let [rows, depth] = [of.rows, of.depth].map(u32::from);
        let (bits, sum_bits) = of.element.bits();
        // A warp's 32 threads hold a matrix together.
        let words = |elements: u32, bits: u32| (elements * bits / 32 / 32) as u8;
        let sums = words(rows * COLUMNS, sum_bits);
        let factors = [words(rows * depth, bits), words(depth * COLUMNS, bits)];
        it.wide(sums, [factors[0], factors[1], sums])
            .does(Opcode::Mma(of))
            .filter(|_| self.form() == 1)
    }

    pub(super) fn moved_matrix(self, it: Instruction, is_store: bool) -> Option<Instruction> {
        // One, two or four.
        let power = self.field(72, 2);
        let count = 1 << power.min(2);
        let access = MatrixAccess { count, is_transposed: self.bit(78), is_store };
        // Bytes are of a row of a matrix.
        let it = Instruction { bytes: 16, ..it };
        let it = if is_store { it.wide(1, [1, count, 1]) } else { it.wide(count, [1; 3]) };
        it.does(Opcode::MoveMatrix(access)).filter(|_| power < 3)
    }

    /// What stands in a thread's registers is done to a barrier.
    pub(super) fn memory_barrier(self, it: Instruction) -> Option<Instruction> {
        // A thread's condition is written by one alone.
        let (step, data) = match self.field(72, 19) & !0x0e00 {
            0x0000 | 0x0004 => (MemoryBarrierStep::ArriveExpecting, self.in_register(32)),
            0x1000 | 0x1004 => (MemoryBarrierStep::Arrive { counted: false }, Operand::NONE),
            0x5000 | 0x5004 => (MemoryBarrierStep::Arrive { counted: true }, self.in_register(32)),
            0x2004 => (MemoryBarrierStep::Expect { from_register: false }, Operand::NONE),
            0x3004 => (MemoryBarrierStep::Expect { from_register: true }, self.in_register(32)),
            0x0001 => (MemoryBarrierStep::Test, self.in_register(32)),
            _ => return None,
        };
        let tests = step == MemoryBarrierStep::Test;
        let gives = !tests && !self.bit(74);
        let it = Instruction {
            to: if gives { self.register(16) } else { RZ },
            conditions_to: [if tests { self.condition_to(81, false) } else { TRUE }, TRUE],
            b: data,
            ..it
        };
        self.barrier_step(it, step)
    }

    /// A barrier is none any more.
    pub(super) fn memory_barrier_end(self, it: Instruction) -> Option<Instruction> {
        let it = Instruction { b: Operand::NONE, ..it };
        self.barrier_step(it, MemoryBarrierStep::Invalidate)
    }

    /// A thread's copies that were begun arrive at one.
    pub(super) fn copies_arrive(self, it: Instruction) -> Option<Instruction> {
        let it = Instruction { b: Operand::NONE, ..it };
        self.barrier_step(it, MemoryBarrierStep::CopiesArrive)
            .filter(|_| self.field(72, 19) & !0x0e00 == 0x000a)
    }

    fn barrier_step(self, it: Instruction, step: MemoryBarrierStep) -> Option<Instruction> {
        Instruction {
            words: 2,
            a: self.in_register(24),
            c: self.in_uniform_of_six(64),
            bytes: BARRIER_BYTES,
            offset: self.signed_offset(),
            ..it
        }
        .does(Opcode::MemoryBarrier(step))
    }

    /// Written by the warp.
    pub(super) fn memory_barrier_set(self, it: Instruction) -> Option<Instruction> {
        // What stood there goes nowhere.
        let is_plain = self.field(72, 19) & !0x0e00 == 1 && self.field(16, 6) == 63;
        Instruction {
            to: RZ,
            b: self.in_uniform_of_six(32).words(2),
            c: self.in_uniform_of_six(24),
            bytes: BARRIER_BYTES,
            offset: self.signed_offset(),
            ..it
        }
        .does(Opcode::MemoryBarrier(MemoryBarrierStep::Set))
        .filter(|_| is_plain)
    }

    pub(super) fn bulk_copy(self, it: Instruction) -> Option<Instruction> {
        Instruction {
            a: self.in_uniform_of_six(24).words(2),
            b: self.in_uniform_of_six(32).words(2),
            c: self.in_uniform_of_six(64),
            ..it
        }
        .does(Opcode::BulkCopy)
        .filter(|_| self.field(72, 19) & !0x0e00 == 2)
    }
}
