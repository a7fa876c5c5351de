//! What operations make of numbers.

use memory_machine::language::syntax::{BinaryOp, Type, UnaryOp};

use super::value::Value::{self, Bool, F32, F64, Few, I32, I64, U32, U64};
use super::{Result, Stuck};

pub(super) fn convert(value: Value, to: Type) -> Result<Value> {
    Ok(match (value, to) {
        (F32(x), Type::F64) => F64(x.into()),
        (F32(x), Type::I32) => I32(x as i32),
        (F32(x), Type::U32) => U32(x as u32),
        (F32(x), Type::I64) => I64(x as i64),
        (F32(x), Type::U64) => U64(x as u64),
        (F64(x), Type::U64) => U64(x as u64),
        (F64(x), Type::F32) => F32(x as f32),
        (F64(x), Type::I32) => I32(x as i32),
        (F64(x), Type::U32) => U32(x as u32),
        (F64(x), Type::I64) => I64(x as i64),
        (integer, Type::F32) => F32(integer.whole() as f32),
        (integer, Type::F64) => F64(integer.whole() as f64),
        (integer, Type::I32) => I32(integer.whole().try_into().map_err(|_| Stuck)?),
        (integer, Type::U32) => U32(integer.whole().try_into().map_err(|_| Stuck)?),
        (integer, Type::I64) => I64(integer.whole().try_into().map_err(|_| Stuck)?),
        (integer, Type::U64) => U64(integer.whole().try_into().map_err(|_| Stuck)?),
        (F32(x), Type::I8) => Few(to, (x as i8).into()),
        (F32(x), Type::U8) => Few(to, (x as u8).into()),
        (F32(x), Type::I16) => Few(to, (x as i16).into()),
        (F32(x), Type::U16) => Few(to, (x as u16).into()),
        (F64(x), Type::I8) => Few(to, (x as i8).into()),
        (F64(x), Type::U8) => Few(to, (x as u8).into()),
        (F64(x), Type::I16) => Few(to, (x as i16).into()),
        (F64(x), Type::U16) => Few(to, (x as u16).into()),
        (integer, Type::I8 | Type::U8 | Type::I16 | Type::U16) => {
            let found = few(to, integer.whole());
            if found.whole() != integer.whole() {
                return Err(Stuck);
            }
            found
        }
        (from, to) => panic!("{from:?} to {to:?}"),
    })
}

/// The value of a narrow type that differs from `whole` by a multiple of 2⁸ or 2¹⁶.
fn few(element: Type, whole: i128) -> Value {
    let (least, all) = match element {
        Type::I8 => (-128, 256),
        Type::U8 => (0, 256),
        Type::I16 => (-32768, 65536),
        _ => (0, 65536),
    };
    Few(element, (least + (whole - least).rem_euclid(all)) as i64)
}

/// How many bits a narrow type has.
fn few_bits(element: Type) -> usize {
    if matches!(element, Type::I8 | Type::U8) { 8 } else { 16 }
}

pub(super) fn unary(op: UnaryOp, value: Value) -> Value {
    match (op, value) {
        (UnaryOp::Not, Bool(x)) => Bool(!x),
        (UnaryOp::Negate, I32(x)) => I32(x.wrapping_neg()),
        (UnaryOp::Negate, U32(x)) => U32(x.wrapping_neg()),
        (UnaryOp::Negate, I64(x)) => I64(x.wrapping_neg()),
        (UnaryOp::Negate, F32(x)) => F32(-x),
        (UnaryOp::Negate, F64(x)) => F64(-x),
        (UnaryOp::BitNot, I32(x)) => I32(!x),
        (UnaryOp::BitNot, U32(x)) => U32(!x),
        (UnaryOp::BitNot, I64(x)) => I64(!x),
        (UnaryOp::Abs, I32(x)) => I32(x.wrapping_abs()),
        (UnaryOp::Abs, U32(x)) => U32(x),
        (UnaryOp::Abs, I64(x)) => I64(x.wrapping_abs()),
        (UnaryOp::Abs, F32(x)) => F32(x.abs()),
        (UnaryOp::Abs, F64(x)) => F64(x.abs()),
        (UnaryOp::Negate, Few(of, x)) => few(of, -i128::from(x)),
        (UnaryOp::BitNot, Few(of, x)) => few(of, -i128::from(x) - 1),
        (UnaryOp::Abs, Few(of, x)) => few(of, i128::from(x).abs()),
        (UnaryOp::Negate, U64(x)) => U64(x.wrapping_neg()),
        (UnaryOp::BitNot, U64(x)) => U64(!x),
        (UnaryOp::Abs, U64(x)) => U64(x),
        (UnaryOp::Popcount, x) => counted(x, |bits| bits.bytes().filter(|&it| it == b'1').count()),
        (UnaryOp::LeadingZeros, x) => counted(x, |bits| bits.find('1').unwrap_or(bits.len())),
        (UnaryOp::Floor, F32(x)) => F32(x.floor()),
        (UnaryOp::Floor, F64(x)) => F64(x.floor()),
        (UnaryOp::Ceiling, F32(x)) => F32(x.ceil()),
        (UnaryOp::Ceiling, F64(x)) => F64(x.ceil()),
        (UnaryOp::Sqrt, F32(x)) => F32(x.sqrt()),
        (UnaryOp::Sqrt, F64(x)) => F64(x.sqrt()),
        (op, value) => panic!("{op:?} of {value:?}"),
    }
}

