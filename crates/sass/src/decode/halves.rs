//! Floating-point numbers of 16 bits, two in a word.

use super::EncodedInstruction;
use super::alu::{reading, under};
use crate::instruction::Instruction;
use crate::opcode::{HalfFormat, HalfParts, Halves, Opcode};
use crate::operand::{Condition, Operand};

impl EncodedInstruction {
    fn parts(self, first: u32) -> HalfParts {
        match self.field(first, 2) {
            0 => HalfParts::Both,
            1 => HalfParts::Single,
            2 => HalfParts::Lower,
            _ => HalfParts::Upper,
        }
    }

    fn format(self, bit: u32) -> HalfFormat {
        if self.bit(bit) { HalfFormat::Bf16 } else { HalfFormat::F16 }
    }

    pub(super) fn halves(self) -> Option<Instruction> {
        let [a, b, c] = self.operands(false);
        // Which halves of a register; of a number, which has two, both.
        let of_b = match self.form() {
            2 | 4 => HalfParts::Both,
            _ => self.parts(60),
        };
        let is_last = matches!(self.form(), 2 | 3 | 7);
        let halves = |format: HalfFormat, is_wide| {
            let of_c = self.parts(81);
            let parts =
                if is_last { [self.parts(74), of_c, of_b] } else { [self.parts(74), of_b, of_c] };
            Halves { format, parts, is_wide }
        };
        let with = |opcode| Instruction { to: self.register(16), ..self.instruction(opcode) };
        let a = Operand { is_absolute: self.bit(73), is_negated: self.bit(72), ..a };
        let own = |it: Operand| match it.source {
            // What stands in c's place has its signs elsewhere than a number of 32 bits.
            _ if it == if is_last { b } else { c } => {
                Operand { is_absolute: self.bit(83), is_negated: self.bit(84), ..it }
            }
            _ => it,
        };
        let (format, condition) = (self.format(85), self.condition(87, 90, false));
        let one = [condition, Condition::ALWAYS, Condition::ALWAYS];
        let second = if is_last { c } else { b };
        let of_two =
            |halves: Halves| Halves { parts: [halves.parts[0], of_b, HalfParts::Both], ..halves };
        Some(match self.field(0, 9) {
            0x030 => {
                let opcode = Opcode::Hadd2(of_two(halves(format, self.bit(78))));
                reading([a, second, Operand::NONE], with(opcode))
            }
            0x032 => {
                let opcode = Opcode::Hmul2(of_two(halves(format, false)));
                reading([a, second, Operand::NONE], with(opcode))
            }
            0x031 | 0x035 => {
                reading([a, own(b), own(c)], with(Opcode::Hfma2(halves(format, false))))
            }
            0x040 => {
                let opcode = Opcode::Hmnmx2(of_two(halves(format, false)));
                under(one, reading([a, second, Operand::NONE], with(opcode)))
            }
            0x033 => {
                let opcode = Opcode::Hset2 {
                    halves: of_two(halves(self.format(65), false)),
                    comparison: self.comparison(4),
                    is_number: self.bit(71),
                };
                under(one, reading([a, second, Operand::NONE], with(opcode)))
            }
            0x034 => {
                let opcode = Opcode::Hsetp2 {
                    halves: of_two(halves(self.format(65), false)),
                    comparison: self.comparison(4),
                    combination: self.combination_at(69)?,
                    needs_both: self.bit(71),
                };
                let it = Instruction {
                    conditions_to: self.conditions_to(false),
                    ..self.instruction(opcode)
                };
                under(one, reading([a, second, Operand::NONE], it))
            }
            0x03e => {
                let [a, b, _] = self.operands(false);
                let format = self.format(76);
                reading([a, b, Operand::NONE], with(Opcode::F2fpPack(format)))
            }
            _ => return None,
        })
    }
}
