//! Work and span of an execution: T₁ is all that is done, T∞ the longest chain of it. What stands one
//! after another adds; of parallel iterations, and of the blocks of a loop on DMMs, the longest counts.

use super::lanes::Lanes;
use super::{Cost, CostModel, CountedCost, CountedLoop, Event, Spawn};
use crate::run::Active;
use crate::run::{BlocksEvent, ForkStep};
use crate::units::Threads;

/// Where the execution stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    Nest,
    /// Thread 0 of each block.
    Blocks,
    /// The threads of blocks.
    NestOfBlocks,
}

/// What one parallel construct has come to: its branches, and the span of the longest.
#[derive(Debug, Clone, Copy, Default)]
struct Branches {
    number: u128,
    longest: u128,
}

impl Branches {
    fn add(&mut self, span: u128) {
        self.longest = self.longest.max(span);
    }

    fn span(self, spawn: Spawn) -> u128 {
        match spawn {
            Spawn::Free => self.longest,
            Spawn::Log => self.longest + u128::from(ceil_log2(self.number)),
        }
    }
}

/// Adds up what it hears.
pub(super) struct Strands {
    counted: CountedCost,
    spawn: Spawn,
    pub(super) work: u128,
    pub(super) span: u128,
    place: Place,
    lanes: Lanes,
    /// The threads of the present round.
    count: usize,
    /// Of the present nest, or, of each block that goes in step, of its present nest.
    nests: Vec<Branches>,
    /// The present loop on DMMs, the threads of its blocks, and the spans of those that go in step.
    blocks: Branches,
    threads: usize,
    spans: Vec<u128>,
    /// Of the calls in parallel that are being made, outermost first: the span when they began, and they.
    forks: Vec<(u128, Branches)>,
}

impl Strands {
    pub(super) fn new(counted: CountedCost, spawn: Spawn) -> Self {
        Self {
            counted,
            spawn,
            work: 0,
            span: 0,
            place: Place::Outside,
            lanes: Lanes::default(),
            count: 0,
            nests: vec![Branches::default()],
            blocks: Branches::default(),
            threads: 1,
            spans: vec![],
            forks: vec![],
        }
    }

