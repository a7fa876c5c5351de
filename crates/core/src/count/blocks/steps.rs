//! What the blocks that run ask for, step by step; equal steps are kept once.

use std::collections::HashMap;

use crate::machine::{Machine, StageCounter, Traffic};
use crate::run::{Accesses, BlockGroup};
use crate::trace::{AccessKind, Phase, Space, Step};

/// How often each step was made: what each block, by its rank, asked of a memory.
pub(super) type Steps = HashMap<(Phase, Space, Box<[Traffic]>), u128>;

/// Counts the stages of steps.
pub(super) struct Recorder {
    /// Of global and of shared memory.
    stages: [StageCounter; 2],
    step: Step,
    by_rank: Vec<Traffic>,
}

impl Recorder {
    pub(super) fn new(machine: Machine) -> Self {
        let stages =
            [Space::Global, Space::Shared].map(|it| StageCounter::new(machine.of_memory(it)));
        Self { stages, step: Step::new(AccessKind::Read), by_rank: vec![] }
    }

    /// Adds a step of blocks that have `count` ranks in all, each that of its lane.
    pub(super) fn record(
        &mut self,
        accesses: &Accesses<'_>,
        of: BlockGroup,
        phase: Phase,
        (count, rank): (usize, impl Fn(usize) -> usize),
        steps: &mut Steps,
    ) {
        let Self { stages, step, by_rank } = self;
        by_rank.clear();
        by_rank.resize(count, Traffic::default());
        accesses.by_block(of, step, |lane, step| {
            let traffic = &mut by_rank[rank(lane)];
            stages[of.space as usize].visit(step, |warps| *traffic = *traffic + Traffic::of(warps));
        });
        *steps.entry((phase, of.space, by_rank.as_slice().into())).or_default() += 1;
    }
}
