//! Functions that are there without being defined; one that the listing defines goes before.

use super::extents::count;
use super::types::{TypeEstimate, Typed, known};
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::parser::arity;
use crate::program::{Expr, ExprKind, WarpOp};
use crate::syntax::{self, BinaryOp, Type, UnaryOp};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuiltIn {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Warp(WarpOp),
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
            _ => return WarpOp::of(name).map(Self::Warp),
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
            (BuiltIn::Warp(op), _) if op.arity() == arguments.len() => {
                self.warp_word(op, arguments, span)?
            }
            (BuiltIn::Warp(op), _) => {
                let takes = count(op.arity(), "argument");
                return Err(arity(span, name, &takes, arguments.len()));
            }
            (BuiltIn::Unary(_), _) => {
                return Err(arity(span, name, "one argument", arguments.len()));
            }
            (BuiltIn::Binary(_), _) => {
                return Err(arity(span, name, "two arguments", arguments.len()));
            }
        };
        Ok(Typed { expr: Expr { kind, element: inferred.settled(), span }, inferred })
    }

    fn warp_word(
        &mut self,
        op: WarpOp,
        arguments: &[syntax::ExprNode],
        span: Span,
    ) -> Result<(ExprKind, TypeEstimate)> {
        let mut operands = vec![];
        let element = match (op, arguments) {
            (WarpOp::Any | WarpOp::All | WarpOp::Ballot, [condition]) => {
                operands.push(self.boolean(condition, "what threads of a warp are asked")?);
                if op == WarpOp::Ballot { Type::U64 } else { Type::Bool }
            }
            (_, [value, of @ ..]) => {
                let value = self.typed(value)?.settle();
                let element = value.element;
                operands.push(value);
                for it in of {
                    operands.push(self.integer(it, "a lane")?);
                }
                element
            }
            _ => Type::I64,
        };
        if let WarpOp::Reduce(of) = op {
            let is_of_bits = matches!(of, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
            if !(element.is_integer() || !is_of_bits && element.is_float()) {
                let wants = if is_of_bits { "integers" } else { "numbers" };
                let message = format!("expected {wants} of a warp, found {}", element.word());
                return Err(Diagnostic::new(span, message));
            }
        }
        Ok((ExprKind::Warp(op, operands.into()), TypeEstimate::Known(element)))
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
