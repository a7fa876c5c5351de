//! The iterations of a parallel nest as rows of its innermost loop, dealt out in rounds of `p`.

use super::form::{Form, Scalars};
use super::work::{NotAffine, RangeForm};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;

/// Consecutive iterations of the innermost loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Where the values of the nest's variables at the first iteration stand in `Rounds::values`.
    values: usize,
    /// At least 1.
    pub(super) count: u64,
}

/// Values of a loop's variable still to come: `value`, `value + step`, …, `count` of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wheel {
    pub(super) value: i64,
    pub(super) step: i64,
    pub(super) count: u64,
}

pub(super) const STEP: &str = "this loop's step is below 1";
pub(super) const TOO_LONG: &str = "this loop is too long to be gone through";

impl Wheel {
    /// The values of the loop at `span` for given outer scalars.
    ///
    /// # Errors
    /// A bound without a value, a step below 1, or 2⁶³ values or more.
    pub(super) fn new(range: &RangeForm, scalars: &Scalars, span: Span) -> Result<Self, NotAffine> {
        let get = |scalar: ScalarId| scalars[scalar.0];
        let value = |form: &Form| form.value(&get).ok_or(NotAffine::overflow(span));
        let (from, to, step) = (value(&range.from)?, value(&range.to)?, value(&range.step)?);
        if step < 1 {
            return Err(NotAffine::new(span, STEP));
        }
        let empty = if range.downward { from < to } else { from > to };
        let passed = from.abs_diff(to) / step.unsigned_abs();
        let count = if empty { Some(0) } else { passed.checked_add(1) };
        // Row numbers and differences of counts are i64.
        let count = count.filter(|&it| i64::try_from(it).is_ok());
        let count = count.ok_or(NotAffine::too_large(span))?;
        Ok(Self { value: from, step: if range.downward { -step } else { step }, count })
    }

    /// Passes over `count` values, fewer than there are.
    fn advance(&mut self, count: u64) {
        self.value += self.step * count.cast_signed();
        self.count -= count;
    }
}

/// Deals out the rows of a nest.
pub(super) struct Rounds<'a> {
    ranges: &'a [RangeForm],
    scalars: &'a mut Scalars,
    wheels: Vec<Wheel>,
    threads: u64,
    span: Span,
    more: bool,
    /// The present round's rows.
    pub(super) rows: Vec<Row>,
    values: Vec<i64>,
}

impl<'a> Rounds<'a> {
    /// # Errors
    /// As [`Wheel::new`]; likewise below. `span` is the nest's.
    pub(super) fn new(
        ranges: &'a [RangeForm],
        scalars: &'a mut Scalars,
        threads: u64,
        span: Span,
    ) -> Result<Self, NotAffine> {
        let wheels = vec![Wheel::default(); ranges.len()];
        let (rows, values) = (vec![], vec![]);
        let mut rounds = Self { ranges, scalars, wheels, threads, span, more: false, rows, values };
        rounds.more = rounds.next_row(0, true)?;
        Ok(rounds)
    }

    pub(super) const fn scalars(&self) -> &Scalars {
        self.scalars
    }

    pub(super) fn scalars_mut(&mut self) -> &mut Scalars {
        self.scalars
    }

    /// Step of the innermost variable.
    pub(super) fn step(&self) -> i64 {
        self.wheels[self.wheels.len() - 1].step
    }

    /// Values of the nest's variables at a row's first iteration.
    #[inline]
    pub(super) fn values(&self, row: Row) -> &[i64] {
        &self.values[row.values..row.values + self.ranges.len()]
    }

    /// Deals the next round; false at the end.
    pub(super) fn deal(&mut self) -> Result<bool, NotAffine> {
        self.rows.clear();
        self.values.clear();
        let innermost = self.ranges.len() - 1;
        let mut free = self.threads;
        while self.more && free > 0 {
            let wheel = self.wheels[innermost];
            let take = wheel.count.min(free);
            let values = self.values.len();
            self.values.extend(self.wheels.iter().map(|wheel| wheel.value));
            self.rows.push(Row { values, count: take });
            free -= take;
            if take < wheel.count {
                self.wheels[innermost].advance(take);
            } else {
                self.more = innermost > 0 && self.next_row(innermost - 1, false)?;
            }
        }
        Ok(!self.rows.is_empty())
    }

    /// Turns the wheels to the next row that is not empty, beginning at one dimension by entering
    /// its loop or by taking its next value. False if there is none.
    fn next_row(&mut self, mut dimension: usize, mut enter: bool) -> Result<bool, NotAffine> {
        // Whoever looked at the last round's rows may have set the variables to theirs.
        for (range, wheel) in self.ranges.iter().zip(&self.wheels[..dimension]) {
            self.scalars[range.variable.0] = wheel.value;
        }
        loop {
            let wheel = &mut self.wheels[dimension];
            if enter {
                *wheel = Wheel::new(&self.ranges[dimension], self.scalars, self.span)?;
            } else if wheel.count > 1 {
                wheel.advance(1);
            } else {
                wheel.count = 0;
            }
            let (value, stands) = (wheel.value, wheel.count > 0);
            match (stands, dimension) {
                (true, _) if dimension + 1 == self.ranges.len() => return Ok(true),
                (true, _) => {
                    self.scalars[self.ranges[dimension].variable.0] = value;
                    dimension += 1;
                    enter = true;
                }
                (false, 0) => return Ok(false),
                (false, _) => {
                    dimension -= 1;
                    enter = false;
                }
            }
        }
    }
}
