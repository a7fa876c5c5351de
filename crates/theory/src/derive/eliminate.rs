//! Takes numbers that are no loops' out of a sum: what is known of them stands in their place.

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::domain::{GuardedPolynomial, Sum, at_large, not_negative};
use super::facts::Facts;
use super::level::{Halving, Level};
use super::polynomial::{Atom, Polynomial, whole};
use super::scope::logarithm_high;

impl Sum {
    /// Between two others.
    pub(super) fn value(
        &mut self,
        (atom, lows, high): (Atom, &[Polynomial], &Polynomial),
        outer: &[Level],
        facts: &Facts,
        weight: &Polynomial,
    ) -> Option<()> {
        let known = |rest: &Facts| {
            let atom = Polynomial::from(atom);
            lows.iter().fold(rest.and(high - &atom), |facts, low| facts.and(&atom - low))
        };
        let within = |fact: &Polynomial| within(fact, atom, [&lows[0], high], self.up);
        let Some((rest, is_widened)) = self.without(atom, facts, known, within) else {
            return self.fail();
        };
        let least = lows.iter().find(|it| rest.imply(it)).cloned().unwrap_or_default();
        match weight.bound(atom, &least, high, self.up) {
            Some(weight) if is_widened => self.go_widened(outer, rest, weight),
            Some(weight) => self.go(outer, rest, weight),
            None => self.fail(),
        }
    }

    pub(super) fn quotient(
        &mut self,
        (atom, of, by): (Atom, &Polynomial, &Polynomial),
        outer: &[Level],
        facts: &Facts,
        weight: &Polynomial,
    ) -> Option<()> {
        let own = &Polynomial::from(atom) * by;
        let (less, more) = (of - &own, &(&(&own + by) - &Polynomial::constant(1)) - of);
        let known = |rest: &Facts| rest.and(less.clone()).and(more.clone());
        let [low, high] = Level::quotient(of, by);
        let within = |fact: &Polynomial| {
            within(fact, atom, [&low, &high], self.up).map(|it| it.without_denominators())
        };
        let Some((rest, is_widened)) = self.without(atom, facts, known, within) else {
            return self.fail();
        };
        // A power of a negative number may be too much.
        let is_linear = weight.by_powers(atom).is_some_and(|it| it.len() <= 2);
        let is_fine = is_linear && !self.up || rest.imply(&low);
        let least = if is_fine { low } else { Polynomial::default() };
        match weight.bound(atom, &least, &high, self.up) {
            Some(weight) if is_widened => self.go_widened(outer, rest, weight),
            Some(weight) => self.go(outer, rest, weight),
            None => self.fail(),
        }
    }

    fn go_widened(&mut self, outer: &[Level], facts: Facts, weight: Polynomial) -> Option<()> {
        let weight = not_negative(weight, &facts);
        self.go(outer, facts, weight)
    }

    /// The facts without those on an atom, which must follow from what is known of it; else wider ones
    /// may stand in their place, and narrower ones from below. Whether there are wider ones, too.
    fn without(
        &self,
        atom: Atom,
        facts: &Facts,
        known: impl Fn(&Facts) -> Facts,
        within: impl Fn(&Polynomial) -> Option<Polynomial>,
    ) -> Option<(Facts, bool)> {
        let (mut rest, with) = facts.split(atom);
        let known = known(&rest);
        let mut is_widened = false;
        for fact in with {
            if known.imply(&fact) {
                continue;
            }
            rest.0.push(within(&fact)?);
            is_widened = self.up;
        }
        Some((rest, is_widened))
    }

