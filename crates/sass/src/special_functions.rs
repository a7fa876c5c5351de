//! The special function unit (MUFU), bit by bit. It has tables of quadratic pieces, c₀ + c₁x + c₂x²: the upper
//! bits of a number say which piece, the lower ones are x. Of x² the lowest columns of partial products are left
//! out; nothing else is, until the sum is cut off where the result ends. The shape is Oberman and Siu's (2005, *A
//! High-Performance Area-Efficient Multifunction Interpolator*); the numbers were found from a device's results.

use std::sync::LazyLock;

use super::opcode::{HalfFormat, SpecialFunction};
use super::rounding::NAN;

/// A piece of a table.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// In quarters.
    constant: i64,
    slope: i64,
    /// In halves.
    curvature: i64,
}

/// What the pieces of a function have in common.
struct Table {
    pieces: Vec<Piece>,
    /// What is added to each constant, so that cutting off is off as often up as down.
    bias: i64,
    /// Bits of a place within a piece.
    bits: u32,
}

/// 1 in the sums of pieces, and the bits that they have behind those of an f32 in [1/2, 1).
const ONE: i64 = 1 << 42;
const REST: u32 = 18;

const MANTISSA: u32 = 0x7f_ffff;
const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0xff << 23;

impl Table {
    /// Of a place in 0 .. 2^23, or as many pieces as there are.
    fn at(&self, place: u32) -> i64 {
        let piece = self.pieces[(place >> self.bits) as usize];
        let rest = place & ((1 << self.bits) - 1);
        // In a square of n bits twice, n + 2 columns are left out, or n of 16.
        let square = upper_square(rest, self.bits, if self.bits == 16 { 16 } else { 18 });
        (piece.constant << (REST - 2))
            + self.bias
            + ((piece.slope * i64::from(rest)) << (REST - self.bits))
            + piece.curvature * (square >> (2 * self.bits - 17)).cast_signed()
    }
}

/// The square without the lowest columns of its partial products.
fn upper_square(number: u32, bits: u32, columns: u32) -> u64 {
    let number = u64::from(number);
    let mut square = number * number;
    for low in (0..=columns / 2).filter(|it| number >> it & 1 == 1) {
        if 2 * low <= columns {
            square -= 1 << (2 * low);
        }
        // The others stand in a column above both bits.
        let highest = (columns - low).min(bits);
        if highest > low + 1 {
            let others = number & ((1 << highest) - (1 << (low + 1)));
            square -= others << (low + 1);
        }
    }
    square
}

/// The tables, in the order of the file.
struct Tables {
    reciprocal: Table,
    reciprocal_root: [Table; 2],
    root: [Table; 2],
    logarithm: Table,
    power: Table,
    sine: Table,
    tangent: Table,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let text = include_str!("special_functions.tsv");
    let table = |name: &str, bias, bits| {
        let pieces = text.lines().filter_map(|line| {
            let mut words = line.split('\t');
            let mut number = (words.next() == Some(name)).then(|| words.map(str::parse))?;
            let mut next = || number.next()?.ok();
            Some(Piece { constant: next()?, slope: next()?, curvature: next()? })
        });
        Table { pieces: pieces.collect(), bias, bits }
    };
    Tables {
        reciprocal: table("rcp", 16_188, 16),
        reciprocal_root: ["rsq-1", "rsq-2"].map(|name| table(name, 65_534, 17)),
        root: ["sqrt-1", "sqrt-2"].map(|name| table(name, 65_534, 17)),
        logarithm: table("lg2", 13_400, 17),
        power: table("ex2", 48_916, 17),
        sine: table("sin", 0, 17),
        tangent: table("tanh", 0, 17),
    }
});

/// The parts of a number.
#[derive(Clone, Copy)]
struct Parts {
    sign: u32,
    exponent: i32,
    mantissa: u32,
}

impl Parts {
    fn of(bits: u32) -> Self {
        let exponent = (bits >> 23 & 0xff).cast_signed();
        Self { sign: bits & SIGN, exponent, mantissa: bits & MANTISSA }
    }

