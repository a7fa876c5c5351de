//! A nest of sequential loops as transitions between their heads: on each path from one head to the next, what
//! holds and what its numbers become. Their iterations are counted over all of the outermost loop.

mod extent;
mod flow;
mod program;
mod ranking;

use std::collections::BTreeMap;
use std::rc::Rc;

use num_rational::BigRational;
use num_traits::Signed;

use self::flow::changed;
use self::ranking::Ranking;
use super::domain::sum_at_large;
use super::polynomial::{Atom, Polynomial};
use super::scope::Scope;
use super::walk::{Callee, Iterations, Walk};
use super::{Derived, Question, Term};
use memory_machine_core::language::program::{Block, Statement};
use memory_machine_core::language::walk;

/// A path from one loop's head to the next one.
#[derive(Debug, Clone)]
pub(super) struct Transition {
    /// Places between which it leads; the first transition comes from outside, place 0.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Each is not negative.
    pub(super) guard: Vec<Polynomial>,
    /// By state, its value at the end, over states where the transition begins.
    pub(super) update: Vec<Polynomial>,
    /// Iterations that begin on it, by loop.
    pub(super) passes: BTreeMap<usize, i64>,
}

/// Loops as transitions, of which the first is how they are entered.
pub(super) struct Transitions {
    pub(super) all: Vec<Transition>,
    /// Numbers that change; these atoms may be negative.
    pub(super) states: Vec<Atom>,
    /// Places, with that outside.
    pub(super) places: usize,
    /// Locals from here on have no value outside of a transition.
    pub(super) first: u32,
}

/// There are fewer locals than that.
const OTHER_NAMES: u32 = 1 << 30;

impl Derived {
    /// With loops inside loops counted as transitions where that says more from above.
    pub(super) fn by_transitions(
        &mut self,
        question: &Question<'_>,
        body: &Block,
        procedures: &[Callee],
    ) {
        let is_while = |it: &Statement| matches!(it, Statement::While { .. });
        let is_outer = |it: &Statement| {
            (is_while(it) || matches!(it, Statement::For(_)))
                && it.blocks().flat_map(walk::statements).any(is_while)
        };
        let mut statements = walk::statements(body);
        let is_helped = if self.missing.is_empty() {
            statements.any(is_outer)
        } else {
            statements.any(is_while)
        };
        if !is_helped || !procedures.is_empty() {
            return;
        }
        let mut other = Walk::new(question, &[]);
        other.by_transitions = true;
        super::listing::walk(&mut other, body);
        let is_less = || other.derived.at_large() < self.at_large();
        if other.derived.missing.is_empty() && (!self.missing.is_empty() || is_less()) {
            let Self { upper, missing, measures, .. } = other.derived;
            (self.upper, self.missing, self.measures) = (upper, missing, measures);
        }
    }

    /// The upper bound where sizes are as they are on a GPU.
    fn at_large(&self) -> BigRational {
        let least = |it: &Term| it.choices.iter().map(|it| sum_at_large(&it.pieces)).min();
        self.upper.iter().filter_map(least).sum()
    }
}

impl Walk<'_> {
    /// Goes through a loop that data decide, and those inside it, of which the iterations are counted over all of
    /// the outermost one; `false` if they cannot be.
    pub(super) fn by_transitions(&mut self, of: &Statement, scope: &mut Scope) -> bool {
        let (id, body) = match of {
            Statement::While { id, body, .. } => (id.0, body),
            Statement::For(it) => (it.range.id.0, &it.body),
            _ => return false,
        };
        let all: Vec<&Statement> = std::iter::once(of).chain(walk::statements(body)).collect();
        if !self.iterations.contains_key(&id) {
            let is_alone = scope.nest.is_none() && scope.blocks.is_none() && self.tallies.is_none();
            let has_while = all.iter().any(|it| matches!(it, Statement::While { .. }));
            if !is_alone || self.silent > 0 || !has_while {
                return false;
            }
            let Some(transitions) = self.transitions(of, scope) else { return false };
            let Some(found) = Ranking::iterations(&transitions, scope) else { return false };
            for (id, most) in found {
                let (before, changed) = (scope.clone(), changed(&all));
                self.iterations.insert(id, Rc::new(Iterations { before, changed, most }));
            }
        }
        let Some(own) = self.iterations.get(&id).cloned() else { return false };
        let mut inside = own.before.clone();
        (inside.sure, inside.outer) = (false, None);
        let last = &own.most - &Polynomial::constant(1);
        self.number_iterations(&own.changed, &last, &mut inside);
        match of {
            Statement::While { condition, .. } => {
                self.reads(condition, scope);
                self.reads(condition, &mut inside);
            }
            _ => of.expressions().for_each(|it| self.reads(it, scope)),
        }
        self.block(body, &mut inside);
        self.forget(&changed(&all), scope);
        true
    }
}

