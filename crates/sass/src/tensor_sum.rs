//! Sums as the tensor cores of an H100 and an H200 make them: the products of a row and a column, and what
//! stood there before, at once. All are shifted to the greatest exponent among them and cut after some bits
//! behind the point, and the sum is rounded towards zero, or to the nearest half. That is not published; it is
//! what random matrices of wide range gave on the devices, all bits of them.

use super::opcode::{Float8, HalfFormat, MatrixElement};

/// What NaN comes out as.
const NAN: u32 = 0x7fff_ffff;

/// Bits behind the point that are kept.
#[derive(Clone, Copy)]
struct Precision {
    /// Of an addend, behind the point of the greatest.
    addend: i32,
    /// Of a sum of 32 bits.
    sum: i32,
}

/// How many bits a floating-point number has, and its fraction.
#[derive(Clone, Copy)]
pub(super) struct FloatFormat {
    bits: u32,
    fraction_bits: u32,
    has_infinity: bool,
}

/// A floating-point number: significand · 2^exponent, or none.
#[derive(Clone, Copy)]
pub(super) enum Split {
    Finite { significand: i64, exponent: i32, fraction_bits: u32 },
    Infinite { is_negative: bool },
    Nan,
}

impl MatrixElement {
    /// The fields of the floating-point numbers of both factors; none, if they are others.
    pub(super) fn formats(self) -> Option<[FloatFormat; 2]> {
        Some(match self {
            Self::Half(HalfFormat::F16, _) => [FloatFormat::of(16, 10); 2],
            Self::Half(HalfFormat::Bf16, _) => [FloatFormat::of(16, 7); 2],
            Self::Float8(formats, _) => formats.map(|it| match it {
                Float8::E4m3 => FloatFormat { has_infinity: false, ..FloatFormat::of(8, 3) },
                Float8::E5m2 => FloatFormat::of(8, 2),
            }),
            Self::Tf32 => [FloatFormat::of(32, 23); 2],
            Self::Double | Self::Byte(_) | Self::Bit => return None,
        })
    }

    fn precision(self) -> Precision {
        match self {
            Self::Float8(..) => Precision { addend: 13, sum: 13 },
            _ => Precision { addend: 25, sum: 23 },
        }
    }

    /// A row times a column, and a word before.
    pub(super) fn float_sum(self, a: &[Split], b: &[Split], c: u64) -> u64 {
        let precision = self.precision();
        let add = |format: FloatFormat| Addends::of(a, b, format.split(c), precision.addend);
        match self.bits().1 {
            16 => add(FloatFormat::of(16, 10)).to_half().into(),
            _ => add(FloatFormat::of(32, 23)).to_f32(precision.sum).into(),
        }
    }
}

impl FloatFormat {
    const fn of(bits: u32, fraction_bits: u32) -> Self {
        Self { bits, fraction_bits, has_infinity: true }
    }

    /// Of a factor; of 32 bits the lowest 13 do not count.
    pub(super) fn factor(self, word: u64) -> Split {
        self.split(if self.bits == 32 { word & !0x1fff } else { word })
    }

    fn split(self, word: u64) -> Split {
        let exponent_bits = self.bits - 1 - self.fraction_bits;
        let most = (1_u64 << exponent_bits) - 1;
        let fraction_mask = (1 << self.fraction_bits) - 1;
        let fraction = word & fraction_mask;
        let exponent = word >> self.fraction_bits & most;
        let is_negative = word >> (self.bits - 1) & 1 == 1;
        match (exponent == most, self.has_infinity) {
            (true, true) if fraction == 0 => return Split::Infinite { is_negative },
            (true, true) => return Split::Nan,
            (true, false) if fraction == fraction_mask => return Split::Nan,
            _ => {}
        }
        let hidden = u64::from(exponent != 0) << self.fraction_bits;
        let significand = (hidden | fraction).cast_signed();
        Split::Finite {
            significand: if is_negative { -significand } else { significand },
            exponent: exponent.max(1) as i32 - (most >> 1) as i32,
            fraction_bits: self.fraction_bits,
        }
    }
}

