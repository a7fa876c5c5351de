//! Sums and products rounded as the hardware does: to nearest or in a direction, with subnormal numbers
//! or without, brought into [0, 1] or not.

use super::opcode::{FloatMode, Rounding};

/// What every instruction of f32 gives for what is no number.
pub(super) const NAN: u32 = 0x7fff_ffff;

/// The sum of two numbers, and what it is off by: exactly, if nothing overflows.
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// A number that is to be rounded again: where it is not exact, its last bit is set, so that the second
/// rounding is as if it were the only one.
pub(super) fn to_odd((value, rest): (f64, f64)) -> f64 {
    if rest == 0.0 || !value.is_finite() || !rest.is_finite() || value.to_bits() & 1 == 1 {
        return value;
    }
    let bits = value.to_bits();
    // Towards the rest.
    f64::from_bits(if (rest > 0.0) == (value > 0.0) { bits | 1 } else { bits - 1 })
}

/// To an f32, in a direction; exact, or with its last bit set.
pub(super) fn narrow(value: f64, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    let exact = f64::from(nearest);
    if value.is_nan() || exact == value {
        return nearest;
    }
    let goes_down = match rounding {
        Rounding::Nearest => return nearest,
        Rounding::Down => true,
        Rounding::Up => false,
        Rounding::Zero => value > 0.0,
    };
    match (goes_down, exact < value) {
        (true, false) => nearest.next_down(),
        (false, true) => nearest.next_up(),
        _ => nearest,
    }
}

/// The nearest number, moved by what it is off by in a direction.
fn directed(nearest: f64, rest: f64, rounding: Rounding) -> f64 {
    if rest == 0.0 || !rest.is_finite() || !nearest.is_finite() {
        return nearest;
    }
    let goes_down = match rounding {
        Rounding::Nearest => return nearest,
        Rounding::Down => true,
        Rounding::Up => false,
        Rounding::Zero => nearest > 0.0 || nearest == 0.0 && rest > 0.0,
    };
    match (goes_down, rest < 0.0) {
        (true, true) => nearest.next_down(),
        (false, false) => nearest.next_up(),
        _ => nearest,
    }
}

fn flushed(it: f32) -> f32 {
    if it.is_subnormal() { 0_f32.copysign(it) } else { it }
}

impl FloatMode {
    /// An operand.
    pub(super) fn operand(self, it: f32) -> f32 {
        if self.flushes { flushed(it) } else { it }
    }

    fn result(self, it: f32) -> f32 {
        let it = if self.flushes { flushed(it) } else { it };
        match self.is_saturated {
            // A NaN, and −0, become 0.
            true if it > 0.0 => it.min(1.0),
            true => 0.0,
            false => it,
        }
    }

    pub(super) fn product(self, a: f32, b: f32) -> f32 {
        let [a, b] = [a, b].map(|it| self.operand(it));
        self.result(match (self.rounding, self.halvings) {
            (Rounding::Nearest, 0) => a * b,
            (rounding, halvings) => {
                let part = 1.0 / f64::from(1_u32 << halvings);
                narrow(f64::from(a) * f64::from(b) * part, rounding)
            }
        })
    }

    pub(super) fn sum(self, a: f32, b: f32) -> f32 {
        let [a, b] = [a, b].map(|it| self.operand(it));
        self.result(match self.rounding {
            Rounding::Nearest => a + b,
            rounding => zero_of(a, b, rounding)
                .unwrap_or_else(|| narrow(to_odd(two_sum(a.into(), b.into())), rounding)),
        })
    }

    pub(super) fn fused(self, a: f32, b: f32, c: f32) -> f32 {
        let [a, b, c] = [a, b, c].map(|it| self.operand(it));
        self.result(match self.rounding {
            Rounding::Nearest => a.mul_add(b, c),
            rounding => {
                let product = f64::from(a) * f64::from(b);
                zero_of(product as f32, c, rounding)
                    .filter(|_| product == -f64::from(c))
                    .unwrap_or_else(|| narrow(to_odd(two_sum(product, c.into())), rounding))
            }
        })
    }
}

