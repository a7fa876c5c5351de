//! Seconds of a launch whose work was counted of the listing.

use std::collections::{BTreeMap, HashMap};

use super::Extension;
use super::access_group::AccessGroup;
use super::block_counts::{AccessCounts, BlockSums};
use super::occupancy::l1_bytes;
use super::predict::{BlockWaves, PAIR_BYTES, Predictor, SampledLaunch};
use super::prediction::Prediction;
use super::residency::SECTOR;
use memory_machine_core::language::program::SiteId;
use memory_machine_core::run::Operation;
use memory_machine_core::trace::AccessKind;
use memory_machine_core::units::{GROUP_BYTES, SECTOR_BYTES, WARP};
use memory_machine_sass::{GROUP_PAIRS, l2_share};

/// Sectors of an address group.
const GROUP_SECTORS: f64 = (GROUP_BYTES / SECTOR_BYTES) as f64;
/// Simple operations with which a thread of a nest begins: its number, bounds, arguments.
const NEST_OPERATIONS: f64 = 16.0;
/// Simple operations for each loop of a nest whose variable a thread computes from its number.
const INDEX_OPERATIONS: f64 = 6.0;
/// Simple operations for an access: its address, and the access itself.
const ADDRESS_OPERATIONS: f64 = 2.0;

/// Parts of a site's accesses that each level serves.
#[derive(Debug, Clone, Copy)]
struct LevelParts {
    near: f64,
    cache: f64,
    memory: f64,
}

/// Iterations of a group that are under way together: what is unrolled is of no use to loops that end
/// before.
fn together(group: &AccessGroup, sums: &BlockSums) -> f64 {
    let count = |it| sums.busiest.get(&it).copied().unwrap_or(0.0);
    let (loops, turns) = (count(Operation::Loop), count(Operation::Turn));
    match !group.prefetch && turns < group.together * loops {
        true => 1.0,
        false => group.together,
    }
}