/// What is added at once: integers at a place, or what is no number.
enum Addends {
    /// Times 2^exponent, cut after the kept bits.
    Sum {
        value: i64,
        exponent: i32,
    },
    Special(u32),
}

impl Addends {
    fn of(a: &[Split], b: &[Split], c: Split, kept_bits: i32) -> Self {
        let all = || a.iter().zip(b).map(|(a, b)| a.times(*b)).chain([c]);
        let (mut infinite, mut is_nan, mut greatest) = ([false; 2], false, None);
        for it in all() {
            match it {
                Split::Finite { significand: 0, .. } => {}
                Split::Finite { exponent, .. } => greatest = greatest.max(Some(exponent)),
                Split::Infinite { is_negative } => infinite[usize::from(is_negative)] = true,
                Split::Nan => is_nan = true,
            }
        }
        if is_nan || infinite == [true; 2] {
            return Self::Special(NAN);
        }
        if let Some(sign) = infinite.iter().position(|it| *it) {
            return Self::Special(if sign == 1 { 0xff80_0000 } else { 0x7f80_0000 });
        }
        let Some(greatest) = greatest else {
            return Self::Sum { value: 0, exponent: 0 };
        };
        let shifted = |it: Split| {
            let Split::Finite { significand, exponent, fraction_bits } = it else { return 0 };
            let by = kept_bits - fraction_bits as i32 - (greatest - exponent);
            let size = significand.unsigned_abs();
            let size = match by {
                0.. => size << by.min(63),
                by => size.checked_shr(by.unsigned_abs()).unwrap_or(0),
            };
            size.cast_signed() * significand.signum()
        };
        Self::Sum { value: all().map(shifted).sum(), exponent: greatest - kept_bits }
    }

    /// Rounded towards zero, with so many bits behind the point.
    fn to_f32(&self, fraction_bits: i32) -> u32 {
        match *self {
            Self::Special(bits) => bits,
            Self::Sum { value, exponent } => {
                let size = value.unsigned_abs();
                if size == 0 {
                    return 0;
                }
                let sign = u32::from(value < 0) << 31;
                // The place of the lowest bit that is kept: of a fraction's, or of the least numbers.
                let top = size.ilog2() as i32;
                let lowest = (top + exponent - fraction_bits).max(-149);
                let by = lowest - exponent;
                let kept =
                    if by >= 0 { size.checked_shr(by as u32).unwrap_or(0) } else { size << -by };
                // And where a whole fraction's would be.
                let below = (23 - fraction_bits).min(lowest + 149);
                let (kept, lowest) = (kept << below, lowest - below);
                let biased = if kept >> 23 == 0 { 0 } else { lowest + 150 };
                if biased > 254 {
                    return sign | 0x7f80_0000;
                }
                sign | (biased as u32) << 23 | kept as u32 & 0x7f_ffff
            }
        }
    }

    /// Rounded to the nearest, of two as near to the even one.
    fn to_half(&self) -> u16 {
        match *self {
            Self::Special(NAN) => 0x7fff,
            Self::Special(bits) => (bits >> 16 & 0x8000) as u16 | 0x7c00,
            Self::Sum { value, exponent } => {
                HalfFormat::F16.narrow(value as f64 * f64::from(exponent).exp2())
            }
        }
    }
}

