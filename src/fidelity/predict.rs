//! Work and machine → seconds.

use std::collections::HashMap;

use serde::Serialize;

use super::Extension;
use super::thread::Group;
use super::work::{Kernel, Site, Work};
use crate::emission::Launch;
use crate::language::program::SiteId;
use crate::models::Calibration;
use crate::trace::Kind;

/// Words of an address group over those of a sector.
const SECTORS: f64 = 4.0;
/// Threads of a warp.
const WARP: f64 = 32.0;
/// Products and sums with which a thread of a nest tells whether a row of iterations is its own.
const PRODUCTS: f64 = 6.0;
/// Bytes of a sector.
const SECTOR_BYTES: f64 = 32.0;

/// Seconds, with what they are made of. Parts overlap: they do not add up to the whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Prediction {
    /// The whole.
    pub time_s: f64,
    /// Of the host: launches, and barriers of the whole grid.
    pub launches_s: f64,
    /// Starts of blocks.
    pub starts_s: f64,
    /// What a thread waits for, wave after wave of threads.
    pub latency_s: f64,
    /// Stages of the multiprocessors' caches, with the addresses computed.
    pub near_s: f64,
    /// Stages between the multiprocessors and the last-level cache.
    pub cache_s: f64,
    /// Stages of writes on their way to the last-level cache.
    pub writes_s: f64,
    /// Stages between the last-level cache and memory.
    pub memory_s: f64,
}

/// Predicts what `work` takes, some extensions left out.
pub fn predict(work: &Work, machine: &Calibration, without: &[Extension]) -> Prediction {
    let predictor = Predictor { machine, without, bytes: work.bytes, launch: work.launch };
    let mut sum = Prediction::default();
    for kernel in &work.kernels {
        predictor.kernel(kernel, &mut sum);
    }
    sum.launches_s = predictor.launches(work, sum.time_s);
    sum.time_s += sum.launches_s;
    sum
}

/// What the plain UMM predicts: a constant for each time unit.
pub fn plain(work: &Work, machine: &Calibration) -> f64 {
    work.time_units * machine.time_unit_s.value
}

struct Predictor<'a> {
    machine: &'a Calibration,
    without: &'a [Extension],
    /// Of all arrays.
    bytes: f64,
    launch: Launch,
}

/// Parts of a site's accesses that each level serves.
#[derive(Debug, Clone, Copy)]
struct Served {
    near: f64,
    cache: f64,
    memory: f64,
}

/// The threads of a launch on the machine.
struct Threads {
    /// Multiprocessors that have any.
    multiprocessors: f64,
    /// There at once.
    resident: f64,
    /// How often as many come.
    waves: f64,
}

