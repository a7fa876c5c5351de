//! Types while they are being inferred, and the conversions that assignments make by themselves.

use std::fmt;

use crate::diagnostic::{Diagnostic, Span};
use crate::program::{Expr, ExprKind};
use crate::syntax::{BinaryOp, Type, short_float};

/// The type of an expression or scalar as far as it is known. Literals adapt to what they meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeEstimate {
    /// Nothing but integer literals so far: any numeric type will do.
    AnyNumber,
    /// Float literals or ∞ so far: f32 or f64.
    AnyFloat,
    Known(Type),
}

impl TypeEstimate {
    /// The type if nothing narrows it down.
    pub(super) const fn settled(self) -> Type {
        match self {
            Self::AnyNumber => Type::I64,
            Self::AnyFloat => Type::F64,
            Self::Known(element) => element,
        }
    }

    /// The smallest type that holds values of both; u64 where no type of integers does; integers with
    /// floats become the float. `None` if booleans meet numbers.
    pub(super) fn join(self, other: Self) -> Option<Self> {
        use TypeEstimate::{AnyFloat, AnyNumber, Known};
        Some(match (self, other) {
            (a, b) if a == b => a,
            (Known(Type::Bool), _) | (_, Known(Type::Bool)) => return None,
            (AnyNumber, b) => b,
            (a, AnyNumber) => a,
            (AnyFloat, Known(element)) | (Known(element), AnyFloat) => {
                if element.is_float() {
                    Known(element)
                } else {
                    AnyFloat
                }
            }
            (Known(a), Known(b)) => Known(match (a.is_float(), b.is_float()) {
                (true, true) => a.of_floats(b),
                (true, false) => a,
                (false, true) => b,
                (false, false) => a.of_both(b),
            }),
            (AnyFloat, AnyFloat) => AnyFloat,
        })
    }

    pub(super) const fn is_number(self) -> bool {
        !matches!(self, Self::Known(Type::Bool))
    }

    pub(super) const fn is_integer(self) -> bool {
        match self {
            Self::AnyNumber => true,
            Self::AnyFloat => false,
            Self::Known(element) => element.is_integer(),
        }
    }
}

impl fmt::Display for TypeEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AnyNumber => "an integer",
            Self::AnyFloat => "a float",
            Self::Known(element) => element.word(),
        })
    }
}

/// An expression with what is known of its type; `expr.element` is the settled type.
#[derive(Clone)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) inferred: TypeEstimate,
}

impl Typed {
    pub(super) fn settle(self) -> Expr {
        self.expr
    }

    /// The expression as a value of type `to`, if an assignment may convert it by itself: numbers
    /// to floats of at least the same kind, integers to integers (checked when it happens).
    pub(super) fn coerce(self, to: Type) -> Result<Expr, Diagnostic> {
        let Self { expr, inferred } = self;
        if expr.element == to && !matches!(expr.kind, ExprKind::Integer(_)) {
            return Ok(expr);
        }
        let span = expr.span;
        let literal = match expr.kind {
            ExprKind::Integer(bits)
                if expr.element == Type::U64 && inferred != TypeEstimate::AnyNumber =>
            {
                let value = bits.cast_unsigned();
                match to {
                    _ if to.is_float() => of_float(value as f64, to),
                    Type::U64 => Some(ExprKind::Integer(bits)),
                    _ => {
                        let message = format!("{value} does not fit {}", to.word());
                        return Err(Diagnostic::new(span, message));
                    }
                }
            }
            ExprKind::Integer(value) if to.is_float() => of_float(value as f64, to),
            ExprKind::Integer(value) if to.is_integer() => {
                if !in_range(value, to) {
                    let message = format!("{value} does not fit {}", to.word());
                    return Err(Diagnostic::new(span, message));
                }
                Some(ExprKind::Integer(value))
            }
            ExprKind::Float(value) if inferred == TypeEstimate::AnyFloat && to.is_float() => {
                of_float(value, to)
            }
            _ => None,
        };
        if let Some(kind) = literal {
            return Ok(Expr { kind, element: to, span });
        }
        let expr = match expr.kind {
            // A shifted literal is shifted in the type that it takes; likewise a power of one.
            ExprKind::Binary(op, left, right)
                if op.takes_number()
                    && inferred == TypeEstimate::AnyNumber
                    && (to.is_integer() || op == BinaryOp::Power) =>
            {
                let left = Box::new(Self { expr: *left, inferred }.coerce(to)?);
                return Ok(Expr { kind: ExprKind::Binary(op, left, right), element: to, span });
            }
            kind => Expr { kind, ..expr },
        };
        let from = expr.element;
        let allowed = match inferred {
            _ if from == Type::Bool || to == Type::Bool => false,
            TypeEstimate::AnyFloat => to.is_float(),
            _ if to.is_float() => from.is_integer() || from.of_floats(to) == to,
            _ => from.is_integer(),
        };
        if !allowed {
            let error = Diagnostic::new(span, format!("expected {}, found {inferred}", to.word()));
            return Err(match to {
                Type::Bool => error.help("compare, as in `x ≠ 0`"),
                _ if from == Type::Bool => error.help("write `if x then 1 else 0`"),
                _ if inferred == TypeEstimate::AnyFloat => {
                    error.help("integers have no such value")
                }
                _ => error.help(format!("convert it: `{}(…)`", to.word())),
            });
        }
        Ok(Expr { kind: ExprKind::Convert(Box::new(expr)), element: to, span })
    }
}

/// An expression of a type that nothing changes any more.
pub(super) const fn known(kind: ExprKind, element: Type, span: Span) -> Typed {
    Typed { expr: Expr { kind, element, span }, inferred: TypeEstimate::Known(element) }
}

pub(super) fn in_range(value: i64, element: Type) -> bool {
    !element.is_integer() || element.limits().contains(&value)
}

/// A float, rounded to its type.
pub(super) fn of_float(value: f64, element: Type) -> Option<ExprKind> {
    let short = || short_float::rounded(element, value as f32);
    match element {
        Type::F32 => Some(ExprKind::Float(f64::from(value as f32))),
        Type::F64 => Some(ExprKind::Float(value)),
        Type::F16 | Type::Bf16 => {
            Some(ExprKind::Float(short_float::widened(element, short()).into()))
        }
        _ => None,
    }
}
