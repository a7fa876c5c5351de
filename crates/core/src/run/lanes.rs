//! Registers of many threads at once, and arithmetic on them. A *lane* is one thread's share.

use super::active::Active;
use super::layout::{floor_divide, floor_modulo};
use super::mathematics;
use super::memory::Bits;
use crate::language::program::AtomicOp;
use crate::language::syntax::{BinaryOp, Type, UnaryOp};

/// Why an operation has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    DivisionByZero,
    DoesNotFit(i128, Type),
    NegativeExponent,
}

fn each<A: Bits, R: Bits>(active: &Active, to: &mut [u64], operand: &[u64], f: impl Fn(A) -> R) {
    active.for_each(|lane| to[lane] = f(A::from_bits(operand[lane])).to_bits());
}

pub(super) fn unary(op: UnaryOp, element: Type, active: &Active, to: &mut [u64], x: &[u64]) {
    match (op, element) {
        (UnaryOp::Negate, Type::F32) => each(active, to, x, |x: f32| -x),
        (UnaryOp::Negate, Type::F64) => each(active, to, x, |x: f64| -x),
        (UnaryOp::Negate, _) => each(active, to, x, |x: i64| cut(element, x.wrapping_neg())),
        (UnaryOp::Abs, Type::F32) => each(active, to, x, f32::abs),
        (UnaryOp::Abs, Type::F64) => each(active, to, x, f64::abs),
        (UnaryOp::Abs, _) if !element.is_signed() => each(active, to, x, |x: u64| x),
        (UnaryOp::Abs, _) => each(active, to, x, |x: i64| cut(element, x.wrapping_abs())),
        (UnaryOp::Sqrt, Type::F32) => each(active, to, x, f32::sqrt),
        (UnaryOp::Sqrt, _) => each(active, to, x, f64::sqrt),
        (UnaryOp::Not, _) => each(active, to, x, |x: bool| !x),
        (UnaryOp::BitNot, _) => each(active, to, x, |x: i64| cut(element, !x)),
        (UnaryOp::Popcount, _) => {
            let mask = u64::MAX >> (64 - element.bits());
            each(active, to, x, |x: u64| u64::from((x & mask).count_ones()));
        }
        (UnaryOp::LeadingZeros, _) => {
            let (beyond, mask) = (64 - element.bits(), u64::MAX >> (64 - element.bits()));
            each(active, to, x, |x: u64| u64::from((x & mask).leading_zeros() - beyond));
        }
        (UnaryOp::Floor, _) => float(f64::floor, element, active, to, x),
        (UnaryOp::Ceiling, _) => float(f64::ceil, element, active, to, x),
        (UnaryOp::Sin, _) => float(mathematics::sine, element, active, to, x),
        (UnaryOp::Cos, _) => float(mathematics::cosine, element, active, to, x),
        (UnaryOp::Tan, _) => float(mathematics::tangent, element, active, to, x),
        (UnaryOp::Exp, _) => float(mathematics::exponential, element, active, to, x),
        (UnaryOp::Log, _) => float(mathematics::logarithm, element, active, to, x),
        (UnaryOp::Log2, _) => float(mathematics::logarithm_2, element, active, to, x),
    }
}

/// What an atomic that is no exchange makes of a word.
pub(super) fn atomic(op: AtomicOp, element: Type, word: u64, by: u64) -> u64 {
    fn float<T: Bits>(word: u64, by: u64, f: impl Fn(T, T) -> T) -> u64 {
        f(T::from_bits(word), T::from_bits(by)).to_bits()
    }
    let signed = |bits: u64| <i64 as Bits>::from_bits(bits);
    match (op, element) {
        (AtomicOp::Add, Type::F32) => float(word, by, |a: f32, b: f32| a + b),
        (AtomicOp::Add, Type::F64) => float(word, by, |a: f64, b: f64| a + b),
        (AtomicOp::Subtract, Type::F32) => float(word, by, |a: f32, b: f32| a - b),
        (AtomicOp::Subtract, Type::F64) => float(word, by, |a: f64, b: f64| a - b),
        (AtomicOp::Add, _) => cut(element, signed(word).wrapping_add(signed(by))),
        (AtomicOp::Subtract, _) => cut(element, signed(word).wrapping_sub(signed(by))),
        (AtomicOp::Min, _) if element.is_signed() => signed(word).min(signed(by)).to_bits(),
        (AtomicOp::Max, _) if element.is_signed() => signed(word).max(signed(by)).to_bits(),
        (AtomicOp::Min, _) => word.min(by),
        (AtomicOp::Max, _) => word.max(by),
        (AtomicOp::And, _) => word & by,
        (AtomicOp::Or, _) => word | by,
        (AtomicOp::Xor, _) => word ^ by,
        (AtomicOp::Exchange | AtomicOp::CompareExchange, _) => by,
    }
}

