//! The tree of a procedure's calls, level by level. At level j there are aʲ calls at most, a being how many
//! calls one makes, and their sizes are those of the first over bʲ, rounded either way. So what they take
//! is a geometric sum for each power of the sizes (the master theorem with floors, and constants).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::Recurrence;
use super::domain::GuardedPolynomial;
use super::facts::Facts;
use super::polynomial::{Atom, Monomial, Polynomial, Size, whole};
use super::recursion::Call;
use super::scope::{logarithm_high, logarithm_low};

/// Sizes are divided by at most that.
const MOST_PARTS: i64 = 16;
/// Recursions end at sizes no larger.
const LARGEST_LEAF: i64 = 256;

/// The sums over all calls. Of pairs, the first bounds from above, the second from below.
pub(super) struct LevelSums {
    /// The procedure's sizes, and what the first call has for them.
    own: Vec<Size>,
    first: Vec<Polynomial>,
    /// Which of them is looked at before it calls itself.
    pub(super) measure: usize,
    /// Which are divided; the others are the same in all calls.
    is_divided: Vec<bool>,
    /// Calls of itself.
    calls: [i64; 2],
    /// By what sizes are divided.
    divisor: i64,
    /// It calls itself only where the measure is more than the first, and surely where it is more than the
    /// second.
    ends: [i64; 2],
    /// By how much sizes of a level may be more, or less, than the first size over bʲ.
    rounding: [i64; 2],
    /// All sizes are powers of two.
    is_exact: bool,
}

/// The least measure for which a guard holds that asks for it to be large.
fn threshold(guard: &Polynomial, measure: Size) -> Option<i64> {
    let (slope, rest) = guard.linear_in(Atom::Size(measure))?;
    let rest = rest.as_constant()?;
    slope.is_positive().then(|| (-rest / slope).ceil().to_integer().to_i64())?
}

