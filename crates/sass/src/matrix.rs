//! Products of small matrices that a warp holds: D = A · B + C, as the tensor cores of an H100 make them.
//!
//! An H100 adds the products of a row and a column, and the element of C, at once: all are shifted to the
//! greatest exponent among them and cut after [`KEPT_BITS`] bits behind the point, and the sum is rounded
//! towards zero. That is not published; it is what random matrices of wide range gave on the device. Sums of
//! 16 bits are rounded to the nearest. Doubles are added one after another, each fused and rounded to the
//! nearest, and bytes as integers that wrap.

use super::instruction::Instruction;
use super::lanes::Lanes;
use super::opcode::{HalfFormat, MatrixElement, MatrixProduct};
use super::values::Registers;

/// Columns of B.
const COLUMNS: usize = 8;
/// Of an addend, behind the point of the greatest.
const KEPT_BITS: i32 = 25;
/// What NaN comes out as.
const NAN: u32 = 0x7fff_ffff;

impl MatrixElement {
    /// Of an element of the factors, and of the sum.
    pub(super) fn bits(self) -> (u32, u32) {
        match self {
            Self::Half(_, is_wide) => (16, if is_wide { 32 } else { 16 }),
            Self::Tf32 => (32, 32),
            Self::Double => (64, 64),
            Self::Byte(_) => (8, 32),
        }
    }

    /// The fields of a floating-point number of the factors.
    fn format(self) -> FloatFormat {
        match self {
            Self::Half(HalfFormat::F16, _) => FloatFormat { bits: 16, fraction_bits: 10 },
            Self::Half(HalfFormat::Bf16, _) => FloatFormat { bits: 16, fraction_bits: 7 },
            _ => FloatFormat::TF32,
        }
    }
}

/// Where elements stand in the registers of a warp, which of 32 bits hold several, or half of one.
#[derive(Clone, Copy)]
struct Held {
    bits: usize,
}

impl Held {
    fn of_register(self) -> usize {
        (32 / self.bits).max(1)
    }

    /// The words of element `part` of its register, or pair of registers, `number`.
    fn value(self, registers: &[Lanes], lane: usize, number: usize, part: usize) -> u64 {
        if self.bits == 64 {
            let word = |at: usize| u64::from(registers[2 * number + at][lane]);
            return word(1) << 32 | word(0);
        }
        let word = u64::from(registers[number][lane]);
        word >> (self.bits * part) & (u64::MAX >> (64 - self.bits))
    }

    /// Of A, whose rows are dealt to four threads each: all rows, one after another.
    fn rows(self, registers: &[Lanes], rows: usize, depth: usize) -> Vec<u64> {
        let of = self.of_register();
        let upper = rows / 8;
        let at = |row: usize, k: usize| {
            let (lane, part) = (row % 8 * 4 + k / of % 4, k % of);
            self.value(registers, lane, row / 8 + upper * (k / (4 * of)), part)
        };
        (0..rows * depth).map(|it| at(it / depth, it % depth)).collect()
    }

    /// Of B, whose columns are.
    fn columns(self, registers: &[Lanes], depth: usize) -> Vec<u64> {
        let of = self.of_register();
        let at = |k: usize, column: usize| {
            self.value(registers, column * 4 + k / of % 4, k / (4 * of), k % of)
        };
        (0..COLUMNS * depth).map(|it| at(it % depth, it / depth)).collect()
    }

    /// Of a sum, whose rows are dealt in pairs: a lane's register and the part of it.
    fn sum_place(self, row: usize, column: usize) -> (usize, usize, usize) {
        let lane = row % 8 * 4 + column / 2;
        match self.of_register() {
            2 => (lane, row / 8, column % 2),
            _ => (lane, row / 8 * 2 + column % 2, 0),
        }
    }
}

