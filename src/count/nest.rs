//! A parallel nest's accesses as runs, generated round by round and consumed at once.

use super::Setting;
use super::form::Form;
use super::form::Scalars;
use super::guard::Guard;
use super::rows::{Rounds, Row, STEP, TOO_LONG};
use super::work::{AccessForm, LoopForm, NestForm, NotAffine, Require, Work, specialised};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::language::syntax::BinaryOp;
use crate::trace::{Kind, Phase, Piece, Run, Sink, Step};
use crate::units::Address;

/// Feeds one execution of a nest to `sink`: `O(runs)` time, memory `O(runs of a round)`.
/// `scalars` holds the values of the scalars outside.
pub(super) fn feed(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
    sink: &mut impl Sink,
) -> Result<(), NotAffine> {
    let overflow = NotAffine::overflow(nest.span);
    let work = nest.work(scalars).ok_or(overflow)?;
    let variables = nest.variables();
    let rounds = Rounds::new(&nest.ranges, scalars, setting.threads.get(), nest.span)?;
    let mut feeder = Feeder { setting, variables, rounds, step: Step::new(Kind::Read), sink };
    while feeder.rounds.deal()? {
        feeder.work(&work)?;
    }
    Ok(())
}

/// Whether [`feed`] will know every address. Without loops inside the nest a look at the forms
/// tells; else a dry run does.
pub(super) fn check(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &Scalars,
) -> Result<(), NotAffine> {
    if nest.ranges.iter().filter_map(|range| range.step.as_constant()).any(|step| step < 1) {
        return Err(NotAffine::new(nest.span, STEP));
    }
    let innermost = nest.ranges[nest.ranges.len() - 1].variable;
    for work in nest.work(scalars).ok_or(NotAffine::overflow(nest.span))?.iter() {
        let (form, guard) = match work {
            Work::Access(it) => (&it.cell, &it.guard),
            Work::Require(it) => (&it.form, &it.guard),
            Work::Loop(_) => return feed(nest, setting, &mut scalars.clone(), &mut Nowhere),
        };
        let forms = std::iter::once(form).chain(guard.forms());
        if forms.into_iter().any(|form| form.slope(innermost).is_none()) {
            return Err(NotAffine::new(work.span(), "this address is not affine"));
        }
    }
    Ok(())
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
    variables: Vec<ScalarId>,
    rounds: Rounds<'a>,
    step: Step,
    sink: &'a mut S,
}

