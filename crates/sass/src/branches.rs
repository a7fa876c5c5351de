//! Branches: which threads of a warp go on, and which wait until those are done.

use super::block::BlockExecution;
use super::cost::{DIVERGE_CYCLES, NOT_TAKEN_CYCLES};
use super::decode::INSTRUCTION_BYTES;
use super::instruction::Instruction;
use super::opcode::Opcode;
use super::warp::{DivergentThreads, Warp};

impl BlockExecution<'_> {
    /// A branch that began at a time, of these threads.
    pub(super) fn branch(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        begun: f64,
        active: u32,
    ) {
        let mut active = active & warp.holding(instruction.conditions[0]);
        if instruction.opcode == Opcode::BraAny && active != 0 {
            // All go where any does.
            active = warp.mask;
        }
        let taken = if active != 0 { self.timing.branch } else { NOT_TAKEN_CYCLES };
        warp.now = warp.now.max(begun + taken);
        if active == 0 {
            return;
        }
        let (mask, next) = (warp.mask, warp.place);
        let mut going = active;
        warp.place = match instruction.opcode {
            Opcode::Brx | Opcode::Ret => {
                let to = self.registers(warp).word(instruction.a, 0);
                let first = to[active.trailing_zeros() as usize];
                // Threads go on together that go to the same place.
                going = (0..32).fold(0, |all, it| all | u32::from(to[it] == first) << it) & active;
                if going != active {
                    warp.divergent.push(DivergentThreads {
                        place: next - 1,
                        mask: active & !going,
                        barrier: None,
                    });
                }
                instruction.target + first / INSTRUCTION_BYTES as u32
            }
            _ => instruction.target,
        };
        warp.mask = going;
        let stay = mask & !active;
        if stay != 0 {
            warp.now += DIVERGE_CYCLES;
            warp.divergent.push(DivergentThreads { place: next, mask: stay, barrier: None });
        }
        if going != mask {
            warp.gather();
        }
    }
}
