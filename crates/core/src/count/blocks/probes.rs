//! In what blocks must agree to take the same time: found by looking at what they do, once for each
//! loop on DMMs and for each nest of its blocks.

use std::collections::{HashMap, HashSet};

use super::signature::Probe;
use super::split::{Split, Splitter, minus, quotient_and_rest};
use crate::count::Setting;
use crate::count::form::Form;
use crate::count::work::NotAffine;
use crate::diagnostic::Span;
use crate::language::program::{
    Access, Block, Expr, ExprKind, For, LoopRange, Nest, ScalarId, Statement,
};
use crate::language::syntax::{BinaryOp, Role, Type, UnaryOp};
use crate::language::walk::assigned;

type Result<T> = std::result::Result<T, NotAffine>;

/// Probes of the body of a loop on DMMs. `relevant` are the scalars that matter to time.
///
/// # Errors
/// The first place at which what registers hold decides what is done: every block must run.
pub(super) fn of_blocks(
    setting: Setting<'_>,
    relevant: &HashSet<ScalarId>,
    body: &Block,
) -> Result<Vec<Probe>> {
    let mut prober = Prober::new(setting, relevant);
    prober.block(body)?;
    Ok(prober.splitter.probes)
}

/// Probes of a nest, for which all scalars outside are known.
///
/// # Errors
/// As above.
pub(super) fn of_nest(
    setting: Setting<'_>,
    relevant: &HashSet<ScalarId>,
    nest: &Nest,
) -> Result<Vec<Probe>> {
    let mut prober = Prober::new(setting, relevant);
    prober.nest(nest)?;
    Ok(prober.splitter.probes)
}

/// What is known of a scalar that is assigned inside.
#[derive(Debug, Clone, PartialEq)]
enum ProbeValue {
    Known(Split),
    /// Depends on what memory or registers hold, or does not matter.
    Unknown,
}

struct Prober<'a> {
    setting: Setting<'a>,
    relevant: &'a HashSet<ScalarId>,
    /// Scalars that are assigned inside; all others come from outside.
    scalars: HashMap<ScalarId, ProbeValue>,
    splitter: Splitter,
    /// Whether many threads of a block do this, or its thread 0 alone.
    in_nest: bool,
}

impl<'a> Prober<'a> {
    fn new(setting: Setting<'a>, relevant: &'a HashSet<ScalarId>) -> Self {
        let (scalars, splitter) = (HashMap::new(), Splitter::default());
        Self { setting, relevant, scalars, splitter, in_nest: false }
    }

