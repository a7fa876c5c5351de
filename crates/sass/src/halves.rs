//! Floating-point numbers of 16 bits, two in a word: each result is rounded once.

use super::instruction::Instruction;
use super::lanes::{Lanes, each};
use super::opcode::{Combination, Float8, Float8Pack, HalfFormat, HalfParts, Halves, Opcode};
use super::operand::Operand;
use super::rounding::{to_odd, two_sum};
use super::values::Registers;

impl HalfFormat {
    /// Bits of the fraction, and the least exponent of a normal number.
    const fn shape(self) -> (i32, i32) {
        match self {
            Self::F16 => (10, -14),
            Self::Bf16 => (7, -126),
        }
    }

    pub(super) fn widen(self, half: u16) -> f64 {
        let (fraction_bits, least) = self.shape();
        let fraction = f64::from(half & !(u16::MAX << fraction_bits));
        let exponent = i32::from(half & 0x7fff) >> fraction_bits;
        let size = match exponent {
            0 => fraction * 2_f64.powi(least - fraction_bits),
            it if it == 0x7fff >> fraction_bits => match fraction == 0.0 {
                true => f64::INFINITY,
                false => f64::NAN,
            },
            it => {
                (fraction + 2_f64.powi(fraction_bits)) * 2_f64.powi(it - 1 + least - fraction_bits)
            }
        };
        if half >> 15 == 1 { -size } else { size }
    }

    /// To the nearest one, ties to even.
    pub(super) fn narrow(self, value: f64) -> u16 {
        let (fraction_bits, _) = self.shape();
        let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
        if value.is_nan() {
            return 0x7fff;
        }
        let infinite = 0x7fff & u16::MAX << fraction_bits;
        let size = value.abs();
        if size.is_infinite() {
            return sign | infinite;
        }
        sign | nearest_bits(size, self.shape()).min(infinite.into()) as u16
    }
}

/// Of a positive number: its exponent and fraction side by side, in a format without an end.
fn nearest_bits(size: f64, (fraction_bits, least): (i32, i32)) -> u32 {
    let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(least);
    // Units in the last place: a whole number of at most 11 bits.
    let units = (size * 2_f64.powi(fraction_bits - exponent)).round_ties_even() as u32;
    ((exponent - least) as u32) * (1 << fraction_bits) + units
}

impl Float8 {
    /// To the nearest one, ties to even; what is too large is the greatest.
    fn narrow(self, value: f64) -> u32 {
        let (shape, greatest) = match self {
            Self::E4m3 => ((3, -6), 0x7e),
            Self::E5m2 => ((2, -14), 0x7b),
        };
        let sign = if value.is_sign_negative() { 0x80 } else { 0 };
        match value.abs() {
            it if it.is_nan() => 0x7f,
            it if it.is_infinite() => sign | greatest,
            it => sign | nearest_bits(it, shape).min(greatest),
        }
    }

    /// As a half, which has all of them.
    fn widen(self, byte: u32) -> u32 {
        let (sign, size) = (byte & 0x80, byte & 0x7f);
        match self {
            Self::E5m2 if size > 0x7c => 0x7fff,
            Self::E5m2 => byte << 8,
            Self::E4m3 if size == 0x7f => 0x7fff,
            Self::E4m3 => {
                let (exponent, fraction) = (size >> 3, f64::from(size & 7));
                let value = match exponent {
                    0 => fraction * 2_f64.powi(-9),
                    it => (8.0 + fraction) * 2_f64.powi(it as i32 - 10),
                };
                sign << 8 | u32::from(HalfFormat::F16.narrow(value))
            }
        }
    }
}

/// A lane's value of both halves.
type Pair = [f64; 2];

