//! Sequential loops outside parallel nests, run by thread 0 or by every thread of a bulk run.

use super::Setting;
use super::form::{Form, Scalars};
use super::guard::Guard;
use super::iteration_row::{IterationRow, is_piecewise};
use super::periodicity::{Unit, parts};
use super::rows::TOO_LONG;
use super::work::{AccessForm, Action, LoopForm, NotAffine, RangeForm, Require};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::machine::gcd;
use crate::run::layout::{Arrangement, Bulk};
use crate::run::odometer::Wheel;
use crate::trace::{AccessKind, Phase, Piece, Sink, Step, StridedRun};
use crate::units::Address;

type Result<T> = std::result::Result<T, NotAffine>;

/// Feeds one execution of a loop to `sink`. Innermost loops take `O(w)` time, however often they
/// iterate, where the order of steps does not matter.
pub(super) fn feed(
    loop_: &LoopForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
    sink: &mut impl Sink,
) -> Result<()> {
    Feeder { setting, scalars, sink, step: Step::new(AccessKind::Read) }.run(loop_)
}

/// A sink for dry runs.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    fn step(&mut self, _: Phase, _: &Step) {}
    fn repeat(&mut self, _: Phase, _: &Step, _: u64) {}
    fn barrier(&mut self) {}
}

struct Feeder<'a, S> {
    setting: &'a Setting<'a>,
    scalars: &'a mut Scalars,
    sink: &'a mut S,
    step: Step,
}

