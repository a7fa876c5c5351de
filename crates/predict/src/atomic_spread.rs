//! Over how many address groups a launch spreads its atomic operations, and so over how many slices of the
//! last-level cache, each of which does them one by one.

use memory_machine_sass::ExecutionCounts;
use rustc_hash::FxHashMap;

/// Slices that do as much as one by one of them would, where operations fall on 1, 2, 4, … 4096 neighbouring
/// address groups at random: measured on an H200
/// (`models/measurements/nvidia-h200/2026-11-29/atomics/micro.csv`). The cache's hash of addresses leaves
/// few groups together.
const SLICES: [f64; 13] = [1.0, 1.0, 2.0, 2.0, 4.0, 7.7, 11.6, 22.7, 25.0, 46.0, 47.0, 60.0, 64.0];

/// Operations of warps of some blocks, by address group.
#[derive(Debug, Default)]
pub(super) struct AtomicSpread {
    all: BlockPairs,
    by_group: FxHashMap<u64, BlockPairs>,
}

/// How many of something blocks have, one block after another.
#[derive(Debug, Clone, Copy, Default)]
struct BlockPairs {
    block: usize,
    /// Of this block, of those before it, and pairs of which one is of another block.
    own: f64,
    before: f64,
    pairs: f64,
}

impl BlockPairs {
    fn add(&mut self, block: usize) {
        if block != self.block {
            (self.block, self.own, self.before) = (block, 0.0, self.before + self.own);
        }
        self.own += 1.0;
        self.pairs += self.before;
    }
}

impl AtomicSpread {
    /// An operation of a warp of a block. Blocks come one after another.
    pub(super) fn note(&mut self, block: usize, group: u64) {
        self.all.add(block);
        self.by_group.entry(group).or_default().add(block);
    }

    /// As many address groups, each as often, as let operations of two blocks meet as often as these do.
    fn groups(&self) -> f64 {
        let pairs: f64 = self.by_group.values().map(|it| it.pairs).sum();
        match self.all.before > 0.0 {
            true => self.all.pairs / pairs,
            false => self.by_group.len() as f64,
        }
    }

    /// Cycles that a block's operations take of the last-level cache, all slices of it together.
    pub(super) fn cycles(&self, counts: &ExecutionCounts) -> f64 {
        let groups = self.groups().max(1.0);
        (counts.atomic_cycles / slices(groups)).max(counts.atomic_chain_cycles / groups)
    }
}

fn slices(groups: f64) -> f64 {
    let power = groups.log2().min((SLICES.len() - 1) as f64);
    let at = (power as usize).min(SLICES.len() - 2);
    SLICES[at] * (SLICES[at + 1] / SLICES[at]).powf(power - at as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_blocks_that_never_meet_have_all_slices() {
        let mut spread = AtomicSpread::default();
        (0..300).for_each(|it| spread.note(it / 100, it as u64));
        assert_eq!(spread.groups(), f64::INFINITY);
        let counts = ExecutionCounts { atomic_cycles: 64.0, ..ExecutionCounts::default() };
        assert!((spread.cycles(&counts) - 1.0).abs() < 1e-12);
    }

    /// Three blocks go through the same 32 groups; one block alone has them, too.
    #[test]
    fn groups_that_all_blocks_update_are_counted() {
        let mut spread = AtomicSpread::default();
        for block in 0..3 {
            (0..128).for_each(|it| spread.note(block, it % 32));
            assert!((spread.groups() - 32.0).abs() < 1e-9);
        }
        let counts = ExecutionCounts { atomic_cycles: 77.0, ..ExecutionCounts::default() };
        assert!((spread.cycles(&counts) - 10.0).abs() < 1e-9);
        let float = ExecutionCounts { atomic_chain_cycles: 640.0, ..counts };
        assert!((spread.cycles(&float) - 20.0).abs() < 1e-9);
    }

    /// Warps at one word of a random one of so many neighbouring groups.
    #[test]
    fn slices_work_beside_each_other_as_was_measured() {
        let measured =
            include_str!("../../../models/measurements/nvidia-h200/2026-11-29/atomics/micro.csv");
        let mut least = std::collections::BTreeMap::<u32, f64>::new();
        for row in measured.lines().filter_map(|it| it.strip_prefix("red_u32,2,")) {
            let row: Vec<&str> = row.split(',').collect();
            if row[1] == "32" {
                let time = least.entry(row[0].parse().unwrap()).or_insert(f64::INFINITY);
                *time = time.min(row[4].parse().unwrap());
            }
        }
        assert_eq!(least.len(), 19);
        for (&groups, &time) in &least {
            let told = slices(f64::from(groups)) / (least[&1] / time);
            assert!((0.8..1.25).contains(&told), "{groups}: {told}");
        }
    }
}
