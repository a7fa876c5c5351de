//! What the iterations of a loop do: how many accesses and operators, of all and of the one with most.

use crate::count::form::{Form, Scalars};
use crate::count::guard::Guard;
use crate::count::iteration_row::IterationRow;
use crate::count::piecewise_linear::Lines;
use crate::count::work::{Action, NotAffine, RangeForm};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::language::syntax::BinaryOp;
use crate::run::Evaluation;

type Result<T> = std::result::Result<T, NotAffine>;

/// What iterations do.
#[derive(Debug, Clone)]
pub(super) struct Measure {
    pub(super) iterations: u128,
    /// Accesses, then the operators of each kind.
    pub(super) sum: Vec<u128>,
    /// Of the iteration with most: accesses, operators, both.
    pub(super) longest: [u128; 3],
}

impl Measure {
    fn add(&mut self, other: &Self) {
        self.add_series(other, other, 1);
    }

    /// Adds so many, of which each is as much more than the one before.
    fn add_series(&mut self, first: &Self, last: &Self, count: u128) {
        let sum = |first: u128, last: u128| (first + last) * count / 2;
        self.iterations += sum(first.iterations, last.iterations);
        for (at, total) in self.sum.iter_mut().enumerate() {
            *total += sum(first.sum[at], last.sum[at]);
        }
        for (at, most) in self.longest.iter_mut().enumerate() {
            *most = (*most).max(first.longest[at]).max(last.longest[at]);
        }
    }
}

/// What an iteration of a loop does: more loops of a nest around work, or work.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    Nest(&'a [RangeForm], &'a [Action]),
    Work(&'a [Action]),
}

const ALWAYS: Guard = Guard::Constant(true);

/// Visits what stands in a body: conditions under which something is done, and loops.
enum Part<'a> {
    Leaf(&'a Guard),
    Loop(&'a RangeForm, &'a Guard, Body<'a>),
}

impl<'a> Body<'a> {
    fn parts(self) -> Vec<Part<'a>> {
        match self {
            Self::Nest([], work) => Body::Work(work).parts(),
            Self::Nest([range, inner @ ..], work) => {
                vec![Part::Loop(range, &ALWAYS, Body::Nest(inner, work))]
            }
            Self::Work(work) => work.iter().filter_map(part).collect(),
        }
    }

    /// Whether what is done, or how often, depends on a variable around it.
    pub(super) fn depends_on(self, variable: ScalarId) -> bool {
        self.parts().into_iter().any(|it| match it {
            Part::Leaf(guard) => guard.mentions(variable),
            Part::Loop(range, guard, body) => {
                guard.mentions(variable)
                    || range.step.mentions(variable)
                    || length(range).is_none_or(|it| it.mentions(variable))
                    || body.depends_on(variable)
                    || (is_moved(range, variable) && body.depends_on(range.variable))
            }
        })
    }

    /// Notes where along a row it may change how much is done, so that in between it grows evenly; `None`
    /// if it does not. `inner` are the variables of loops inside the row.
    fn cuts(
        self,
        row: &IterationRow<'_>,
        inner: &mut Vec<ScalarId>,
        found: &mut Vec<u64>,
    ) -> Option<()> {
        let variable = row.variable;
        for part in self.parts() {
            let (Part::Leaf(guard) | Part::Loop(_, guard, _)) = part;
            if guard.mentions(variable) {
                if inner.iter().any(|&it| guard.mentions(it)) {
                    return None;
                }
                found.extend(guard.stretches(row)?.into_iter().flat_map(|(from, to)| [from, to]));
            }
            let Part::Loop(range, _, body) = part else { continue };
            let length = length(range)?;
            let turns_count = body.depends_on(range.variable);
            if length.mentions(variable) {
                let is_even = range.step.as_constant() == Some(1)
                    && !turns_count
                    && !body.depends_on(variable)
                    && !inner.iter().any(|&it| length.mentions(it));
                if !is_even {
                    return None;
                }
                found.extend(Lines::of(&length, row)?.lines.iter().map(|it| it.from));
                let runs = Guard::AtLeastZero(length).stretches(row)?;
                found.extend(runs.into_iter().flat_map(|(from, to)| [from, to]));
            } else if range.step.mentions(variable) || (turns_count && is_moved(range, variable)) {
                return None;
            }
            inner.push(range.variable);
            body.cuts(row, inner, found)?;
            inner.pop();
        }
        Some(())
    }
}

