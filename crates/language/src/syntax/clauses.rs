//! What a listing says of its inputs and of its result, as written.

use super::{ExprNode, Name};

/// What a listing says of its inputs and of its result; no run's accesses or time depend on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clauses {
    /// What stands behind arrays' types: `from …`.
    pub origins: Vec<InputOrigin>,
    /// `reference FILE.alg`: a listing that computes the same, by its file or its shipped name.
    pub reference: Option<Name>,
    /// The lines `ensures …`.
    pub promises: Vec<Promise>,
    /// The lines `requires …`.
    pub requirements: Vec<RequirementNode>,
}

/// What an array holds unless another input is given: `from random(0, 1)`.
#[derive(Debug, Clone, PartialEq)]
pub struct InputOrigin {
    /// The array.
    pub array: String,
    /// What makes its numbers.
    pub word: Name,
    /// What stands behind the word, in brackets.
    pub arguments: Vec<OriginArgument>,
}

/// An argument of `from random(0, n-1)`.
#[derive(Debug, Clone, PartialEq)]
pub enum OriginArgument {
    /// A number, or letters, as written.
    Text(String),
    /// An expression of the parameters.
    Expression(ExprNode),
}

/// What holds before a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RequirementNode {
    /// `sorted(row)`: no element is less than the one before it, row by row.
    Sorted(Name),
    /// A condition over parameters and given arrays.
    Holds(ExprNode),
}

/// What holds after a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Promise {
    /// `sorted(b)`: no element is less than the one before it, row by row.
    Sorted(Name),
    /// `permutation(b, a)`: the array holds what another held before the run, in whatever order.
    Permutation {
        /// After the run.
        array: Name,
        /// Before it.
        of: Name,
    },
    /// `b = reference.b`.
    Equal {
        /// Of this listing.
        array: Name,
        /// Of the reference.
        of: Name,
    },
}
