//! Calls of procedures that call themselves, as stores of the sizes that they are given.

use super::arguments::{binary, integer, name};
use super::sizes::{SizeKind, sizes};
use super::{Around, Outliner, call_of};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::{
    BinaryOp, ExprNode, ExprNodeKind, Extent, Name, Procedure, StatementKind, StatementNode,
};

type Result<T> = std::result::Result<T, Diagnostic>;

impl Outliner<'_> {
    /// A store that stands for a call.
    pub(super) fn call(
        &self,
        procedure: &Procedure,
        arguments: &[ExprNode],
        span: Span,
        around: Around<'_>,
    ) -> Result<StatementNode> {
        let mut extents: Vec<(&str, ExprNode)> = vec![];
        for (formal, argument) in procedure.parameters.iter().zip(arguments) {
            if formal.extents.is_empty() {
                extents.push((&formal.name.text, argument.clone()));
                continue;
            }
            let own = self.extents(argument, around)?;
            for (name, size) in formal.extents.iter().zip(own) {
                if !extents.iter().any(|it| it.0 == name.text) {
                    extents.push((&name.text, size));
                }
            }
        }
        let of = |name: &String| extents.iter().find(|it| it.0 == name).map(|it| it.1.clone());
        let more = |it| binary(BinaryOp::Add, it, integer(1, span));
        let sizes = sizes(procedure);
        let given = sizes.iter().map(|size| match size {
            SizeKind::Extent(name) => of(name),
            SizeKind::Scalar(name) => of(name).map(more),
            SizeKind::Range(first, last) => {
                Some(more(binary(BinaryOp::Subtract, of(last)?, of(first)?)))
            }
        });
        let positions = sizes.iter().filter_map(|size| match size {
            SizeKind::Range(first, _) => of(first).map(more),
            _ => None,
        });
        let mut indices: Vec<ExprNode> = given.flatten().chain(positions).collect();
        if indices.is_empty() {
            indices.push(integer(0, span));
        }
        let target = Name { text: call_of(procedure), span };
        let kind =
            StatementKind::Assign { target, declared: None, indices, value: integer(0, span) };
        Ok(StatementNode { kind, span })
    }

    /// The extents of what is given for an array.
    fn extents(&self, argument: &ExprNode, around: Around<'_>) -> Result<Vec<ExprNode>> {
        let span = argument.span;
        let size = |first: &ExprNode, last: &ExprNode| {
            let less = binary(BinaryOp::Subtract, last.clone(), first.clone());
            binary(BinaryOp::Add, less, integer(1, span))
        };
        match &argument.kind {
            ExprNodeKind::Slice { ranges, .. } => {
                let all =
                    ranges.iter().filter_map(|(first, last)| Some(size(first, last.as_ref()?)));
                Ok(all.collect())
            }
            ExprNodeKind::Name(array) => {
                let formal =
                    around.and_then(|it| it.parameters.iter().find(|it| it.name.text == *array));
                if let Some(formal) = formal {
                    return Ok(formal
                        .extents
                        .iter()
                        .map(|it| name(it.text.clone(), span))
                        .collect());
                }
                let declared = self.listing.arrays.iter().find(|it| it.name.text == *array);
                let Some(declared) = declared else {
                    let what = "it is given an array of a loop";
                    return Err(Diagnostic::new(span, what));
                };
                let extent = |it: &Extent| match &it.first {
                    None => it.size.clone(),
                    Some(first) => size(first, &it.size),
                };
                Ok(declared.extents.iter().map(extent).collect())
            }
            _ => Err(Diagnostic::new(span, "it is given no array")),
        }
    }
}
