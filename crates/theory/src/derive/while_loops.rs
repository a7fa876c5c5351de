//! `while` loops: how often they run, and what they leave.

use num_traits::Signed;

use super::facts::Facts;
use super::level::{Halving, Level};
use super::polynomial::{Atom, Polynomial, whole};
use super::scope::{Scope, assigned, logarithm_high, logarithm_low};
use super::walk::Walk;
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{Block, Expr, ExprKind};
use memory_machine_core::language::syntax::{BinaryOp, Type};

impl Walk<'_> {
    /// A `while` loop: of a number that grows or falls by a constant, halves or doubles.
    pub(super) fn while_loop(
        &mut self,
        condition: &Expr,
        body: &Block,
        span: Span,
        scope: &mut Scope,
    ) {
        self.reads(condition, scope);
        let changed = assigned(body);
        let entered = self.count_while(condition, body, &changed, scope);
        match entered {
            Some(mut entered) => {
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
        let driver = main.scalars().find(|it| changed.contains(&it.0))?;
        let only = main.scalars().all(|it| it == driver || !changed.contains(&it.0));
        if !only || self.question.program.scalars[driver.0].element != Type::I64 {
            return None;
        }
        let before = scope.values[driver.0].clone()?;
        let mut inside = scope.clone();
        self.forget(changed, &mut inside);
        self.new_place(&mut inside);
        let start = self.symbolizer.local();
        let number = Polynomial::from(start);
        inside.values[driver.0] = Some(number.clone());
        inside.levels.push(Level::Sum(start));
        let [Some(holds), _] = self.symbolizer.facts(main, &mut inside) else { return None };
        holds.iter().for_each(|it| inside.facts = inside.facts.and(it.clone()));
        let mut tried = inside.clone();
        let at_start = inside.values.clone();
        self.silent += 1;
        self.block(body, &mut tried);
        self.silent -= 1;
        let next = tried.values[driver.0].clone()?;
        if !whole_condition {
            inside.sure = false;
        }
        let in_step = scope.is_in_step(&before);
        let grows = (&next - &number).as_whole();
        let one = Polynomial::constant(1);
        let counters = |count: &[Polynomial; 2]| {
            let changes = changed.iter().filter(|it| **it != driver.0).filter_map(|&scalar| {
                let change = tried.values[scalar].as_ref()? - at_start[scalar].as_ref()?;
                let change = change.as_constant().filter(Signed::is_positive)?;
                let first = scope.values[scalar].clone()?;
                // No less than at first, whatever is known of the number of iterations.
                scope.facts.imply(&first).then_some(())?;
                let [high, low] = [0, 1].map(|it| &first + &count[it].scale(&change));
                Some((scalar, After::Between(vec![low, first], high)))
            });
            changes.collect::<Vec<_>>()
        };
        match grows {
            Some(0) => None,
            // Blocks in step are in the same iteration, but the number need not be the same.
            Some(by)
                if by == -1
                    && (scope.blocks.is_none() || scope.nest.is_some())
                    && inside.facts.imply(&(&number - &one)) =>
            {
                // Itself the variable, from where it began down.
                inside.facts = inside.facts.and(&before - &number);
                let count = before.clone();
                inside.inner_loop(start, &count, in_step);
                inside.sure &= holds.len() == 1;
                let after = if whole_condition { self.end_of(&holds, start) } else { None };
                let after = after.map(|it| (driver.0, After::Known(it))).into_iter().collect();
                Some(Entered { inside, after })
            }
            Some(by) => {
                let way = Polynomial::from(start).scale(&whole(by));
                let value = &before + &way;
                let mut counted = scope.clone();
                self.forget(changed, &mut counted);
                (counted.place, counted.sure) = (inside.place, inside.sure);
                counted.values[driver.0] = Some(value);
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
                let count = &rest.scale(&-slope.recip()) + &one;
                // Counted from 0.
                counted.inner_loop(start, &count, true);
                Some(Entered { inside: counted, after: vec![] })
            }
            None => {
                let [fact] = &holds[..] else { return None };
                let (slope, rest) = fact.linear_in(start)?;
                // From there on, or up to there, the condition holds.
                let edge = rest.scale(&-slope.recip());
                let halving = if slope.is_positive() {
                    halving((start, &before, &next), &edge, &tried.facts, scope)?
                } else if next == number.scale(&whole(2)) {
                    doubling((start, &before), edge, scope)?
                } else {
                    return None;
                };
                inside.levels.pop();
                let count = halving.count.clone();
                let first = &halving.first_high - &number;
                inside.facts =
                    inside.facts.and(first).and(&number - &Polynomial::constant(halving.stop + 1));
                let mut after = counters(&count);
                if slope.is_positive() {
                    let stop = Polynomial::constant(halving.stop);
                    after.push((driver.0, After::Between(vec![Polynomial::default()], stop)));
                }
                if !whole_condition {
                    after.clear();
                }
                inside.levels.push(Level::Halving(halving));
                inside.inner_loop(start, &count[0], in_step);
                Some(Entered { inside, after })
            }
        }
    }

    /// The value with which a loop ends that counts down by 1: the first for which its condition does
    /// not hold.
    fn end_of(&self, holds: &[Polynomial], number: Atom) -> Option<Polynomial> {
        let [fact] = holds else { return None };
        let (slope, rest) = fact.linear_in(number)?;
        (slope == whole(1)).then(|| &-&rest - &Polynomial::constant(1))
    }
}

/// A number that doubles from `before` on, as long as it is no more than `most`: backwards it halves.
fn doubling(
    (atom, before): (Atom, &Polynomial),
    most: Polynomial,
    scope: &Scope,
) -> Option<Halving> {
    let one = Polynomial::constant(1);
    if !scope.facts.imply(&(before - &one)) {
        return None;
    }
    let high = &logarithm_high(&scope.extreme(&most, 0, true)?)? + &one;
    let nothing = Polynomial::default;
    let (low, first_low) = if *before == one {
        let low = logarithm_low(&most).map_or_else(nothing, |low| &low + &one);
        (low, most.scale(&whole(2).recip()))
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
    let first = scope.extreme(before, 0, true)?;
    let high = logarithm_high(&first)?;
    let high = if stop == 0 { &high + &one } else { high };
    let low = match logarithm_low(&scope.extreme(before, 0, false)?) {
        // It does not fall faster than that.
        Some(low) if facts.imply(&(&one - &rest)) => {
            let less = logarithm_high(&Polynomial::constant(stop + 1))?;
            &(&low - &less) + &one
        }
        _ => Polynomial::default(),
    };
    let (first_high, first_low) = (before.clone(), before.clone());
    Some(Halving { atom, first_high, first_low, stop, up, count: [high, low] })
}

/// A `while` loop's inside, and what it leaves.
struct Entered {
    inside: Scope,
    after: Vec<(usize, After)>,
}

enum After {
    Known(Polynomial),
    /// No less than any of these, no more than that; never negative.
    Between(Vec<Polynomial>, Polynomial),
}
