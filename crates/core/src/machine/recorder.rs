//! What keeps a trace for a picture.

use crate::trace::{BlockAt, Phase, Sink, Space, Step, Trace};
use crate::units::Threads;

use super::pipeline::{MOST_REQUESTS, MOST_STAGES, PipelineDiagram, TooLarge};
use super::stages::StageCounter;
use super::{Machine, Mode};

/// Keeps a trace as long as it is small enough to be drawn, and counts on when it is not.
#[derive(Debug, Clone)]
pub struct Recorder {
    machine: Machine,
    /// Of global and of shared memory.
    stages: [StageCounter; 2],
    trace: Trace,
    taken: u128,
    requests: u128,
}

impl Recorder {
    /// An empty trace on a machine.
    #[must_use]
    pub fn new(machine: Machine, threads: Threads) -> Self {
        let of = |space| StageCounter::new(machine.of_memory(space));
        let (stages, trace) = ([of(Space::Global), of(Space::Shared)], Trace::new(threads));
        Self { machine, stages, trace, taken: 0, requests: 0 }
    }

    /// The run of the trace. O(stages · pieces of a step + requests · log requests).
    ///
    /// # Errors
    /// [`TooLarge`] beyond [`MOST_STAGES`] or [`MOST_REQUESTS`].
    pub fn finish(self, mode: Mode) -> Result<PipelineDiagram, TooLarge> {
        if self.is_too_large() {
            return Err(if self.taken > MOST_STAGES.into() {
                TooLarge::Stages(self.taken)
            } else {
                TooLarge::Requests { requests: self.requests, most: MOST_REQUESTS }
            });
        }
        Ok(PipelineDiagram::of(self.machine, mode, &self.trace, |_, _, _| true))
    }

    fn is_too_large(&self) -> bool {
        self.taken > MOST_STAGES.into() || self.requests > MOST_REQUESTS.into()
    }

    /// Whether the trace is still to be kept, with one more step.
    fn takes(&mut self, space: Space, step: &Step) -> bool {
        self.stages[space as usize].visit(step, |warps| {
            self.taken += u128::from(warps.count) * u128::from(warps.stages);
            self.requests += u128::from(warps.count) * u128::from(warps.active);
        });
        !self.is_too_large()
    }
}

impl Sink for Recorder {
    fn step(&mut self, phase: Phase, step: &Step) {
        if self.takes(Space::Global, step) {
            self.trace.step(phase, step);
        }
    }

    fn barrier(&mut self) {
        if !self.is_too_large() {
            self.trace.barrier();
        }
    }

    fn begin_blocks(&mut self, threads: Threads) {
        self.trace.begin_blocks(threads);
    }

    fn block_step(&mut self, at: BlockAt, phase: Phase, space: Space, step: &Step) {
        if self.takes(space, step) {
            self.trace.block_step(at, phase, space, step);
        }
    }

    fn block_barrier(&mut self, at: BlockAt) {
        if !self.is_too_large() {
            self.trace.block_barrier(at);
        }
    }

    fn end_blocks(&mut self) {}

    fn blocks_in_step(&self) -> Option<u64> {
        self.trace.blocks_in_step()
    }
}
