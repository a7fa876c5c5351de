//! The iterations of a parallel nest as rows of its innermost loop, dealt out in rounds of `p`.

use super::form::{Form, Scalars};
use super::work::{NotAffine, RangeForm};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::run::odometer::{Odometer, Wheel};

/// Consecutive iterations of the innermost loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Where the values of the nest's variables at the first iteration stand in `Rounds::values`.
    values: usize,
    /// Of the innermost variable.
    pub(super) step: i64,
    /// At least 1.
    pub(super) count: u64,
}

pub(super) const STEP: &str = "this loop's step is below 1";
pub(super) const TOO_LONG: &str = "this loop is too long to be gone through";

impl RangeForm {
    /// Whether its values depend on a scalar.
    pub(super) fn mentions(&self, scalar: ScalarId) -> bool {
        [&self.from, &self.to, &self.step].into_iter().any(|it| it.mentions(scalar))
    }

    /// The values of the loop at `span` for given outer scalars.
    ///
    /// # Errors
    /// A bound without a value, a step below 1, or 2⁶³ values or more.
    pub(super) fn wheel(&self, scalars: &Scalars, span: Span) -> Result<Wheel, NotAffine> {
        let get = |scalar: ScalarId| scalars[scalar.0];
        let value = |form: &Form| form.value(&get).ok_or(NotAffine::overflow(span));
        let (from, to, step) = (value(&self.from)?, value(&self.to)?, value(&self.step)?);
        if step < 1 {
            return Err(NotAffine::new(span, STEP));
        }
        let wheel = Wheel::new(from, to, step, self.downward);
        // Row numbers and differences of counts are i64.
        match i64::try_from(wheel.count) {
            Ok(_) => Ok(wheel),
            Err(_) => Err(NotAffine::too_large(span)),
        }
    }
}

/// As many rows are held at once, where rounds are dealt together.
const ROWS: usize = 1 << 12;

/// Deals out the rows of a nest.
pub(super) struct Rounds<'a> {
    ranges: &'a [RangeForm],
    scalars: &'a mut Scalars,
    threads: u64,
    /// Whether several rounds are dealt at once.
    together: bool,
    span: Span,
    odometer: Odometer,
    /// The present round's rows.
    pub(super) rows: Vec<Row>,
    values: Vec<i64>,
}

impl<'a> Rounds<'a> {
    /// # Errors
    /// As [`RangeForm::wheel`]; likewise below. `span` is the nest's.
    pub(super) fn new(
        ranges: &'a [RangeForm],
        scalars: &'a mut Scalars,
        threads: u64,
        together: bool,
        span: Span,
    ) -> Result<Self, NotAffine> {
        let odometer = Odometer::new(ranges.len(), |outer| begin(ranges, scalars, span, outer))?;
        let (rows, values) = (vec![], vec![]);
        Ok(Self { ranges, scalars, threads, together, span, odometer, rows, values })
    }

    pub(super) const fn scalars(&self) -> &Scalars {
        self.scalars
    }

    /// Values of the nest's variables at a row's first iteration.
    #[inline]
    pub(super) fn values(&self, row: Row) -> &[i64] {
        &self.values[row.values..row.values + self.ranges.len()]
    }

    pub(super) fn scalars_mut(&mut self) -> &mut Scalars {
        self.scalars
    }

    /// The scalars, with the nest's variables at a row's first iteration.
    pub(super) fn stand_at(&mut self, row: Row) -> &mut Scalars {
        let values = &self.values[row.values..];
        for (range, &value) in self.ranges.iter().zip(values) {
            self.scalars[range.variable.0] = value;
        }
        self.scalars
    }

    /// Deals the next round, or the next few; false at the end.
    pub(super) fn deal(&mut self) -> Result<bool, NotAffine> {
        self.rows.clear();
        self.values.clear();
        let most = i64::MAX.cast_unsigned() / self.threads * self.threads;
        let all = if self.together { most.max(self.threads) } else { self.threads };
        let mut free = all;
        while free > 0
            && let Some((&row, outer)) = self.odometer.row()
        {
            let take = row.count.min(free);
            let values = self.values.len();
            self.values.extend(outer.iter().chain([&row]).map(|wheel| wheel.value));
            self.rows.push(Row { values, step: row.step, count: take });
            free -= take;
            let (ranges, span) = (self.ranges, self.span);
            self.odometer.pass(take, |outer| begin(ranges, self.scalars, span, outer))?;
            if self.rows.len() == ROWS && self.together {
                // The present round is the last one.
                let dealt = (all - free) % self.threads;
                free = if dealt == 0 { 0 } else { self.threads - dealt };
            }
        }
        Ok(!self.rows.is_empty())
    }
}

/// The values of the loop inside those that stand at `outer`.
fn begin(
    ranges: &[RangeForm],
    scalars: &mut Scalars,
    span: Span,
    outer: &[Wheel],
) -> Result<Wheel, NotAffine> {
    // Whoever looked at the last round's rows may have set the variables to theirs.
    for (range, wheel) in ranges.iter().zip(outer) {
        scalars[range.variable.0] = wheel.value;
    }
    ranges[outer.len()].wheel(scalars, span)
}
