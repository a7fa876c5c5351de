//! `while` loops: how often they run, and what they leave.

use num_traits::{Signed, ToPrimitive};

use super::facts::Facts;
use super::level::{Halving, Level};
use super::polynomial::{Atom, Polynomial, whole};
use super::scope::{Scope, assigned, logarithm_high, logarithm_low};
use super::walk::Walk;
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{Block, Expr, ExprKind, LoopId};
use memory_machine_core::language::syntax::{BinaryOp, Type};

impl Walk<'_> {
    /// A `while` loop: of a number that grows or falls by a constant, halves or doubles, or of a measure.
    pub(super) fn while_loop(
        &mut self,
        id: LoopId,
        (condition, decreases, body): (&Expr, Option<&Expr>, &Block),
        span: Span,
        scope: &mut Scope,
    ) {
        self.reads(condition, scope);
        let changed = assigned(body);
        let amortised = self.count_amortised(id, condition, body, scope);
        let entered = amortised.or_else(|| self.count_while(condition, body, &changed, scope));
        let by_measure = |walk: &mut Self| {
            if walk.silent > 0 {
                return None;
            }
            let found = match decreases {
                Some(it) => walk.count_by_claim((condition, it), body, &changed, scope),
                None => walk.count_by_measure(condition, body, &changed, scope),
            }?;
            let said = decreases.map(|it| it.span);
            let said = said.filter(|it| !walk.derived.measures.contains(it));
            walk.derived.measures.extend(said);
            Some(found)
        };
        match entered.or_else(|| by_measure(self)) {
            Some(mut entered) => {
                entered.inside.outer = None;
                self.reads(condition, &mut entered.inside);
                self.block(body, &mut entered.inside);
                self.forget(&changed, scope);
                for (scalar, value) in entered.after {
                    let known = match value {
                        After::Known(value) => value,
                        After::Between(lows, high) => self.symbolizer.between(lows, high, scope),
                    };
                    scope.values[scalar] = Some(known);
                }
            }
            None => {
                self.missing(span, "how often this loop runs is not known");
                self.forget(&changed, scope);
            }
        }
    }

    fn count_while(
        &mut self,
        condition: &Expr,
        body: &Block,
        changed: &[usize],
        scope: &Scope,
    ) -> Option<Entered> {
        // Trying out takes the body twice at each depth.
        if self.silent > 3 {
            return None;
        }
        // Of a conjunction the first part is looked at: the loop may end before.
        let (main, whole_condition) = match &condition.kind {
            ExprKind::Binary(BinaryOp::And, left, _) => (&**left, false),
            _ => (condition, true),
        };
        let trial = self.trial((main, whole_condition), body, changed, scope)?;
        match (&trial.next - &trial.number).as_whole() {
            Some(0) => None,
            // Blocks in step are in the same iteration, but the number need not be the same.
            Some(by)
                if by == -1
                    && (scope.blocks.is_none() || scope.nest.is_some())
                    && trial.inside.facts.imply(&(&trial.number - &Polynomial::constant(1))) =>
            {
                Some(self.count_down(trial, scope))
            }
            Some(by) => self.count_steps(trial, by, main, changed, scope),
            None => count_powers(trial, changed, scope),
        }
    }

    /// Walks an iteration's body once without a record, to see what it does to the number that decides.
    fn trial(
        &mut self,
        (main, whole_condition): (&Expr, bool),
        body: &Block,
        changed: &[usize],
        scope: &Scope,
    ) -> Option<Trial> {
        let driver = main.scalars().find(|it| changed.contains(&it.0))?;
        let only = main.scalars().all(|it| it == driver || !changed.contains(&it.0));
        if !only || self.question.program.scalars[driver.0].element != Type::I64 {
            return None;
        }
        let driver = driver.0;
        let before = scope.values[driver].clone()?;
        let mut inside = scope.clone();
        self.forget(changed, &mut inside);
        self.new_place(&mut inside);
        let start = self.symbolizer.local();
        let number = Polynomial::from(start);
        inside.values[driver] = Some(number.clone());
        inside.levels.push(Level::Sum(start));
        let [Some(holds), _] = self.symbolizer.facts(main, &mut inside) else { return None };
        holds.iter().for_each(|it| inside.facts = inside.facts.and(it.clone()));
        let mut tried = inside.clone();
        let at_start = inside.values.clone();
        self.silent += 1;
        self.block(body, &mut tried);
        self.silent -= 1;
        let next = tried.values[driver].clone()?;
        if !whole_condition {
            inside.sure = false;
        }
        Some(Trial {
            driver,
            whole_condition,
            before,
            start,
            number,
            next,
            holds,
            at_start,
            inside,
            tried,
        })
    }

    /// A loop whose number falls by 1: itself the variable, from where it began down.
    fn count_down(&self, trial: Trial, scope: &Scope) -> Entered {
        let Trial { driver, whole_condition, before, start, number, holds, mut inside, .. } = trial;
        inside.facts = inside.facts.and(&before - &number);
        inside.inner_loop(start, &before, scope.is_in_step(&before));
        inside.sure &= holds.len() == 1;
        let after = if whole_condition { self.end_of(&holds, start) } else { None };
        let after = after.map(|it| (driver, After::Known(it))).into_iter().collect();
        Entered { inside, after }
    }

    /// A loop whose number changes `by` a constant: its iterations are counted from 0.
    fn count_steps(
        &mut self,
        trial: Trial,
        by: i64,
        main: &Expr,
        changed: &[usize],
        scope: &Scope,
    ) -> Option<Entered> {
        let Trial { driver, before, start, inside, .. } = trial;
        let way = Polynomial::from(start).scale(&whole(by));
        let value = &before + &way;
        let mut counted = scope.clone();
        self.forget(changed, &mut counted);
        (counted.place, counted.sure) = (inside.place, inside.sure);
        counted.values[driver] = Some(value);
        counted.levels.push(Level::Sum(start));
        counted.facts = counted.facts.and(start.into());
        let [Some(holds), _] = self.symbolizer.facts(main, &mut counted) else {
            return None;
        };
        let [fact] = &holds[..] else { return None };
        let (slope, rest) = fact.linear_in(start)?;
        if !slope.is_negative() {
            return None;
        }
        counted.facts = counted.facts.and(fact.clone());
        let count = &rest.scale(&-slope.recip()) + &Polynomial::constant(1);
        counted.inner_loop(start, &count, true);
        Some(Entered { inside: counted, after: vec![] })
    }

    /// The value with which a loop ends that counts down by 1: the first for which its condition does
    /// not hold.
    fn end_of(&self, holds: &[Polynomial], number: Atom) -> Option<Polynomial> {
        let [fact] = holds else { return None };
        let (slope, rest) = fact.linear_in(number)?;
        (slope == whole(1)).then(|| &-&rest - &Polynomial::constant(1))
    }
}

