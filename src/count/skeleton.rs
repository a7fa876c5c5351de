//! From a loop's body to its work: assignments to private scalars are substituted away. Built once
//! for each loop of the listing.

use std::collections::HashMap;

use super::form::{Form, form};
use super::guard::Guard;
use super::work::{AccessForm, LoopForm, NotAffine, RangeForm, Work};
use crate::diagnostic::Span;
use crate::language::program::{
    Access, Block, Expr, ExprKind, For, Program, Range, ScalarId, Statement,
};
use crate::language::syntax::{BinaryOp, UnaryOp};
use crate::run::layout::Layout;

type Result<T> = std::result::Result<T, NotAffine>;

/// The skeleton of a block that is run inside a loop.
pub(super) fn skeleton(program: &Program, layout: &Layout, body: &Block) -> Result<Vec<Work>> {
    let mut builder = Builder { program, layout, scalars: HashMap::new(), work: vec![] };
    // An iteration does not know what the one before it assigned.
    forget_assigned(body, &mut builder.scalars);
    builder.block(body, &Guard::Constant(true))?;
    Ok(builder.work)
}

/// The form of a loop's header, which accesses nothing.
pub(super) fn range_form(program: &Program, layout: &Layout, range: &Range) -> Result<RangeForm> {
    Builder { program, layout, scalars: HashMap::new(), work: vec![] }.range(range)
}

/// What is known of a scalar that the body assigns.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(Form),
    Truth(Guard),
    /// Depends on memory, or on arithmetic that forms do not express.
    Unknown,
}

impl Value {
    /// Guards of what happens if a condition of this value holds, and if it does not.
    fn arms(&self, guard: &Guard) -> (Guard, Guard) {
        match self {
            Self::Truth(it) => (guard.clone().and(it.clone()), guard.clone().and(it.clone().not())),
            _ => (guard.clone(), guard.clone()),
        }
    }
}