    fn is_nan(self) -> bool {
        self.exponent == 255 && self.mantissa != 0
    }
}

/// A number by its exponent and 24 bits that begin with a 1; there are no subnormal ones.
fn assembled(sign: u32, exponent: i32, mantissa: i64) -> u32 {
    match exponent {
        ..=0 => sign,
        255.. => sign | INFINITY,
        _ => sign | exponent.cast_unsigned() << 23 | mantissa as u32 & MANTISSA,
    }
}

/// A sum of pieces as a number, cut off.
fn normalized(sign: u32, sum: i64) -> u32 {
    match sum.checked_ilog2() {
        None => sign,
        Some(top) => {
            let mantissa = if top > 23 { sum >> (top - 23) } else { sum << (23 - top) };
            assembled(sign, 127 - 42 + top.cast_signed(), mantissa)
        }
    }
}

/// What the unit gives of the bits of a number; of the upper word of an f64, if it is of one.
pub(super) fn result(function: SpecialFunction, bits: u32) -> u32 {
    let of = Parts::of(bits);
    match function {
        SpecialFunction::UpperReciprocal | SpecialFunction::UpperReciprocalRoot => {
            upper(function, bits)
        }
        _ if of.is_nan() => NAN,
        SpecialFunction::Reciprocal => match of.exponent {
            0 => of.sign | INFINITY,
            255 => of.sign,
            exponent => {
                let (less, mantissa) = reciprocal(of.mantissa);
                assembled(of.sign, 254 - less - exponent, mantissa)
            }
        },
        SpecialFunction::ReciprocalRoot => match (of.sign, of.exponent) {
            (_, 0) => of.sign | INFINITY,
            (SIGN, _) => NAN,
            (_, 255) => 0,
            (_, exponent) => {
                let (exponent, mantissa) = reciprocal_root(exponent - 127, of.mantissa);
                assembled(0, 127 + exponent, mantissa)
            }
        },
        SpecialFunction::Root => match (of.sign, of.exponent) {
            (_, 0) => of.sign,
            (SIGN, _) => NAN,
            (_, 255) => INFINITY,
            (_, exponent) => {
                let exponent = exponent - 127;
                let table = &TABLES.root[(exponent & 1) as usize];
                assembled(0, 127 + (exponent >> 1), table.at(of.mantissa) >> (REST + 1))
            }
        },
        SpecialFunction::BinaryLogarithm => match (of.sign, of.exponent) {
            (_, 0) => SIGN | INFINITY,
            (SIGN, _) => NAN,
            (_, 255) => INFINITY,
            _ => logarithm(of),
        },
        SpecialFunction::PowerOfTwo => power(of),
        SpecialFunction::Sine => turn(of, 0),
        SpecialFunction::Cosine => turn(Parts { sign: 0, ..of }, 1),
        SpecialFunction::HyperbolicTangent => tangent(of, bits),
    }
}

/// Of a number in [1, 2): how far the exponent goes down, and 24 bits.
fn reciprocal(mantissa: u32) -> (i32, i64) {
    match mantissa {
        0 => (0, 1 << 23),
        _ => (1, TABLES.reciprocal.at(mantissa) >> REST),
    }
}

/// Of a number by its exponent and mantissa: the same of the result.
fn reciprocal_root(exponent: i32, mantissa: u32) -> (i32, i64) {
    match (exponent & 1, mantissa) {
        (0, 0) => (-exponent / 2, 1 << 23),
        (odd, _) => {
            let table = &TABLES.reciprocal_root[odd as usize];
            (-(exponent >> 1) - 1, table.at(mantissa) >> REST)
        }
    }
}

