//! What is left of a loop when values are not asked for: its accesses in order, each with the form
//! of its cell and the condition under which it is made.

use std::borrow::Cow;

use super::Setting;
use super::form::Form;
use super::form::Scalars;
use super::guard::Guard;
use super::iteration_row::{Bounds, IterationRow};
use super::periodicity::{Unit, parts};
use crate::diagnostic::Span;
use crate::language::program::{ScalarId, SiteId};
use crate::language::syntax::BinaryOp;
use crate::run::Evaluation;
use crate::trace::Phase;

/// One thing that every iteration does.
#[derive(Debug, Clone)]
pub(super) enum Action {
    Access(AccessForm),
    Loop(LoopForm),
    Require(Require),
    /// Where operators are asked for.
    Operation(OperationForm),
}

/// An operator that is evaluated.
#[derive(Debug, Clone)]
pub(super) struct OperationForm {
    pub(super) evaluation: Evaluation,
    pub(super) guard: Guard,
}

/// A number that must lie between two others, or the program may fail.
#[derive(Debug, Clone)]
pub(super) struct Require {
    pub(super) form: Form,
    pub(super) low: i64,
    pub(super) high: i64,
    pub(super) guard: Guard,
    pub(super) otherwise: NotAffine,
}

#[derive(Debug, Clone)]
pub(super) struct AccessForm {
    pub(super) site: SiteId,
    pub(super) phase: Phase,
    pub(super) array: usize,
    /// Row-major cell.
    pub(super) cell: Form,
    pub(super) guard: Guard,
    pub(super) span: Span,
}

/// A sequential loop that each iteration runs by itself.
#[derive(Debug, Clone)]
pub(super) struct LoopForm {
    pub(super) range: RangeForm,
    pub(super) guard: Guard,
    pub(super) body: Vec<Action>,
}

#[derive(Debug, Clone)]
pub(super) struct RangeForm {
    pub(super) variable: ScalarId,
    pub(super) from: Form,
    pub(super) to: Form,
    pub(super) step: Form,
    pub(super) downward: bool,
}

/// Why a loop cannot be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotAffine {
    pub(super) span: Span,
    pub(super) why: &'static str,
    /// The program is sure to fail here, or too large for any run; else executing it will tell.
    pub(super) fails: bool,
}

/// A nest of the listing, as far as it can be known before it runs.
#[derive(Debug, Clone)]
pub(super) struct NestForm {
    pub(super) ranges: Vec<RangeForm>,
    pub(super) work: Vec<Action>,
    pub(super) span: Span,
}

impl NotAffine {
    pub(super) const fn new(span: Span, why: &'static str) -> Self {
        Self { span, why, fails: false }
    }

    pub(super) const fn overflow(span: Span) -> Self {
        Self::new(span, "a number here leaves 64 bits, or has no value")
    }

    pub(super) const fn too_large(span: Span) -> Self {
        let why = "arithmetic overflows here: too many iterations or time units to be counted";
        Self { span, why, fails: true }
    }

    pub(super) const fn out_of_bounds(span: Span) -> Self {
        Self { span, why: "this address is outside its array", fails: true }
    }
}

impl AccessForm {
    /// Address of the array's cell 0, and its number of cells.
    pub(super) fn region(&self, setting: &Setting<'_>) -> (u64, u64) {
        let region = &setting.layout.regions[self.array];
        (region.base.0, region.cells)
    }

    /// With a scalar replaced by its form; `None` on overflow.
    pub(super) fn specialise(&self, known: &impl Fn(ScalarId) -> Option<Form>) -> Option<Self> {
        let (cell, guard) = (self.cell.specialise(known)?, self.guard.specialise(known)?);
        Some(Self { cell, guard, ..self.clone() })
    }
}

impl LoopForm {
    fn specialise(&self, known: &impl Fn(ScalarId) -> Option<Form>) -> Option<Self> {
        let range = RangeForm {
            from: self.range.from.specialise(known)?,
            to: self.range.to.specialise(known)?,
            step: self.range.step.specialise(known)?,
            ..self.range
        };
        let guard = self.guard.specialise(known)?;
        let body = self.body.iter().map(|work| work.specialise(known)).collect::<Option<_>>()?;
        Some(Self { range, guard, body })
    }

    /// Whether it is run, and as often, whatever these variables are.
    pub(super) fn is_same_for_all(&self, variables: &[ScalarId]) -> bool {
        let RangeForm { from, to, step, .. } = &self.range;
        let differs = |form: &Form| variables.iter().any(|&it| form.mentions(it));
        self.guard == Guard::Constant(true) && ![from, to, step].into_iter().any(differs)
    }

    /// Whether there is an iteration, and what it does, where the variable stands for its number.
    pub(super) fn by_number(&self) -> Option<(Guard, Vec<Action>)> {
        let RangeForm { variable, from, to, step, downward } = &self.range;
        let passed = Form::combine(BinaryOp::Multiply, step.clone(), Form::scalar(*variable))?;
        let sign = if *downward { BinaryOp::Subtract } else { BinaryOp::Add };
        let value = Form::combine(sign, from.clone(), passed)?;
        let (low, high) = if *downward { (to, &value) } else { (&value, to) };
        let inside = Guard::compare(BinaryOp::LessEqual, low.clone(), high.clone())?;
        let inside = inside.and(self.guard.clone());
        let known = |scalar: ScalarId| (scalar == *variable).then(|| value.clone());
        let body = self.body.iter().map(|it| Some(it.specialise(&known)?.guarded(&inside)));
        Some((inside.clone(), body.collect::<Option<_>>()?))
    }
}

