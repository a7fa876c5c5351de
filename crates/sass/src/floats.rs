//! Floating-point numbers: arithmetic, comparisons, conversions, special functions.

use super::instruction::Instruction;
use super::lanes::{MapLanes, each};
use super::opcode::{Combination, Comparison, Opcode, Rounding, SpecialFunction};
use super::values::{Registers, signed};

impl Registers<'_> {
    pub(super) fn single(&mut self, it: &Instruction, active: u32) {
        let (a, b, c) = (self.f32(it.a), self.f32(it.b), self.f32(it.c));
        let is = self.condition(it.conditions[0]);
        let value = match it.opcode {
            Opcode::Fmul => each(|at| a[at] * b[at]),
            Opcode::Fadd => each(|at| a[at] + b[at]),
            Opcode::Ffma => each(|at| a[at].mul_add(b[at], c[at])),
            Opcode::Fmnmx => each(|at| if is[at] { a[at].min(b[at]) } else { a[at].max(b[at]) }),
            _ => each(|at| if is[at] { a[at] } else { b[at] }),
        };
        self.put_f32(it.to, value, active);
    }

    pub(super) fn double(&mut self, it: &Instruction, active: u32) {
        let (a, b) = (self.f64(it.a), self.f64(it.b));
        let value = match it.opcode {
            Opcode::Dmul => each(|at| a[at] * b[at]),
            Opcode::Dadd => each(|at| a[at] + b[at]),
            _ => {
                let c = self.f64(it.c);
                each(|at| a[at].mul_add(b[at], c[at]))
            }
        };
        self.put_f64(it.to, value, active);
    }

    pub(super) fn compare_doubles(
        &mut self,
        it: &Instruction,
        comparison: Comparison,
        how: Combination,
        active: u32,
    ) {
        let (a, b) = (self.f64(it.a), self.f64(it.b));
        // Of the lesser or greater of two, the conditions say whether it is a, and whether b is a NaN.
        let chosen = |is: fn(f64, f64) -> bool| each(|at| is(a[at], b[at]) || b[at].is_nan());
        let is = match comparison.0 {
            0 => chosen(|a, b| a < b),
            15 => chosen(|a, b| a > b),
            _ => {
                let is = each(|at| comparison.of(a[at].partial_cmp(&b[at])));
                return self.put_compared(it, is, how, active);
            }
        };
        self.put_condition(it.conditions_to[0], is, active);
        self.put_condition(it.conditions_to[1], b.each(f64::is_nan), active);
    }

    /// Conversions and special functions.
    pub(super) fn convert(&mut self, it: &Instruction, active: u32) {
        let f64s = |of: &Self, bytes: u8| match bytes {
            8 => of.f64(it.b),
            _ => of.f32(it.b).each(f64::from),
        };
        match it.opcode {
            Opcode::F2f { from, to: 8 } => self.put_f64(it.to, f64s(self, from), active),
            Opcode::F2f { from, .. } => {
                self.put_f32(it.to, f64s(self, from).each(|it| it as f32), active);
            }
            Opcode::Frnd { bytes, rounding } => {
                let rounded = f64s(self, bytes).each(|it| rounded(it, rounding));
                match bytes {
                    8 => self.put_f64(it.to, rounded, active),
                    _ => self.put_f32(it.to, rounded.each(|it| it as f32), active),
                }
            }
            Opcode::F2i { from, to, is_signed, rounding } => {
                let whole = f64s(self, from).each(|it| rounded(it, rounding));
                let value = whole.each(|it| match (to, is_signed) {
                    (8, true) => (it as i64).cast_unsigned(),
                    (8, false) => it as u64,
                    (_, true) => (it as i32).cast_unsigned().into(),
                    (_, false) => (it as u32).into(),
                });
                match to {
                    8 => self.put_long(it.to, &value, active),
                    _ => self.put(it.to, &value.each(|it| it as u32), active),
                }
            }
            Opcode::I2f { from, part, to, is_signed, rounding } => {
                let value = match from {
                    8 => self.long(it.b),
                    _ => self.word(it.b, 0).each(u64::from),
                };
                let value = value.each(|it| {
                    let it = it >> (8 * from * part);
                    match is_signed {
                        true => i128::from(signed(it, from)),
                        false => i128::from(it & u64::MAX >> (64 - 8 * from)),
                    }
                });
                match to {
                    8 => self.put_f64(it.to, value.each(|it| it as f64), active),
                    _ => self.put_f32(it.to, value.each(|it| single(it, rounding)), active),
                }
            }
            Opcode::I2fp { is_signed } => {
                let value = self.word(it.b, 0).each(|it| match is_signed {
                    true => it.cast_signed() as f32,
                    false => it as f32,
                });
                self.put_f32(it.to, value, active);
            }
            Opcode::Mufu(function) => self.special(it, function, active),
            _ => {
                // Of numbers whose quotient or its steps might leave the normal ones.
                let exponent = |it: f32| (it.to_bits() >> 23 & 0xff).cast_signed();
                let (a, b) = (self.f32(it.a), self.f32(it.b));
                let is = each(|at| {
                    let (a, b) = (exponent(a[at]), exponent(b[at]));
                    !(25..=252).contains(&a) || !(2..=252).contains(&b) || (a - b).abs() > 124
                });
                self.put_condition(it.conditions_to[0], is, active);
            }
        }
    }

    fn special(&mut self, it: &Instruction, function: SpecialFunction, active: u32) {
        let upper = |of: &Self, function: fn(f64) -> f64| {
            of.word(it.b, 0).each(|it| {
                let value = function(f64::from_bits(u64::from(it) << 32));
                (value.to_bits() >> 32) as u32
            })
        };
        let value = match function {
            SpecialFunction::Reciprocal => self.f32(it.b).each(|it| (1.0 / it).to_bits()),
            SpecialFunction::ReciprocalRoot => {
                self.f32(it.b).each(|it| ((1.0 / f64::from(it).sqrt()) as f32).to_bits())
            }
            SpecialFunction::Root => self.f32(it.b).each(|it| it.sqrt().to_bits()),
            SpecialFunction::UpperReciprocal => upper(self, |it| 1.0 / it),
            SpecialFunction::UpperReciprocalRoot => upper(self, |it| 1.0 / it.sqrt()),
        };
        self.put(it.to, &value, active);
    }
}

fn rounded(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
        Rounding::Zero => value.trunc(),
    }
}

/// An integer of at most 64 bits as an f32.
fn single(value: i128, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    match (rounding, (nearest as i128).cmp(&value)) {
        (Rounding::Up, std::cmp::Ordering::Less) => nearest.next_up(),
        (Rounding::Down, std::cmp::Ordering::Greater) => nearest.next_down(),
        _ => nearest,
    }
}