/// A function of doubles; a value of another type of floats is rounded from that of the double.
fn float(f: impl Fn(f64) -> f64, element: Type, active: &Active, to: &mut [u64], x: &[u64]) {
    match element {
        Type::F32 => each(active, to, x, |x: f32| f(x.into()) as f32),
        _ => each(active, to, x, f),
    }
}

/// What a type of integers keeps of a value, as a cell has it: extended by its sign, or by zeros.
#[inline]
fn cut(element: Type, value: i64) -> u64 {
    let beyond = 64 - element.bits();
    let high = value << beyond;
    match element.is_signed() {
        true => (high >> beyond).cast_unsigned(),
        false => high.cast_unsigned() >> beyond,
    }
}

/// A number on its way from one type to another.
#[derive(Clone, Copy)]
enum Number {
    Integer(i64),
    /// Of a u64, beyond what an i64 holds.
    Large(u64),
    Float(f64),
}

/// Converts as Rust's `as` does: floats to integers truncate and saturate, NaN becomes 0. Integers
/// that do not fit are a fault, with the lane at which it happened.
pub(super) fn convert(
    (from, into): (Type, Type),
    active: &Active,
    to: &mut [u64],
    x: &[u64],
) -> Result<(), (usize, Fault)> {
    let limits = into.limits();
    let read = |bits: u64| match from {
        Type::F32 => Number::Float(f64::from(<f32 as Bits>::from_bits(bits))),
        Type::F64 => Number::Float(<f64 as Bits>::from_bits(bits)),
        Type::U64 => i64::try_from(bits).map_or(Number::Large(bits), Number::Integer),
        _ => Number::Integer(<i64 as Bits>::from_bits(bits)),
    };
    let write = |number: Number| match (number, into) {
        (Number::Integer(value), Type::F32) => Some(Bits::to_bits(value as f32)),
        (Number::Integer(value), Type::F64) => Some(Bits::to_bits(value as f64)),
        (Number::Integer(value), Type::Bool) => Some(Bits::to_bits(value)),
        (Number::Integer(value), _) => limits.contains(&value).then(|| Bits::to_bits(value)),
        (Number::Large(value), Type::F32) => Some(Bits::to_bits(value as f32)),
        (Number::Large(value), Type::F64) => Some(Bits::to_bits(value as f64)),
        (Number::Large(value), Type::U64) => Some(value),
        (Number::Large(_), _) => None,
        (Number::Float(value), Type::U64) => Some(value as u64),
        (Number::Float(value), Type::F32) => Some(Bits::to_bits(value as f32)),
        (Number::Float(value), Type::F64) => Some(Bits::to_bits(value)),
        (Number::Float(value), _) => {
            Some(Bits::to_bits((value as i64).clamp(*limits.start(), *limits.end())))
        }
    };
    let failed = active.find(|lane| match write(read(x[lane])) {
        Some(bits) => {
            to[lane] = bits;
            false
        }
        None => true,
    });
    match failed {
        None => Ok(()),
        Some(lane) => {
            let value = match read(x[lane]) {
                Number::Large(value) => value.into(),
                _ => <i64 as Bits>::from_bits(x[lane]).into(),
            };
            Err((lane, Fault::DoesNotFit(value, into)))
        }
    }
}

/// One operator for one type: `f` on every lane.
fn both<A: Bits, R: Bits>(
    active: &Active,
    to: &mut [u64],
    (x, y): (&[u64], &[u64]),
    f: impl Fn(A, A) -> R,
) -> Result<(), (usize, Fault)> {
    match active {
        // Slices of one length, so that the compiler can vectorise.
        Active::First(count) => {
            for ((to, &x), &y) in to[..*count].iter_mut().zip(&x[..*count]).zip(&y[..*count]) {
                *to = f(A::from_bits(x), A::from_bits(y)).to_bits();
            }
        }
        Active::Some(lanes) => {
            for lane in lanes.iter().map(|&lane| lane as usize) {
                to[lane] = f(A::from_bits(x[lane]), A::from_bits(y[lane])).to_bits();
            }
        }
    }
    Ok(())
}