impl Require {
    pub(super) fn check(&self, value: i64) -> Result<(), NotAffine> {
        if (self.low..=self.high).contains(&value) { Ok(()) } else { Err(self.otherwise) }
    }

    /// In all iterations of a row; `unit` is as for [`parts`].
    pub(super) fn check_row(
        &self,
        along: &IterationRow<'_>,
        unit: Option<Unit>,
    ) -> Result<(), NotAffine> {
        let allowed = self.low..=self.high;
        let bounds: Option<Bounds> = along.evaluate(&self.form);
        if bounds.is_some_and(|it| allowed.contains(&it.low) && allowed.contains(&it.high)) {
            return Ok(());
        }
        let overflow = NotAffine::overflow(self.otherwise.span);
        for part in parts(&self.form, &self.guard, along, unit).ok_or(overflow)? {
            let Some((low, high)) = part.extremes() else { continue };
            for value in [low, high] {
                self.check(i64::try_from(value).map_err(|_| overflow)?)?;
            }
        }
        Ok(())
    }

    fn specialise(&self, known: &impl Fn(ScalarId) -> Option<Form>) -> Option<Self> {
        let (form, guard) = (self.form.specialise(known)?, self.guard.specialise(known)?);
        Some(Self { form, guard, ..*self })
    }
}

impl Action {
    /// Made only where `guard` holds too.
    pub(super) fn guarded(self, guard: &Guard) -> Self {
        match self {
            Self::Access(it) => {
                Self::Access(AccessForm { guard: guard.clone().and(it.guard), ..it })
            }
            Self::Loop(it) => Self::Loop(LoopForm { guard: guard.clone().and(it.guard), ..it }),
            Self::Require(it) => {
                Self::Require(Require { guard: guard.clone().and(it.guard), ..it })
            }
            Self::Operation(it) => {
                Self::Operation(OperationForm { guard: guard.clone().and(it.guard), ..it })
            }
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Self::Access(access) => access.span,
            Self::Loop(inner) => inner.body.first().map_or_else(Span::default, Self::span),
            Self::Require(require) => require.otherwise.span,
            Self::Operation(_) => Span::default(),
        }
    }

    /// Whether it may be something else in the next iteration of a loop of this variable. An access
    /// always counts.
    pub(super) fn differs_by(&self, variable: ScalarId) -> bool {
        let Self::Require(it) = self else { return true };
        it.form.mentions(variable) || it.guard.mentions(variable)
    }

    /// Whether every form in it is affine as it stands.
    pub(super) fn is_affine(&self) -> bool {
        match self {
            Self::Access(it) => it.cell.is_affine() && it.guard.is_affine(),
            Self::Require(it) => it.form.is_affine() && it.guard.is_affine(),
            Self::Operation(it) => it.guard.is_affine(),
            Self::Loop(it) => {
                [&it.range.from, &it.range.to, &it.range.step].into_iter().all(Form::is_affine)
                    && it.guard.is_affine()
                    && it.body.iter().all(Self::is_affine)
            }
        }
    }

    pub(super) fn specialise(&self, known: &impl Fn(ScalarId) -> Option<Form>) -> Option<Self> {
        Some(match self {
            Self::Access(access) => Self::Access(access.specialise(known)?),
            Self::Loop(inner) => Self::Loop(inner.specialise(known)?),
            Self::Require(require) => Self::Require(require.specialise(known)?),
            Self::Operation(it) => {
                Self::Operation(OperationForm { guard: it.guard.specialise(known)?, ..*it })
            }
        })
    }
}

impl NestForm {
    pub(super) fn variables(&self) -> Vec<ScalarId> {
        self.ranges.iter().map(|range| range.variable).collect()
    }

    /// The work with the outer scalars put in where a form needs that to become affine.
    pub(super) fn work(&self, scalars: &Scalars) -> Option<Cow<'_, [Action]>> {
        if self.work.iter().all(Action::is_affine) {
            return Some(Cow::Borrowed(&self.work));
        }
        let known =
            |scalar: ScalarId| (!self.binds(scalar)).then(|| Form::constant(scalars[scalar.0]));
        self.work.iter().map(|work| work.specialise(&known)).collect::<Option<_>>().map(Cow::Owned)
    }

    /// Whether a scalar is a variable of the nest or of a loop inside it.
    fn binds(&self, scalar: ScalarId) -> bool {
        fn inside(work: &[Action], scalar: ScalarId) -> bool {
            work.iter().any(|work| match work {
                Action::Access(_) | Action::Require(_) | Action::Operation(_) => false,
                Action::Loop(it) => it.range.variable == scalar || inside(&it.body, scalar),
            })
        }
        self.ranges.iter().any(|range| range.variable == scalar) || inside(&self.work, scalar)
    }
}