    /// The domain is cut in two, where one of them is it, and where the other. From above the lesser is
    /// no more than either, and the one that makes less of the sum is taken, unless sizes alone decide.
    pub(super) fn one_of(
        &mut self,
        (atom, [a, b], lesser): (Atom, &[Polynomial; 2], bool),
        outer: &[Level],
        facts: &Facts,
        weight: &Polynomial,
    ) -> Option<()> {
        if self.up && lesser && (a.is_local() || b.is_local()) {
            let at_most = |most: &Polynomial| {
                let bound = |it: &Polynomial| it.bound(atom, &Polynomial::default(), most, true);
                let facts = facts.0.iter().map(bound).collect::<Option<_>>()?;
                let mut trial = Self { pieces: vec![], ..*self };
                trial.go_widened(outer, Facts(facts), bound(weight)?)?;
                self.steps = trial.steps;
                Some(trial.pieces)
            };
            let size = |it: &Vec<GuardedPolynomial>| {
                it.iter().map(|it| at_large(&it.value)).sum::<BigRational>()
            };
            let least = [a, b].into_iter().filter_map(at_most).min_by_key(size);
            self.pieces.extend(least?);
            return Some(());
        }
        let less = if lesser { b - a } else { a - b };
        // Numbers are whole.
        let more = &-&less - &Polynomial::constant(1);
        for (value, fact) in [(a, less), (b, more)] {
            let place = |it: &Polynomial| it.substitute(atom, value);
            let facts = facts.0.iter().map(place).collect::<Option<_>>();
            let Some((facts, weight)) = facts.zip(place(weight)) else { return self.fail() };
            self.go(outer, Facts(facts).and(fact), weight)?;
        }
        Some(())
    }

    pub(super) fn halving(
        &mut self,
        halving: &Halving,
        outer: &[Level],
        facts: &Facts,
        weight: &Polynomial,
    ) -> Option<()> {
        let Halving { atom, first_high, first_low, stop, up, count } = halving;
        let least = Polynomial::constant(stop + 1);
        let known = |rest: &Facts| {
            let atom = Polynomial::from(*atom);
            rest.and(&atom - &least).and(first_high - &atom)
        };
        let Some((mut rest, _)) = self.without(*atom, facts, known, |_| None) else {
            return self.fail();
        };
        let Some(powers) = weight.by_powers(*atom) else { return self.fail() };
        if !self.up {
            // There is a first iteration.
            rest = rest.and(first_low - &least);
        }
        let mut sum = Polynomial::default();
        for (power, factor) in (0..).zip(&powers) {
            let (high, low) = if power == 0 {
                (count[0].clone(), count[1].clone())
            } else {
                (geometric(first_high, power, *up, &count[0]), first_low.to_the(power))
            };
            let low = if self.up { Polynomial::default() } else { low };
            sum = &sum + &signed(factor, self.up, &high, &low);
        }
        self.go(outer, rest, sum)
    }

    /// ⌊of/i⌋ over all i of a loop: no more than `of` times 1 + ½ + ⅓ + …, which is ⌈log₂⌉ of the last i, and
    /// one, at most. From below nothing is counted.
    pub(super) fn harmonic(
        &mut self,
        (atom, of, by, is_share): (Atom, &Polynomial, Atom, bool),
        outer: &[Level],
        facts: &Facts,
        weight: &Polynomial,
    ) -> Option<()> {
        let own = Polynomial::from(atom);
        let none = Polynomial::default();
        let known = |rest: &Facts| rest.and(of - &own);
        let wider = |fact: &Polynomial| within(fact, atom, [&none, of], self.up);
        let Some((rest, is_widened)) = self.without(atom, facts, known, wider) else {
            return self.fail();
        };
        let weight = if is_widened { not_negative(weight.clone(), &rest) } else { weight.clone() };
        // Where all are divided alike, and the loop's end is known.
        let series = || {
            let place = outer.iter().position(|it| matches!(it, Level::Sum(it) if *it == by))?;
            let most = of.without(|_, it| it.is_negative());
            let factors = weight.by_powers(atom)?;
            let [rest_weight, factor] = &factors[..] else { return None };
            if !self.up || most.mentions(by) || factor.mentions(by) {
                return None;
            }
            let ends = rest.0.iter().filter_map(|fact| fact.linear_in(by));
            let ends = ends.filter(|(slope, _)| *slope == -BigRational::one());
            let all = if is_share {
                most
            } else {
                let log = ends.filter_map(|(_, end)| logarithm_high(&end)).next()?;
                &most * &(&log + &Polynomial::constant(1))
            };
            let mut without = outer.to_vec();
            without.remove(place);
            let is_free = !without.iter().any(|it| it.depends_on(&[by]));
            is_free.then(|| (without, rest_weight.clone(), signed(factor, true, &all, &none)))
        };
        let Some((without, rest_weight, sum)) = series() else {
            return match weight.bound(atom, &none, of, self.up) {
                Some(weight) => self.go(outer, rest, weight),
                None => self.fail(),
            };
        };
        self.signed = true;
        self.go(outer, rest.clone(), rest_weight)?;
        let (rest, _) = rest.split(by);
        self.go(&without, rest, sum)
    }