/// Of an f64, of which the unit sees and makes the upper word alone.
fn upper(function: SpecialFunction, bits: u32) -> u32 {
    let (sign, exponent, mantissa) =
        (bits & SIGN, (bits >> 20 & 0x7ff).cast_signed(), bits << 3 & MANTISSA);
    let infinity = 0x7ff << 20;
    let assembled = |sign, exponent: i32, mantissa: i64| match exponent {
        ..=0 => sign,
        _ => sign | exponent.cast_unsigned() << 20 | (mantissa >> 3) as u32 & 0xf_ffff,
    };
    let is_reciprocal = function == SpecialFunction::UpperReciprocal;
    match (sign, exponent) {
        (_, 2047) if mantissa != 0 => NAN,
        (_, 0) => sign | infinity,
        (_, 2047) if is_reciprocal => sign,
        _ if is_reciprocal => {
            let (less, mantissa) = reciprocal(mantissa);
            assembled(sign, 2046 - less - exponent, mantissa)
        }
        (SIGN, _) => NAN,
        (_, 2047) => 0,
        _ => {
            let (exponent, mantissa) = reciprocal_root(exponent - 1023, mantissa);
            assembled(0, 1023 + exponent, mantissa)
        }
    }
}

/// Fixed-point, so that near 1 only the absolute error is small; 1 alone gives 0.
fn logarithm(of: Parts) -> u32 {
    if of.exponent == 127 && of.mantissa == 0 {
        return 0;
    }
    let sum = i64::from(of.exponent - 127) * ONE + TABLES.logarithm.at(of.mantissa);
    // Six more bits are cut off in any case.
    let (sign, sum) = if sum < 0 { (SIGN, -sum) } else { (0, sum) };
    normalized(sign, sum & !63)
}

/// The number as a whole one and 23 bits behind it; below 0 all bits are inverted.
fn power(of: Parts) -> u32 {
    let is_negative = of.sign != 0;
    if of.exponent >= 127 + 8 {
        return if is_negative { 0 } else { INFINITY };
    }
    let places = of.exponent - 127;
    let mantissa = of.mantissa | 1 << 23;
    let fixed = match places {
        0.. => mantissa << places,
        -24.. => mantissa >> -places,
        _ => 0,
    };
    let (whole, place) = ((fixed >> 23).cast_signed(), fixed & MANTISSA);
    match (is_negative, place) {
        (false, 0) => assembled(0, 127 + whole, 0),
        (true, 0) => assembled(0, 127 - whole, 0),
        (false, _) => assembled(0, 127 + whole, TABLES.power.at(place) >> REST),
        (true, _) => assembled(0, 126 - whole, TABLES.power.at(MANTISSA - place) >> REST),
    }
}

/// The sine of turns, so many quarters further; of a quarter that goes down, all bits are inverted.
fn turn(of: Parts, quarters: u32) -> u32 {
    if of.exponent == 255 {
        return NAN;
    }
    let places = of.exponent - 125;
    let mantissa = of.mantissa | 1 << 23;
    let fixed = match places {
        25.. => 0,
        0.. => mantissa << places,
        -24.. => mantissa >> -places,
        _ => 0,
    };
    let quarter = (fixed >> 23) + quarters;
    let place = fixed & MANTISSA;
    let place = if quarter & 1 == 1 { MANTISSA - place } else { place };
    normalized(of.sign ^ (quarter >> 1 & 1) << 31, TABLES.sine.at(place))
}

/// Pieces in each binade from 2^-8 on, as powers of two; below it is the number, above it is 1.
const TANGENT_PIECES: [u32; 11] = [0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3];

fn tangent(of: Parts, bits: u32) -> u32 {
    let Ok(binade) = usize::try_from(of.exponent - 119) else { return bits };
    let Some(pieces) = TANGENT_PIECES.get(binade) else { return of.sign | 127 << 23 };
    let before: u32 = TANGENT_PIECES[..binade].iter().map(|it| 1 << it).sum();
    let sum = TABLES.tangent.at((before << 17) + (of.mantissa >> (6 - pieces)));
    normalized(of.sign, sum)
}

