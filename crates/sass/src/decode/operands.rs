//! The operands of an instruction as it is executed: those that its row of the table names.

use super::fields::bits;
use super::table::Entry;
use super::{EncodedInstruction, INSTRUCTION_BYTES};
use crate::instruction::Instruction;
use crate::opcode::{FloatMode, Opcode};
use crate::operand::{Condition, Operand, OperandSource};

impl Instruction {
    pub(super) fn does(self, opcode: Opcode) -> Option<Self> {
        Some(Self { opcode, ..self })
    }

    /// Words of what it writes, and of its operands.
    pub(super) fn wide(self, words: u8, [a, b, c]: [u8; 3]) -> Self {
        Self { words, a: self.a.words(a), b: self.b.words(b), c: self.c.words(c), ..self }
    }

    pub(super) fn under(self, mode: FloatMode) -> Self {
        Self { mode, ..self }
    }
}

/// How many operands of a sort the row has named so far.
#[derive(Default)]
struct Read {
    conditions: usize,
    has_second: bool,
}

impl EncodedInstruction {
    /// An instruction that does nothing yet with the operands of a row; none, if an operand makes no sense.
    pub(super) fn operands_of(self, row: &Entry) -> Option<Instruction> {
        let mut it = self.instruction(Opcode::Unknown);
        let mut read = Read::default();
        for token in row.operands.split_whitespace() {
            // Behind a bit and `?` what is printed only if this is set; the opcode says whether it counts.
            let name = match token.split_once('?') {
                Some((bit, name)) if !bit.is_empty() => name,
                // A second condition: of what is executed under its guard alone it must always hold.
                Some((_, name)) if name.starts_with('q') => {
                    let first = name[1..].parse().ok()?;
                    if row.known & bits(first, 3) != 0 {
                        name
                    } else if self.condition(first, first + 3, false) == Condition::ALWAYS {
                        continue;
                    } else {
                        return None;
                    }
                }
                Some((_, name)) => name,
                None => token,
            };
            self.add_operand(name, &mut it, &mut read)?;
        }
        Some(it)
    }

    fn add_operand(self, name: &str, it: &mut Instruction, read: &mut Read) -> Option<()> {
        match name {
            "d" | "d!z" if self.is_of_warp() => it.to = self.uniform(16),
            "d" | "d!z" => it.to = self.register(16),
            "ur16" => it.to = self.uniform(16),
            "p81" => it.conditions_to[0] = self.condition_to(81, self.is_of_warp()),
            "p84" => it.conditions_to[1] = self.condition_to(84, self.is_of_warp()),
            "b2r" => it.conditions_to[0] = self.condition_to(81, false),
            "match-to" if self.bit(79) => {}
            "match-to" => it.conditions_to[0] = self.condition_to(81, false),
            // Whether a thread's value is another; or the condition held before.
            "p-r2ur" => {
                it.conditions_to[0] = self.condition_to(81, false);
                it.conditions[0] = self.condition_before();
            }
            "q87" | "q77" | "q68" => {
                let first = name[1..].parse().ok()?;
                self.add_condition(
                    it,
                    read,
                    self.condition(first, first + 3, self.reads_of_warp()),
                );
            }
            "plop-third" => {
                let is_uniform = self.is_of_warp() || self.bit(67);
                self.add_condition(it, read, self.condition(68, 71, is_uniform));
            }
            "lea-upper" => it.c = self.source("c")?,
            "r24" => it.a = self.in_register(24),
            "r32" | "shared-data" | "generic-data" => it.b = self.in_register(32),
            "r64" => it.c = self.in_register(64),
            "global" => (it.a, it.offset) = (self.in_register(24).words(2), self.signed_offset()),
            "shared" | "local" => {
                (it.a, it.offset) = (self.in_register(24), self.signed_offset());
                it.c = self.added_register(if self.is_load() { 32 } else { 64 });
            }
            "shuffle-by" => it.b = self.shuffle_by(),
            "shuffle-within" => it.c = self.shuffle_within(),
            "B16" => it.barrier = self.field(16, 4) as u8,
            "B24" => it.barrier = self.field(24, 4) as u8,
            "near" => it.target = self.target(self.near())?,
            "lepc" => it.target = self.target(self.near_address())?,
            "far" => {
                it.a = self.in_register(24);
                // Of a whole address.
                if self.field(0, 9) != 0x143 {
                    it.target = self.target(self.far())?;
                }
            }
            "ha" | "hb" | "hc" => {
                let at = usize::from(name.as_bytes()[1] - b'a');
                let (operand, _) = self.half_operand(at);
                *[&mut it.a, &mut it.b, &mut it.c][at] = operand;
            }
            _ => self.add_source(name, it, read)?,
        }
        Some(())
    }

