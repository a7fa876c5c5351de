//! What every access of a program has: its kind, and the phase that its time is counted to.

/// Whether the threads of an access step read or write; a step never mixes the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// From memory.
    Read,
    /// To memory.
    Write,
}

/// The phase (label in a listing) to which a step's time is counted: an index into the program's
/// list of phases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phase(pub u32);
