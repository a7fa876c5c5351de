//! An execution as a trace: its steps and barriers, handed to a sink.

use super::byte_places::BytePlaces;
use super::observer::{Accesses, BlockGroup, BlocksEvent, Observer};
use crate::language::program::{Nest, Program, Site};
use crate::trace::{AccessKind, BlockAt, Sink, Step};

/// Whether accesses are atomics whose requests to equal addresses do not merge.
fn is_serial(site: &Site) -> bool {
    site.atomic.is_some_and(|it| it.is_serial)
}

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
    /// Steps are of this many words a thread from now on.
    pub const fn begin(&mut self, words: u64) {
        self.step.words = words;
    }

    /// Hands on an access step of blocks.
    pub fn access(
        &mut self,
        accesses: &Accesses<'_>,
        blocks: BlockGroup,
        site: &Site,
        sink: &mut impl Sink,
    ) {
        let (number, phase) = (self.number, site.phase);
        (self.step.kind, self.step.is_atomic) = (site.kind, is_serial(site));
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
    bytes: Option<BytePlaces>,
    /// Scratch: words by thread.
    words: Vec<u64>,
}

impl<'a, S: Sink> Tracer<'a, S> {
    /// A tracer of a run from its start.
    pub fn new(program: &'a Program, sink: S) -> Self {
        let (step, blocks) = (Step::new(AccessKind::Read), BlockTracer::default());
        Self { program, sink, step, blocks, bytes: None, words: vec![] }
    }

    /// The same where elements have the bytes of their types.
    #[must_use]
    pub fn in_bytes(self, places: Option<BytePlaces>) -> Self {
        Self { bytes: places, ..self }
    }

    fn trace(&mut self, accesses: &Accesses<'_>, site: &Site) {
        if let Some(blocks) = accesses.blocks {
            self.blocks.access(accesses, blocks, site, &mut self.sink);
            return;
        }
        self.step.is_atomic = is_serial(site);
        accesses.fill(site.kind, &mut self.step);
        self.sink.step(site.phase, &self.step);
    }
}

impl<S: Sink> Observer for Tracer<'_, S> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let program = self.program;
        let site = &program.sites[accesses.site.0];
        let Some(elements) = site.elements() else { return };
        let Some(bytes) = &self.bytes else {
            (self.step.words, self.blocks.step.words) = (elements, elements);
            return self.trace(accesses, site);
        };
        let mut words = std::mem::take(&mut self.words);
        words.resize(words.len().max(accesses.addresses.len()), 0);
        accesses.active.for_each(|lane| {
            words[lane] = bytes.word(site.array, accesses.addresses[lane]);
        });
        let of_access = bytes.words(site.array, elements);
        (self.step.words, self.blocks.step.words) = (of_access, of_access);
        self.trace(&accesses.at(&words), site);
        self.words = words;
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
