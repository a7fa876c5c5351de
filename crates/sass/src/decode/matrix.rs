//! Products of small matrices that a warp holds, how these come from shared memory, and barriers there with
//! the copies of many bytes that they wait for.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{
    BulkCopy, Float8, GroupProduct, HalfFormat, MatrixAccess, MatrixElement, MatrixProduct,
    MemoryBarrierStep, Opcode,
};
use crate::operand::{Condition, Operand, RZ, TRUE, UNIFORM_CONDITIONS};

/// Columns of the second matrix.
const COLUMNS: u32 = 8;
/// Products of groups of warps, by their elements.
pub(super) const GROUP_HALVES: u64 = 0x1f0;
pub(super) const GROUP_BYTES: u64 = 0x1f1;
pub(super) const GROUP_FLOATS_OF_8_BITS: u64 = 0x1f3;
/// Bytes of a barrier in shared memory.
const BARRIER_BYTES: u8 = 8;

impl EncodedInstruction {
    pub(super) fn doubles_product(self) -> MatrixProduct {
        let (rows, depth) = [(8, 4), (16, 4), (16, 8), (16, 16)][self.field(76, 2) as usize];
        MatrixProduct { element: MatrixElement::Double, rows, depth }
    }

    /// Whether both have a bit; the first by rows, the second by columns.
    pub(super) fn bits_product(self) -> Option<MatrixProduct> {
        let is_plain = self.bit(74) && self.bit(78) && self.bit(80);
        let depth = match self.field(75, 2) {
            1 => 128,
            2 => 256,
            _ => return None,
        };
        is_plain.then_some(MatrixProduct { element: MatrixElement::Bit, rows: 16, depth })
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
        let (rows, depth) = (u32::from(of.rows), u32::from(of.depth));
        let (bits, sum_bits) = of.element.bits();
        // A warp's 32 threads hold a matrix together.
        let words = |elements: u32, bits: u32| (elements * bits / 32 / 32) as u8;
        let sums = words(rows * COLUMNS, sum_bits);
        let factors = [words(rows * depth, bits), words(depth * COLUMNS, bits)];
        it.wide(sums, [factors[0], factors[1], sums])
            .does(Opcode::Mma(of))
            .filter(|_| self.form() == 1)
    }

    /// Of a product of a group of warps: columns of B, and columns of A.
    pub(super) fn group_shape(self) -> (u16, u8) {
        let number = self.field(53, 6) as u16;
        match self.field(0, 9) {
            // Not all multiples of 8.
            GROUP_BYTES if number < 12 => (8 * (number / 3 + 1), 32),
            GROUP_BYTES => (16 * (number / 3 - 1), 32),
            GROUP_FLOATS_OF_8_BITS => (8 * (number % 32 + 1), 32),
            _ => (8 * (number % 32 + 1), if self.bit(58) { 8 } else { 16 }),
        }
    }

    /// Whether what stood there before is added: conditions are numbered from the last one on.
    pub(super) fn group_adds(self) -> Condition {
        let register = UNIFORM_CONDITIONS + 7 - self.field(87, 3) as u16;
        Condition { register, is_negated: self.bit(90) }
    }

    pub(super) fn group_product(self, it: Instruction) -> Option<Instruction> {
        let is_wide = self.bit(75);
        let float8 = |at| if self.bit(at) { Float8::E5m2 } else { Float8::E4m3 };
        let element = match (self.field(0, 9), self.field(76, 2)) {
            (GROUP_BYTES, 0 | 1) => MatrixElement::Byte([self.bit(76), self.bit(82)]),
            (GROUP_FLOATS_OF_8_BITS, _) => MatrixElement::Float8([float8(76), float8(77)], is_wide),
            (GROUP_HALVES, 0) => MatrixElement::Half(HalfFormat::F16, is_wide),
            (GROUP_HALVES, 1) if is_wide => MatrixElement::Half(HalfFormat::Bf16, true),
            (GROUP_HALVES, 2) if is_wide => MatrixElement::Tf32,
            _ => return None,
        };
        let has_registers = self.form() == 6;
        let (columns, depth) = self.group_shape();
        let is_half = element.bits().0 == 16;
        let is_transposed = [61, 62].map(|at| self.bit(at));
        let is_plain = self.field(0, 9) != GROUP_BYTES || !self.bit(77);
        let is_known = matches!(self.form(), 4 | 6)
            && is_plain
            && (self.field(0, 9) == GROUP_BYTES || !self.bit(82))
            && (element == MatrixElement::Tf32) == (depth == 8)
            && (is_half || is_transposed == [false; 2])
            && !(has_registers && is_transposed[0]);
        // A warp's threads hold its 16 rows together.
        let sums = (16 * u32::from(columns) * element.bits().1 / 32 / 32) as u8;
        let of = GroupProduct {
            element,
            depth,
            columns,
            negates: [72, 63].map(|at| self.bit(at)),
            is_transposed,
            saturates: self.field(0, 9) == GROUP_BYTES && self.bit(75),
        };
        Instruction {
            to: self.register(16),
            words: sums,
            a: if has_registers { self.in_register(24).words(4) } else { Operand::NONE },
            b: self.in_uniform_of_six(if has_registers { 32 } else { 24 }).words(4),
            c: self.in_register(64).words(sums),
            conditions: [self.group_adds(), Condition::ALWAYS, Condition::ALWAYS],
            ..it
        }
        .does(Opcode::GroupMma(of))
        .filter(|_| is_known)
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
        // Their directions, and of one its operation and type.
        let copy = match (self.field(0, 9), self.field(72, 19) & !0x0e00) {
            (0x1ba, 2) => BulkCopy { is_load: true, adds: false },
            (0x1ba, 4) => BulkCopy { is_load: false, adds: false },
            (0x1bb, 0x0004) if self.field(81, 3) == 5 => BulkCopy { is_load: false, adds: true },
            _ => return None,
        };
        let [a, b] = [24, 32].map(|at| self.in_uniform_of_six(at));
        let a = a.words(if copy.is_load { 2 } else { 1 });
        Instruction { a, b: b.words(2), c: self.in_uniform_of_six(64), ..it }
            .does(Opcode::BulkCopy(copy))
    }

    pub(super) fn tensor_copy(self, it: Instruction, copy: BulkCopy) -> Option<Instruction> {
        let axes = self.field(79, 3) as u8 + 1;
        let words = axes + if copy.is_load { 2 } else { 1 };
        let [a, b] = [24, 32].map(|at| self.in_uniform_of_six(at));
        Instruction { a: a.words(2), b: b.words(words), ..it }
            .does(Opcode::TensorCopy(copy))
            .filter(|_| axes <= 5 && self.form() == if copy.is_load { 2 } else { 1 })
    }
}