impl Registers<'_> {
    /// For all threads of a warp.
    pub(super) fn multiply_matrices(&mut self, it: &Instruction, of: MatrixProduct) {
        let words = |operand: super::operand::Operand| -> Vec<Lanes> {
            (0..u16::from(operand.words)).map(|word| self.word(operand, word)).collect()
        };
        let [a, b, c] = [it.a, it.b, it.c].map(words);
        let (bits, sum_bits) = of.element.bits();
        let (held, sums) = (Held { bits: bits as usize }, Held { bits: sum_bits as usize });
        let (rows, depth) = (usize::from(of.rows), usize::from(of.depth));
        let (a, b) = (held.rows(&a, rows, depth), held.columns(&b, depth));
        let mut to = vec![[0; 32]; usize::from(it.words)];
        for row in 0..rows {
            for column in 0..COLUMNS {
                let (lane, register, part) = sums.sum_place(row, column);
                let old = sums.value(&c, lane, register, part);
                let (a, b) = (&a[row * depth..][..depth], &b[column * depth..][..depth]);
                let sum = of.element.sum(a, b, old);
                match sum_bits {
                    64 => {
                        to[2 * register][lane] = sum as u32;
                        to[2 * register + 1][lane] = (sum >> 32) as u32;
                    }
                    bits => to[register][lane] |= (sum as u32) << (bits as usize * part),
                }
            }
        }
        for (word, lanes) in to.iter().enumerate() {
            self.put_word(it.to, word as u16, lanes, u32::MAX);
        }
    }
}

impl MatrixElement {
    fn sum(self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let pairs = a.iter().zip(b);
        match self {
            Self::Double => pairs
                .fold(f64::from_bits(c), |sum, (a, b)| {
                    f64::from_bits(*a).mul_add(f64::from_bits(*b), sum)
                })
                .to_bits(),
            Self::Byte(signed) => {
                let value = |byte: u64, is_signed: bool| match is_signed {
                    true => i32::from(byte as u8 as i8),
                    false => i32::from(byte as u8),
                };
                let sum = pairs.fold(c as u32 as i32, |sum, (a, b)| {
                    sum.wrapping_add(value(*a, signed[0]) * value(*b, signed[1]))
                });
                u64::from(sum.cast_unsigned())
            }
            _ => {
                let format = self.format();
                let (sum_format, is_wide) = match self {
                    Self::Half(_, false) => (FloatFormat { bits: 16, fraction_bits: 10 }, false),
                    _ => (FloatFormat { bits: 32, fraction_bits: 23 }, true),
                };
                let sum = Addends::of(format, pairs, sum_format.split(c));
                match is_wide {
                    true => u64::from(sum.to_f32()),
                    false => u64::from(sum.to_half()),
                }
            }
        }
    }
}

/// How many bits a floating-point number has, and its fraction.
#[derive(Clone, Copy)]
struct FloatFormat {
    bits: u32,
    fraction_bits: u32,
}

/// A floating-point number: significand · 2^exponent, or none.
#[derive(Clone, Copy)]
enum Split {
    Finite { significand: i64, exponent: i32, fraction_bits: u32 },
    Infinite { is_negative: bool },
    Nan,
}

impl FloatFormat {
    /// Whose lowest 13 bits do not count.
    const TF32: Self = Self { bits: 32, fraction_bits: 23 };