impl Predictor<'_> {
    fn has(&self, extension: Extension) -> bool {
        !self.without.contains(&extension)
    }

    /// Seconds of launches beside their kernels', which take `kernels_s`.
    fn launches(&self, work: &Work, kernels_s: f64) -> f64 {
        if !self.has(Extension::Launches) {
            return 0.0;
        }
        let machine = self.machine;
        let more = work.launches().saturating_sub(1) as f64;
        match self.launch {
            // The host prepares the next launch while a kernel runs.
            Launch::Plain => {
                let device = more * machine.graph_next_s.value;
                let host = more * machine.plain_next_s.value - kernels_s;
                machine.plain_first_s.value + device.max(host)
            }
            Launch::Graph => machine.graph_first_s.value + more * machine.graph_next_s.value,
            Launch::Cooperative => {
                let block = work.kernels.iter().map(|it| it.block).fold(1.0, f64::max);
                let blocks = machine.resident_threads.value / block * machine.multiprocessors.value;
                let barrier = machine.barrier_s.value + blocks * machine.barrier_block_s.value;
                machine.cooperative_first_s.value + (more + 1.0) * barrier
            }
        }
    }

    /// Adds what all launches of a kernel take.
    fn kernel(&self, kernel: &Kernel, sum: &mut Prediction) {
        let machine = self.machine;
        let all: f64 = kernel.launches.iter().sum();
        for &launch in &kernel.launches {
            let threads = self.threads(kernel, launch);
            let part = launch / all;
            let sectors = part * kernel.sites.iter().map(|it| it.sectors).sum::<f64>();
            let served = |it| self.served(kernel, it, sectors, &threads);
            let served: Vec<Served> = kernel.sites.iter().map(served).collect();
            let latency = threads.waves * self.latency(kernel, &served, all);
            let [near, cache, writes, memory] =
                self.stages(kernel, &served, &threads).map(|it| part * it);
            let blocks = (launch / kernel.block).ceil();
            let starts =
                if self.has(Extension::Launches) { blocks * machine.block_s.value } else { 0.0 };
            let stages = [starts, near, cache, writes, memory];
            sum.starts_s += starts;
            sum.latency_s += latency;
            sum.near_s += near;
            sum.cache_s += cache;
            sum.writes_s += writes;
            sum.memory_s += memory;
            sum.time_s += if self.has(Extension::Overlap) {
                // Pipelines work at the same time, and the slowest keeps the others waiting; beside
                // it a launch takes no less than a thread waits, and more where both are as long.
                latency.hypot(stages.into_iter().fold(0.0, f64::max))
            } else {
                latency + stages.iter().sum::<f64>()
            };
        }
    }

    fn threads(&self, kernel: &Kernel, threads: f64) -> Threads {
        let machine = self.machine;
        let all = machine.multiprocessors.value;
        let mut most = machine.resident_threads.value;
        if let Some(reuse) = kernel.reuse.as_ref().filter(|it| it.shared_bytes > 0.0) {
            let blocks = (machine.shared_bytes.value / (reuse.shared_bytes * kernel.block)).floor();
            most = most.min(kernel.block * blocks.max(1.0));
        }
        let resident =
            if self.has(Extension::Occupancy) { threads.min(most * all) } else { threads };
        let working = (threads / kernel.block).ceil().min(all);
        Threads {
            multiprocessors: if self.has(Extension::Multiprocessors) { working } else { all },
            resident,
            waves: threads / resident,
        }
    }

    /// Which level serves a site of a launch that touches so many sectors.
    fn served(&self, kernel: &Kernel, site: &Site, sectors: f64, threads: &Threads) -> Served {
        if !self.has(Extension::Levels) {
            return Served { near: 0.0, cache: 0.0, memory: 1.0 };
        }
        let machine = self.machine;
        let cached = |bytes: f64| bytes <= machine.cache_bytes.value;
        let Some(bulk) = &kernel.reuse else {
            // Neighbours' accesses, not a thread's own, meet in caches: what a launch touches is
            // there if all of it fits.
            let fits = cached(self.bytes.min(sectors * SECTOR_BYTES));
            let memory = if fits { 0.0 } else { (self.bytes / SECTOR_BYTES / sectors).min(1.0) };
            return Served { near: 0.0, cache: 1.0 - memory, memory };
        };
        let shared = bulk.shared_bytes * threads.resident / threads.multiprocessors;
        let near_bytes = (machine.near_bytes.value - shared).max(0.0);
        let each = threads.resident * bulk.group_bytes;
        let near = bulk.reuse.within(site.number, near_bytes * threads.multiprocessors / each);
        let far = bulk.reuse.within(site.number, machine.cache_bytes.value / each);
        // What was filled in before the run is still there if it fits.
        let memory = if cached(self.bytes) { 0.0 } else { 1.0 - far };
        Served { near: near.min(1.0 - memory), cache: (1.0 - memory - near).max(0.0), memory }
    }

    /// Seconds that a thread waits.
    fn latency(&self, kernel: &Kernel, served: &[Served], threads: f64) -> f64 {
        let machine = self.machine;
        let arithmetic =
            if self.has(Extension::Arithmetic) { machine.arithmetic_latency_s.value } else { 0.0 };
        let numbers = kernel.sites.iter().map(|it| it.number);
        let places: HashMap<usize, usize> = numbers.zip(0..).collect();
        let of = |number: usize| places.get(&number).copied();
        let longest = |sites: &[SiteId]| {
            let wait = |at: usize| {
                let Served { near, cache, memory } = served[at];
                near * machine.near_latency_s.value
                    + cache * machine.cache_latency_s.value
                    + memory * machine.memory_latency_s.value
            };
            sites.iter().filter_map(|it| of(it.0)).map(wait).fold(0.0, f64::max)
        };
        let group = |group: &Group| {
            let accesses = |it: &SiteId| of(it.0).map(|at| kernel.sites[at].accesses);
            let sites = group.reads.iter().chain(&group.writes);
            let iterations = sites.filter_map(accesses).fold(0.0, f64::max) / threads;
            let together = if self.has(Extension::MemoryParallelism) {
                (iterations / (iterations / group.together).ceil()).max(1.0)
            } else {
                // One by one.
                1.0 / (group.reads.len() as f64 / group.depth.max(1.0)).max(1.0)
            };
            let mut wait = group.depth * longest(&group.reads);
            if !self.has(Extension::Writes) {
                wait += longest(&group.writes);
            }
            iterations * (wait / together + arithmetic)
        };
        let search = PRODUCTS * kernel.search * arithmetic;
        search + kernel.groups.iter().map(group).sum::<f64>()
    }

    /// Seconds of the stages of all launches: in multiprocessors, from the last-level cache, to it,
    /// and to and from memory.
    fn stages(&self, kernel: &Kernel, served: &[Served], threads: &Threads) -> [f64; 4] {
        let machine = self.machine;
        let issue =
            if self.has(Extension::Arithmetic) { machine.arithmetic_issue_s.value } else { 0.0 };
        let all: f64 = kernel.launches.iter().sum();
        let [mut cache, mut writes, mut memory] = [0.0; 3];
        let mut near = PRODUCTS * kernel.search * issue * all / WARP;
        // An unrolled loop computes an address for all iterations that it unrolls.
        let groups = kernel.groups.iter().filter(|it| it.writes.is_empty());
        let unrolled: HashMap<usize, f64> =
            groups.flat_map(|group| group.reads.iter().map(|it| (it.0, group.together))).collect();
        // With few iterations, some statements are never reached.
        let reached = kernel.sites.iter().zip(served).filter(|it| it.0.accesses > 0.0);
        for (site, served) in reached {
            let sectors =
                if self.has(Extension::Sectors) { site.sectors } else { SECTORS * site.groups };
            let once = unrolled.get(&site.number).copied().unwrap_or(1.0);
            near += site.dispatches * issue / once + site.groups * machine.near_group_s.value;
            match site.kind {
                Kind::Read => {
                    let beyond = 1.0 - served.near;
                    cache += beyond * site.groups * machine.cache_group_s.value;
                    cache += beyond * sectors * machine.cache_sector_s.value;
                }
                Kind::Write => {
                    // A sector has 8 words: fewer, and the rest of it is kept.
                    let whole = ((site.accesses / sectors - 1.0) / 7.0).clamp(0.0, 1.0);
                    let (full, partial) =
                        (machine.write_sector_s.value, machine.write_part_s.value);
                    writes += site.groups * machine.write_group_s.value;
                    writes += sectors * (whole * full + (1.0 - whole) * partial);
                }
            }
            memory += served.memory
                * (site.groups * machine.memory_group_s.value
                    + sectors * machine.memory_sector_s.value);
        }
        [near / threads.multiprocessors, cache / threads.multiprocessors, writes, memory]
    }
}
