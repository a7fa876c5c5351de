//! Assignments of several values at once, and swaps: all values are read, then all are written.

use super::types::Typed;
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{self, Block, ExprKind};
use crate::syntax::{self, ExprNode, Target};

impl Checker<'_> {
    pub(super) fn several(
        &mut self,
        targets: &[Target],
        values: &[ExprNode],
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        if let [call] = values
            && self.calls(call).is_some()
        {
            let values = self.results(call, targets.len(), block)?;
            return self.write(targets, values, span, block);
        }
        if values.len() != targets.len() {
            let (given, wanted) = (values.len(), targets.len());
            let message = format!("{given} values for {wanted} targets");
            return Err(
                Diagnostic::new(values[0].span, message).help("write one value for each target")
            );
        }
        let mut held = vec![];
        for value in values {
            let typed = self.typed(value)?;
            held.push(self.hold(typed, span, block)?);
        }
        self.write(targets, held, span, block)
    }

    /// Reads left, then right; writes left, then right.
    pub(super) fn swap(
        &mut self,
        targets: &[Target; 2],
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        let mut held = vec![];
        for target in targets {
            let typed = self.typed(&read(target))?;
            held.push(self.hold(typed, span, block)?);
        }
        held.reverse();
        self.write(targets, held, span, block)
    }

    fn write(
        &mut self,
        targets: &[Target],
        values: Vec<Typed>,
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        for (Target { name, indices }, value) in targets.iter().zip(values) {
            let assignment = self.assign(name, None, indices, value, span)?;
            block.push(assignment);
        }
        Ok(())
    }

    /// The value in a register of its own, which no later assignment changes; a constant as it is.
    pub(super) fn hold(&mut self, value: Typed, span: Span, block: &mut Block) -> Result<Typed> {
        let changes = |it: &program::Expr| {
            matches!(it.kind, ExprKind::Scalar(_) | ExprKind::Element(_) | ExprKind::Let(..))
        };
        if !value.expr.parts().any(changes) {
            return Ok(value);
        }
        let (inferred, place) = (value.inferred, value.expr.span);
        let target = self.scope.unnamed("held", inferred);
        self.assigned.insert(target);
        let element = inferred.settled();
        let value = value.coerce(element)?;
        block.push(program::Statement::Assign { target, value, span });
        let expr = program::Expr { kind: ExprKind::Scalar(target), element, span: place };
        Ok(Typed { expr, inferred })
    }
}

/// What a target holds before it is written.
fn read(target: &Target) -> ExprNode {
    let Target { name, indices } = target;
    let kind = if indices.is_empty() {
        syntax::ExprNodeKind::Name(name.text.clone())
    } else {
        syntax::ExprNodeKind::Element { array: name.text.clone(), indices: indices.clone() }
    };
    ExprNode { kind, span: name.span }
}
