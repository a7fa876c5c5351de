//! The points of the new loops are those of the old ones, each once.

use std::collections::BTreeMap;

use super::certificate::{Linear, Refusal};
use super::leaves::{Leaf, Level, Touch, assigned};
use super::matching::{AFTER, Matching};
use super::order::{QUOTIENTS, SECOND, second};
use super::schedule::{Checker, Pair, too_large};
use crate::integers::{Affine, System, Variable};

impl<'a> Checker<'_, 'a> {
    pub(super) fn pair(
        &self,
        matching: &mut Matching<'a>,
        context: &System,
        old: Leaf<'a>,
        new: Leaf<'a>,
    ) -> Result<Pair<'a>, Refusal> {
        let refuse = |message: String| Refusal::at(self.before, old.span, message);
        let mut values = vec![];
        for level in &old.levels {
            let name = &self.before.scalars[level.scalar.0].name;
            let value = match self.proof.old.get(name) {
                Some(linear) if linear.by == 1 => {
                    sum(linear, |it| self.new_name(it, &new.levels, matching))
                }
                Some(_) => Err(format!("`{name}` is a quotient")),
                None => self.new_name(name, &new.levels, matching),
            };
            values.push(value.map_err(refuse)?);
        }
        for (level, value) in old.levels.iter().zip(&values) {
            matching.forms.insert(level.variable, value.clone());
        }
        let in_new = |it: Variable| matching.forms.get(&it).cloned();
        let domain = old.domain.substitute(&in_new).ok_or_else(too_large)?;
        let bounded = context.and(&new.domain);
        if !bounded.implies(&domain) {
            return Err(refuse("the new loops leave the old ones' range".to_owned()));
        }
        let mut touches = vec![];
        for touch in &old.touches {
            let cells = |it: &Option<Vec<Affine>>| {
                it.as_ref()
                    .map(|it| it.iter().map(|it| it.substitute(&in_new)).collect::<Option<_>>())
            };
            let substituted = (|| {
                let alternatives = touch
                    .alternatives
                    .iter()
                    .map(|it| it.substitute(&in_new))
                    .collect::<Option<_>>()?;
                let owner =
                    cells(&touch.owner).map_or(Some(None), |it: Option<Vec<_>>| it.map(Some))?;
                let cell =
                    cells(&touch.cell).map_or(Some(None), |it: Option<Vec<_>>| it.map(Some))?;
                Some(Touch { alternatives, owner, cell, ..touch.clone() })
            })();
            touches.push((substituted.ok_or_else(too_large)?, None));
        }
        let is_same = matching.statement(old.statement, new.statement);
        old.levels.iter().for_each(|it| drop(matching.forms.remove(&it.variable)));
        if !is_same {
            return Err(refuse("the statement is not the same".to_owned()));
        }
        let pair = Pair { domain: bounded.and(&domain), old, new, values, touches };
        self.one_to_one(matching, context, &pair)?;
        Ok(pair)
    }

    /// A name in a certificate: a new loop around the leaf, a parameter, or what stands around the part.
    fn new_name(
        &self,
        name: &str,
        levels: &[Level],
        matching: &Matching<'a>,
    ) -> Result<Affine, String> {
        let scalars = &self.after.scalars;
        if let Some(level) = levels.iter().find(|it| scalars[it.scalar.0].name == name) {
            return Ok(Affine::variable(level.variable));
        }
        if let Some(at) = self.after.parameters.iter().position(|it| it.name == name) {
            return Ok(Affine::variable(at as Variable));
        }
        // What the part assigns has no one value.
        let assigned = assigned(&self.part.after);
        let mut around = matching.scalars.values().filter(|it| !assigned.contains(it));
        let around = around.find(|it| scalars[it.0].name == name);
        let around = around.map(|it| Affine::variable(AFTER + it.0 as Variable));
        around.ok_or_else(|| format!("no loop of the new listing is `{name}` here"))
    }

    /// Every old point is one new point.
    fn one_to_one(
        &self,
        matching: &Matching<'a>,
        context: &System,
        pair: &Pair<'a>,
    ) -> Result<(), Refusal> {
        let refuse = |message: &str| Refusal::at(self.before, pair.old.span, message);
        let second = |it: Variable| second(&pair.new.levels, it);
        let mut both = pair.new.domain.and(context);
        let other = both.substitute(&second).ok_or_else(too_large)?;
        both = both.and(&other);
        for value in &pair.values {
            let other = value.substitute(&second).ok_or_else(too_large)?;
            both.equal(value, &other).ok_or_else(too_large)?;
        }
        let mut same = System::default();
        for level in &pair.new.levels {
            let [one, other] = [level.variable, level.variable + SECOND].map(Affine::variable);
            same.equal(&one, &other).ok_or_else(too_large)?;
        }
        if !both.implies(&same) {
            return Err(refuse("the new loops come to a point twice"));
        }
        // From old variables to new ones, and back.
        let mut fresh = QUOTIENTS[2];
        let around = |it: Variable| matching.forms.get(&it).cloned();
        let mut base = pair.old.domain.substitute(&around).ok_or_else(too_large)?.and(context);
        let mut known: BTreeMap<Variable, Affine> = BTreeMap::new();
        // A loop may be given in terms of others, further in, too: those first.
        let mut open: Vec<&Level> = pair.new.levels.iter().collect();
        while !open.is_empty() {
            let mut later = vec![];
            let mut why = String::new();
            for level in &open {
                let value = self.new_loop(level, pair, &known, (matching, &mut base, &mut fresh));
                match value {
                    Ok(value) => drop(known.insert(level.variable, value)),
                    Err(it) => {
                        why = it;
                        later.push(*level);
                    }
                }
            }
            if later.len() == open.len() {
                return Err(refuse(&why));
            }
            open = later;
        }
        let in_old = |it: Variable| known.get(&it).cloned();
        let mut other = pair.new.domain.substitute(&in_old).ok_or_else(too_large)?;
        for (level, value) in pair.old.levels.iter().zip(&pair.values) {
            let value = value.substitute(&in_old).ok_or_else(too_large)?;
            other.equal(&value, &Affine::variable(level.variable)).ok_or_else(too_large)?;
        }
        if base.implies(&other) { Ok(()) } else { Err(refuse("the new loops leave out a point")) }
    }

    /// A new loop's variable in terms of old ones.
    fn new_loop(
        &self,
        level: &Level,
        pair: &Pair<'a>,
        known: &BTreeMap<Variable, Affine>,
        (matching, base, fresh): (&Matching<'a>, &mut System, &mut Variable),
    ) -> Result<Affine, String> {
        let name = &self.after.scalars[level.scalar.0].name;
        let old_name = |it: &str| self.old_name(it, pair, known, matching);
        let Some(linear) = self.proof.new.get(name) else { return old_name(name) };
        if linear.by < 1 {
            return Err(format!("`{name}` is divided by {}", linear.by));
        }
        let value = sum(linear, old_name)?;
        if linear.by == 1 {
            return Ok(value);
        }
        *fresh += 1;
        base.divide(*fresh, &value, i128::from(linear.by)).ok_or_else(|| "too large".to_owned())?;
        Ok(Affine::variable(*fresh))
    }

    fn old_name(
        &self,
        name: &str,
        pair: &Pair<'a>,
        known: &BTreeMap<Variable, Affine>,
        matching: &Matching<'a>,
    ) -> Result<Affine, String> {
        if let Some(name) = name.strip_prefix('\'') {
            let levels = &pair.new.levels;
            let level = levels.iter().find(|it| self.after.scalars[it.scalar.0].name == name);
            let value = level.and_then(|it| known.get(&it.variable).cloned());
            return value.ok_or_else(|| format!("no other loop is `{name}`"));
        }
        let levels = &pair.old.levels;
        let level = levels.iter().find(|it| self.before.scalars[it.scalar.0].name == name);
        match level {
            Some(level) => Ok(Affine::variable(level.variable)),
            None => self.new_name(name, &[], matching),
        }
    }
}

fn sum(linear: &Linear, name: impl Fn(&str) -> Result<Affine, String>) -> Result<Affine, String> {
    let mut sum = Affine::constant(i128::from(linear.constant));
    for (of, factor) in &linear.terms {
        sum = sum.plus(&name(of)?, i128::from(*factor)).ok_or("too large")?;
    }
    Ok(sum)
}