/// An operator on integers that may have no result.
fn partial(
    element: Type,
    active: &Active,
    to: &mut [u64],
    (x, y): (&[u64], &[u64]),
    f: impl Fn(i64, i64) -> Result<i64, Fault>,
) -> Result<(), (usize, Fault)> {
    let mut fault = None;
    // All integer types are kept sign- or zero-extended, so that i64 arithmetic serves them; the
    // result is cut to the type again.
    let lane = active.find(|lane| {
        match f(<i64 as Bits>::from_bits(x[lane]), <i64 as Bits>::from_bits(y[lane])) {
            Ok(value) => {
                to[lane] = cut(element, value);
                false
            }
            Err(found) => {
                fault = Some(found);
                true
            }
        }
    });
    lane.zip(fault).map_or(Ok(()), Err)
}

/// A function of two doubles, as [`float`] is of one.
fn doubles(
    f: impl Fn(f64, f64) -> f64,
    element: Type,
    active: &Active,
    to: &mut [u64],
    xy: (&[u64], &[u64]),
) -> Result<(), (usize, Fault)> {
    match element {
        Type::F32 => both(active, to, xy, |x: f32, y: f32| f(x.into(), y.into()) as f32),
        _ => both(active, to, xy, f),
    }
}

/// A power of floats, by an integer.
fn powers<A: Bits>(
    active: &Active,
    to: &mut [u64],
    (x, n): (&[u64], &[u64]),
    f: impl Fn(A, i64) -> A,
) -> Result<(), (usize, Fault)> {
    active.for_each(|lane| to[lane] = f(A::from_bits(x[lane]), n[lane].cast_signed()).to_bits());
    Ok(())
}

/// xⁿ; it wraps.
fn wrapping_power(x: i64, n: u64) -> i64 {
    let (mut result, mut square, mut rest) = (1_i64, x, n);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        rest >>= 1;
    }
    result
}

macro_rules! by_type {
    ($element:expr, $active:expr, $to:expr, $xy:expr, float $float:expr, integer $integer:ident) => {
        match $element {
            Type::F32 => both($active, $to, $xy, |x: f32, y: f32| $float(x, y)),
            Type::F64 => both($active, $to, $xy, |x: f64, y: f64| $float(x, y)),
            Type::I8 => both($active, $to, $xy, i8::$integer),
            Type::U8 => both($active, $to, $xy, u8::$integer),
            Type::I16 => both($active, $to, $xy, i16::$integer),
            Type::U16 => both($active, $to, $xy, u16::$integer),
            Type::I32 => both($active, $to, $xy, i32::$integer),
            Type::U32 => both($active, $to, $xy, u32::$integer),
            Type::U64 => both($active, $to, $xy, u64::$integer),
            _ => both($active, $to, $xy, i64::$integer),
        }
    };
    ($element:expr, $active:expr, $to:expr, $xy:expr, integer |$x:ident, $y:ident| $value:expr) => {
        match $element {
            Type::I8 => both($active, $to, $xy, |$x: i8, $y: i8| $value),
            Type::U8 => both($active, $to, $xy, |$x: u8, $y: u8| $value),
            Type::I16 => both($active, $to, $xy, |$x: i16, $y: i16| $value),
            Type::U16 => both($active, $to, $xy, |$x: u16, $y: u16| $value),
            Type::I32 => both($active, $to, $xy, |$x: i32, $y: i32| $value),
            Type::U32 => both($active, $to, $xy, |$x: u32, $y: u32| $value),
            Type::U64 => both($active, $to, $xy, |$x: u64, $y: u64| $value),
            _ => both($active, $to, $xy, |$x: i64, $y: i64| $value),
        }
    };
    ($element:expr, $active:expr, $to:expr, $xy:expr, |$x:ident, $y:ident| $value:expr) => {
        match $element {
            Type::F32 => both($active, $to, $xy, |$x: f32, $y: f32| $value),
            Type::F64 => both($active, $to, $xy, |$x: f64, $y: f64| $value),
            Type::U64 => both($active, $to, $xy, |$x: u64, $y: u64| $value),
            // All others are kept as the i64 of the same value.
            _ => both($active, $to, $xy, |$x: i64, $y: i64| $value),
        }
    };
}

