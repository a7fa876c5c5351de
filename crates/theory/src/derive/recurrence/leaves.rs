//! Where a recursion ends, how often a procedure calls itself before, and what calls take that do not.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::LevelSums;
use crate::derive::domain::GuardedPolynomial;
use crate::derive::polynomial::{Atom, Monomial, Polynomial, Size, whole};
use crate::derive::scope::logarithm_high;
use crate::derive::walk::Call;

impl LevelSums {
    /// What calls take that do not.
    pub(in crate::derive) fn leaves(
        &self,
        pieces: &[GuardedPolynomial],
        up: bool,
    ) -> Option<Vec<GuardedPolynomial>> {
        let way = usize::from(!up);
        let most = self.ends[way];
        let first = match (up, self.is_exact) {
            (_, true) => self.least_inner(way) / 2,
            (true, _) => 1,
            (false, _) => {
                let less = self.rounding[1] * (self.divisor - 1);
                ((most - less).div_euclid(self.divisor) + 1).max(1)
            }
        };
        let last = if self.is_exact { first } else { most };
        let each = self.leaf(pieces, first..=last, up)?;
        let mut all = self.guarded(&each * &self.count(up)?, way);
        if up {
            // The first call may be one.
            let each = self.leaf(pieces, 1..=most, true)?;
            let guard = vec![&Polynomial::constant(most) - &self.first[self.measure]];
            all.push(GuardedPolynomial { guard, value: each });
        }
        all.retain(|it| !it.value.is_zero());
        Some(all)
    }

    /// What a call takes that has one of some measures: the most or the least of each monomial's factors.
    fn leaf(
        &self,
        pieces: &[GuardedPolynomial],
        measures: std::ops::RangeInclusive<i64>,
        up: bool,
    ) -> Option<Polynomial> {
        let mut found: Option<Polynomial> = None;
        for measure in measures {
            let mut sum = Polynomial::default();
            for piece in pieces {
                let own = Atom::Size(self.own[self.measure]);
                let at = |it: &Polynomial| it.substitute(own, &Polynomial::constant(measure));
                let guards = piece.guard.iter().map(at).collect::<Option<Vec<_>>>()?;
                let known = guards.iter().map(Polynomial::as_constant);
                let known: Vec<Option<BigRational>> = known.collect();
                if known.iter().flatten().any(Signed::is_negative) {
                    continue;
                }
                let is_sure = known.iter().all(Option::is_some);
                let value = match (is_sure, up) {
                    (true, _) => piece.value.clone(),
                    (false, true) => piece.value.without(|_, it| it.is_negative()),
                    (false, false) => continue,
                };
                for (monomial, factor) in value.terms() {
                    let one = self.at_leaf(monomial, measure, factor.is_positive() == up)?;
                    sum = &sum + &one.scale(factor);
                }
            }
            found = Some(match found {
                None => sum,
                Some(found) => outer(&found, &sum, up),
            });
        }
        Some(found.unwrap_or_default())
    }

    fn at_leaf(&self, monomial: &Monomial, measure: i64, up: bool) -> Option<Polynomial> {
        let mut product = Polynomial::constant(1);
        for &(atom, power) in monomial {
            let (Atom::Size(size) | Atom::Log(size)) = atom else { return None };
            let factor = match self.own.iter().position(|it| *it == size) {
                None => {
                    product = &product * &Polynomial::power(atom, power);
                    continue;
                }
                Some(at) if at == self.measure => {
                    let bits = i64::from((measure.max(2) - 1).ilog2()) + 1;
                    let value = if atom == Atom::Size(size) { measure } else { bits };
                    product = product.scale(&whole(value).pow(power));
                    continue;
                }
                Some(_) if !up => Polynomial::constant(1),
                Some(at) if atom == Atom::Size(size) => self.beside_leaf(at)?,
                Some(at) => logarithm_high(&self.first[at])?,
            };
            product = &product * &factor.to_the(u32::try_from(power).ok()?);
        }
        Some(product)
    }