/// A loop whose number halves or doubles: between its bounds it runs logarithmically often.
fn count_powers(trial: Trial, changed: &[usize], scope: &Scope) -> Option<Entered> {
    let Trial { driver, whole_condition, before, start, number, next, holds, tried, .. } = &trial;
    let [fact] = &holds[..] else { return None };
    let (slope, rest) = fact.linear_in(*start)?;
    // From there on, or up to there, the condition holds.
    let edge = rest.scale(&-slope.recip());
    let halving = if slope.is_positive() {
        halving((*start, before, next), &edge, &tried.facts, scope)?
    } else {
        let (by, more) = next.linear_in(*start)?;
        let (by, more) = (by.to_integer().to_i64().filter(|_| by.is_integer())?, more.as_whole()?);
        // It doubles at least.
        if by < 2 || more < 0 {
            return None;
        }
        doubling((*start, before), edge, (by, more == 0), scope)?
    };
    let mut after = vec![];
    if *whole_condition {
        after = trial.counters(&halving.count, changed, scope);
        if slope.is_positive() {
            let stop = Polynomial::constant(halving.stop);
            after.push((*driver, After::Between(vec![Polynomial::default()], stop)));
        }
    }
    let in_step = scope.is_in_step(before);
    let count = halving.count[0].clone();
    let first = &halving.first_high - number;
    let above = number - &Polynomial::constant(halving.stop + 1);
    let Trial { mut inside, start, .. } = trial;
    inside.levels.pop();
    inside.facts = inside.facts.and(first).and(above);
    inside.levels.push(Level::Halving(halving));
    inside.inner_loop(start, &count, in_step);
    Some(Entered { inside, after })
}

