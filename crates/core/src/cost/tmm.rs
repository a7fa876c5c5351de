//! Threaded many-core memory: P cores in groups that share memory, each with several threads, between
//! which it switches at no cost while memory is accessed (Ma, Agrawal, Chamberlain 2012).

use super::agpu::shared_words;
use super::strands::Strands;
use super::warps::WarpOrder;
use super::{Cost, CostModel, CountedCost, Event, Spawn, Value};
use crate::run::BlocksEvent;
use crate::run::layout::Layout;
use crate::trace::Space;

/// What the machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tmm {
    /// P.
    pub cores: u64,
    /// C: words of a chunk; Q = C cores are in a group, and go in step.
    pub line: u64,
    /// Z: words that a group shares.
    pub cache: u64,
    /// X: the most threads of a core.
    pub slots: u64,
    /// L: time units of an access to global memory.
    pub latency: u64,
}

impl Tmm {
    pub(super) fn parameters(self) -> Vec<(&'static str, Value)> {
        let Self { cores, line, cache, slots, latency } = self;
        let all =
            [("cores", cores), ("line", line), ("cache", cache), ("slots", slots), ("L", latency)];
        all.map(|(name, value)| (name, value.into())).into()
    }
}

pub(super) struct TmmModel {
    parameters: Tmm,
    warps: WarpOrder,
    strands: Strands,
    /// M.
    chunks: u128,
    /// The most threads that there are at once, and those of a block and of the present loop on DMMs.
    threads: u64,
    a_block: u64,
    of_blocks: u64,
    shared_words: u64,
}

impl TmmModel {
    pub(super) fn new(layout: &Layout, parameters: Tmm) -> Self {
        Self {
            parameters,
            warps: WarpOrder::new(parameters.line),
            strands: Strands::new(CountedCost::Both, Spawn::Free),
            chunks: 0,
            threads: 1,
            a_block: 1,
            of_blocks: 0,
            shared_words: shared_words(layout),
        }
    }
}

impl CostModel for TmmModel {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::RoundBegins { count } if self.of_blocks == 0 => {
                self.threads = self.threads.max(*count as u64);
            }
            Event::Blocks(BlocksEvent::Begin { threads, .. }) => self.a_block = threads.get(),
            Event::Blocks(BlocksEvent::Deal { count, .. }) => {
                self.of_blocks += *count as u64 * self.a_block;
                self.threads = self.threads.max(self.of_blocks);
            }
            Event::Blocks(BlocksEvent::End) => self.of_blocks = 0,
            _ => {}
        }
        self.strands.event(event);
        let chunks = &mut self.chunks;
        self.warps.event(event, |it| {
            if it.memory == Some(Space::Global) {
                *chunks += u128::from(it.warps) * u128::from(it.stages);
            }
        });
    }

    fn cost(self: Box<Self>) -> Cost {
        let Tmm { cores, cache, slots, latency, .. } = self.parameters;
        let threads = self.threads.div_ceil(cores).min(slots);
        let (work, span) = (self.strands.work, self.strands.span);
        let of_work = work.div_ceil(cores.into());
        let hidden = u128::from(threads) * u128::from(cores);
        let of_memory = (self.chunks * u128::from(latency)).div_ceil(hidden);
        let time = of_work.max(span).max(of_memory);
        Cost::default()
            .with("time_units", "time max(T₁/P, T∞, M·L/(T·P))", time)
            .with("work", "work T₁", work)
            .with("span", "span T∞", span)
            .with("io", "M: chunks of global memory", self.chunks)
            .with("threads_a_core", "T: threads of a core", threads)
            .with("of_work", "⌈T₁/P⌉", of_work)
            .with("of_memory", "⌈M·L/(T·P)⌉", of_memory)
            .with("shared_words", "words of shared memory of a block", self.shared_words)
            .with("fits", "no more than Z", self.shared_words <= cache)
    }
}