impl Registers<'_> {
    fn pairs(&self, operand: Operand, format: HalfFormat, parts: HalfParts) -> [Pair; 32] {
        let word = self.word(operand, 0);
        each!(|at| {
            let half = |by: u32| format.widen((word[at] >> by) as u16);
            let pair = match parts {
                HalfParts::Both => [half(0), half(16)],
                HalfParts::Single => [f64::from(f32::from_bits(word[at])); 2],
                HalfParts::Lower => [half(0); 2],
                HalfParts::Upper => [half(16); 2],
            };
            pair.map(|it| {
                let it = if operand.is_absolute { it.abs() } else { it };
                if operand.is_negated { -it } else { it }
            })
        })
    }

    /// Sums, products, least and greatest, and comparisons that give numbers.
    pub(super) fn halves(&mut self, it: &Instruction, halves: Halves, active: u32) {
        let Halves { format, parts, is_wide } = halves;
        let [a, b, c] = [(it.a, 0), (it.b, 1), (it.c, 2)]
            .map(|(operand, at)| self.pairs(operand, format, parts[at]));
        let is = self.condition(it.conditions[0]);
        let of = |at: usize, half: usize| {
            let (a, b, c) = (a[at][half], b[at][half], c[at][half]);
            match it.opcode {
                Opcode::Hadd2(_) => to_odd(two_sum(a, b)),
                Opcode::Hmul2(_) => a * b,
                Opcode::Hfma2(_) => to_odd(two_sum(a * b, c)),
                Opcode::Hset2 { comparison, is_number, .. } => {
                    match (comparison.of(a.partial_cmp(&b)) && is[at], is_number) {
                        (false, _) => 0.0,
                        (true, true) => 1.0,
                        (true, false) => f64::NAN,
                    }
                }
                _ => extremum(a, b, is[at]),
            }
        };
        if is_wide {
            let value: Lanes = each!(|at| (of(at, 0) as f32).to_bits());
            return self.put(it.to, &value, active);
        }
        let value: Lanes = each!(|at| {
            let half = |half: usize| {
                let value = of(at, half);
                match it.opcode {
                    Opcode::Hset2 { is_number: false, .. } if value.is_nan() => 0xffff,
                    _ => u32::from(format.narrow(value)),
                }
            };
            half(0) | half(1) << 16
        });
        self.put(it.to, &value, active);
    }

    /// Comparisons that give conditions.
    pub(super) fn compare_halves(&mut self, it: &Instruction, active: u32) {
        let Opcode::Hsetp2 { halves, comparison, combination, needs_both } = it.opcode else {
            return;
        };
        let [a, b] =
            [(it.a, 0), (it.b, 1)].map(|(of, at)| self.pairs(of, halves.format, halves.parts[at]));
        let other = self.condition(it.conditions[0]);
        let combine = |a: bool, b: bool| match combination {
            Combination::And => a && b,
            Combination::Or => a || b,
            Combination::Xor => a != b,
        };
        let is = |at: usize, half: usize| comparison.of(a[at][half].partial_cmp(&b[at][half]));
        let results: [[bool; 32]; 2] = match needs_both {
            true => {
                let both = |at: usize| is(at, 0) && is(at, 1);
                [
                    each!(|at| combine(both(at), other[at])),
                    each!(|at| combine(!both(at), other[at])),
                ]
            }
            false => [0, 1].map(|half| each!(|at| combine(is(at, half), other[at]))),
        };
        self.put_condition(it.conditions_to[0], results[0], active);
        self.put_condition(it.conditions_to[1], results[1], active);
    }

    /// Two numbers of 8 bits, from two others or to two halves.
    pub(super) fn pack_bytes(
        &mut self,
        it: &Instruction,
        (format, pack): (Float8, Float8Pack),
        active: u32,
    ) {
        let (a, b) = (self.word(it.a, 0), self.word(it.b, 0));
        let both = |[lower, upper]: [f64; 2]| format.narrow(upper) << 8 | format.narrow(lower);
        let half = |word: u32| HalfFormat::F16.widen(word as u16);
        let float = |word: u32| f64::from(f32::from_bits(word));
        let value = each!(|at| match pack {
            Float8Pack::OfFloats => both([b[at], a[at]].map(float)),
            Float8Pack::OfHalves => both([b[at], b[at] >> 16].map(half)),
            Float8Pack::ToHalves { is_upper } => {
                let of = if is_upper { b[at] >> 16 } else { b[at] };
                format.widen(of >> 8 & 0xff) << 16 | format.widen(of & 0xff)
            }
        });
        self.put(it.to, &value, active);
    }

    /// Two f32, a the upper half.
    pub(super) fn pack(&mut self, it: &Instruction, format: HalfFormat, active: u32) {
        let (a, b) = (self.f32(it.a), self.f32(it.b));
        let half = |it: f32| u32::from(format.narrow(it.into()));
        self.put(it.to, &each!(|at| half(a[at]) << 16 | half(b[at])), active);
    }
}

/// The least or the greatest of two, of which a NaN is none; −0 is less than 0.
pub(super) fn extremum(a: f64, b: f64, is_least: bool) -> f64 {
    let a_is_less = a < b || a == b && a.is_sign_negative();
    match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ => {
            if a_is_less == is_least {
                a
            } else {
                b
            }
        }
    }
}

/// A word's two halves, added.
pub(super) fn sum_of_halves(format: HalfFormat, a: u32, b: u32) -> u32 {
    let half = |by: u32| {
        let [a, b] = [a, b].map(|it| format.widen((it >> by) as u16));
        u32::from(format.narrow(to_odd(two_sum(a, b)))) << by
    };
    half(0) | half(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_is_what_it_is_widened_to() {
        for format in [HalfFormat::F16, HalfFormat::Bf16] {
            for half in 0..=u16::MAX {
                let wide = format.widen(half);
                if !wide.is_nan() {
                    assert_eq!(format.narrow(wide), half, "{format:?} {half:#x}");
                }
                if format == HalfFormat::Bf16 && !wide.is_nan() {
                    assert_eq!(wide, f64::from(f32::from_bits(u32::from(half) << 16)));
                }
            }
        }
        // Beyond the greatest, between the two least, and ties.
        assert_eq!(HalfFormat::F16.narrow(65519.0), 0x7bff);
        assert_eq!(HalfFormat::F16.narrow(65520.0), 0x7c00);
        assert_eq!(HalfFormat::F16.narrow(2_f64.powi(-25)), 0);
        assert_eq!(HalfFormat::F16.narrow(3.0 * 2_f64.powi(-26)), 1);
        assert_eq!(HalfFormat::F16.narrow(2049.0), 0x6800);
    }
}
