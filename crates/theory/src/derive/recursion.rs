//! Recursion for all sizes: what a procedure takes by itself, and a recurrence for all its calls.

use std::sync::Arc;

use super::domain::{GuardedPolynomial, total};
use super::polynomial::{Atom, Polynomial, Size};
use super::recurrence::LevelSums;
use super::scope::Scope;
use super::walk::Walk;
use super::walk::{Call, Callee};
use super::{Choice, Derived, Lower, Missing, Question, Recurrence, Term, in_bulk, listing};
use memory_machine_core::diagnostic::{Diagnostic, Span};
use memory_machine_core::language::outline::{Outline, outline};
use memory_machine_core::language::program::Access;
use memory_machine_core::language::syntax::Role;

const UNCOUNTED: &str = "how often this call is made is not known";

impl Walk<'_> {
    /// Notes a call.
    pub(super) fn call(&mut self, callee: usize, access: &Access, scope: &mut Scope) {
        if self.silent > 0 {
            return;
        }
        let values = access.indices.iter().map(|it| self.symbolizer.value(it, scope));
        let mut sizes: Vec<Polynomial> = values.collect();
        let positions = sizes.split_off(self.procedures[callee].1.min(sizes.len()));
        if scope.nest.is_some() || scope.blocks.is_some() {
            return self.missing(access.span, "a recursion in a parallel loop is not counted");
        }
        let one = Polynomial::constant(1);
        let Some(most) = total(&scope.levels, &scope.facts, &one, true) else {
            return self.missing(access.span, UNCOUNTED);
        };
        let is_sure = scope.sure && scope.conditions.is_empty();
        let least = is_sure.then(|| total(&scope.levels, &scope.narrow_facts(), &one, false));
        let counts = [most, least.flatten().unwrap_or_default()];
        let (facts, arms, span) = (scope.facts.clone(), self.arms.clone(), access.span);
        self.calls.push(Call { callee, sizes, positions, facts, counts, arms, span });
    }
}

/// Bounds for all sizes of a listing that was unfolded for some.
pub(super) fn derive(question: &Question<'_>) -> Derived {
    let missing = |it: &Diagnostic| Missing {
        span: it.span,
        why: "this recursion is not understood for all sizes: give them by --set",
    };
    let outlines =
        outline(question.program, 1).and_then(|it| Ok([it, outline(question.program, 2)?]));
    let [whole, halves] = match outlines {
        Ok(outlines) => outlines,
        Err(error) => return Derived { missing: vec![missing(&error)], ..Derived::default() },
    };
    let parameters = whole.program.parameters.len();
    let mut fixed = question.fixed.to_vec();
    fixed.resize(parameters, None);
    let mut exponents = question.exponents.to_vec();
    exponents.resize(parameters, false);
    let made =
        Question { program: &whole.program, fixed: &fixed, exponents: &exponents, ..*question };
    let calls = whole.procedures.iter().map(|it| (it.call, it.sizes.len())).collect();
    let mut solver = Solver {
        question: &made,
        whole: &whole,
        halves: &halves,
        calls,
        open: vec![],
        solved: vec![],
    };
    let (derived, calls) = listing::derive_body(&made, &whole.main, &solver.calls);
    let (derived, _) = solver.with_calls(derived, calls, None);
    let derived = known(derived, question.fixed.len());
    let arrays = &question.program.listing.arrays;
    let own = arrays.iter().filter(|it| it.role != Role::Register).count();
    let cells = listing::cells(&made).map(|it| it.into_iter().take(own).collect());
    let mut derived = in_bulk(&made, derived, cells);
    if question.bulk.is_some() && whole.hides_values {
        let span = whole.procedures[0].span;
        derived.missing.push(Missing { span, why: "a recursion with results is not bulk" });
    }
    let recurrences = std::mem::take(&mut solver.solved);
    drop(solver);
    Derived { outline: Some(Arc::new(whole.program)), recurrences, ..derived }
}

/// Without bounds that mention how an array that a procedure is given lies in another.
fn known(mut derived: Derived, parameters: usize) -> Derived {
    let is_known = |it: &GuardedPolynomial| {
        it.guard.iter().chain([&it.value]).flat_map(Polynomial::atoms).all(|it| match it {
            Atom::Size(Size::Parameter(at))
            | Atom::Log(Size::Parameter(at))
            | Atom::Power(_, Size::Parameter(at)) => at < parameters,
            _ => true,
        })
    };
    for term in &mut derived.upper {
        term.choices.retain(|it| it.pieces.iter().all(is_known));
        if term.choices.is_empty() {
            let span = derived.missing.first().map_or(Span::default(), |it| it.span);
            derived.missing.push(Missing { span, why: UNCOUNTED });
        }
    }
    derived.upper.retain(|it| !it.choices.is_empty());
    derived.lower.iter_mut().for_each(|it| it.pieces.retain(is_known));
    derived.lower.retain(|it| !it.pieces.is_empty());
    derived
}

struct Solver<'a> {
    question: &'a Question<'a>,
    /// With extents as they are, and as halves of what is given.
    whole: &'a Outline,
    halves: &'a Outline,
    calls: Vec<Callee>,
    /// The procedures that are being solved.
    open: Vec<usize>,
    solved: Vec<Recurrence>,
}