struct Builder<'a> {
    program: &'a Program,
    layout: &'a Layout,
    /// Scalars that the body has assigned; all others are what they are outside.
    scalars: HashMap<ScalarId, Value>,
    work: Vec<Work>,
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
            Statement::For(For { range, body }) => {
                let range = self.range(range)?;
                let inner = self.repeated(body, |builder| {
                    builder.scalars.remove(&range.variable);
                    builder.block(body, &Guard::Constant(true))
                })?;
                if !inner.is_empty() {
                    let guard = guard.clone();
                    self.work.push(Work::Loop(LoopForm { range, guard, body: inner }));
                }
            }
            Statement::While { condition, body, span } => {
                let inner = self.repeated(body, |builder| {
                    builder.expr(condition, guard)?;
                    builder.block(body, guard)
                })?;
                if !inner.is_empty() {
                    let why = "how often this loop runs is not known beforehand";
                    return Err(NotAffine { span: *span, why });
                }
            }
            Statement::Parallel(nest) => {
                let why = "a parallel loop in a sequential one";
                return Err(NotAffine { span: nest.span, why });
            }
            Statement::Labelled { body, .. } => self.block(body, guard)?,
        }
        Ok(())
    }

    /// Builds a loop's body apart: what it assigns is unknown when an iteration begins, and after
    /// the loop.
    fn repeated(
        &mut self,
        body: &Block,
        build: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<Vec<Work>> {
        forget_assigned(body, &mut self.scalars);
        let outer = std::mem::take(&mut self.work);
        build(self)?;
        forget_assigned(body, &mut self.scalars);
        Ok(std::mem::replace(&mut self.work, outer))
    }

    /// After a branch: a scalar keeps what is known of it only if both arms agree.
    fn merge(&mut self, other: HashMap<ScalarId, Value>) {
        for (scalar, value) in &mut self.scalars {
            if other.get(scalar) != Some(value) {
                *value = Value::Unknown;
            }
        }
        for (scalar, _) in other {
            self.scalars.entry(scalar).or_insert(Value::Unknown);
        }
    }

    fn range(&mut self, range: &Range) -> Result<RangeForm> {
        let works = self.work.len();
        let mut bound = |expr: &Expr| {
            let value = self.expr(expr, &Guard::Constant(true))?;
            let why = "this loop's bounds are not known beforehand";
            match value {
                Value::Number(form) => Ok(form),
                _ => Err(NotAffine { span: range.span, why }),
            }
        };
        let (from, to) = (bound(&range.from)?, bound(&range.to)?);
        let step = range.step.as_ref().map_or(Ok(Form::constant(1)), bound)?;
        if self.work.len() > works {
            let why = "this loop's bounds read memory";
            return Err(NotAffine { span: range.span, why });
        }
        let (variable, downward) = (range.variable, range.downward);
        Ok(RangeForm { variable, from, to, step, downward })
    }

    fn scalar(&self, scalar: ScalarId) -> Value {
        match self.scalars.get(&scalar) {
            Some(value) => value.clone(),
            None => Value::Number(Form::scalar(scalar)),
        }
    }

    fn number(&self, expr: &Expr) -> Option<Form> {
        form(expr, &self.layout.parameters, &|scalar| match self.scalar(scalar) {
            Value::Number(form) => Some(form),
            _ => None,
        })
    }

    /// Notes the accesses of an expression, in the order of evaluation, and what its value is.
    fn expr(&mut self, expr: &Expr, guard: &Guard) -> Result<Value> {
        match &expr.kind {
            ExprKind::Element(access) => {
                self.access(access, guard)?;
                return Ok(Value::Unknown);
            }
            ExprKind::Convert(operand) => {
                self.expr(operand, guard)?;
                return Ok(Value::Unknown);
            }
            ExprKind::Unary(op, operand) => {
                let value = self.expr(operand, guard)?;
                if let (UnaryOp::Not, Value::Truth(it)) = (op, value) {
                    return Ok(Value::Truth(it.not()));
                }
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                return self.lazy(*op == BinaryOp::And, left, right, guard);
            }
            ExprKind::Binary(op, left, right) => {
                let (left_value, right_value) = (self.expr(left, guard)?, self.expr(right, guard)?);
                if op.is_comparison() {
                    return Ok(match (left_value, right_value) {
                        (Value::Number(left), Value::Number(right)) => {
                            Guard::compare(*op, left, right).map_or(Value::Unknown, Value::Truth)
                        }
                        _ => Value::Unknown,
                    });
                }
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let condition_value = self.expr(condition, guard)?;
                let (then_guard, otherwise_guard) = condition_value.arms(guard);
                let works = self.work.len();
                self.expr(then, &then_guard)?;
                self.expr(otherwise, &otherwise_guard)?;
                self.only_if_decided(&condition_value, works, condition.span)?;
                return Ok(Value::Unknown);
            }
            ExprKind::Let(scalar, parts) => {
                let [value, body] = parts.as_ref();
                let value = self.expr(value, guard)?;
                self.scalars.insert(*scalar, value);
                return self.expr(body, guard);
            }
            ExprKind::Scalar(scalar) => return Ok(self.scalar(*scalar)),
            ExprKind::Boolean(value) => return Ok(Value::Truth(Guard::Constant(*value))),
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Parameter(_) => {}
        }
        Ok(self.number(expr).map_or(Value::Unknown, Value::Number))
    }

    /// `and` / `or`: the right side is evaluated where it is needed.
    fn lazy(&mut self, is_and: bool, left: &Expr, right: &Expr, guard: &Guard) -> Result<Value> {
        let left_value = self.expr(left, guard)?;
        let needed = match &left_value {
            Value::Truth(it) if is_and => guard.clone().and(it.clone()),
            Value::Truth(it) => guard.clone().and(it.clone().not()),
            _ => guard.clone(),
        };
        let works = self.work.len();
        let right_value = self.expr(right, &needed)?;
        self.only_if_decided(&left_value, works, left.span)?;
        Ok(match (left_value, right_value) {
            (Value::Truth(left), Value::Truth(right)) if is_and => Value::Truth(left.and(right)),
            (Value::Truth(left), Value::Truth(right)) => Value::Truth(left.or(right)),
            _ => Value::Unknown,
        })
    }

    /// Accesses noted since `works` must depend on a condition that is known.
    fn only_if_decided(&self, condition: &Value, works: usize, span: Span) -> Result<()> {
        if self.work.len() > works && !matches!(condition, Value::Truth(_)) {
            let why = "whether this happens is not an affine condition";
            return Err(NotAffine { span, why });
        }
        Ok(())
    }

    fn access(&mut self, access: &Access, guard: &Guard) -> Result<()> {
        let why = "this address is not known beforehand";
        let give_up = NotAffine { span: access.span, why };
        let extents = &self.layout.regions[access.array.0].extents;
        let mut cell = Form::constant(0);
        for (index, &extent) in access.indices.iter().zip(extents) {
            let Value::Number(index) = self.expr(index, guard)? else { return Err(give_up) };
            let extent = i64::try_from(extent).map(Form::constant).map_err(|_| give_up)?;
            let scaled = Form::combine(BinaryOp::Multiply, cell, extent);
            cell =
                scaled.and_then(|cell| Form::combine(BinaryOp::Add, cell, index)).ok_or(give_up)?;
        }
        let site = &self.program.sites[access.site.0];
        let (site, phase, array) = (access.site, site.phase, access.array.0);
        let (guard, span) = (guard.clone(), access.span);
        self.work.push(Work::Access(AccessForm { site, phase, array, cell, guard, span }));
        Ok(())
    }
}

/// Marks every scalar that a block assigns as unknown.
fn forget_assigned(block: &Block, scalars: &mut HashMap<ScalarId, Value>) {
    for statement in block {
        match statement {
            Statement::Assign { target, .. } => {
                scalars.insert(*target, Value::Unknown);
            }
            Statement::Store { .. } | Statement::Parallel(_) => {}
            Statement::For(For { body, .. })
            | Statement::While { body, .. }
            | Statement::Labelled { body, .. } => forget_assigned(body, scalars),
            Statement::If { then, otherwise, .. } => {
                forget_assigned(then, scalars);
                forget_assigned(otherwise, scalars);
            }
        }
    }
}
