//! Sums of integers, with carries and shifts.

use super::instruction::Instruction;
use super::lanes::{MapLanes, WideLanes, each};
use super::opcode::Opcode;
use super::operand::Operand;
use super::values::{Registers, joined, term};

impl Registers<'_> {
    #[inline(always)]
    pub(super) fn sum(&mut self, it: &Instruction, is_upper: bool, active: u32) {
        if !is_upper && !it.writes_conditions() {
            let [a, b, c] = [it.a, it.b, it.c].map(|it| self.integer(it));
            let sum = each(|at| a[at].wrapping_add(b[at]).wrapping_add(c[at]));
            return self.put(it.to, &sum, active);
        }
        let carries = [0, 1].map(|at| self.condition(it.conditions[at]).each(u64::from));
        let [a, b, c] = [it.a, it.b, it.c]
            .map(|it| self.word(it, 0).each(|word| term(word, it.is_negated, is_upper)));
        let sum: WideLanes = each(|at| {
            let carry = if is_upper { carries[0][at] + carries[1][at] } else { 0 };
            a[at] + b[at] + c[at] + carry
        });
        self.put(it.to, &sum.each(|it| it as u32), active);
        self.put_condition(it.conditions_to[0], sum.each(|it| it >> 32 > 0), active);
        self.put_condition(it.conditions_to[1], sum.each(|it| it >> 32 > 1), active);
    }

    #[inline(always)]
    pub(super) fn shifted_sum(&mut self, it: &Instruction, active: u32) {
        let Opcode::Lea { by, is_upper, takes_carry, extends_sign } = it.opcode else { return };
        let (a, b) = (self.long_of(it.a, it.c, extends_sign), self.word(it.b, 0));
        if !takes_carry && !it.writes_conditions() {
            let shifted = a.each(|it| (it << by >> if is_upper { 32 } else { 0 }) as u32);
            let a = if it.a.is_negated { shifted.each(u32::wrapping_neg) } else { shifted };
            let b = self.integer(it.b);
            return self.put(it.to, &each(|at| a[at].wrapping_add(b[at])), active);
        }
        let carry = self.condition(it.conditions[0]).each(u64::from);
        let term = |word, is_negated| term(word, is_negated, takes_carry);
        let sum: WideLanes = each(|at| {
            let shifted = (a[at] << by >> if is_upper { 32 } else { 0 }) as u32;
            let carry = if takes_carry { carry[at] } else { 0 };
            term(shifted, it.a.is_negated) + term(b[at], it.b.is_negated) + carry
        });
        self.put(it.to, &sum.each(|it| it as u32), active);
        self.put_condition(it.conditions_to[0], sum.each(|it| it >> 32 > 0), active);
    }

    /// Two words, or one that is extended by its sign.
    #[inline(always)]
    fn long_of(&self, low: Operand, high: Operand, extends_sign: bool) -> WideLanes {
        let (low, high) = (self.word(low, 0), self.word(high, 0));
        match extends_sign {
            true => low.each(|it| i64::from(it.cast_signed()).cast_unsigned()),
            false => joined(&low, &high),
        }
    }
}