impl Transitions {
    /// With other names for the numbers that the transition alone knows: it may follow itself.
    fn with_other_names(&self, of: &Transition) -> Transition {
        let rename = |of: &Polynomial| {
            let atoms: Vec<Atom> = of.atoms().filter(|it| !self.states.contains(it)).collect();
            atoms.into_iter().fold(of.clone(), |of, atom| match atom {
                Atom::Local(number) if (self.first..OTHER_NAMES).contains(&number) => {
                    of.substitute(atom, &Atom::Local(number + OTHER_NAMES).into()).unwrap_or(of)
                }
                _ => of,
            })
        };
        let guard = of.guard.iter().map(rename).collect();
        Transition { guard, update: of.update.iter().map(rename).collect(), ..of.clone() }
    }

    /// Leaves out places that no path leads back to directly: paths there are joined with those from there. Then
    /// states on which no path depends.
    fn join(&mut self) {
        let is_through = |all: &[Transition], place: usize| {
            let count = |to: bool| {
                all.iter().filter(|it| if to { it.to == place } else { it.from == place }).count()
            };
            let is_loop = all.iter().any(|it| it.from == place && it.to == place);
            let is_begin = all.iter().any(|it| it.from == 0 && it.to == place);
            let [inward, outward] = [count(true), count(false)];
            outward > 0 && !is_loop && !is_begin && inward * outward <= inward + outward
        };
        while let Some(place) = (1..self.places)
            .find(|&place| self.all.iter().any(|it| it.to == place) && is_through(&self.all, place))
        {
            let (inward, others): (Vec<Transition>, Vec<Transition>) =
                std::mem::take(&mut self.all).into_iter().partition(|it| it.to == place);
            let (outward, others): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|it| it.from == place);
            self.all = others;
            for first in &inward {
                self.all.extend(outward.iter().filter_map(|it| first.then(it, &self.states)));
            }
        }
        let mut needed: Vec<bool> = vec![false; self.states.len()];
        loop {
            let mentions = |of: &Polynomial, at: usize| of.mentions(self.states[at]);
            let uses = |at: usize| {
                self.all.iter().any(|it| {
                    let updates = it.update.iter().zip(&needed).filter(|it| *it.1).map(|it| it.0);
                    it.guard.iter().chain(updates).any(|it| mentions(it, at))
                })
            };
            let next: Vec<bool> = (0..needed.len()).map(uses).collect();
            if next == needed {
                break;
            }
            needed = next;
        }
        let mut keep = needed.iter();
        self.states.retain(|_| keep.next().is_some_and(|it| *it));
        for it in &mut self.all {
            let mut keep = needed.iter();
            it.update.retain(|_| keep.next().is_some_and(|it| *it));
        }
    }
}

impl Transition {
    /// Over what the states were before.
    pub(super) fn before(&self, of: &Polynomial, states: &[Atom]) -> Option<Polynomial> {
        // All at once: new names first.
        let far = |at: usize| Atom::Local(u32::MAX - at as u32);
        let mut of = of.clone();
        for (at, state) in states.iter().enumerate() {
            of = of.substitute(*state, &far(at).into())?;
        }
        for (at, value) in self.update.iter().enumerate() {
            of = of.substitute(far(at), value)?;
        }
        Some(of)
    }

    /// One after the other; `None` if it cannot be.
    pub(super) fn then(&self, next: &Self, states: &[Atom]) -> Option<Self> {
        let mut both = self.clone();
        both.to = next.to;
        both.guard.extend(next.guard.iter().filter_map(|it| self.before(it, states)));
        if both.guard.iter().any(|it| it.as_constant().is_some_and(|it| it.is_negative())) {
            return None;
        }
        both.update =
            next.update.iter().map(|it| self.before(it, states)).collect::<Option<_>>()?;
        for (id, count) in &next.passes {
            *both.passes.entry(*id).or_default() += count;
        }
        Some(both)
    }
}
