//! Listening to a clock.

use crate::trace::{BlockAt, Space};
use crate::units::TimeUnits;

use super::stages::Warps;

/// Where a warp of a block stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfBlock {
    /// The block, and the number of the step.
    pub at: BlockAt,
    /// The DMM on which the block runs.
    pub dmm: u64,
    /// Whose pipeline the access goes through.
    pub space: Space,
}

/// Is told by a clock of every dispatch as it happens; `()` does not listen.
pub trait Watch {
    /// Whether anyone listens; if not, a clock may skip the dispatches.
    const LISTENS: bool = true;

    /// In event `event` of the trace (from 0, barriers count), the accesses of `warps` enter the
    /// pipeline one after another, the first in time unit `start`.
    fn dispatched(&mut self, warps: Warps, event: usize, start: TimeUnits);

    /// Likewise of warps of a block, in time units since the loop on DMMs began.
    fn dispatched_in(&mut self, _block: OfBlock, _warps: Warps, _start: TimeUnits) {}
}

impl Watch for () {
    const LISTENS: bool = false;

    #[inline]
    fn dispatched(&mut self, _warps: Warps, _event: usize, _start: TimeUnits) {}
}
