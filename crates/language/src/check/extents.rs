//! Where the indices of an array begin, and how many there are.

use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::keyword::Keyword;
use crate::program::{Array, ArrayLayout, Expr, LayoutKind};
use crate::syntax::{ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Extent, LayoutNode, Role};

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

    /// In which order a declaration has the cells lie.
    pub(super) fn array_layout(&mut self, of: &ArrayDeclaration) -> Result<Option<ArrayLayout>> {
        let Some(LayoutNode { word, arguments }) = &of.layout else { return Ok(None) };
        let span = word.span;
        let is_of_records = matches!(&*word.text, "aos" | LayoutKind::SOA);
        if is_of_records && of.fields.is_empty() {
            let message = format!("`layout {}` is for records", word.text);
            return Err(Diagnostic::new(span, message)
                .help("declare fields, as in `input p[n] : {x, y, z : f32} layout soa`"));
        }
        if word.text == "aos" && arguments.is_empty() {
            return Ok(None);
        }
        let kind = LayoutKind::from_keyword(&word.text).map_err(|why| {
            Diagnostic::new(span, why)
                .help("write `layout column`, `tile(8, 8)`, `pad(1)` or `swizzle(5, 0, 5)`")
        })?;
        if of.role == Role::Register {
            return Err(Diagnostic::new(span, "registers have no addresses, so no layout")
                .help("drop `layout`"));
        }
        let wanted = kind.arguments(of.extents.len());
        if arguments.len() != wanted {
            let message =
                format!("`{}` takes {wanted} arguments here, not {}", word.text, arguments.len());
            return Err(Diagnostic::new(span, message)
                .help(format!("write it like `layout {}`", kind.example())));
        }
        let arguments = arguments.iter().map(|it| self.integer(it, "a layout"));
        Ok(Some(ArrayLayout { kind, arguments: arguments.collect::<Result<_>>()?, span }))
    }

    /// An access with another number of indices than the array takes.
    pub(super) fn wrong_rank(
        &self,
        name: &str,
        array: usize,
        (rank, given): (usize, usize),
        span: Span,
    ) -> Diagnostic {
        let Array { fields, extents, .. } = &self.arrays[array];
        match fields.first().filter(|_| rank == extents.len()) {
            Some(field) => {
                let has = count(rank - 1, "dimension");
                let indices = ["i", "j", "k", "…"][..(rank - 1).min(4)].join(", ");
                Diagnostic::new(span, format!("`{name}` holds records, in {has}"))
                    .help(format!("name a field of one, as in `{name}[{indices}].{field}`"))
            }
            None => {
                let (has, given) = (count(rank, "dimension"), count(given, "index"));
                Diagnostic::new(span, format!("`{name}` has {has}, not {given}"))
                    .help("give one index a dimension, with commas between")
            }
        }
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
pub(super) fn plus(node: ExprNode, number: i64) -> ExprNode {
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

pub(super) fn count(number: usize, what: &str) -> String {
    let plural = match what {
        _ if number == 1 => what.to_owned(),
        "index" => "indices".to_owned(),
        _ => format!("{what}s"),
    };
    format!("{number} {plural}")
}
