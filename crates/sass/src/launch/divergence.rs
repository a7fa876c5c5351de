//! Where threads of a warp part, and meet again.

use super::execution::Running;
use super::observer::LaunchObserver;
use crate::decode::INSTRUCTION_BYTES;
use crate::instruction::Instruction;
use crate::opcode::Opcode;
use crate::warp::DivergentThreads;

impl<O: LaunchObserver> Running<'_, O> {
    /// Where a warp's threads part and meet.
    pub(super) fn converge(&mut self, number: usize, it: &Instruction, active: u32) {
        let constants = self.of.constants;
        let warp = &mut self.block.warps[number];
        match it.opcode {
            Opcode::Exit => {
                warp.mask &= !(active & warp.holding(it.conditions[0]));
                warp.meet();
            }
            Opcode::Bssy => {
                let mask = warp.mask;
                warp.expects(it.barrier, active, |_| mask);
            }
            Opcode::Break => {
                let active = active & warp.holding(it.conditions[0]);
                let barrier = &mut warp.barriers[usize::from(it.barrier)];
                barrier.iter_mut().for_each(|it| *it &= !active);
                warp.meet();
            }
            Opcode::BmovSave => {
                let kept = warp.barriers[usize::from(it.barrier)];
                let lanes = &mut warp.registers;
                crate::values::Registers { lanes, constants }.put(it.to, &kept, active);
                warp.expects(it.barrier, active, |_| 0);
            }
            Opcode::BmovRestore => {
                let lanes = &mut warp.registers;
                let kept = crate::values::Registers { lanes, constants }.word(it.a, 0);
                warp.expects(it.barrier, active, |lane| kept[lane]);
            }
            _ => warp.waits(it.barrier),
        }
    }

    pub(super) fn branch(&mut self, number: usize, it: &Instruction, active: u32) {
        let constants = self.of.constants;
        let warp = &mut self.block.warps[number];
        let mut active = active & warp.holding(it.conditions[0]);
        if it.opcode == Opcode::BraAny && active != 0 {
            // All go where any does.
            active = warp.mask;
        }
        if active == 0 {
            return;
        }
        let (mask, next) = (warp.mask, warp.place);
        let mut going = active;
        warp.place = match it.opcode {
            Opcode::Brx | Opcode::Ret => {
                let lanes = &mut warp.registers;
                let to = crate::values::Registers { lanes, constants }.word(it.a, 0);
                let first = to[active.trailing_zeros() as usize];
                going = (0..32).fold(0, |all, it| all | u32::from(to[it] == first) << it) & active;
                if going != active {
                    let mask = active & !going;
                    warp.divergent.push(DivergentThreads { place: next - 1, mask, barrier: None });
                }
                it.target.wrapping_add(first / INSTRUCTION_BYTES as u32)
            }
            _ => it.target,
        };
        warp.mask = going;
        let stay = mask & !active;
        if stay != 0 {
            warp.divergent.push(DivergentThreads { place: next, mask: stay, barrier: None });
        }
        if going != mask {
            warp.gather();
            self.observer.divergence(self.place(number, next as usize - 1, active));
        }
    }

    /// Threads go on with those alone that their register says; the others come here again.
    pub(super) fn part(&mut self, number: usize, it: &Instruction, active: u32) {
        if active == 0 {
            return;
        }
        let wanted = self.registers(number).word(it.a, 0);
        let first = wanted[active.trailing_zeros() as usize];
        let warp = &mut self.block.warps[number];
        let others = active & !first;
        if others != 0 {
            let place = warp.place - 1;
            warp.divergent.push(DivergentThreads { place, mask: others, barrier: None });
            warp.mask &= !others;
            warp.is_apart = true;
        }
    }
}
