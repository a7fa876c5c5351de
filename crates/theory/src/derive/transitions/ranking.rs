//! How often transitions are taken: linear functions of their numbers that none of them increases and one
//! decreases (Podelski and Rybalchenko 2004), found by linear programs, in turn with the sizes of numbers
//! (Brockschmidt et al. 2016).

use std::collections::{BTreeMap, BTreeSet};

use num_traits::Signed;

use super::program::{Program, Template, about, minus, value};
use super::{Transition, Transitions};
use crate::derive::domain::at_large;
use crate::derive::polynomial::{Atom, Monomial, Polynomial};
use crate::derive::scope::Scope;

/// Counts of transitions, as far as they are known: sums of products of sizes, nothing taken off.
pub(super) struct Ranking<'a> {
    pub(super) of: &'a Transitions,
    /// Outside.
    pub(super) scope: &'a Scope,
    /// By place, the part of the loops in which each can be reached from each.
    pub(super) parts: Vec<usize>,
    /// By place, what always holds there.
    pub(super) always: Vec<Vec<Polynomial>>,
    pub(super) counts: Vec<Option<Polynomial>>,
}

/// More than these are not tried.
const MOST_CANDIDATES: usize = 60;
const MOST_PROOFS: usize = 1500;
/// Nor more paths that know the one before.
const MOST_PAIRS: usize = 100;

impl<'a> Ranking<'a> {
    /// By loop, how many iterations begin at most, over all; `None` if it is not known of any.
    pub(super) fn iterations(
        of: &Transitions,
        scope: &Scope,
    ) -> Option<BTreeMap<usize, Polynomial>> {
        // What always holds is often not needed, and takes long to find; so with paths that know the one before.
        let mut found: Option<BTreeMap<usize, Polynomial>> = None;
        let sum = |of: &BTreeMap<usize, Polynomial>| {
            of.values().fold(Polynomial::default(), |sum, it| &sum + it)
        };
        let apart = Self::apart(of, scope);
        let ways = [(Some(of), false), (Some(of), true), (apart.as_ref(), true)];
        for (of, knows_always) in ways {
            let Some(of) = of else { continue };
            let (always, counts) = (vec![vec![]; of.places + 1], vec![None; of.all.len()]);
            let mut ranking = Ranking { of, scope, parts: vec![], always, counts };
            ranking.leave_out();
            if knows_always {
                ranking.invariants();
                ranking.leave_out();
            }
            let others = ranking.passes();
            let is_less = |it: &BTreeMap<usize, Polynomial>| {
                found.as_ref().is_none_or(|found| at_large(&sum(it)) < at_large(&sum(found)))
            };
            found = others.filter(is_less).or(found);
            // No better one is likely.
            if found.as_ref().is_some_and(|it| sum(it).degree() <= 1) {
                break;
            }
        }
        found
    }

    /// The same paths, of which each begins at a place that knows the one before: where one cannot follow another,
    /// it does not. `None` if these are too many.
    fn apart(of: &Transitions, scope: &Scope) -> Option<Transitions> {
        let counts = vec![None; of.all.len()];
        let ranking =
            Ranking { of, scope, parts: vec![], always: vec![vec![]; of.places + 1], counts };
        let mut all = vec![Transition { to: 1, ..of.all.first()?.clone() }];
        for (before, first) in of.all.iter().enumerate() {
            for (at, next) in of.all.iter().enumerate().skip(1).filter(|it| it.1.from == first.to) {
                let both = first.then(&of.with_other_names(next), &of.states);
                if both.is_some_and(|it| !ranking.follows(&Polynomial::constant(-1), &it)) {
                    all.push(Transition { from: before + 1, to: at + 1, ..next.clone() });
                }
            }
            (all.len() <= MOST_PAIRS).then_some(())?;
        }
        let (states, places, first) = (of.states.clone(), of.all.len() + 1, of.first);
        Some(Transitions { all, states, places, first })
    }

    fn passes(&mut self) -> Option<BTreeMap<usize, Polynomial>> {
        let all: Vec<usize> = (0..self.of.all.len()).filter(|it| self.may_be_taken(*it)).collect();
        self.parts = self.components(&all);
        *self.counts.first_mut()? = Some(Polynomial::constant(1));
        self.count(&all[1..])?;
        let mut sums: BTreeMap<usize, Polynomial> = BTreeMap::new();
        for (transition, count) in self.of.all.iter().zip(&self.counts) {
            for (id, passes) in &transition.passes {
                let entry = sums.entry(*id).or_default();
                *entry = &*entry + &(count.as_ref()? * &Polynomial::constant(*passes));
            }
        }
        Some(sums)
    }

    /// Those that contradict themselves are never taken.
    fn leave_out(&mut self) {
        for (at, it) in self.of.all.iter().enumerate().skip(1) {
            if self.follows(&Polynomial::constant(-1), it) {
                self.counts[at] = Some(Polynomial::default());
            }
        }
    }

