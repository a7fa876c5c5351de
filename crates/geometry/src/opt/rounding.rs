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
