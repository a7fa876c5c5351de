//! What a listing says of its inputs, resolved.

use super::program::{ArrayId, Expr};
use crate::diagnostic::Span;

/// An argument of `from random(0, n-1)`.
#[derive(Debug, Clone)]
pub enum OriginValue {
    /// A number, or letters, as written.
    Text(String),
    /// Of type i64, over the parameters alone.
    Integer(Expr),
}

/// What holds before a run, or there is none: proofs use it, and a run checks it.
#[derive(Debug, Clone)]
pub enum Requirement {
    /// `requires sorted(a)`: no element of a given array is less than the one before it.
    Sorted(ArrayId, Span),
    /// `requires row[n] = m`: a condition over parameters and given arrays.
    Holds(Expr),
}

impl Requirement {
    /// What must hold, if it is a condition.
    pub(super) const fn condition(&self) -> Option<&Expr> {
        match self {
            Self::Sorted(..) => None,
            Self::Holds(condition) => Some(condition),
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Sorted(_, span) => *span,
            Self::Holds(condition) => condition.span,
        }
    }
}
