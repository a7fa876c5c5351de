//! What a procedure is given when it is checked by itself: arrays of any extent, and unknown scalars.

use super::sizes::SizeKind;
use super::{Outliner, of, unknown_of};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Extent, Formal, Listing, Name,
    ParameterNode, Procedure, Role, StatementKind, StatementNode, Type,
};

type Result<T> = std::result::Result<T, Diagnostic>;

impl Outliner<'_> {
    /// What a procedure is given for one of its parameters, when it is checked by itself.
    pub(super) fn given(
        &self,
        procedure: &Procedure,
        formal: &Formal,
        (times, sizes): (u64, &[SizeKind]),
        made: &mut Listing,
    ) -> Result<ExprNode> {
        let span = formal.name.span;
        let Some(first) = formal.extents.first() else {
            return Ok(self.given_scalar(procedure, &formal.name, (times, sizes)));
        };
        let key = (procedure.name.text.clone(), formal.name.text.clone());
        let Some(&element) = self.elements.get(&key) else {
            let what = format!("the type of `{}` is not known", formal.name.text);
            return Err(Diagnostic::new(span, what));
        };
        let size = |it: &Name| {
            let size = name(of(procedure, &it.text), span);
            binary(BinaryOp::Multiply, integer(times, span), size)
        };
        let array = of(procedure, &formal.name.text);
        // A part of an array has rows as long as the array's.
        let mut extents = vec![Extent { first: None, size: size(first) }];
        for at in 1..formal.extents.len() {
            let row = format!("row {at} of {array}");
            made.parameters
                .push(ParameterNode { name: Name { text: row.clone(), span }, default: None });
            extents.push(Extent { first: None, size: name(row, span) });
        }
        made.arrays.push(declaration(array.clone(), extents, element, procedure));
        if formal.extents.len() == 1 {
            return Ok(name(array, span));
        }
        let range = |it| {
            let last = binary(BinaryOp::Subtract, size(it), integer(1, span));
            (integer(0, span), Some(last))
        };
        let ranges = formal.extents.iter().map(range).collect();
        Ok(ExprNode { kind: ExprNodeKind::Slice { array, ranges }, span })
    }

    fn given_scalar(
        &self,
        procedure: &Procedure,
        scalar: &Name,
        (times, sizes): (u64, &[SizeKind]),
    ) -> ExprNode {
        let span = scalar.span;
        let less = |of: ExprNode, by: u64| binary(BinaryOp::Subtract, of, integer(by, span));
        for size in sizes {
            let own = name(of(procedure, &size.name()), span);
            let own = binary(BinaryOp::Multiply, integer(times, span), own);
            match size {
                SizeKind::Scalar(it) if *it == scalar.text => return less(own, 1),
                SizeKind::Range(first, last) if [first, last].contains(&&scalar.text) => {
                    let position = size.position().unwrap_or_default();
                    let position = name(of(procedure, &position), span);
                    return match *first == scalar.text {
                        true => less(position, 1),
                        false => less(binary(BinaryOp::Add, position, own), 2),
                    };
                }
                _ => {}
            }
        }
        unknown(self.scalar(&scalar.text), span)
    }
}

/// What follows an arm that is left by `return` as the other arm.
pub(super) fn without_returns(statements: &[StatementNode]) -> Vec<StatementNode> {
    let mut made: Vec<StatementNode> = vec![];
    for (at, statement) in statements.iter().enumerate() {
        let rest = &statements[at + 1..];
        let StatementKind::If { condition, then, otherwise } = &statement.kind else {
            made.push(statement.clone());
            continue;
        };
        let is_left = |it: &[StatementNode]| {
            it.last().is_some_and(|it| matches!(it.kind, StatementKind::Return { .. }))
        };
        if rest.is_empty() || !is_left(then) || !otherwise.is_empty() {
            made.push(statement.clone());
            continue;
        }
        let mut then = then.clone();
        if let Some(StatementKind::Return { values, .. }) = then.last().map(|it| &it.kind)
            && values.is_empty()
            && then.len() > 1
        {
            then.pop();
        }
        let otherwise = without_returns(rest);
        let kind = StatementKind::If { condition: condition.clone(), then, otherwise };
        made.push(StatementNode { kind, span: statement.span });
        return made;
    }
    made
}

pub(super) fn declaration(
    text: String,
    extents: Vec<Extent>,
    element: Type,
    procedure: &Procedure,
) -> ArrayDeclaration {
    let name = Name { text, span: procedure.name.span };
    ArrayDeclaration { role: Role::Inout, name, extents, element, layout: None, fields: vec![] }
}

pub(super) fn name(text: String, span: Span) -> ExprNode {
    ExprNode { kind: ExprNodeKind::Name(text), span }
}

pub(super) fn integer(value: u64, span: Span) -> ExprNode {
    ExprNode { kind: ExprNodeKind::Integer(value), span }
}

pub(super) fn binary(op: BinaryOp, left: ExprNode, right: ExprNode) -> ExprNode {
    let span = left.span;
    ExprNode { kind: ExprNodeKind::Binary(op, Box::new(left), Box::new(right)), span }
}

pub(super) fn unknown(element: Type, span: Span) -> ExprNode {
    let indices = vec![integer(0, span)];
    ExprNode { kind: ExprNodeKind::Element { array: unknown_of(element), indices }, span }
}
