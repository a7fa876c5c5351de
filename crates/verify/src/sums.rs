//! Sums over loops, from the innermost to the outermost, and what bounds them.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::Signed;
use serde_json::Value;

use crate::polynomial::{Polynomial, monomial, number, sum_over};
use crate::{Question, Refusal, Setting, Source};

/// What a value inside goes through.
#[derive(Debug, Clone)]
pub enum Kind {
    /// All whole numbers between its ends: the largest low and the smallest high.
    Loop {
        /// It is no less than any.
        lows: Vec<Polynomial>,
        /// It is no more than any, which is its last value if there is one.
        highs: Vec<Polynomial>,
    },
    /// One number, known by facts alone.
    Named,
    /// `⌊of / by⌋`, not negative, by a loop's number that is 1 or more.
    Harmonic {
        /// What is divided.
        of: Polynomial,
        /// By what.
        by: String,
    },
    /// A number that halves, rounded up or down, or backwards doubles.
    Halving(Halving),
}

/// See [`Kind::Halving`].
#[derive(Debug, Clone)]
pub struct Halving {
    /// No less than the largest value.
    pub largest: Polynomial,
    /// Whether halves are rounded up.
    pub up: bool,
    /// Iterations at most.
    pub most: Polynomial,
    /// And at least, if that is known.
    pub least: Option<Polynomial>,
    /// The first value, if there surely is one.
    pub first: Option<Polynomial>,
}

/// A number of a place, with how many facts there are outside of it and once inside.
#[derive(Debug, Clone)]
pub struct Level {
    /// Which.
    pub atom: String,
    /// No two levels have the same.
    pub id: usize,
    /// Facts outside.
    pub outside: usize,
    /// Facts with its own.
    pub inside: usize,
    /// What it goes through.
    pub kind: Kind,
}

/// Sums and what they ask.
pub struct Sums<'a> {
    /// Of what.
    pub setting: &'a Setting,
    /// Who answers.
    pub source: &'a mut dyn Source,
    /// By level, weight, direction and place, sums that are known.
    known: BTreeMap<(usize, Polynomial, u8), Option<Polynomial>>,
}

impl<'a> Sums<'a> {
    /// Nothing is known yet.
    pub fn new(setting: &'a Setting, source: &'a mut dyn Source) -> Self {
        Self { setting, source, known: BTreeMap::new() }
    }

    /// Whether a combination of facts is the polynomial (which is then not negative): terms `[c, monomial,
    /// facts]` with c > 0, a monomial of sizes and numbers of facts, or names of sizes for what they are more
    /// than their least. What is whole may be 999/1000 less.
    pub fn holds(&self, of: &Polynomial, facts: &[Polynomial], why: &Value, up: bool) -> bool {
        let part = |term: &Value| -> Option<Polynomial> {
            let [coefficient, powers, factors] = &term.as_array()?[..] else { return None };
            let coefficient = number(coefficient).filter(Signed::is_positive)?;
            let monomial = monomial(powers)?;
            monomial.keys().try_for_each(|it| self.setting.least(it, up).map(|_| ()))?;
            let mut product = Polynomial::term(monomial, coefficient);
            for factor in factors.as_array()? {
                product = match factor {
                    Value::String(size) => {
                        let least = Polynomial::constant(self.setting.least(size, up)?);
                        product.times(&Polynomial::atom(size).minus(&least))
                    }
                    _ => product.times(facts.get(usize::try_from(factor.as_u64()?).ok()?)?),
                };
            }
            Some(product)
        };
        let Some(terms) = why.as_array() else { return false };
        let sum =
            terms.iter().try_fold(Polynomial::default(), |sum, it| Some(sum.plus(&part(it)?)));
        let Some(rest) = sum.map(|it| it.minus(of)) else { return false };
        let nearly_one = BigRational::new(999.into(), 1000.into());
        rest.0.is_empty() || of.is_integral() && rest.as_constant() == Some(nearly_one)
    }

    /// Asks why a polynomial is not negative; `false` if nobody knows.
    ///
    /// # Errors
    /// An answer that is wrong.
    pub fn prove(
        &mut self,
        of: &Polynomial,
        facts: &[Polynomial],
        up: bool,
    ) -> Result<bool, Refusal> {
        let why = self.source.answer(&Question::Prove { of, facts, up })?;
        if why == false {
            return Ok(false);
        }
        self.must(of, facts, &why, up).map(|()| true)
    }

