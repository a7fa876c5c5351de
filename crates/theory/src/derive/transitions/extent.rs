//! How large numbers are at most, in size, by how often transitions are taken that change them.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::Transition;
use super::program::{Program, about, value};
use super::ranking::Ranking;
use crate::derive::polynomial::{Atom, Monomial, Polynomial};

/// No less than either, of sums that take nothing off.
fn join(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let of_b: BTreeMap<_, _> = b.terms().collect();
    let more = a.terms().map(|(monomial, it)| {
        let least = of_b.get(monomial).map_or_else(BigRational::zero, |it| (*it).clone());
        Polynomial::monomial(monomial.clone()).scale(&(it - &least).max(BigRational::zero()))
    });
    more.fold(b.clone(), |sum, it| &sum + &it)
}

impl<'a> Ranking<'a> {
    /// What is no less than a polynomial where a transition is taken, nor than 0.
    pub(super) fn most(&self, of: &Polynomial, at: &Transition) -> Option<Polynomial> {
        let part = self.parts[at.from];
        if at.from == 0 {
            // Nothing is left out where it is not negative anyway.
            let is_positive = self.scope.facts.imply(of) && !of.is_local();
            return if is_positive { Some(of.clone()) } else { self.size(of, part) };
        }
        let is_direct = self.is_over_states(of);
        is_direct.then(|| self.size(of, part)).flatten().or_else(|| {
            let known = |it: &usize| self.is_constant(*it, part);
            let known = (0..self.of.states.len()).filter(known).map(|it| self.of.states[it]);
            self.size(&self.over(of, at, &known.collect::<Vec<_>>())?, part)
        })
    }

    /// Whether no transition of a part changes a state.
    fn is_constant(&self, state: usize, part: usize) -> bool {
        let own = Polynomial::from(self.of.states[state]);
        self.inner(part).all(|(_, it)| it.update[state] == own)
    }

    fn inner(&self, part: usize) -> impl Iterator<Item = (usize, &'a Transition)> {
        let all = self.of.all.iter().enumerate();
        all.filter(move |(at, it)| {
            let is_inner = self.parts[it.from] == part && self.parts[it.to] == part;
            is_inner && self.may_be_taken(*at)
        })
    }

    /// No less than a polynomial where a transition is taken, over some states alone.
    fn over(&self, of: &Polynomial, at: &Transition, states: &[Atom]) -> Option<Polynomial> {
        let is_known = |monomial: &Monomial| {
            let own = |it: &&(Atom, i32)| self.of.states.contains(&it.0);
            self.is_over_states(&Polynomial::monomial(monomial.clone()))
                && monomial.iter().filter(own).all(|it| states.contains(&it.0))
        };
        let mut program = Program::default();
        let facts = about(of, self.facts(at, &[of]));
        let all = facts.iter().chain([of]).flat_map(|it| it.terms().map(|it| it.0.clone()));
        let monomials: BTreeSet<Monomial> = all.filter(is_known).chain([vec![]]).collect();
        let template = program.template(monomials.into_iter());
        program.at_least(&template, of, &facts);
        Some(value(&template, &program.solve()?))
    }

    /// The most that a polynomial over states of a part is, by their sizes; what is surely taken off is left out.
    fn size(&self, of: &Polynomial, part: usize) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, factor) in of.terms() {
            let states = || monomial.iter().filter(|it| self.of.states.contains(&it.0));
            if factor.is_negative() && states().next().is_none() {
                continue;
            }
            let rest = monomial.iter().filter(|it| !self.of.states.contains(&it.0)).copied();
            let mut product = Polynomial::monomial(rest.collect());
            for (state, power) in states() {
                let at = self.of.states.iter().position(|it| it == state)?;
                let known = self.reaches(at, part)?;
                product = &product * &known.to_the(u32::try_from(*power).ok()?);
            }
            let all = self.scope.end_by_facts(&product, true)?;
            sum = &sum + &positive(&all).scale(&factor.abs());
        }
        Some(sum)
    }

    /// The size that a state has at most, anywhere in a part: what it enters with or is set to, and what it
    /// grows by.
    fn reaches(&self, state: usize, part: usize) -> Option<Polynomial> {
        let inner: Vec<_> = self.inner(part).collect();
        // States that depend on each other.
        let reads = |from: usize| -> BTreeSet<usize> {
            let (mut seen, mut left) = (BTreeSet::from([from]), vec![from]);
            while let Some(at) = left.pop() {
                for (to, atom) in self.of.states.iter().enumerate() {
                    if inner.iter().any(|it| it.1.update[at].mentions(*atom)) && seen.insert(to) {
                        left.push(to);
                    }
                }
            }
            seen
        };
        let group: Vec<usize> =
            reads(state).into_iter().filter(|it| reads(*it).contains(&state)).collect();
        let (mut most, mut growth) = (Polynomial::default(), Polynomial::default());
        for (number, it) in self.of.all.iter().enumerate() {
            let enters = self.parts[it.to] == part && self.parts[it.from] != part;
            for &at in group.iter().filter(|_| enters && self.may_be_taken(number)) {
                for value in [it.update[at].clone(), -&it.update[at]] {
                    most = join(&most, &positive(&self.most(&value, it)?));
                }
            }
        }
        let outside: Vec<Atom> = (0..self.of.states.len())
            .filter(|it| self.is_constant(*it, part))
            .map(|it| self.of.states[it])
            .collect();
        for (number, it) in inner {
            for &at in &group {
                if it.update[at] == self.of.states[at].into() {
                    continue;
                }
                let mut more = Polynomial::default();
                for value in [it.update[at].clone(), -&it.update[at]] {
                    if self.follows(&-&value, it) {
                        continue;
                    }
                    let grows = Some(&value).filter(|it| self.is_over_states(it));
                    match grows.and_then(|value| self.grows(value, &group, part)) {
                        Some((false, size)) if size.is_zero() => {}
                        Some((true, size)) => most = join(&most, &size),
                        found => match self.over(&value, it, &outside) {
                            Some(value) => most = join(&most, &self.size(&value, part)?),
                            None => more = join(&more, &found?.1),
                        },
                    }
                }
                if !more.is_zero() {
                    growth = &growth + &(self.counts[number].as_ref()? * &more);
                }
            }
        }
        Some(&most + &growth)
    }

    /// By how much a value exceeds the largest size in a group of states, and whether it depends on none of them.
    fn grows(&self, of: &Polynomial, group: &[usize], part: usize) -> Option<(bool, Polynomial)> {
        let (mut rest, mut factors) = (of.clone(), BigRational::zero());
        for &other in group {
            if let Some((slope, less)) = rest.linear_in(self.of.states[other]) {
                factors += slope.abs();
                rest = less;
            } else if rest.mentions(self.of.states[other]) {
                return None;
            }
        }
        let size = self.size(&rest, part)?;
        (factors <= BigRational::one()).then(|| (factors.is_zero(), size))
    }
}

/// Without what is taken off.
fn positive(of: &Polynomial) -> Polynomial {
    of.without(|_, it| it.is_negative())
}