impl LevelSums {
    /// The recurrence of calls by a procedure of itself.
    pub(super) fn of(
        own: &[Size],
        first: &[Polynomial],
        calls: &[Call],
    ) -> Result<Self, &'static str> {
        let found = (0..own.len()).find_map(|it| Some((it, ends(own[it], calls)?)));
        let (measure, (counts, ends)) =
            found.ok_or("no condition on an extent is known that ends this recursion")?;
        if ends[0] < 1 || ends[1] > LARGEST_LEAF {
            return Err("this recursion ends at sizes that are not looked at");
        }
        let is_size = |call: &Call| {
            let one = Polynomial::constant(1);
            call.sizes.iter().all(|it| call.facts.imply(&(it - &one)))
        };
        if !calls.iter().all(is_size) {
            return Err("this recursion may be given an array without elements");
        }
        let is_divided: Vec<bool> = own
            .iter()
            .enumerate()
            .map(|(at, size)| !calls.iter().all(|it| it.sizes[at] == Polynomial::from(*size)))
            .collect();
        // Each divided size g of each call: that much more, or less, than the size over b.
        let all = |holds: &dyn Fn(&Polynomial, &Polynomial) -> Polynomial| {
            calls.iter().all(|call| {
                let sizes = own.iter().zip(&call.sizes).zip(&is_divided);
                let mut sizes = sizes.filter(|it| *it.1);
                sizes.all(|((size, given), _)| {
                    call.facts.imply(&holds(&Polynomial::from(*size), given))
                })
            })
        };
        let within = |by: i64, more: i64, sign: i64| {
            let more = Polynomial::constant(more);
            all(&|size, given| &(size - &given.scale(&whole(by))).scale(&whole(sign)) + &more)
        };
        let divisor = (2..=MOST_PARTS).rev().find(|&by| within(by, by - 1, 1));
        let divisor = divisor.filter(|_| is_divided[measure]);
        let divisor = divisor.ok_or("the sizes of this recursion are no even parts")?;
        let up = i64::from(!within(divisor, 0, 1));
        let down = i64::from(!within(divisor, 0, -1));
        // Where parts may be smaller than that, there is no bound from below.
        let least = if within(divisor, divisor - 1, -1) { counts[1] } else { 0 };
        Ok(Self {
            own: own.to_vec(),
            first: first.to_vec(),
            measure,
            is_divided,
            calls: [counts[0], least],
            divisor,
            ends,
            rounding: [up, down],
            is_exact: false,
        })
    }

    /// Whether all sizes are halved exactly: then those of powers of two remain powers of two. The calls
    /// are those of a call whose sizes are twice the procedure's own.
    pub(super) fn halve(&mut self, calls: &[Call]) -> bool {
        let is_half = |call: &Call| {
            let sizes = self.own.iter().zip(&call.sizes).zip(&self.is_divided);
            let mut sizes = sizes.filter(|it| *it.1);
            sizes.all(|((size, given), _)| *given == Polynomial::from(*size))
        };
        let all_divided = self.is_divided.iter().all(|it| *it);
        self.is_exact = all_divided && self.divisor == 2 && calls.iter().all(is_half);
        self.is_exact
    }

    pub(super) fn recurrence(&self, procedure: String, size: String) -> Recurrence {
        let Self { calls, divisor, ends, is_exact, .. } = self;
        let (calls, divisor, ends, is_exact) = (calls[0], *divisor, ends[0], *is_exact);
        Recurrence { procedure, size, calls, divisor, ends, is_exact }
    }

    /// What calls take that call themselves, all together.
    pub(super) fn inner(
        &self,
        pieces: &[GuardedPolynomial],
        up: bool,
    ) -> Option<Vec<GuardedPolynomial>> {
        let way = usize::from(!up);
        let own = Atom::Size(self.own[self.measure]);
        let scale = whole(if self.is_exact { 2 } else { 1 });
        let least = Polynomial::constant(self.ends[way] + 1);
        let known = Facts(vec![&Polynomial::from(own).scale(&scale) - &least]);
        let mut sum = Polynomial::default();
        for piece in pieces {
            let all = piece.guard.iter().fold(known.clone(), |known, it| known.and(it.clone()));
            let is_sure = piece.guard.iter().all(|it| known.imply(it));
            let value = match (up, is_sure) {
                (_, true) => piece.value.clone(),
                (true, _) if all.are_impossible() => continue,
                (true, _) => piece.value.without(|_, it| it.is_negative()),
                (false, _) => continue,
            };
            sum = &sum + &self.over_levels(&self.unhalved(value)?, up)?;
        }
        Some(self.guarded(sum, way))
    }

    /// What calls take that do not.
    pub(super) fn leaves(
        &self,
        pieces: &[GuardedPolynomial],
        up: bool,
    ) -> Option<Vec<GuardedPolynomial>> {
        let way = usize::from(!up);
        let most = self.ends[way];
        let first = match (up, self.is_exact) {
            (_, true) => self.least_inner(way) / 2,
            (true, _) => 1,
            (false, _) => ((most + 1) / self.divisor).max(1),
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

    /// Where the first call calls itself.
    fn guarded(&self, value: Polynomial, way: usize) -> Vec<GuardedPolynomial> {
        let guard = &self.first[self.measure] - &Polynomial::constant(self.ends[way] + 1);
        let is_some = !value.is_zero();
        is_some.then(|| GuardedPolynomial { guard: vec![guard], value }).into_iter().collect()
    }

    /// The procedure's own sizes, where they stand for halves.
    fn unhalved(&self, mut value: Polynomial) -> Option<Polynomial> {
        if self.is_exact {
            for size in &self.own {
                let half = Polynomial::from(*size).scale(&whole(2).recip());
                value = value.substitute(Atom::Size(*size), &half)?;
            }
        }
        Some(value)
    }

    /// The least measure of a call that calls itself, where sizes are powers of two.
    fn least_inner(&self, way: usize) -> i64 {
        let most = u64::try_from(self.ends[way] + 1).unwrap_or(1);
        most.next_power_of_two().cast_signed()
    }

    /// b to the power of the last level with calls that call themselves, is the measure over at least the
    /// first, and times b more than the measure over the second.
    fn edge(&self, way: usize) -> BigRational {
        if self.is_exact {
            return whole(self.least_inner(way));
        }
        let less = if way == 0 { self.rounding[0] } else { 0 };
        whole(self.ends[way] + 1 - less)
    }

    /// A size in level j: the constant, and the factor of b to the power of −j.
    fn at_level(&self, size: usize, up: bool) -> [Polynomial; 2] {
        let first = self.first[size].clone();
        if !self.is_divided[size] {
            return [first, Polynomial::default()];
        }
        let rounding = if self.is_exact { 0 } else { self.rounding[usize::from(!up)] };
        let rounding = Polynomial::constant(rounding);
        if up { [rounding, first] } else { [-&rounding, &first + &rounding] }
    }

    /// The sum over all levels of a polynomial in the sizes there.
    fn over_levels(&self, value: &Polynomial, up: bool) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in value.terms() {
            let more = coefficient.is_positive() == up;
            let Some(powers) = self.by_levels(monomial, more) else {
                if up || more {
                    return None;
                }
                continue;
            };
            for (power, factor) in (0..).zip(&powers) {
                for (monomial, factor) in factor.terms() {
                    let factor = factor * coefficient;
                    let levels = self.geometric(power, factor.is_positive() == up)?;
                    let one = Polynomial::monomial(monomial.clone()).scale(&factor);
                    sum = &sum + &(&one * &levels);
                }
            }
        }
        Some(sum)
    }

    /// A monomial by powers of b to the power of −j.
    fn by_levels(&self, monomial: &Monomial, up: bool) -> Option<Vec<Polynomial>> {
        let mut powers = vec![Polynomial::constant(1)];
        for &(atom, power) in monomial {
            let own = |size: Size| self.own.iter().position(|it| *it == size);
            let [constant, slope] = match atom {
                Atom::Size(size) if let Some(at) = own(size) => self.at_level(at, up),
                Atom::Log(size) if let Some(at) = own(size) => {
                    let log = match up {
                        true => logarithm_high(&self.first[at])?,
                        false => Polynomial::constant(1),
                    };
                    [log, Polynomial::default()]
                }
                _ => {
                    let factor = Polynomial::power(atom, power);
                    powers.iter_mut().for_each(|it| *it = &*it * &factor);
                    continue;
                }
            };
            for _ in 0..u32::try_from(power).ok()? {
                let mut product = vec![Polynomial::default(); powers.len() + 1];
                for (at, it) in powers.iter().enumerate() {
                    product[at] = &product[at] + &(it * &constant);
                    product[at + 1] = &product[at + 1] + &(it * &slope);
                }
                powers = product;
            }
        }
        Some(powers)
    }

    /// The sum of (a/bⁱ)ʲ over the levels j with calls that call themselves.
    fn geometric(&self, power: u32, up: bool) -> Option<Polynomial> {
        let way = usize::from(!up);
        if self.calls[way] == 0 {
            return Some(Polynomial::default());
        }
        let ratio = whole(self.calls[way]) / whole(self.divisor).pow(power.cast_signed());
        let one = BigRational::one();
        if ratio == one {
            return self.levels(way);
        }
        if ratio < one {
            return Some(Polynomial::from(if up { (&one - &ratio).recip() } else { one }));
        }
        // All of the last level, times the ratio where b to its power is an upper bound.
        let last = self.last_level(way, power)?;
        let last = if up || self.is_exact { last.scale(&ratio) } else { last };
        Some((&last - &Polynomial::constant(1)).scale(&(ratio - &one).recip()))
    }

    /// aʲ calls that call themselves not, at the first level without others.
    fn count(&self, up: bool) -> Option<Polynomial> {
        let way = usize::from(!up);
        match self.calls[way] {
            0 => Some(Polynomial::default()),
            calls if up || self.is_exact => Some(self.last_level(way, 0)?.scale(&whole(calls))),
            _ => self.last_level(way, 0),
        }
    }

    /// (a/bⁱ)ʲ where bʲ is the measure over its edge.
    fn last_level(&self, way: usize, power: u32) -> Option<Polynomial> {
        let first = &self.first[self.measure];
        // aʲ is bʲ to the power of a's logarithm, which is rounded: bʲ is 1 or more.
        let mut logarithm = 0_u32;
        let mut reached = BigInt::one();
        let calls = BigInt::from(self.calls[way]);
        while reached < calls {
            reached *= self.divisor;
            logarithm += 1;
        }
        if way == 1 && reached > calls {
            logarithm -= 1;
        }
        let rest = logarithm.checked_sub(power)?;
        let edge = self.edge(way).pow(rest.cast_signed()).recip();
        Some(first.to_the(rest).scale(&edge))
    }

    /// How many levels have calls that call themselves.
    fn levels(&self, way: usize) -> Option<Polynomial> {
        let first = &self.first[self.measure];
        let one = Polynomial::constant(1);
        let edge = self.edge(way).to_integer().to_u64()?;
        if self.is_exact {
            let (monomial, factor) = first.terms().next()?;
            let [(Atom::Size(size), 1)] = monomial[..] else { return None };
            let factor = factor.to_integer().to_u64()?.ilog2();
            let more = i64::from(factor) - i64::from(edge.ilog2());
            return Some(
                &(&Polynomial::from(Atom::Log(size)) + &Polynomial::constant(more)) + &one,
            );
        }
        // Thousandths of log₂ b.
        let bits = (self.divisor as f64).log2() * 1000.0;
        let per = |bits: f64| bits.to_i64().map(|it| whole(1000) / whole(it));
        if way == 0 {
            let high = &logarithm_high(first)? - &Polynomial::constant(edge.ilog2().into());
            return Some(&high.scale(&per(bits.floor())?) + &one);
        }
        let ceiling = i64::from(edge.next_power_of_two().ilog2());
        let low = &logarithm_low(first)? - &Polynomial::constant(ceiling);
        Some(low.scale(&per(bits.ceil())?))
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
        let measure = &self.first[self.measure];
        (measure.terms().count() == 1).then_some(())?;
        let part = &self.first[size] * &measure.reciprocal();
        let most = part.scale(&whole(self.ends[0] + 1));
        Some(&most + &Polynomial::constant(self.rounding[0]))
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

/// How often calls are made, and the largest sizes for which none is: at most and at least. A measure that is
/// looked at must be more for each.
fn ends(measure: Size, calls: &[Call]) -> Option<([i64; 2], [i64; 2])> {
    let (mut counts, mut bounds) = ([0; 2], [i64::MAX, 0]);
    for call in calls {
        for piece in &call.counts[0] {
            let least = piece.guard.iter().filter_map(|it| threshold(it, measure)).max()?;
            bounds[0] = bounds[0].min(least - 1);
            counts[0] += piece.value.as_whole().filter(|it| *it > 0)?;
        }
        for piece in &call.counts[1] {
            let least: Option<Vec<i64>> =
                piece.guard.iter().map(|it| threshold(it, measure)).collect();
            if let (Some(least), Some(count)) = (least, piece.value.as_whole()) {
                bounds[1] = bounds[1].max(least.into_iter().max().unwrap_or(1) - 1);
                counts[1] += count.max(0);
            }
        }
    }
    bounds[1] = bounds[1].max(bounds[0]);
    (counts[0] > 0).then_some((counts, bounds))
}
