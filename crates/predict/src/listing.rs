//! Seconds of a launch whose work was counted of the listing.

use std::collections::{BTreeMap, HashMap};

use super::Extension;
use super::block::Asked;
use super::held::SECTOR;
use super::occupancy::near_bytes;
use super::predict::{Blocks, Prediction, Predictor};
use super::thread::Group;
use super::work::{Doing, KernelWork};
use memory_machine_core::language::program::SiteId;
use memory_machine_core::run::Operation;
use memory_machine_core::trace::AccessKind;
use memory_machine_sass::PAIRS;

/// Sectors of an address group.
const SECTORS: f64 = 4.0;
/// Threads of a warp.
const WARP: f64 = 32.0;
/// Simple operations with which a thread of a nest begins: its number, bounds, arguments.
const BEGINNING: f64 = 16.0;
/// Simple operations for each loop of a nest whose variable a thread computes from its number.
const DIGIT: f64 = 6.0;
/// Simple operations for an access: its address, and the access itself.
const ADDRESS: f64 = 2.0;

/// Parts of a site's accesses that each level serves.
#[derive(Debug, Clone, Copy)]
struct Served {
    near: f64,
    cache: f64,
    memory: f64,
}

/// Iterations of a group that are under way together: what is unrolled is of no use to loops that end
/// before.
fn together(group: &Group, doing: &Doing) -> f64 {
    let count = |it| doing.sums.busiest.get(&it).copied().unwrap_or(0.0);
    let (loops, turns) = (count(Operation::Loop), count(Operation::Turn));
    match !group.prefetch && turns < group.together * loops {
        true => 1.0,
        false => group.together,
    }
}

