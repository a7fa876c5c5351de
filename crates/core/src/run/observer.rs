//! What an execution tells its observer: every access step, and where parallel nests begin and end.

use std::ops::Range;

use super::active::Active;
use super::code::Register;
use super::flow::Flow;
use super::memory::Memory;
use super::operation::{Evaluation, Operation};
use crate::diagnostic::Diagnostic;
use crate::language::program::{Blocks, For, LoopId, Nest, ScalarId, SiteId};
use crate::trace::{AccessKind, Space, Step};
use crate::units::{Address, Threads};

/// One access step: each active thread accesses one word.
pub struct Accesses<'a> {
    /// The array reference of the listing.
    pub site: SiteId,
    /// The threads that access.
    pub active: &'a Active,
    /// By thread; of no meaning for idle threads.
    pub addresses: &'a [u64],
    /// The bits read or written, by thread.
    pub values: &'a [u64],
    /// The register from which the cell's number came.
    pub cell: Register,
    /// The register into which was read or from which was written.
    pub value: Register,
    /// Where the sequential loops around stand, as a hash: threads that access by one site at one
    /// turn do so in one step.
    pub turn: u64,
    /// In a loop on DMMs: whose lanes these are, and of which memory.
    pub blocks: Option<BlockGroup>,
}

/// Several blocks of a loop on DMMs that go in step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockGroup {
    /// The number of the first of them.
    pub first: u64,
    /// Lanes of each, in the order of the blocks; 1 where thread 0 of each runs alone.
    pub lanes: usize,
    /// The memory that is accessed.
    pub space: Space,
}

/// What happens to the blocks of a loop on DMMs.
#[derive(Debug, Clone, Copy)]
pub enum BlocksEvent<'a> {
    /// The loop begins: thread 0 has computed its bounds.
    Begin {
        /// The loop.
        blocks: &'a Blocks,
        /// q: the threads of a block.
        threads: Threads,
    },
    /// This many blocks from `first` on go in step from their beginning on.
    Deal {
        /// The number of the first of them.
        first: u64,
        /// How many.
        count: usize,
    },
    /// Blocks come to the beginning or the end of a nest: a barrier for each.
    Barrier {
        /// The number of the first block of those that go in step.
        first: u64,
        /// Which of those that go in step come to it.
        active: &'a Active,
    },
    /// The threads of blocks begin the round of this number, from 0, of a nest.
    Round(u64),
    /// The loop ends.
    End,
}

impl Accesses<'_> {
    /// The same at other addresses, one for each thread.
    pub fn at<'b>(&'b self, addresses: &'b [u64]) -> Accesses<'b> {
        let Self { site, active, values, cell, value, turn, blocks, .. } = *self;
        Accesses { site, active, addresses, values, cell, value, turn, blocks }
    }

    /// Makes `step` what the threads ask for.
    pub fn fill(&self, kind: AccessKind, step: &mut Step) {
        step.kind = kind;
        step.pieces.clear();
        match self.active {
            Active::First(count) => {
                for &address in &self.addresses[..*count] {
                    step.push(Address(address));
                }
            }
            Active::Some(lanes) => {
                let mut next = 0;
                for &lane in lanes {
                    step.push_idle(u64::from(lane - next));
                    step.push(Address(self.addresses[lane as usize]));
                    next = lane + 1;
                }
            }
        }
    }
}

impl Accesses<'_> {
    /// Makes `step` what the threads of each block ask for, one after another, and visits it with the
    /// number of the block among those that go in step.
    pub fn by_block(&self, of: BlockGroup, step: &mut Step, mut visit: impl FnMut(usize, &Step)) {
        // The lanes of the present block, and the next one of them.
        let (mut from, mut end, mut next) = (0, 0, 0);
        let mut hand_on = |step: &mut Step, from: usize| {
            if !step.pieces.is_empty() {
                visit(from / of.lanes, step);
                step.pieces.clear();
            }
        };
        step.pieces.clear();
        self.active.for_each(|lane| {
            if lane >= end {
                hand_on(step, from);
                from = lane - lane % of.lanes;
                (end, next) = (from + of.lanes, from);
            }
            step.push_idle((lane - next) as u64);
            step.push(Address(self.addresses[lane]));
            next = lane + 1;
        });
        hand_on(step, from);
    }
}

