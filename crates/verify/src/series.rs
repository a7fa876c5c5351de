//! Sums over numbers that halve, and over quotients by a loop's number.

use num_rational::BigRational;

use crate::Refusal;
use crate::polynomial::{Polynomial, is_positive, two_to, whole};
use crate::sums::{Halving, Level, Sums};

impl Sums<'_> {
    /// Of a quotient, what it is no more than: the first power of it alone.
    pub(crate) fn quotient(
        &mut self,
        level: &Level,
        (of, by): (&Polynomial, &str),
        facts: &[Polynomial],
        weight: &Polynomial,
    ) -> Result<Option<Polynomial>, Refusal> {
        match &weight.by_powers(&level.atom).unwrap_or_default()[..] {
            [rest] => Ok(Some(rest.clone())),
            [rest, slope] if self.prove(slope, &facts[..level.outside], true)? => {
                let all = slope.times(of).times(&Polynomial::power(by, -1));
                Ok(Some(rest.plus(&all)))
            }
            _ => Ok(None),
        }
    }

    /// Of a loop's number x that is 1 or more, Σ c/x: 1 + 1/2 + … + 1/m ≤ ⌈log₂ m⌉ + 1. What c takes off
    /// is left out: it is of sizes.
    pub(crate) fn reciprocals(
        &self,
        over: &Polynomial,
        highs: &[Polynomial],
        up: bool,
    ) -> Option<Polynomial> {
        if over.0.is_empty() {
            return Some(Polynomial::default());
        }
        let log =
            highs.iter().find(|it| self.is_of_sizes(it)).map(|it| self.setting.logarithm(it))?;
        let all = over.positive().times(&log?.plus(&Polynomial::constant(1)));
        Some(all).filter(|_| up && self.is_of_sizes(over))
    }

    /// Over a number that halves: of its powers, Σ xʲ ≤ largestʲ·2ʲ/(2ʲ − 1); where halves are rounded up, x − 1
    /// halves rounded down.
    pub(crate) fn halved(
        &mut self,
        level: &Level,
        of: &Halving,
        facts: &[Polynomial],
        weight: &Polynomial,
    ) -> Result<Option<Polynomial>, Refusal> {
        let Some(powers) = weight.by_powers(&level.atom) else { return Ok(None) };
        let series = |j: u32| {
            let twice = two_to(j);
            of.largest.to_the(j).scale(&(&twice / (&twice - whole(1))))
        };
        let mut sum = Polynomial::default();
        for (power, factor) in (0_u32..).zip(&powers) {
            // What is subtracted is left out: it is a product of sizes and of the number, which is positive.
            let factor = if self.is_of_sizes(factor) {
                factor.positive()
            } else if self.prove(factor, &facts[..level.outside], true)? {
                factor.clone()
            } else {
                return Ok(None);
            };
            let mut all = if power == 0 || of.up { of.most.clone() } else { series(power) };
            let mut binomial = BigRational::from_integer(1.into());
            for j in (1..=power).filter(|_| of.up) {
                binomial = binomial * whole(i64::from(power + 1 - j)) / whole(i64::from(j));
                all = all.plus(&series(j).scale(&binomial));
            }
            sum = sum.plus(&factor.times(&all));
        }
        Ok(Some(sum))
    }

    /// So often, or what the first iteration has, where the others have no less than nothing.
    pub(crate) fn halved_at_least(
        &mut self,
        level: &Level,
        of: &Halving,
        facts: &[Polynomial],
        weight: &Polynomial,
    ) -> Result<Option<Polynomial>, Refusal> {
        if weight.mentions(&level.atom) {
            let Some(first) = &of.first else { return Ok(None) };
            let is_fine = self.prove(weight, &facts[..level.inside], false)?;
            return Ok(weight.put(&level.atom, first).filter(|_| is_fine));
        }
        let is_fine = is_positive(weight) && self.is_of_sizes(weight);
        Ok(of.least.as_ref().filter(|_| is_fine).map(|it| it.times(weight)))
    }
}
