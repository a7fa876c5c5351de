//! Roots of fractions, exactly.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive};

/// `of^(1/degree)`, positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Positive.
    pub of: BigRational,
    /// At least 1, and no less than it needs to be.
    pub degree: u32,
}

impl Root {
    /// A fraction.
    pub fn fraction(of: BigRational) -> Self {
        Self { of, degree: 1 }
    }

    /// `base^exponent` of a positive base.
    pub fn power(base: &BigRational, exponent: &BigRational) -> Self {
        let degree = exponent.denom().to_u32().unwrap_or(1);
        let power = exponent.numer().to_i32().unwrap_or(0);
        Self { of: base.pow(power), degree }.reduced()
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let degree = self.degree.lcm(&other.degree);
        let raised = |it: &Self| Pow::pow(&it.of, degree / it.degree);
        Self { of: raised(self) * raised(other), degree }.reduced()
    }

    /// One over it.
    #[must_use]
    pub fn reciprocal(&self) -> Self {
        Self { of: self.of.recip(), degree: self.degree }
    }

    fn reduced(mut self) -> Self {
        for prime in [2, 3, 5, 7] {
            while self.degree.is_multiple_of(prime) {
                let root = |it: &BigInt| {
                    let root = it.nth_root(prime);
                    (Pow::pow(&root, prime) == *it).then_some(root)
                };
                let (Some(above), Some(below)) = (root(self.of.numer()), root(self.of.denom()))
                else {
                    break;
                };
                self.of = BigRational::new(above, below);
                self.degree /= prime;
            }
        }
        self
    }

    /// A fraction that is no more, by less than 2^-60.
    pub fn floor(&self) -> BigRational {
        debug_assert!(self.of.is_positive());
        let shift = 64_u32;
        let scale = BigInt::one() << (shift * self.degree);
        let scaled = (&self.of * BigRational::from_integer(scale)).floor().to_integer();
        BigRational::new(scaled.nth_root(self.degree), BigInt::one() << shift)
    }

    /// A fraction that is more, by little.
    pub fn ceil(&self) -> BigRational {
        self.floor() + BigRational::new(BigInt::one(), BigInt::one() << 60)
    }

    /// A fraction near it.
    pub fn value(&self) -> f64 {
        self.of.to_f64().unwrap_or(f64::NAN).powf(1.0 / f64::from(self.degree))
    }
}
