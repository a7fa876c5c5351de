//! `while` loops of which no single number decides, but a measure falls on every path through the body:
//! what the condition says is at least 0, or the sum of it.

use num_rational::BigRational;
use num_traits::Signed;

use super::level::Level;
use super::paths::Path;
use super::polynomial::{Atom, Monomial, Polynomial, whole};
use super::scope::{Scope, is_size, logarithm_high, logarithm_low};
use super::walk::Walk;
use super::while_loops::{After, Entered, powers_of};
use memory_machine_core::language::program::{Block, Expr, ExprKind};
use memory_machine_core::language::syntax::{BinaryOp, Type};

/// How fast a measure falls, by what is known on all paths.
enum Fall {
    /// By at least the first in each iteration, and by no more than the second.
    By(Polynomial, Option<Polynomial>),
    /// With so much added, to a half or less, but not to less than such a part.
    Half(i64, Option<i64>),
    /// Another number doubles at least, and is no more than that.
    Doubles(Polynomial),
}

/// The most by which a measure or a number may grow in an iteration.
pub(super) const MOST_GROWTH: i64 = 4;

impl Walk<'_> {
    /// A loop whose measure falls in each iteration.
    pub(super) fn count_by_measure(
        &mut self,
        condition: &Expr,
        body: &Block,
        changed: &[usize],
        scope: &Scope,
    ) -> Option<Entered> {
        let conjuncts = conjuncts(condition);
        let start = self.start_of_paths(&conjuncts, body, changed, scope)?;
        let paths = self.paths(body, None, Path::at(start.clone()))?;
        let is_whole = conjuncts.len() == 1;
        if let Some(most) = self.doubles(&conjuncts, (&start, &paths), changed, scope)
            && let Some(first) = self.measure(&conjuncts[..1], &mut scope.clone())
            && let Some((entered, _)) =
                self.enter_measured(&first, &Fall::Doubles(most), is_whole, changed, scope)
        {
            return Some(entered);
        }
        for measured in measures(&conjuncts) {
            let (Some(first), Some(now)) = (
                self.measure(measured, &mut scope.clone()),
                self.measure(measured, &mut start.clone()),
            ) else {
                continue;
            };
            let ends: Option<Vec<_>> = paths
                .iter()
                .map(|path| {
                    let mut end = path.scope.clone();
                    let next = self.measure(measured, &mut end)?;
                    Some((end, next))
                })
                .collect();
            let Some(ends) = ends else { continue };
            let Some(fall) = fall(&now, &ends) else { continue };
            let entered = self.enter_measured(&first, &fall, is_whole, changed, scope);
            if let Some((mut entered, count)) = entered {
                entered.after = left(changed, (&start, &paths), &count, scope);
                return Some(entered);
            }
        }
        None
    }

    /// A loop that is said to decrease a measure: counted by it, whether the text shows that it falls or not,
    /// since runs see it.
    pub(super) fn count_by_claim(
        &mut self,
        (condition, measure): (&Expr, &Expr),
        body: &Block,
        changed: &[usize],
        scope: &Scope,
    ) -> Option<Entered> {
        let bounded = not_negative(condition, measure);
        if let Some(entered) = self.count_by_measure(&bounded, body, changed, scope) {
            return Some(entered);
        }
        let first = self.symbolizer.value(measure, &mut scope.clone());
        let by_one = Fall::By(Polynomial::constant(1), None);
        Some(self.enter_measured(&first, &by_one, false, changed, scope)?.0)
    }

    /// The most that a number may be which doubles at least on every path, and begins with 1 or more; a
    /// condition says so.
    fn doubles(
        &mut self,
        conjuncts: &[&Expr],
        (start, paths): (&Scope, &[Path]),
        changed: &[usize],
        scope: &Scope,
    ) -> Option<Polynomial> {
        for &scalar in changed {
            let (Some(first), Some(now)) = (&scope.values[scalar], &start.values[scalar]) else {
                continue;
            };
            let is_more = |least| scope.facts.imply(&(first - &Polynomial::constant(least)));
            let twice = now.scale(&whole(2));
            let doubles = |path: &Path| {
                let next = path.scope.values[scalar].as_ref();
                next.is_some_and(|next| {
                    path.scope.facts.imply(&(next - &twice)) || is_more(2) && is_power(next, now)
                })
            };
            if !is_more(1) || !paths.iter().all(doubles) {
                continue;
            }
            for condition in conjuncts {
                let [holds, _] = self.symbolizer.facts(condition, &mut start.clone());
                let most = holds.into_iter().flatten().find_map(|fact| {
                    let atom = now.atoms().next()?;
                    let (slope, rest) = fact.linear_in(atom)?;
                    let most = rest.scale(&-slope.recip());
                    (slope < whole(0) && scope.is_known(&most)).then_some(most)
                });
                if most.is_some() {
                    return most;
                }
            }
        }
        None
    }

    /// Numbers the iterations of a loop whose measure is `first` before it.
    fn enter_measured(
        &mut self,
        first: &Polynomial,
        fall: &Fall,
        is_whole: bool,
        changed: &[usize],
        scope: &Scope,
    ) -> Option<(Entered, Polynomial)> {
        let one = Polynomial::constant(1);
        let mut inside = scope.clone();
        let (last, surely) = match fall {
            Fall::By(least, most) => {
                let per = |it: &Polynomial| first * &it.reciprocal();
                let last = match least.as_constant() {
                    Some(_) => per(least),
                    None => self.symbolizer.quotient(first, least, &mut inside),
                };
                (last.clone(), most.as_ref().map(|it| if it == least { last } else { per(it) }))
            }
            Fall::Half(more, by) => {
                let number = first + &Polynomial::constant(*more);
                let high = logarithm_high(&scope.end_by_facts(&number, true)?)?;
                let low = scope.end_by_facts(&number, false).and_then(|it| logarithm_low(&it));
                let less = logarithm_high(&Polynomial::constant(*more))?;
                let low = low.zip(*by).map(|(low, by)| &powers_of(by, &(&low - &less)) - &one);
                (high, low)
            }
            Fall::Doubles(most) => (logarithm_high(&scope.end_by_facts(most, true)?)?, None),
        };
        if !inside.is_known(&last) {
            return None;
        }
        let number = self.number_iterations(changed, &last, &mut inside);
        let own = Polynomial::from(number);
        // From below, as many as there must be; of those, the first where that is not known.
        match surely.filter(|it| *it != last) {
            Some(surely) => inside.narrower.push(&surely - &own),
            None if matches!(fall, Fall::By(_, Some(_))) => {}
            None => inside.narrower.extend([first.clone(), -&own]),
        }
        inside.sure &= is_whole;
        let count = &last + &one;
        inside.inner_loop(number, &count, true);
        Some((Entered { inside, after: vec![] }, count))
    }

    /// Enters an iteration of a loop that changes these scalars: its number runs from 0 to `last`.
    pub(super) fn number_iterations(
        &mut self,
        changed: &[usize],
        last: &Polynomial,
        inside: &mut Scope,
    ) -> Atom {
        self.forget(changed, inside);
        self.new_place(inside);
        let number = self.symbolizer.local();
        let own = Polynomial::from(number);
        inside.levels.push(Level::Sum(number));
        inside.facts = inside.facts.and(own.clone()).and(last - &own);
        number
    }

    /// Where an iteration begins, what it changes having names; of numbers that are not negative before
    /// the loop and after each path, they are not negative.
    fn start_of_paths(
        &mut self,
        conjuncts: &[&Expr],
        body: &Block,
        changed: &[usize],
        scope: &Scope,
    ) -> Option<Scope> {
        let is_fine =
            |it: &usize| scope.values[*it].as_ref().is_some_and(|it| scope.facts.imply(it));
        let mut positive: Vec<usize> = changed.iter().copied().filter(is_fine).collect();
        loop {
            let mut start = scope.clone();
            self.name(changed, &positive, &mut start);
            for condition in conjuncts {
                let [holds, _] = self.symbolizer.facts(condition, &mut start);
                holds.into_iter().flatten().for_each(|it| start.facts = start.facts.and(it));
            }
            let ends = self.paths(body, None, Path::at(start.clone()))?;
            let stays = |scalar: &usize| {
                let value = |path: &Path| path.scope.values[*scalar].clone();
                ends.iter().all(|it| value(it).is_some_and(|value| it.scope.facts.imply(&value)))
            };
            let known = positive.len();
            positive.retain(stays);
            if positive.len() == known {
                return Some(start);
            }
        }
    }

    /// What a condition, or each of several, says is at least 0, summed.
    pub(super) fn measure(
        &mut self,
        conditions: &[&Expr],
        scope: &mut Scope,
    ) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for condition in conditions {
            match &self.symbolizer.facts(condition, scope)[0].as_deref()? {
                [fact] => sum = &sum + fact,
                _ => return None,
            }
        }
        Some(sum)
    }
}

