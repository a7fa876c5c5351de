//! Operations on indices and bounds, as polynomials.

use super::polynomial::{Polynomial, further};
use super::ranges::Ranges;
use super::uses::Fact;
use crate::syntax::{BinaryOp, ExprNode, ExprNodeKind};

impl Ranges<'_> {
    /// The variable of a loop over blocks, in an index that has more than it.
    pub(super) fn block<'f>(&self, index: &Polynomial, facts: &'f [Fact]) -> Option<&'f str> {
        let is_more = index.names().count() > 1;
        facts.iter().filter(|_| is_more).find_map(|it| match it {
            Fact::Block(name) if index.names().any(|it| it == name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The variable of a loop over blocks from which a bound counts on.
    pub(super) fn start_of_block<'f>(
        &self,
        bound: &Polynomial,
        facts: &'f [Fact],
    ) -> Option<&'f str> {
        facts.iter().find_map(|it| match it {
            Fact::Block(name)
                if *bound != Polynomial::name(name) && bound.names().any(|it| it == name) =>
            {
                Some(name.as_str())
            }
            _ => None,
        })
    }

    pub(super) fn binary(
        &self,
        op: BinaryOp,
        sides: [&ExprNode; 2],
        expr: &ExprNode,
        facts: &[Fact],
        depth: usize,
    ) -> Option<Polynomial> {
        let [left, right] = sides.map(|it| self.polynomial(it, facts, depth + 1));
        let bound =
            |of: &Polynomial, upward| self.sparing(|| self.bounded(of, upward, facts, depth + 1));
        let zero = || Some(Polynomial::number(0));
        match op {
            BinaryOp::Add => left?.plus(&right?, 1),
            BinaryOp::Subtract => left?.plus(&right?, -1),
            BinaryOp::Multiply => left?.times(&right?),
            BinaryOp::ShiftLeft => {
                let by = right?.constant().filter(|it| (0..40).contains(it))?;
                left?.times(&Polynomial::number(1 << by))
            }
            BinaryOp::Power => {
                let (base, exponent) = (left?.constant(), right.clone()?.constant());
                if let (Some(base), Some(exponent)) = (base, exponent) {
                    return base.checked_pow(u32::try_from(exponent).ok()?).map(Polynomial::number);
                }
                if let Some(it) = self.of_sizes(expr) {
                    return Some(it);
                }
                let right = right?;
                let least = bound(&right, false)
                    .and_then(|it| it.constant())
                    .filter(|it| (0..40).contains(it))
                    .unwrap_or(0);
                let least = base
                    .filter(|it| *it > 0)
                    .and_then(|it| it.checked_pow(u32::try_from(least).ok()?));
                let most = bound(&right, true)
                    .filter(|_| base == Some(2))
                    .and_then(|it| it.power_of_two());
                Some(self.of_text(expr, [least.map(Polynomial::number), most]))
            }
            BinaryOp::Divide | BinaryOp::ShiftRight => {
                let (left, right) = (left?, right?);
                let shift = |it: i64| {
                    if op == BinaryOp::Divide {
                        Some(it)
                    } else {
                        1_i64.checked_shl(u32::try_from(it).ok()?)
                    }
                };
                if let Some(by) = right.constant() {
                    return left.over(shift(by)?);
                }
                let least = bound(&right, false)
                    .and_then(|it| it.constant())
                    .unwrap_or(i64::from(op == BinaryOp::Divide));
                let least = shift(least).filter(|it| *it >= 1)?;
                let upper = bound(&left, true).and_then(|it| it.over(least));
                Some(self.opaque([zero(), upper]))
            }
            BinaryOp::Modulo => {
                let upper = right
                    .and_then(|it| bound(&it, true))
                    .and_then(|it| it.plus(&Polynomial::number(1), -1));
                Some(self.opaque([zero(), upper]))
            }
            BinaryOp::BitAnd => Some(self.opaque([zero(), right.and_then(|it| bound(&it, true))])),
            BinaryOp::BitXor => {
                Some(self.opaque([zero(), self.below_power(left?, right?, facts, depth)]))
            }
            BinaryOp::Min | BinaryOp::Max => {
                let (left, right) = (left?, right?);
                let of = |upward: bool| {
                    let sides = (bound(&left, upward), bound(&right, upward));
                    match (sides, upward == (op == BinaryOp::Min)) {
                        // Either bounds the lesser from above.
                        ((Some(a), Some(b)), true) => Some(further(a, b, !upward)),
                        ((Some(a), None) | (None, Some(a)), true) => Some(a),
                        ((Some(a), Some(b)), false) => Some(further(a, b, upward)),
                        _ => None,
                    }
                };
                Some(self.opaque([of(false), of(true)]))
            }
            _ => self.of_sizes(expr),
        }
    }

    /// Partners of a butterfly stay below the size, a power of two.
    fn below_power(
        &self,
        left: Polynomial,
        _right: Polynomial,
        facts: &[Fact],
        depth: usize,
    ) -> Option<Polynomial> {
        self.bounded(&left, true, facts, depth + 1)
    }

    /// `j - 1`, `h / 2` of j and h themselves: not further up.
    pub(super) fn stays_within(&self, value: &ExprNode, name: &str, upward: bool) -> bool {
        let ExprNodeKind::Binary(op, left, right) = &value.kind else {
            return match &value.kind {
                ExprNodeKind::Floor(of) | ExprNodeKind::Ceiling(of) => {
                    self.stays_within(of, name, upward)
                }
                ExprNodeKind::Name(of) => of == name,
                _ => false,
            };
        };
        let is_self = matches!(&left.kind, ExprNodeKind::Name(of) if of == name);
        let is_natural = match &right.kind {
            ExprNodeKind::Integer(_) => true,
            ExprNodeKind::Name(of) => self.is_size(of),
            _ => false,
        };
        let falls = matches!(
            op,
            BinaryOp::Subtract | BinaryOp::Divide | BinaryOp::ShiftRight | BinaryOp::Modulo
        );
        let rises = matches!(op, BinaryOp::Add | BinaryOp::Multiply | BinaryOp::ShiftLeft);
        is_self && is_natural && if upward { falls } else { rises }
    }
}
