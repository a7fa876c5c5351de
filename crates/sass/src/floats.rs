//! Floating-point numbers: arithmetic, comparisons, conversions, special functions.

use super::halves::extremum;
use super::instruction::Instruction;
use super::lanes::{MapLanes, each};
use super::opcode::{
    Combination, Comparison, FloatMode, HalfFormat, Opcode, Rounding, SpecialFunction,
};
use super::rounding::{NAN, long_fused, long_product, long_sum, narrow};
use super::special_functions::{half_result, result};
use super::values::{Registers, signed};

impl Registers<'_> {
    #[inline(always)]
    pub(super) fn single(&mut self, it: &Instruction, active: u32) {
        let (a, b, mode) = (self.f32(it.a), self.f32(it.b), it.mode);
        let is_plain = mode == FloatMode::PLAIN;
        let value = match it.opcode {
            Opcode::Fmul if is_plain => each!(|at| a[at] * b[at]),
            Opcode::Fadd if is_plain => each!(|at| a[at] + b[at]),
            Opcode::Fmul => each!(|at| mode.product(a[at], b[at])),
            Opcode::Fadd => each!(|at| mode.sum(a[at], b[at])),
            Opcode::Ffma => {
                let c = self.f32(it.c);
                match is_plain {
                    true => each!(|at| a[at].mul_add(b[at], c[at])),
                    false => each!(|at| mode.fused(a[at], b[at], c[at])),
                }
            }
            Opcode::Fmnmx { keeps_nan } => {
                let is = self.condition(it.conditions[0]);
                each!(|at| {
                    let [a, b] = [a[at], b[at]].map(|it| f64::from(mode.operand(it)));
                    let is_none = keeps_nan && (a.is_nan() || b.is_nan());
                    if is_none { f32::NAN } else { extremum(a, b, is[at]) as f32 }
                })
            }
            // A choice keeps all bits, those of what is no number, too.
            _ => {
                let is = self.condition(it.conditions[0]);
                let value = each!(|at| if is[at] { a[at] } else { b[at] });
                return self.put_f32(it.to, value, active);
            }
        };
        let bits = value.each(|it| if it.is_nan() { NAN } else { it.to_bits() });
        self.put(it.to, &bits, active);
    }

    /// How numbers compare; no number is neither less than another nor equal to it nor greater.
    #[inline(always)]
    pub(super) fn compared_singles(&self, it: &Instruction, comparison: Comparison) -> [bool; 32] {
        let (a, b) = (self.f32(it.a), self.f32(it.b));
        let (a, b) = match it.mode.flushes {
            true => (a.each(|a| it.mode.operand(a)), b.each(|b| it.mode.operand(b))),
            false => (a, b),
        };
        let [less, equal, greater, none] = [0, 1, 2, 3].map(|bit| comparison.0 >> bit & 1 == 1);
        each!(|at| {
            let (a, b) = (a[at], b[at]);
            (a < b) & less | (a == b) & equal | (a > b) & greater | (a.is_nan() | b.is_nan()) & none
        })
    }

    #[inline(always)]
    pub(super) fn double(&mut self, it: &Instruction, active: u32) {
        let (a, b) = (self.f64(it.a), self.f64(it.b));
        let value = match it.opcode {
            Opcode::Dmul => each!(|at| long_product(a[at], b[at], it.mode.rounding)),
            Opcode::Dadd => each!(|at| long_sum(a[at], b[at], it.mode.rounding)),
            _ => {
                let c = self.f64(it.c);
                each!(|at| long_fused(a[at], b[at], c[at], it.mode.rounding))
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
        let chosen = |is: fn(f64, f64) -> bool| each!(|at| is(a[at], b[at]) || b[at].is_nan());
        let is = match comparison.0 {
            0 => chosen(|a, b| a < b),
            15 => chosen(|a, b| a > b),
            _ => {
                let is = each!(|at| comparison.of(a[at].partial_cmp(&b[at])));
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
            2 => of.half(it),
            _ => of.f32(it.b).each(|value| f64::from(it.mode.operand(value))),
        };
        match it.opcode {
            Opcode::F2f { from, to } => {
                let value = f64s(self, from);
                self.put_float(it, to, value, active);
            }
            Opcode::Frnd { bytes, rounding } => {
                let rounded = f64s(self, bytes).each(|it| rounded(it, rounding));
                self.put_float(it, bytes, rounded, active);
            }
            Opcode::F2i { from, to, is_signed, rounding } => {
                let whole = f64s(self, from).each(|it| rounded(it, rounding));
                let value = whole.each(|it| match (to, is_signed) {
                    (8, _) if it.is_nan() => 1 << 63,
                    (8, true) => (it as i64).cast_unsigned(),
                    (8, false) => it as u64,
                    (2, true) => (it as i16 as i32).cast_unsigned().into(),
                    (2, false) => (it as u16).into(),
                    (1, true) => (it as i8 as i32).cast_unsigned().into(),
                    (1, false) => (it as u8).into(),
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
                    2 => self.put_float(it, 2, value.each(|it| it as f64), active),
                    _ => self.put_f32(it.to, value.each(|it| single(it, rounding)), active),
                }
            }
            Opcode::I2fp { is_signed } => {
                let value = self.word(it.b, 0).each(|value| {
                    let value = match is_signed {
                        true => i128::from(value.cast_signed()),
                        false => value.into(),
                    };
                    single(value, it.mode.rounding)
                });
                self.put_f32(it.to, value, active);
            }
            Opcode::Mufu(function, half) => self.special(it, function, half, active),
            _ => {
                // Of numbers whose quotient or its steps might leave the normal ones.
                let exponent = |it: f32| (it.to_bits() >> 23 & 0xff).cast_signed();
                let (a, b) = (self.f32(it.a), self.f32(it.b));
                let is = each!(|at| {
                    let (a, b) = (exponent(a[at]), exponent(b[at]));
                    !(25..=252).contains(&a) || !(2..=252).contains(&b) || (a - b).abs() > 124
                });
                self.put_condition(it.conditions_to[0], is, active);
            }
        }
    }

    /// Of which half a bit says.
    fn half(&self, it: &Instruction) -> [f64; 32] {
        let sign = |value: f64| if it.b.is_negated { -value } else { value };
        let size = |value: f64| if it.b.is_absolute { value.abs() } else { value };
        self.word(it.b, 0).each(|it| sign(size(HalfFormat::F16.widen(it as u16))))
    }

    /// A number as one of this many bytes, rounded as is said.
    fn put_float(&mut self, it: &Instruction, bytes: u8, value: [f64; 32], active: u32) {
        match bytes {
            8 => self.put_f64(it.to, value, active),
            2 => {
                let half = value.each(|it| u32::from(HalfFormat::F16.narrow(it)));
                self.put(it.to, &half, active);
            }
            _ => {
                let rounding = match it.opcode {
                    Opcode::F2f { .. } => it.mode.rounding,
                    _ => Rounding::Nearest,
                };
                let value = value.each(|value| it.mode.operand(narrow(value, rounding)));
                self.put_f32(it.to, value, active);
            }
        }
    }

    fn special(
        &mut self,
        it: &Instruction,
        function: SpecialFunction,
        half: Option<HalfFormat>,
        active: u32,
    ) {
        let value = match half {
            // Of the upper word of an f64 alike: its sign is where an f32 has it.
            None => self.f32(it.b).each(|it| result(function, it.to_bits())),
            Some(format) => {
                let clear = if it.b.is_absolute { 0x7fff } else { 0xffff };
                let flip = if it.b.is_negated { 0x8000 } else { 0 };
                self.word(it.b, 0)
                    .each(|it| half_result(function, it as u16 & clear ^ flip, format).into())
            }
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
        (Rounding::Zero, std::cmp::Ordering::Less) if value < 0 => nearest.next_up(),
        (Rounding::Down, std::cmp::Ordering::Greater) => nearest.next_down(),
        (Rounding::Zero, std::cmp::Ordering::Greater) if value > 0 => nearest.next_down(),
        _ => nearest,
    }
}
