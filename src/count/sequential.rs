//! Sequential loops outside parallel nests, run by thread 0 or by every thread of a bulk run.

use super::Setting;
use super::form::Scalars;
use super::guard::Guard;
use super::rows::TOO_LONG;
use super::work::{AccessForm, LoopForm, NotAffine, RangeForm, Require, Work};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::machine::gcd;
use crate::run::layout::{Arrangement, Bulk};
use crate::run::odometer::Wheel;
use crate::trace::{Kind, Piece, Run, Sink, Step};
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
    Feeder { setting, scalars, sink, step: Step::new(Kind::Read) }.run(loop_)
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
        let span = body.first().map_or_else(Default::default, Work::span);
        if !self.holds(guard, span)? {
            return Ok(());
        }
        let wheel = range.wheel(self.scalars, span)?;
        if wheel.count == 0 {
            return Ok(());
        }
        let innermost = body.iter().all(|work| match work {
            Work::Access(access) => {
                access.cell.slope(range.variable).is_some()
                    && access.guard.forms().iter().all(|it| it.slope(range.variable).is_some())
            }
            Work::Require(require) => {
                require.form.slope(range.variable).is_some()
                    && require.guard.forms().iter().all(|it| it.slope(range.variable).is_some())
            }
            Work::Loop(_) => false,
        });
        if innermost && !self.setting.ordered {
            self.scalars[range.variable.0] = wheel.value;
            return body.iter().try_for_each(|work| match work {
                Work::Access(access) => self.all_iterations(range, wheel, access),
                Work::Require(require) => self.require_all(range, wheel, require),
                Work::Loop(_) => Ok(()),
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
                    Work::Access(access) => self.access(access)?,
                    Work::Loop(inner) => self.run(inner)?,
                    Work::Require(require) => self.require(require)?,
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

    /// In all iterations of an innermost loop: it is enough to look at the ends of each stretch.
    fn require_all(&self, range: &RangeForm, wheel: Wheel, require: &Require) -> Result<()> {
        let overflow = NotAffine::overflow(require.otherwise.span);
        let get = |scalar: ScalarId| self.scalars[scalar.0];
        let stretches = require.guard.stretches(range.variable, wheel.step, wheel.count, &get);
        let first = i128::from(require.form.value(&get).ok_or(overflow)?);
        let slope = require.form.slope(range.variable).and_then(|it| it.checked_mul(wheel.step));
        let slope = i128::from(slope.ok_or(overflow)?);
        for (from, to) in stretches.ok_or(overflow)? {
            for index in [from, to - 1] {
                let value = i64::try_from(first + slope * i128::from(index));
                require.check(value.map_err(|_| overflow)?)?;
            }
        }
        Ok(())
    }

    fn cell(&self, access: &AccessForm) -> Result<i64> {
        access
            .cell
            .value(&|scalar: ScalarId| self.scalars[scalar.0])
            .ok_or(NotAffine::overflow(access.span))
    }

    /// One access in all iterations of an innermost loop. Its address advances by one and the same
    /// distance, so that its place in an address group, and with it the stages, repeat.
    fn all_iterations(
        &mut self,
        range: &RangeForm,
        wheel: Wheel,
        access: &AccessForm,
    ) -> Result<()> {
        let get = |scalar: ScalarId| self.scalars[scalar.0];
        let stretches = access.guard.stretches(range.variable, wheel.step, wheel.count, &get);
        let first = self.cell(access)?;
        let slope = access.cell.slope(range.variable).and_then(|it| it.checked_mul(wheel.step));
        let slope = slope.ok_or(NotAffine::overflow(access.span))?;
        let width = self.setting.machine.width.get();
        let distance = match self.setting.layout.bulk {
            None => 0, // a single thread takes one stage, wherever
            Some(Bulk { arrangement: Arrangement::RowWise, .. }) => slope.unsigned_abs() % width,
            Some(Bulk { arrangement: Arrangement::ColumnWise, inputs }) => {
                let distance = u128::from(slope.unsigned_abs()) * u128::from(inputs);
                (distance % u128::from(width)) as u64
            }
        };
        let period = width / gcd(distance, width);
        for (from, to) in stretches.ok_or(NotAffine::overflow(access.span))? {
            let at = |index: u64| {
                slope.checked_mul(index.cast_signed()).and_then(|it| first.checked_add(it))
            };
            // The last iteration's cell is looked at too: none may lie outside.
            self.inside(access, at(to - 1).ok_or(NotAffine::overflow(access.span))?)?;
            let count = to - from;
            for index in 0..period.min(count) {
                let times = count / period + u64::from(index < count % period);
                self.emit(
                    access,
                    at(from + index).ok_or(NotAffine::overflow(access.span))?,
                    times,
                )?;
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
    /// What the threads outside nests ask for where input 0's thread asks for `base`.
    pub(super) fn threads_at(&self, array: usize, base: Address) -> Piece {
        let (stride, count) = match self.layout.bulk {
            None => (0, 1),
            Some(Bulk { arrangement: Arrangement::RowWise, inputs }) => {
                (self.layout.regions[array].cells.cast_signed(), inputs)
            }
            Some(Bulk { arrangement: Arrangement::ColumnWise, inputs }) => (1, inputs),
        };
        Piece::Run(Run { base, stride, count })
    }
}