    fn split(self, word: u64) -> Split {
        let exponent_bits = self.bits - 1 - self.fraction_bits;
        let most = (1_u64 << exponent_bits) - 1;
        let fraction = word & ((1 << self.fraction_bits) - 1);
        let exponent = word >> self.fraction_bits & most;
        let is_negative = word >> (self.bits - 1) & 1 == 1;
        if exponent == most {
            return if fraction == 0 { Split::Infinite { is_negative } } else { Split::Nan };
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
    fn of<'a>(
        format: FloatFormat,
        pairs: impl Iterator<Item = (&'a u64, &'a u64)>,
        c: Split,
    ) -> Self {
        let cut = |word: u64| if format.bits == 32 { word & !0x1fff } else { word };
        let mut all: Vec<(i64, i32, u32)> = vec![];
        let (mut infinite, mut is_nan) = ([false; 2], false);
        let mut add = |it: Split| match it {
            Split::Finite { significand: 0, .. } => {}
            Split::Finite { significand, exponent, fraction_bits } => {
                all.push((significand, exponent, fraction_bits));
            }
            Split::Infinite { is_negative } => infinite[usize::from(is_negative)] = true,
            Split::Nan => is_nan = true,
        };
        for (a, b) in pairs {
            add(format.split(cut(*a)).times(format.split(cut(*b))));
        }
        add(c);
        if is_nan || infinite == [true; 2] {
            return Self::Special(NAN);
        }
        if let Some(sign) = infinite.iter().position(|it| *it) {
            return Self::Special(if sign == 1 { 0xff80_0000 } else { 0x7f80_0000 });
        }
        let Some(exponent) = all.iter().map(|it| it.1).max() else {
            return Self::Sum { value: 0, exponent: 0 };
        };
        let shifted = |&(significand, own, fraction_bits): &(i64, i32, u32)| {
            let by = KEPT_BITS - fraction_bits as i32 - (exponent - own);
            let size = significand.unsigned_abs();
            let size = match by {
                0.. => size << by,
                by => size.checked_shr(by.unsigned_abs()).unwrap_or(0),
            };
            size.cast_signed() * significand.signum()
        };
        Self::Sum { value: all.iter().map(shifted).sum(), exponent: exponent - KEPT_BITS }
    }

    /// Rounded towards zero.
    fn to_f32(&self) -> u32 {
        match *self {
            Self::Special(bits) => bits,
            Self::Sum { value, exponent } => {
                let size = value.unsigned_abs();
                if size == 0 {
                    return 0;
                }
                let sign = u32::from(value < 0) << 31;
                // The place of the lowest bit that is kept: of 24 bits, or of the least numbers.
                let top = size.ilog2() as i32;
                let lowest = (top + exponent - 23).max(-149);
                let by = lowest - exponent;
                let kept =
                    if by >= 0 { size.checked_shr(by as u32).unwrap_or(0) } else { size << -by };
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
    fn times(self, other: Self) -> Self {
        let negates = |it: &Self| match *it {
            Self::Finite { significand, .. } => significand < 0,
            Self::Infinite { is_negative } => is_negative,
            Self::Nan => false,
        };
        match (self, other) {
            (
                Self::Finite { significand: a, exponent, fraction_bits },
                Self::Finite { significand: b, exponent: other, .. },
            ) => Self::Finite {
                significand: a * b,
                exponent: exponent + other,
                fraction_bits: 2 * fraction_bits,
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

    /// What an H100 gave, where the sum is not the nearest number.
    #[test]
    fn sums_are_those_of_the_device() {
        let half = MatrixElement::Half(HalfFormat::F16, true);
        let brain = MatrixElement::Half(HalfFormat::Bf16, true);
        let row = [0x9ce, 0x832, 0xcb54, 0x1fc8, 0x412a, 0xc0a1, 0xb8b5, 0x8fd8];
        let other = [0xba84, 0x3f40, 0x3c07, 0x3ab9, 0xc2ba, 0xc276, 0xbfb0, 0x3b5a];
        for (element, a, b, c, sum) in [
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
            assert_eq!(element.sum(&a, &b, c), sum, "{sum:#x}");
        }
    }

    #[test]
    fn what_is_no_number_stays_so() {
        let half = MatrixElement::Half(HalfFormat::F16, true);
        let (infinite, one, minus, zero) = (0x7c00, 0x3c00, 0xbc00, 0);
        assert_eq!(half.sum(&[infinite], &[one], 0), 0x7f80_0000);
        assert_eq!(half.sum(&[infinite], &[zero], 0), u64::from(NAN));
        assert_eq!(half.sum(&[infinite; 2], &[one, minus], 0), u64::from(NAN));
        assert_eq!(
            MatrixElement::Byte([true, false]).sum(&[0xff], &[0xff], 1),
            -254_i32 as u32 as u64
        );
    }
}