/// Whether it is a square or more of a number, and nothing taken off: twice as much, if that is 2 or more.
fn is_power(of: &Polynomial, number: &Polynomial) -> bool {
    let Some(atom) = number.atoms().next() else { return false };
    let is_square = |(monomial, factor): (&Monomial, &BigRational)| {
        *factor >= whole(1) && matches!(monomial[..], [(it, 2..)] if it == atom)
    };
    *number == atom.into()
        && of.terms().all(|(_, factor)| factor.is_positive())
        && of.terms().any(is_square)
}

/// A condition, and that a measure is not negative.
fn not_negative(condition: &Expr, measure: &Expr) -> Expr {
    let of = |kind, element| Expr { kind, element, span: measure.span };
    let zero = of(ExprKind::Integer(0), Type::I64);
    let binary = |op, left: Expr, right: Expr| {
        of(ExprKind::Binary(op, Box::new(left), Box::new(right)), Type::Bool)
    };
    let holds = binary(BinaryOp::GreaterEqual, measure.clone(), zero);
    binary(BinaryOp::And, condition.clone(), holds)
}

/// A conjunction's parts.
pub(super) fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            [conjuncts(left), conjuncts(right)].concat()
        }
        _ => vec![condition],
    }
}

/// Each part of a conjunction, and all of them.
fn measures<'a, 'b>(conjuncts: &'b [&'a Expr]) -> impl Iterator<Item = &'b [&'a Expr]> {
    let all = (conjuncts.len() > 1).then_some(conjuncts);
    conjuncts.chunks(1).chain(all)
}