    fn add(&mut self, active: &Active, cost: u64) {
        self.work += active.count() as u128 * u128::from(cost);
        match self.place {
            Place::Outside => self.span += u128::from(cost),
            Place::Blocks => active.for_each(|block| self.spans[block] += u128::from(cost)),
            Place::Nest | Place::NestOfBlocks => self.lanes.add(active, cost),
        }
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Access(_, site) if site.elements().is_none() => {}
            Event::Access(accesses, _) => self.add(accesses.active, self.counted.of_access()),
            Event::Operation(_, active) => self.add(active, self.counted.of_operation()),
            Event::NestBegins => {
                self.place = Place::Nest;
                self.nests[0] = Branches::default();
            }
            Event::RoundBegins { count } => {
                self.lanes.begin(*count);
                self.count = *count;
                if self.place == Place::Nest {
                    self.nests[0].number += *count as u128;
                }
            }
            Event::RoundEnds => self.end_round(),
            Event::NestEnds => {
                self.place = Place::Outside;
                self.span += self.nests[0].span(self.spawn);
            }
            Event::Dealt(lanes) if self.place == Place::NestOfBlocks => {
                self.nests[lanes.start / self.threads].number += lanes.len() as u128;
            }
            Event::Dealt(_) => {}
            Event::Blocks(event) => self.blocks(*event),
            Event::Fork(step) => self.fork(*step),
        }
    }

    /// Calls in parallel: each begins when the first one does.
    fn fork(&mut self, step: ForkStep) {
        match step {
            ForkStep::Begins => self.forks.push((self.span, Branches::default())),
            ForkStep::BranchEnds => {
                if let Some((begun, calls)) = self.forks.last_mut() {
                    calls.number += 1;
                    calls.add(self.span - *begun);
                    self.span = *begun;
                }
            }
            ForkStep::Ends => {
                self.span += self.forks.pop().map_or(0, |(_, calls)| calls.span(self.spawn));
            }
        }
    }

    /// A nest, or what thread 0 does outside.
    fn counted(&mut self, it: &CountedLoop<'_>) {
        let cost = |[accesses, operations]: [u128; 2]| {
            accesses * u128::from(self.counted.of_access())
                + operations * u128::from(self.counted.of_operation())
        };
        self.work += cost([it.accesses, it.all_operations()]);
        let longest = match self.counted {
            CountedCost::Accesses => it.longest[0],
            CountedCost::Operations => it.longest[1],
            CountedCost::Both => it.longest[2],
        };
        let nest = Branches { number: it.iterations, longest };
        self.span += if it.is_nest { nest.span(self.spawn) } else { longest };
    }

    fn end_round(&mut self) {
        match self.place {
            Place::Nest => self.nests[0].add(self.lanes.most().into()),
            Place::NestOfBlocks => {
                for lane in 0..self.count {
                    self.nests[lane / self.threads].add(self.lanes.of(lane).into());
                }
            }
            Place::Outside | Place::Blocks => {}
        }
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        match event {
            BlocksEvent::Begin { threads, .. } => {
                self.blocks = Branches::default();
                self.threads = usize::try_from(threads.get()).unwrap_or(usize::MAX);
            }
            BlocksEvent::Deal { count, .. } => {
                self.spans.drain(..).for_each(|it| self.blocks.add(it));
                self.blocks.number += count as u128;
                self.spans.resize(count, 0);
                self.nests.resize(self.nests.len().max(count), Branches::default());
                self.place = Place::Blocks;
            }
            BlocksEvent::Barrier { active, .. } if self.place == Place::Blocks => {
                self.place = Place::NestOfBlocks;
                active.for_each(|block| self.nests[block] = Branches::default());
            }
            BlocksEvent::Barrier { active, .. } => {
                self.place = Place::Blocks;
                active.for_each(|block| self.spans[block] += self.nests[block].span(self.spawn));
            }
            BlocksEvent::Round(_) => {}
            BlocksEvent::End => {
                self.spans.drain(..).for_each(|it| self.blocks.add(it));
                self.span += self.blocks.span(self.spawn);
                self.place = Place::Outside;
            }
        }
    }
}

/// ⌈log₂ n⌉; 0 for nothing.
const fn ceil_log2(n: u128) -> u32 {
    match n {
        0 | 1 => 0,
        _ => (n - 1).ilog2() + 1,
    }
}

/// Work and span as a machine (Blelloch 1996; Cormen et al., Chapter 26).
pub(super) struct WorkSpan {
    strands: Strands,
    threads: Threads,
}

impl WorkSpan {
    pub(super) fn new(counted: CountedCost, spawn: Spawn, threads: Threads) -> Self {
        Self { strands: Strands::new(counted, spawn), threads }
    }
}

impl CostModel for WorkSpan {
    fn event(&mut self, event: &Event<'_>) {
        self.strands.event(event);
    }

    fn counted(&mut self, it: &CountedLoop<'_>) -> bool {
        self.strands.counted(it);
        true
    }

    fn cost(self: Box<Self>) -> Cost {
        let (work, span) = (self.strands.work, self.strands.span);
        let p = u128::from(self.threads.get());
        // Of a listing that does nothing there is no quotient.
        let parallelism = if span == 0 { 0.0 } else { work as f64 / span as f64 };
        // Calls that begin iterations are in the span alone: of many that do little, it exceeds the work.
        let brent = work.saturating_sub(span).div_ceil(p) + span;
        Cost::default()
            .with("work", "work T₁", work)
            .with("span", "span T∞", span)
            .with("parallelism", "parallelism T₁/T∞", parallelism)
            .with("processors", "processors p", p)
            .with("brent", "Brent's bound ⌈(T₁ − T∞)/p⌉ + T∞", brent)
    }
}
