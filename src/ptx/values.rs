//! What instructions compute, for the threads of a warp.

use num_traits::Float;

use super::instruction::{Comparison, Instruction, Opcode, Rounding, Type};

/// A register of the threads of a warp.
pub(super) type Lanes = [u64; 32];

/// The bits of a value of so many bytes, extended by its sign.
pub(super) fn signed(value: u64, bytes: u64) -> i64 {
    let unused = 64 - 8 * bytes as u32;
    (value << unused).cast_signed() >> unused
}

fn cut(value: u64, bytes: u64) -> u64 {
    let unused = 64 - 8 * bytes as u32;
    value << unused >> unused
}

/// Does an instruction for the threads of `active`, a bit each.
pub(super) fn compute(instruction: &Instruction, registers: &mut [Lanes], active: u32) {
    let from =
        |number: usize| instruction.from.get(number).map_or([0; 32], |it| registers[*it as usize]);
    let [a, b, c, d] = [from(0), from(1), from(2), from(3)];
    let lanes = (0..32).filter(|lane| active >> lane & 1 == 1);
    if instruction.opcode == Opcode::Unpack {
        for lane in lanes {
            registers[instruction.to[0] as usize][lane] = cut(a[lane], 4);
            registers[instruction.to[1] as usize][lane] = a[lane] >> 32;
        }
        return;
    }
    let to = &mut registers[instruction.to[0] as usize];
    for lane in lanes {
        to[lane] = value(instruction, [a[lane], b[lane], c[lane], d[lane]]);
    }
}

fn value(instruction: &Instruction, [a, b, c, d]: [u64; 4]) -> u64 {
    let ty = instruction.ty;
    match instruction.opcode {
        Opcode::Mov => a,
        Opcode::Pack => a | b << 32,
        Opcode::Selp => {
            if c != 0 {
                a
            } else {
                b
            }
        }
        Opcode::Setp(comparison) => u64::from(compare(comparison, ty, a, b)),
        Opcode::Cvt(from, rounding) => convert(ty, from, rounding, a),
        opcode if ty.is_float() && ty.is_wide() => {
            float(opcode, [a, b, c].map(f64::from_bits)).to_bits()
        }
        opcode if ty.is_float() => {
            let value = float(opcode, [a, b, c].map(|it| f32::from_bits(it as u32)));
            value.to_bits().into()
        }
        opcode => integer(opcode, ty, [a, b, c, d]),
    }
}

fn float<T: Float>(opcode: Opcode, [a, b, c]: [T; 3]) -> T {
    match opcode {
        Opcode::Abs => a.abs(),
        Opcode::Neg => -a,
        Opcode::CopySign => b.copysign(a),
        Opcode::Add => a + b,
        Opcode::Sub => a - b,
        Opcode::MulLo => a * b,
        Opcode::Div => a / b,
        Opcode::Mad => a.mul_add(b, c),
        Opcode::Min => a.min(b),
        Opcode::Max => a.max(b),
        _ => a.sqrt(),
    }
}

