//! Memory traces: what each thread asks of the memory, step by step, kept as runs
//! `base + stride × count` from the start so that nothing downstream needs to expand them.

mod access_lines;
mod tap;
pub mod text;
mod traceg;
mod word;
mod write;

pub use access_lines::{AccessFormat, AccessWriter};
pub use tap::Tap;
pub use traceg::TracegWriter;
pub use write::Writer;

pub use crate::language::access::{AccessKind, Phase};

use crate::units::{Address, Threads};

/// Consecutive threads ask for `base`, `base + stride`, `base + 2·stride`, …
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StridedRun {
    /// What the first thread asks for.
    pub base: Address,
    /// From a thread to the next, in words; may be negative or 0.
    pub stride: i64,
    /// Number of threads, at least 1. All addresses are below 2⁶³.
    pub count: u64,
}

impl StridedRun {
    /// The address of the run's `index`-th thread, from 0.
    #[inline]
    #[must_use]
    pub const fn at(self, index: u64) -> Address {
        // Exact modulo 2⁶⁴, and the true address fits.
        let offset = self.stride.cast_unsigned().wrapping_mul(index);
        Address(self.base.0.wrapping_add(offset))
    }

    /// The address of the last thread.
    #[inline]
    #[must_use]
    pub const fn last(self) -> Address {
        self.at(self.count.wrapping_sub(1))
    }

    /// The run of the first `count` threads.
    #[inline]
    #[must_use]
    pub const fn first(self, count: u64) -> Self {
        Self { count, ..self }
    }

    /// The run without its first `count` threads.
    #[inline]
    #[must_use]
    pub const fn after(self, count: u64) -> Self {
        Self { base: self.at(count), stride: self.stride, count: self.count - count }
    }
}

/// A stretch of consecutive threads in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Threads that each ask for one word.
    Run(StridedRun),
    /// This many threads ask for nothing.
    Idle(u64),
}

/// One access step: all active threads read, or all write. Pieces cover the threads from thread 0
/// on; threads after the last piece are idle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Whether all read or all write.
    pub kind: AccessKind,
    /// Words that each thread asks for, from its address on: 1, or 2 or 4 of elements of 8 or 16 bytes.
    pub words: u64,
    /// Of a step of writes: whether they are atomics whose requests to equal addresses do not merge.
    pub is_atomic: bool,
    /// In the order of threads; neighbours that make one [`StridedRun`] are merged.
    pub pieces: Vec<Piece>,
}

impl Step {
    /// A step without threads.
    pub const fn new(kind: AccessKind) -> Self {
        Self { kind, words: 1, is_atomic: false, pieces: Vec::new() }
    }

    /// The next thread asks for `address`; it joins the last run where it continues it.
    #[inline]
    pub fn push(&mut self, address: Address) {
        if let Some(Piece::Run(run)) = self.pieces.last_mut() {
            if run.count == 1 {
                run.stride = address.0.wrapping_sub(run.base.0).cast_signed();
                run.count = 2;
                return;
            }
            if run.at(run.count) == address {
                run.count += 1;
                return;
            }
        }
        self.pieces.push(Piece::Run(StridedRun { base: address, stride: 0, count: 1 }));
    }

    /// The next `count` threads ask for nothing.
    #[inline]
    pub fn push_idle(&mut self, count: u64) {
        match self.pieces.last_mut() {
            _ if count == 0 => {}
            Some(Piece::Idle(idle)) => *idle += count,
            _ => self.pieces.push(Piece::Idle(count)),
        }
    }
}

/// The memory to which a step goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// That of the whole machine.
    Global,
    /// That of the DMM on which the block runs.
    Shared,
}

/// Where a block of a loop on DMMs stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockAt {
    /// Its number among the blocks of the loop, from 0.
    pub block: u64,
    /// The steps of a loop are numbered as if all its blocks went in step: blocks that do so make
    /// their steps of one number together. A block's own numbers ascend; a barrier has that of the
    /// step before which it stands.
    pub number: u64,
}

/// Receives a trace in order, one step at a time: a machine's clock, a file, a checker.
pub trait Sink {
    /// All threads' accesses of one step, counted to `phase`.
    fn step(&mut self, phase: Phase, step: &Step);

    /// The same step several times, one after another; a step may also stand for others that take
    /// the same stages.
    fn repeat(&mut self, phase: Phase, step: &Step, times: u64) {
        for _ in 0..times {
            self.step(phase, step);
        }
    }

