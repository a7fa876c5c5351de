//! The hierarchical memory machine (HMM): d DMMs, each with a memory of its own, and one UMM whose
//! memory all of them use (Nakano 2013).
//!
//! Outside loops on DMMs it is the UMM. A loop on DMMs begins when everything before it is complete,
//! and what follows begins when the loop is complete: their times add.

mod asynchronous;
mod synchronous;

use crate::trace::{BlockAt, Phase, Sink, Space, Step};
use crate::units::Threads;

use self::asynchronous::IndependentBlocks;
use self::synchronous::LockstepBlocks;
pub(crate) use self::synchronous::time_of_step;
use super::asynchronous::Asynchronous;
use super::kind::{Dmms, Mode};
use super::listener::Watch;
use super::stages::{StageCounter, Warps};
use super::synchronous::Synchronous;
use super::{Clock, Counts, Machine, Traffic, of_phase};

/// The clock of an HMM in either mode.
pub struct Hierarchical<W = ()> {
    dmms: Dmms,
    /// Times what lies outside loops on DMMs.
    outside: Box<Clock>,
    blocks: Blocks<W>,
    /// Counters of stages of either memory.
    global: StageCounter,
    shared: StageCounter,
    counts: Vec<Counts>,
    /// Scratch: the warps of a step.
    warps: Vec<Warps>,
}

/// The clock of a loop on DMMs.
enum Blocks<W> {
    Sync(LockstepBlocks<W>),
    Async(IndependentBlocks<W>),
}

impl Hierarchical {
    /// A clock of a machine with these DMMs, and this many threads outside of loops on them.
    pub fn new(machine: Machine, dmms: Dmms, mode: Mode, threads: Threads) -> Self {
        Self::watched(machine, dmms, mode, threads, ())
    }
}

impl<W: Watch> Hierarchical<W> {
    /// A clock that tells `watch` of every dispatch in loops on DMMs.
    pub fn watched(machine: Machine, dmms: Dmms, mode: Mode, threads: Threads, watch: W) -> Self {
        let [global, shared] = [Space::Global, Space::Shared].map(|it| machine.of_memory(it));
        let latencies = [global, shared].map(|it| it.latency);
        let (outside, blocks) = match mode {
            Mode::Sync => (
                Clock::Sync(Synchronous::new(global)),
                Blocks::Sync(LockstepBlocks::new(dmms, latencies, watch)),
            ),
            Mode::Async => (
                Clock::Async(Asynchronous::new(global, threads)),
                Blocks::Async(IndependentBlocks::new(
                    dmms,
                    latencies.map(|it| it.get().into()),
                    watch,
                )),
            ),
        };
        Self {
            dmms,
            outside: Box::new(outside),
            blocks,
            global: StageCounter::new(global),
            shared: StageCounter::new(shared),
            counts: vec![],
            warps: vec![],
        }
    }

    /// What each phase took, by its index; up to the last phase that had a step.
    pub fn finish(self) -> Vec<Counts> {
        let Self { outside, mut counts, .. } = self;
        for (phase, more) in (0..).zip(outside.finish()) {
            *of_phase(&mut counts, Phase(phase)) += more;
        }
        counts
    }
}

impl<W: Watch> Sink for Hierarchical<W> {
    fn step(&mut self, phase: Phase, step: &Step) {
        self.outside.step(phase, step);
    }

    fn repeat(&mut self, phase: Phase, step: &Step, times: u64) {
        self.outside.repeat(phase, step, times);
    }

    fn barrier(&mut self) {
        self.outside.barrier();
    }

    fn begin_blocks(&mut self, _threads: Threads) {
        self.outside.barrier();
    }

    fn block_step(&mut self, at: BlockAt, phase: Phase, space: Space, step: &Step) {
        let stages = if space == Space::Global { &mut self.global } else { &mut self.shared };
        let counts = of_phase(&mut self.counts, phase);
        let warps = &mut self.warps;
        warps.clear();
        stages.visit(step, |it| {
            counts.add_traffic(space, Traffic::of(it));
            warps.push(it);
        });
        match &mut self.blocks {
            Blocks::Sync(clock) => clock.step(at, phase, space, warps, &mut self.counts),
            Blocks::Async(clock) => clock.step(at, phase, space, warps),
        }
    }

    fn block_barrier(&mut self, at: BlockAt) {
        if let Blocks::Async(clock) = &mut self.blocks {
            clock.barrier(at.block);
        }
    }

    fn end_blocks(&mut self) {
        match &mut self.blocks {
            Blocks::Sync(clock) => clock.end(&mut self.counts),
            Blocks::Async(clock) => clock.end(&mut self.counts),
        }
    }

    fn blocks_in_step(&self) -> Option<u64> {
        Some(self.dmms.blocks())
    }
}
