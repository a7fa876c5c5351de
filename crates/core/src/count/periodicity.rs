//! A row of iterations as parts that repeat: where cells and conditions hold remainders, quotients or
//! bits of the row's variable, all that a few iterations ask for comes again further on in memory.

use super::form::Form;
use super::guard::Guard;
use super::iteration_row::{IterationRow, Period};
use super::piecewise_linear::Lines;
use crate::trace::StridedRun;
use crate::units::Address;

/// Fewer repetitions are not worth it.
const FEWEST: u64 = 4;

/// This many iterations, one `times` after another, in which a form's value is needed at `stretches`,
/// and `advance` more each time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RowPart {
    /// The first iteration of the row.
    pub(super) from: u64,
    pub(super) length: u64,
    pub(super) times: u64,
    pub(super) advance: i64,
    pub(super) stretches: Vec<Stretch>,
}

/// Iterations `from..to` of a part, ascending and apart, in which the value is `first + stride · t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) first: i64,
    pub(super) stride: i64,
}

impl Stretch {
    /// What its threads ask for, with cell 0 at `base`.
    pub(super) const fn run(self, base: u64) -> StridedRun {
        let base = Address(base.wrapping_add_signed(self.first));
        StridedRun { base, stride: self.stride, count: self.to - self.from }
    }

    /// In its first iteration and in its last.
    pub(super) fn ends(self) -> [i128; 2] {
        let last = i128::from(self.to - self.from - 1);
        [0, last].map(|t| i128::from(self.first) + i128::from(self.stride) * t)
    }
}

impl RowPart {
    /// The least and the greatest value.
    pub(super) fn extremes(&self) -> Option<(i128, i128)> {
        let last = i128::from(self.advance) * i128::from(self.times - 1);
        let ends = self.stretches.iter().flat_map(|it| it.ends());
        let all = ends.flat_map(|value| [value, value + last]);
        all.fold(None, |so_far: Option<(i128, i128)>, value| match so_far {
            None => Some((value, value)),
            Some((low, high)) => Some((low.min(value), high.max(value))),
        })
    }
}

/// The parts of a row, in order: where `guard` holds, `form` is needed. With `unit`, of what comes
/// again the length is a multiple of that and so is `advance` times `scale`; without, nothing comes
/// again. `None` where the row is not piecewise linear.
pub(super) fn parts(
    form: &Form,
    guard: &Guard,
    along: &IterationRow<'_>,
    unit: Option<Unit>,
) -> Option<Vec<RowPart>> {
    let mut parts = vec![];
    let unit = unit.filter(|unit| along.count / FEWEST >= unit.length);
    let varies = |form: &Form| form.slope(along.variable).is_none();
    match unit.filter(|_| varies(form) || guard.forms().into_iter().any(varies)) {
        None => parts.push(once(form, guard, along, 0, along.count)?),
        Some(unit) => {
            let turns = turns(guard, along);
            let mut cuts: Vec<u64> = turns.iter().flat_map(|it| [it.from, it.to]).collect();
            cuts.extend([0, along.count]);
            cuts.sort_unstable();
            cuts.dedup();
            for cut in cuts.windows(2) {
                between(form, guard, along, unit, (cut[0], cut[1]), &turns, &mut parts)?;
            }
        }
    }
    Some(parts)
}

/// Of what comes again, what has to be whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    /// The number of iterations is a multiple of it.
    pub(super) length: u64,
    /// The advance is a multiple of it.
    pub(super) advance: u64,
}

/// A form that is at least 0 up to somewhere between two iterations, and less after that; or the other
/// way round.
struct SignChange<'a> {
    form: &'a Form,
    before: bool,
    from: u64,
    to: u64,
}

