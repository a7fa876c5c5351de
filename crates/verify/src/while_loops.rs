//! `while` loops: how often they run.

use num_traits::{One, Signed};
use serde_json::Value;

use crate::paths::Path;
use crate::polynomial::{Number, Polynomial, ceiling_log, whole};
use crate::sums::{Halving, Kind};
use crate::tree::scalars;
use crate::walk::{Scope, Walk, changed};
use crate::{FROM, Refusal};

/// A `while` loop, and the scalars that its body assigns.
pub(crate) struct Loop<'a> {
    pub(crate) whole: &'a Value,
    pub(crate) condition: &'a Value,
    pub(crate) body: &'a Value,
    pub(crate) changed: Vec<Value>,
}

impl Loop<'_> {
    /// A place inside: what is assigned is not known.
    pub(crate) fn inside(&self, scope: &Scope) -> Scope {
        let mut inside = scope.clone();
        inside.outer = None;
        self.changed.iter().for_each(|it| inside.set(it, None));
        inside
    }

    /// Whether the condition is no conjunction.
    pub(crate) fn has_one_part(&self) -> bool {
        self.condition[0] != "and"
    }
}

/// A conjunction's parts.
pub(crate) fn conjuncts(of: &Value) -> Vec<&Value> {
    crate::tree::parts(of, "and")
}

/// The most iterations, and the least where that is known.
type CountRange = (Polynomial, Option<Polynomial>);

