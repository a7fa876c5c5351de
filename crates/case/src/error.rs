//! What may be wrong with a case.

use thiserror::Error;

use memory_machine_core::diagnostic::Located;
use memory_machine_core::run::layout::LayoutError;
use memory_machine_core::run::memory::MemoryError;

/// Why a case cannot be run or timed.
#[derive(Debug, Error)]
pub enum CaseError {
    /// A parameter without a value, or arrays that cannot be laid out.
    #[error("{0}")]
    Layout(#[from] LayoutError),
    /// Arrays that do not fit the memory for a run with values.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// Only the time was asked for.
    #[error("its time depends on its values, and {0}")]
    TooLarge(MemoryError),
    /// A parameter or an input that the program does not have, or cannot take: which flag, why, and
    /// what to do.
    #[error("{0}")]
    Given(String),
    /// It takes too long to execute.
    #[error("{0}")]
    TooLong(String),
    /// A bulk run of a parallel program, or a mistake in the listing that shows when it runs.
    #[error(transparent)]
    Program(#[from] Box<Located>),
}

/// That what was given cannot be taken, for what `error` says.
pub(super) fn given(error: impl std::fmt::Display) -> CaseError {
    CaseError::Given(error.to_string())
}