/// Of a half, by the f32 that it is; the result is cut off.
pub(super) fn half_result(function: SpecialFunction, half: u16, format: HalfFormat) -> u16 {
    let single = result(function, (format.widen(half) as f32).to_bits());
    let exact = f64::from(f32::from_bits(single));
    let nearest = format.narrow(exact);
    let value = format.widen(nearest).abs();
    nearest - u16::from(value.is_finite() && value > exact.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an H200 gave, as a sum over a number's bits and its result's: of all 65,536 numbers with these upper
    /// halves, and of all 2^32 (`models/measurements/nvidia-h200`).
    const UPPER_HALVES: [u32; 18] = [
        0x0000, 0x0080, 0x3a12, 0x3c40, 0x3d81, 0x3e9a, 0x3f00, 0x3f35, 0x3f80, 0x3fc1, 0x4010,
        0x40a0, 0x42aa, 0x7f7f, 0x7f80, 0xbf10, 0xc0f3, 0xff80,
    ];
    const OF_DEVICE: [(SpecialFunction, u64, u64); 10] = [
        (SpecialFunction::Reciprocal, 0x7a19_9e95_a49a_70f7, 0xaa2a_9304_826f_c31a),
        (SpecialFunction::ReciprocalRoot, 0x0c6a_a988_481d_eb71, 0xce9e_5c60_bb8f_208e),
        (SpecialFunction::Root, 0x7b09_ecd1_4408_eaf9, 0xf7dd_7315_dace_2883),
        (SpecialFunction::BinaryLogarithm, 0x1a3b_cf03_ad52_c20b, 0x864b_6370_89c0_5876),
        (SpecialFunction::PowerOfTwo, 0xfbef_88f1_2e85_4fa4, 0x41e0_61b2_3d1c_92be),
        (SpecialFunction::Sine, 0xace6_cc19_e4ed_856c, 0x0e74_527f_90be_e023),
        (SpecialFunction::Cosine, 0xddcd_a30f_8a6e_627e, 0xfc70_46be_2e9d_e24a),
        (SpecialFunction::HyperbolicTangent, 0xb714_f329_e161_4836, 0x1732_039f_aa18_b13f),
        (SpecialFunction::UpperReciprocal, 0x8761_f3a6_de1c_1b77, 0x1286_f94b_4c94_e394),
        (SpecialFunction::UpperReciprocalRoot, 0x584c_3c77_4a23_6243, 0xe43b_16af_4144_9d51),
    ];
    const HALVES_OF_DEVICE: [(SpecialFunction, HalfFormat, u64); 4] = [
        (SpecialFunction::PowerOfTwo, HalfFormat::F16, 0x06e3_7e35_cab3_6717),
        (SpecialFunction::HyperbolicTangent, HalfFormat::F16, 0xaef9_9574_5459_252b),
        (SpecialFunction::PowerOfTwo, HalfFormat::Bf16, 0x33c4_b501_72d0_e8a1),
        (SpecialFunction::HyperbolicTangent, HalfFormat::Bf16, 0xfd26_2138_a180_20c8),
    ];

    fn summand(number: u32, result: u32) -> u64 {
        let both = u64::from(number) << 32 | u64::from(result);
        let mixed = both.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ mixed >> 32
    }

    fn sum(function: SpecialFunction, upper_halves: impl Iterator<Item = u32>) -> u64 {
        let numbers = upper_halves.flat_map(|upper| (0..1 << 16).map(move |it| upper << 16 | it));
        numbers.map(|it| summand(it, result(function, it))).fold(0, u64::wrapping_add)
    }

    #[test]
    fn results_are_those_of_a_device() {
        for (function, of_some, _) in OF_DEVICE {
            assert_eq!(sum(function, UPPER_HALVES.into_iter()), of_some, "{function:?}");
        }
    }

    #[test]
    #[ignore = "tries all numbers, which takes ten minutes"]
    fn all_results_are_those_of_a_device() {
        for (function, _, of_all) in OF_DEVICE {
            assert_eq!(sum(function, 0..1 << 16), of_all, "{function:?}");
        }
    }

    #[test]
    fn all_results_of_halves_are_those_of_a_device() {
        for (function, format, of_all) in HALVES_OF_DEVICE {
            let summands = (0..=u16::MAX)
                .map(|it| summand(it.into(), half_result(function, it, format).into()));
            assert_eq!(summands.fold(0, u64::wrapping_add), of_all, "{function:?} {format:?}");
        }
    }
}