    /// The most that another size is where a call does not call itself.
    fn beside_leaf(&self, size: usize) -> Option<Polynomial> {
        if !self.is_divided[size] {
            return Some(self.first[size].clone());
        }
        let rounding = Polynomial::constant(self.rounding[0]);
        if !self.is_even {
            return Some(&self.first[size] + &rounding);
        }
        let measure = &self.first[self.measure];
        (measure.terms().count() == 1).then_some(())?;
        let part = &self.first[size] * &measure.reciprocal();
        let most = part.scale(&whole(self.ends[0] + self.rounding[1].max(1)));
        Some(&most + &rounding)
    }
}

/// A sum that is no less than two others, or no more.
fn outer(a: &Polynomial, b: &Polynomial, up: bool) -> Polynomial {
    let factor = |of: &Polynomial, wanted: &Monomial| {
        let found = of.terms().find(|it| it.0 == wanted).map(|it| it.1.clone());
        found.unwrap_or_else(BigRational::zero)
    };
    let mut sum = Polynomial::default();
    for monomial in a.terms().chain(b.terms()).map(|it| it.0) {
        let one = Polynomial::monomial(monomial.clone());
        let [left, right] = [a, b].map(|it| factor(it, monomial));
        let factor = if up == (left > right) { left } else { right };
        let known = sum.terms().any(|it| it.0 == monomial);
        if !known {
            sum = &sum + &one.scale(&factor);
        }
    }
    sum
}

/// The least measure for which a guard holds that asks for it to be large.
fn threshold(guard: &Polynomial, measure: Size) -> Option<i64> {
    let (slope, rest) = guard.linear_in(Atom::Size(measure))?;
    let rest = rest.as_constant()?;
    slope.is_positive().then(|| (-rest / slope).ceil().to_integer().to_i64())?
}

/// How often calls are made, and the largest sizes for which none is: at most and at least. A measure that is
/// looked at must be more for each.
pub(super) fn ends(measure: Size, calls: &[Call]) -> Option<([i64; 2], [i64; 2])> {
    let (mut least_calls, mut bounds) = (0, [i64::MAX, 0]);
    let mut most: Vec<(&[(u32, bool)], i64)> = vec![];
    for call in calls {
        let mut count = 0;
        for piece in &call.counts[0] {
            let least = piece.guard.iter().filter_map(|it| threshold(it, measure)).max()?;
            bounds[0] = bounds[0].min(least - 1);
            count += piece.value.as_whole().filter(|it| *it > 0)?;
        }
        most.push((&call.arms, count));
        for piece in &call.counts[1] {
            let least: Option<Vec<i64>> =
                piece.guard.iter().map(|it| threshold(it, measure)).collect();
            if let (Some(least), Some(count)) = (least, piece.value.as_whole()) {
                bounds[1] = bounds[1].max(least.into_iter().max().unwrap_or(1) - 1);
                least_calls += count.max(0);
            }
        }
    }
    bounds[1] = bounds[1].max(bounds[0]);
    let most = most_calls(&most);
    (most > 0).then_some(([most, least_calls], bounds))
}

/// Calls at most, where of each condition one arm is taken.
fn most_calls(calls: &[(&[(u32, bool)], i64)]) -> i64 {
    let mut conditions: Vec<u32> = calls.iter().filter_map(|it| Some(it.0.first()?.0)).collect();
    conditions.dedup();
    let plain: i64 = calls.iter().filter(|it| it.0.is_empty()).map(|it| it.1).sum();
    let arm = |condition: u32, is_then: bool| {
        let inside = calls.iter().filter(|it| it.0.first() == Some(&(condition, is_then)));
        most_calls(&inside.map(|it| (&it.0[1..], it.1)).collect::<Vec<_>>())
    };
    let conditions = conditions.into_iter().map(|it| arm(it, true).max(arm(it, false)));
    plain + conditions.sum::<i64>()
}