    fn add_condition(self, it: &mut Instruction, read: &mut Read, condition: Condition) {
        if let Some(to) = it.conditions.get_mut(read.conditions) {
            *to = condition;
        }
        read.conditions += 1;
    }

    /// Of arithmetic: `c` is the second operand where there is no `b`. All else belongs to the opcode.
    fn add_source(self, name: &str, it: &mut Instruction, read: &mut Read) -> Option<()> {
        let Some(operand) = self.source(name) else { return Some(()) };
        // Signs that the disassembler has no word for.
        let role = name.trim_matches(['-', '~', '|']);
        let has_signs = [operand.is_negated, operand.is_absolute] != [self.bit(63), self.bit(62)];
        let is_number = matches!(operand.source, OperandSource::Number(_));
        if has_signs
            && !is_number
            && role.starts_with(if self.is_moved() { ['c', 'l'] } else { ['b', 'l'] })
        {
            return None;
        }
        match role.as_bytes()[0] {
            b'a' => it.a = operand,
            b'c' if read.has_second => it.c = operand,
            _ => {
                it.b = operand;
                read.has_second = true;
            }
        }
        Some(())
    }

    /// One of the three operands of arithmetic by its word in the table, with the signs that it may have.
    pub(super) fn source(self, name: &str) -> Option<Operand> {
        let name = name.split([':', '.']).next()?;
        let [a, b, c] = self.operands(self.is_of_warp());
        let it = match name.trim_matches(['-', '~', '|']) {
            "a" => a,
            "b" => b,
            "c" => c,
            // The last of two stands in the third place if it is no register of a thread.
            "last" if self.is_moved() => c,
            "last" => b,
            _ => return None,
        };
        Some(Operand {
            is_negated: it.is_negated && name.starts_with(['-', '~', '|']),
            is_absolute: it.is_absolute && name.starts_with('|'),
            ..it
        })
    }

    fn is_load(self) -> bool {
        matches!(self.field(0, 9), 0x183 | 0x184 | 0x03b)
    }

    /// A register of the warp that is added to an address.
    fn added_register(self, first: u32) -> Operand {
        match self.bit(91) {
            true => self.in_uniform(first),
            false => Operand::NONE,
        }
    }

    /// Where a jump goes that goes so many words of 32 bits beyond the next instruction.
    fn target(self, by: i64) -> Option<u32> {
        let bytes = (INSTRUCTION_BYTES * (self.place + 1)).checked_add_signed(4 * by)?;
        u32::try_from(bytes / INSTRUCTION_BYTES).ok()
    }

    pub(super) fn branch(self, it: Instruction) -> Option<Instruction> {
        let it = Instruction {
            conditions: [self.condition(87, 90, false), Condition::ALWAYS, Condition::ALWAYS],
            ..it
        };
        // Where threads that are apart would go on one by one: here they wait for each other.
        if self.bit(91) {
            let a = self.in_uniform(24);
            return Instruction { a, ..it }.does(Opcode::BranchIfDivergent);
        }
        let opcode = if self.bit(84) { Opcode::BraAny } else { Opcode::Bra };
        Instruction { target: self.target(self.far())?, ..it }.does(opcode)
    }
}
