//! Numbers that a table may hold.

use std::fmt::{Debug, Display};

use bytemuck::Pod;

use super::simd::Native;

/// A number that a table may hold, with the arithmetic of every engine: a cell is
/// `((min over k of x + y).settled() + whole).settled()`, or with sides that of
/// `(x + y).settled() + split`, so that all engines give the same bits.
pub trait Weight:
    Native + Pod + PartialOrd + Default + Display + Debug + Send + Sync + 'static
{
    /// What polygon edges weigh.
    const ZERO: Self;
    /// Stands for a polygon that has no triangulation, and for a chord that may not be used.
    const INFINITY: Self;
    /// The type's name: `f32`, `f64`, `i32`.
    const NAME: &'static str;

    /// The sum, which two cells never wrap.
    fn plus(self, other: Self) -> Self;
    /// The product, for [`super::Problem::sides`].
    fn times(self, other: Self) -> Self;
    /// Whether this is the total of a triangulation, rather than a sign that there is none.
    fn is_finite(self) -> bool;
    /// A sum, or the least of some, as a cell holds it.
    fn settled(self) -> Self;

    /// The lesser of two, `self` if they are equal.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
    /// Whether this may weigh a chord: a finite number, or [`Self::INFINITY`].
    fn is_weight(self) -> bool {
        self.is_finite() || self == Self::INFINITY
    }
}

macro_rules! floating_weight {
    ($float:ident) => {
        impl Weight for $float {
            const ZERO: Self = 0.0;
            const INFINITY: Self = $float::INFINITY;
            const NAME: &'static str = stringify!($float);

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                self.is_finite()
            }
            #[inline(always)]
            fn settled(self) -> Self {
                self
            }
        }
    };
}
floating_weight!(f32);
floating_weight!(f64);

/// Numbers between −2²⁹ and 2²⁹ are finite, and +∞ is 2³⁰ − 1: no sum of two of them wraps, and one
/// with +∞ in it is not finite. A finite sum that leaves the range counts as +∞; an `n`-gon whose
/// weights are below 2²⁹ / (n − 2) in magnitude has none.
impl Weight for i32 {
    const ZERO: Self = 0;
    const INFINITY: Self = (1 << 30) - 1;
    const NAME: &'static str = "i32";

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        self > -(1 << 29) && self < 1 << 29
    }
    #[inline(always)]
    fn settled(self) -> Self {
        if Weight::is_finite(self) { self } else { Self::INFINITY }
    }
}
