//! Operations that may fail.

use std::ops::RangeInclusive;

use super::program::{Expr, ExprKind};
use super::syntax::BinaryOp;

impl Expr {
    /// If evaluating this very operation may fail: the operand that decides it, and the values of
    /// that operand with which it does not for sure.
    pub fn hazard(&self) -> Option<(&Self, RangeInclusive<i64>)> {
        let (operand, safe): (&Self, _) = match &self.kind {
            ExprKind::Binary(BinaryOp::Divide | BinaryOp::Modulo, _, by) => match by.kind {
                _ if by.element.is_float() => return None,
                ExprKind::Integer(..0) => (by, i64::MIN..=-1),
                _ => (by, 1..=i64::MAX),
            },
            ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, _, by) => {
                (by, 0..=i64::from(self.element.bits()) - 1)
            }
            ExprKind::Entry(_, index, entries) => (index.as_ref(), 0..=*entries - 1),
            ExprKind::Binary(BinaryOp::Power, of, by) if of.element.is_integer() => {
                (by, 0..=i64::MAX)
            }
            ExprKind::Convert(operand)
                if operand.element.is_integer()
                    && self.element.is_integer()
                    && !self.element.holds(operand.element) =>
            {
                // What an i64 does not hold of a u64 is negative here.
                let least = if operand.element.is_signed() { i64::MIN } else { 0 };
                let limits = self.element.limits();
                (operand, least.max(*limits.start())..=*limits.end())
            }
            _ => return None,
        };
        let is_safe = matches!(operand.kind, ExprKind::Integer(value) if safe.contains(&value));
        (!is_safe).then_some((operand, safe))
    }
}
