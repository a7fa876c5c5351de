//! What may be less from call to call of a procedure: extents of arrays, and scalars.

use crate::check::recursion_unfolding::all;
use crate::syntax::{BinaryOp, ExprNode, ExprNodeKind, Procedure, StatementKind};

/// What may be less from call to call.
pub(super) enum SizeKind {
    /// Of an array that is given.
    Extent(String),
    /// A scalar that is given.
    Scalar(String),
    /// The numbers from a scalar to another.
    Range(String, String),
}

impl SizeKind {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Extent(name) => name.clone(),
            Self::Scalar(name) => format!("{name} + 1"),
            Self::Range(first, last) => format!("{last} - {first} + 1"),
        }
    }

    pub(super) fn position(&self) -> Option<String> {
        match self {
            Self::Range(first, _) => Some(format!("{first} + 1")),
            _ => None,
        }
    }
}

/// The sizes of what a procedure is given: extents, each once, and scalars that an `if` compares.
pub(super) fn sizes(procedure: &Procedure) -> Vec<SizeKind> {
    let mut names: Vec<String> = vec![];
    for name in procedure.parameters.iter().flat_map(|it| &it.extents) {
        if !names.contains(&name.text) {
            names.push(name.text.clone());
        }
    }
    let mut found: Vec<SizeKind> = names.into_iter().map(SizeKind::Extent).collect();
    let scalars = procedure.parameters.iter().filter(|it| it.extents.is_empty());
    let mut scalars: Vec<&str> = scalars.map(|it| it.name.text.as_str()).collect();
    for statement in all(&procedure.body) {
        if let StatementKind::If { condition, .. } = &statement.kind {
            compared(condition, &mut scalars, &mut found);
        }
    }
    found
}

/// Scalars that a condition compares with each other, or with numbers; each is taken once.
fn compared(condition: &ExprNode, scalars: &mut Vec<&str>, found: &mut Vec<SizeKind>) {
    let ExprNodeKind::Binary(op, left, right) = &condition.kind else { return };
    match op {
        BinaryOp::And | BinaryOp::Or => {
            compared(left, scalars, found);
            compared(right, scalars, found);
        }
        BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual
        | BinaryOp::Equal
        | BinaryOp::NotEqual => {
            let mut signed: Vec<(String, bool)> = vec![];
            let is_linear =
                summands(left, true, &mut signed) && summands(right, false, &mut signed);
            let known = signed.iter().all(|it| scalars.contains(&it.0.as_str()));
            if !is_linear || !known {
                return;
            }
            match &signed[..] {
                [(name, _)] => found.push(SizeKind::Scalar(name.clone())),
                // The first number of a range is named first.
                [(a, sign), (b, other)] if sign != other && a != b => {
                    let is_a = scalars.iter().find(|it| *it == a || *it == b) == Some(&a.as_str());
                    let (first, last) = if is_a { (a, b) } else { (b, a) };
                    found.push(SizeKind::Range(first.clone(), last.clone()));
                }
                _ => return,
            }
            scalars.retain(|it| signed.iter().all(|of| of.0 != *it));
        }
        _ => {}
    }
}

/// The names in a sum, each with whether it is added; whether it is a sum.
fn summands(of: &ExprNode, is_added: bool, signed: &mut Vec<(String, bool)>) -> bool {
    match &of.kind {
        ExprNodeKind::Integer(_) => true,
        ExprNodeKind::Name(name) => {
            signed.push((name.clone(), is_added));
            true
        }
        ExprNodeKind::Binary(BinaryOp::Add, left, right) => {
            summands(left, is_added, signed) && summands(right, is_added, signed)
        }
        ExprNodeKind::Binary(BinaryOp::Subtract, left, right) => {
            summands(left, is_added, signed) && summands(right, !is_added, signed)
        }
        _ => false,
    }
}
