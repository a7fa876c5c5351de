//! The launch of a parallel loop of which a few blocks are run, and which threads are theirs.

use std::collections::HashMap;

use super::block_counts::{BlockCounter, BlockSums};
use super::plan::Plan;

/// The launch that is looked at.
pub(super) struct CurrentLaunch {
    pub(super) plan: usize,
    pub(super) launch: usize,
    /// Those that are sampled, by their number among the launch's, in the order of `blocks`.
    pub(super) places: HashMap<u64, usize>,
    pub(super) blocks: Vec<BlockCounter>,
    /// Iterations of all of them.
    iterations: u64,
    /// Without values: what is left of each block's pieces to deal.
    pub(super) rounds: Vec<Vec<(u64, u64)>>,
    /// With values: iterations of rounds before, and of this one.
    pub(super) passed: u64,
    pub(super) count: u64,
    /// Blocks of a loop on DMMs that were dealt.
    pub(super) dealt: u64,
    /// Whether threads of a nest run, of whichever kind of loop.
    pub(super) in_nest: bool,
}

impl CurrentLaunch {
    /// The launch of this number of the plan of that one, of which the blocks in `picked` are looked at;
    /// `bytes` is the cache of each.
    pub(super) fn new(
        (plan, launch): (usize, usize),
        planned: &Plan,
        picked: &[u64],
        bytes: f64,
    ) -> Self {
        let (mut rounds, mut places, mut end, mut iterations) = (vec![], HashMap::new(), 0, 0);
        for &block in picked {
            let pieces = planned.pieces(launch, block);
            // Rounds come in the order of iterations.
            if pieces.first().is_some_and(|it| it.0 < end) {
                continue;
            }
            let mut relative = vec![];
            for (from, count) in pieces {
                relative.push((from - end, count));
                end = from + count;
                iterations += count;
            }
            places.insert(block, places.len());
            rounds.push(relative);
        }
        rounds.reverse();
        let blocks = places.iter().map(|_| BlockCounter::new(bytes)).collect();
        let (passed, count, dealt, in_nest) = (0, 0, 0, false);
        Self { plan, launch, places, blocks, iterations, rounds, passed, count, dealt, in_nest }
    }

    /// The launch is over: iterations of the mean of its blocks, of a loop on DMMs 1, and what it did.
    /// This many threads are `resident` at once.
    pub(super) fn mean_block(mut self, plan: &Plan, resident: u64) -> (f64, BlockSums) {
        self.blocks.iter_mut().for_each(BlockCounter::end_phase);
        let mut mean = BlockSums::default();
        let each = 1.0 / self.blocks.len().max(1) as f64;
        self.blocks.iter().for_each(|block| mean.add(&block.sums, each));
        // Of blocks that are there at once the slowest is waited for.
        if plan.launches[self.launch].blocks * plan.threads <= resident {
            self.blocks.iter().for_each(|block| mean.wait_for(&block.sums));
        }
        let iterations = match plan.of_blocks {
            true => 1.0,
            false => self.iterations as f64 * each,
        };
        (iterations, mean)
    }

    /// Without values, the block of a nest that runs; none while the nest's bounds are computed.
    pub(super) fn running(&self) -> Option<usize> {
        (self.places.len() - self.rounds.len()).checked_sub(1)
    }

    /// The sampled block that a lane belongs to, and its thread there.
    pub(super) fn place(&self, plan: &Plan, has_values: bool, lane: u64) -> Option<(usize, u64)> {
        if plan.of_blocks {
            let lanes = if self.in_nest { plan.threads } else { 1 };
            let (block, thread) = (lane / lanes, lane % lanes);
            let block = match has_values {
                true => *self.places.get(&(self.passed + block))?,
                false => block as usize,
            };
            return Some((block, thread));
        }
        let iterations = plan.threads * plan.each;
        match has_values {
            true => {
                let iteration = self.passed + lane;
                let block = *self.places.get(&(iteration / iterations))?;
                Some((block, iteration % iterations / plan.each))
            }
            false => Some((self.running()?, lane / plan.each)),
        }
    }
}
