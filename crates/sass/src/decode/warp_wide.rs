//! What the threads of a warp do together, and barriers of a block.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{AtomicOperation, BarrierKind, Opcode, ShuffleKind, VoteKind};
use crate::operand::{Condition, Operand, OperandSource};

impl EncodedInstruction {
    /// What a warp's values are combined by.
    pub(super) fn warp_operation(self) -> Option<AtomicOperation> {
        use AtomicOperation::{Add, And, Max, Min, Or, Xor};
        [And, Or, Xor, Add, Min, Max].get(self.field(78, 3) as usize).copied()
    }

    /// Of all threads, or of those that a register says.
    pub(super) fn warp_barrier(self, it: Instruction) -> Option<Instruction> {
        let a = match self.form() {
            1 => self.in_register(24),
            4 => Operand::of(OperandSource::Number(u32::MAX)),
            _ => return None,
        };
        Instruction { a, ..it }.does(match (self.bit(85), self.bit(86)) {
            (true, false) => Opcode::WarpsyncExclusive,
            _ => Opcode::Warpsync,
        })
    }

    pub(super) fn shuffle(self) -> ShuffleKind {
        [ShuffleKind::Index, ShuffleKind::Up, ShuffleKind::Down, ShuffleKind::Butterfly]
            [self.field(58, 2) as usize]
    }

    pub(super) fn shuffle_by(self) -> Operand {
        match self.form() {
            1 | 2 => self.in_register(32),
            _ => Operand::of(OperandSource::Number(self.field(53, 5) as u32)),
        }
    }

    pub(super) fn shuffle_within(self) -> Operand {
        match self.form() {
            1 | 4 => self.in_register(64),
            _ => Operand::of(OperandSource::Number(self.field(40, 13) as u32)),
        }
    }

    /// A barrier of the block: its number, and how many threads come there, 0 for all.
    pub(super) fn barrier(self, it: Instruction) -> Option<Instruction> {
        let kind = match (self.field(77, 3), self.field(74, 2)) {
            (0, 0) => BarrierKind::Wait,
            (1, 0) => BarrierKind::Arrive,
            (2, 0) => BarrierKind::Count,
            (2, 1) => BarrierKind::All,
            (2, 2) => BarrierKind::Any,
            _ => return None,
        };
        let brings = !matches!(kind, BarrierKind::Wait | BarrierKind::Arrive);
        let brought = if brings { self.condition(87, 90, false) } else { Condition::ALWAYS };
        let it = Instruction { conditions: [brought, Condition::ALWAYS, Condition::ALWAYS], ..it };
        match self.form() {
            5 => Instruction {
                barrier: self.field(54, 4) as u8,
                target: self.field(42, 12) as u32,
                ..it
            },
            // Both in one register.
            1 => Instruction { a: self.in_register(32), ..it },
            _ => return None,
        }
        .does(Opcode::Bar(kind))
    }

    pub(super) fn vote(self) -> Option<VoteKind> {
        [VoteKind::All, VoteKind::Any, VoteKind::Equal].get(self.field(72, 2) as usize).copied()
    }
}
