//! What conditions say of sizes and of what a run computes.

use super::polynomial::Polynomial;
use super::scope::Scope;
use super::symbolizer::Symbolizer;
use memory_machine_core::language::program::{Expr, ExprKind};
use memory_machine_core::language::syntax::{BinaryOp, Type};

impl Symbolizer<'_> {
    /// Facts of a condition that holds, and of one that does not; `None` where it says nothing.
    pub(super) fn facts(
        &mut self,
        condition: &Expr,
        scope: &mut Scope,
    ) -> [Option<Vec<Polynomial>>; 2] {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return [None, None] };
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let [left, right] = [left, right].map(|it| self.facts(it, scope));
            let at = usize::from(*op == BinaryOp::Or);
            let mut both = [None, None];
            both[at] = left[at].clone().zip(right[at].clone()).map(|(a, b)| [a, b].concat());
            return both;
        }
        if left.element != Type::I64 || right.element != Type::I64 {
            return [None, None];
        }
        let left = self.value(left, scope);
        let right = self.value(right, scope);
        let one = Polynomial::constant(1);
        let (less, more) = (&right - &left, &left - &right);
        let facts = match op {
            BinaryOp::Less => [Some(vec![&less - &one]), Some(vec![more])],
            BinaryOp::LessEqual => [Some(vec![less]), Some(vec![&more - &one])],
            BinaryOp::Greater => [Some(vec![&more - &one]), Some(vec![less])],
            BinaryOp::GreaterEqual => [Some(vec![more]), Some(vec![&less - &one])],
            BinaryOp::Equal => [Some(vec![less, more]), None],
            BinaryOp::NotEqual => [None, Some(vec![less, more])],
            _ => [None, None],
        };
        facts.map(|it| it.filter(|it| it.iter().all(|it| scope.is_known(it))))
    }

    /// Facts that are enough for a condition to hold, or not to: of two numbers that differ, the first is the
    /// greater.
    pub(super) fn enough(
        &mut self,
        condition: &Expr,
        holds: bool,
        scope: &mut Scope,
    ) -> Option<Vec<Polynomial>> {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return None };
        match (op, holds) {
            (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                let left = self.enough(left, holds, scope)?;
                Some([left, self.enough(right, holds, scope)?].concat())
            }
            (BinaryOp::And, false) | (BinaryOp::Or, true) => {
                let left = self.enough(left, holds, scope);
                left.or_else(|| self.enough(right, holds, scope))
            }
            (BinaryOp::NotEqual, true) | (BinaryOp::Equal, false)
                if left.element == Type::I64 && right.element == Type::I64 =>
            {
                let more = &self.value(left, scope) - &self.value(right, scope);
                let fact = &more - &Polynomial::constant(1);
                scope.is_known(&fact).then(|| vec![fact])
            }
            _ => {
                let [holding, failing] = self.facts(condition, scope);
                if holds { holding } else { failing }
            }
        }
    }
}
