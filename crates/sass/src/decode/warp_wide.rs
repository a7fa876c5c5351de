//! What the threads of a warp do together, and numbers that they are given.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{AddressSpace, AtomicOperation, BarrierKind, Opcode, ShuffleKind, VoteKind};
use crate::operand::{Condition, Operand, OperandSource, TRUE};

impl EncodedInstruction {
    fn in_register(self, first: u32) -> Operand {
        Operand::of(OperandSource::Register(self.register(first)))
    }

    /// Shuffles, votes, sums of a warp, and what waits for a warp.
    pub(super) fn warp_wide(self) -> Option<Instruction> {
        let plain = |opcode| self.instruction(opcode);
        let to = self.register(16);
        Some(match self.field(0, 9) {
            0x189 => self.shuffle()?,
            0x1a1 => {
                let is_all = !self.bit(79);
                let words = if self.bit(73) { 2 } else { 1 };
                let conditions_to =
                    [if is_all { self.condition_to(81, false) } else { TRUE }, TRUE];
                let a = self.in_register(24).words(words);
                Instruction { to, a, conditions_to, ..plain(Opcode::Match { is_all }) }
            }
            0x1c4 => {
                let operation = match self.field(78, 3) {
                    0 => AtomicOperation::And,
                    1 => AtomicOperation::Or,
                    2 => AtomicOperation::Xor,
                    3 => AtomicOperation::Add,
                    4 => AtomicOperation::Min,
                    5 => AtomicOperation::Max,
                    _ => return None,
                };
                let opcode = Opcode::Redux { operation, is_signed: self.bit(73) };
                Instruction { to: self.uniform(16), a: self.in_register(24), ..plain(opcode) }
            }
            0x02f => {
                let conditions_to = [self.condition_to(81, false), TRUE];
                Instruction { conditions_to, ..plain(Opcode::Elect) }
            }
            0x148 => {
                // Of all threads, or of those that a register says.
                let a = match self.form() {
                    1 => self.in_register(24),
                    4 => Operand::of(OperandSource::Number(u32::MAX)),
                    _ => return None,
                };
                let opcode = match (self.bit(85), self.bit(86)) {
                    (true, false) => Opcode::WarpsyncExclusive,
                    _ => Opcode::Warpsync,
                };
                Instruction { a, ..plain(opcode) }
            }
            0x11c => {
                let conditions_to = [self.condition_to(81, false), TRUE];
                Instruction { to, conditions_to, ..plain(Opcode::B2r) }
            }
            0x11d => self.barrier()?,
            0x15d => plain(Opcode::Nanosleep),
            0x1aa => {
                let space = match self.field(73, 3) {
                    0 => AddressSpace::Global,
                    1 => AddressSpace::Local,
                    2 => AddressSpace::Shared,
                    _ => return None,
                };
                let conditions_to = [self.condition_to(81, false), TRUE];
                let a = self.in_register(24).words(2);
                Instruction { conditions_to, a, ..plain(Opcode::Qspc(space)) }
            }
            _ => return None,
        })
    }

    fn shuffle(self) -> Option<Instruction> {
        let kind = [ShuffleKind::Index, ShuffleKind::Up, ShuffleKind::Down, ShuffleKind::Butterfly]
            [self.field(58, 2) as usize];
        let number = |value: u64| Operand::of(OperandSource::Number(value as u32));
        let (by, within) = (number(self.field(53, 5)), number(self.field(40, 13)));
        let (b, c) = match self.form() {
            1 => (self.in_register(32), self.in_register(64)),
            2 => (self.in_register(32), within),
            4 => (by, self.in_register(64)),
            7 => (by, within),
            _ => return None,
        };
        Some(Instruction {
            to: self.register(16),
            conditions_to: [self.condition_to(81, false), TRUE],
            a: self.in_register(24),
            b,
            c,
            ..self.instruction(Opcode::Shfl(kind))
        })
    }

    /// A barrier of the block: its number, and how many threads come there, 0 for all.
    fn barrier(self) -> Option<Instruction> {
        let kind = match (self.field(77, 3), self.field(74, 2)) {
            (0, 0) => BarrierKind::Wait,
            (1, 0) => BarrierKind::Arrive,
            (2, 0) => BarrierKind::Count,
            (2, 1) => BarrierKind::All,
            (2, 2) => BarrierKind::Any,
            _ => return None,
        };
        let condition = self.condition(87, 90, false);
        let it = Instruction {
            conditions: match kind {
                BarrierKind::Wait | BarrierKind::Arrive => [Condition::ALWAYS; 3],
                _ => [condition, Condition::ALWAYS, Condition::ALWAYS],
            },
            ..self.instruction(Opcode::Bar(kind))
        };
        match self.form() {
            5 => Some(Instruction {
                barrier: self.field(54, 4) as u8,
                target: self.field(42, 12) as u32,
                ..it
            }),
            // Both in one register.
            1 => Some(Instruction { a: self.in_register(32), ..it }),
            _ => None,
        }
    }

    pub(super) fn vote(self) -> Option<VoteKind> {
        [VoteKind::All, VoteKind::Any, VoteKind::Equal].get(self.field(72, 2) as usize).copied()
    }
}