impl Walk<'_> {
    /// A `while` loop: of a number that changes by a constant, halves or doubles, of a measure, or over the loop
    /// around it.
    pub(crate) fn while_loop(&mut self, of: &Value, scope: &mut Scope) -> Result<(), Refusal> {
        let (condition, body) = (&of[1], &of[2]);
        self.reads(condition, scope)?;
        let changed = changed(body);
        let it = Loop { whole: of, condition, body, changed };
        let mut after = scope.clone();
        let mut inside = self.by_number(&it, &mut after)?;
        if inside.is_none() {
            after = scope.clone();
            inside = self.by_measure(&it, &mut after)?;
        }
        if inside.is_none() {
            after = scope.clone();
            it.changed.iter().for_each(|it| after.set(it, None));
            inside = self.amortised(&it, scope)?;
        }
        let Some(mut inside) = inside else {
            return Err(Refusal::new("no certificate says how often this `while` loop runs"));
        };
        *scope = after;
        self.reads(condition, &mut inside)?;
        self.block(body, &mut inside)
    }

    /// Of one number that decides.
    fn by_number(&mut self, it: &Loop<'_>, scope: &mut Scope) -> Result<Option<Scope>, Refusal> {
        let main = if it.has_one_part() { it.condition } else { &it.condition[1] };
        let driver = scalars(main).into_iter().find(|scalar| it.changed.contains(scalar));
        let Some(driver) = driver else { return Ok(None) };
        let Some(before) = scope.get(&driver) else { return Ok(None) };
        it.changed.iter().for_each(|it| scope.set(it, None));
        let mut inside = it.inside(scope);
        inside.sure &= it.has_one_part();
        // One iteration, to see what it does to the number.
        let mut tried = inside.clone();
        let number = self.level("while", Kind::Named, &|_| vec![], &mut tried);
        tried.set(&driver, Some(number.clone()));
        let Some(fact) = self.condition(main, &mut tried)? else { return Ok(None) };
        tried.facts.push(fact.clone());
        let ends = self.paths(it.body, Path::at(tried, Polynomial::default()), None)?;
        let ends = ends.unwrap_or_default();
        let Some(next) = ends.first().and_then(|it| it.scope.get(&driver)) else { return Ok(None) };
        if ends.iter().any(|it| it.scope.get(&driver).as_ref() != Some(&next)) {
            return Ok(None);
        }
        if let Some(by) = next.minus(&number).as_constant() {
            let mut counted = inside.clone();
            self.next += 1;
            let atom = format!("while.{}", self.next);
            let value = before.plus(&Polynomial::atom(&atom).scale(&by));
            counted.set(&driver, Some(value));
            let fact = self.condition(main, &mut counted)?;
            let Some([run, slope]) =
                fact.and_then(|it| <[_; 2]>::try_from(it.by_powers(&atom)?).ok())
            else {
                return Ok(None);
            };
            let slope = slope.as_constant().filter(Signed::is_negative);
            let step = slope.map(|it| Polynomial::term(Default::default(), -it));
            let Some(step) = step.filter(|it| self.is_size(it)) else { return Ok(None) };
            let own = self.counter("while", &run, &step, &mut inside);
            inside.set(&driver, Some(before.plus(&own.scale(&by))));
        } else {
            let facts = &ends[0].scope.facts;
            let Some(mut halving) = self.halving([&before, &number, &next], &fact, facts, scope)?
            else {
                return Ok(None);
            };
            // The condition holds of the first value: then there is an iteration.
            let atom = number.atoms().next().cloned().unwrap_or_default();
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
            let Some(fact) = self.condition(main, &mut inside)? else { return Ok(None) };
            let level = inside.levels.len() - 1;
            inside.facts.push(fact);
            inside.levels[level].inside = inside.facts.len();
        }
        Ok(Some(inside))
    }

    /// Whether the number halves or doubles, and how often between its ends.
    fn halving(
        &mut self,
        [before, number, next]: [&Polynomial; 3],
        fact: &Polynomial,
        facts: &[Polynomial],
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
        let up = if self.sums.prove(&rest, facts, true)? {
            false
        } else if self.sums.prove(&rest.plus(&one), facts, true)? {
            true
        } else {
            return Ok(None);
        };
        if stop < whole(i64::from(up)) {
            return Ok(None);
        }
        // It does not fall faster than by half.
        let is_slow = self.sums.prove(&one.minus(&rest), facts, true)?;
        self.between(before, up, scope, &|this, most| {
            let most = if up { most.clone() } else { most.plus(&one) };
            let least = this.log_of_size(before).filter(|_| is_slow);
            let less = ceiling_log(&(&stop + whole(1)));
            (most, least.map(|it| it.minus(&Polynomial::constant(less))))
        })
    }

    /// With what is no less than the largest value, over sizes, and the numbers of iterations that follow from its
    /// logarithm.
    fn between(
        &mut self,
        largest: &Polynomial,
        up: bool,
        scope: &Scope,
        counts: &dyn Fn(&Self, &Polynomial) -> CountRange,
    ) -> Result<Option<Halving>, Refusal> {
        let Some((largest, log)) = self.largest(largest, scope)? else { return Ok(None) };
        let (most, least) = counts(self, &log);
        Ok(Some(Halving { largest, up, most, least, first: None }))
    }

    /// What a number is no more than, a sum of products of sizes, and `⌈log₂⌉` of that at most.
    pub(crate) fn largest(
        &mut self,
        of: &Polynomial,
        scope: &Scope,
    ) -> Result<Option<(Polynomial, Polynomial)>, Refusal> {
        let gone: Vec<String> = scope.levels.iter().map(|it| it.atom.clone()).collect();
        let facts = &scope.facts[..];
        let found = self.sums.without(of, [facts, facts], &gone, true)?;
        let largest = found.filter(|it| self.sums.is_of_sizes(it)).map(|it| it.positive());
        let log = largest.as_ref().and_then(|it| self.sums.setting.logarithm(it));
        Ok(largest.zip(log))
    }

    /// `⌊log₂⌋` of a size, or of a parameter and a constant, at least: n − 8 is no less than n/2.
    pub(crate) fn floor_of_log(&self, of: &Polynomial) -> Option<Polynomial> {
        let constant = of.0.get(&Default::default()).cloned().unwrap_or_default();
        let size = of.minus(&Polynomial::term(Default::default(), constant.clone()));
        let log = self.log_of_size(&size)?;
        let is_machine = size.atoms().any(|it| it.starts_with('@'));
        let is_fine = constant >= whole(if is_machine { 0 } else { -FROM / 2 });
        let less = 1 + i64::from(constant.is_negative());
        Some(log.minus(&Polynomial::constant(less))).filter(|_| is_fine)
    }

    fn log_of_size(&self, of: &Polynomial) -> Option<Polynomial> {
        let (monomial, coefficient) = of.single().filter(|it| it.1.is_one())?;
        let (size, _) = monomial.iter().next().filter(|it| *it.1 == 1 && monomial.len() == 1)?;
        self.sums.setting.log(size).map(|it| Polynomial::atom(&it)).filter(|_| coefficient.is_one())
    }
}
