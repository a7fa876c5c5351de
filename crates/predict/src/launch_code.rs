//! Blocks of a launch of compiled code: a few are executed, and stand for all.

use super::block_sampling::spread;
use super::block_sharing::{BlockSharing, SampleRole};
use super::indirect::IndirectTotal;
use super::occupancy::BlockShape;
use super::residency::{Residency, SECTOR, timing};
use super::tail::add_tail;
use super::work::ArrayBytes;
use memory_machine_core::units::{GROUP_BYTES, WARP};
use memory_machine_measure::models::Calibration;
use memory_machine_sass::{
    self as sass, BlockRun, DeviceMemory, ExecutionCounts, InstructionProfile, KernelCode,
    L2MissModel, Module, RunError,
};

/// Blocks of a launch that are looked at; where these differ, more of them, as long as they are short.
const SAMPLED_BLOCKS: u64 = 3;
const DIFFERENT_BLOCKS: u64 = 17;
/// Where most of the code is reached by none of them, it is looked for elsewhere.
const HIDDEN_CODE_BLOCKS: u64 = 257;
/// The part of it that blocks reach which are like the others.
const REACHED_CODE_PART: f64 = 0.6;
/// Instructions of blocks together that are short.
const SHORT_INSTRUCTIONS: f64 = (1 << 19) as f64;
/// Blocks with more instructions are long: few of them are looked at, and of their launches, if these differ
/// in nothing but what stands in memory.
pub(super) const LONG_INSTRUCTIONS: f64 = (1 << 18) as f64;
/// How much more one does than another where they differ.
const DIFFERENT_RATIO: f64 = 1.05;

/// A launch of compiled code.
pub(super) struct LaunchCode<'a> {
    pub(super) module: &'a Module,
    pub(super) kernel: &'a KernelCode,
    pub(super) device: &'a Calibration,
    pub(super) shape: BlockShape,
    /// Of any of its blocks.
    pub(super) run: BlockRun<'a>,
    /// That it may touch.
    pub(super) bytes: ArrayBytes,
    /// Of each array, and of all together.
    pub(super) array_bytes: Vec<f64>,
    /// As above.
    pub(super) all_bytes: f64,
}

/// What a block of a launch does.
pub(super) struct SampledBlock {
    /// The mean one, with what the longest do more.
    pub(super) counts: ExecutionCounts,
    /// By instruction, of the mean of those that were executed last.
    pub(super) profile: Vec<InstructionProfile>,
}