impl Split {
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Finite { significand, exponent, fraction_bits } => {
                Self::Finite { significand: -significand, exponent, fraction_bits }
            }
            Self::Infinite { is_negative } => Self::Infinite { is_negative: !is_negative },
            Self::Nan => Self::Nan,
        }
    }

    fn times(self, other: Self) -> Self {
        let negates = |it: &Self| match *it {
            Self::Finite { significand, .. } => significand < 0,
            Self::Infinite { is_negative } => is_negative,
            Self::Nan => false,
        };
        match (self, other) {
            (
                Self::Finite { significand: a, exponent, fraction_bits },
                Self::Finite { significand: b, exponent: other, fraction_bits: more },
            ) => Self::Finite {
                significand: a * b,
                exponent: exponent + other,
                fraction_bits: fraction_bits + more,
            },
            (Self::Nan, _) | (_, Self::Nan) => Self::Nan,
            (Self::Finite { significand: 0, .. }, _) | (_, Self::Finite { significand: 0, .. }) => {
                Self::Nan
            }
            (a, b) => Self::Infinite { is_negative: negates(&a) != negates(&b) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(element: MatrixElement, a: &[u64], b: &[u64], c: u64) -> u64 {
        let [of_a, of_b] = element.formats().expect("floating-point numbers");
        let split = |format: FloatFormat, of: &[u64]| -> Vec<Split> {
            of.iter().map(|it| format.factor(*it)).collect()
        };
        element.float_sum(&split(of_a, a), &split(of_b, b), c)
    }

    /// What an H100 gave, where the sum is not the nearest number.
    #[test]
    fn sums_are_those_of_the_device() {
        let half = MatrixElement::Half(HalfFormat::F16, true);
        let brain = MatrixElement::Half(HalfFormat::Bf16, true);
        let row = [0x9ce, 0x832, 0xcb54, 0x1fc8, 0x412a, 0xc0a1, 0xb8b5, 0x8fd8];
        let other = [0xba84, 0x3f40, 0x3c07, 0x3ab9, 0xc2ba, 0xc276, 0xbfb0, 0x3b5a];
        for (element, a, b, c, expected) in [
            (
                half,
                row,
                [0x2806, 0x23f, 0x7f4, 0xca8c, 0xc743, 0x57b3, 0xa8b3, 0xd422],
                0xb7bdafa5,
                0xc397f471,
            ),
            (
                brain,
                other,
                [0xc175, 0x3e3d, 0xc38c, 0xb927, 0xb929, 0x423d, 0xbcf8, 0x4364],
                0x4523138f,
                0xc394fed6,
            ),
            (
                brain,
                other,
                [0xc2b1, 0x4190, 0xc13c, 0xc4eb, 0x4327, 0xbb51, 0xba1f, 0xb78c],
                0xc1daf335,
                0xc672ed54,
            ),
        ] {
            assert_eq!(sum(element, &a, &b, c), expected, "{expected:#x}");
        }
    }

    #[test]
    fn what_is_no_number_stays_so() {
        let half = MatrixElement::Half(HalfFormat::F16, true);
        let (infinite, one, minus, zero) = (0x7c00, 0x3c00, 0xbc00, 0);
        assert_eq!(sum(half, &[infinite], &[one], 0), 0x7f80_0000);
        assert_eq!(sum(half, &[infinite], &[zero], 0), u64::from(NAN));
        assert_eq!(sum(half, &[infinite; 2], &[one, minus], 0), u64::from(NAN));
    }

    /// Of 8 bits, one format has no infinity, and sums keep 13 bits.
    #[test]
    fn floats_of_8_bits() {
        let of = MatrixElement::Float8([Float8::E4m3, Float8::E5m2], true);
        let (one_4, one_5) = (0x38, 0x3c);
        let bits = |it: f32| u64::from(it.to_bits());
        assert_eq!(sum(of, &[0x78], &[one_5], 0), bits(256.0));
        assert_eq!(sum(of, &[0x7f], &[one_5], 0), u64::from(NAN));
        assert_eq!(sum(of, &[one_4], &[0x7c], 0), bits(f32::INFINITY));
        let [near, far] = [-13, -14].map(|it| 1.0 + 2_f32.powi(it));
        assert_eq!(sum(of, &[one_4], &[one_5], bits(near - 1.0)), bits(near));
        assert_eq!(sum(of, &[one_4], &[one_5], bits(far - 1.0)), bits(1.0));
    }
}
