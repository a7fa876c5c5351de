//! Sums of integers, with carries and shifts; their products; the least and the greatest of them.

use super::instruction::Instruction;
use super::lanes::{Lanes, MapLanes, WideLanes, each};
use super::opcode::{Comparison, Opcode, WordHalf};
use super::operand::Operand;
use super::values::{Registers, joined, signed, term};

impl Registers<'_> {
    /// How integers compare.
    #[inline(always)]
    pub(super) fn compared(
        &self,
        it: &Instruction,
        comparison: Comparison,
        (is_signed, is_upper): (bool, bool),
    ) -> [bool; 32] {
        // Numbers with a sign are in order as others are with that bit flipped.
        let flipped = if is_signed { 1 << 31 } else { 0 };
        let (a, b) = (self.word(it.a, 0), self.word(it.b, 0));
        let (a, b) = (each!(|at| a[at] ^ flipped), each!(|at| b[at] ^ flipped));
        let [less, equal, greater] = [0, 1, 2].map(|bit| comparison.0 >> bit & 1 == 1);
        if is_upper {
            // Of different upper words, equality of the lower ones does not count.
            let lower = self.condition(it.conditions[1]);
            return each!(|at| {
                (a[at] < b[at]) & less | (a[at] > b[at]) & greater | (a[at] == b[at]) & lower[at]
            });
        }
        each!(|at| (a[at] < b[at]) & less | (a[at] > b[at]) & greater | (a[at] == b[at]) & equal)
    }

    /// Of two words the first where a condition holds.
    #[inline(always)]
    pub(super) fn chosen(&self, it: &Instruction, a: &Lanes, b: &Lanes) -> Lanes {
        let is = self.condition(it.conditions[0]);
        each!(|at| if is[at] { a[at] } else { b[at] })
    }

    #[inline(always)]
    pub(super) fn sum(&mut self, it: &Instruction, is_upper: bool, active: u32) {
        if !is_upper && !it.writes_conditions() {
            let (a, b, c) = (self.integer(it.a), self.integer(it.b), self.integer(it.c));
            let sum = each!(|at| a[at].wrapping_add(b[at]).wrapping_add(c[at]));
            return self.put(it.to, &sum, active);
        }
        let (a, b, c) = (self.word(it.a, 0), self.word(it.b, 0), self.word(it.c, 0));
        let mut sum: WideLanes = each!(|at| {
            term(a[at], it.a.is_negated, is_upper)
                + term(b[at], it.b.is_negated, is_upper)
                + term(c[at], it.c.is_negated, is_upper)
        });
        if is_upper {
            let one = self.condition(it.conditions[0]);
            let other = self.condition(it.conditions[1]);
            sum = each!(|at| sum[at] + u64::from(one[at]) + u64::from(other[at]));
        }
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
            return self.put(it.to, &each!(|at| a[at].wrapping_add(b[at])), active);
        }
        let carry = self.condition(it.conditions[0]).each(u64::from);
        let term = |word, is_negated| term(word, is_negated, takes_carry);
        let sum: WideLanes = each!(|at| {
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

impl Registers<'_> {
    #[inline(always)]
    pub(super) fn product(&mut self, it: &Instruction, active: u32) {
        let (a, b) = (self.word(it.a, 0), self.integer(it.b));
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
                let sum = each!(|at| a[at].wrapping_mul(b[at]).wrapping_add(c[at]));
                self.put(it.to, &sum, active);
            }
            Opcode::ImadWide { is_signed, takes_carry: false } if !it.writes_conditions() => {
                let c = self.long(it.c);
                let c = if it.c.is_negated { c.each(u64::wrapping_neg) } else { c };
                let sum = each!(|at| wide(is_signed, at).wrapping_add(c[at]));
                self.put_long(it.to, &sum, active);
            }
            Opcode::Imad { is_upper } => {
                let carry = self.condition(it.conditions[0]).each(u64::from);
                let c = self.word(it.c, 0);
                // What is taken away from an upper word is its complement; the carry makes up for it.
                let third: [u64; 32] = each!(|at| match (is_upper, it.c.is_negated) {
                    (true, true) => u64::from(!c[at]) + carry[at],
                    (true, false) => u64::from(c[at]) + carry[at],
                    (false, true) => c[at].wrapping_neg().into(),
                    (false, false) => c[at].into(),
                });
                let sum: WideLanes = each!(|at| u64::from(a[at].wrapping_mul(b[at])) + third[at]);
                self.put(it.to, &sum.each(|it| it as u32), active);
                self.put_condition(it.conditions_to[0], sum.each(|it| it >> 32 != 0), active);
            }
            Opcode::ImadWide { is_signed, takes_carry } => {
                let carry = self.condition(it.conditions[0]).each(u64::from);
                let c = self.long(it.c);
                let sum: [(u64, bool); 32] = each!(|at| {
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
                let sum: [(u64, bool); 32] = each!(|at| wide(is_signed, at).overflowing_add(c[at]));
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
        let sum = each!(|lane| {
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

impl Registers<'_> {
    /// Of two or three words, of halves, or of a sum and a word: by a condition the least or the greatest.
    pub(super) fn extremum(&self, it: &Instruction) -> Lanes {
        let (a, b, c) = (self.word(it.a, 0), self.integer(it.b), self.word(it.c, 0));
        let is = self.condition(it.conditions[0]);
        let chosen = |a: u32, b: u32, is_signed: bool, at: usize| match (is_signed, is[at]) {
            (true, true) => a.cast_signed().min(b.cast_signed()).cast_unsigned(),
            (true, false) => a.cast_signed().max(b.cast_signed()).cast_unsigned(),
            (false, true) => a.min(b),
            (false, false) => a.max(b),
        };
        let positive = |it: u32, is_positive| match is_positive {
            true => it.cast_signed().max(0).cast_unsigned(),
            false => it,
        };
        match it.opcode {
            Opcode::Vimnmx { is_signed, has_halves: true, .. } => each!(|at| {
                let half = |word: u32, by: u32| {
                    let half = (word >> by) as u16;
                    if is_signed {
                        i32::from(half.cast_signed()).cast_unsigned()
                    } else {
                        half.into()
                    }
                };
                [0, 16].into_iter().fold(0, |all, by| {
                    let chosen = chosen(half(a[at], by), half(b[at], by), is_signed, at);
                    all | (chosen & 0xffff) << by
                })
            }),
            Opcode::Vimnmx { is_signed, is_positive, .. } => {
                each!(|at| positive(chosen(a[at], b[at], is_signed, at), is_positive))
            }
            Opcode::Vimnmx3 { is_signed } => {
                each!(|at| chosen(chosen(a[at], b[at], is_signed, at), c[at], is_signed, at))
            }
            Opcode::Viaddmnmx { is_signed, is_positive } => each!(|at| {
                let sum = a[at].wrapping_add(b[at]);
                positive(chosen(sum, c[at], is_signed, at), is_positive)
            }),
            _ => [0; 32],
        }
    }
}