impl LaunchCode<'_> {
    /// What the mean block does; of the first `known` blocks it is known what they find in memory.
    ///
    /// # Errors
    /// More instructions than a block may have.
    pub(super) fn sample(
        &self,
        memory: &mut dyn DeviceMemory,
        known: u64,
    ) -> Result<SampledBlock, RunError> {
        let (device, blocks) = (self.device, self.run.blocks as f64);
        let threads = self.run.threads;
        let held = Residency::of(device, self.shape, blocks);
        let of_multiprocessor = (blocks / device.multiprocessors.value).ceil();
        let known = known.clamp(1, self.run.blocks);
        let mut profile = vec![];
        let mut each_of =
            |blocks: &[(u64, SampleRole)], beyond: L2MissModel, sharing: &mut BlockSharing| {
                let l1_groups = held.l1_bytes / GROUP_BYTES as f64 / sharing.distinct_blocks();
                let warps = held.all * threads as f64 / WARP as f64;
                let timing = timing(device, l1_groups, beyond, warps);
                profile = vec![InstructionProfile::default(); self.kernel.instructions()];
                let mut one = |&(block, role): &(u64, SampleRole)| {
                    let run = BlockRun { block, ..self.run };
                    let memory = &mut sharing.of(memory, role);
                    let (counts, of_block) =
                        sass::profile(self.module, self.kernel, run, &timing, memory)?;
                    for (sum, it) in profile.iter_mut().zip(&of_block) {
                        sum.add(it, 1.0 / blocks.len() as f64);
                    }
                    Ok(counts)
                };
                blocks.iter().map(&mut one).collect::<Result<Vec<ExecutionCounts>, RunError>>()
            };
        let add_tail = |all: &[ExecutionCounts], ends: &[ExecutionCounts]| {
            add_tail(all, ends, held.all, blocks, device.multiprocessors.value)
        };
        let stand_for_all = |count: u64| {
            let blocks = spread(known, count);
            let sharing = BlockSharing::new(of_multiprocessor, [held.each, held.all], blocks.len());
            let one = |(number, block)| (block, SampleRole::Representative(number));
            (blocks.into_iter().enumerate().map(one).collect::<Vec<_>>(), sharing)
        };
        let (mut chosen, mut sharing) = stand_for_all(SAMPLED_BLOCKS);
        let mut all = each_of(&chosen, L2MissModel::CACHED, &mut sharing)?;
        let least = all.iter().map(|it| it.instructions).fold(f64::INFINITY, f64::min);
        let most = ExecutionCounts::most_of(&all);
        let hidden = most.reached_part < REACHED_CODE_PART;
        let more = if hidden { HIDDEN_CODE_BLOCKS } else { DIFFERENT_BLOCKS };
        let more = more.min((SHORT_INSTRUCTIONS / ExecutionCounts::mean(&all).instructions) as u64);
        let differ = most.instructions > DIFFERENT_RATIO * least || hidden;
        if differ && more > SAMPLED_BLOCKS {
            (chosen, sharing) = stand_for_all(more);
            all = each_of(&chosen, L2MissModel::CACHED, &mut sharing)?;
        }
        // The first and the last may have more to do than any between.
        let ends = [0, self.run.blocks - 1].map(|it| (it, SampleRole::CostOnly));
        let ends = if differ { each_of(&ends, L2MissModel::CACHED, &mut sharing)? } else { vec![] };
        if of_multiprocessor > 1.0 {
            let (middle, _) = chosen[chosen.len() / 2];
            let after = |it: u64, role| [((middle + it) % self.run.blocks, role)];
            let next = after(device.multiprocessors.value as u64, SampleRole::Successor);
            each_of(&next, L2MissModel::CACHED, &mut sharing)?;
            if sharing.has_indirect() {
                each_of(&after(1, SampleRole::Neighbour), L2MissModel::CACHED, &mut sharing)?;
            }
        }
        chosen.iter_mut().for_each(|it| it.1 = SampleRole::CostOnly);
        // Of long blocks that are alike one says what all do.
        if !differ && most.instructions > LONG_INSTRUCTIONS {
            chosen = vec![chosen[chosen.len() / 2]];
        }
        if sharing.finish_sampling(&self.array_bytes) {
            all = each_of(&chosen, L2MissModel::CACHED, &mut sharing)?;
        }
        let mean = ExecutionCounts::mean(&all);
        if let Some(beyond) = self.beyond(held, blocks, &mean, &mut sharing) {
            all = each_of(&chosen, beyond, &mut sharing)?;
        }
        let mut counts = add_tail(&all, &ends);
        counts.atomic_cycles = sharing.atomics.cycles(&counts);
        Ok(SampledBlock { counts, profile })
    }

    /// What of a launch's accesses beyond its multiprocessors goes on to memory, as far as the last-level
    /// cache does not keep all of it: each sector that is read once, and each that is written once, so that
    /// an array in place goes both ways; and what a block accesses again when that is lost.
    fn beyond(
        &self,
        held: Residency,
        blocks: f64,
        mean: &ExecutionCounts,
        sharing: &mut BlockSharing,
    ) -> Option<L2MissModel> {
        let device = self.device;
        let all_bytes = self.all_bytes;
        let own_bytes = held.all * self.run.threads as f64 * self.kernel.local_bytes as f64;
        let held_bytes = device.l2_held_bytes.value;
        let sectors = mean.first_sectors + mean.stored_sectors;
        let touched = self.bytes.all.min(blocks * sectors * SECTOR).min(all_bytes);
        if sass::l2_share(held_bytes, touched + own_bytes) >= 1.0 {
            return None;
        }
        let lost = 1.0 - sass::l2_share(held_bytes, touched);
        let indirect = sharing.finish_indirect(&self.array_bytes, held_bytes, blocks);
        let part = |bytes: f64, sectors: f64, indirect: IndirectTotal| {
            let sectors = (blocks * (sectors - indirect.sectors)).max(1.0);
            lost * ((bytes - indirect.bytes).max(0.0) / SECTOR / sectors).min(1.0)
        };
        Some(L2MissModel::First {
            part: part(self.bytes.read, mean.first_sectors, indirect[0]),
            written_part: part(self.bytes.written, mean.stored_sectors, indirect[1]),
            groups: held_bytes / GROUP_BYTES as f64 / held.all,
        })
    }
}