    pub(super) fn may_be_taken(&self, at: usize) -> bool {
        self.counts[at].as_ref().is_none_or(|it| !it.is_zero())
    }

    fn transition(&self, at: usize) -> &'a Transition {
        &self.of.all[at]
    }

    /// By place, a number that those have in common which reach each other by some transitions.
    fn components(&self, by: &[usize]) -> Vec<usize> {
        let reach: Vec<BTreeSet<usize>> = (0..=self.of.places)
            .map(|place| {
                let (mut seen, mut left) = (BTreeSet::from([place]), vec![place]);
                while let Some(at) = left.pop() {
                    for it in by.iter().map(|it| self.transition(*it)).filter(|it| it.from == at) {
                        if seen.insert(it.to) {
                            left.push(it.to);
                        }
                    }
                }
                seen
            })
            .collect();
        // Whoever is reached by more comes later.
        let own = |place: usize| {
            reach[place].iter().copied().find(|it| reach[*it].contains(&place)).unwrap_or(place)
        };
        (0..=self.of.places).map(own).collect()
    }

    /// What is known where a transition is taken: its guard, what always holds, and that sizes are 1 at least and
    /// other numbers of the text not negative.
    pub(super) fn facts(&self, of: &Transition, about: &[&Polynomial]) -> Vec<Polynomial> {
        let mut facts = [&of.guard[..], &self.always[of.from]].concat();
        let all = facts.iter().chain(about.iter().copied()).chain(&of.update);
        let monomials: BTreeSet<Monomial> =
            all.flat_map(|it| it.terms().map(|it| it.0.clone())).collect();
        for monomial in monomials {
            let is_state = monomial.iter().any(|(atom, _)| self.of.states.contains(atom));
            if !monomial.is_empty() && !is_state {
                let is_size = monomial
                    .iter()
                    .all(|(atom, power)| !matches!(atom, Atom::Local(_)) && *power > 0);
                let least = Polynomial::constant(i64::from(is_size));
                facts.push(&Polynomial::monomial(monomial) - &least);
            }
        }
        facts
    }

    pub(super) fn follows(&self, claim: &Polynomial, of: &Transition) -> bool {
        let mut program = Program::default();
        let mut facts = self.facts(of, &[claim]);
        if claim.as_constant().is_none() {
            facts = about(claim, facts);
        }
        // 0 ≥ −claim.
        program.at_least(&Template::new(), &-claim, &facts);
        program.solve().is_some()
    }

    /// What may always hold: what guards say, and what states are set to.
    fn candidates(&self) -> Vec<Polynomial> {
        let mut all: Vec<Polynomial> = vec![];
        let mut add = |of: Polynomial| {
            if self.is_over_states(&of) && of.as_constant().is_none() && !all.contains(&of) {
                all.push(of);
            }
        };
        for it in &self.of.all {
            for (state, value) in self.of.states.iter().zip(&it.update) {
                if !value.mentions(*state) {
                    let own = Polynomial::from(*state);
                    add(&own - value);
                    add(value - &own);
                }
            }
        }
        for own in self.of.states.iter().map(|it| Polynomial::from(*it)) {
            add(&own - &Polynomial::constant(1));
            add(own);
        }
        for guard in self.of.all.iter().flat_map(|it| &it.guard) {
            add(guard.clone());
            add(guard + &Polynomial::constant(1));
        }
        for (a, b) in
            self.of.states.iter().flat_map(|a| self.of.states.iter().map(move |b| (*a, *b)))
        {
            let less = &Polynomial::from(b) - &a.into();
            if a != b && !all.contains(&less) {
                all.extend([&less - &Polynomial::constant(1), less]);
            }
        }
        all.truncate(MOST_CANDIDATES.min(MOST_PROOFS / self.of.all.len().max(1)));
        all
    }

    /// Of candidates, what holds wherever a place is come to (Houdini).
    fn invariants(&mut self) {
        self.always = vec![self.candidates(); self.of.places + 1];
        self.always[0].clear();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for it in self.of.all.iter() {
                let holds = |claim: &Polynomial| {
                    let Some(before) = it.before(claim, &self.of.states) else { return false };
                    let is_kept = before == *claim && self.always[it.from].contains(claim);
                    is_kept || self.follows(&before, it)
                };
                let stay: Vec<bool> = self.always[it.to].iter().map(holds).collect();
                changed |= stay.contains(&false);
                let mut stay = stay.into_iter();
                self.always[it.to].retain(|_| stay.next() == Some(true));
            }
        }
        // Less than another one says is not needed.
        for all in &mut self.always {
            let known = all.clone();
            let is_more = |it: &Polynomial, other: &Polynomial| {
                (it - other).as_constant().is_some_and(|it| it.is_positive())
            };
            all.retain(|it| !known.iter().any(|other| is_more(it, other)));
        }
    }

    /// Whether it has a value at a place: no number that a transition alone knows.
    pub(super) fn is_over_states(&self, of: &Polynomial) -> bool {
        of.atoms().all(|atom| match atom {
            Atom::Local(number) => number < self.of.first || self.of.states.contains(&atom),
            _ => true,
        })
    }

    /// Counts some transitions, part by part.
    fn count(&mut self, of: &[usize]) -> Option<()> {
        let parts = self.components(of);
        let part = |place: usize| parts[place];
        let mut left: BTreeSet<usize> =
            of.iter().map(|it| part(self.transition(*it).from)).collect();
        while !left.is_empty() {
            // One that no other leads to.
            let leads = |to: usize| {
                of.iter().map(|it| self.transition(*it)).any(|it| {
                    part(it.to) == to && part(it.from) != to && left.contains(&part(it.from))
                })
            };
            let next = left.iter().copied().find(|it| !leads(*it))?;
            left.remove(&next);
            let own = |it: &&usize| part(self.transition(**it).from) == next;
            let (inner, leaving): (Vec<usize>, Vec<usize>) =
                of.iter().filter(own).partition(|it| part(self.transition(**it).to) == next);
            let mut entered = Some(Polynomial::default());
            for (at, it) in self.of.all.iter().enumerate() {
                if part(it.to) == next && !inner.contains(&at) {
                    entered = entered.zip(self.counts[at].as_ref()).map(|(sum, it)| &sum + it);
                }
            }
            self.count_part(&inner)?;
            for it in leaving {
                self.counts[it] = entered.clone();
            }
        }
        Some(())
    }

    /// Of transitions between places that reach each other, some by a function that falls; then the others.
    fn count_part(&mut self, of: &[usize]) -> Option<()> {
        if of.is_empty() {
            return Some(());
        }
        let mut counted = vec![];
        for &falls in of {
            if let Some(ranks) = self.rank(of, falls)
                && let Some(count) = self.entries(of, &ranks)
            {
                counted.push((falls, count));
            }
        }
        if counted.is_empty() {
            return None;
        }
        for (at, count) in counted {
            self.counts[at] = Some(count);
        }
        let rest: Vec<usize> = of.iter().copied().filter(|it| self.counts[*it].is_none()).collect();
        self.count(&rest)
    }

    /// By place, a function that no transition increases, and that is 1 or more and falls by 1 on one.
    fn rank(&self, of: &[usize], falls: usize) -> Option<BTreeMap<usize, Polynomial>> {
        let mut program = Program::default();
        let outer = of.iter().flat_map(|it| {
            let it = self.transition(*it);
            it.guard.iter().chain(&it.update).chain(&self.always[it.from])
        });
        let mut monomials: BTreeSet<Monomial> = outer
            .flat_map(|it| it.terms().map(|it| it.0.clone()))
            .filter(|it| self.is_over_states(&Polynomial::monomial(it.clone())))
            .filter(|it| !it.iter().any(|it| self.of.states.contains(&it.0)))
            .collect();
        monomials.insert(vec![]);
        monomials.extend(self.of.states.iter().map(|it| vec![(*it, 1)]));
        let mut templates: BTreeMap<usize, Template> = BTreeMap::new();
        for it in of {
            let place = self.transition(*it).from;
            templates.entry(place).or_insert_with(|| program.template(monomials.iter().cloned()));
        }
        for &at in of {
            let it = self.transition(at);
            let put = |monomial: &Monomial| {
                it.before(&Polynomial::monomial(monomial.clone()), &self.of.states)
            };
            let fall = minus(&templates[&it.from], &templates[&it.to], &put)?;
            let least = Polynomial::constant(i64::from(at == falls));
            let about: Vec<Polynomial> =
                fall.keys().map(|it| Polynomial::monomial(it.clone())).collect();
            let facts = self.facts(it, &about.iter().collect::<Vec<_>>());
            program.at_least(&fall, &least, &facts);
            if at == falls {
                program.at_least(&templates[&it.from], &least, &facts);
            }
        }
        let found = program.solve()?;
        Some(templates.iter().map(|(place, it)| (*place, value(it, &found))).collect())
    }

    /// What a function is at most, over all ways to come to these transitions from others.
    fn entries(&self, of: &[usize], ranks: &BTreeMap<usize, Polynomial>) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (at, it) in self.of.all.iter().enumerate() {
            if let Some(rank) = ranks.get(&it.to).filter(|_| !of.contains(&at)) {
                let count = self.counts[at].as_ref()?;
                if count.is_zero() {
                    continue;
                }
                let first = self.most(&it.before(rank, &self.of.states)?, it)?;
                sum = &sum + &(count * &first);
            }
        }
        Some(sum)
    }
}
