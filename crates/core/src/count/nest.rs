//! A parallel nest's accesses as runs, generated row by row and consumed at once.

use super::Setting;
use super::form::Form;
use super::form::Scalars;
use super::guard::Guard;
use super::iteration_row::{IterationRow, is_piecewise};
use super::periodicity::{RowPart, Unit, parts};
use super::rows::{Rounds, Row, STEP, TOO_LONG};
use super::work::{AccessForm, Action, LoopForm, NestForm, NotAffine, Require};
use crate::diagnostic::Span;
use crate::language::program::ScalarId;
use crate::language::syntax::BinaryOp;
use crate::trace::{AccessKind, Phase, Piece, Sink, Step};

type Result<T> = std::result::Result<T, NotAffine>;

/// Takes a nest's accesses, one after another.
pub(super) trait AccessSink {
    /// Of what comes again along a row, what has to be whole; `None` if each round is wanted by
    /// itself, and as it is.
    fn unit(&self) -> Option<Unit>;
    /// The next iterations, in the order of threads; `base` is the address of cell 0.
    fn part(&mut self, base: u64, part: &RowPart);
    /// That was the access.
    fn end(&mut self, phase: Phase, kind: AccessKind);
}

/// Feeds one execution of a nest to `taker`: `O(runs)` time, or less where parts come again, memory
/// `O(runs of a round)`. `scalars` holds the values of the scalars outside.
pub(super) fn feed(
    nest: &NestForm,
    setting: &Setting<'_>,
    scalars: &mut Scalars,
    taker: &mut impl AccessSink,
) -> Result<()> {
    let overflow = NotAffine::overflow(nest.span);
    let work = nest.work(scalars).ok_or(overflow)?;
    let variables = nest.variables();
    let (threads, together) = (setting.threads.get(), taker.unit().is_some());
    let rounds = Rounds::new(&nest.ranges, scalars, threads, together, nest.span)?;
    let mut feeder = NestFeeder { setting, variables, rounds, taker };
    while feeder.rounds.deal()? {
        feeder.work(&work)?;
    }
    Ok(())
}

/// Makes steps of rounds, for a sink that wants them in their order.
pub(super) struct Stepwise<'a, S> {
    sink: &'a mut S,
    step: Step,
}

impl<'a, S: Sink> Stepwise<'a, S> {
    pub(super) const fn new(sink: &'a mut S) -> Self {
        Self { sink, step: Step::new(AccessKind::Read) }
    }
}

impl<S: Sink> AccessSink for Stepwise<'_, S> {
    fn unit(&self) -> Option<Unit> {
        None
    }

    fn part(&mut self, base: u64, part: &RowPart) {
        let mut at = 0;
        for stretch in &part.stretches {
            self.step.push_idle(stretch.from - at);
            self.step.pieces.push(Piece::Run(stretch.run(base)));
            at = stretch.to;
        }
        self.step.push_idle(part.length - at);
    }

    fn end(&mut self, phase: Phase, kind: AccessKind) {
        self.step.kind = kind;
        self.sink.step(phase, &self.step);
        self.step.pieces.clear();
    }
}

pub(super) const NOT_AFFINE: &str = "this address is not affine";

struct NestFeeder<'a, T> {
    setting: &'a Setting<'a>,
    variables: Vec<ScalarId>,
    rounds: Rounds<'a>,
    taker: &'a mut T,
}

impl<T: AccessSink> NestFeeder<'_, T> {
    /// One round, in the order of the listing.
    fn work(&mut self, work: &[Action]) -> Result<()> {
        work.iter().try_for_each(|work| match work {
            Action::Access(access) => self.access(access),
            Action::Loop(inner) => self.inner_loop(inner),
            Action::Require(require) => self.require(require),
            Action::Operation(_) => Ok(()),
        })
    }

    /// Goes to a row.
    fn along(&mut self, row: Row) -> IterationRow<'_> {
        let variable = self.variables[self.variables.len() - 1];
        let scalars = &*self.rounds.stand_at(row);
        IterationRow {
            scalars,
            variable,
            first: scalars[variable.0],
            step: row.step,
            count: row.count,
        }
    }

    /// The parts of a row in which `form` is needed.
    fn parts(&mut self, row: Row, form: &Form, guard: &Guard, span: Span) -> Result<Vec<RowPart>> {
        let unit = self.taker.unit();
        let along = self.along(row);
        parts(form, guard, &along, unit).ok_or_else(|| {
            let mut forms = std::iter::once(form).chain(guard.forms());
            match forms.all(|form| is_piecewise(form, along.variable)) {
                true => NotAffine::overflow(span),
                false => NotAffine::new(span, NOT_AFFINE),
            }
        })
    }

    fn access(&mut self, access: &AccessForm) -> Result<()> {
        let (base, cells) = access.region(self.setting);
        for index in 0..self.rounds.rows.len() {
            let row = self.rounds.rows[index];
            for part in self.parts(row, &access.cell, &access.guard, access.span)? {
                if let Some((low, high)) = part.extremes()
                    && (low < 0 || high >= i128::from(cells))
                {
                    return Err(NotAffine::out_of_bounds(access.span));
                }
                self.taker.part(base, &part);
            }
        }
        self.taker.end(access.phase, self.setting.program.sites[access.site.0].kind);
        Ok(())
    }

    fn require(&mut self, require: &Require) -> Result<()> {
        if require.guard == Guard::Constant(true)
            && let Some(value) = require.form.as_constant()
        {
            return require.check(value);
        }
        for index in 0..self.rounds.rows.len() {
            let (row, unit) = (self.rounds.rows[index], self.taker.unit());
            require.check_row(&self.along(row), unit)?;
        }
        Ok(())
    }

    /// All threads run the loop in step: its k-th iteration together, those that are through idle.
    fn inner_loop(&mut self, inner: &LoopForm) -> Result<()> {
        let LoopForm { range, guard, body } = inner;
        let span = body.first().map_or_else(Span::default, Action::span);
        if inner.is_same_for_all(&self.variables) {
            let wheel = range.wheel(self.rounds.scalars(), span)?;
            if wheel.count > self.setting.limits.while_iterations {
                return Err(NotAffine::new(span, TOO_LONG));
            }
            // What does not change with the variable is required once.
            let again: Vec<Action> =
                body.iter().filter(|work| work.differs_by(range.variable)).cloned().collect();
            let (mut value, mut body) = (wheel.value, body);
            for _ in 0..wheel.count {
                self.rounds.scalars_mut()[range.variable.0] = value;
                self.work(body)?;
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
        // The forms hold for every iteration: the variable stands for its number.
        let overflow = NotAffine::overflow(span);
        let (inside, body) = inner.by_number().ok_or(overflow)?;
        for iteration in 0_i64.. {
            if iteration.unsigned_abs() > self.setting.limits.while_iterations {
                return Err(NotAffine::new(span, TOO_LONG));
            }
            self.rounds.scalars_mut()[range.variable.0] = iteration;
            if !self.holds_somewhere(&inside, span)? {
                return Ok(());
            }
            self.work(&body)?;
        }
        Ok(())
    }

    /// Whether any iteration of the present rounds satisfies a condition.
    fn holds_somewhere(&mut self, guard: &Guard, span: Span) -> Result<bool> {
        for index in 0..self.rounds.rows.len() {
            let row = self.rounds.rows[index];
            let parts = self.parts(row, &Form::constant(0), guard, span)?;
            if parts.iter().any(|part| !part.stretches.is_empty()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
