//! Products of integers.

use super::instruction::Instruction;
use super::lanes::{MapLanes, WideLanes, each};
use super::opcode::{Opcode, WordHalf};
use super::values::{Registers, signed};

impl Registers<'_> {
    #[inline(always)]
    pub(super) fn product(&mut self, it: &Instruction, active: u32) {
        let (a, b) = (self.word(it.a, 0), self.integer(it.b));
        let carry = self.condition(it.conditions[0]).each(u64::from);
        let wide = |is_signed: bool, at: usize| match is_signed {
            true => {
                let [a, b] = [a[at], b[at]].map(|it| i64::from(it.cast_signed()));
                (a * b).cast_unsigned()
            }
            false => u64::from(a[at]) * u64::from(b[at]),
        };
        match it.opcode {
            Opcode::Imad { is_upper: false } if !it.writes_conditions() => {
                let c = self.integer(it.c);
                let sum = each(|at| a[at].wrapping_mul(b[at]).wrapping_add(c[at]));
                self.put(it.to, &sum, active);
            }
            Opcode::ImadWide { is_signed, takes_carry: false } if !it.writes_conditions() => {
                let c = self.long(it.c);
                let c = if it.c.is_negated { c.each(u64::wrapping_neg) } else { c };
                let sum = each(|at| wide(is_signed, at).wrapping_add(c[at]));
                self.put_long(it.to, &sum, active);
            }
            Opcode::Imad { is_upper } => {
                let c = self.word(it.c, 0);
                // What is taken away from an upper word is its complement; the carry makes up for it.
                let third: [u64; 32] = each(|at| match (is_upper, it.c.is_negated) {
                    (true, true) => u64::from(!c[at]) + carry[at],
                    (true, false) => u64::from(c[at]) + carry[at],
                    (false, true) => c[at].wrapping_neg().into(),
                    (false, false) => c[at].into(),
                });
                let sum: WideLanes = each(|at| u64::from(a[at].wrapping_mul(b[at])) + third[at]);
                self.put(it.to, &sum.each(|it| it as u32), active);
                self.put_condition(it.conditions_to[0], sum.each(|it| it >> 32 != 0), active);
            }
            Opcode::ImadWide { is_signed, takes_carry } => {
                let c = self.long(it.c);
                let sum: [(u64, bool); 32] = each(|at| {
                    let third = match (takes_carry, it.c.is_negated) {
                        (true, true) => u128::from(!c[at]) + u128::from(carry[at]),
                        (true, false) => u128::from(c[at]) + u128::from(carry[at]),
                        (false, true) => c[at].wrapping_neg().into(),
                        (false, false) => c[at].into(),
                    };
                    let sum = u128::from(wide(is_signed, at)) + third;
                    (sum as u64, sum >> 64 != 0)
                });
                self.put_long(it.to, &sum.each(|it| it.0), active);
                self.put_condition(it.conditions_to[0], sum.each(|it| it.1), active);
            }
            Opcode::ImadHi { is_signed } => {
                let c = self.long(it.c);
                let sum: [(u64, bool); 32] = each(|at| wide(is_signed, at).overflowing_add(c[at]));
                self.put(it.to, &sum.each(|it| (it.0 >> 32) as u32), active);
                self.put_condition(it.conditions_to[0], sum.each(|it| it.1), active);
            }
            _ => {}
        }
    }

    /// Of four bytes each, or of two halves and two bytes.
    pub(super) fn sum_of_products(&mut self, it: &Instruction, active: u32) {
        let Opcode::Idp { is_signed, halves } = it.opcode else { return };
        let [a, b, c] = [it.a, it.b, it.c].map(|it| self.word(it, 0));
        let part = |word: u32, at: usize, bytes: u8, is_signed: bool| {
            let part = u64::from(word) >> (8 * usize::from(bytes) * at) & !(!0 << (8 * bytes));
            if is_signed { signed(part, bytes) } else { part.cast_signed() }
        };
        let sum = each(|lane| {
            let product = |at: usize| {
                let (a, b) = (a[lane], b[lane]);
                match halves {
                    None => part(a, at, 1, is_signed[0]) * part(b, at, 1, is_signed[1]),
                    Some(bytes) => {
                        let first = if bytes == WordHalf::Upper { 2 } else { 0 };
                        part(a, at, 2, is_signed[0]) * part(b, first + at, 1, is_signed[1])
                    }
                }
            };
            let count = if halves.is_some() { 2 } else { 4 };
            c[lane].wrapping_add((0..count).map(product).sum::<i64>() as u32)
        });
        self.put(it.to, &sum, active);
    }
}