const fn part(action: &Action) -> Option<Part<'_>> {
    Some(match action {
        Action::Access(it) => Part::Leaf(&it.guard),
        Action::Operation(it) => Part::Leaf(&it.guard),
        Action::Require(_) => return None,
        Action::Loop(it) => Part::Loop(&it.range, &it.guard, Body::Work(it.body.as_slice())),
    })
}

/// Whether a variable decides where a loop begins or ends.
fn is_moved(range: &RangeForm, variable: ScalarId) -> bool {
    range.from.mentions(variable) || range.to.mentions(variable)
}

/// How far it is from the first to the last value.
fn length(range: &RangeForm) -> Option<Form> {
    let (low, high) =
        if range.downward { (&range.to, &range.from) } else { (&range.from, &range.to) };
    Form::combine(BinaryOp::Subtract, high.clone(), low.clone())
}

/// Measures a loop.
pub(super) struct Measurer<'a> {
    /// Every kind of operator in it, in order.
    pub(super) kinds: &'a [Evaluation],
    pub(super) span: Span,
}

impl Measurer<'_> {
    fn nothing(&self) -> Measure {
        Measure { iterations: 0, sum: vec![0; self.kinds.len() + 1], longest: [0; 3] }
    }

    /// What a nest does, where scalars are as they stand.
    pub(super) fn nest(
        &self,
        ranges: &[RangeForm],
        work: &[Action],
        scalars: &mut Scalars,
    ) -> Result<Measure> {
        if let [range, inner @ ..] = ranges {
            let body = Body::Nest(inner, work);
            return self.turns(range, body, scalars, &mut |it| self.nest(inner, work, it));
        }
        let once = self.work(work, scalars)?;
        let operations = once.sum[1..].iter().sum::<u128>();
        let longest = [once.sum[0], operations, once.sum[0] + operations];
        Ok(Measure { iterations: 1, longest, ..once })
    }

    /// What one thread does.
    pub(super) fn work(&self, work: &[Action], scalars: &mut Scalars) -> Result<Measure> {
        let mut found = self.nothing();
        for action in work {
            let Some(Part::Leaf(guard) | Part::Loop(_, guard, _)) = part(action) else { continue };
            let holds = guard.holds(&|it: ScalarId| scalars[it.0]);
            if !holds.ok_or(NotAffine::overflow(self.span))? {
                continue;
            }
            match action {
                Action::Access(_) => found.sum[0] += 1,
                Action::Operation(it) => {
                    let kind = self.kinds.binary_search(&it.evaluation);
                    found.sum[1 + kind.unwrap_or_default()] += 1;
                }
                Action::Require(_) => {}
                Action::Loop(it) => {
                    let body = Body::Work(&it.body);
                    found.add(&self.turns(&it.range, body, scalars, &mut |scalars| {
                        self.work(&it.body, scalars)
                    })?);
                }
            }
        }
        Ok(found)
    }

    /// All turns of a loop: one for all where they do the same, two where they do evenly more, else each.
    fn turns(
        &self,
        range: &RangeForm,
        body: Body<'_>,
        scalars: &mut Scalars,
        once: &mut dyn FnMut(&mut Scalars) -> Result<Measure>,
    ) -> Result<Measure> {
        let wheel = range.wheel(scalars, self.span)?;
        let mut found = self.nothing();
        let mut at = |turn: u64, scalars: &mut Scalars| {
            scalars[range.variable.0] = wheel.after(turn);
            once(scalars)
        };
        if wheel.count == 0 {
            return Ok(found);
        }
        if !body.depends_on(range.variable) {
            let one = at(0, scalars)?;
            found.add_series(&one, &one, wheel.count.into());
            return Ok(found);
        }
        let (variable, first, step) = (range.variable, wheel.value, wheel.step);
        let row = IterationRow { scalars, variable, first, step, count: wheel.count };
        let mut cuts = vec![0, wheel.count];
        if body.cuts(&row, &mut vec![], &mut cuts).is_none() {
            for turn in 0..wheel.count {
                found.add(&at(turn, scalars)?);
            }
            return Ok(found);
        }
        cuts.sort_unstable();
        cuts.dedup();
        for pair in cuts.windows(2).filter(|it| it[1] <= wheel.count) {
            let (first, last) = (at(pair[0], scalars)?, at(pair[1] - 1, scalars)?);
            found.add_series(&first, &last, (pair[1] - pair[0]).into());
        }
        Ok(found)
    }
}
