//! Why a launch ends early, and where.

use thiserror::Error;

/// A thread of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadPlace {
    /// Its block.
    pub block: [u32; 3],
    /// And it in the block.
    pub thread: [u32; 3],
}

impl std::fmt::Display for ThreadPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { block: [bx, by, bz], thread: [x, y, z] } = self;
        write!(f, "thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz})")
    }
}

/// What goes wrong as a kernel is executed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("kernel `{kernel}`{}, instruction at {offset:#x}: {}{cause}", .line, .thread.map_or_else(String::new, |it| format!("{it}: ")))]
pub struct Fault {
    /// Whose code it is.
    pub kernel: String,
    /// `, FILE:LINE`, where it is known.
    pub line: String,
    /// The instruction's byte in the code.
    pub offset: u64,
    /// Which thread, if it is one thread's.
    pub thread: Option<ThreadPlace>,
    /// What.
    pub cause: FaultCause,
}

/// The same without its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FaultCause {
    /// Not modelled.
    #[error("{0} is not modelled")]
    Instruction(String),
    /// A constant that nobody has set.
    #[error("constant bank {bank} has no byte {at:#x} that is modelled")]
    Constant {
        /// Which.
        bank: u8,
        /// Where.
        at: u64,
    },
    /// Beyond an array.
    #[error("{access} {place}")]
    OutOfBounds {
        /// A load, a store or an atomic operation, of how many bytes, and what is stored.
        access: String,
        /// In words.
        place: String,
    },
    /// Its address is no multiple of its size.
    #[error("{access} at an address that is no multiple of it: {place}")]
    Misaligned {
        /// As above.
        access: String,
        /// As above.
        place: String,
    },
    /// The code goes on where there is none.
    #[error("the code goes on at {0:#x}, where there is none")]
    Jump(u64),
    /// What it calls is not known.
    #[error("it calls {0}, which is not modelled")]
    Call(String),
    /// A texture or a surface that is none, or another.
    #[error("a lookup {0}")]
    Texture(String),
    /// A copy of a tensor by a map that is none, or another.
    #[error("a copy {0}")]
    Tensor(String),
    /// What is given back is no block of the heap, or was given back before.
    #[error("free of what is no block from malloc, or of one freed before: {0}")]
    Free(String),
    /// `assert`.
    #[error("assertion `{0}` failed")]
    Assertion(String),
    /// `__trap`.
    #[error("trap")]
    Trap,
    /// Threads that wait for each other.
    #[error("threads wait at a barrier that others of their {0} never come to")]
    Deadlock(&'static str),
    /// A barrier in shared memory (`mbarrier`) that is none, counts wrongly, or is waited at for ever.
    #[error("{0}")]
    MemoryBarrier(String),
    /// More than allowed.
    #[error("more than {0} warp instructions; allow more, or launch less")]
    TooLong(u64),
}

/// A wait at a barrier in shared memory that did not end: where, and for which phase of which barrier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    /// The instruction.
    pub(super) place: u32,
    /// Of a thread.
    pub(super) lane: usize,
    /// Its address.
    pub(super) barrier: usize,
    pub(super) parity: u32,
}