/// The forms of a guard that grow, or shrink, from period to period.
fn turns<'a>(guard: &'a Guard, along: &IterationRow<'_>) -> Vec<SignChange<'a>> {
    let turn = |form: &'a Form| {
        let period: Period = along.evaluate(form)?;
        if period.advance == 0 || period.length > along.count / FEWEST {
            return None;
        }
        let extremes = |from| {
            let lines = Lines::of(form, &along.part(from, period.length))?;
            lines.with_ends().try_fold((i64::MAX, i64::MIN), |(low, high), (line, end)| {
                let (first, last) = (line.start, line.at(end - 1)?);
                Some((low.min(first).min(last), high.max(first).max(last)))
            })
        };
        let (low, high) = extremes(0)?;
        // What neither begins nor ends outside 64 bits does not leave them in between.
        extremes(along.count - period.length)?;
        // Period k is high + advance · k at most, and low + advance · k at least.
        let passed = |value: i64| {
            let (value, advance) = (i128::from(value), i128::from(period.advance));
            match advance {
                1.. => (-value - 1).div_euclid(advance) + 1,
                _ => value.div_euclid(-advance) + 1,
            }
        };
        let at = |periods: i128| {
            let iterations = periods.max(0) * i128::from(period.length);
            iterations.min(i128::from(along.count)) as u64
        };
        let before = period.advance < 0;
        let (from, to) = if before { (low, high) } else { (high, low) };
        Some(SignChange { form, before, from: at(passed(from)), to: at(passed(to)) })
    };
    guard.forms().into_iter().filter_map(turn).collect()
}

/// The parts of iterations `from..to`, in which no form begins or ends to turn.
fn between(
    form: &Form,
    guard: &Guard,
    along: &IterationRow<'_>,
    unit: Unit,
    (from, to): (u64, u64),
    turns: &[SignChange<'_>],
    parts: &mut Vec<RowPart>,
) -> Option<()> {
    let guard = guard.map(&|form| {
        let turn = turns.iter().find(|turn| turn.form == form);
        let is_settled = |turn: &&SignChange<'_>| to <= turn.from || turn.to <= from;
        Some(match turn.filter(is_settled) {
            Some(turn) => Guard::Constant((to <= turn.from) == turn.before),
            None => Guard::AtLeastZero(form.clone()),
        })
    })?;
    let period = if guard == Guard::Constant(false) {
        None
    } else {
        period(form, &guard, along, unit).filter(|it| (to - from) / FEWEST >= it.length)
    };
    let mut rest = from;
    if let Some(Period { length, advance }) = period {
        let times = (to - from) / length;
        let part = once(form, &guard, along, from, length)?;
        // As above.
        once(form, &guard, along, from + length * (times - 1), length)?;
        parts.push(RowPart { times, advance, ..part });
        rest += length * times;
    }
    if rest < to {
        parts.push(once(form, &guard, along, rest, to - rest)?);
    }
    Some(())
}

/// After how many iterations all comes again.
fn period(form: &Form, guard: &Guard, along: &IterationRow<'_>, unit: Unit) -> Option<Period> {
    let mut length = unit.length;
    for form in guard.forms() {
        let period: Period = along.evaluate(form)?;
        if period.advance != 0 {
            return None;
        }
        length = period.of_multiple(length)?.length;
    }
    let period: Period = along.evaluate(form)?;
    period.of_multiple(length)?.dividing(unit.advance)
}

/// This many iterations from `from` on, as they are.
fn once(
    form: &Form,
    guard: &Guard,
    along: &IterationRow<'_>,
    from: u64,
    count: u64,
) -> Option<RowPart> {
    let along = along.part(from, count);
    let mut stretches = vec![];
    if *guard != Guard::Constant(false) {
        let lines = Lines::of(form, &along)?;
        let mut lines = lines.with_ends().peekable();
        for (mut at, to) in guard.stretches(&along)? {
            while at < to
                && let Some(&(line, end)) = lines.peek()
            {
                if end > at {
                    let next = end.min(to);
                    let (first, stride) = (line.at(at)?, line.slope);
                    stretches.push(Stretch { from: at, to: next, first, stride });
                    at = next;
                }
                if end <= to {
                    lines.next();
                }
            }
        }
    }
    Some(RowPart { from, length: count, times: 1, advance: 0, stretches })
}
