//! From a loop's body to its work: assignments to private scalars are substituted away. Built once
//! for each loop of the listing.

use std::collections::HashMap;

mod operations;

use super::Setting;
use super::form::{Form, form};
use super::guard::Guard;
use super::rows::STEP;
use super::work::{AccessForm, Action, LoopForm, NotAffine, RangeForm, Require};
use crate::diagnostic::Span;
use crate::language::program::{
    Access, Block, Expr, ExprKind, For, LoopRange, ScalarId, Statement,
};
use crate::language::syntax::{BinaryOp, Role, UnaryOp};
use crate::language::walk::statements;
use crate::run::{Evaluation, is_eager};
use crate::trace::Phase;

type Result<T> = std::result::Result<T, NotAffine>;

/// Sides of comparisons are looked at by their difference, which two numbers so far from 0 have.
const FAR: i64 = (1 << 62) - 1;

/// The skeleton of a block that is run inside a loop.
pub(super) fn skeleton(setting: &Setting<'_>, body: &Block) -> Result<Vec<Action>> {
    build(setting, body, None)
}

/// The same with the operators that are evaluated, the first of them in this phase.
pub(super) fn skeleton_with_operations(
    setting: &Setting<'_>,
    body: &Block,
    phase: Phase,
) -> Result<Vec<Action>> {
    build(setting, body, Some(phase))
}

fn build(setting: &Setting<'_>, body: &Block, phase: Option<Phase>) -> Result<Vec<Action>> {
    let mut builder = Builder { setting, scalars: HashMap::new(), work: vec![], phase };
    // An iteration does not know what the one before it assigned.
    forget_assigned(body, &mut builder.scalars);
    builder.block(body, &Guard::Constant(true))?;
    Ok(builder.work)
}

/// The form of a loop's header, which accesses nothing.
pub(super) fn range_form(setting: &Setting<'_>, range: &LoopRange) -> Result<RangeForm> {
    let mut builder = Builder { setting, scalars: HashMap::new(), work: vec![], phase: None };
    builder.range(range, &Guard::Constant(true))
}

/// What is known of a scalar that the body assigns.
#[derive(Debug, Clone, PartialEq)]
enum ScalarValue {
    Number(Form),
    Truth(Guard),
    /// Depends on memory, or on arithmetic that forms do not express.
    Unknown,
}

impl ScalarValue {
    /// Guards of what happens if a condition of this value holds, and if it does not.
    fn arms(&self, guard: &Guard) -> (Guard, Guard) {
        match self {
            Self::Truth(it) => (guard.clone().and(it.clone()), guard.clone().and(it.clone().not())),
            _ => (guard.clone(), guard.clone()),
        }
    }
}

struct Builder<'a> {
    setting: &'a Setting<'a>,
    /// Scalars that the body has assigned; all others are what they are outside.
    scalars: HashMap<ScalarId, ScalarValue>,
    work: Vec<Action>,
    /// That in which operators are evaluated; none in indices and bounds, nor where nobody asks for them.
    phase: Option<Phase>,
}

