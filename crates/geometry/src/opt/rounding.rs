//! From real numbers to the numbers of a table.

use super::Weight;

/// Weights that real numbers can be rounded to.
pub trait Nearest: Weight {
    /// Finite numbers are below this in magnitude.
    const LIMIT: f64;
    /// Numbers from this on in magnitude are rounded as exactly as larger ones.
    const LEAST: f64;
    /// Whether only whole numbers are exact.
    const WHOLE: bool;

    /// The nearest number of this type; [`Weight::INFINITY`] for +∞ and all from
    /// [`LIMIT`](Self::LIMIT) on. Never −0, which engines may not tell from 0.
    fn nearest(number: f64) -> Self;

    /// Whether every sum in the table of an `n`-gon stays finite, if no chord's weight exceeds
    /// `largest` in magnitude: each is of `n − 2` weights at most.
    fn holds(n: usize, largest: f64) -> bool {
        // With room for what rounding adds to each weight and to each sum.
        let rounding = if Self::WHOLE { 0.5 } else { largest * 1e-3 };
        n.saturating_sub(2) as f64 * (largest + rounding) < Self::LIMIT
    }

    /// Whether a `total` of the lengths of an `n`-gon's `n − 3` chords is distinguished from 0: that of
    /// numbers that are so small that they lose bits, or all of them, is not.
    fn tells(n: usize, total: f64) -> bool {
        n <= 3 || total >= (n - 3) as f64 * Self::LEAST
    }
}

impl Nearest for f32 {
    const LIMIT: f64 = Self::MAX as f64;
    const LEAST: f64 = Self::MIN_POSITIVE as f64;
    const WHOLE: bool = false;

    fn nearest(number: f64) -> Self {
        number as Self + 0.0
    }
}

impl Nearest for f64 {
    const LIMIT: f64 = Self::MAX;
    const LEAST: f64 = Self::MIN_POSITIVE;
    const WHOLE: bool = false;

    fn nearest(number: f64) -> Self {
        number + 0.0
    }
}

impl Nearest for i32 {
    const LIMIT: f64 = (1_u32 << 29) as f64;
    const LEAST: f64 = 0.5;
    const WHOLE: bool = true;

    fn nearest(number: f64) -> Self {
        let whole = number.round();
        if whole < Self::LIMIT { whole as Self } else { Self::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::{Nearest, Weight};

    #[test]
    fn whole_numbers_round_and_end() {
        assert_eq!([0.4, 0.5, -1.5, 7.0].map(i32::nearest), [0, 1, -2, 7]);
        let last = f64::from((1 << 29) - 1);
        assert!(Weight::is_finite(i32::nearest(last)));
        for beyond in [last + 1.0, 1e300, f64::INFINITY] {
            assert_eq!(i32::nearest(beyond), <i32 as Weight>::INFINITY);
        }
    }

    #[test]
    fn zero_has_no_sign() {
        assert!(f32::nearest(-0.0).is_sign_positive() && f64::nearest(-0.0).is_sign_positive());
        // Rounded to 0 from below.
        assert!(f32::nearest(-1e-60).is_sign_positive());
    }

    #[test]
    fn sums_are_bounded() {
        // 2²⁹ = 536 870 912.
        assert!(i32::holds(3, 536_870_911.0) && !i32::holds(4, 268_435_456.0));
        assert!(f32::holds(1 << 16, 1e30) && !f32::holds(4, 3e38));
        assert!(f64::holds(4, 3e38) && !f64::holds(4, f64::INFINITY));
    }
}
