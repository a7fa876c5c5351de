//! What the threads of a warp compute from each other's registers. Only those count that do it together.

use super::instruction::Instruction;
use super::lanes::{Lanes, WideLanes, each};
use super::opcode::{AtomicOperation, ShuffleKind, VoteKind};
use super::values::Registers;

fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |it| mask >> it & 1 == 1)
}

fn mask_of(active: u32, is: impl Fn(usize) -> bool) -> u32 {
    lanes_of(active).fold(0, |all, at| all | u32::from(is(at)) << at)
}

impl Registers<'_> {
    /// Whether a condition holds, and for whom.
    pub(super) fn vote(&mut self, it: &Instruction, kind: VoteKind, active: u32) {
        let is = self.condition(it.conditions[0]);
        let bits = mask_of(active, |at| is[at]);
        let holds = match kind {
            VoteKind::All => bits == active,
            VoteKind::Any => bits != 0,
            VoteKind::Equal => bits == active || bits == 0,
        };
        let to = it.for_all(active);
        self.put_condition(it.conditions_to[0], [holds; 32], to);
        self.put(it.to, &[bits; 32], to);
    }

    /// The third operand has the last lane of a segment, and above it which bits of a lane's number say
    /// the segment.
    pub(super) fn shuffle(&mut self, it: &Instruction, kind: ShuffleKind, active: u32) {
        let [value, by, within] = [it.a, it.b, it.c].map(|of| self.word(of, 0));
        let of = |lane: usize| {
            let lane = lane as u32;
            let (segment, clamp) = (within[lane as usize] >> 8 & 31, within[lane as usize] & 31);
            let by = by[lane as usize] & 31;
            let last = lane & segment | clamp & !segment;
            let first = lane & segment;
            let (from, is_inside) = match kind {
                ShuffleKind::Index => {
                    let from = first | by & !segment;
                    (from, from <= last)
                }
                ShuffleKind::Up => (lane.wrapping_sub(by), lane >= by && lane - by >= last),
                ShuffleKind::Down => (lane + by, lane + by <= last),
                ShuffleKind::Butterfly => (lane ^ by, lane ^ by <= last),
            };
            if is_inside { (from as usize, true) } else { (lane as usize, false) }
        };
        // Of a thread that takes no part an H100 gives 0.
        let moved: Lanes = each!(|at| match of(at).0 & 31 {
            from if active >> from & 1 == 1 => value[from],
            _ => 0,
        });
        self.put(it.to, &moved, active);
        self.put_condition(it.conditions_to[0], each!(|at| of(at).1), active);
    }

    pub(super) fn matching(&mut self, it: &Instruction, is_all: bool, active: u32) {
        let values: WideLanes = match it.a.words {
            2 => self.long(it.a),
            _ => {
                let word = self.word(it.a, 0);
                each!(|at| word[at].into())
            }
        };
        let alike: Lanes = each!(|lane| mask_of(active, |at| values[at] == values[lane]));
        let value =
            if is_all { each!(|at| if alike[at] == active { active } else { 0 }) } else { alike };
        self.put(it.to, &value, active);
        if is_all {
            self.put_condition(it.conditions_to[0], each!(|at| alike[at] == active), active);
        }
    }

    /// To a register of the warp.
    pub(super) fn reduce(
        &mut self,
        it: &Instruction,
        operation: AtomicOperation,
        is_signed: bool,
        active: u32,
    ) {
        let values = self.word(it.a, 0);
        let combined = |a: u32, b: u32| match (operation, is_signed) {
            (AtomicOperation::And, _) => a & b,
            (AtomicOperation::Or, _) => a | b,
            (AtomicOperation::Xor, _) => a ^ b,
            (AtomicOperation::Min, true) => a.cast_signed().min(b.cast_signed()).cast_unsigned(),
            (AtomicOperation::Max, true) => a.cast_signed().max(b.cast_signed()).cast_unsigned(),
            (AtomicOperation::Min, false) => a.min(b),
            (AtomicOperation::Max, false) => a.max(b),
            _ => a.wrapping_add(b),
        };
        if let Some(value) = lanes_of(active).map(|at| values[at]).reduce(combined) {
            self.put(it.to, &[value; 32], u32::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::operand::REGISTERS;

    #[test]
    fn from_threads_that_take_no_part_comes_nothing() {
        let mut lanes = vec![[0; 32]; REGISTERS];
        lanes[0] = each!(|at| at as u32 + 1);
        let constants = Default::default();
        let mut registers = Registers { lanes: &mut lanes, constants: &constants };
        // SHFL.DOWN PT, R9, R0, 0x4, 0x1f
        let it = decode(0x000e2800_000e0000_08801f00_00097f89, 0);
        registers.shuffle(&it, ShuffleKind::Down, 0x7ff);
        assert_eq!(lanes[9][..11], [5, 6, 7, 8, 9, 10, 11, 0, 0, 0, 0]);
    }
}
