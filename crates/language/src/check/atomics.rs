//! Atomics: what the statement makes of the element says which one it is.

use super::types::{TypeEstimate, Typed};
use super::{Checker, Result};
use crate::access::AccessKind;
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{self, Atomic, AtomicOp, AtomicSite, Block, Expr, ExprKind, SiteId};
use crate::syntax::{BinaryOp, ExprNode, ExprNodeKind, Name, Role, Target, Type};

/// What the operator is given, and what the word is compared with.
type Shape<'a> = (AtomicOp, &'a ExprNode, Option<&'a ExprNode>);

impl Checker<'_> {
    /// `result ← atomic target ← value`.
    pub(super) fn atomic(
        &mut self,
        result: Option<&Name>,
        target: &Target,
        value: &ExprNode,
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        let (op, operand, compare) = shape(target, value)?;
        // As of an assignment: the right side, then the indices, then the access.
        let operand = self.typed(operand)?;
        let compare = compare.map(|it| self.typed(it)).transpose()?;
        let name = &target.name;
        let access = self.access(&name.text, &target.indices, AccessKind::Write, name.span)?;
        let array = &self.arrays[access.array.0];
        let refuse =
            |message: String, help: &str| Err(Diagnostic::new(name.span, message).help(help));
        match array.role {
            Role::Input => {
                let message = format!("`{}` is an input and cannot be written", name.text);
                return refuse(message, "declare it `inout` if the algorithm changes it");
            }
            Role::Register => {
                let message =
                    format!("`{}` is in registers, which no other thread sees", name.text);
                return refuse(message, "leave out `atomic`");
            }
            _ => {}
        }
        if result.is_some() && !self.in_parallel {
            let message =
                "outside a parallel loop thread 0 runs alone: nobody comes between".to_owned();
            return refuse(message, "read the element, then write it");
        }
        let element = array.element;
        if !exists(op, element) {
            let message = format!("there is no such atomic of {}", element.word());
            let help =
                "of f32 and f64 there are sums, of f32 exchanges; of i32, u32, i64 and u64 all";
            return refuse(message, help);
        }
        let value = operand.coerce(element)?;
        let compare = compare.map(|it| it.coerce(element)).transpose()?;
        let SiteId(site) = access.site;
        let returns = result.is_some();
        self.sites[site].atomic = Some(AtomicSite { op, returns, is_serial: true });
        let inferred = TypeEstimate::Known(element);
        let old = result.map(|_| self.scope.unnamed("old", inferred));
        let atomic = Some(Box::new(Atomic { op, compare, old }));
        block.push(program::Statement::Store { access, value, atomic, span });
        if let (Some(result), Some(old)) = (result, old) {
            self.assigned.insert(old);
            let expr = Expr { kind: ExprKind::Scalar(old), element, span };
            let assignment = self.assign(result, None, &[], Typed { expr, inferred }, span)?;
            block.push(assignment);
        }
        Ok(())
    }
}

/// Whether devices have it.
const fn exists(op: AtomicOp, element: Type) -> bool {
    match element {
        Type::I32 | Type::U32 | Type::I64 | Type::U64 => true,
        Type::F32 => matches!(op, AtomicOp::Add | AtomicOp::Subtract | AtomicOp::Exchange),
        Type::F64 => matches!(op, AtomicOp::Add | AtomicOp::Subtract),
        _ => false,
    }
}

/// Which atomic it is that makes `value` of `target`.
fn shape<'a>(target: &Target, value: &'a ExprNode) -> Result<Shape<'a>> {
    let text = target.to_string();
    let is_target = |it: &ExprNode| it.to_string() == text;
    let found = match &value.kind {
        ExprNodeKind::Binary(op, left, right) => {
            let op = match op {
                BinaryOp::Add => Some(AtomicOp::Add),
                BinaryOp::Subtract => Some(AtomicOp::Subtract),
                BinaryOp::Min => Some(AtomicOp::Min),
                BinaryOp::Max => Some(AtomicOp::Max),
                BinaryOp::BitAnd => Some(AtomicOp::And),
                BinaryOp::BitOr => Some(AtomicOp::Or),
                BinaryOp::BitXor => Some(AtomicOp::Xor),
                _ => None,
            };
            match op {
                Some(op) if is_target(left) => Some((op, right.as_ref(), None)),
                Some(op) if is_target(right) && op != AtomicOp::Subtract => {
                    Some((op, left.as_ref(), None))
                }
                _ => None,
            }
        }
        ExprNodeKind::Conditional(parts) => match parts.as_ref() {
            [condition, then, otherwise] if is_target(otherwise) => match &condition.kind {
                ExprNodeKind::Binary(BinaryOp::Equal, left, right) if is_target(left) => {
                    Some((AtomicOp::CompareExchange, then, Some(right.as_ref())))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let mentions = |it: &ExprNode| it.to_string().contains(&text);
    match found {
        Some((_, operand, compare)) if mentions(operand) || compare.is_some_and(mentions) => {}
        Some(found) => return Ok(found),
        None if !mentions(value) => return Ok((AtomicOp::Exchange, value, None)),
        None => {}
    }
    let message = format!("no atomic makes this of `{text}`");
    let help = format!(
        "write `{text} + x`, `{text} - x`, `min({text}, x)`, `max({text}, x)`, `{text} & x`, `{text} | x`, \
         `{text} xor x`, a value without `{text}`, or `if {text} = c then x else {text}`"
    );
    Err(Diagnostic::new(value.span, message).help(help))
}
