//! Looking on at a trace.

use super::{BlockAt, Phase, Sink, Space, Step};
use crate::units::Threads;

/// Passes a trace on, and calls `each` with every step, of all threads or of a block's.
pub struct Tap<S, F> {
    /// Where the trace goes.
    pub sink: S,
    /// What looks on.
    pub each: F,
}

impl<S: Sink, F: FnMut(&Step)> Sink for Tap<S, F> {
    fn step(&mut self, phase: Phase, step: &Step) {
        (self.each)(step);
        self.sink.step(phase, step);
    }

    fn barrier(&mut self) {
        self.sink.barrier();
    }

    fn begin_blocks(&mut self, threads: Threads) {
        self.sink.begin_blocks(threads);
    }

    fn block_step(&mut self, at: BlockAt, phase: Phase, space: Space, step: &Step) {
        (self.each)(step);
        self.sink.block_step(at, phase, space, step);
    }

    fn block_barrier(&mut self, at: BlockAt) {
        self.sink.block_barrier(at);
    }

    fn end_blocks(&mut self) {
        self.sink.end_blocks();
    }

    fn blocks_in_step(&self) -> Option<u64> {
        self.sink.blocks_in_step()
    }
}