    fn block(&mut self, block: &Block) -> Result<()> {
        block.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<()> {
        let on_data = self.setting.on_data;
        match statement {
            Statement::Assign { target, value, .. } => {
                self.look(value)?;
                self.assign(*target, value);
            }
            Statement::Store { access, value, .. } => {
                self.look(value)?;
                self.access(access)?;
            }
            Statement::If { condition, then, otherwise, .. } => {
                self.look(condition)?;
                if on_data.controls(condition) {
                    // It accesses nothing; likewise below.
                    self.forget([then, otherwise]);
                    return Ok(());
                }
                self.decides(condition)?;
                let before = self.scalars.clone();
                self.block(then)?;
                let after_then = std::mem::replace(&mut self.scalars, before);
                self.block(otherwise)?;
                self.merge(after_then);
            }
            Statement::For(For { range, body, .. }) if on_data.controls(&range.from) => {
                range.bounds().try_for_each(|bound| self.look(bound))?;
                self.forget([body]);
            }
            Statement::For(For { range, body, .. }) => {
                let variable = self.range(range)?;
                self.repeat(body, |prober| {
                    prober.scalars.insert(range.variable, ProbeValue::Known(variable.clone()));
                    prober.block(body)
                })?;
            }
            Statement::While { condition, body, .. } if on_data.controls(condition) => {
                self.look(condition)?;
                self.forget([body]);
            }
            Statement::While { condition, body, .. } => self.repeat(body, |prober| {
                prober.look(condition)?;
                prober.decides(condition)?;
                prober.block(body)
            })?,
            Statement::Parallel(nest) => self.nest(nest)?,
            Statement::Blocks(blocks) => {
                return Err(NotAffine::new(blocks.span, "a loop on DMMs in another"));
            }
            Statement::Fork { span, .. } => {
                return Err(NotAffine::new(*span, "calls in parallel in a block"));
            }
            Statement::Labelled { body, .. } => self.block(body)?,
        }
        Ok(())
    }

    fn nest(&mut self, nest: &Nest) -> Result<()> {
        for range in &nest.ranges {
            let variable = self.range(range)?;
            self.scalars.insert(range.variable, ProbeValue::Known(variable));
        }
        self.in_nest = true;
        self.block(&nest.body)?;
        self.in_nest = false;
        Ok(())
    }

    /// A loop's variable; blocks must agree in how often it iterates.
    fn range(&mut self, range: &LoopRange) -> Result<Split> {
        range.bounds().try_for_each(|bound| self.look(bound))?;
        let mut bound = |expr: &Expr| self.number(expr, range.span);
        let (from, to) = (bound(&range.from)?, bound(&range.to)?);
        let step = range.step.as_ref().map(bound).transpose()?;
        let step = step.map_or_else(|| Split::constant(1), |step| self.splitter.exposed(&step));
        let (low, high) = if range.downward { (&to, &from) } else { (&from, &to) };
        let passed = self.splitter.combine(BinaryOp::Subtract, high, low);
        let passed = self.splitter.combine(BinaryOp::Divide, &passed, &step);
        self.splitter.exposed(&passed);
        let ends = from.range.zip(to.range).and_then(|([from_low, from_high], [low, high])| {
            let outside = from.outside.clone();
            let more = Form::combine(BinaryOp::Subtract, to.outside, outside)?;
            let last = if range.downward { low } else { high };
            let last = Form::combine(BinaryOp::Add, more, last)?;
            Some(if range.downward { [last, from_high] } else { [from_low, last] })
        });
        Ok(Split::new(from.outside, ends))
    }

    /// What a body does again and again: an iteration knows of what the one before assigned no more
    /// than that it was made inside.
    fn repeat(
        &mut self,
        body: &Block,
        mut pass: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let carried: Vec<ScalarId> =
            assigned(body).filter(|it| self.scalars.contains_key(it)).collect();
        loop {
            let unknown = self.enclose(&carried);
            pass(self)?;
            if self.enclose(&carried) == unknown {
                return Ok(());
            }
        }
    }

    /// Makes what is known of scalars a number made inside; returns how many are unknown.
    fn enclose(&mut self, scalars: &[ScalarId]) -> usize {
        let mut unknown = 0;
        for scalar in scalars {
            match self.scalars.get_mut(scalar) {
                Some(ProbeValue::Known(split)) => {
                    self.splitter.exposed(split);
                    *split = Split::inside(None);
                }
                _ => unknown += 1,
            }
        }
        unknown
    }

    fn forget<const N: usize>(&mut self, blocks: [&Block; N]) {
        let assigned = blocks.into_iter().flat_map(assigned);
        self.scalars.extend(assigned.map(|scalar| (scalar, ProbeValue::Unknown)));
    }

    /// After a branch: a scalar is what either arm made it.
    fn merge(&mut self, other: HashMap<ScalarId, ProbeValue>) {
        for (scalar, other) in other {
            let splitter = &mut self.splitter;
            let value = self.scalars.entry(scalar).or_insert_with(|| other.clone());
            if *value != other {
                *value = match (&*value, &other) {
                    (ProbeValue::Known(left), ProbeValue::Known(right)) => {
                        ProbeValue::Known(splitter.either(left, right))
                    }
                    _ => ProbeValue::Unknown,
                };
            }
        }
    }

    fn assign(&mut self, scalar: ScalarId, value: &Expr) {
        let matters = self.relevant.contains(&scalar);
        let value = if matters { self.value(value) } else { ProbeValue::Unknown };
        self.scalars.insert(scalar, value);
    }

    /// Goes through an expression for what it accesses and where it may fail.
    fn look(&mut self, expr: &Expr) -> Result<()> {
        match &expr.kind {
            ExprKind::Element(access) => return self.access(access),
            ExprKind::Let(scalar, parts) => {
                let [value, body] = parts.as_ref();
                self.look(value)?;
                self.assign(*scalar, value);
                return self.look(body);
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.look(left)?;
                self.only_if_decided(left, &[right])?;
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                self.look(condition)?;
                self.only_if_decided(condition, &[then, otherwise])?;
            }
            _ => expr.operands().try_for_each(|it| self.look(it))?,
        }
        match expr.hazard() {
            Some((operand, safe)) if !self.setting.on_data.fails(expr) => {
                let operand = self.number(operand, expr.span)?;
                self.lies_between(&operand, [*safe.start(), *safe.end()]);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Arms that only threads that need them evaluate.
    fn only_if_decided(&mut self, condition: &Expr, arms: &[&Expr]) -> Result<()> {
        let on_data = self.setting.on_data;
        let shows = |it: &Expr| {
            let may_fail = it.hazard().is_some() && !on_data.fails(it);
            may_fail || matches!(it.kind, ExprKind::Element(_))
        };
        if arms.iter().any(|arm| arm.parts().any(shows)) {
            self.decides(condition)?;
        }
        arms.iter().try_for_each(|arm| self.look(arm))
    }

    fn decides(&mut self, condition: &Expr) -> Result<()> {
        let condition = self.number(condition, condition.span)?;
        self.splitter.exposed(&condition);
        Ok(())
    }

    fn access(&mut self, access: &Access) -> Result<()> {
        let setting = self.setting;
        let role = setting.program.arrays[access.array.0].role;
        let mut cell = Split::constant(0);
        for (index, &extent) in
            access.indices.iter().zip(&setting.layout.regions[access.array.0].extents)
        {
            self.look(index)?;
            let mut index = self.number(index, access.span)?;
            let extent = i64::try_from(extent).unwrap_or(i64::MAX);
            self.lies_between(&index, [0, extent - 1]);
            if role == Role::Register {
                index = self.splitter.exposed(&index);
            }
            cell = self.splitter.combine(BinaryOp::Multiply, &cell, &Split::constant(extent));
            cell = self.splitter.combine(BinaryOp::Add, &cell, &index);
        }
        // That all addresses of a warp are moved changes address groups, but no conflict of banks.
        if self.in_nest && !role.is_local() {
            let width = i64::try_from(setting.machine.width.get());
            match width.ok().and_then(|width| quotient_and_rest(&cell.outside, width)) {
                Some((_, rest)) => self.splitter.require_exact(&rest),
                None => self.splitter.require_exact(&cell.outside),
            }
        }
        Ok(())
    }

    fn lies_between(&mut self, number: &Split, [low, high]: [i64; 2]) {
        if number.outside.as_constant().is_some() {
            return;
        }
        let ends = number.range.as_ref();
        let ends = ends.and_then(|[from, to]| Some([minus(low, from)?, minus(high, to)?]));
        match ends {
            Some(ends) => {
                self.splitter.require(Probe::Outside(number.outside.clone(), ends));
            }
            None => self.splitter.require_exact(&number.outside),
        }
    }

    /// A number, or a truth value, that matters.
    fn number(&mut self, expr: &Expr, span: Span) -> Result<Split> {
        match self.value(expr) {
            ProbeValue::Known(split) => Ok(split),
            ProbeValue::Unknown => Err(NotAffine::new(span, "what registers hold decides this")),
        }
    }

    fn value(&mut self, expr: &Expr) -> ProbeValue {
        let known = match &expr.kind {
            ExprKind::Integer(value) => Some(Split::constant(*value)),
            ExprKind::Parameter(it) => Some(Split::constant(self.setting.layout.parameters[it.0])),
            ExprKind::Float(_) | ExprKind::Boolean(_) => Some(Split::inside(None)),
            ExprKind::Scalar(scalar) => return self.scalar(*scalar),
            ExprKind::Element(_) => None,
            ExprKind::Let(scalar, parts) => {
                let [value, body] = parts.as_ref();
                let value = self.value(value);
                self.scalars.insert(*scalar, value);
                return self.value(body);
            }
            // It fails if the value is another.
            ExprKind::Convert(operand)
                if operand.element.is_integer() && expr.element.is_integer() =>
            {
                return self.value(operand);
            }
            ExprKind::Unary(UnaryOp::Negate, operand) if expr.element == Type::I64 => self
                .known(operand)
                .map(|it| self.splitter.combine(BinaryOp::Subtract, &Split::constant(0), &it)),
            ExprKind::Binary(op, left, right) if left.element == Type::I64 => {
                let operands = self.known(left).zip(self.known(right));
                operands.map(|(left, right)| self.splitter.combine(*op, &left, &right))
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let arms = self.known(then).zip(self.known(otherwise));
                self.known(condition).zip(arms).map(|(condition, (then, otherwise))| {
                    self.splitter.exposed(&condition);
                    self.splitter.either(&then, &otherwise)
                })
            }
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Convert(_)
            | ExprKind::Warp(..)
            | ExprKind::Entry(..) => {
                let operands: Option<Vec<Split>> =
                    expr.operands().map(|it| self.known(it)).collect();
                operands.map(|operands| {
                    for operand in &operands {
                        self.splitter.exposed(operand);
                    }
                    Split::inside(None)
                })
            }
        };
        known.map_or(ProbeValue::Unknown, ProbeValue::Known)
    }

    fn known(&mut self, expr: &Expr) -> Option<Split> {
        match self.value(expr) {
            ProbeValue::Known(split) => Some(split),
            ProbeValue::Unknown => None,
        }
    }

    fn scalar(&mut self, scalar: ScalarId) -> ProbeValue {
        if let Some(value) = self.scalars.get(&scalar) {
            return value.clone();
        }
        ProbeValue::Known(if self.setting.program.scalars[scalar.0].element == Type::I64 {
            self.splitter.require(Probe::Near(scalar));
            Split::outside(Form::scalar(scalar))
        } else {
            self.splitter.require(Probe::Bits(scalar));
            Split::inside(None)
        })
    }
}