impl<S: Sink> Feeder<'_, S> {
    /// One round, in the order of the listing.
    fn work(&mut self, work: &[Work]) -> Result<(), NotAffine> {
        work.iter().try_for_each(|work| match work {
            Work::Access(access) => self.access(access),
            Work::Loop(inner) => self.inner_loop(inner),
            Work::Require(require) => self.require(require),
        })
    }

    /// Sets the nest's variables to a row's first iteration.
    fn enter(&mut self, row: Row) {
        for dimension in 0..self.variables.len() {
            let value = self.rounds.values(row)[dimension];
            self.rounds.scalars_mut()[self.variables[dimension].0] = value;
        }
    }

    fn innermost(&self) -> ScalarId {
        self.variables[self.variables.len() - 1]
    }

    fn access(&mut self, access: &AccessForm) -> Result<(), NotAffine> {
        let give_up = || NotAffine::new(access.span, "this address is not affine");
        let (base, cells) = access.region(self.setting);
        let variable = self.innermost();
        let slope = access.cell.slope(variable).ok_or_else(give_up)?;
        self.step.kind = self.setting.program.sites[access.site.0].kind;
        self.step.pieces.clear();
        for index in 0..self.rounds.rows.len() {
            let row = self.rounds.rows[index];
            self.enter(row);
            let stride = slope.checked_mul(row.step).ok_or_else(give_up)?;
            let scalars = self.rounds.scalars();
            let get = |scalar: ScalarId| scalars[scalar.0];
            let stretches = (access.guard.stretches(variable, row.step, row.count, &get))
                .ok_or(NotAffine::overflow(access.span))?;
            let mut at = 0;
            for (from, to) in stretches {
                let cell = access.cell.value(&get).ok_or(NotAffine::overflow(access.span))?;
                let [first, last] = [from, to - 1]
                    .map(|index| i128::from(cell) + i128::from(stride) * i128::from(index));
                if first.min(last) < 0 || first.max(last) >= i128::from(cells) {
                    return Err(NotAffine::out_of_bounds(access.span));
                }
                self.step.push_idle(from - at);
                let base = Address(base + first as u64);
                self.step.pieces.push(Piece::Run(Run { base, stride, count: to - from }));
                at = to;
            }
            self.step.push_idle(row.count - at);
        }
        self.sink.step(access.phase, &self.step);
        Ok(())
    }

    fn require(&mut self, require: &Require) -> Result<(), NotAffine> {
        let overflow = NotAffine::overflow(require.otherwise.span);
        if require.guard == Guard::Constant(true)
            && let Some(value) = require.form.as_constant()
        {
            return require.check(value);
        }
        let variable = self.innermost();
        let slope = require.form.slope(variable).ok_or(overflow)?;
        for index in 0..self.rounds.rows.len() {
            let row = self.rounds.rows[index];
            self.enter(row);
            let stride = slope.checked_mul(row.step).ok_or(overflow)?;
            let scalars = self.rounds.scalars();
            let get = |scalar: ScalarId| scalars[scalar.0];
            let stretches = require.guard.stretches(variable, row.step, row.count, &get);
            for (from, to) in stretches.ok_or(overflow)? {
                let first = require.form.value(&get).ok_or(overflow)?;
                for index in [from, to - 1] {
                    let value = i128::from(first) + i128::from(stride) * i128::from(index);
                    require.check(i64::try_from(value).map_err(|_| overflow)?)?;
                }
            }
        }
        Ok(())
    }

    /// All threads run the loop in step: its k-th iteration together, those that are through idle.
    fn inner_loop(&mut self, inner: &LoopForm) -> Result<(), NotAffine> {
        let LoopForm { range, guard, body } = inner;
        let bounds = [&range.from, &range.to, &range.step];
        let differs = |form: &&Form| self.variables.iter().any(|&it| form.mentions(it));
        let span = body.first().map_or_else(Span::default, Work::span);
        if *guard == Guard::Constant(true) && !bounds.iter().any(differs) {
            let wheel = range.wheel(self.rounds.scalars(), span)?;
            if wheel.count > self.setting.limits.while_iterations {
                return Err(NotAffine::new(span, TOO_LONG));
            }
            // What does not change with the variable is required once.
            let again: Vec<Work> =
                body.iter().filter(|work| work.differs_by(range.variable)).cloned().collect();
            let (mut value, mut body) = (wheel.value, body);
            for _ in 0..wheel.count {
                self.rounds.scalars_mut()[range.variable.0] = value;
                let known =
                    |scalar: ScalarId| (scalar == range.variable).then(|| Form::constant(value));
                let present = specialised(body, &known).ok_or(NotAffine::overflow(span))?;
                self.work(&present)?;
                body = &again;
                value = value.wrapping_add(wheel.step);
            }
            return Ok(());
        }
        let step = range.step.clone();
        let stands = Guard::compare(BinaryOp::Less, step, Form::constant(1))
            .ok_or(NotAffine::overflow(span))?;
        if self.holds_somewhere(&stands.and(guard.clone()), span)? {
            return Err(NotAffine::new(span, STEP));
        }
        // Forms hold for every iteration if the variable stands for its number, so they are made once;
        // what is not affine then may be so where the number is known.
        let number = Form::scalar(range.variable);
        let overflow = NotAffine::overflow(span);
        let every = inner.by_number(&number).ok_or(overflow)?;
        let are_affine = every.0.is_affine() && every.1.iter().all(Work::is_affine);
        for iteration in 0_i64.. {
            if iteration.unsigned_abs() > self.setting.limits.while_iterations {
                return Err(NotAffine::new(span, TOO_LONG));
            }
            self.rounds.scalars_mut()[range.variable.0] = iteration;
            let present = (!are_affine).then(|| inner.by_number(&Form::constant(iteration)));
            let present = present.map(|it| it.ok_or(overflow)).transpose()?;
            let (inside, body) = present.as_ref().unwrap_or(&every);
            if !self.holds_somewhere(inside, span)? {
                return Ok(());
            }
            self.work(body)?;
        }
        Ok(())
    }

    /// Whether any iteration of the present round satisfies a condition.
    fn holds_somewhere(&mut self, guard: &Guard, span: Span) -> Result<bool, NotAffine> {
        let variable = self.innermost();
        if guard.forms().iter().any(|form| form.slope(variable).is_none()) {
            return Err(NotAffine::new(span, "this loop's bounds are not affine"));
        }
        for index in 0..self.rounds.rows.len() {
            let row = self.rounds.rows[index];
            self.enter(row);
            let scalars = self.rounds.scalars();
            let get = |scalar: ScalarId| scalars[scalar.0];
            let stretches = guard.stretches(variable, row.step, row.count, &get);
            if !stretches.ok_or(NotAffine::overflow(span))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