/// What numbers that are never negative, and grow by a constant at most in each of `count` iterations, have
/// after a loop.
fn left(
    changed: &[usize],
    (start, paths): (&Scope, &[Path]),
    count: &Polynomial,
    scope: &Scope,
) -> Vec<(usize, After)> {
    let none = Polynomial::default();
    let slack = (0..=MOST_GROWTH).map(|more| count + &Polynomial::constant(more));
    let Some(count) = slack.into_iter().find(|it| scope.facts.imply(it)) else { return vec![] };
    let value = |&scalar: &usize| {
        let (first, now) = (scope.values[scalar].clone()?, start.values[scalar].clone()?);
        let ends: Option<Vec<_>> =
            paths.iter().map(|it| Some((it, it.scope.values[scalar].clone()?))).collect();
        let ends = ends?;
        let all = |holds: &dyn Fn(&Polynomial) -> Polynomial| {
            ends.iter().all(|(path, end)| path.scope.facts.imply(&holds(&(end - &now))))
        };
        let is_positive = start.facts.imply(&now) && scope.facts.imply(&first);
        let growth = (0..=MOST_GROWTH).map(Polynomial::constant);
        let growth = growth.into_iter().find(|most| all(&|grown| most - grown));
        let growth = growth.filter(|_| is_positive && scope.is_known(&first))?;
        let mut lows = vec![none.clone()];
        if all(&Polynomial::clone) {
            lows.push(first.clone());
        }
        Some((scalar, After::Between(lows, &first + &(&growth * &count))))
    };
    changed.iter().filter_map(value).collect()
}

/// How a measure falls from `now` to each path's end.
fn fall(now: &Polynomial, ends: &[(Scope, Polynomial)]) -> Option<Fall> {
    let all = |holds: &dyn Fn(&Scope, &Polynomial) -> bool| {
        ends.iter().all(|(scope, next)| holds(scope, next))
    };
    // To a half: of x + more ≥ more, rounded down where that is 1.
    for more in [1_i64, 2] {
        let constant = Polynomial::constant(more);
        let number = now + &constant;
        let rest = |next: &Polynomial, by: i64| &number - &(next + &constant).scale(&whole(by));
        let slack = Polynomial::constant(more - 1);
        if all(&|scope, next| scope.facts.imply(&(&rest(next, 2) + &slack))) {
            let is_slow = |by: &i64| {
                let most = Polynomial::constant(by - 1);
                all(&|scope, next| scope.facts.imply(&(&most - &rest(next, *by))))
            };
            return Some(Fall::Half(more, [2, 3, 4, 8].into_iter().find(is_slow)));
        }
    }
    let by = |least: &Polynomial| all(&|scope, next| scope.facts.imply(&(&(now - next) - least)));
    let no_more =
        |most: &Polynomial| all(&|scope, next| scope.facts.imply(&(most - &(now - next))));
    let step = now - &ends.first()?.1;
    let one = Polynomial::constant(1);
    let least = [step, one].into_iter().find(|it| is_size(it) && by(it))?;
    let mut most = (1..=4).map(Polynomial::constant).collect::<Vec<_>>();
    most.insert(0, least.clone());
    let most = most.into_iter().find(no_more);
    Some(Fall::By(least, most))
}

/// The most, or the least, that loops' variables let a polynomial be: their ends are facts.
impl Scope {
    pub(super) fn end_by_facts(&self, of: &Polynomial, up: bool) -> Option<Polynomial> {
        let mut of = self.extreme(of, 0, up)?;
        for level in self.levels.iter().rev() {
            let Level::Sum(atom) = level else { continue };
            if of.mentions(*atom) {
                let (slope, rest) = of.linear_in(*atom)?;
                let end = self.end_of_sum(*atom, up == (slope > whole(0)))?;
                of = self.extreme(&(&rest + &end.scale(&slope)), 0, up)?;
            }
        }
        (!of.is_local()).then_some(of)
    }

    /// A fact that a variable is no more than what it says, or no less.
    fn end_of_sum(&self, atom: Atom, up: bool) -> Option<Polynomial> {
        let sign = whole(if up { -1 } else { 1 });
        let inner = |it: &Polynomial| {
            let at = |of: Atom| self.levels.iter().position(|it| it.atom() == of);
            it.atoms().all(|it| !matches!(it, Atom::Local(_)) || at(it) < at(atom))
        };
        let mut ends = self.facts.0.iter().filter_map(|fact| {
            let (slope, rest) = fact.linear_in(atom)?;
            (slope == sign).then(|| if up { rest } else { -&rest })
        });
        let zero = (!up).then(Polynomial::default);
        ends.find(inner).or(zero)
    }
}