impl Solver<'_> {
    /// With what calls take, but for those of one procedure, which are left.
    fn with_calls(
        &mut self,
        mut derived: Derived,
        calls: Vec<Call>,
        own: Option<usize>,
    ) -> (Derived, Vec<Call>) {
        let (own, others) = calls.into_iter().partition(|it: &Call| Some(it.callee) == own);
        for call in others {
            match self.cost(&call) {
                Ok(cost) => add(&mut derived, &cost, &call.counts),
                Err(why) => derived.missing.push(Missing { span: call.span, why }),
            }
        }
        (derived, own)
    }

    /// What a call takes with all calls inside.
    fn cost(&mut self, call: &Call) -> Result<Derived, &'static str> {
        if self.open.contains(&call.callee) {
            return Err("procedures that call each other are not counted for all sizes");
        }
        if call.sizes.iter().any(Polynomial::is_local) {
            return Err("what a recursion is given depends on a loop");
        }
        if !call.has_sizes() {
            return Err("a recursion may be given nothing, or a negative number");
        }
        self.open.push(call.callee);
        let cost = self.solve(call);
        self.open.pop();
        cost
    }

    /// What one call takes without those of itself, and these.
    fn one_call(&mut self, outline: &Outline, at: usize) -> (Derived, Vec<Call>) {
        let question = Question { program: &outline.program, ..*self.question };
        let body = &outline.procedures[at].body;
        let (derived, calls) = listing::derive_body(&question, body, &self.calls);
        self.with_calls(derived, calls, Some(at))
    }

    fn solve(&mut self, call: &Call) -> Result<Derived, &'static str> {
        let at = call.callee;
        let (whole, halves) = (self.whole, self.halves);
        let procedure = &whole.procedures[at];
        let own: Vec<Size> = procedure.sizes.iter().map(|it| Size::Parameter(it.0)).collect();
        let (leaf, calls) = self.one_call(whole, at);
        if let Some(missing) = leaf.missing.first() {
            return Err(missing.why);
        }
        let mut sums = LevelSums::of(&own, &call.sizes, &calls)?;
        let mut inner = leaf.clone();
        if call.sizes.iter().all(|it| self.is_power_of_two(it)) {
            let (by_halves, calls) = self.one_call(halves, at);
            if by_halves.missing.is_empty() && sums.halve(&calls) {
                inner = by_halves;
            }
        }
        let mut cost = Derived::default();
        for term in &inner.upper {
            push(&mut cost.upper, term, &|it| sums.inner(it, true));
        }
        for term in &leaf.upper {
            push(&mut cost.upper, term, &|it| sums.leaves(it, true));
        }
        let parts =
            inner.upper.iter().map(|it| &it.sites).chain(leaf.upper.iter().map(|it| &it.sites));
        if cost.upper.len() < parts.count() {
            return Err("what a call takes by itself is not summed up over all calls");
        }
        for (bounds, is_inner) in [(&inner.lower, true), (&leaf.lower, false)] {
            for lower in bounds.iter().filter(|it| it.conditions.is_empty() && it.elastic.is_none())
            {
                let found = match is_inner {
                    true => sums.inner(&lower.pieces, false),
                    false => sums.leaves(&lower.pieces, false),
                };
                join(&mut cost.lower, lower.rule, found.unwrap_or_default());
            }
        }
        cost.upper.retain(|it| it.choices.iter().all(|it| !it.pieces.is_empty()));
        let name = &whole.program.parameters[procedure.sizes[sums.measure].0].name;
        let size = name.split(" of ").next().unwrap_or(name).to_owned();
        let recurrence = sums.recurrence(procedure.name.clone(), size);
        if !self.solved.contains(&recurrence) {
            self.solved.push(recurrence);
        }
        Ok(cost)
    }

    /// 2^k, for a parameter k, so many times 2.
    fn is_power_of_two(&self, of: &Polynomial) -> bool {
        let mut terms = of.terms();
        let (Some((monomial, factor)), None) = (terms.next(), terms.next()) else { return false };
        let is_exponent = matches!(monomial[..], [(Atom::Size(Size::Parameter(at)), 1)] if self.question.exponents[at]);
        let factor = factor.is_integer().then(|| factor.to_integer().to_biguint()).flatten();
        is_exponent && factor.is_some_and(|it| it.count_ones() == 1)
    }
}

/// A term whose choices are summed over all calls; none if there is no sum of any.
fn push(
    terms: &mut Vec<Term>,
    of: &Term,
    sum: &dyn Fn(&[GuardedPolynomial]) -> Option<Vec<GuardedPolynomial>>,
) {
    let choice = |it: &Choice| Some(Choice { pieces: sum(&it.pieces)?, ..*it });
    let choices: Vec<Choice> = of.choices.iter().filter_map(choice).collect();
    if !choices.is_empty() {
        terms.push(Term { choices, ..of.clone() });
    }
}

/// Adds what calls take, each so often.
fn add(to: &mut Derived, cost: &Derived, [most, least]: &[Vec<GuardedPolynomial>; 2]) {
    for term in &cost.upper {
        push(&mut to.upper, term, &|it| Some(product(it, most)));
    }
    for lower in &cost.lower {
        join(&mut to.lower, lower.rule, product(&lower.pieces, least));
    }
}

fn join(all: &mut Vec<Lower>, rule: &'static str, pieces: Vec<GuardedPolynomial>) {
    if pieces.is_empty() {
        return;
    }
    let known = all
        .iter_mut()
        .find(|it| it.rule == rule && it.conditions.is_empty() && it.elastic.is_none());
    match known {
        Some(known) => known.pieces.extend(pieces),
        None => all.push(Lower { rule, conditions: vec![], elastic: None, pieces }),
    }
}

fn product(left: &[GuardedPolynomial], right: &[GuardedPolynomial]) -> Vec<GuardedPolynomial> {
    let pair = |a: &GuardedPolynomial, b: &GuardedPolynomial| GuardedPolynomial {
        guard: [&a.guard[..], &b.guard[..]].concat(),
        value: &a.value * &b.value,
    };
    left.iter().flat_map(|a| right.iter().map(move |b| pair(a, b))).collect()
}