impl Predictor<'_> {
    /// Waiting and stages.
    pub(super) fn listing(&self, of: &SampledLaunch<'_>, blocks: &BlockWaves) -> Prediction {
        let sectors = self.l2_sectors(of);
        let served = |(number, it): (&usize, &AccessCounts)| {
            (*number, self.served(of, *number, it, sectors, blocks))
        };
        let served: BTreeMap<usize, LevelParts> = of.sums.sites.iter().map(served).collect();
        let mut one = self.stages(of, &served, blocks);
        one.latency_s = blocks.waves * self.latency(of, &served);
        one
    }

    /// Sectors of a launch beyond its multiprocessors, of reads and of writes.
    fn l2_sectors(&self, of: &SampledLaunch<'_>) -> [f64; 2] {
        let mut sectors = [0.0; 2];
        for (number, counts) in &of.sums.sites {
            let is_write = of.model.sites[number].kind == AccessKind::Write;
            sectors[usize::from(is_write)] += of.doing.times * counts.l2_sectors;
        }
        sectors
    }

    /// Which level serves a site of a launch that asks the last-level cache for this many sectors, reading
    /// and writing.
    fn served(
        &self,
        of: &SampledLaunch<'_>,
        number: usize,
        asked: &AccessCounts,
        sectors: [f64; 2],
        blocks: &BlockWaves,
    ) -> LevelParts {
        if !self.has(Extension::Levels) {
            return LevelParts { near: 0.0, cache: 0.0, memory: 1.0 };
        }
        let machine = self.machine;
        let cached = |bytes: f64| bytes <= machine.l2_bytes.value;
        let Some(bulk) = &of.model.reuse else {
            // What a launch touches beyond its multiprocessors is in the last-level cache as far as that
            // keeps all of it; of the rest each sector that is read comes from memory once, and each that
            // is written goes there once.
            let near = 1.0 - asked.l2_sectors / asked.sectors.max(1.0);
            let touched = (sectors[0] + sectors[1]) * SECTOR;
            let touched = of.kernel.bytes.all.min(touched).min(self.bytes);
            let lost = 1.0 - l2_share(machine.l2_held_bytes.value, touched);
            let (bytes, sectors) = match of.model.sites[&number].kind {
                AccessKind::Read => (of.kernel.bytes.read, sectors[0]),
                AccessKind::Write => (of.kernel.bytes.written, sectors[1]),
            };
            let once = (bytes / SECTOR / sectors.max(1.0)).min(1.0);
            let memory = lost * (1.0 - near) * once;
            return LevelParts { near, cache: 1.0 - near - memory, memory };
        };
        let l1_bytes = l1_bytes(machine, of.kernel.shape());
        let each = blocks.resident * bulk.group_bytes;
        let near = bulk.reuse.within(number, l1_bytes * blocks.multiprocessors / each);
        // What is more than the last-level cache holds leaves it by chance, not the oldest first.
        let far = bulk.reuse.mostly_within(number, machine.l2_held_bytes.value / each);
        // What was filled in before the run is still there if it fits.
        let memory = if cached(self.bytes) { 0.0 } else { 1.0 - far };
        LevelParts { near: near.min(1.0 - memory), cache: (1.0 - memory - near).max(0.0), memory }
    }

    /// Seconds that a thread waits.
    fn latency(&self, of: &SampledLaunch<'_>, served: &BTreeMap<usize, LevelParts>) -> f64 {
        let machine = self.machine;
        let has_arithmetic = self.has(Extension::Arithmetic);
        let is_bulk = of.model.reuse.is_some();
        let address = match (has_arithmetic, &of.model.reuse) {
            (false, _) => 0.0,
            (true, Some(bulk)) => bulk.address * machine.simple_latency_s.value,
            (true, None) => ADDRESS_OPERATIONS * machine.simple_latency_s.value,
        };
        let longest = |sites: &[SiteId]| {
            let wait = |site: &SiteId| {
                let Some(it) = served.get(&site.0) else { return 0.0 };
                if of.model.sites[&site.0].is_shared {
                    return machine.shared_latency_s.value;
                }
                it.near * machine.l1_latency_s.value
                    + it.cache * machine.l2_latency_s.value
                    + it.memory * machine.dram_latency_s.value
            };
            sites.iter().map(wait).fold(0.0, f64::max)
        };
        let group = |group: &AccessGroup| {
            let turns = |it: &SiteId| of.sums.sites.get(&it.0).map(|it| it.turns);
            let sites = group.reads.iter().chain(&group.writes);
            let iterations = sites.filter_map(turns).fold(0.0, f64::max);
            let at_once = if self.has(Extension::MemoryParallelism) {
                (iterations / (iterations / together(group, of.sums)).ceil()).max(1.0)
            } else {
                // One by one.
                1.0 / (group.reads.len() as f64 / group.depth.max(1.0)).max(1.0)
            };
            let mut wait = group.depth * longest(&group.reads);
            if !self.has(Extension::Writes) {
                wait += longest(&group.writes);
            }
            match of.model.reuse {
                Some(_) => iterations * (wait / at_once + address),
                None => iterations * (wait + address) / at_once,
            }
        };
        let mut computed = 0.0;
        if has_arithmetic {
            // What the busiest warp of a block does, others wait for at their barrier.
            for (&operation, count) in &of.sums.busiest {
                computed += count * machine.operation(operation, is_bulk)[1];
            }
            computed += of.model.search[1] * machine.product64_latency_s.value;
        }
        let barriers = of.sums.barriers * machine.block_barrier_latency_s.value;
        computed + barriers + of.model.groups.iter().map(group).sum::<f64>()
    }

    /// Seconds of the stages of a launch.
    fn stages(
        &self,
        of: &SampledLaunch<'_>,
        served: &BTreeMap<usize, LevelParts>,
        blocks: &BlockWaves,
    ) -> Prediction {
        let machine = self.machine;
        let [mut operations, mut near, mut shared, mut cache, mut writes, mut memory] = [0.0; 6];
        let mut dram_pairs = 0.0;
        let (warps, is_bulk) = (of.kernel.block / WARP as f64, of.model.reuse.is_some());
        // An unrolled loop computes an address for all iterations that it unrolls.
        let groups = of.model.groups.iter().filter(|it| it.writes.is_empty());
        let unrolled: HashMap<usize, f64> = groups
            .flat_map(|group| group.reads.iter().map(|it| (it.0, together(group, of.sums))))
            .collect();
        for (number, asked) in &of.sums.sites {
            let site = &of.model.sites[number];
            let once = unrolled.get(number).copied().unwrap_or(1.0);
            operations += asked.requests
                * match &of.model.reuse {
                    Some(bulk) => (1.0 + bulk.address / once) * machine.simple_s.value,
                    // The access itself, and its address.
                    None => (1.0 + (ADDRESS_OPERATIONS - 1.0) / once) * machine.simple_s.value,
                };
            if site.is_shared {
                shared += asked.groups * machine.shared_stage_s.value;
                continue;
            }
            let served = served[number];
            near += asked.stages * machine.l1_group_s.value;
            // Of a nest, what lies beyond the first cache was counted.
            let (groups, sectors, pairs) = match of.model.reuse {
                None => (asked.l2_groups, asked.l2_sectors, asked.dram_pairs),
                Some(_) => {
                    let beyond = 1.0 - served.near;
                    let all = [asked.groups, asked.sectors, asked.dram_pairs];
                    let [groups, sectors, pairs] = all.map(|it| beyond * it);
                    (groups, sectors, pairs)
                }
            };
            let (sectors, pairs) = match self.has(Extension::Sectors) {
                true => (sectors, pairs),
                false => (GROUP_SECTORS * groups, GROUP_PAIRS * groups),
            };
            let from_memory = match served.near < 1.0 {
                true => served.memory / (1.0 - served.near),
                false => 0.0,
            };
            dram_pairs += from_memory * pairs;
            match site.kind {
                AccessKind::Read => {
                    cache += groups * machine.l2_group_s.value;
                    cache += sectors * machine.l2_sector_s.value;
                    memory += from_memory
                        * (groups * machine.dram_group_s.value
                            + pairs * machine.dram_sector_s.value);
                }
                AccessKind::Write => {
                    let part = asked.parts / asked.sectors.max(1.0);
                    let (full, partial) =
                        (machine.write_sector_s.value, machine.write_part_s.value);
                    writes += asked.groups * machine.write_group_s.value;
                    writes += asked.sectors * ((1.0 - part) * full + part * partial);
                    let group = (1.0 - part) * machine.dram_group_s.value
                        + part * machine.dram_part_group_s.value;
                    let pair = (1.0 - part) * machine.dram_sector_s.value
                        + part * machine.dram_part_sector_s.value;
                    memory += from_memory * (groups * group + pairs * pair);
                }
            }
        }
        if self.has(Extension::Arithmetic) {
            for (&operation, count) in &of.sums.operations {
                operations += count * machine.operation(operation, is_bulk)[0];
            }
            if of.model.reuse.is_none() {
                let simple = NEST_OPERATIONS + INDEX_OPERATIONS * (of.model.depth - 1.0).max(0.0);
                operations += warps * simple * machine.simple_s.value;
                // A thread searches once, however many iterations it has.
                let searched = warps * of.doing.blocks / of.doing.times;
                operations += searched * of.model.search[0] * machine.product64_s.value;
            }
            operations += of.sums.barriers * warps * machine.block_barrier_s.value;
        } else {
            operations = 0.0;
        }
        // Of the multiprocessor that has most blocks; of the whole device.
        let each = blocks.each * of.doing.times / of.doing.blocks;
        Prediction {
            operations_s: each * operations,
            l1_s: each * near,
            shared_s: each * shared,
            l2_s: each * cache,
            writes_s: of.doing.times * writes,
            dram_s: (of.doing.times * memory)
                .max(machine.least_dram_s(of.doing.times * PAIR_BYTES * dram_pairs)),
            ..Prediction::default()
        }
    }
}