impl<S: Sink> Feeder<'_, S> {
    fn run(&mut self, loop_: &LoopForm) -> Result<()> {
        let LoopForm { range, guard, body } = loop_;
        let span = body.first().map_or_else(Default::default, Action::span);
        if !self.holds(guard, span)? {
            return Ok(());
        }
        let wheel = range.wheel(self.scalars, span)?;
        if wheel.count == 0 {
            return Ok(());
        }
        let is_known = |form: &Form| is_piecewise(form, range.variable);
        let innermost = body.iter().all(|work| match work {
            Action::Access(it) => is_known(&it.cell) && it.guard.forms().into_iter().all(is_known),
            Action::Require(it) => is_known(&it.form) && it.guard.forms().into_iter().all(is_known),
            Action::Operation(_) => true,
            Action::Loop(_) => false,
        });
        if innermost && !self.setting.ordered {
            self.scalars[range.variable.0] = wheel.value;
            return body.iter().try_for_each(|work| match work {
                Action::Access(access) => self.all_iterations(range, wheel, access),
                Action::Require(require) => {
                    let (along, whole) = self.along(range, wheel);
                    require.check_row(&along, whole)
                }
                Action::Loop(_) | Action::Operation(_) => Ok(()),
            });
        }
        if wheel.count > self.setting.limits.while_iterations {
            return Err(NotAffine::new(span, TOO_LONG));
        }
        let mut value = wheel.value;
        for _ in 0..wheel.count {
            self.scalars[range.variable.0] = value;
            for work in body {
                match work {
                    Action::Access(access) => self.access(access)?,
                    Action::Loop(inner) => self.run(inner)?,
                    Action::Require(require) => self.require(require)?,
                    Action::Operation(_) => {}
                }
            }
            value = value.wrapping_add(wheel.step);
        }
        Ok(())
    }

    fn holds(&self, guard: &Guard, span: Span) -> Result<bool> {
        guard.holds(&|scalar: ScalarId| self.scalars[scalar.0]).ok_or(NotAffine::overflow(span))
    }

    fn access(&mut self, access: &AccessForm) -> Result<()> {
        if !self.holds(&access.guard, access.span)? {
            return Ok(());
        }
        let cell = self.cell(access)?;
        self.emit(access, cell, 1)
    }

    fn require(&self, require: &Require) -> Result<()> {
        let span = require.otherwise.span;
        if !self.holds(&require.guard, span)? {
            return Ok(());
        }
        let value = require.form.value(&|scalar: ScalarId| self.scalars[scalar.0]);
        require.check(value.ok_or(NotAffine::overflow(span))?)
    }

    /// An innermost loop as a row, of which steps may be taken together that ask for whole address
    /// groups further on.
    fn along(&self, range: &RangeForm, wheel: Wheel) -> (IterationRow<'_>, Option<Unit>) {
        let Wheel { value: first, step, count } = wheel;
        let along =
            IterationRow { scalars: self.scalars, variable: range.variable, first, step, count };
        (along, Some(Unit { length: 1, advance: self.setting.whole_groups() }))
    }

    fn cell(&self, access: &AccessForm) -> Result<i64> {
        access
            .cell
            .value(&|scalar: ScalarId| self.scalars[scalar.0])
            .ok_or(NotAffine::overflow(access.span))
    }

    /// One access in all iterations of an innermost loop. Where its address advances by one and the
    /// same distance, its place in an address group, and with it the stages, repeat.
    fn all_iterations(
        &mut self,
        range: &RangeForm,
        wheel: Wheel,
        access: &AccessForm,
    ) -> Result<()> {
        let cells = self.setting.layout.regions[access.array].cells;
        let unit = self.setting.whole_groups();
        let (along, whole) = self.along(range, wheel);
        let parts = parts(&access.cell, &access.guard, &along, whole);
        for part in parts.ok_or(NotAffine::overflow(access.span))? {
            if let Some((low, high)) = part.extremes()
                && (low < 0 || high >= i128::from(cells))
            {
                return Err(NotAffine::out_of_bounds(access.span));
            }
            for stretch in part.stretches {
                let period = unit / gcd(stretch.stride.unsigned_abs() % unit, unit);
                let count = stretch.to - stretch.from;
                for index in 0..period.min(count) {
                    let times = count / period + u64::from(index < count % period);
                    let cell = stretch.first + stretch.stride * index.cast_signed();
                    self.emit(access, cell, times * part.times)?;
                }
            }
        }
        Ok(())
    }

    fn inside(&self, access: &AccessForm, cell: i64) -> Result<u64> {
        let cells = self.setting.layout.regions[access.array].cells;
        u64::try_from(cell)
            .ok()
            .filter(|&cell| cell < cells)
            .ok_or(NotAffine::out_of_bounds(access.span))
    }

    fn emit(&mut self, access: &AccessForm, cell: i64, times: u64) -> Result<()> {
        let cell = self.inside(access, cell)?;
        let site = &self.setting.program.sites[access.site.0];
        self.step.kind = site.kind;
        self.step.pieces.clear();
        let base = self.setting.layout.address(site.array, cell, 0);
        self.step.pieces.push(self.setting.threads_at(access.array, base));
        self.sink.repeat(access.phase, &self.step, times);
        Ok(())
    }
}

impl Setting<'_> {
    /// Of which number of cells an advance must be a multiple, that the threads outside nests ask for
    /// whole address groups further on.
    fn whole_groups(&self) -> u64 {
        let width = self.machine.width.get();
        match self.layout.bulk {
            None => 1, // a single thread takes one stage, wherever
            Some(Bulk { arrangement: Arrangement::RowWise, .. }) => width,
            Some(Bulk { arrangement: Arrangement::ColumnWise, inputs }) => {
                width / gcd(inputs % width, width)
            }
        }
    }

    /// What the threads outside nests ask for where input 0's thread asks for `base`.
    pub(super) fn threads_at(&self, array: usize, base: Address) -> Piece {
        let (stride, count) = match self.layout.bulk {
            None => (0, 1),
            Some(Bulk { arrangement: Arrangement::RowWise, inputs }) => {
                (self.layout.regions[array].cells.cast_signed(), inputs)
            }
            Some(Bulk { arrangement: Arrangement::ColumnWise, inputs }) => (1, inputs),
        };
        Piece::Run(StridedRun { base, stride, count })
    }
}
