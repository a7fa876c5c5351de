//! What is known at a place, whole numbers as polynomials there, and loops that are entered.

use num_traits::{Signed, ToPrimitive};
use serde_json::Value;

use crate::Refusal;
use crate::polynomial::Polynomial;
use crate::sums::{Kind, Level};
use crate::tree::parts;
use crate::walk::{Scope, Turn, Walk};

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

    /// `⌊of / by⌋` by a product of sizes, or by a loop's number: q with 0 ≤ of − q·by ≤ by − 1.
    fn quotient(
        &mut self,
        of: &Polynomial,
        by: &Polynomial,
        scope: &mut Scope,
    ) -> Result<Option<Polynomial>, Refusal> {
        let one = Polynomial::constant(1);
        if *by == one {
            return Ok(Some(of.clone()));
        }
        let rest = |it: &Polynomial| {
            let rest = of.minus(&it.times(by));
            vec![by.minus(&rest).minus(&one), rest]
        };
        if self.is_size(by) {
            return Ok(Some(self.level("quotient", Kind::Named, &rest, scope)));
        }
        let is_loop =
            |it: &&Level| matches!(it.kind, Kind::Loop { .. }) && Polynomial::atom(&it.atom) == *by;
        let Some(level) = scope.levels.iter().find(is_loop) else { return Ok(None) };
        let kind = Kind::Harmonic { of: of.clone(), by: level.atom.clone() };
        let is_fine = self.sums.prove(&by.minus(&one), &scope.facts, true)?
            && self.sums.prove(of, &scope.facts, true)?;
        if !is_fine {
            return Ok(None);
        }
        let all = |it: &Polynomial| [rest(it), vec![it.clone(), of.minus(it)]].concat();
        Ok(Some(self.level("quotient", kind, &all, scope)))
    }

    /// Whether it is a whole product of sizes, and so at least 1.
    pub(crate) fn is_size(&self, of: &Polynomial) -> bool {
        let is_size = |atom: &String| self.sums.setting.sizes().iter().any(|it| it[0] == *atom);
        of.single().is_some_and(|(monomial, it)| it.is_positive() && monomial.keys().all(is_size))
            && of.is_integral()
    }

    /// Enters a loop. Its number counts from 0 where threads in step must be at equal places.
    pub(crate) fn enter(&mut self, range: &Value, scope: &mut Scope) -> Result<Turn, Refusal> {
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
        let one = Polynomial::constant(1);
        let (value, turn) = if range[4].is_null() && scope.nest.is_none() {
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
            let own = self.level(&name, kind, &both, scope);
            let begin = if down { &highs } else { &lows };
            let first = begin.first().filter(|_| begin.len() == 1).cloned();
            let next = if down { own.minus(&one) } else { own.plus(&one) };
            let count = highs[0].minus(&lows[0]).plus(&one);
            (own, Turn { first, next, count })
        } else {
            let from = self.value(&range[1], scope)?.ok_or_else(unknown)?;
            let to = self.value(&range[2], scope)?.ok_or_else(unknown)?;
            let step =
                if range[4].is_null() { Some(one.clone()) } else { self.value(&range[4], scope)? };
            let step = step.ok_or_else(unknown)?;
            let run = if down { from.minus(&to) } else { to.minus(&from) };
            let (own, last) = if self.is_size(&step) {
                let own = self.counter(&name, &run, &step, scope);
                (own, run.times(&step.inverse().unwrap_or_default()))
            } else {
                let last = self.quotient(&run, &step, scope)?.ok_or_else(unknown)?;
                (self.counter(&name, &last, &one, scope), last)
            };
            let at = |own: &Polynomial| {
                let way = own.times(&step);
                if down { from.minus(&way) } else { from.plus(&way) }
            };
            let turn = Turn {
                first: Some(from.clone()),
                next: at(&own.plus(&one)),
                count: last.plus(&one),
            };
            (at(&own), turn)
        };
        scope.set(&range[0], Some(value));
        Ok(turn)
    }

    /// A number that counts from 0 as long as so many steps are no more than a run.
    pub(crate) fn counter(
        &mut self,
        name: &str,
        run: &Polynomial,
        step: &Polynomial,
        scope: &mut Scope,
    ) -> Polynomial {
        let high = run.times(&step.inverse().unwrap_or_default());
        let kind = Kind::Loop { lows: vec![Polynomial::default()], highs: vec![high] };
        self.level(name, kind, &|own| vec![own.clone(), run.minus(&own.times(step))], scope)
    }

    /// What is not negative exactly where a comparison holds.
    pub(crate) fn condition(
        &mut self,
        of: &Value,
        scope: &mut Scope,
    ) -> Result<Option<Polynomial>, Refusal> {
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