    fn must(
        &self,
        of: &Polynomial,
        facts: &[Polynomial],
        why: &Value,
        up: bool,
    ) -> Result<(), Refusal> {
        if self.holds(of, facts, why, up) {
            return Ok(());
        }
        Err(Refusal::new(format!("{} ≥ 0 does not follow as it says", of.json())))
    }

    /// A bound of a polynomial without some atoms: from above and not negative outside, or from below.
    ///
    /// # Errors
    /// An answer that is wrong.
    pub fn without(
        &mut self,
        of: &Polynomial,
        [outer, facts]: [&[Polynomial]; 2],
        gone: &[String],
        up: bool,
    ) -> Result<Option<Polynomial>, Refusal> {
        let answer = self.source.answer(&Question::Without { of, facts, outer, gone, up })?;
        if answer.is_null() {
            return Ok(None);
        }
        let value = polynomial(&answer["at"])?;
        let rest = if up { value.minus(of) } else { of.minus(&value) };
        self.must(&rest, facts, &answer["by"], up)?;
        if up {
            self.must(&value, outer, &answer["positive"], up)?;
        }
        if value.atoms().any(|it| gone.contains(it))
            || answer.as_object().map_or(0, |it| it.len()) != if up { 3 } else { 2 }
        {
            return Err(Refusal::new("a number of a loop is left outside of it"));
        }
        Ok(Some(value))
    }

    /// The sum of a weight over levels, no less than it is, or no more; then `None` where nothing is known.
    /// The levels from `placed` on stand in their first iteration.
    ///
    /// # Errors
    /// An answer that is wrong; from above that there is none.
    pub fn over(
        &mut self,
        levels: &[Level],
        facts: &[Polynomial],
        weight: &Polynomial,
        (up, placed): (bool, Option<std::ops::Range<usize>>),
    ) -> Result<Option<Polynomial>, Refusal> {
        let mut weight = weight.clone();
        for (at, level) in levels.iter().enumerate().rev() {
            let here = placed.as_ref().is_some_and(|it| it.contains(&at));
            let key = (level.id, weight.clone(), u8::from(up) + 2 * u8::from(placed.is_some()));
            let known = self.known.get(&key).cloned();
            let sum = match known {
                Some(sum) => sum,
                None => {
                    let sum = match &level.kind {
                        Kind::Loop { lows, highs } if here => {
                            self.first(level, (lows, highs), facts, &weight)?
                        }
                        Kind::Loop { lows, highs } => {
                            let (weight, over) = weight.split(&level.atom);
                            let sum = self.looped(level, (lows, highs), facts, &weight, up)?;
                            let reciprocals = self.reciprocals(&over, highs, up);
                            sum.zip(reciprocals).map(|(sum, it)| sum.plus(&it))
                        }
                        Kind::Halving(it) if up => self.halved(level, it, facts, &weight)?,
                        Kind::Halving(it) => self.halved_at_least(level, it, facts, &weight)?,
                        Kind::Harmonic { of, by } if up => {
                            self.quotient(level, (of, by), facts, &weight)?
                        }
                        Kind::Named | Kind::Harmonic { .. } if !weight.mentions(&level.atom) => {
                            Some(weight.clone())
                        }
                        Kind::Named | Kind::Harmonic { .. } => {
                            let both = [&facts[..level.inside], &facts[..level.inside]];
                            self.without(&weight, both, std::slice::from_ref(&level.atom), up)?
                        }
                    };
                    self.known.insert(key, sum.clone());
                    sum
                }
            };
            match sum {
                Some(sum) => weight = sum,
                None if up => {
                    return Err(Refusal::new(format!(
                        "there is no certificate of a sum over `{}` yet",
                        level.atom
                    )));
                }
                None => return Ok(None),
            }
        }
        let sizes: BTreeSet<String> = self.setting.sizes().into_iter().flatten().collect();
        if !weight.atoms().all(|it| sizes.contains(it)) {
            return Err(Refusal::new("a sum has more than sizes in it"));
        }
        Ok(Some(weight))
    }