/// `op` on operands of type `element`, but for the right operand of a shift or an integer power, an
/// i64. Integers wrap;
/// division and modulo round down; shifts and rotations are by their number modulo the type's bits; `min(x, y)`
/// is y where y < x, else x, so that a NaN on the right is passed over.
pub(super) fn binary(
    op: BinaryOp,
    element: Type,
    active: &Active,
    to: &mut [u64],
    xy: (&[u64], &[u64]),
) -> Result<(), (usize, Fault)> {
    use std::ops::{Add, Div, Mul, Sub};
    match op {
        BinaryOp::Or | BinaryOp::BitOr => both(active, to, xy, |x: u64, y: u64| x | y),
        BinaryOp::And | BinaryOp::BitAnd => both(active, to, xy, |x: u64, y: u64| x & y),
        BinaryOp::BitXor => both(active, to, xy, |x: u64, y: u64| x ^ y),
        BinaryOp::Equal => by_type!(element, active, to, xy, |x, y| x == y),
        BinaryOp::NotEqual => by_type!(element, active, to, xy, |x, y| x != y),
        BinaryOp::Less => by_type!(element, active, to, xy, |x, y| x < y),
        BinaryOp::LessEqual => by_type!(element, active, to, xy, |x, y| x <= y),
        BinaryOp::Greater => by_type!(element, active, to, xy, |x, y| x > y),
        BinaryOp::GreaterEqual => by_type!(element, active, to, xy, |x, y| x >= y),
        BinaryOp::Min => by_type!(element, active, to, xy, |x, y| if y < x { y } else { x }),
        BinaryOp::Max => by_type!(element, active, to, xy, |x, y| if y > x { y } else { x }),
        BinaryOp::Add => {
            by_type!(element, active, to, xy, float Add::add, integer wrapping_add)
        }
        BinaryOp::Subtract => {
            by_type!(element, active, to, xy, float Sub::sub, integer wrapping_sub)
        }
        BinaryOp::Multiply => {
            by_type!(element, active, to, xy, float Mul::mul, integer wrapping_mul)
        }
        BinaryOp::Divide => match element {
            Type::F32 => both(active, to, xy, |x: f32, y: f32| Div::div(x, y)),
            Type::F64 => both(active, to, xy, |x: f64, y: f64| Div::div(x, y)),
            Type::U64 => partial(element, active, to, xy, |x, y| {
                let quotient = x.cast_unsigned().checked_div(y.cast_unsigned());
                quotient.map(u64::cast_signed).ok_or(Fault::DivisionByZero)
            }),
            _ => partial(element, active, to, xy, |x, y| {
                // Of all quotients only MIN / −1 overflows: it wraps.
                let wrapped = (y == -1).then(|| x.wrapping_neg());
                floor_divide(x, y).or(wrapped).ok_or(Fault::DivisionByZero)
            }),
        },
        BinaryOp::Modulo if element == Type::U64 => partial(element, active, to, xy, |x, y| {
            let rest = x.cast_unsigned().checked_rem(y.cast_unsigned());
            rest.map(u64::cast_signed).ok_or(Fault::DivisionByZero)
        }),
        BinaryOp::Modulo => {
            partial(element, active, to, xy, |x, y| floor_modulo(x, y).ok_or(Fault::DivisionByZero))
        }
        // By the number modulo the type's bits, which is what wrapping shifts do.
        BinaryOp::ShiftLeft => {
            by_type!(element, active, to, xy, integer | x, by | x.wrapping_shl(by as u32))
        }
        BinaryOp::ShiftRight => {
            by_type!(element, active, to, xy, integer | x, by | x.wrapping_shr(by as u32))
        }
        BinaryOp::RotateLeft => {
            by_type!(element, active, to, xy, integer | x, by | x.rotate_left(by as u32 & 63))
        }
        BinaryOp::RotateRight => {
            by_type!(element, active, to, xy, integer | x, by | x.rotate_right(by as u32 & 63))
        }
        BinaryOp::MultiplyHigh => match element {
            Type::U64 => both(active, to, xy, |x: u64, y: u64| {
                ((u128::from(x) * u128::from(y)) >> 64) as u64
            }),
            Type::I64 => both(active, to, xy, |x: i64, y: i64| {
                ((i128::from(x) * i128::from(y)) >> 64) as i64
            }),
            // Twice the bits fit 64.
            _ if element.is_signed() => {
                both(active, to, xy, |x: i64, y: i64| (x * y) >> element.bits())
            }
            _ => both(active, to, xy, |x: u64, y: u64| (x * y) >> element.bits()),
        },
        BinaryOp::Power => match element {
            Type::F32 => powers(active, to, xy, |x: f32, n| mathematics::power(x.into(), n) as f32),
            Type::F64 => powers(active, to, xy, mathematics::power),
            _ => partial(element, active, to, xy, |x, n| {
                let n = u64::try_from(n).map_err(|_| Fault::NegativeExponent)?;
                Ok(wrapping_power(x, n))
            }),
        },
        BinaryOp::RealPower => doubles(mathematics::real_power, element, active, to, xy),
        BinaryOp::Angle => doubles(mathematics::angle, element, active, to, xy),
    }
}
