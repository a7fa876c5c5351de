//! Measures that fall in an inner loop and grow by a constant in each iteration of the outer one: the inner
//! loop's iterations are counted over the whole outer loop.

use std::rc::Rc;

use super::measures::{MOST_GROWTH, conjuncts};
use super::paths::Path;
use super::polynomial::{Polynomial, whole};
use super::scope::{OuterLoop, Scope, Variable, assigned};
use super::walk::Walk;
use super::while_loops::Entered;
use memory_machine_core::language::program::{Block, Expr, For, LoopId, Statement};
use memory_machine_core::language::walk;

impl Walk<'_> {
    /// Notes a loop around what follows, if a `while` loop inside may be counted over all of it.
    pub(super) fn note_outer(
        &self,
        it: &For,
        variable: &Variable,
        before: &Scope,
        inside: &mut Scope,
    ) {
        let is_while = |it: &Statement| matches!(it, Statement::While { .. });
        let is_alone = before.nest.is_none() && before.blocks.is_none();
        inside.outer = None;
        if is_alone && self.silent == 0 && walk::statements(&it.body).any(is_while) {
            inside.outer = Some(Rc::new(OuterLoop {
                before: before.clone(),
                inside: inside.clone(),
                variable: variable.clone(),
                // Where it is no number from 0 on.
                falls: it.range.downward && variable.value == Polynomial::from(variable.atom),
                scalar: it.range.variable.0,
                body: it.body.clone(),
            }));
        }
    }

    /// A loop whose measure falls by 1 at least in each iteration, and grows by a constant at most in an
    /// iteration of the loop around it: its iterations, over all of that loop.
    pub(super) fn count_amortised(
        &mut self,
        id: LoopId,
        condition: &Expr,
        body: &Block,
        scope: &Scope,
    ) -> Option<Entered> {
        let outer = scope.outer.clone()?;
        let conjuncts = conjuncts(condition);
        let is_unknown =
            |it: &usize| scope.values[*it].as_ref().is_none_or(|it| !scope.is_known(it));
        let changed = assigned(body);
        let is_read = |it: &usize| condition.scalars().any(|scalar| scalar.0 == *it);
        if !changed.iter().any(|it| is_read(it) && is_unknown(it)) {
            return None;
        }
        let mut all = assigned(&outer.body);
        all.push(outer.scalar);
        for measured in &conjuncts {
            let measured = &[*measured];
            // Inside, from any state.
            let mut start = outer.inside.clone();
            self.name(&assigned(&outer.body), &[], &mut start);
            let mut turn = start.clone();
            let Some(now) = self.measure(measured, &mut turn) else { continue };
            turn.facts = turn.facts.and(now.clone());
            let falls = self.paths(body, None, Path::at(turn))?.into_iter().all(|mut path| {
                let next = self.measure(measured, &mut path.scope);
                let less = next.map(|it| &(&now - &it) - &Polynomial::constant(1));
                less.is_some_and(|it| path.scope.facts.imply(&it))
            });
            if !falls {
                continue;
            }
            let Some(growth) = self.growth(&outer, &start, (id, measured)) else { continue };
            // What it is before the first iteration.
            let mut before = outer.before.clone();
            let of = &outer.variable;
            let begins = if outer.falls { &of.highs } else { &of.lows };
            let [begin] = &begins[..] else { continue };
            before.values[outer.scalar] = of.value.substitute(of.atom, begin);
            let Some(first) = self.measure(measured, &mut before) else { continue };
            let count = outer.variable.count().scale(&whole(growth));
            let last = &first + &count;
            if !outer.before.is_known(&last) {
                continue;
            }
            let mut inside = outer.before.clone();
            self.number_iterations(&all, &last, &mut inside);
            (inside.sure, inside.outer) = (false, None);
            return Some(Entered { inside, after: vec![] });
        }
        None
    }

    /// By how much a measure grows in an outer iteration at most, outside of the inner loop.
    fn growth(
        &mut self,
        outer: &OuterLoop,
        start: &Scope,
        (id, measured): (LoopId, &[&Expr]),
    ) -> Option<i64> {
        // The measure's growth up to the inner loop, and from there on.
        let mut parts: Vec<(Scope, Vec<Polynomial>)> = vec![];
        for mut path in self.paths(&outer.body, Some(id), Path::at(start.clone()))? {
            if path.stops.len() > 1 {
                return None;
            }
            let mut growth = vec![];
            let mut from = start.clone();
            for stop in &path.stops {
                let mut stop = stop.clone();
                let [a, b] = [&mut from, &mut stop].map(|it| self.measure(measured, it));
                growth.push(&b? - &a?);
                from = path.resumed.clone()?;
            }
            let way = Polynomial::constant(if outer.falls { -1 } else { 1 });
            let next = &Polynomial::from(outer.variable.atom) + &way;
            path.scope.values[outer.scalar] =
                outer.variable.value.substitute(outer.variable.atom, &next);
            let [a, b] = [&mut from, &mut path.scope].map(|it| self.measure(measured, it));
            let last = &b? - &a?;
            let all = growth.iter().fold(last, |sum, it| &sum + it);
            growth.push(all);
            parts.push((path.scope, growth));
        }
        (0..=MOST_GROWTH).find(|&most| {
            let most = Polynomial::constant(most);
            parts.iter().all(|(end, growth)| growth.iter().all(|it| end.facts.imply(&(&most - it))))
        })
    }
}
