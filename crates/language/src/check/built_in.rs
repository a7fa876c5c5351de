//! Functions that are there without being defined; one that the listing defines goes before.

use super::types::{Typed, known};
use super::{Checker, Result};
use crate::diagnostic::Span;
use crate::parser::arity;
use crate::program::{Expr, ExprKind};
use crate::syntax::{self, BinaryOp, Type, UnaryOp};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuiltIn {
    Unary(UnaryOp),
    Binary(BinaryOp),
}

impl BuiltIn {
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "popcount" => Self::Unary(UnaryOp::Popcount),
            "clz" => Self::Unary(UnaryOp::LeadingZeros),
            "sin" => Self::Unary(UnaryOp::Sin),
            "cos" => Self::Unary(UnaryOp::Cos),
            "tan" => Self::Unary(UnaryOp::Tan),
            "exp" => Self::Unary(UnaryOp::Exp),
            "log" => Self::Unary(UnaryOp::Log),
            "log2" => Self::Unary(UnaryOp::Log2),
            "rotl" => Self::Binary(BinaryOp::RotateLeft),
            "rotr" => Self::Binary(BinaryOp::RotateRight),
            "mulhi" => Self::Binary(BinaryOp::MultiplyHigh),
            "pow" => Self::Binary(BinaryOp::Power),
            "atan2" => Self::Binary(BinaryOp::Angle),
            _ => return None,
        })
    }
}

impl Checker<'_> {
    pub(super) fn built_in(
        &mut self,
        function: BuiltIn,
        name: &str,
        arguments: &[syntax::ExprNode],
        span: Span,
    ) -> Result<Typed> {
        let (kind, inferred) = match (function, arguments) {
            (BuiltIn::Unary(op), [operand]) => self.unary(op, operand, span)?,
            (BuiltIn::Binary(op), [left, right]) => self.binary(op, left, right, span)?,
            (BuiltIn::Unary(_), _) => {
                return Err(arity(span, name, "one argument", arguments.len()));
            }
            (BuiltIn::Binary(_), _) => {
                return Err(arity(span, name, "two arguments", arguments.len()));
            }
        };
        Ok(Typed { expr: Expr { kind, element: inferred.settled(), span }, inferred })
    }
}

/// ⌊log₂ x⌋ = 63 − the zeros above the highest one of x, ⌈log₂ x⌉ = 64 − those of x − 1.
pub(super) fn rounded_logarithm(up: bool, of: Typed, span: Span) -> Result<Typed> {
    let integer = |kind| Expr { kind, element: Type::I64, span };
    let less = |left: Expr, right: Expr| {
        integer(ExprKind::Binary(BinaryOp::Subtract, Box::new(left), Box::new(right)))
    };
    let number = |value| integer(ExprKind::Integer(value));
    let of = of.coerce(Type::I64)?;
    let (bits, of) = if up { (64, less(of, number(1))) } else { (63, of) };
    let zeros = integer(ExprKind::Unary(UnaryOp::LeadingZeros, Box::new(of)));
    Ok(known(less(number(bits), zeros).kind, Type::I64, span))
}