impl Predictor<'_> {
    /// Waiting and stages.
    pub(super) fn listing(
        &self,
        kernel: &KernelWork,
        doing: &Doing,
        blocks: &Blocks,
    ) -> Prediction {
        let sectors: f64 = doing.sums.sites.values().map(|it| it.sectors_beyond).sum();
        let sectors = doing.times * sectors;
        let served = |(number, it): (&usize, &Asked)| {
            (*number, self.served(kernel, *number, it, sectors, blocks))
        };
        let served: BTreeMap<usize, Served> = doing.sums.sites.iter().map(served).collect();
        let mut one = self.stages(kernel, doing, &served, blocks);
        one.latency_s = blocks.waves * self.latency(kernel, doing, &served);
        one
    }

    /// Which level serves a site of a launch that asks the last-level cache for so many sectors.
    fn served(
        &self,
        kernel: &KernelWork,
        number: usize,
        asked: &Asked,
        sectors: f64,
        blocks: &Blocks,
    ) -> Served {
        if !self.has(Extension::Levels) {
            return Served { near: 0.0, cache: 0.0, memory: 1.0 };
        }
        let machine = self.machine;
        let cached = |bytes: f64| bytes <= machine.cache_bytes.value;
        let Some(bulk) = &kernel.reuse else {
            // What a launch touches beyond its multiprocessors is in the last-level cache if all of
            // it fits; else each of its sectors comes from memory once.
            let near = 1.0 - asked.sectors_beyond / asked.sectors.max(1.0);
            let fits = cached(kernel.bytes.min(sectors * SECTOR)) || cached(self.bytes);
            let once = (kernel.bytes / SECTOR / sectors).min(1.0);
            let memory = if fits { 0.0 } else { (1.0 - near) * once };
            return Served { near, cache: 1.0 - near - memory, memory };
        };
        let near_bytes = near_bytes(machine, kernel.shape());
        let each = blocks.resident * bulk.group_bytes;
        let near = bulk.reuse.within(number, near_bytes * blocks.multiprocessors / each);
        // What is more than the last-level cache holds leaves it by chance, not the oldest first.
        let far = bulk.reuse.mostly_within(number, machine.cache_held_bytes.value / each);
        // What was filled in before the run is still there if it fits.
        let memory = if cached(self.bytes) { 0.0 } else { 1.0 - far };
        Served { near: near.min(1.0 - memory), cache: (1.0 - memory - near).max(0.0), memory }
    }

    /// Seconds that a thread waits.
    fn latency(&self, kernel: &KernelWork, doing: &Doing, served: &BTreeMap<usize, Served>) -> f64 {
        let machine = self.machine;
        let has_arithmetic = self.has(Extension::Arithmetic);
        let is_bulk = kernel.reuse.is_some();
        let address = match (has_arithmetic, &kernel.reuse) {
            (false, _) => 0.0,
            (true, Some(bulk)) => bulk.address * machine.simple_latency_s.value,
            (true, None) => ADDRESS * machine.simple_latency_s.value,
        };
        let longest = |sites: &[SiteId]| {
            let wait = |site: &SiteId| {
                let Some(it) = served.get(&site.0) else { return 0.0 };
                if kernel.sites[&site.0].is_shared {
                    return machine.shared_latency_s.value;
                }
                it.near * machine.near_latency_s.value
                    + it.cache * machine.cache_latency_s.value
                    + it.memory * machine.memory_latency_s.value
            };
            sites.iter().map(wait).fold(0.0, f64::max)
        };
        let group = |group: &Group| {
            let turns = |it: &SiteId| doing.sums.sites.get(&it.0).map(|it| it.turns);
            let sites = group.reads.iter().chain(&group.writes);
            let iterations = sites.filter_map(turns).fold(0.0, f64::max);
            let at_once = if self.has(Extension::MemoryParallelism) {
                (iterations / (iterations / together(group, doing)).ceil()).max(1.0)
            } else {
                // One by one.
                1.0 / (group.reads.len() as f64 / group.depth.max(1.0)).max(1.0)
            };
            let mut wait = group.depth * longest(&group.reads);
            if !self.has(Extension::Writes) {
                wait += longest(&group.writes);
            }
            match kernel.reuse {
                Some(_) => iterations * (wait / at_once + address),
                None => iterations * (wait + address) / at_once,
            }
        };
        let mut computed = 0.0;
        if has_arithmetic {
            // What the busiest warp of a block does, others wait for at their barrier.
            for (&operation, count) in &doing.sums.busiest {
                computed += count * machine.operation(operation, is_bulk)[1];
            }
            computed += kernel.search[1] * machine.product64_latency_s.value;
        }
        let barriers = doing.sums.barriers * machine.block_barrier_latency_s.value;
        computed + barriers + kernel.groups.iter().map(group).sum::<f64>()
    }

    /// Seconds of the stages of a launch.
    fn stages(
        &self,
        kernel: &KernelWork,
        doing: &Doing,
        served: &BTreeMap<usize, Served>,
        blocks: &Blocks,
    ) -> Prediction {
        let machine = self.machine;
        let [mut operations, mut near, mut shared, mut cache, mut writes, mut memory] = [0.0; 6];
        let (warps, is_bulk) = (kernel.block / WARP, kernel.reuse.is_some());
        // An unrolled loop computes an address for all iterations that it unrolls.
        let groups = kernel.groups.iter().filter(|it| it.writes.is_empty());
        let unrolled: HashMap<usize, f64> = groups
            .flat_map(|group| group.reads.iter().map(|it| (it.0, together(group, doing))))
            .collect();
        for (number, asked) in &doing.sums.sites {
            let site = &kernel.sites[number];
            let once = unrolled.get(number).copied().unwrap_or(1.0);
            operations += asked.requests
                * match &kernel.reuse {
                    Some(bulk) => (1.0 + bulk.address / once) * machine.simple_s.value,
                    // The access itself, and its address.
                    None => (1.0 + (ADDRESS - 1.0) / once) * machine.simple_s.value,
                };
            if site.is_shared {
                shared += asked.groups * machine.shared_stage_s.value;
                continue;
            }
            let served = served[number];
            near += asked.stages * machine.near_group_s.value;
            // Of a nest, what lies beyond the first cache was counted.
            let (groups, sectors, pairs) = match kernel.reuse {
                None => (asked.groups_beyond, asked.sectors_beyond, asked.pairs_beyond),
                Some(_) => {
                    let beyond = 1.0 - served.near;
                    let all = [asked.groups, asked.sectors, asked.pairs_beyond];
                    let [groups, sectors, pairs] = all.map(|it| beyond * it);
                    (groups, sectors, pairs)
                }
            };
            let (sectors, pairs) = match self.has(Extension::Sectors) {
                true => (sectors, pairs),
                false => (SECTORS * groups, PAIRS * groups),
            };
            let from_memory = match served.near < 1.0 {
                true => served.memory / (1.0 - served.near),
                false => 0.0,
            };
            match site.kind {
                AccessKind::Read => {
                    cache += groups * machine.cache_group_s.value;
                    cache += sectors * machine.cache_sector_s.value;
                    memory += from_memory
                        * (groups * machine.memory_group_s.value
                            + pairs * machine.memory_sector_s.value);
                }
                AccessKind::Write => {
                    let part = asked.parts / asked.sectors.max(1.0);
                    let (full, partial) =
                        (machine.write_sector_s.value, machine.write_part_s.value);
                    writes += asked.groups * machine.write_group_s.value;
                    writes += asked.sectors * ((1.0 - part) * full + part * partial);
                    let group = (1.0 - part) * machine.memory_group_s.value
                        + part * machine.memory_part_group_s.value;
                    let pair = (1.0 - part) * machine.memory_sector_s.value
                        + part * machine.memory_part_sector_s.value;
                    memory += from_memory * (groups * group + pairs * pair);
                }
            }
        }
        if self.has(Extension::Arithmetic) {
            for (&operation, count) in &doing.sums.operations {
                operations += count * machine.operation(operation, is_bulk)[0];
            }
            if kernel.reuse.is_none() {
                let simple = BEGINNING + DIGIT * (kernel.depth - 1.0).max(0.0);
                operations += warps * simple * machine.simple_s.value;
                // A thread searches once, however many iterations it has.
                let searched = warps * doing.blocks / doing.times;
                operations += searched * kernel.search[0] * machine.product64_s.value;
            }
            operations += doing.sums.barriers * warps * machine.block_barrier_s.value;
        } else {
            operations = 0.0;
        }
        // Of the multiprocessor that has most blocks; of the whole device.
        let each = blocks.each * doing.times / doing.blocks;
        Prediction {
            operations_s: each * operations,
            l1_s: each * near,
            shared_s: each * shared,
            cache_s: each * cache,
            writes_s: doing.times * writes,
            memory_s: doing.times * memory,
            ..Prediction::default()
        }
    }
}
