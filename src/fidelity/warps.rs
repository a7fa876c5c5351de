//! A bulk run as compiled code: a warp of it is executed, or a few where their inputs make them differ.

use std::f64::consts::{EULER_GAMMA, PI};
use std::sync::Arc;

use super::arrays::InputsOfWarps;
use super::code::{Code, MOST, WARP, shape, work};
use super::held::{GROUP, Held, timing};
use super::work::{Doing, KernelWork};
use crate::case::CaseError;
use crate::emission::{self, BULK_BLOCK};
use crate::run::layout::Arrangement;
use crate::sass::{self, Beyond, BlockRun, Counts};

/// Warps that are looked at where their inputs may make them differ.
const WARPS: u64 = 8;
/// So many of which the longest takes no more than so many times as long as the shortest are alike.
const FEW: usize = 3;
const SAME: f64 = 1.005;
/// The part that counts of what the longest warp is expected to take longer than the mean one: in the end
/// it has more of the multiprocessor to itself.
const LONGEST: f64 = 0.8;

impl Code<'_> {
    pub(super) fn bulk(&self, arrangement: Arrangement) -> Result<KernelWork, CaseError> {
        let kernel = self.kernel(0)?;
        let (inputs, block) = (self.case.threads.get(), u64::from(BULK_BLOCK));
        let blocks = inputs.div_ceil(block);
        let bytes = emission::bytes(&self.case.program, self.layout) as f64;
        let mut arguments = self.arguments.clone();
        arguments.push(inputs);
        // One warp stands for both of a block, and so do its shares of caches.
        let warps = (block / WARP) as f64;
        let (device, shape) = (self.device, shape(kernel, block as f64, 0.0));
        let held = Held::of(device, shape, blocks as f64);
        let beyond = match bytes <= device.cache_bytes.value {
            true => Beyond::Part(0.0),
            false => Beyond::Groups(device.cache_held_bytes.value / GROUP / (held.all * warps)),
        };
        let near_groups = held.near_bytes / GROUP / (held.each * warps);
        let timing = timing(device, near_groups, beyond, held.all * warps);
        let differ = kernel.depends_on_values();
        let most = if differ { WARPS.min(blocks) } else { 1 };
        let known = || InputsOfWarps::of(self.case, arrangement, most, block);
        let mut memory = differ.then(known).transpose()?;
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
        // The last wave takes as long as its longest warp, a multiprocessor's stages as many as those
        // have that come to the one that has most.
        let (mean, above) = Counts::mean_and_above(&looked_at);
        let multiprocessors = device.multiprocessors.value.min(blocks as f64);
        let of_each = (inputs as f64 / WARP as f64 / multiprocessors).max(1.0);
        let longest = LONGEST * greatest(held.all * warps) * held.all / blocks as f64;
        let counts = mean.with_longest(&above, longest, greatest(multiprocessors) / of_each.sqrt());
        let doing = Doing {
            blocks: blocks as f64,
            times: inputs as f64 / block as f64,
            sums: Arc::default(),
            code: Some(Counts { cycles: counts.cycles, ..counts.times(warps) }),
            is_alone: true,
        };
        Ok(work(shape, bytes, vec![doing]))
    }
}

/// Whether more warps would say no more, or take too long.
fn has_seen_enough(looked_at: &[Counts]) -> bool {
    let cycles = || looked_at.iter().map(|it| it.cycles);
    let (least, most) = (cycles().fold(f64::INFINITY, f64::min), cycles().fold(0.0, f64::max));
    let instructions: f64 = looked_at.iter().map(|it| it.instructions).sum();
    looked_at.len() >= FEW && most < SAME * least || instructions > MOST as f64
}

/// By how many standard deviations the greatest of so many normal numbers is expected above their mean
/// (Cramér 1946, §28.6).
fn greatest(of: f64) -> f64 {
    if of <= 1.0 {
        return 0.0;
    }
    let root = (2.0 * of.ln()).sqrt();
    root + (EULER_GAMMA - (of.ln().ln() + (4.0 * PI).ln()) / 2.0) / root
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Harter 1961, Expected values of normal order statistics.
    #[test]
    fn the_greatest_is_as_far_off_as_tables_say() {
        assert_eq!(greatest(1.0), 0.0);
        for (of, expected) in [(10.0, 1.53875), (100.0, 2.50759), (400.0, 2.96818)] {
            assert!((greatest(of) - expected).abs() < 0.1, "{of}: {}", greatest(of));
        }
    }
}
