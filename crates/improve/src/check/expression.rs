//! Expressions of a program as affine sums, and conditions as systems of them.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::language::program::{Expr, ExprKind, LoopRange, Program, ScalarId};
use memory_machine_core::language::syntax::{BinaryOp, Type, UnaryOp};

use crate::integers::{Affine, System, Variable};

/// More alternatives of a condition than this are not kept apart: then nothing is known of it.
const MOST_ALTERNATIVES: usize = 16;

/// What the scalars of a program are, as sums of variables.
pub(super) struct Scope<'a> {
    pub(super) program: &'a Program,
    /// Loops' variables, and scalars that the part in question does not assign.
    pub(super) known: BTreeMap<ScalarId, Affine>,
    /// What the part assigns: these do not stand for one value.
    pub(super) assigned: BTreeSet<ScalarId>,
    /// Functions' arguments: neither do these.
    pub(super) arguments: BTreeSet<ScalarId>,
    /// The first number of variables of its scalars.
    pub(super) base: Variable,
    /// The next number of a variable that stands for a quotient, or a step.
    pub(super) fresh: Variable,
}

impl Scope<'_> {
    pub(super) fn symbol(&self, scalar: ScalarId) -> Variable {
        self.base + scalar.0 as Variable
    }

    pub(super) fn new_variable(&mut self) -> Variable {
        self.fresh += 1;
        self.fresh - 1
    }

    /// The value of an i64, if it is affine; quotients by numbers become variables, with what `system`
    /// then says of them.
    pub(super) fn affine(&mut self, expr: &Expr, system: &mut System) -> Option<Affine> {
        if expr.element != Type::I64 {
            return None;
        }
        match &expr.kind {
            ExprKind::Integer(value) => Some(Affine::constant(i128::from(*value))),
            ExprKind::Parameter(id) => Some(Affine::variable(id.0 as Variable)),
            ExprKind::Scalar(id) => match self.known.get(id) {
                Some(value) => Some(value.clone()),
                None if self.assigned.contains(id) || self.arguments.contains(id) => None,
                None => Some(Affine::variable(self.symbol(*id))),
            },
            ExprKind::Unary(UnaryOp::Negate, of) => self.affine(of, system)?.scale(-1),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.affine(left, system)?, self.affine(right, system)?);
                match op {
                    BinaryOp::Add => left.plus(&right, 1),
                    BinaryOp::Subtract => left.plus(&right, -1),
                    BinaryOp::Multiply => left.times(&right),
                    BinaryOp::Divide | BinaryOp::Modulo => {
                        let by = right.constant;
                        if !right.terms.is_empty() || by < 1 {
                            return None;
                        }
                        let quotient = self.new_variable();
                        let rest = system.divide(quotient, &left, by)?;
                        let is_quotient = *op == BinaryOp::Divide;
                        Some(if is_quotient { Affine::variable(quotient) } else { rest })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `variable` is at least (or at most) the value; of a maximum (or a minimum) at least each operand.
    pub(super) fn bound(
        &mut self,
        variable: &Affine,
        expr: &Expr,
        is_low: bool,
        system: &mut System,
    ) -> Option<()> {
        let joined = if is_low { BinaryOp::Max } else { BinaryOp::Min };
        if let ExprKind::Binary(op, left, right) = &expr.kind
            && expr.element == Type::I64
        {
            if *op == joined {
                self.bound(variable, left, is_low, system)?;
                return self.bound(variable, right, is_low, system);
            }
            // min(a, b) − c is min(a − c, b − c).
            if matches!(op, BinaryOp::Add | BinaryOp::Subtract)
                && matches!(&left.kind, ExprKind::Binary(inner, ..) if *inner == joined)
            {
                let by = if *op == BinaryOp::Add { -1 } else { 1 };
                let right = self.affine(right, system)?;
                return self.bound(&variable.plus(&right, by)?, left, is_low, system);
            }
        }
        let value = self.affine(expr, system)?;
        if is_low {
            system.at_most(&value, variable, 0)
        } else {
            system.at_most(variable, &value, 0)
        }
    }

    /// The values of a loop's variable; `None` where they are not affine.
    pub(super) fn range(&mut self, range: &LoopRange, variable: &Affine) -> Option<System> {
        let mut system = System::default();
        self.bound(variable, &range.from, !range.downward, &mut system)?;
        self.bound(variable, &range.to, range.downward, &mut system)?;
        if let Some(step) = &range.step {
            let step = self.affine(step, &mut system)?;
            if !step.terms.is_empty() || step.constant < 1 {
                return None;
            }
            let from = self.affine(&range.from, &mut system)?;
            let steps = self.new_variable();
            let rest = system.divide(steps, &variable.plus(&from, -1)?, step.constant)?;
            system.zero.push(rest);
        }
        Some(system)
    }

    /// What holds if and only if a condition does, if that is a conjunction of inequalities.
    pub(super) fn conjunction(&mut self, condition: &Expr) -> Option<System> {
        match &condition.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                Some(self.conjunction(left)?.and(&self.conjunction(right)?))
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => {
                let mut found = self.known_alternatives(condition, true)?;
                if found.len() == 1 { found.pop() } else { None }
            }
            _ => None,
        }
    }

    /// Systems of which one holds if the condition does (or does not); where nothing is known, one
    /// without conditions.
    pub(super) fn alternatives(&mut self, condition: &Expr, holds: bool) -> Vec<System> {
        let found = self.known_alternatives(condition, holds);
        found.filter(|it| it.len() <= MOST_ALTERNATIVES).unwrap_or_else(|| vec![System::default()])
    }

    fn known_alternatives(&mut self, condition: &Expr, holds: bool) -> Option<Vec<System>> {
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, of) => self.known_alternatives(of, !holds),
            ExprKind::Boolean(value) if *value == holds => Some(vec![System::default()]),
            ExprKind::Boolean(_) => Some(vec![]),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let (left, right) =
                    (self.alternatives(left, holds), self.alternatives(right, holds));
                if (*op == BinaryOp::And) == holds {
                    return Some(
                        left.iter().flat_map(|a| right.iter().map(|b| a.and(b))).collect(),
                    );
                }
                Some([left, right].concat())
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let mut base = System::default();
                let left = self.affine(left, &mut base)?;
                let right = self.affine(right, &mut base)?;
                let less = |a: &Affine, b: &Affine, by| {
                    let mut system = base.clone();
                    system.at_most(a, b, by).map(|()| system)
                };
                let equal = || {
                    let mut system = base.clone();
                    system.equal(&left, &right).map(|()| system)
                };
                let apart = || Some(vec![less(&left, &right, 1)?, less(&right, &left, 1)?]);
                match (op, holds) {
                    (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => Some(vec![equal()?]),
                    (BinaryOp::Equal, false) | (BinaryOp::NotEqual, true) => apart(),
                    (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => {
                        Some(vec![less(&left, &right, 1)?])
                    }
                    (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => {
                        Some(vec![less(&left, &right, 0)?])
                    }
                    (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => {
                        Some(vec![less(&right, &left, 1)?])
                    }
                    _ => Some(vec![less(&right, &left, 0)?]),
                }
            }
            _ => None,
        }
    }
}
