//! Ways through the body of a loop, by its `if`s: what its numbers are at the end of each.

use serde_json::Value;

use crate::Refusal;
use crate::polynomial::Polynomial;
use crate::sums::Kind;
use crate::walk::{Scope, Walk, changed};

/// A way through a block.
#[derive(Clone)]
pub(crate) struct Path {
    /// Where it has come to.
    pub(crate) scope: Scope,
    /// By how much the measure of the loop at which it stopped has grown there and at its end, what that loop
    /// does to it left out.
    pub(crate) grown: Vec<Polynomial>,
    /// The measure where it set out from there.
    from: Polynomial,
}

/// A loop at which ways stop, and the parts of its condition that are its measure.
#[derive(Clone, Copy)]
pub(crate) struct Stop<'a> {
    pub(crate) at: &'a Value,
    pub(crate) measured: &'a [&'a Value],
}

/// Of more ways than this it does not matter which is taken: what is assigned is unknown.
const MOST_PATHS: usize = 24;

impl Path {
    pub(crate) fn at(scope: Scope, from: Polynomial) -> Self {
        Self { scope, grown: vec![], from }
    }

    /// Adds what the measure has grown by.
    pub(crate) fn grow(&mut self, to: &Polynomial) {
        let before = self.grown.last().cloned().unwrap_or_default();
        self.grown.push(before.plus(&to.minus(&self.from)));
    }
}

impl Walk<'_> {
    /// Gives scalars numbers of which facts may speak; those that are `positive` are not negative.
    pub(crate) fn name(&mut self, scalars: &[Value], positive: &[Value], scope: &mut Scope) {
        for scalar in scalars {
            let facts = |own: &Polynomial| {
                Some(own.clone()).filter(|_| positive.contains(scalar)).into_iter().collect()
            };
            let own = self.level("any", Kind::Named, &facts, scope);
            scope.set(scalar, Some(own));
        }
    }

    /// What is at least 0 as conditions hold: their sum.
    pub(crate) fn measure(
        &mut self,
        of: &[&Value],
        scope: &mut Scope,
    ) -> Result<Option<Polynomial>, Refusal> {
        let mut sum = Some(Polynomial::default());
        for it in of {
            let fact = self.condition(it, scope)?;
            sum = sum.zip(fact).map(|(sum, it)| sum.plus(&it));
        }
        Ok(sum)
    }

    /// Facts where a condition holds, or does not.
    pub(crate) fn facts(
        &mut self,
        condition: &Value,
        holds: bool,
        scope: &mut Scope,
    ) -> Result<Vec<Polynomial>, Refusal> {
        if condition[0] == if holds { "and" } else { "or" } {
            let left = self.facts(&condition[1], holds, scope)?;
            return Ok([left, self.facts(&condition[2], holds, scope)?].concat());
        }
        let fact = self.condition(condition, scope)?;
        let not = |it: &Polynomial| {
            it.plus(&Polynomial::constant(1)).scale(&crate::polynomial::whole(-1))
        };
        Ok(fact.into_iter().map(|it| if holds { it } else { not(&it) }).collect())
    }

    /// All ways through a block; nothing if they are too many, or the measure at the stop is not known.
    pub(crate) fn paths(
        &mut self,
        block: &Value,
        start: Path,
        stop: Option<Stop<'_>>,
    ) -> Result<Option<Vec<Path>>, Refusal> {
        let mut paths = vec![start];
        for it in block.as_array().into_iter().flatten() {
            let many = paths.len();
            let mut next = vec![];
            for path in paths {
                match self.after(it, path, many, stop)? {
                    Some(ends) => next.extend(ends),
                    None => return Ok(None),
                }
            }
            if stop.is_some() && next.len() > MOST_PATHS {
                return Ok(None);
            }
            paths = next;
        }
        Ok(Some(paths))
    }

    fn after(
        &mut self,
        of: &Value,
        mut path: Path,
        many: usize,
        stop: Option<Stop<'_>>,
    ) -> Result<Option<Vec<Path>>, Refusal> {
        let changed = changed(of);
        if of[0] == "assign" {
            let value = self.value(&of[2], &mut path.scope)?;
            path.scope.set(&of[1], value);
        } else if of[0] == "if" && (stop.is_some() || !changed.is_empty() && 2 * many <= MOST_PATHS)
        {
            let mut all = vec![];
            for (arm, holds) in [(&of[2], true), (&of[3], false)] {
                let mut inside = path.clone();
                let facts = self.facts(&of[1], holds, &mut inside.scope)?;
                inside.scope.facts.extend(facts);
                match self.paths(arm, inside, stop)? {
                    Some(ends) => all.extend(ends),
                    None => return Ok(None),
                }
            }
            return Ok(Some(all));
        } else if let Some(stop) = stop.filter(|it| it.at == of) {
            let Some(now) = self.measure(stop.measured, &mut path.scope)? else {
                return Ok(None);
            };
            path.grow(&now);
            self.name(&changed, &[], &mut path.scope);
            let Some(from) = self.measure(stop.measured, &mut path.scope)? else {
                return Ok(None);
            };
            path.from = from;
        } else {
            changed.iter().for_each(|it| path.scope.set(it, None));
        }
        Ok(Some(vec![path]))
    }
}
