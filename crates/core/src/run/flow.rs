//! Where values come from: what an execution tells an observer that follows data through registers.

use std::ops::Range;

use super::active::Active;
use super::code::{ForkStep, Register};

/// One movement of data or of control. Registers outside nests hold a value for each input of a
/// bulk run (else one), those inside nests one for each thread. In a loop on DMMs, those outside nests
/// hold one for each block that goes in step, those inside one for each thread of these blocks.
#[derive(Debug, Clone)]
pub enum Flow<'a> {
    /// The active threads computed `to` from `from`; from constants alone if it is empty. A word of a
    /// warp computes from what other threads of the warp have there.
    Computed {
        /// What was assigned.
        to: Register,
        /// What it was computed from.
        from: &'a [Register],
        /// The threads that computed it.
        active: &'a Active,
    },
    /// What follows, up to the matching [`Flow::Rejoin`], happens only as registers decide.
    Split,
    /// Whether the active threads go on depends on these registers, too.
    Decided {
        /// What decides.
        on: &'a [Register],
        /// The threads that were asked.
        active: &'a Active,
    },
    /// The innermost [`Flow::Split`] is over.
    Rejoin {
        /// What its code may assign, whichever way it went.
        changes: &'a [Register],
        /// The threads that came to it.
        active: &'a Active,
    },
    /// Threads `lanes` of a nest, or blocks of a loop on DMMs, were given iterations, that is their
    /// loop `variables`, between the `bounds` that were computed `by` a thread outside.
    Dealt {
        /// Registers of the sequential part, from which the iterations follow.
        bounds: &'a [Register],
        /// The lane outside: 0, or a block.
        by: usize,
        /// The loop variables inside the nest, outermost first.
        variables: &'a [Register],
        /// Thread numbers.
        lanes: Range<usize>,
    },
    /// Threads `lanes` of a nest, or blocks, know `inside` what is known `outside`.
    Captured {
        /// The register of the sequential part.
        outside: Register,
        /// Its lane: 0, or a block.
        by: usize,
        /// The register that holds it in each thread.
        inside: Register,
        /// Thread numbers.
        lanes: Range<usize>,
    },
    /// Active threads read words of their arrays of registers.
    Fetched {
        /// The register into which they read.
        to: Register,
        /// The register from which the cell's number came.
        cell: Register,
        /// By thread; of no meaning for idle threads.
        words: &'a [u64],
        /// The threads that read.
        active: &'a Active,
    },
    /// Active threads write words of their arrays of registers.
    Kept {
        /// The register from which they write.
        value: Register,
        /// The register from which the cell's number came.
        cell: Register,
        /// By thread, as above.
        words: &'a [u64],
        /// The threads that write.
        active: &'a Active,
    },
    /// Some of the threads 0 … `count` − 1, or of this many blocks, run the body of a loop: those to whom
    /// iterations were dealt.
    RoundBegins {
        /// All threads up to the last of this round.
        count: usize,
    },
    /// The threads of the round are through.
    RoundEnds,
    /// A step of calls in parallel.
    Fork(ForkStep),
}