/// The zero that numbers which cancel each other give: −0 if rounded down.
fn zero_of(a: f32, b: f32, rounding: Rounding) -> Option<f32> {
    let cancels = a == -b && (a != 0.0 || a.is_sign_negative() != b.is_sign_negative());
    cancels.then_some(if rounding == Rounding::Down { -0.0 } else { 0.0 })
}

#[inline(always)]
pub(super) fn long_sum(a: f64, b: f64, rounding: Rounding) -> f64 {
    let (sum, rest) = two_sum(a, b);
    if sum == 0.0 && rounding == Rounding::Down && a != b {
        return -0.0;
    }
    directed(sum, rest, rounding)
}

#[inline(always)]
pub(super) fn long_product(a: f64, b: f64, rounding: Rounding) -> f64 {
    let product = a * b;
    directed(product, a.mul_add(b, -product), rounding)
}

/// What a fused product and sum is off by has the sign of two numbers' sum (Boldo and Muller 2011).
#[inline(always)]
pub(super) fn long_fused(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    let fused = a.mul_add(b, c);
    if rounding == Rounding::Nearest {
        return fused;
    }
    let product = a * b;
    let of_product = a.mul_add(b, -product);
    let (upper, lower) = two_sum(c, of_product);
    let (first, second) = two_sum(product, upper);
    let rest = ((first - fused) + second) + lower;
    if fused == 0.0 && rest == 0.0 && rounding == Rounding::Down && product != c {
        return -0.0;
    }
    directed(fused, rest, rounding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(rounding: Rounding) -> FloatMode {
        FloatMode { rounding, ..FloatMode::PLAIN }
    }

    #[test]
    fn directions_enclose_what_is_exact() {
        let third = 1.0_f32 / 3.0;
        let [down, up, zero] =
            [Rounding::Down, Rounding::Up, Rounding::Zero].map(|it| mode(it).product(third, third));
        assert!(down < up && down.next_up() == up && zero == down);
        assert_eq!(mode(Rounding::Zero).sum(1.0, -1e-30), 1.0_f32.next_down());
        assert_eq!(mode(Rounding::Up).sum(1.0, 1e-30), 1.0_f32.next_up());
        assert_eq!(mode(Rounding::Down).fused(1.0, 1.0, 1e-30), 1.0);
        assert_eq!(mode(Rounding::Up).fused(3.0, 5.0, -1e-30), 15.0);
        assert_eq!(mode(Rounding::Down).fused(3.0, 5.0, -1e-30), 15.0_f32.next_down());
        assert!(mode(Rounding::Down).sum(1.0, -1.0).is_sign_negative());
        assert_eq!(long_fused(3.0, 5.0, 1e-300, Rounding::Up), 15.0_f64.next_up());
        assert_eq!(long_sum(1.0, 1e-300, Rounding::Down), 1.0);
        let [down, up] = [Rounding::Down, Rounding::Up].map(|it| long_product(0.1, 0.1, it));
        assert_eq!(down.next_up(), up);
    }

    /// As an H200 does, of 7,918 products for which it makes a difference.
    #[test]
    fn products_are_halved_before_they_are_rounded() {
        let halves = FloatMode { halvings: 1, ..FloatMode::PLAIN };
        let (a, b) = (1.0_f32.next_up(), f32::from_bits(14_680_061));
        assert_eq!(halves.product(a, b), f32::from_bits(7_340_031));
        assert_eq!(a * b * 0.5, f32::from_bits(7_340_032));
        assert_eq!(FloatMode { halvings: 3, ..halves }.product(f32::MAX, 8.0), f32::MAX);
    }

    #[test]
    fn results_are_brought_between_0_and_1_and_subnormals_are_flushed() {
        let saturates = FloatMode { is_saturated: true, ..FloatMode::PLAIN };
        assert_eq!(
            [2.0, -2.0, f32::NAN, 0.5].map(|it| saturates.sum(it, 0.0)),
            [1.0, 0.0, 0.0, 0.5]
        );
        let flushes = FloatMode { flushes: true, ..FloatMode::PLAIN };
        assert_eq!(flushes.product(1e-30, 1e-10), 0.0);
        assert_eq!(flushes.sum(1e-40, 1.0), 1.0);
        assert!(FloatMode::PLAIN.product(1e-30, 1e-10) > 0.0);
    }
}
