//! Where the indices of an array begin, and how many there are.

use super::{Checker, Result};
use crate::language::program::Expr;
use crate::language::syntax::{BinaryOp, ExprNode, ExprNodeKind, Extent};

impl Checker<'_> {
    /// What a declaration calls the first index, and how many indices there are.
    pub(super) fn extent(&mut self, extent: &Extent) -> Result<(Option<Expr>, Expr)> {
        let Some(first) = &extent.first else {
            return Ok((None, self.integer(&extent.size, "an extent")?));
        };
        let size = plus(less(extent.size.clone(), first), 1);
        let number = self.integer(first, "a first index")?;
        Ok((Some(number), self.integer(&size, "an extent")?))
    }

    /// Indices as the declaration of an array has them, counted from 0.
    pub(super) fn counted_from_zero(&self, array: &str, indices: &[ExprNode]) -> Vec<ExprNode> {
        let extents = self.declaration(array).unwrap_or(&[]);
        let first = |at: usize| extents.get(at).and_then(|it: &Extent| it.first.as_ref());
        let counted = |(at, index): (usize, &ExprNode)| match first(at) {
            Some(first) => less(index.clone(), first),
            None => index.clone(),
        };
        indices.iter().enumerate().map(counted).collect()
    }
}

/// `node` − `first`.
fn less(node: ExprNode, first: &ExprNode) -> ExprNode {
    if let ExprNodeKind::Integer(value) = first.kind
        && let Ok(value) = i64::try_from(value)
    {
        return plus(node, -value);
    }
    let span = node.span;
    let first = Box::new(ExprNode { span, ..first.clone() });
    ExprNode { kind: ExprNodeKind::Binary(BinaryOp::Subtract, Box::new(node), first), span }
}

/// `node` + `number`, with a number that the sum ends in already added to it.
fn plus(node: ExprNode, number: i64) -> ExprNode {
    let span = node.span;
    let literal = |value: u64| Box::new(ExprNode { kind: ExprNodeKind::Integer(value), span });
    let (node, number) = match node.kind {
        ExprNodeKind::Integer(value) => match value.checked_add_signed(number) {
            Some(value) => return ExprNode { kind: ExprNodeKind::Integer(value), span },
            None => (node, number),
        },
        ExprNodeKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let value = match right.kind {
                ExprNodeKind::Integer(value) => i64::try_from(value).ok(),
                _ => None,
            };
            let value = value.map(|it| if op == BinaryOp::Add { it } else { -it });
            match value.and_then(|it| it.checked_add(number)) {
                Some(total) => (*left, total),
                None => (ExprNode { kind: ExprNodeKind::Binary(op, left, right), span }, number),
            }
        }
        kind => (ExprNode { kind, span }, number),
    };
    let op = match number {
        0 => return ExprNode { span, ..node },
        1.. => BinaryOp::Add,
        _ => BinaryOp::Subtract,
    };
    ExprNode {
        kind: ExprNodeKind::Binary(op, Box::new(node), literal(number.unsigned_abs())),
        span,
    }
}