    /// Over a loop. With F(x) − F(x − 1) the weight, the sum is F(last) − F(first − 1).
    fn looped(
        &mut self,
        level: &Level,
        (lows, highs): (&[Polynomial], &[Polynomial]),
        facts: &[Polynomial],
        weight: &Polynomial,
        up: bool,
    ) -> Result<Option<Polynomial>, Refusal> {
        let outer = &facts[..level.outside];
        let start = format!("{}'", level.atom);
        let own = Polynomial::atom(&level.atom);
        let ends = |first: &Polynomial, last: &Polynomial| {
            let sum = sum_over(weight, &level.atom, first, last);
            sum.ok_or_else(|| Refusal::new("a loop's number stands in a denominator"))
        };
        if let ([low], [high]) = (lows, highs)
            && high.is_integral()
        {
            let room = high.minus(low);
            let inside = [outer, std::slice::from_ref(&room)].concat();
            let room = room.plus(&Polynomial::constant(1));
            let (sum, gone) = (ends(low, high)?, std::slice::from_ref(&level.atom));
            return self.bounded(&sum, Some(&room), [outer, &inside], gone, up);
        }
        if !up {
            return self.least(&ends, (lows, highs), outer);
        }
        let mut inside = facts[..level.inside].to_vec();
        let first = match lows {
            [low] => low.clone(),
            _ => {
                let first = Polynomial::atom(&start);
                inside.extend(lows.iter().map(|low| first.minus(low)));
                inside.push(own.minus(&first));
                first
            }
        };
        let sum = ends(&first, &own)?;
        self.bounded(&sum, None, [outer, &inside], &[level.atom.clone(), start], up)
    }

    /// A sum is itself where its loop is empty by one at most, else what is said of it.
    fn bounded(
        &mut self,
        sum: &Polynomial,
        room: Option<&Polynomial>,
        [outer, facts]: [&[Polynomial]; 2],
        gone: &[String],
        up: bool,
    ) -> Result<Option<Polynomial>, Refusal> {
        let answer = self.source.answer(&Question::Sum { sum, room, facts, outer, gone, up })?;
        if is_none(&answer, "sum") {
            return Ok(None);
        }
        let fields = answer.as_object().map_or(0, |it| it.len());
        if let (Some(room), Some(why), 1) = (room, answer.get("exact"), fields) {
            self.must(room, outer, why, up)?;
            return Ok(Some(sum.clone()));
        }
        let value = polynomial(&answer["sum"])?;
        if !up || fields != 3 || value.atoms().any(|it| gone.contains(it)) {
            return Err(Refusal::new("a sum from below must be exact"));
        }
        self.must(&value.minus(sum), facts, &answer["by"], up)?;
        self.must(&value, outer, &answer["positive"], up)?;
        Ok(Some(value))
    }

    /// Over a loop with several ends, from below: no more than the sum between any two of them, where none of
    /// these is empty by more than one.
    fn least(
        &mut self,
        ends: &dyn Fn(&Polynomial, &Polynomial) -> Result<Polynomial, Refusal>,
        (lows, highs): (&[Polynomial], &[Polynomial]),
        outer: &[Polynomial],
    ) -> Result<Option<Polynomial>, Refusal> {
        let mut sums = vec![];
        for (low, high) in lows.iter().flat_map(|low| highs.iter().map(move |high| (low, high))) {
            let room = high.minus(low).plus(&Polynomial::constant(1));
            if !high.is_integral() || !self.prove(&room, outer, false)? {
                return Ok(None);
            }
            sums.push(ends(low, high)?);
        }
        let answer = self.source.answer(&Question::Least { of: &sums, facts: outer })?;
        if is_none(&answer, "least") {
            return Ok(None);
        }
        let value = polynomial(&answer["least"])?;
        let by = answer["by"].as_array().filter(|it| it.len() == sums.len());
        let by = by.filter(|_| answer.as_object().is_some_and(|it| it.len() == 2));
        let by = by.ok_or_else(|| Refusal::new("a sum of several ends is not bounded by each"))?;
        for (sum, why) in sums.iter().zip(by) {
            self.must(&sum.minus(&value), outer, why, false)?;
        }
        Ok(Some(value))
    }

    /// In the first iteration, if there is one.
    fn first(
        &mut self,
        level: &Level,
        (lows, highs): (&[Polynomial], &[Polynomial]),
        facts: &[Polynomial],
        weight: &Polynomial,
    ) -> Result<Option<Polynomial>, Refusal> {
        let [low] = lows else { return Ok(None) };
        for high in highs {
            if !high.is_integral()
                || !self.prove(&high.minus(low), &facts[..level.outside], false)?
            {
                return Ok(None);
            }
        }
        Ok(weight.put(&level.atom, low))
    }

    pub(crate) fn is_of_sizes(&self, of: &Polynomial) -> bool {
        of.atoms().all(|it| self.setting.least(it, true).is_some())
    }
}

/// Whether an answer says that nothing is known.
fn is_none(of: &Value, what: &str) -> bool {
    of.get(what).is_some_and(Value::is_null)
}

fn polynomial(of: &Value) -> Result<Polynomial, Refusal> {
    Polynomial::read(of).ok_or_else(|| Refusal::new("no polynomial"))
}
