//! Listening to a clock.

use crate::units::TimeUnits;

use super::stages::Warps;

/// Is told by a clock of every dispatch as it happens; `()` does not listen.
pub trait Watch {
    /// Whether anyone listens; if not, a clock may skip the dispatches.
    const LISTENS: bool = true;

    /// In event `event` of the trace (from 0, barriers count), the accesses of `warps` enter the
    /// pipeline one after another, the first in time unit `start`.
    fn dispatched(&mut self, warps: Warps, event: usize, start: TimeUnits);
}

impl Watch for () {
    const LISTENS: bool = false;

    #[inline]
    fn dispatched(&mut self, _warps: Warps, _event: usize, _start: TimeUnits) {}
}
