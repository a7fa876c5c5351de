//! Products of small matrices that a warp holds, and how these come from shared memory.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{HalfFormat, MatrixAccess, MatrixElement, MatrixProduct, Opcode};
use crate::operand::{Operand, OperandSource};

/// Columns of the second matrix.
const COLUMNS: u32 = 8;

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
            offset: (self.field(40, 24) as i32) << 8 >> 8,
            ..self.instruction(Opcode::MoveMatrix(access))
        };
        Some(match is_store {
            true => Instruction { b: register(32).words(count), ..it },
            false => Instruction { to: self.register(16), words: count, ..it },
        })
    }
}
