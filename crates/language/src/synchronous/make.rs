//! Parts of listings that are made, and names that are changed.

use std::collections::HashMap;

use crate::diagnostic::Span;
use crate::syntax::{
    BinaryOp, ExprNode, ExprNodeKind, Extent, ForNode, Name, Order, StatementKind, StatementNode,
    Target, UnaryOp,
};

pub(super) fn named(text: &str, span: Span) -> Name {
    Name { text: text.to_owned(), span }
}

pub(super) fn expr(kind: ExprNodeKind, span: Span) -> ExprNode {
    ExprNode { kind, span }
}

pub(super) fn name(text: &str, span: Span) -> ExprNode {
    expr(ExprNodeKind::Name(text.to_owned()), span)
}

pub(super) fn element(array: &str, indices: Vec<ExprNode>, span: Span) -> ExprNode {
    expr(ExprNodeKind::Element { array: array.to_owned(), indices }, span)
}

pub(super) fn not(of: ExprNode) -> ExprNode {
    let span = of.span;
    expr(ExprNodeKind::Unary(UnaryOp::Not, Box::new(of)), span)
}

pub(super) fn binary(op: BinaryOp, left: ExprNode, right: ExprNode) -> ExprNode {
    let span = left.span;
    expr(ExprNodeKind::Binary(op, Box::new(left), Box::new(right)), span)
}

pub(super) fn assign(
    target: &str,
    indices: Vec<ExprNode>,
    value: ExprNode,
    span: Span,
) -> StatementNode {
    let target = named(target, span);
    StatementNode { kind: StatementKind::Assign { target, declared: None, indices, value }, span }
}

pub(super) fn branch(condition: ExprNode, then: Vec<StatementNode>) -> StatementNode {
    let span = condition.span;
    StatementNode { kind: StatementKind::If { condition, then, otherwise: vec![] }, span }
}

/// Loops inside each other around statements.
pub(super) fn around(heads: &[ForNode], body: Vec<StatementNode>, span: Span) -> StatementNode {
    let mut body = body;
    for head in heads.iter().rev() {
        let node = ForNode { body, ..head.clone() };
        body = vec![StatementNode { kind: StatementKind::For(node), span }];
    }
    body.remove(0)
}

/// A parallel loop over all elements of an array with these extents, and its indices.
pub(super) fn over(extents: &[Extent], variables: &[String], span: Span) -> Vec<ForNode> {
    let integer = |it| expr(ExprNodeKind::Integer(it), span);
    let head = |(extent, variable): (&Extent, &String)| {
        let to = match &extent.first {
            Some(_) => extent.size.clone(),
            None => binary(BinaryOp::Subtract, extent.size.clone(), integer(1)),
        };
        ForNode {
            variable: named(variable, span),
            from: extent.first.clone().unwrap_or_else(|| integer(0)),
            to,
            downward: false,
            step: None,
            order: Order::InParallel,
            arrays: vec![],
            body: vec![],
        }
    };
    extents.iter().zip(variables).map(head).collect()
}

/// An expression that reads other arrays in place of some.
pub(super) fn renamed(of: &ExprNode, names: &HashMap<String, String>) -> ExprNode {
    let deeper = |it: &ExprNode| renamed(it, names);
    let all = |them: &[ExprNode]| them.iter().map(deeper).collect();
    let kind = match &of.kind {
        ExprNodeKind::Element { array, indices } => ExprNodeKind::Element {
            array: names.get(array).unwrap_or(array).clone(),
            indices: all(indices),
        },
        ExprNodeKind::Call { function, arguments } => {
            ExprNodeKind::Call { function: function.clone(), arguments: all(arguments) }
        }
        ExprNodeKind::Unary(op, it) => ExprNodeKind::Unary(*op, Box::new(deeper(it))),
        ExprNodeKind::Floor(it) => ExprNodeKind::Floor(Box::new(deeper(it))),
        ExprNodeKind::Ceiling(it) => ExprNodeKind::Ceiling(Box::new(deeper(it))),
        ExprNodeKind::Binary(op, left, right) => {
            ExprNodeKind::Binary(*op, Box::new(deeper(left)), Box::new(deeper(right)))
        }
        ExprNodeKind::Conditional(parts) => {
            let [a, b, c] = &**parts;
            ExprNodeKind::Conditional(Box::new([deeper(a), deeper(b), deeper(c)]))
        }
        other => other.clone(),
    };
    expr(kind, of.span)
}

/// Statements whose reads are of other arrays; a swap becomes two assignments.
pub(super) fn reading(statement: &StatementNode, names: &HashMap<String, String>) -> StatementNode {
    let of = |it: &ExprNode| renamed(it, names);
    let all = |them: &[ExprNode]| them.iter().map(of).collect::<Vec<_>>();
    let block =
        |them: &[StatementNode]| them.iter().map(|it| reading(it, names)).collect::<Vec<_>>();
    let target = |it: &Target| Target { name: it.name.clone(), indices: all(&it.indices) };
    let kind = match &statement.kind {
        StatementKind::Assign { target, declared, indices, value } => StatementKind::Assign {
            target: target.clone(),
            declared: *declared,
            indices: all(indices),
            value: of(value),
        },
        StatementKind::Several { targets, values } => StatementKind::Several {
            targets: targets.iter().map(target).collect(),
            values: all(values),
        },
        StatementKind::Swap([left, right])
            if !left.indices.is_empty() && !right.indices.is_empty() =>
        {
            let value = |it: &Target| of(&element(&it.name.text, it.indices.clone(), it.name.span));
            StatementKind::Several {
                targets: vec![target(left), target(right)],
                values: vec![value(right), value(left)],
            }
        }
        StatementKind::For(it) => StatementKind::For(ForNode {
            from: of(&it.from),
            to: of(&it.to),
            step: it.step.as_ref().map(of),
            body: block(&it.body),
            ..it.clone()
        }),
        StatementKind::While { condition, decreases, body } => StatementKind::While {
            condition: of(condition),
            decreases: decreases.as_ref().map(of),
            body: block(body),
        },
        StatementKind::Repeat { body, until } => {
            StatementKind::Repeat { body: block(body), until: of(until) }
        }
        StatementKind::If { condition, then, otherwise } => StatementKind::If {
            condition: of(condition),
            then: block(then),
            otherwise: block(otherwise),
        },
        other => other.clone(),
    };
    StatementNode { kind, span: statement.span }
}