fn integer(opcode: Opcode, ty: Type, [a, b, c, d]: [u64; 4]) -> u64 {
    let bytes = ty.bytes;
    let (x, y) = (signed(a, bytes), signed(b, bytes));
    let (u, v) = (cut(a, bytes), cut(b, bytes));
    let bits = 8 * bytes;
    let by = cut(b, 4).min(bits);
    let is_signed = ty.is_signed();
    let result = match opcode {
        Opcode::Abs => x.unsigned_abs(),
        Opcode::Neg => a.wrapping_neg(),
        Opcode::Add => a.wrapping_add(b),
        Opcode::Sub => a.wrapping_sub(b),
        Opcode::And => a & b,
        Opcode::Or => a | b,
        Opcode::Xor => a ^ b,
        // A predicate is 0 or 1.
        Opcode::Not if bytes == 1 => a ^ 1,
        Opcode::Not => !a,
        Opcode::Popc => u.count_ones().into(),
        Opcode::Clz => u64::from(u.leading_zeros()) - (64 - bits),
        Opcode::MulLo => a.wrapping_mul(b),
        Opcode::Mad => a.wrapping_mul(b).wrapping_add(c),
        // Twice as wide as its factors.
        Opcode::MulWide if is_signed => return x.wrapping_mul(y).cast_unsigned(),
        Opcode::MulWide => return u.wrapping_mul(v),
        Opcode::MulHi if is_signed => ((i128::from(x) * i128::from(y)) >> bits) as u64,
        Opcode::MulHi => ((u128::from(u) * u128::from(v)) >> bits) as u64,
        Opcode::Div if is_signed => x.checked_div(y).unwrap_or(-1).cast_unsigned(),
        Opcode::Div => u.checked_div(v).unwrap_or(u64::MAX),
        Opcode::Rem if is_signed => x.checked_rem(y).unwrap_or(0).cast_unsigned(),
        Opcode::Rem => u.checked_rem(v).unwrap_or(0),
        Opcode::Min if is_signed => x.min(y).cast_unsigned(),
        Opcode::Min => u.min(v),
        Opcode::Max if is_signed => x.max(y).cast_unsigned(),
        Opcode::Max => u.max(v),
        Opcode::Shl => a.checked_shl(by as u32).unwrap_or(0),
        Opcode::Shr if is_signed => (x >> by.min(bits - 1)).cast_unsigned(),
        Opcode::Shr => u.checked_shr(by as u32).unwrap_or(0),
        Opcode::Prmt => {
            let bytes = cut(b, 4) << 32 | cut(a, 4);
            let chosen = |at: u32| {
                let which = c >> (4 * at) & 15;
                let byte = bytes >> (8 * (which & 7)) & 0xff;
                // The eighth bit of a nibble asks for the byte's sign.
                if which & 8 == 0 { byte } else { 0xff * (byte >> 7) }
            };
            (0..4).fold(0, |all, at| all | chosen(at) << (8 * at))
        }
        Opcode::ShfLeft => ((cut(b, 4) << 32 | cut(a, 4)) << (c & 31)) >> 32,
        Opcode::Bfi => {
            let ones = u64::MAX.checked_shr(64_u32.saturating_sub(d as u32 & 0xff)).unwrap_or(0);
            let mask = ones.checked_shl(c as u32 & 0xff).unwrap_or(0);
            b & !mask | a.checked_shl(c as u32 & 0xff).unwrap_or(0) & mask
        }
        _ => a,
    };
    cut(result, bytes)
}

fn compare(comparison: Comparison, ty: Type, a: u64, b: u64) -> bool {
    let order = if ty.is_float() {
        let number = |it: u64| match ty.is_wide() {
            true => f64::from_bits(it),
            false => f32::from_bits(it as u32).into(),
        };
        number(a).partial_cmp(&number(b))
    } else if ty.is_signed() {
        Some(signed(a, ty.bytes).cmp(&signed(b, ty.bytes)))
    } else {
        Some(cut(a, ty.bytes).cmp(&cut(b, ty.bytes)))
    };
    let is = |true_of: fn(std::cmp::Ordering) -> bool| order.is_some_and(true_of);
    match comparison {
        Comparison::Equal => is(|it| it.is_eq()),
        Comparison::NotEqual => is(|it| it.is_ne()),
        Comparison::Less => is(|it| it.is_lt()),
        Comparison::AtMost => is(|it| it.is_le()),
        Comparison::Greater => is(|it| it.is_gt()),
        Comparison::AtLeast => is(|it| it.is_ge()),
        Comparison::EqualOrNan => !is(|it| it.is_ne()),
        Comparison::NotEqualOrNan => !is(|it| it.is_eq()),
        Comparison::LessOrNan => !is(|it| it.is_ge()),
        Comparison::AtMostOrNan => !is(|it| it.is_gt()),
        Comparison::GreaterOrNan => !is(|it| it.is_le()),
        Comparison::AtLeastOrNan => !is(|it| it.is_lt()),
        Comparison::IsNan => order.is_none(),
    }
}

fn convert(to: Type, from: Type, rounding: Rounding, a: u64) -> u64 {
    let whole = signed(a, from.bytes);
    if from.is_float() {
        let number = match from.is_wide() {
            true => f64::from_bits(a),
            false => f32::from_bits(a as u32).into(),
        };
        let number = match rounding {
            Rounding::None => number,
            Rounding::Nearest => number.round_ties_even(),
            Rounding::Zero => number.trunc(),
            Rounding::Down => number.floor(),
            Rounding::Up => number.ceil(),
        };
        return match (to.is_float(), to.is_wide(), to.is_signed()) {
            (true, true, _) => number.to_bits(),
            (true, false, _) => (number as f32).to_bits().into(),
            (false, _, true) => cut((number as i64).cast_unsigned(), to.bytes),
            (false, _, false) => cut(number as u64, to.bytes),
        };
    }
    match (to.is_float(), to.is_wide(), from.is_signed()) {
        (true, true, true) => (whole as f64).to_bits(),
        (true, true, false) => (cut(a, from.bytes) as f64).to_bits(),
        (true, false, true) => (whole as f32).to_bits().into(),
        (true, false, false) => (cut(a, from.bytes) as f32).to_bits().into(),
        (false, _, true) => cut(whole.cast_unsigned(), to.bytes),
        (false, _, false) => cut(cut(a, from.bytes), to.bytes),
    }
}
