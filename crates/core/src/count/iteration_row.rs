//! A form along a row of iterations: evaluated exactly as lines, for how it repeats, or for what it is
//! at least and at most.

use super::form::{Form, Scalars};
use crate::language::program::ScalarId;
use crate::language::syntax::BinaryOp;
use crate::machine::gcd;

/// A row: `count` iterations, in which `variable` grows by `step` from `first` on; all other scalars
/// are as they are.
#[derive(Clone, Copy)]
pub(super) struct IterationRow<'a> {
    pub(super) scalars: &'a Scalars,
    pub(super) variable: ScalarId,
    pub(super) first: i64,
    pub(super) step: i64,
    pub(super) count: u64,
}

/// What a form may be evaluated to. Only sums, minima and maxima, multiples and quotients are asked
/// for: the rest follows from them. `None` where that is unknown.
pub(super) trait Value: Sized {
    /// `first + slope · t` along the row.
    fn affine(along: &IterationRow<'_>, first: i64, slope: i64) -> Option<Self>;
    /// The sum, difference, minimum or maximum.
    fn combine(&self, op: BinaryOp, other: &Self) -> Option<Self>;
    fn times(&self, factor: i64) -> Option<Self>;
    /// ⌊self / divisor⌋, for a divisor of at least 1.
    fn divide(&self, divisor: i64) -> Option<Self>;
    /// self − divisor·⌊self / divisor⌋, for a divisor of at least 1.
    fn remainder(&self, divisor: i64) -> Option<Self> {
        self.combine(BinaryOp::Subtract, &self.divide(divisor)?.times(divisor)?)
    }
}

impl<'a> IterationRow<'a> {
    /// The row's iterations from number `from` on.
    pub(super) const fn part(self, from: u64, count: u64) -> Self {
        // Exact modulo 2⁶⁴, and the variable has each of these values in a run.
        let first = self.first.wrapping_add(self.step.wrapping_mul(from.cast_signed()));
        Self { first, count, ..self }
    }

    /// In the first iteration.
    pub(super) fn value(&self, form: &Form) -> Option<i64> {
        form.value(&|it: ScalarId| {
            if it == self.variable { self.first } else { self.scalars[it.0] }
        })
    }

    pub(super) fn evaluate<V: Value>(&self, form: &Form) -> Option<V> {
        if let Some(slope) = form.slope(self.variable) {
            return V::affine(self, self.value(form)?, slope.checked_mul(self.step)?);
        }
        let Form::Operation(op, parts) = form else { return None };
        let [left, right] = parts.as_ref();
        if matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Min | BinaryOp::Max) {
            return self.evaluate::<V>(left)?.combine(*op, &self.evaluate(right)?);
        }
        // One side is the same in all iterations.
        let (value, constant) = match (left.mentions(self.variable), right.mentions(self.variable))
        {
            (true, false) => (self.evaluate::<V>(left)?, self.value(right)?),
            (false, true) if is_commutative(*op) => (self.evaluate(right)?, self.value(left)?),
            _ => return None,
        };
        match op {
            BinaryOp::Multiply => value.times(constant),
            BinaryOp::Divide if constant > 0 => value.divide(constant),
            BinaryOp::Divide if constant < 0 => value.times(-1)?.divide(constant.checked_neg()?),
            BinaryOp::Modulo if constant > 0 => value.remainder(constant),
            // The remainder has the divisor's sign.
            BinaryOp::Modulo if constant < 0 => {
                value.times(-1)?.remainder(constant.checked_neg()?)?.times(-1)
            }
            // Only this many bits of the number of places count.
            BinaryOp::ShiftLeft => value.times(power_of_two(constant & 63)?),
            BinaryOp::ShiftRight => value.divide(power_of_two(constant & 63)?),
            BinaryOp::BitAnd => masked(value, constant),
            BinaryOp::BitOr | BinaryOp::BitXor => {
                // x | h = x + h − (x & h), and x xor h = x + h − 2·(x & h).
                let times = if *op == BinaryOp::BitOr { 1 } else { 2 };
                let sum = value.combine(BinaryOp::Add, &V::affine(self, constant, 0)?)?;
                sum.combine(BinaryOp::Subtract, &masked(value, constant)?.times(times)?)
            }
            _ => None,
        }
    }
}

/// Whether [`IterationRow::evaluate`] knows what to do with a form along rows of `variable`.
pub(super) fn is_piecewise(form: &Form, variable: ScalarId) -> bool {
    let Form::Operation(op, parts) = form else { return true };
    let [left, right] = parts.each_ref().map(|part| part.mentions(variable));
    let allowed = match op {
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Min | BinaryOp::Max => true,
        _ if is_commutative(*op) => !left || !right,
        _ => !right,
    };
    allowed && parts.iter().all(|part| is_piecewise(part, variable))
}