/// A number that doubles at least from `before` on, as long as it is no more than `most`: backwards it halves.
/// It grows by a factor, exactly or more.
fn doubling(
    (atom, before): (Atom, &Polynomial),
    most: Polynomial,
    (by, is_exact): (i64, bool),
    scope: &Scope,
) -> Option<Halving> {
    let one = Polynomial::constant(1);
    if !scope.facts.imply(&(before - &one)) {
        return None;
    }
    let high = &logarithm_high(&scope.end_by_facts(&most, true)?)? + &one;
    let nothing = Polynomial::default;
    let (low, first_low) = if *before == one && is_exact {
        let low = logarithm_low(&most).map_or_else(nothing, |low| powers_of(by, &low));
        (low, most.scale(&whole(by).recip()))
    } else {
        (nothing(), nothing())
    };
    Some(Halving { atom, first_high: most, first_low, stop: 0, up: false, count: [high, low] })
}

/// A number that is `next` after an iteration, about half of it, as long as it is no less than
/// `least`; `facts` are those of an iteration.
fn halving(
    (atom, before, next): (Atom, &Polynomial, &Polynomial),
    least: &Polynomial,
    facts: &Facts,
    scope: &Scope,
) -> Option<Halving> {
    let one = Polynomial::constant(1);
    let rest = &Polynomial::from(atom) - &next.scale(&whole(2));
    let stop = i64::try_from(least.as_constant()?.ceil().to_integer()).ok()? - 1;
    let up = if facts.imply(&rest) {
        false
    } else if facts.imply(&(&rest + &one)) {
        true
    } else {
        return None;
    };
    if stop < i64::from(up) {
        return None;
    }
    let high = logarithm_high(&scope.end_by_facts(before, true)?)?;
    let high = if stop == 0 { &high + &one } else { high };
    let low = match scope.end_by_facts(before, false).and_then(|it| logarithm_low(&it)) {
        Some(low) => {
            let less = logarithm_high(&Polynomial::constant(stop + 1))?;
            // It does not fall faster than to such a part.
            let slow = |by: &i64| {
                let rest = &Polynomial::from(atom) - &next.scale(&whole(*by));
                facts.imply(&(&Polynomial::constant(by - 1) - &rest))
            };
            let by = [2, 3, 4, 5, 8, 10, 16].into_iter().find(slow);
            by.map_or_else(Polynomial::default, |by| powers_of(by, &(&low - &less)))
        }
        None => Polynomial::default(),
    };
    let (first_high, first_low) = (before.clone(), before.clone());
    Some(Halving { atom, first_high, first_low, stop, up, count: [high, low] })
}

/// At least so many powers of a factor are no more than a number of which the logarithm, base 2, is at least
/// `log`: one more than it where the factor is 2.
pub(super) fn powers_of(factor: i64, log: &Polynomial) -> Polynomial {
    if factor == 2 {
        return log + &Polynomial::constant(1);
    }
    let bits = i64::from((factor - 1).ilog2()) + 1;
    log.scale(&whole(bits).recip())
}

/// One iteration, tried out: what it does to the number that decides whether the loop goes on.
struct Trial {
    /// The scalar with that number.
    driver: usize,
    /// Whether the loop ends only by it.
    whole_condition: bool,
    /// Its value before the loop.
    before: Polynomial,
    /// Its value where an iteration begins, as a variable and as a polynomial.
    start: Atom,
    number: Polynomial,
    /// Its value after the iteration.
    next: Polynomial,
    /// What is at least 0 as the condition holds.
    holds: Vec<Polynomial>,
    /// By scalar, the values where the iteration begins.
    at_start: Vec<Option<Polynomial>>,
    inside: Scope,
    /// After the iteration.
    tried: Scope,
}

impl Trial {
    /// What other scalars that grow by constants have after the loop, which runs between two counts.
    fn counters(
        &self,
        count: &[Polynomial; 2],
        changed: &[usize],
        scope: &Scope,
    ) -> Vec<(usize, After)> {
        let others = changed.iter().filter(|it| **it != self.driver);
        let changes = others.filter_map(|&scalar| {
            let change = self.tried.values[scalar].as_ref()? - self.at_start[scalar].as_ref()?;
            let change = change.as_constant().filter(Signed::is_positive)?;
            let first = scope.values[scalar].clone()?;
            // No less than at first, whatever is known of the number of iterations.
            scope.facts.imply(&first).then_some(())?;
            let [high, low] = [0, 1].map(|it| &first + &count[it].scale(&change));
            Some((scalar, After::Between(vec![low, first], high)))
        });
        changes.collect()
    }
}

/// A `while` loop's inside, and what it leaves.
pub(super) struct Entered {
    pub(super) inside: Scope,
    pub(super) after: Vec<(usize, After)>,
}

pub(super) enum After {
    Known(Polynomial),
    /// No less than any of these, no more than that; never negative.
    Between(Vec<Polynomial>, Polynomial),
}
