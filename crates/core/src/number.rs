//! Numbers of results, and when two of them agree.

use std::fmt;

/// A number as an array holds it; integers of 64 bits have no place in an `f64`.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Number {
    /// Of a type of integers; true is 1.
    Integer(i128),
    /// Of a type of floating-point numbers.
    Float(f64),
}

impl Number {
    /// The nearest `f64`.
    pub fn float(self) -> f64 {
        match self {
            Self::Integer(it) => it as f64,
            Self::Float(it) => it,
        }
    }

    /// Whether it is no further from the number that is right than a tolerance, absolutely below 1, else
    /// relatively. Of integers the difference is exact.
    ///
    /// ```
    /// use memory_machine_core::number::Number::{Float, Integer};
    ///
    /// assert!(Float(41.0).agrees(Float(40.0), 0.1));
    /// assert!(!Float(41.0).agrees(Float(f64::INFINITY), 0.1));
    /// assert!(!Integer(9_007_199_254_740_993).agrees(Integer(9_007_199_254_740_992), 0.0));
    /// ```
    pub fn agrees(self, right: Self, tolerance: f64) -> bool {
        match (self, right) {
            (Self::Integer(own), Self::Integer(right)) => {
                own.abs_diff(right) <= share(tolerance, right.unsigned_abs().max(1))
            }
            _ => {
                let right = right.float();
                near(self.float(), right, tolerance * right.abs().max(1.0))
            }
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(it) => it.fmt(f),
            Self::Float(it) => it.fmt(f),
        }
    }
}

/// Whether two numbers differ by no more than `most`. An infinity is near itself alone; two that are no
/// numbers agree, too.
pub fn near(found: f64, right: f64, most: f64) -> bool {
    found == right
        || found.is_nan() && right.is_nan()
        || found.is_finite() && right.is_finite() && (found - right).abs() <= most
}

/// The whole part of factor · of, exactly: the factor is a whole number times a power of two.
fn share(factor: f64, of: u128) -> u128 {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    if factor.is_nan() || factor <= 0.0 {
        return 0;
    }
    let (exponent, fraction) = (factor.to_bits() >> FRACTION, factor.to_bits() << 12 >> 12);
    let whole = if exponent == 0 { fraction } else { fraction | 1 << FRACTION };
    let product = u128::from(whole).saturating_mul(of);
    let power = exponent.max(1) as i32 - 1023 - FRACTION as i32;
    let shift = power.unsigned_abs();
    match power {
        ..0 => product.checked_shr(shift).unwrap_or(0),
        _ if shift <= product.leading_zeros() => product << shift,
        _ => u128::MAX,
    }
}

/// Reads a tolerance, as `1e-6`.
///
/// # Errors
/// That it is none.
pub fn tolerance(text: &str) -> Result<f64, String> {
    checked_tolerance(text.parse().unwrap_or(f64::NAN))
}

/// A tolerance within which not everything agrees.
///
/// # Errors
/// That it is none.
pub fn checked_tolerance(number: f64) -> Result<f64, String> {
    match number.is_finite() && number >= 0.0 {
        true => Ok(number),
        false => Err("it must be a number from 0 on, such as 1e-6".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_agree_exactly_and_an_infinity_with_itself() {
        let (infinity, nan) = (f64::INFINITY, f64::NAN);
        let integer = |it: i128| Number::Integer(it);
        for (found, right, tolerance, agree) in [
            (integer(9_000_027_000_001), integer(9_000_027_000_001), 0.0, true),
            (integer(i64::MAX.into()), integer(i128::from(i64::MAX) - 1), 0.0, false),
            (integer(u64::MAX.into()), integer(i128::from(u64::MAX) - 1), 0.0, false),
            (integer(i64::MIN.into()), integer(u64::MAX.into()), 1e-3, false),
            (integer(1001), integer(1000), 1e-3, true),
            (integer(1001), integer(1000), 0.999e-3, false),
            (integer((1 << 60) + 2), integer(1 << 60), f64::powi(2.0, -59), true),
            (integer((1 << 60) + 3), integer(1 << 60), f64::powi(2.0, -59), false),
            (integer(0), integer(1), 0.5, false),
            (integer(-1), integer(0), 1.0, true),
            (integer(i64::MIN.into()), integer(i64::MAX.into()), 1e300, true),
            (integer(1), integer(0), 5e-324, false),
            (Number::Float(42.0), Number::Float(infinity), 1e-6, false),
            (Number::Float(infinity), Number::Float(42.0), 1e300, false),
            (Number::Float(-infinity), Number::Float(infinity), 1e-6, false),
            (Number::Float(infinity), Number::Float(infinity), 0.0, true),
            (Number::Float(nan), Number::Float(nan), 0.0, true),
            (Number::Float(1.0), Number::Float(nan), 1e300, false),
            (Number::Float(infinity), Number::Float(1e308), 1e300, false),
            (Number::Float(41.0), Number::Float(40.0), 0.1, true),
        ] {
            assert_eq!(found.agrees(right, tolerance), agree, "{found} {right} {tolerance}");
        }
        assert_eq!(tolerance("1e-6"), Ok(1e-6));
        for text in ["inf", "nan", "-1", "x", ""] {
            assert!(tolerance(text).is_err(), "{text}");
        }
    }
}