    pub(super) fn shifted(
        &mut self,
        (atom, of, by, least): (Atom, &Polynomial, Atom, u32),
        outer: &[Level],
        facts: &Facts,
        weight: &Polynomial,
    ) -> Option<()> {
        let known = |rest: &Facts| rest.and(of - &Polynomial::from(atom));
        let Some((rest, _)) = self.without(atom, facts, known, |_| None) else {
            return self.fail();
        };
        let Some(powers) = weight.by_powers(atom) else { return self.fail() };
        let place = outer.iter().position(|it| matches!(it, Level::Sum(it) if *it == by));
        self.signed = true;
        for (power, factor) in (0..).zip(powers) {
            if power == 0 {
                self.go(outer, rest.clone(), factor)?;
                continue;
            }
            let Some(place) = place.filter(|_| !factor.mentions(by)) else { return self.fail() };
            // Σ over the shifts from `least` on of 2^(−power·shift).
            let first = BigRational::one() / whole(2).pow((power * least).cast_signed());
            let all = first / (BigRational::one() - BigRational::one() / whole(1 << power.min(60)));
            let high = of.to_the(power).scale(&all);
            let sum = signed(&factor, self.up, &high, &Polynomial::default());
            let mut outer = outer.to_vec();
            outer.remove(place);
            let (rest, _) = rest.split(by);
            self.go(&outer, rest, sum)?;
        }
        Some(())
    }
}

/// A fact without an atom: what it says at most, or at least, where the atom is between two ends. None of
/// these need be positive, so that it must stand there to the power of 1.
fn within(
    fact: &Polynomial,
    atom: Atom,
    [low, high]: [&Polynomial; 2],
    up: bool,
) -> Option<Polynomial> {
    let is_linear = fact.by_powers(atom).is_some_and(|it| it.len() == 2);
    is_linear.then(|| fact.bound(atom, low, high, up)).flatten()
}

/// `factor` times `high` where its coefficients have the sign that helps, else times `low`.
fn signed(factor: &Polynomial, up: bool, high: &Polynomial, low: &Polynomial) -> Polynomial {
    let mut sum = Polynomial::default();
    for (monomial, coefficient) in factor.terms() {
        let term = Polynomial::monomial(monomial.clone()).scale(coefficient);
        sum = &sum + &(&term * if coefficient.is_positive() == up { high } else { low });
    }
    sum
}

/// The sum of the powers of a number that halves from `first` on: of `first / 2^t`, or of one more
/// where halves are rounded up.
fn geometric(first: &Polynomial, power: u32, up: bool, count: &Polynomial) -> Polynomial {
    let series = |power: u32| {
        let twice = whole(2).pow(power.cast_signed());
        first.to_the(power).scale(&(&twice / (&twice - BigRational::one())))
    };
    if !up {
        return series(power);
    }
    let mut sum = count.clone();
    let mut binomial = BigRational::one();
    for j in 1..=power {
        binomial = binomial * whole(i64::from(power + 1 - j)) / whole(i64::from(j));
        sum = &sum + &series(j).scale(&binomial);
    }
    sum
}
