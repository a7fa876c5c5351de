//! How much an execution may do.

use crate::units::Threads;

/// Limits and numbers of threads of an execution.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Threads of a parallel nest's round.
    pub threads: Threads,
    /// A sequential loop that is executed and iterates more often than this counts as endless.
    pub while_iterations: u64,
}

/// Iterations of a sequential loop that are believed to end, where nobody says another number.
pub const WHILE_ITERATIONS: u64 = 10_000_000;
