//! Blocks in step: waves of d·R blocks, one after another, of which the blocks make their steps
//! together.

use std::collections::BTreeMap;

use crate::machine::kind::Dmms;
use crate::machine::listener::{OfBlock, Watch};
use crate::machine::stages::Warps;
use crate::machine::{Counts, of_phase};
use crate::trace::{BlockAt, Phase, Space};
use crate::units::{Latency, TimeUnits};

/// A step to global memory costs the stages of all warps of all DMMs, one to shared memories as many
/// as the DMM with most takes; either its latency less 1.
///
/// Steps come wave by wave, and in a wave in the order of their numbers.
pub(super) struct LockstepBlocks<W> {
    dmms: Dmms,
    /// Of global and of shared memory; likewise below.
    latencies: [Latency; 2],
    /// The wave and the number of the present step.
    present: (u64, u64),
    phases: [Phase; 2],
    /// Its stages: those to shared memories by DMM, others all together.
    stages: [BTreeMap<u64, u128>; 2],
    /// When it began.
    now: u128,
    /// For those who listen, what enters, and after how many stages.
    entering: [Vec<(OfBlock, Warps, u128)>; 2],
    watch: W,
}

impl<W: Watch> LockstepBlocks<W> {
    pub(super) fn new(dmms: Dmms, latencies: [Latency; 2], watch: W) -> Self {
        let (present, phases) = ((0, 0), [Phase::default(); 2]);
        let stages = [BTreeMap::new(), BTreeMap::new()];
        let entering = [vec![], vec![]];
        Self { dmms, latencies, present, phases, stages, now: 0, entering, watch }
    }

    pub(super) fn step(
        &mut self,
        at: BlockAt,
        phase: Phase,
        space: Space,
        warps: &[Warps],
        counts: &mut Vec<Counts>,
    ) {
        let step = (at.block / self.dmms.blocks(), at.number);
        if self.present != step {
            self.end(counts);
            self.present = step;
        }
        let dmm = at.block % self.dmms.number;
        let pipeline = if space == Space::Shared { dmm } else { 0 };
        let stages = self.stages[space as usize].entry(pipeline).or_default();
        for &group in warps {
            if W::LISTENS {
                let of = OfBlock { at, dmm, space };
                self.entering[space as usize].push((of, group, *stages));
            }
            *stages += u128::from(group.count) * u128::from(group.stages);
        }
        self.phases[space as usize] = phase;
    }

    /// Everything of the present step has come.
    pub(super) fn end(&mut self, counts: &mut Vec<Counts>) {
        for (space, stages) in self.stages.iter_mut().enumerate() {
            if !stages.is_empty() {
                let space = if space == 0 { Space::Global } else { Space::Shared };
                let by_dmm = stages.values().map(|&stages| (1, stages));
                let time = time_of_step(space, self.latencies[space as usize], by_dmm);
                of_phase(counts, self.phases[space as usize]).time_units += time;
                for (of, warps, after) in self.entering[space as usize].drain(..) {
                    self.watch.dispatched_in(of, warps, TimeUnits(self.now + after));
                }
                self.now += time.0;
            }
            stages.clear();
        }
    }
}

/// What a step of blocks that go in step takes on the memories of a latency: all stages one after
/// another in global memory, those of each DMM in shared memories; `stages` are given with the number
/// of DMMs that take as many.
pub(crate) fn time_of_step(
    space: Space,
    latency: Latency,
    stages: impl Iterator<Item = (u128, u128)>,
) -> TimeUnits {
    let stages = match space {
        Space::Global => stages.map(|(dmms, stages)| dmms * stages).sum(),
        Space::Shared => stages.map(|(_, stages)| stages).max().unwrap_or(0),
    };
    TimeUnits(if stages == 0 { 0 } else { stages + u128::from(latency.get()) - 1 })
}
