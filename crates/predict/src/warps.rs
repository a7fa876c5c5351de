//! A bulk run as compiled code: a warp of it is executed, or a few where their inputs make them differ.

use std::sync::Arc;

use super::arrays::InputsOfWarps;
use super::code::{Code, MOST, WARP, shape, work};
use super::held::{GROUP, Held, timing};
use super::longest::with_longest;
use super::work::{Doing, KernelWork};
use memory_machine_case::{Case, CaseError};
use memory_machine_codegen::{self as codegen, BULK_BLOCK};
use memory_machine_core::run::layout::Arrangement;
use memory_machine_core::units::Threads;
use memory_machine_sass::{self as sass, Beyond, BlockRun, Counts, RunError};

/// Warps that are looked at where their inputs may make them differ.
const WARPS: u64 = 8;
/// So many of which the longest takes no more than so many times as long as the shortest are alike.
const FEW: usize = 3;
const SAME: f64 = 1.005;

/// A listing's accesses for each instruction that compilers leave of them, at most: more of them than
/// a run may take are not begun with.
const SAVED: u64 = 2;

/// Instructions of them together after which no more of them are looked at.
const ENOUGH: f64 = (1 << 22) as f64;

impl Code<'_> {
    pub(super) fn bulk(&self, arrangement: Arrangement) -> Result<KernelWork, CaseError> {
        let kernel = self.kernel(0)?;
        if self.accesses_of_one() > u128::from(SAVED * MOST) {
            return Err(self.too_long(RunError::TooLong(MOST)));
        }
        let (inputs, block) = (self.case.threads.get(), u64::from(BULK_BLOCK));
        let blocks = inputs.div_ceil(block);
        let bytes = codegen::bytes(&self.case.program, self.layout) as f64;
        let mut arguments = self.arguments.clone();
        arguments.push(inputs);
        // One warp stands for both of a block, and so do its shares of caches.
        let warps = (block / WARP) as f64;
        let (device, shape) = (self.device, shape(kernel, block as f64, 0.0));
        let held = Held::of(device, shape, blocks as f64);
        let beyond = match bytes <= device.cache_bytes.value {
            true => Beyond::CACHED,
            false => Beyond::Groups(device.cache_held_bytes.value / GROUP / (held.all * warps)),
        };
        let near_groups = held.near_bytes / GROUP / (held.each * warps);
        let timing = timing(device, near_groups, beyond, held.all * warps);
        let differ = kernel.depends_on_values();
        let most = if differ { WARPS.min(blocks) } else { 1 };
        let known = if differ { most } else { 0 };
        let mut memory = InputsOfWarps::of(self.case, arrangement, known, block)?;
        let mut looked_at: Vec<Counts> = vec![];
        while (looked_at.len() as u64) < most && !has_seen_enough(&looked_at) {
            let run = BlockRun {
                blocks,
                threads: block.min(inputs),
                block: looked_at.len() as u64,
                warps: 1,
                arguments: &arguments,
                limit: MOST,
                has_results: false,
            };
            let counts = sass::run(self.module, kernel, run, &timing, &mut memory)
                .map_err(|error| self.too_long(error))?;
            looked_at.push(counts);
        }
        let all = inputs.div_ceil(WARP) as f64;
        let counts =
            with_longest(&looked_at, &[], held.all * warps, all, device.multiprocessors.value);
        let doing = Doing {
            blocks: blocks as f64,
            times: inputs as f64 / block as f64,
            sums: Arc::default(),
            // Both fetch their code together.
            code: Some(Counts {
                cycles: counts.cycles,
                fetching: counts.fetching,
                ..counts.times(warps)
            }),
            is_alone: true,
        };
        Ok(work(shape, bytes, vec![doing]))
    }

    /// Of one input as the listing has it; none, if they are not counted at once.
    fn accesses_of_one(&self) -> u128 {
        let one = Case { threads: Threads::at_least_one(1), ..self.case.clone() };
        let counted = one.layout().map(|it| one.count_within(&it, [MOST; 2]));
        let Ok(Ok(Some(counted))) = counted else { return 0 };
        counted.counts.iter().map(|it| it.accesses).sum()
    }
}

/// Whether more warps would say no more, or take too long.
fn has_seen_enough(looked_at: &[Counts]) -> bool {
    let cycles = || looked_at.iter().map(|it| it.cycles);
    let (least, most) = (cycles().fold(f64::INFINITY, f64::min), cycles().fold(0.0, f64::max));
    let instructions: f64 = looked_at.iter().map(|it| it.instructions).sum();
    looked_at.len() >= FEW && most < SAME * least || instructions > ENOUGH
}
