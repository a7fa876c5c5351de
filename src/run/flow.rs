//! Where values come from: what an execution tells an observer that follows data through registers.

use std::ops::Range;

use super::code::Register;
use super::lanes::Active;

/// One movement of data or of control. Registers outside nests hold a value for each input of a
/// bulk run (else one), those inside nests one for each thread.
#[derive(Debug, Clone)]
pub enum Flow<'a> {
    /// The active threads computed `to` from `from`; from constants alone if it is empty.
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
    /// Threads `lanes` of a nest were given iterations, that is their loop `variables`, between
    /// the `bounds` that thread 0 computed.
    Dealt {
        /// Registers of the sequential part, from which the iterations follow.
        bounds: &'a [Register],
        /// The loop variables inside the nest, outermost first.
        variables: &'a [Register],
        /// Thread numbers.
        lanes: Range<usize>,
    },
    /// Threads `lanes` of a nest know `inside` what thread 0 knows `outside`.
    Captured {
        /// The register of the sequential part.
        outside: Register,
        /// The register that holds it in each thread.
        inside: Register,
        /// Thread numbers.
        lanes: Range<usize>,
    },
    /// Threads 0 … `count` − 1 run the body of a nest.
    RoundBegins {
        /// Threads of this round.
        count: usize,
    },
    /// The threads of the round are through.
    RoundEnds,
}
