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
        to: Register,
        from: &'a [Register],
        active: &'a Active,
    },
    /// What follows, up to the matching [`Flow::Rejoin`], happens only as registers decide.
    Split,
    /// Whether the active threads go on depends on these registers, too.
    Decided {
        on: &'a [Register],
        active: &'a Active,
    },
    /// The innermost [`Flow::Split`] is over. `changes` are the registers that its code may assign,
    /// whichever way it went; `active` are the threads that came to it.
    Rejoin {
        changes: &'a [Register],
        active: &'a Active,
    },
    /// Threads `lanes` of a nest were given iterations, that is their loop `variables`, between
    /// the `bounds` that thread 0 computed.
    Dealt {
        bounds: &'a [Register],
        variables: &'a [Register],
        lanes: Range<usize>,
    },
    /// Threads `lanes` of a nest know `inside` what thread 0 knows `outside`.
    Captured {
        outside: Register,
        inside: Register,
        lanes: Range<usize>,
    },
    /// Threads 0 … `count` − 1 run the body of a nest.
    RoundBegins {
        count: usize,
    },
    RoundEnds,
}