    /// All threads wait for each other: what follows begins after what was asked for is complete.
    fn barrier(&mut self);

    /// A loop on DMMs begins, with blocks of this many threads; a barrier of the whole machine. Only a
    /// machine with DMMs, or what times nothing, is given one; likewise below.
    fn begin_blocks(&mut self, _threads: Threads) {
        unreachable!("this machine has no DMMs");
    }

    /// An access step of a block's threads, from its thread 0 on.
    fn block_step(&mut self, _at: BlockAt, _phase: Phase, _space: Space, _step: &Step) {
        unreachable!("this machine has no DMMs");
    }

    /// The threads of a block wait for each other.
    fn block_barrier(&mut self, _at: BlockAt) {
        unreachable!("this machine has no DMMs");
    }

    /// The loop ends; a barrier of the whole machine.
    fn end_blocks(&mut self) {
        unreachable!("this machine has no DMMs");
    }

    /// How many consecutive blocks, from the first of a loop on, must go in step; `None` if that does
    /// not matter.
    fn blocks_in_step(&self) -> Option<u64> {
        None
    }
}

/// What a trace consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// An access step.
    Step(Step),
    /// A barrier of all threads.
    Barrier,
    /// A loop on DMMs.
    Blocks(BlockLoop),
}

/// A loop on DMMs: what its blocks do, each in its own order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockLoop {
    /// q: threads of a block.
    pub threads: Threads,
    /// A block's numbers never descend, and those of its steps ascend.
    pub events: Vec<(BlockAt, BlockEvent)>,
}

/// What one block does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockEvent {
    /// An access step of its threads.
    Step(Space, Step),
    /// A barrier of its threads.
    Barrier,
}

impl BlockLoop {
    /// Feeds the loop to `sink`, wave by wave if that wants blocks in step.
    pub(crate) fn replay(&self, sink: &mut impl Sink) {
        sink.begin_blocks(self.threads);
        let mut order: Vec<_> = self.events.iter().collect();
        if let Some(wave) = sink.blocks_in_step() {
            order.sort_by_key(|(at, _)| (at.block / wave, at.number));
        }
        for &(at, ref event) in order {
            match event {
                BlockEvent::Step(space, step) => sink.block_step(at, Phase(0), *space, step),
                BlockEvent::Barrier => sink.block_barrier(at),
            }
        }
        sink.end_blocks();
    }
}

/// Feeds events to `sink`, all in phase 0.
pub(crate) fn replay(events: &[Event], sink: &mut impl Sink) {
    for event in events {
        match event {
            Event::Step(step) => sink.step(Phase(0), step),
            Event::Barrier => sink.barrier(),
            Event::Blocks(blocks) => blocks.replay(sink),
        }
    }
}

/// A whole trace in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// p; no step has more.
    pub threads: Threads,
    /// In order.
    pub events: Vec<Event>,
}

impl Trace {
    /// An empty trace.
    pub const fn new(threads: Threads) -> Self {
        Self { threads, events: Vec::new() }
    }

    /// Feeds every event to `sink`, all in phase 0.
    pub fn replay(&self, sink: &mut impl Sink) {
        replay(&self.events, sink);
    }

    /// Whether only a machine with DMMs can run it.
    pub fn has_blocks(&self) -> bool {
        self.events.iter().any(|it| matches!(it, Event::Blocks(_)))
    }
}

impl Sink for Trace {
    fn step(&mut self, _phase: Phase, step: &Step) {
        self.events.push(Event::Step(step.clone()));
    }

    fn barrier(&mut self) {
        self.events.push(Event::Barrier);
    }

    fn begin_blocks(&mut self, threads: Threads) {
        self.events.push(Event::Blocks(BlockLoop { threads, events: vec![] }));
    }

    fn block_step(&mut self, at: BlockAt, _phase: Phase, space: Space, step: &Step) {
        self.push_block(at, BlockEvent::Step(space, step.clone()));
    }

    fn block_barrier(&mut self, at: BlockAt) {
        self.push_block(at, BlockEvent::Barrier);
    }

    fn end_blocks(&mut self) {}

    /// All, so that their numbers hold on any machine.
    fn blocks_in_step(&self) -> Option<u64> {
        Some(u64::MAX)
    }
}

impl Trace {
    fn push_block(&mut self, at: BlockAt, event: BlockEvent) {
        if let Some(Event::Blocks(blocks)) = self.events.last_mut() {
            blocks.events.push((at, event));
        }
    }
}
