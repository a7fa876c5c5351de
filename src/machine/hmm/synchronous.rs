//! Blocks in step: waves of d·R blocks, one after another, of which the blocks make their steps
//! together.

use std::collections::BTreeMap;

use crate::machine::kind::Dmms;
use crate::machine::stages::Warps;
use crate::machine::{Counts, of_phase};
use crate::trace::{BlockAt, Phase, Space};
use crate::units::TimeUnits;

/// A step to global memory costs the stages of all warps of all DMMs, one to shared memories as many
/// as the DMM with most takes; either its latency less 1.
///
/// Steps come wave by wave, and in a wave in the order of their numbers.
pub(super) struct InStep {
    dmms: Dmms,
    /// Of global and of shared memory.
    latencies: [u128; 2],
    /// The present step: its wave and number, phase and memory.
    present: Option<(u64, u64, Phase, Space)>,
    /// Its stages: of a step to shared memories by DMM, else all together.
    stages: BTreeMap<u64, u128>,
}

impl InStep {
    pub(super) const fn new(dmms: Dmms, latencies: [u128; 2]) -> Self {
        Self { dmms, latencies, present: None, stages: BTreeMap::new() }
    }

    pub(super) fn step(
        &mut self,
        at: BlockAt,
        phase: Phase,
        space: Space,
        warps: &[Warps],
        counts: &mut Vec<Counts>,
    ) {
        let step = Some((at.block / self.dmms.blocks(), at.number, phase, space));
        if self.present != step {
            self.end(counts);
            self.present = step;
        }
        let dmm = if space == Space::Shared { at.block % self.dmms.number } else { 0 };
        let stages = warps.iter().map(|it| u128::from(it.count) * u128::from(it.stages));
        *self.stages.entry(dmm).or_default() += stages.sum::<u128>();
    }

    /// Everything of the present step has come.
    pub(super) fn end(&mut self, counts: &mut Vec<Counts>) {
        let Some((_, _, phase, space)) = self.present.take() else { return };
        let stages = self.stages.values().copied().max().unwrap_or(0);
        let latency = self.latencies[space as usize];
        if stages > 0 {
            of_phase(counts, phase).time_units += TimeUnits(stages + latency - 1);
        }
        self.stages.clear();
    }
}
