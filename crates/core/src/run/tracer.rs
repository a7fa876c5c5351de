//! An execution as a trace: its steps and barriers, handed to a sink.

use super::observer::{Accesses, BlockGroup, BlocksEvent, Observer};
use crate::language::program::{Nest, Program};
use crate::trace::{AccessKind, BlockAt, Phase, Sink, Step};

/// Hands the steps of blocks on, one block's after the other's.
#[derive(Debug)]
pub struct BlockTracer {
    /// Of the next step; see [`BlockAt::number`].
    number: u64,
    step: Step,
}

impl Default for BlockTracer {
    fn default() -> Self {
        Self { number: 0, step: Step::new(AccessKind::Read) }
    }
}

impl BlockTracer {
    /// Hands on an access step of blocks.
    pub fn access(
        &mut self,
        accesses: &Accesses<'_>,
        blocks: BlockGroup,
        (phase, kind): (Phase, AccessKind),
        sink: &mut impl Sink,
    ) {
        let number = self.number;
        self.step.kind = kind;
        accesses.by_block(blocks, &mut self.step, |lane, step| {
            let at = BlockAt { block: blocks.first + lane as u64, number };
            sink.block_step(at, phase, blocks.space, step);
        });
        self.number += 1;
    }

    /// Hands on what else happens to blocks.
    pub fn event(&mut self, event: BlocksEvent<'_>, sink: &mut impl Sink) {
        match event {
            BlocksEvent::Begin { threads, .. } => sink.begin_blocks(threads),
            BlocksEvent::Deal { .. } => self.number = 0,
            BlocksEvent::Barrier { first, active } => active.for_each(|block| {
                let (block, number) = (first + block as u64, self.number);
                sink.block_barrier(BlockAt { block, number });
            }),
            BlocksEvent::Round(_) => {}
            BlocksEvent::End => sink.end_blocks(),
        }
    }
}

/// Hands the execution on as a trace; a barrier stands at the beginning and end of every nest.
pub struct Tracer<'a, S> {
    program: &'a Program,
    /// Receives the trace.
    pub sink: S,
    step: Step,
    blocks: BlockTracer,
}

impl<'a, S: Sink> Tracer<'a, S> {
    /// A tracer of a run from its start.
    pub fn new(program: &'a Program, sink: S) -> Self {
        Self { program, sink, step: Step::new(AccessKind::Read), blocks: BlockTracer::default() }
    }
}

impl<S: Sink> Observer for Tracer<'_, S> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = &self.program.sites[accesses.site.0];
        if let Some(blocks) = accesses.blocks {
            self.blocks.access(accesses, blocks, (site.phase, site.kind), &mut self.sink);
            return;
        }
        accesses.fill(site.kind, &mut self.step);
        self.sink.step(site.phase, &self.step);
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        self.blocks.event(event, &mut self.sink);
    }

    fn blocks_in_step(&self) -> Option<u64> {
        self.sink.blocks_in_step()
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.sink.barrier();
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.sink.barrier();
    }
}