/// What is counted in an integer's bits, as an integer of its type.
fn counted(value: Value, count: impl Fn(&str) -> usize) -> Value {
    match value {
        I32(x) => I32(count(&format!("{x:032b}")) as i32),
        U32(x) => U32(count(&format!("{x:032b}")) as u32),
        I64(x) => I64(count(&format!("{x:064b}")) as i64),
        U64(x) => U64(count(&format!("{x:064b}")) as u64),
        Few(of, x) => {
            let bits = format!("{x:064b}");
            few(of, count(&bits[64 - few_bits(of)..]) as i128)
        }
        other => panic!("bits of {other:?}"),
    }
}

macro_rules! compared {
    ($op:expr, $x:expr, $y:expr) => {
        match $op {
            BinaryOp::Equal => Some($x == $y),
            BinaryOp::NotEqual => Some($x != $y),
            BinaryOp::Less => Some($x < $y),
            BinaryOp::LessEqual => Some($x <= $y),
            BinaryOp::Greater => Some($x > $y),
            BinaryOp::GreaterEqual => Some($x >= $y),
            _ => None,
        }
    };
}

macro_rules! floats {
    ($op:expr, $x:expr, $y:expr, $make:expr) => {
        match ($op, $x, $y) {
            (BinaryOp::Add, x, y) => $make(x + y),
            (BinaryOp::Subtract, x, y) => $make(x - y),
            (BinaryOp::Multiply, x, y) => $make(x * y),
            (BinaryOp::Divide, x, y) => $make(x / y),
            (BinaryOp::Min, x, y) => $make(if y < x { y } else { x }),
            (BinaryOp::Max, x, y) => $make(if y > x { y } else { x }),
            (op, ..) => panic!("{op:?} of floats"),
        }
    };
}

pub(super) fn binary(op: BinaryOp, left: Value, right: Value) -> Result<Value> {
    let comparison = match (left, right) {
        _ if op.takes_number() => None,
        (F32(x), F32(y)) => compared!(op, x, y),
        (F64(x), F64(y)) => compared!(op, x, y),
        (Bool(x), Bool(y)) => compared!(op, x, y),
        (I32(x), I32(y)) => compared!(op, x, y),
        (U32(x), U32(y)) => compared!(op, x, y),
        (I64(x), I64(y)) => compared!(op, x, y),
        (U64(x), U64(y)) => compared!(op, x, y),
        (Few(a, x), Few(b, y)) if a == b => compared!(op, x, y),
        (x, y) => panic!("{op:?} of {x:?} and {y:?}"),
    };
    if let Some(truth) = comparison {
        return Ok(Bool(truth));
    }
    match (left, right) {
        (F32(x), F32(y)) => Ok(floats!(op, x, y, F32)),
        (F64(x), F64(y)) => Ok(floats!(op, x, y, F64)),
        (F32(x), I64(n)) => Ok(F32(power(x.into(), n) as f32)),
        (F64(x), I64(n)) => Ok(F64(power(x, n))),
        _ => {
            // 128 bits hold every exact result but shifts; what does not fit wraps.
            let (x, y) = (left.whole(), right.whole());
            let bits = match left {
                I64(_) | U64(_) => 64,
                Few(of, _) => few_bits(of) as i128,
                _ => 32,
            };
            // Its lowest bits alone.
            let cut = x & ((1 << bits) - 1);
            let exact = match op {
                BinaryOp::Add => x + y,
                BinaryOp::Subtract => x - y,
                BinaryOp::Multiply if matches!(left, U64(_)) => {
                    (x as u128).wrapping_mul(y as u128) as i128
                }
                BinaryOp::Multiply => x * y,
                BinaryOp::MultiplyHigh if matches!(left, U64(_)) => {
                    ((x as u128 * y as u128) >> 64) as i128
                }
                BinaryOp::MultiplyHigh => (x * y) >> bits,
                BinaryOp::RotateLeft | BinaryOp::RotateRight => {
                    let by = y.rem_euclid(bits);
                    let by = if op == BinaryOp::RotateLeft { by } else { (bits - by) % bits };
                    let cut = cut as u128;
                    (cut << by | cut >> (bits - by)) as i128
                }
                BinaryOp::Power if y < 0 => return Err(Stuck),
                BinaryOp::Power => {
                    // Only small exponents are generated.
                    (0..y).fold(1_i128, |power, _| (power as i64).wrapping_mul(x as i64).into())
                }
                BinaryOp::Divide | BinaryOp::Modulo if y == 0 => return Err(Stuck),
                BinaryOp::Divide => floor(x, y),
                BinaryOp::Modulo => x - y * floor(x, y),
                BinaryOp::Min => x.min(y),
                BinaryOp::Max => x.max(y),
                BinaryOp::BitAnd => x & y,
                BinaryOp::BitOr => x | y,
                BinaryOp::BitXor => x ^ y,
                BinaryOp::ShiftLeft => x << y.rem_euclid(bits),
                BinaryOp::ShiftRight => x >> y.rem_euclid(bits),
                op => panic!("{op:?} of integers"),
            };
            Ok(match left {
                I32(_) => I32(exact as i32),
                U32(_) => U32(exact as u32),
                U64(_) => U64(exact as u64),
                Few(of, _) => few(of, exact),
                _ => I64(exact as i64),
            })
        }
    }
}

/// By squaring, of the small exponents that are generated.
fn power(x: f64, n: i64) -> f64 {
    match n {
        0 => 1.0,
        1 => x,
        _ if n % 2 == 0 => power(x, n / 2) * power(x, n / 2),
        _ => power(x, n - 1) * x,
    }
}

fn floor(x: i128, y: i128) -> i128 {
    // Count down from the truncated quotient if it is too large.
    let quotient = x / y;
    if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient }
}
