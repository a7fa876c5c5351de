//! Barriers in shared memory, and copies of many bytes that they wait for.

use super::EncodedInstruction;
use crate::instruction::Instruction;
use crate::opcode::{MemoryBarrierStep, Opcode};
use crate::operand::{Operand, OperandSource, TRUE};

/// Bytes of such a barrier.
const BARRIER_BYTES: u8 = 8;

impl EncodedInstruction {
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
                let guard = self.condition(12, 15, true);
                return Some(Instruction {
                    guard,
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
            to: if gives { self.register(16) } else { crate::operand::RZ },
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

    fn signed_offset(self) -> i32 {
        (self.field(40, 24) as i32) << 8 >> 8
    }

    /// A register of the warp, beside which other bits stand.
    fn uniform_of_six(self, first: u32) -> crate::operand::Register {
        crate::operand::UNIFORM + self.field(first, 6) as crate::operand::Register
    }
}
