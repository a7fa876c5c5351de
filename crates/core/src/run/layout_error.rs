//! Why a program has no layout for some sizes.

use thiserror::Error;

/// Why arrays have no place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LayoutError {
    /// A parameter without a value or a default: its name.
    #[error("the parameter `{0}` has no value")]
    MissingParameter(String),
    /// The same of one that is a real number.
    #[error("the parameter `{0}`, a real number, has no value")]
    MissingReal(String),
    /// A program that was unfolded for another value of a parameter.
    #[error("a procedure calls itself, and was unfolded for {parameter} = {unfolded}, not {value}")]
    Unfolded {
        /// The parameter's name.
        parameter: String,
        /// The value that the program is made for.
        unfolded: i64,
        /// The value that it is to be run with.
        value: i64,
    },
    /// An extent of 0 or less.
    #[error("{array}'s extent {extent} is {value}; it must be at least 1")]
    Extent {
        /// The array's name.
        array: String,
        /// The extent as the listing spells it.
        extent: String,
        /// What it comes to.
        value: i64,
    },
    /// An extent that cannot be computed.
    #[error(
        "{array}'s extent {extent} has no value: it overflows, divides by zero, or is more than \
         integer arithmetic on the parameters"
    )]
    NoValue {
        /// The array's name.
        array: String,
        /// The extent as the listing spells it.
        extent: String,
    },
    /// A layout that is none for these sizes.
    #[error("{array}'s layout: {why}")]
    Order {
        /// The array's name.
        array: String,
        /// Why it is none.
        why: String,
    },
    /// A loop on DMMs whose blocks have no thread, or a number of threads that cannot be computed.
    #[error("{file}:{line}: a block has {value} threads; `{threads}` must be at least 1")]
    Threads {
        /// The listing.
        file: String,
        /// Where the loop stands in it.
        line: usize,
        /// The number as the listing spells it.
        threads: String,
        /// What it comes to, if anything.
        value: String,
    },
    /// An array whose cells do not fit addresses below 2⁶³: its name.
    #[error("{0}'s size overflows")]
    Overflow(String),
}