const fn is_commutative(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Multiply | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}

/// `value & mask`: of each stretch of ones in the mask, from bit `low` up to bit `high`, what value mod
/// 2^high has more than value mod 2^low. A negative mask takes away the bits that it has not.
fn masked<V: Value>(value: V, mask: i64) -> Option<V> {
    let mut rest = if mask < 0 { !mask } else { mask };
    let mut kept = value.times(0)?;
    while rest != 0 {
        let low = rest.trailing_zeros();
        let high = low + (rest >> low).trailing_ones();
        let [below, up_to] = [low, high].map(|it| value.remainder(power_of_two(it.into())?));
        kept = kept.combine(BinaryOp::Add, &up_to?)?.combine(BinaryOp::Subtract, &below?)?;
        rest = rest >> high << high;
    }
    if mask < 0 { value.combine(BinaryOp::Subtract, &kept) } else { Some(kept) }
}

fn power_of_two(bits: i64) -> Option<i64> {
    (bits < 63).then(|| 1 << bits)
}

/// A form that is `advance` more after every `length` iterations, whatever it is in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Period {
    pub(super) length: u64,
    pub(super) advance: i64,
}

impl Period {
    /// After `times` as many iterations.
    fn repeated(self, times: u64) -> Option<Self> {
        let length = self.length.checked_mul(times)?;
        Some(Self { length, advance: self.advance.checked_mul(i64::try_from(times).ok()?)? })
    }

    /// After a multiple of `length`.
    pub(super) fn of_multiple(self, length: u64) -> Option<Self> {
        self.repeated(length / gcd(self.length, length))
    }

    /// The next one after which the advance is a multiple of `divisor`.
    pub(super) fn dividing(self, divisor: u64) -> Option<Self> {
        self.repeated(divisor / gcd(self.advance.unsigned_abs() % divisor, divisor))
    }
}

impl Value for Period {
    fn affine(_: &IterationRow<'_>, _: i64, slope: i64) -> Option<Self> {
        Some(Self { length: 1, advance: slope })
    }

    fn combine(&self, op: BinaryOp, other: &Self) -> Option<Self> {
        let (a, b) = (self.of_multiple(other.length)?, other.of_multiple(self.length)?);
        let advance = match op {
            BinaryOp::Add => a.advance.checked_add(b.advance)?,
            BinaryOp::Subtract => a.advance.checked_sub(b.advance)?,
            BinaryOp::Min | BinaryOp::Max if a.advance == b.advance => a.advance,
            _ => return None,
        };
        Some(Self { advance, ..a })
    }

    fn times(&self, factor: i64) -> Option<Self> {
        Some(Self { advance: self.advance.checked_mul(factor)?, ..*self })
    }

    fn divide(&self, divisor: i64) -> Option<Self> {
        let whole = self.dividing(divisor.unsigned_abs())?;
        Some(Self { advance: whole.advance / divisor, ..whole })
    }
}

/// What a form is at least and at most, with nothing in it that leaves 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Value for Bounds {
    fn affine(along: &IterationRow<'_>, first: i64, slope: i64) -> Option<Self> {
        let more = slope.checked_mul(i64::try_from(along.count - 1).ok()?)?;
        let last = first.checked_add(more)?;
        Some(Self { low: first.min(last), high: first.max(last) })
    }

    fn combine(&self, op: BinaryOp, other: &Self) -> Option<Self> {
        let (low, high) = match op {
            BinaryOp::Add => (self.low.checked_add(other.low)?, self.high.checked_add(other.high)?),
            BinaryOp::Subtract => {
                (self.low.checked_sub(other.high)?, self.high.checked_sub(other.low)?)
            }
            BinaryOp::Min => (self.low.min(other.low), self.high.min(other.high)),
            BinaryOp::Max => (self.low.max(other.low), self.high.max(other.high)),
            _ => return None,
        };
        Some(Self { low, high })
    }

    fn times(&self, factor: i64) -> Option<Self> {
        let (a, b) = (self.low.checked_mul(factor)?, self.high.checked_mul(factor)?);
        Some(Self { low: a.min(b), high: a.max(b) })
    }

    fn divide(&self, divisor: i64) -> Option<Self> {
        Some(Self { low: self.low.div_euclid(divisor), high: self.high.div_euclid(divisor) })
    }

    fn remainder(&self, divisor: i64) -> Option<Self> {
        Some(Self { low: 0, high: divisor - 1 })
    }
}
