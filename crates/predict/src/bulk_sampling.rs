//! A bulk run as compiled code: a warp of it is executed, or a few where their inputs make them differ.

use super::arrays::BulkInputs;
use super::compiled_case::{CompiledCase, MOST_INSTRUCTIONS, shape, work};
use super::residency::{Residency, timing};
use super::tail::add_tail;
use super::work::{ArrayBytes, KernelModel, KernelWork, LaunchWork};
use memory_machine_case::{Case, CaseError};
use memory_machine_codegen::{self as codegen, BULK_BLOCK};
use memory_machine_core::run::layout::Arrangement;
use memory_machine_core::units::{GROUP_BYTES, Threads, WARP};
use memory_machine_sass::{self as sass, BlockRun, ExecutionCounts, L2MissModel, RunError};

/// Warps that are looked at where their inputs may make them differ.
const SAMPLED_WARPS: u64 = 8;
/// This many of which the longest takes no more than this many times as long as the shortest are alike.
const MIN_ALIKE_WARPS: usize = 3;
const ALIKE_RATIO: f64 = 1.005;

/// A listing's accesses for each instruction that compilers leave of them, at most: more of them than
/// a run may take are not begun with.
const ACCESSES_PER_INSTRUCTION: u64 = 2;

/// Instructions of them together after which no more of them are looked at.
const ENOUGH_INSTRUCTIONS: f64 = (1 << 22) as f64;

impl CompiledCase<'_> {
    pub(super) fn bulk(&self, arrangement: Arrangement) -> Result<KernelWork, CaseError> {
        let kernel = self.kernel(0)?;
        if self.accesses_of_one() > u128::from(ACCESSES_PER_INSTRUCTION * MOST_INSTRUCTIONS) {
            return Err(self.too_long(RunError::TooLong(MOST_INSTRUCTIONS)));
        }
        let (inputs, block) = (self.case.threads.get(), u64::from(BULK_BLOCK));
        let blocks = inputs.div_ceil(block);
        let bytes = codegen::bytes(&self.case.program, self.layout) as f64;
        let mut arguments = self.arguments.clone();
        arguments.push(inputs);
        // One warp stands for both of a block, and so do its shares of caches.
        let warps = (block / WARP) as f64;
        let (device, shape) = (self.device, shape(kernel, block as f64, 0.0));
        let held = Residency::of(device, shape, blocks as f64);
        let beyond = match bytes <= device.l2_bytes.value {
            true => L2MissModel::CACHED,
            false => L2MissModel::Groups(
                device.l2_held_bytes.value / GROUP_BYTES as f64 / (held.all * warps),
            ),
        };
        let l1_groups = held.l1_bytes / GROUP_BYTES as f64 / (held.each * warps);
        let timing = timing(device, l1_groups, beyond, held.all * warps);
        let differ = kernel.depends_on_values();
        let most = if differ { SAMPLED_WARPS.min(blocks) } else { 1 };
        let known = if differ { most } else { 0 };
        let mut memory = BulkInputs::of(self.case, arrangement, known, block)?;
        let mut sampled: Vec<ExecutionCounts> = vec![];
        while (sampled.len() as u64) < most && !has_seen_enough(&sampled) {
            let run = BlockRun {
                blocks,
                threads: block.min(inputs),
                block: sampled.len() as u64,
                warps: 1,
                arguments: &arguments,
                launch: None,
                limit: MOST_INSTRUCTIONS,
                has_results: false,
            };
            let counts = sass::run(self.module, kernel, run, &timing, &mut memory)
                .map_err(|error| self.too_long(error))?;
            sampled.push(counts);
        }
        let all = inputs.div_ceil(WARP) as f64;
        let counts = add_tail(&sampled, &[], held.all * warps, all, device.multiprocessors.value);
        let doing = LaunchWork {
            blocks: blocks as f64,
            times: inputs as f64 / block as f64,
            // Both fetch their code together.
            model: KernelModel::Compiled(Box::new(ExecutionCounts {
                cycles: counts.cycles,
                fetch_cycles: counts.fetch_cycles,
                ..counts.times(warps)
            })),
            is_alone: true,
        };
        let arrays = ArrayBytes::of(&self.case.program, self.layout, &self.case.program.body);
        Ok(work(shape, arrays, vec![doing]))
    }

    /// Of one input as the listing has it; none, if they are not counted at once.
    fn accesses_of_one(&self) -> u128 {
        let one = Case { threads: Threads::at_least_one(1), ..self.case.clone() };
        let counted = one.layout().map(|it| one.count_within(&it, [MOST_INSTRUCTIONS; 2]));
        let Ok(Ok(Some(counted))) = counted else { return 0 };
        counted.counts.iter().map(|it| it.accesses).sum()
    }
}

/// Whether more warps would say no more, or take too long.
fn has_seen_enough(sampled: &[ExecutionCounts]) -> bool {
    let cycles = || sampled.iter().map(|it| it.cycles);
    let (least, most) = (cycles().fold(f64::INFINITY, f64::min), cycles().fold(0.0, f64::max));
    let instructions: f64 = sampled.iter().map(|it| it.instructions).sum();
    sampled.len() >= MIN_ALIKE_WARPS && most < ALIKE_RATIO * least
        || instructions > ENOUGH_INSTRUCTIONS
}
