//! What is known of an atomic wherever it is met.

use super::program::{Expr, ScalarId};

/// The rest of an atomic statement: `access` becomes what `op` makes of it and `value`.
#[derive(Debug, Clone)]
pub struct Atomic {
    /// What it does.
    pub op: AtomicOp,
    /// What the word is compared with.
    pub compare: Option<Expr>,
    /// Becomes what the word was.
    pub old: Option<ScalarId>,
}

/// What an atomic does with the word that it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// Adds to it.
    Add,
    /// Subtracts from it.
    Subtract,
    /// The lesser of both.
    Min,
    /// The greater of both.
    Max,
    /// And of each bit.
    And,
    /// Or of each bit.
    Or,
    /// Exclusive or of each bit.
    Xor,
    /// Writes another.
    Exchange,
    /// Writes another if it is what it is compared with.
    CompareExchange,
}

/// An atomic as accesses know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtomicSite {
    /// What it does.
    pub op: AtomicOp,
    /// Whether the listing uses what the word was.
    pub returns: bool,
    /// Whether requests to equal addresses wait for each other, and do not merge.
    pub is_serial: bool,
}

impl AtomicSite {
    /// A number for the step of an access by which iterations are told to race: atomics that commute
    /// make theirs together, whenever they come; others never make theirs with another's.
    #[must_use]
    pub const fn step_of_races(self, iteration: u64) -> u64 {
        if self.commutes() { u64::MAX - self.op as u64 } else { u64::MAX / 2 - iteration }
    }

    /// Whether what comes out is the same in whatever order threads come.
    pub const fn commutes(self) -> bool {
        !self.returns && !matches!(self.op, AtomicOp::Exchange | AtomicOp::CompareExchange)
    }
}
