//! Where a warp waits in vain.

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
