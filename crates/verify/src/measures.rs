//! `while` loops of which a measure falls on every way through the body, or over all of a loop around it.

use num_traits::Signed;
use serde_json::Value;

use crate::Refusal;
use crate::paths::{Path, Stop};
use crate::polynomial::{Polynomial, ceiling_log, whole};
use crate::sums::{Halving, Kind};
use crate::walk::{Outer, Scope, Walk, changed};
use crate::while_loops::{Loop, conjuncts};

/// The most by which a measure or a number may grow in an iteration.
const MOST_GROWTH: i64 = 4;

/// Ends of ways with the measure there.
type Ends = Vec<(Scope, Polynomial)>;

/// What falls: before the loop, where an iteration begins, and at its ends.
struct Measure {
    first: Polynomial,
    now: Polynomial,
    ends: Ends,
}

/// Any iteration: where it begins and may end, and numbers that are never negative.
struct Iteration {
    start: Scope,
    paths: Vec<Path>,
    positive: Vec<Value>,
}

impl Iteration {
    /// A scalar at each end.
    fn ends(&self, scalar: &Value) -> Option<Ends> {
        self.paths.iter().map(|it| Some((it.scope.clone(), it.scope.get(scalar)?))).collect()
    }
}

impl Walk<'_> {
    /// Whether something holds at the end of every way.
    fn all(
        &mut self,
        ends: &Ends,
        of: &dyn Fn(&Polynomial) -> Polynomial,
    ) -> Result<bool, Refusal> {
        for (scope, next) in ends {
            if !self.sums.prove(&of(next), &scope.facts, true)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// By a measure that falls in each iteration: the iterations' scope, and numbers after the loop.
    pub(crate) fn by_measure(
        &mut self,
        it: &Loop<'_>,
        scope: &mut Scope,
    ) -> Result<Option<Scope>, Refusal> {
        let before = scope.clone();
        let Some(any) = self.any(it, &before)? else { return Ok(None) };
        if let Some(inside) = self.doubles(it, &any, scope)? {
            it.changed.iter().for_each(|it| scope.set(it, None));
            return Ok(Some(inside));
        }
        let parts = conjuncts(it.condition);
        let sum = Some(&parts[..]).filter(|it| it.len() > 1);
        for measured in parts.chunks(1).chain(sum) {
            let first = self.measure(measured, scope)?;
            let now = self.measure(measured, &mut any.start.clone())?;
            let Some((first, now)) = first.zip(now) else { continue };
            let mut ends = vec![];
            for path in &any.paths {
                let mut end = path.scope.clone();
                let Some(next) = self.measure(measured, &mut end)? else { break };
                ends.push((end, next));
            }
            if ends.len() < any.paths.len() {
                continue;
            }
            let measure = Measure { first, now, ends };
            let entered = match self.halves(it, &measure, scope)? {
                Some(entered) => Some(entered),
                None => self.falls(it, &measure, scope)?,
            };
            if let Some((inside, count)) = entered {
                self.grown(it, &any, &count, scope)?;
                return Ok(Some(inside));
            }
        }
        Ok(None)
    }

    /// An iteration from any state. Numbers that are not negative before the loop and after every way never are.
    fn any(&mut self, it: &Loop<'_>, scope: &Scope) -> Result<Option<Iteration>, Refusal> {
        let mut positive = vec![];
        for scalar in &it.changed {
            if let Some(value) = scope.get(scalar)
                && self.sums.prove(&value, &scope.facts, true)?
            {
                positive.push(scalar.clone());
            }
        }
        loop {
            let mut start = scope.clone();
            self.name(&it.changed, &positive, &mut start);
            let facts = self.facts(it.condition, true, &mut start)?;
            start.facts.extend(facts);
            let paths =
                self.paths(it.body, Path::at(start.clone(), Polynomial::default()), None)?;
            let Some(paths) = paths else { return Ok(None) };
            let any = Iteration { start, paths, positive };
            let mut stay = vec![];
            for scalar in &any.positive {
                if let Some(ends) = any.ends(scalar)
                    && self.all(&ends, &Polynomial::clone)?
                {
                    stay.push(scalar.clone());
                }
            }
            if stay.len() == any.positive.len() {
                return Ok(Some(any));
            }
            positive = stay;
        }
    }

    /// The measure falls by c at least: Φ/c + 1 iterations at most, and so many if it falls by no more.
    fn falls(
        &mut self,
        it: &Loop<'_>,
        Measure { first, now, ends }: &Measure,
        scope: &Scope,
    ) -> Result<Option<(Scope, Polynomial)>, Refusal> {
        let Some((_, next)) = ends.first() else { return Ok(None) };
        for least in [now.minus(next), Polynomial::constant(1)] {
            if !self.is_size(&least) || !self.all(ends, &|next| now.minus(next).minus(&least))? {
                continue;
            }
            let is_exact = self.all(ends, &|next| least.minus(&now.minus(next)))?;
            let mut inside = it.inside(scope);
            inside.sure &= it.has_one_part() && is_exact;
            self.counter("while", first, &least, &mut inside);
            let last = first.times(&least.inverse().unwrap_or_default());
            return Ok(Some((inside, last.plus(&Polynomial::constant(1)))));
        }
        Ok(None)
    }

    /// The measure and so much more, x, becomes x′ ≤ x/2, or (x + 1)/2 if x is 2 or more: about log₂ x
    /// iterations at most; at least, if x′ ≥ ⌊x/b⌋.
    fn halves(
        &mut self,
        it: &Loop<'_>,
        Measure { first, now, ends }: &Measure,
        scope: &Scope,
    ) -> Result<Option<(Scope, Polynomial)>, Refusal> {
        for more in [1, 2] {
            let (more_than, slack) = (Polynomial::constant(more), Polynomial::constant(more - 1));
            let rest = |next: &Polynomial, by: i64| {
                now.plus(&more_than).minus(&next.plus(&more_than).scale(&whole(by)))
            };
            if !self.all(ends, &|next| rest(next, 2).plus(&slack))? {
                continue;
            }
            let number = first.plus(&more_than);
            let Some((_, log)) = self.largest(&number, scope)? else { return Ok(None) };
            let most = if more == 1 { log.plus(&Polynomial::constant(1)) } else { log };
            let mut least = None;
            if let Some(log) = self.floor_of_log(&number) {
                for by in [2_i64, 3, 4, 8] {
                    let slow = Polynomial::constant(by - 1);
                    if self.all(ends, &|next| slow.minus(&rest(next, by)))? {
                        let less = ceiling_log(&whole(more)) - i64::from(by == 2);
                        let bits = whole(ceiling_log(&whole(by)));
                        least = Some(log.minus(&Polynomial::constant(less)).scale(&bits.recip()));
                        break;
                    }
                }
            }
            let inside = self.powers(it, &most, least, scope);
            return Ok(Some((inside, most)));
        }
        Ok(None)
    }

    /// The inside of a loop that runs about a logarithm's times.
    fn powers(
        &mut self,
        it: &Loop<'_>,
        most: &Polynomial,
        least: Option<Polynomial>,
        scope: &Scope,
    ) -> Scope {
        let mut inside = it.inside(scope);
        inside.sure &= it.has_one_part() && least.is_some();
        let largest = Polynomial::default();
        let halving = Halving { largest, up: false, most: most.clone(), least, first: None };
        self.level("while", Kind::Halving(halving), &|_| vec![], &mut inside);
        inside
    }

    /// A number that is 1 or more, doubles at least and is no more than B, as a part of the condition says.
    fn doubles(
        &mut self,
        it: &Loop<'_>,
        any: &Iteration,
        scope: &Scope,
    ) -> Result<Option<Scope>, Refusal> {
        for scalar in &it.changed {
            let Some((first, now)) = scope.get(scalar).zip(any.start.get(scalar)) else { continue };
            let Some(ends) = any.ends(scalar) else { continue };
            let one = Polynomial::constant(1);
            if !self.sums.prove(&first.minus(&one), &scope.facts, true)? {
                continue;
            }
            let square = now.times(&now);
            let is_square = ends.iter().any(|it| it.1 == square)
                && self.sums.prove(&first.minus(&one).minus(&one), &scope.facts, true)?;
            let twice = now.scale(&whole(2));
            let others = ends.into_iter().filter(|it| !is_square || it.1 != square).collect();
            if !self.all(&others, &|next| next.minus(&twice))? {
                continue;
            }
            for part in conjuncts(it.condition) {
                let Some(fact) = self.condition(part, &mut any.start.clone())? else { continue };
                let Some(atom) = now.atoms().next() else { continue };
                let Some([rest, slope]) =
                    fact.by_powers(atom).and_then(|it| <[_; 2]>::try_from(it).ok())
                else {
                    continue;
                };
                let Some(slope) = slope.as_constant().filter(Signed::is_negative) else { continue };
                if !scope.knows(&rest) {
                    continue;
                }
                if let Some((_, log)) = self.largest(&rest.scale(&-slope.recip()), scope)? {
                    return Ok(Some(self.powers(it, &log.plus(&one), None, scope)));
                }
            }
        }
        Ok(None)
    }

    /// After a loop of so many iterations: a number that is never negative and grows by g at most on every way.
    fn grown(
        &mut self,
        it: &Loop<'_>,
        any: &Iteration,
        count: &Polynomial,
        scope: &mut Scope,
    ) -> Result<(), Refusal> {
        let before = scope.clone();
        it.changed.iter().for_each(|it| scope.set(it, None));
        let mut counts = (0..=MOST_GROWTH).map(|more| count.plus(&Polynomial::constant(more)));
        let most = loop {
            let Some(count) = counts.next() else { return Ok(()) };
            if self.sums.prove(&count, &before.facts, true)? {
                break count;
            }
        };
        for scalar in &any.positive {
            let Some((first, now)) = before.get(scalar).zip(any.start.get(scalar)) else {
                continue;
            };
            let Some(ends) = any.ends(scalar) else { continue };
            for by in 0..=MOST_GROWTH {
                let growth = Polynomial::constant(by);
                if !self.all(&ends, &|next| growth.minus(&next.minus(&now)))? {
                    continue;
                }
                let never_falls = self.all(&ends, &|next| next.minus(&now))?;
                let last = first.plus(&most.scale(&whole(by)));
                let facts = |own: &Polynomial| {
                    let least = Some(own.minus(&first)).filter(|_| never_falls);
                    [own.clone(), last.minus(own)].into_iter().chain(least).collect()
                };
                let own = self.level("after", Kind::Named, &facts, scope);
                scope.set(scalar, Some(own));
                break;
            }
        }
        Ok(())
    }

    /// Over all of the loop around it: the measure falls by 1 at least in each iteration, and grows by g at most in
    /// one of the loop around.
    pub(crate) fn amortised(
        &mut self,
        it: &Loop<'_>,
        scope: &Scope,
    ) -> Result<Option<Scope>, Refusal> {
        let Some(outer) = scope.outer.clone() else { return Ok(None) };
        let Some(low) = &outer.turn.first else { return Ok(None) };
        let changed = changed(&outer.body);
        for part in conjuncts(it.condition) {
            let measured = &[part][..];
            let mut before = outer.before.clone();
            before.set(&outer.scalar, Some(low.clone()));
            let Some(first) = self.measure(measured, &mut before)? else { continue };
            // Inside, from any state.
            let mut start = outer.inside.clone();
            self.name(&changed, &[], &mut start);
            let mut turn = start.clone();
            let Some(now) = self.measure(measured, &mut turn)? else { continue };
            turn.facts.push(now.clone());
            let none = Polynomial::default();
            let Some(ends) = self.paths(it.body, Path::at(turn, none), None)? else { continue };
            let mut falls = true;
            for mut path in ends {
                let next = self.measure(measured, &mut path.scope)?;
                let less = next.map(|it| now.minus(&it).minus(&Polynomial::constant(1)));
                falls = match less {
                    Some(less) if falls => self.sums.prove(&less, &path.scope.facts, true)?,
                    _ => false,
                };
            }
            if !falls {
                continue;
            }
            let Some(from) = self.measure(measured, &mut start)? else { continue };
            let stop = Some(Stop { at: it.whole, measured });
            let ends = self.paths(&outer.body, Path::at(start, from), stop)?;
            let Some(growth) = self.growth(ends, &outer, measured)? else { continue };
            let last = first.plus(&outer.turn.count.scale(&whole(growth)));
            // What a quotient is named is not known outside.
            if !outer.before.knows(&last) {
                continue;
            }
            let mut inside = outer.before.clone();
            changed.iter().chain([&outer.scalar]).for_each(|it| inside.set(it, None));
            (inside.sure, inside.outer) = (false, None);
            self.counter("while", &last, &Polynomial::constant(1), &mut inside);
            return Ok(Some(inside));
        }
        Ok(None)
    }

    /// By how much the measure grows at most from where an outer iteration begins to the inner loop, and to the
    /// next outer iteration, what the inner loop does left out.
    fn growth(
        &mut self,
        ends: Option<Vec<Path>>,
        outer: &Outer,
        measured: &[&Value],
    ) -> Result<Option<i64>, Refusal> {
        let mut grown: Ends = vec![];
        for mut path in ends.into_iter().flatten() {
            path.scope.set(&outer.scalar, Some(outer.turn.next.clone()));
            let Some(last) = self.measure(measured, &mut path.scope)? else { return Ok(None) };
            path.grow(&last);
            grown.extend(path.grown.iter().map(|it| (path.scope.clone(), it.clone())));
        }
        for most in (0..=MOST_GROWTH).filter(|_| !grown.is_empty()) {
            let growth = Polynomial::constant(most);
            if self.all(&grown, &|it| growth.minus(it))? {
                return Ok(Some(most));
            }
        }
        Ok(None)
    }
}
