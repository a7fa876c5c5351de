//! What is known at a place, whole numbers as polynomials there, and loops that are entered.

use num_traits::{One, Signed, ToPrimitive};
use serde_json::Value;

use crate::Refusal;
use crate::polynomial::{Number, Polynomial, ceiling_log, whole};
use crate::sums::{Halving, Kind, Level};
use crate::tree::{parts, scalars};
use crate::walk::{Scope, Walk, assigned};

/// The most iterations, and the least where that is known.
type CountRange = (Polynomial, Option<Polynomial>);

impl Walk<'_> {
    pub(crate) fn level(
        &mut self,
        name: &str,
        kind: Kind,
        facts: &dyn Fn(&Polynomial) -> Vec<Polynomial>,
        scope: &mut Scope,
    ) -> Polynomial {
        self.next += 1;
        let atom = format!("{name}.{}", self.next);
        let own = Polynomial::atom(&atom);
        let outside = scope.facts.len();
        scope.facts.extend(facts(&own));
        scope.levels.push(Level { atom, id: self.next, outside, inside: scope.facts.len(), kind });
        own
    }

    /// A whole number as a polynomial; `None` where nothing is known.
    pub(crate) fn value(
        &mut self,
        of: &Value,
        scope: &mut Scope,
    ) -> Result<Option<Polynomial>, Refusal> {
        if let Some(number) = of.as_i64() {
            return Ok(Some(Polynomial::constant(number)));
        }
        let op = of[0].as_str().unwrap_or_default();
        match op {
            "par" => Ok(self.parameter(of[1].as_u64().unwrap_or_default() as usize)),
            "var" => Ok(scope.get(&of[1])),
            "let" => {
                let value = self.value(&of[2], scope)?;
                scope.set(&of[1], value);
                self.value(&of[3], scope)
            }
            "+" | "-" | "*" | "/" | "mod" | "min" | "<<" | ">>" => {
                let left = self.value(&of[1], scope)?;
                let right = self.value(&of[2], scope)?;
                let Some((left, right)) = left.zip(right) else { return Ok(None) };
                self.operation(op, &left, &right, scope)
            }
            _ => Ok(None),
        }
    }

    fn parameter(&self, at: usize) -> Option<Polynomial> {
        let setting = self.sums.setting;
        // An exponent's name is that of its size's logarithm.
        let name = setting.names.get(at)?;
        Some(setting.fixed[at].map_or_else(|| Polynomial::atom(name), Polynomial::constant))
    }

    fn operation(
        &mut self,
        op: &str,
        left: &Polynomial,
        right: &Polynomial,
        scope: &mut Scope,
    ) -> Result<Option<Polynomial>, Refusal> {
        match op {
            "+" => Ok(Some(left.plus(right))),
            "-" => Ok(Some(left.minus(right))),
            "*" => Ok(Some(left.times(right))),
            "/" => self.quotient(left, right, scope),
            "mod" => {
                let quotient = self.quotient(left, right, scope)?;
                Ok(quotient.map(|it| left.minus(&it.times(right))))
            }
            "min" => {
                let both = |it: &Polynomial| vec![left.minus(it), right.minus(it)];
                Ok(Some(self.level("min", Kind::Named, &both, scope)))
            }
            _ => {
                let Some(by) = self.power_of_two(right) else { return Ok(None) };
                if op == "<<" { Ok(Some(left.times(&by))) } else { self.quotient(left, &by, scope) }
            }
        }
    }

    /// 2 to a number of exponents and a constant.
    fn power_of_two(&self, of: &Polynomial) -> Option<Polynomial> {
        let mut power = Polynomial::constant(1);
        for (monomial, factor) in &of.0 {
            let times = factor.is_integer().then(|| factor.to_integer().to_u32()).flatten()?;
            let mut atoms = monomial.iter();
            let base = match (atoms.next(), atoms.next()) {
                (None, _) => Polynomial::constant(2),
                (Some((name, 1)), None) => {
                    let at = self.sums.setting.names.iter().position(|it| it == name)?;
                    self.sums.setting.exponents[at]
                        .then(|| Polynomial::atom(&format!("2^{name}")))?
                }
                _ => return None,
            };
            power = power.times(&base.to_the(Some(times).filter(|it| *it <= 60)?));
        }
        Some(power)
    }

    /// `⌊of / by⌋` by a product of sizes: q with 0 ≤ of − q·by ≤ by − 1.
    fn quotient(
        &mut self,
        of: &Polynomial,
        by: &Polynomial,
        scope: &mut Scope,
    ) -> Result<Option<Polynomial>, Refusal> {
        let one = Polynomial::constant(1);
        if !self.is_size(by) || *by == one {
            return Ok(Some(of.clone()).filter(|_| *by == one));
        }
        let rest = |it: &Polynomial| {
            let rest = of.minus(&it.times(by));
            vec![by.minus(&rest).minus(&one), rest]
        };
        Ok(Some(self.level("quotient", Kind::Named, &rest, scope)))
    }

    /// Whether it is a whole product of sizes, and so at least 1.
    pub(crate) fn is_size(&self, of: &Polynomial) -> bool {
        let is_size = |atom: &String| self.sums.setting.sizes().iter().any(|it| it[0] == *atom);
        of.single().is_some_and(|(monomial, it)| it.is_positive() && monomial.keys().all(is_size))
            && of.is_integral()
    }

    /// Enters a loop. Its number counts from 0 where threads in step must be at equal places.
    pub(crate) fn enter(&mut self, range: &Value, scope: &mut Scope) -> Result<(), Refusal> {
        for at in [1, 2, 4] {
            self.reads(&range[at], scope)?;
        }
        let tree = self.tree;
        let name = tree["scalars"][range[0].as_u64().unwrap_or_default() as usize].as_str();
        let name = name.unwrap_or_default().to_owned();
        let unknown = || {
            Refusal::new(format!(
                "no certificate says how often `{name}` counts: its range is not affine"
            ))
        };
        let down = range[3] == true;
        let value = if range[4].is_null() && scope.nest.is_none() {
            let [low, high] = if down { [&range[2], &range[1]] } else { [&range[1], &range[2]] };
            let [mut lows, mut highs] = [vec![], vec![]];
            for (parts, ends) in [(parts(low, "max"), &mut lows), (parts(high, "min"), &mut highs)]
            {
                for part in parts {
                    ends.push(self.value(part, scope)?.ok_or_else(unknown)?);
                }
            }
            let both = |own: &Polynomial| {
                let lows = lows.iter().map(|it| own.minus(it));
                lows.chain(highs.iter().map(|it| it.minus(own))).collect()
            };
            let kind = Kind::Loop { lows: lows.clone(), highs: highs.clone() };
            self.level(&name, kind, &both, scope)
        } else {
            let from = self.value(&range[1], scope)?.ok_or_else(unknown)?;
            let to = self.value(&range[2], scope)?.ok_or_else(unknown)?;
            let step = if range[4].is_null() {
                Some(Polynomial::constant(1))
            } else {
                self.value(&range[4], scope)?
            };
            let step = step.filter(|it| self.is_size(it)).ok_or_else(unknown)?;
            let run = if down { from.minus(&to) } else { to.minus(&from) };
            let own = self.counter(&name, &run, &step, scope);
            let way = own.times(&step);
            if down { from.minus(&way) } else { from.plus(&way) }
        };
        scope.set(&range[0], Some(value));
        Ok(())
    }

    /// A number that counts from 0 as long as so many steps are no more than a run.
    pub(crate) fn counter(
        &mut self,
        name: &str,
        run: &Polynomial,
        step: &Polynomial,
        scope: &mut Scope,
    ) -> Polynomial {
        let per = step.single().map(|(monomial, it)| {
            let powers = monomial.iter().map(|(atom, power)| (atom.clone(), -power)).collect();
            Polynomial::term(powers, it.recip())
        });
        let high = run.times(&per.unwrap_or_default());
        let kind = Kind::Loop { lows: vec![Polynomial::default()], highs: vec![high] };
        self.level(name, kind, &|own| vec![own.clone(), run.minus(&own.times(step))], scope)
    }

    /// A `while` loop of a number that changes by a constant, halves or doubles.
    pub(crate) fn while_loop(
        &mut self,
        condition: &Value,
        body: &Value,
        scope: &mut Scope,
    ) -> Result<(), Refusal> {
        self.reads(condition, scope)?;
        let unknown = || Refusal::new("no certificate says how often this `while` loop runs");
        let (main, is_whole) =
            if condition[0] == "and" { (&condition[1], false) } else { (condition, true) };
        let mut changed = vec![];
        assigned(body, &mut |it| changed.push(it.clone()));
        let driver =
            scalars(main).into_iter().find(|it| changed.contains(it)).ok_or_else(unknown)?;
        let before = scope.get(&driver).ok_or_else(unknown)?;
        let mut inside = self.around(body, scope);
        inside.sure &= is_whole;
        // One iteration, to see what it does to the number.
        let mut tried = inside.clone();
        let number = self.level("while", Kind::Named, &|_| vec![], &mut tried);
        let atom = number.atoms().next().cloned().unwrap_or_default();
        tried.set(&driver, Some(number.clone()));
        let fact = self.condition(main, &mut tried)?.ok_or_else(unknown)?;
        tried.facts.push(fact.clone());
        self.silent += 1;
        self.block(body, &mut tried)?;
        self.silent -= 1;
        let next = tried.get(&driver).ok_or_else(unknown)?;
        if let Some(by) = next.minus(&number).as_constant() {
            let mut counted = inside.clone();
            self.next += 1;
            let own = Polynomial::atom(&format!("while.{}", self.next));
            let value = before.plus(&own.scale(&by));
            counted.set(&driver, Some(value.clone()));
            let fact = self.condition(main, &mut counted)?.ok_or_else(unknown)?;
            let atom = format!("while.{}", self.next);
            let [run, slope] = &fact.by_powers(&atom).ok_or_else(unknown)?[..] else {
                return Err(unknown());
            };
            let slope = slope.as_constant().filter(Signed::is_negative).ok_or_else(unknown)?;
            let step = Polynomial::term(Default::default(), -slope);
            if !self.is_size(&step) {
                return Err(unknown());
            }
            let own = self.counter("while", run, &step, &mut inside);
            inside.set(&driver, Some(before.plus(&own.scale(&by))));
        } else {
            let halving = self.halving([&before, &number, &next], &fact, &tried, scope)?;
            let mut halving = halving.ok_or_else(unknown)?;
            // The condition holds of the first value: then there is an iteration.
            let runs = fact.put(&atom, &before).unwrap_or_default();
            if inside.sure && self.sums.prove(&runs, &scope.facts, false)? {
                halving.first = Some(before.clone());
            }
            let largest = halving.largest.clone();
            let facts = |own: &Polynomial| {
                let positive = own.minus(&Polynomial::constant(1));
                vec![positive, largest.minus(own)]
            };
            let own = self.level("while", Kind::Halving(halving), &facts, &mut inside);
            inside.set(&driver, Some(own));
            let fact = self.condition(main, &mut inside)?.ok_or_else(unknown)?;
            let level = inside.levels.len() - 1;
            inside.facts.push(fact);
            inside.levels[level].inside = inside.facts.len();
        }
        self.reads(condition, &mut inside)?;
        self.block(body, &mut inside)
    }

    /// Whether the number halves or doubles, and how often between its ends.
    fn halving(
        &mut self,
        [before, number, next]: [&Polynomial; 3],
        fact: &Polynomial,
        tried: &Scope,
        scope: &Scope,
    ) -> Result<Option<Halving>, Refusal> {
        let one = Polynomial::constant(1);
        let Some(atom) = number.atoms().next() else { return Ok(None) };
        let Some([rest, slope]) =
            fact.by_powers(atom).and_then(|it| <[Polynomial; 2]>::try_from(it).ok())
        else {
            return Ok(None);
        };
        let Some(slope) = slope.as_constant() else { return Ok(None) };
        // From there on, or up to there, the condition holds.
        let edge = rest.scale(&-slope.recip());
        if slope.is_negative() {
            if *next != number.scale(&whole(2))
                || !self.sums.prove(&before.minus(&one), &scope.facts, true)?
            {
                return Ok(None);
            }
            return self.between(&edge, false, scope, &|this, most| {
                let whole_edge = edge.plus(&one);
                let size =
                    this.log_of_size(&whole_edge).filter(|_| *before == one && slope == whole(-1));
                (most.plus(&one), size)
            });
        }
        let Some(edge) = edge.as_constant() else { return Ok(None) };
        let stop = edge.ceil() - Number::one();
        let rest = number.minus(&next.scale(&whole(2)));
        let up = if self.sums.prove(&rest, &tried.facts, true)? {
            false
        } else if self.sums.prove(&rest.plus(&one), &tried.facts, true)? {
            true
        } else {
            return Ok(None);
        };
        if stop < whole(i64::from(up)) {
            return Ok(None);
        }
        // It does not fall faster than by half.
        let is_slow = self.sums.prove(&one.minus(&rest), &tried.facts, true)?;
        self.between(before, up, scope, &|this, most| {
            let most = if up { most.clone() } else { most.plus(&one) };
            let least = this.log_of_size(before).filter(|_| is_slow);
            let less = ceiling_log(&(&stop + whole(1)));
            (most, least.map(|it| it.minus(&Polynomial::constant(less))))
        })
    }

    /// With a product of sizes that is no less than the largest value, and the numbers of iterations that follow
    /// from its logarithm.
    fn between(
        &mut self,
        largest: &Polynomial,
        up: bool,
        scope: &Scope,
        counts: &dyn Fn(&Self, &Polynomial) -> CountRange,
    ) -> Result<Option<Halving>, Refusal> {
        let gone: Vec<String> = scope.levels.iter().map(|it| it.atom.clone()).collect();
        let facts = &scope.facts[..];
        let found = self.sums.without(largest, [facts, facts], &gone, true)?;
        let Some(largest) = found else { return Ok(None) };
        let Some(log) = self.sums.setting.logarithm(&largest) else { return Ok(None) };
        let (most, least) = counts(self, &log);
        Ok(Some(Halving { largest, up, most, least, first: None }))
    }

    fn log_of_size(&self, of: &Polynomial) -> Option<Polynomial> {
        let (monomial, coefficient) = of.single().filter(|it| it.1.is_one())?;
        let (size, _) = monomial.iter().next().filter(|it| *it.1 == 1 && monomial.len() == 1)?;
        self.sums.setting.log(size).map(|it| Polynomial::atom(&it)).filter(|_| coefficient.is_one())
    }

    /// What is not negative exactly where a comparison holds.
    fn condition(&mut self, of: &Value, scope: &mut Scope) -> Result<Option<Polynomial>, Refusal> {
        let op = of[0].as_str().unwrap_or_default();
        if !["<", "<=", ">", ">="].contains(&op) {
            return Ok(None);
        }
        let left = self.value(&of[1], scope)?;
        let right = self.value(&of[2], scope)?;
        let one = Polynomial::constant(1);
        Ok(left.zip(right).map(|(left, right)| match op {
            "<" => right.minus(&left).minus(&one),
            "<=" => right.minus(&left),
            ">" => left.minus(&right).minus(&one),
            _ => left.minus(&right),
        }))
    }
}