/// Blocks that come to a nest, in an execution without values.
#[derive(Clone, Copy)]
pub struct NestArrival<'a> {
    /// Lanes of those that do.
    pub active: &'a Active,
    /// A scalar's bits in a lane.
    pub scalars: &'a dyn Fn(ScalarId, usize) -> i64,
    /// Which words of its threads' arrays of registers have a value, a bit each, in a lane.
    pub defined: &'a dyn Fn(usize) -> &'a [u64],
}

/// Whose value stays of several that threads write to one word in one step: the memory machines
/// promise no more than that it is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winner {
    /// The thread with the highest number.
    Highest,
    /// The thread with the lowest number, as on the priority CRCW PRAM.
    Lowest,
}

/// Watches an execution.
pub trait Observer {
    /// One access step has happened.
    fn access(&mut self, accesses: &Accesses<'_>);
    /// A parallel nest begins: all threads have come to it.
    fn enter_nest(&mut self, nest: &Nest);
    /// `variables` are the nest's loop variables in the last round, by thread.
    fn leave_nest(&mut self, nest: &Nest, variables: &[(&str, &[u64])]);

    /// In an execution with values, what memory holds where a parallel nest or a loop on DMMs begins, of
    /// this outermost loop; it may be changed.
    fn memory_before(&mut self, _of: LoopId, _memory: &mut Memory) {}

    /// In an execution with values: a parallel nest outside others begins; `scalars` are the integers
    /// outside it.
    ///
    /// # Errors
    /// What the observer finds wrong with it, which ends the execution.
    fn launch(
        &mut self,
        _nest: &Nest,
        _scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    /// Whether the execution is to end here, in the middle: it fails then. Asked in every loop.
    #[inline(always)]
    fn has_seen_enough(&self) -> bool {
        false
    }

    /// In an execution with values: whether a nest, or a loop on DMMs, is to end before its next round.
    #[inline(always)]
    fn ends_nest(&mut self) -> bool {
        false
    }

    /// Data or control moves between registers; nothing to observers that do not follow it.
    #[inline(always)]
    fn flow(&mut self, _flow: Flow<'_>) {}

    /// The active threads compute; nothing, if a compiler leaves it out. Asked for only by observers
    /// that count operations.
    #[inline(always)]
    fn operation(&mut self, _operation: &dyn Fn() -> Option<Operation>, _active: &Active) {}

    /// The active threads evaluate an operator of the listing, outside of indices and bounds: what the
    /// machines of the cost models count as an operation.
    #[inline(always)]
    fn evaluate(&mut self, _evaluation: Evaluation, _active: &Active) {}

    /// Whose value stays where several threads write to one word of global memory at once.
    #[inline(always)]
    fn winner(&self) -> Winner {
        Winner::Highest
    }

    /// In an execution without values: which iterations of a nest its next round has, as pairs of how
    /// many to pass over and how many to run then; without any the nest ends. `None` for the next ones.
    fn next_round(&mut self, _nest: &Nest) -> Option<Vec<(u64, u64)>> {
        None
    }

    /// Something happens to the blocks of a loop on DMMs.
    fn blocks(&mut self, _event: BlocksEvent<'_>) {}

    /// How many blocks must go in step; see [`blocks_in_step`](crate::trace::Sink::blocks_in_step).
    fn blocks_in_step(&self) -> Option<u64> {
        None
    }

    /// In an execution without values: whether the observer has counted a whole nest by itself, so
    /// that it need not be executed. `nest` is a part of the program, no copy; `scalars` are the
    /// integers outside it.
    ///
    /// # Errors
    /// What executing the nest would have found.
    fn skip_nest(
        &mut self,
        _nest: &Nest,
        _scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        Ok(false)
    }

    /// The same for a loop on DMMs.
    ///
    /// # Errors
    /// What executing the loop would have found.
    fn skip_blocks(
        &mut self,
        _blocks: &Blocks,
        _scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        Ok(false)
    }

    /// The same for a sequential loop outside nests.
    fn skip_loop(&mut self, _loop: &For, _scalars: &dyn Fn(ScalarId) -> i64) -> bool {
        false
    }

    /// In an execution without values: `lanes` hold the next blocks of a loop on DMMs; `scalars` are
    /// their variables, and what is known outside. Returns which of them to run, after those of the
    /// lanes before, and whether others are to be dealt first.
    fn dealt(
        &mut self,
        _blocks: &Blocks,
        lanes: Range<usize>,
        _scalars: &dyn Fn(ScalarId, usize) -> i64,
    ) -> (Vec<usize>, bool) {
        (lanes.collect(), false)
    }

    /// In an execution without values: which of the blocks are to run the nest.
    fn enter_nest_of_blocks(&mut self, _nest: &Nest, at: NestArrival<'_>) -> Active {
        at.active.clone()
    }

    /// They have run it. Returns for other lanes of those that are `active` which words of registers
    /// have a value now.
    fn leave_nest_of_blocks<'a>(
        &mut self,
        _active: &Active,
        _defined: &dyn Fn(usize) -> &'a [u64],
    ) -> Vec<(usize, Box<[u64]>)> {
        vec![]
    }
}

/// Two observers of one execution with values.
impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline(always)]
    fn access(&mut self, accesses: &Accesses<'_>) {
        self.0.access(accesses);
        self.1.access(accesses);
    }

    fn enter_nest(&mut self, nest: &Nest) {
        self.0.enter_nest(nest);
        self.1.enter_nest(nest);
    }

    fn memory_before(&mut self, of: LoopId, memory: &mut Memory) {
        self.0.memory_before(of, memory);
        self.1.memory_before(of, memory);
    }

    fn launch(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<(), Box<Diagnostic>> {
        self.0.launch(nest, scalars)?;
        self.1.launch(nest, scalars)
    }

    fn leave_nest(&mut self, nest: &Nest, variables: &[(&str, &[u64])]) {
        self.0.leave_nest(nest, variables);
        self.1.leave_nest(nest, variables);
    }

    #[inline(always)]
    fn flow(&mut self, flow: Flow<'_>) {
        self.0.flow(flow.clone());
        self.1.flow(flow);
    }

    #[inline(always)]
    fn operation(&mut self, operation: &dyn Fn() -> Option<Operation>, active: &Active) {
        self.0.operation(operation, active);
        self.1.operation(operation, active);
    }

    #[inline(always)]
    fn evaluate(&mut self, evaluation: Evaluation, active: &Active) {
        self.0.evaluate(evaluation, active);
        self.1.evaluate(evaluation, active);
    }

    #[inline(always)]
    fn winner(&self) -> Winner {
        match self.0.winner() {
            Winner::Highest => self.1.winner(),
            Winner::Lowest => Winner::Lowest,
        }
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        self.0.blocks(event);
        self.1.blocks(event);
    }

    fn blocks_in_step(&self) -> Option<u64> {
        self.0.blocks_in_step().or(self.1.blocks_in_step())
    }

    fn has_seen_enough(&self) -> bool {
        self.0.has_seen_enough() || self.1.has_seen_enough()
    }

    fn ends_nest(&mut self) -> bool {
        self.0.ends_nest() || self.1.ends_nest()
    }
}

/// Watches nothing: for runs that are after the values alone.
pub struct NoopObserver;

impl Observer for NoopObserver {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}
