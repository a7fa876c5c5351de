//! The abstract GPU: p cores in multiprocessors of b, whose warps of b threads go in step; a shared
//! memory of M words in b banks for each, and one global memory in blocks of b words (Koike and Sadakane
//! 2014).

use super::warps::WarpOrder;
use super::{Cost, CostModel, Event, Value};
use crate::language::program::Program;
use crate::run::BlocksEvent;
use crate::run::layout::Layout;
use crate::trace::Space;

/// AGPU(p, b, M, G).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agpu {
    /// p, a multiple of b.
    pub cores: u64,
    /// b: cores of a multiprocessor, threads of a warp, words of a block of global memory, banks.
    pub line: u64,
    /// M: words of shared memory of a multiprocessor.
    pub cache: u64,
    /// G: words of global memory; as many as it takes if it is not given.
    pub space: Option<u64>,
}

impl Agpu {
    pub(super) fn parameters(self) -> Vec<(&'static str, Value)> {
        let Self { cores, line, cache, space } = self;
        let mut found: Vec<(_, Value)> =
            vec![("cores", cores.into()), ("line", line.into()), ("cache", cache.into())];
        found.extend(space.map(|it| ("space", it.into())));
        found
    }
}

/// The most words of shared memory that a block has.
pub(super) fn shared_words(layout: &Layout) -> u64 {
    layout.blocks.iter().map(|it| it.shared_words).max().unwrap_or(0)
}

pub(super) struct AgpuModel {
    parameters: Agpu,
    warps: WarpOrder,
    /// By multiprocessor: instructions since the last barrier of the machine.
    instructions: Vec<u64>,
    time: u128,
    done: u128,
    transfers: u128,
    conflicts: u128,
    shared_words: u64,
    global_words: u64,
}

impl AgpuModel {
    pub(super) fn new(program: &Program, layout: &Layout, parameters: Agpu) -> Self {
        Self {
            parameters,
            warps: WarpOrder::new(parameters.line),
            instructions: vec![0; (parameters.cores / parameters.line) as usize],
            time: 0,
            done: 0,
            transfers: 0,
            conflicts: 0,
            shared_words: shared_words(layout),
            global_words: layout.cells(program),
        }
    }

    /// All multiprocessors wait for each other.
    fn barrier(&mut self) {
        self.time += u128::from(self.instructions.iter().copied().max().unwrap_or(0));
        self.instructions.fill(0);
    }
}

impl CostModel for AgpuModel {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::NestBegins
            | Event::NestEnds
            | Event::Blocks(BlocksEvent::Begin { .. } | BlocksEvent::End) => self.barrier(),
            _ => {}
        }
        let Self { instructions, done, transfers, conflicts, .. } = self;
        let processors = instructions.len() as u64;
        self.warps.event(event, |it| {
            let all = u128::from(it.warps) * u128::from(it.stages);
            *done += all;
            match it.memory {
                Some(Space::Global) => *transfers += all,
                Some(Space::Shared) => *conflicts += all - u128::from(it.warps),
                None => {}
            }
            // The warps of a block stay on its multiprocessor; others are dealt out.
            let (each, of) = if it.is_block { (1, it.warps) } else { (it.warps, 1) };
            for place in it.place..it.place + each {
                instructions[(place % processors) as usize] += of * it.stages;
            }
        });
    }

    fn cost(mut self: Box<Self>) -> Cost {
        self.barrier();
        let Agpu { cache, space, .. } = self.parameters;
        let fits = self.shared_words <= cache && space.is_none_or(|it| self.global_words <= it);
        Cost::default()
            .with("time_units", "time", self.time)
            .with("io", "I/O: blocks of global memory", self.transfers)
            .with("multiprocessors", "multiprocessors p/b", self.instructions.len() as u128)
            .with("instructions", "instructions of all warps", self.done)
            .with("conflicts", "of these, waits for banks", self.conflicts)
            .with("shared_words", "words of shared memory of a block", self.shared_words)
            .with("global_words", "words of global memory", self.global_words)
            .with("fits", "no more than M and G", fits)
    }
}