impl Builder<'_> {
    fn block(&mut self, block: &Block, guard: &Guard) -> Result<()> {
        block.iter().try_for_each(|statement| self.statement(statement, guard))
    }

    fn statement(&mut self, statement: &Statement, guard: &Guard) -> Result<()> {
        match statement {
            Statement::Assign { target, value, .. } => {
                let value = self.expr(value, guard)?;
                self.scalars.insert(*target, value);
            }
            Statement::Store { access, value, .. } => {
                self.expr(value, guard)?;
                self.access(access, guard)?;
            }
            Statement::If { condition, then, otherwise, span } => {
                let condition = self.expr(condition, guard)?;
                let before = self.scalars.clone();
                let works = self.work.len();
                let (then_guard, otherwise_guard) = condition.arms(guard);
                self.block(then, &then_guard)?;
                let after_then = std::mem::replace(&mut self.scalars, before);
                self.block(otherwise, &otherwise_guard)?;
                self.only_if_decided(&condition, works, *span)?;
                self.merge(after_then);
            }
            Statement::For(For { range, body, .. })
                if self.setting.on_data.controls(&range.from) =>
            {
                self.refuse_unknown_operations(range.span)?;
                range.bounds().try_for_each(|it| self.expr(it, guard).map(|_| ()))?;
                // It accesses nothing.
                forget_assigned(body, &mut self.scalars);
            }
            Statement::For(For { range, body, while_true }) => {
                let span = range.span;
                if while_true.is_some() {
                    self.refuse_unknown_operations(span)?;
                }
                let range = self.range(range, guard)?;
                let inner = self.repeated(body, |builder| {
                    builder.scalars.remove(&range.variable);
                    builder.block(body, &Guard::Constant(true))
                })?;
                if !inner.is_empty() {
                    let guard = guard.clone();
                    self.work.push(Action::Loop(LoopForm { range, guard, body: inner }));
                } else if range.step.as_constant().is_none() {
                    let (form, guard, otherwise) =
                        (range.step, guard.clone(), NotAffine::new(span, STEP));
                    let require = Require { form, low: 1, high: i64::MAX, guard, otherwise };
                    self.work.push(Action::Require(require));
                }
            }
            Statement::While { condition, body, span, .. }
                if self.setting.on_data.controls(condition) =>
            {
                self.refuse_unknown_operations(*span)?;
                forget_assigned(body, &mut self.scalars);
            }
            Statement::While { span, .. } => {
                let why = "how often this loop runs is not known beforehand";
                return Err(NotAffine::new(*span, why));
            }
            Statement::Parallel(nest) => {
                let why = "a parallel loop in a sequential one";
                return Err(NotAffine::new(nest.span, why));
            }
            Statement::Blocks(blocks) => {
                let why = "a loop on DMMs in a sequential one";
                return Err(NotAffine::new(blocks.span, why));
            }
            Statement::Fork { span, .. } => {
                return Err(NotAffine::new(*span, "calls in parallel in a loop"));
            }
            Statement::Labelled { phase, body } => self.labelled(phase, body, guard)?,
        }
        Ok(())
    }

    /// Builds a loop's body apart: what it assigns is unknown when an iteration begins, and after
    /// the loop.
    fn repeated(
        &mut self,
        body: &Block,
        build: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Vec<Action>> {
        forget_assigned(body, &mut self.scalars);
        let outer = std::mem::take(&mut self.work);
        build(self)?;
        forget_assigned(body, &mut self.scalars);
        Ok(std::mem::replace(&mut self.work, outer))
    }

    /// After a branch: a scalar keeps what is known of it only if both arms agree.
    fn merge(&mut self, other: HashMap<ScalarId, ScalarValue>) {
        for (scalar, value) in &mut self.scalars {
            if other.get(scalar) != Some(value) {
                *value = ScalarValue::Unknown;
            }
        }
        for (scalar, _) in other {
            self.scalars.entry(scalar).or_insert(ScalarValue::Unknown);
        }
    }

    fn range(&mut self, range: &LoopRange, guard: &Guard) -> Result<RangeForm> {
        let works = self.work.len();
        let mut bound = |expr: &Expr| {
            let value = self.place(expr, guard)?;
            let why = "this loop's bounds are not known beforehand";
            match value {
                ScalarValue::Number(form) => Ok(form),
                _ => Err(NotAffine::new(range.span, why)),
            }
        };
        let (from, to) = (bound(&range.from)?, bound(&range.to)?);
        let step = range.step.as_ref().map_or(Ok(Form::constant(1)), bound)?;
        if self.work[works..].iter().any(|work| matches!(work, Action::Access(_))) {
            let why = "this loop's bounds read memory";
            return Err(NotAffine::new(range.span, why));
        }
        if step.as_constant().is_some_and(|step| step < 1) {
            return Err(NotAffine::new(range.span, STEP));
        }
        let (variable, downward) = (range.variable, range.downward);
        Ok(RangeForm { variable, from, to, step, downward })
    }

    fn scalar(&self, scalar: ScalarId) -> ScalarValue {
        match self.scalars.get(&scalar) {
            Some(value) => value.clone(),
            None if self.setting.program.scalars[scalar.0].element.is_float() => {
                ScalarValue::Unknown
            }
            None => ScalarValue::Number(Form::scalar(scalar)),
        }
    }

    fn number(&self, expr: &Expr) -> Option<Form> {
        form(expr, &self.setting.layout.parameters, &|scalar| match self.scalar(scalar) {
            ScalarValue::Number(form) => Some(form),
            _ => None,
        })
    }

    /// Notes the accesses of an expression, in the order of evaluation, and what its value is.
    fn expr(&mut self, expr: &Expr, guard: &Guard) -> Result<ScalarValue> {
        match &expr.kind {
            ExprKind::Element(access) => {
                self.access(access, guard)?;
                return Ok(ScalarValue::Unknown);
            }
            ExprKind::Convert(operand) | ExprKind::Entry(_, operand, _) => {
                let value = match expr.kind {
                    ExprKind::Entry(..) => self.place(operand, guard)?,
                    _ => self.expr(operand, guard)?,
                };
                self.hazard(expr, value, guard)?;
                return Ok(ScalarValue::Unknown);
            }
            ExprKind::Unary(op, operand) => {
                let value = self.expr(operand, guard)?;
                self.operation(guard, |it| Evaluation::of_unary(*op, operand.element, it));
                if let (UnaryOp::Not, ScalarValue::Truth(it)) = (op, value) {
                    return Ok(ScalarValue::Truth(it.not()));
                }
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                return self.lazy(*op == BinaryOp::And, left, right, guard);
            }
            ExprKind::Binary(op, left, right) => {
                let (left_value, right_value) = (self.expr(left, guard)?, self.expr(right, guard)?);
                self.operation(guard, |it| Evaluation::of_binary(*op, left.element, it));
                if op.is_comparison() {
                    return Ok(match (left_value, right_value) {
                        (ScalarValue::Number(left), ScalarValue::Number(right)) => {
                            self.no_wrapping(&left, expr.span, guard);
                            self.no_wrapping(&right, expr.span, guard);
                            Guard::compare(*op, left, right)
                                .map_or(ScalarValue::Unknown, ScalarValue::Truth)
                        }
                        _ => ScalarValue::Unknown,
                    });
                }
                self.hazard(expr, right_value, guard)?;
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let condition_value = self.expr(condition, guard)?;
                let (then_guard, otherwise_guard) = condition_value.arms(guard);
                let works = self.work.len();
                self.expr(then, &then_guard)?;
                self.expr(otherwise, &otherwise_guard)?;
                self.only_if_decided(&condition_value, works, condition.span)?;
                return Ok(ScalarValue::Unknown);
            }
            ExprKind::Let(scalar, parts) => {
                let [value, body] = parts.as_ref();
                let value = self.expr(value, guard)?;
                self.scalars.insert(*scalar, value);
                return self.expr(body, guard);
            }
            ExprKind::Warp(_, operands) => {
                for operand in operands {
                    self.expr(operand, guard)?;
                }
                return Ok(ScalarValue::Unknown);
            }
            ExprKind::Scalar(scalar) => return Ok(self.scalar(*scalar)),
            ExprKind::Boolean(value) => return Ok(ScalarValue::Truth(Guard::Constant(*value))),
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Parameter(_) => {}
        }
        Ok(self.number(expr).map_or(ScalarValue::Unknown, ScalarValue::Number))
    }

    /// Notes that a side of a comparison must not wrap: sides are compared by their difference.
    fn no_wrapping(&mut self, side: &Form, span: Span, guard: &Guard) {
        if !side.is_near_a_scalar() {
            let (form, guard, otherwise) = (side.clone(), guard.clone(), NotAffine::overflow(span));
            let require = Require { form, low: -FAR, high: FAR, guard, otherwise };
            self.work.push(Action::Require(require));
        }
    }

    /// `and` / `or`: the right side is evaluated where it is needed.
    fn lazy(
        &mut self,
        is_and: bool,
        left: &Expr,
        right: &Expr,
        guard: &Guard,
    ) -> Result<ScalarValue> {
        let left_value = self.expr(left, guard)?;
        self.operation(guard, |it| Evaluation::of_binary(BinaryOp::And, left.element, it));
        let needed = match &left_value {
            // Whoever does not need it evaluates it all the same.
            _ if self.phase.is_some() && is_eager(right) => guard.clone(),
            ScalarValue::Truth(it) if is_and => guard.clone().and(it.clone()),
            ScalarValue::Truth(it) => guard.clone().and(it.clone().not()),
            _ => guard.clone(),
        };
        let works = self.work.len();
        let right_value = self.expr(right, &needed)?;
        if self.phase.is_none() || !is_eager(right) {
            self.only_if_decided(&left_value, works, left.span)?;
        }
        Ok(match (left_value, right_value) {
            (ScalarValue::Truth(left), ScalarValue::Truth(right)) if is_and => {
                ScalarValue::Truth(left.and(right))
            }
            (ScalarValue::Truth(left), ScalarValue::Truth(right)) => {
                ScalarValue::Truth(left.or(right))
            }
            _ => ScalarValue::Unknown,
        })
    }

    /// Accesses noted since `works` must depend on a condition that is known.
    fn only_if_decided(&self, condition: &ScalarValue, works: usize, span: Span) -> Result<()> {
        if self.work.len() > works && !matches!(condition, ScalarValue::Truth(_)) {
            let why = "whether this happens is not an affine condition";
            return Err(NotAffine::new(span, why));
        }
        Ok(())
    }

    /// Of registers nothing is accessed: their indices must be inside.
    fn access(&mut self, access: &Access, guard: &Guard) -> Result<()> {
        let is_register = self.setting.program.arrays[access.array.0].role == Role::Register;
        let why = "this address is not known beforehand";
        let give_up = NotAffine::new(access.span, why);
        let extents = &self.setting.layout.regions[access.array.0].extents;
        let mut cell = Form::constant(0);
        for (dimension, (index, &extent)) in access.indices.iter().zip(extents).enumerate() {
            let ScalarValue::Number(index) = self.place(index, guard)? else { return Err(give_up) };
            let extent = i64::try_from(extent).map_err(|_| give_up)?;
            // With all others inside, the first index is inside if the cell is.
            if dimension > 0 || is_register {
                let (form, guard) = (index.clone(), guard.clone());
                let otherwise = NotAffine::out_of_bounds(access.span);
                let require = Require { form, low: 0, high: extent - 1, guard, otherwise };
                self.work.push(Action::Require(require));
            }
            let scaled = Form::combine(BinaryOp::Multiply, cell, Form::constant(extent));
            cell =
                scaled.and_then(|cell| Form::combine(BinaryOp::Add, cell, index)).ok_or(give_up)?;
        }
        if is_register {
            return Ok(());
        }
        let site = &self.setting.program.sites[access.site.0];
        let (site, phase, array) = (access.site, site.phase, access.array.0);
        let (guard, span) = (guard.clone(), access.span);
        self.work.push(Action::Access(AccessForm { site, phase, array, cell, guard, span }));
        Ok(())
    }
}

/// Marks every scalar that a block assigns as unknown.
fn forget_assigned(block: &Block, scalars: &mut HashMap<ScalarId, ScalarValue>) {
    scalars.extend(statements(block).filter_map(|it| match it {
        Statement::Assign { target, .. } => Some((*target, ScalarValue::Unknown)),
        _ => None,
    }));
}
