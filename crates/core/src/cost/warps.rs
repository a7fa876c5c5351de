//! What warps do: an instruction of a warp is one operation, or one access, of those of its threads that
//! make it. Of accesses the pipeline stages are those of the memory machines.

use super::Event;
use crate::language::program::Site;
use crate::machine::{Machine, StageCounter};
use crate::run::BlocksEvent;
use crate::run::{Accesses, Active};
use crate::trace::{AccessKind, Space, Step};
use crate::units::{Latency, Width};

/// Where the threads of a lane belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside loops on DMMs: threads in warps.
    Threads,
    /// Lanes are blocks from `first` on, of which thread 0 runs.
    Blocks { first: u64 },
    /// Lanes are threads of these blocks, `a_block` each.
    ThreadsOfBlocks { first: u64, a_block: u64 },
}

/// An instruction of so many alike warps.
#[derive(Debug, Clone, Copy)]
pub(super) struct WarpInstruction {
    /// The block, in a loop on DMMs; else the number of the first warp.
    pub(super) place: u64,
    /// Whether it is a block.
    pub(super) is_block: bool,
    /// How many warps, from that on.
    pub(super) warps: u64,
    /// 1 of an operation; of an access the stages that each warp takes.
    pub(super) stages: u64,
    /// The memory that is accessed, if one is.
    pub(super) memory: Option<Space>,
}

/// Puts threads together.
pub(super) struct WarpOrder {
    width: u64,
    threads: u64,
    place: Place,
    /// Of global and of shared memory.
    counters: [StageCounter; 2],
    step: Step,
}

impl WarpOrder {
    /// Warps of `width` threads, which is the number of banks and the words of an address group, too.
    pub(super) fn new(width: u64) -> Self {
        let width_of_machine = Width::at_least_one(width);
        let umm = Machine::umm(width_of_machine, Latency::ONE);
        let dmm = Machine::dmm(width_of_machine, Latency::ONE);
        Self {
            width,
            threads: 1,
            place: Place::Threads,
            counters: [umm, dmm].map(StageCounter::new),
            step: Step::new(AccessKind::Read),
        }
    }

    /// Calls `visit` for the instructions of warps that an event is.
    pub(super) fn event(&mut self, event: &Event<'_>, visit: impl FnMut(WarpInstruction)) {
        match event {
            Event::Access(accesses, site) => self.access(accesses, site, visit),
            Event::Operation(_, active) => self.operation(active, visit),
            Event::Blocks(event) => self.blocks(*event),
            _ => {}
        }
    }

    fn access(
        &mut self,
        accesses: &Accesses<'_>,
        site: &Site,
        mut visit: impl FnMut(WarpInstruction),
    ) {
        let Some(words) = site.elements() else { return };
        let Self { counters, step, .. } = self;
        (step.kind, step.words) = (site.kind, words);
        step.is_atomic = site.atomic.is_some_and(|it| it.is_serial);
        match accesses.blocks {
            None => {
                accesses.fill(site.kind, step);
                counters[0].visit(step, |it| {
                    visit(WarpInstruction {
                        place: it.first,
                        is_block: false,
                        warps: it.count,
                        stages: it.stages,
                        memory: Some(Space::Global),
                    });
                });
            }
            Some(blocks) => accesses.by_block(blocks, step, |lane, step| {
                counters[blocks.space as usize].visit(step, |it| {
                    visit(WarpInstruction {
                        place: blocks.first + lane as u64,
                        is_block: true,
                        warps: it.count,
                        stages: it.stages,
                        memory: Some(blocks.space),
                    });
                });
            }),
        }
    }

    fn operation(&self, active: &Active, mut visit: impl FnMut(WarpInstruction)) {
        let mut last = None;
        active.for_each(|lane| {
            let lane = lane as u64;
            let (place, is_block, warp) = match self.place {
                Place::Threads => (lane / self.width, false, 0),
                Place::Blocks { first } => (first + lane, true, 0),
                Place::ThreadsOfBlocks { first, a_block } => {
                    (first + lane / a_block, true, lane % a_block / self.width)
                }
            };
            if last != Some((place, warp)) {
                last = Some((place, warp));
                visit(WarpInstruction { place, is_block, warps: 1, stages: 1, memory: None });
            }
        });
    }

    const fn blocks(&mut self, event: BlocksEvent<'_>) {
        match event {
            BlocksEvent::Begin { threads, .. } => self.threads = threads.get(),
            BlocksEvent::Deal { first, .. } => self.place = Place::Blocks { first },
            BlocksEvent::Barrier { first, .. } => {
                self.place = match self.place {
                    Place::ThreadsOfBlocks { .. } => Place::Blocks { first },
                    _ => Place::ThreadsOfBlocks { first, a_block: self.threads },
                };
            }
            BlocksEvent::Round(_) => {}
            BlocksEvent::End => self.place = Place::Threads,
        }
    }
}
