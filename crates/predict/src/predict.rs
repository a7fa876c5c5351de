//! Work and machine → seconds.

use super::Extension;
use super::block_counts::BlockSums;
use super::occupancy::{SCHEDULERS, blocks_at_once};
use super::prediction::Prediction;
use super::residency::cycle_s;
use super::work::{KernelModel, KernelWork, LaunchWork, SampledKernel, Work};
use memory_machine_codegen::{COOPERATIVE_BLOCK, Launch};
use memory_machine_core::units::SECTOR_BYTES;
use memory_machine_measure::PREPARED;
use memory_machine_measure::models::Calibration;
use memory_machine_sass::{ExecutionCounts, GROUP_PAIRS, STORE_STAGES};

/// Bytes of a pair of sectors, which memory moves at once.
pub(super) const PAIR_BYTES: f64 = 2.0 * SECTOR_BYTES as f64;
/// Cycles of an empty kernel that one which does something has, too.
const EMPTY_KERNEL_CYCLES: f64 = 230.0;
/// Cycles by which a graph's next kernel begins sooner with each halving of its blocks, up to one a
/// multiprocessor: measured on an H100 and an H200 (`models/measurements/nvidia-h100/2026-11-26/next.csv`,
/// and of the H200).
const GRAPH_OVERLAP_CYCLES: f64 = 45.0;
/// Cycles until the code of kernels that did not run just before is there.
const COLD_ICACHE_CYCLES: f64 = 500.0;
/// This many blocks, at most, wait for code by themselves: more catch up with each other. Of 8, 16 and 32 warps
/// at different places of long code seven, five and four do
/// (`models/measurements/nvidia-h100/2026-11-26/fetch.csv`).
const FETCHING_BLOCKS: f64 = 7.0;
/// By which powers a multiprocessor's operations and accesses add up, which overlap in part, all stages
/// of compiled code, and what they come to with waiting: of a warp that ran alone and stands for all,
/// which do the same at the same time, and of warps that waited for each other when their block ran.
const OVERLAP_EXPONENTS_ONE_WARP: [f64; 3] = [1.6, 3.0, 1.7];
/// As above.
const OVERLAP_EXPONENTS_BLOCK: [f64; 3] = [2.5, 3.0, 2.75];
/// The same of a listing, whose stages are not counted so finely.
const OVERLAP_EXPONENTS_LISTING: [f64; 3] = [2.5, f64::INFINITY, 2.0];
/// By which power the starts of blocks and all else do.
const OVERLAP_EXPONENT_STARTS: f64 = 6.0;

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

/// What the plain UMM predicts: a constant for each time unit, if they were counted.
pub fn plain(work: &Work, machine: &Calibration) -> Option<f64> {
    Some(work.time_units? * machine.time_unit_s.value)
}

pub(super) struct Predictor<'a> {
    pub(super) machine: &'a Calibration,
    without: &'a [Extension],
    /// Of all arrays.
    pub(super) bytes: f64,
    launch: Launch,
}

/// A launch whose blocks were sampled.
#[derive(Clone, Copy)]
pub(super) struct SampledLaunch<'a> {
    pub(super) kernel: &'a KernelWork,
    pub(super) model: &'a SampledKernel,
    pub(super) doing: &'a LaunchWork,
    pub(super) sums: &'a BlockSums,
}

/// The blocks of a launch on the machine.
pub(super) struct BlockWaves {
    /// Those of the multiprocessor that has most.
    pub(super) each: f64,
    /// Multiprocessors that have any.
    pub(super) multiprocessors: f64,
    /// Threads there at once.
    pub(super) resident: f64,
    /// Blocks of a multiprocessor there at once, at most.
    held: f64,
    /// How often as many come.
    pub(super) waves: f64,
}

impl Predictor<'_> {
    pub(super) fn has(&self, extension: Extension) -> bool {
        !self.without.contains(&extension)
    }

    /// Seconds of launches beside their kernels', which take `kernels_s`.
    fn launches(&self, work: &Work, kernels_s: f64) -> f64 {
        if !self.has(Extension::Launches) {
            return 0.0;
        }
        let machine = self.machine;
        let more = work.launches().saturating_sub(1) as f64;
        let is_prepared = self.launch == Launch::Plain && work.launches() <= PREPARED;
        let next = match is_prepared {
            true => &machine.plain_prepared_s,
            false => &machine.graph_next_s,
        };
        let mut device = more * next.value;
        // An empty kernel takes its time, too, which those of compiled code have in theirs.
        if work.is_compiled() {
            device -= (more * EMPTY_KERNEL_CYCLES * cycle_s(machine)).min(kernels_s);
            device += COLD_ICACHE_CYCLES * cycle_s(machine);
        }
        match self.launch {
            Launch::Plain if is_prepared => machine.plain_first_s.value + device,
            // The host prepares the next launch while a kernel runs.
            Launch::Plain => {
                let host = more * machine.plain_next_s.value - kernels_s;
                machine.plain_first_s.value + device.max(host)
            }
            Launch::Graph => {
                let sooner = if work.is_compiled() { self.sooner(work) } else { 0.0 };
                machine.graph_first_s.value + (device - sooner).max(0.0)
            }
            Launch::Cooperative => {
                // All blocks that there is room for reach every barrier.
                let held = |it: &KernelWork| blocks_at_once(machine, it.shape());
                let most = machine.resident_threads.value / f64::from(COOPERATIVE_BLOCK);
                let held = work.kernels.iter().map(held).fold(most, f64::min);
                let blocks = held * machine.multiprocessors.value;
                let launches = work.kernels.iter().flat_map(|it| &it.launches);
                let working: f64 = launches.map(|it| it.blocks.min(blocks)).sum();
                let between = work.between;
                let barriers = more + 1.0 + 2.0 * between.writes;
                let sequential_s = (between.reads + between.writes) * machine.l2_latency_s.value;
                // Waves of blocks reach a barrier one by one, those without work while the others have some.
                let idle = (barriers * blocks - working) * machine.barrier_block_s.value;
                machine.cooperative_first_s.value
                    + sequential_s
                    + barriers * machine.barrier_s.value
                    + working * machine.barrier_block_s.value
                    + (idle - kernels_s).max(0.0)
            }
        }
    }

    /// Seconds that a graph's kernels with few blocks begin sooner than others.
    fn sooner(&self, work: &Work) -> f64 {
        let all = self.machine.multiprocessors.value;
        let halvings = |it: &LaunchWork| (all / it.blocks.clamp(1.0, all)).log2();
        let launches = || work.kernels.iter().flat_map(|it| &it.launches);
        // The first one has none before it.
        let next = 1.0 - 1.0 / launches().count().max(1) as f64;
        next * launches().map(halvings).sum::<f64>() * GRAPH_OVERLAP_CYCLES * cycle_s(self.machine)
    }

    /// Adds what all launches of a kernel take.
    fn kernel(&self, kernel: &KernelWork, sum: &mut Prediction) {
        let machine = self.machine;
        // Most launches of a kernel are like the one before.
        let mut last: Option<(&LaunchWork, Prediction)> = None;
        for doing in &kernel.launches {
            let one = match last {
                Some((before, one)) if before.is_like(doing) => one,
                _ => self.one(kernel, doing),
            };
            last = Some((doing, one));
            let starts = match self.has(Extension::Launches) {
                true => doing.blocks * machine.block_s.value,
                false => 0.0,
            };
            // One keeps the others waiting the more, the nearer they are.
            let [of_multiprocessor, of_stages, of_all] = match (&doing.model, doing.is_alone) {
                (KernelModel::Sampled(..), _) => OVERLAP_EXPONENTS_LISTING,
                (_, true) => OVERLAP_EXPONENTS_ONE_WARP,
                (_, false) => OVERLAP_EXPONENTS_BLOCK,
            };
            // First cache and shared memory are one memory; the schedulers begin what they do.
            let inner = norm(&[one.operations_s, one.l1_s + one.shared_s], of_multiprocessor);
            let stages = [inner, one.l2_s, one.writes_s, one.atomics_s, one.dram_s];
            let slowest = norm(&stages, of_stages);
            sum.starts_s += starts;
            sum.latency_s += one.latency_s;
            sum.operations_s += one.operations_s;
            sum.l1_s += one.l1_s;
            sum.shared_s += one.shared_s;
            sum.l2_s += one.l2_s;
            sum.writes_s += one.writes_s;
            sum.atomics_s += one.atomics_s;
            sum.dram_s += one.dram_s;
            sum.time_s += if self.has(Extension::Overlap) {
                // Pipelines work at the same time, and the slowest keeps the others waiting; beside
                // it a launch takes no less than a thread waits, and more where both are as long.
                // Where blocks start slowly, few are there at once, and wait while others start.
                match doing.model {
                    KernelModel::Sampled(..) => norm(&[one.latency_s, slowest.max(starts)], of_all),
                    KernelModel::Compiled(_) => norm(
                        &[starts, norm(&[one.latency_s, slowest], of_all)],
                        OVERLAP_EXPONENT_STARTS,
                    ),
                }
            } else {
                one.latency_s + starts + stages.iter().sum::<f64>()
            };
        }
    }

    /// Waiting and stages of a launch.
    fn one(&self, kernel: &KernelWork, doing: &LaunchWork) -> Prediction {
        let blocks = self.blocks(kernel, doing);
        match &doing.model {
            KernelModel::Compiled(code) => self.code(doing, code, &blocks),
            KernelModel::Sampled(model, sums) => {
                self.listing(&SampledLaunch { kernel, model, doing, sums }, &blocks)
            }
        }
    }

    /// The same of compiled code, of which a block does so much.
    fn code(&self, doing: &LaunchWork, code: &ExecutionCounts, blocks: &BlockWaves) -> Prediction {
        let machine = self.machine;
        let cycle = cycle_s(machine);
        let sixth: f64 = code.units.into_iter().chain([code.slots]).map(|it| it.powi(6)).sum();
        let slots = sixth.powf(1.0 / 6.0);
        let fetch_cycles = code.fetch_cycles * (FETCHING_BLOCKS / blocks.held).min(1.0);
        let near = code.l1_read_stages + STORE_STAGES * code.l1_stored_groups;
        let cache =
            code.l2_groups * machine.l2_group_s.value + code.l2_sectors * machine.l2_sector_s.value;
        let part = code.written_part_sectors / code.written_sectors.max(1.0);
        let full = 1.0 - part;
        let writes = code.written_groups * machine.write_group_s.value
            + code.written_sectors
                * (full * machine.write_sector_s.value + part * machine.write_part_s.value);
        let (group, pair) = (machine.dram_group_s.value, machine.dram_sector_s.value);
        let memory = code.dram_groups * group
            + code.dram_pairs * pair
            + code.dram_written_pairs * (group / GROUP_PAIRS + pair)
            + code.dram_part_groups * machine.dram_part_group_s.value
            + code.dram_part_pairs * machine.dram_part_sector_s.value;
        let bytes = PAIR_BYTES * (code.dram_pairs + code.dram_written_pairs + code.dram_part_pairs);
        Prediction {
            latency_s: blocks.waves * code.cycles * cycle,
            operations_s: blocks.each * (slots / SCHEDULERS).hypot(fetch_cycles) * cycle,
            l1_s: blocks.each * near * machine.l1_group_s.value,
            shared_s: blocks.each * code.shared_stages * machine.shared_stage_s.value,
            l2_s: blocks.each * cache,
            writes_s: doing.times * writes,
            atomics_s: doing.times * code.atomic_cycles * cycle,
            dram_s: (doing.times * memory).max(machine.least_dram_s(doing.times * bytes)),
            ..Prediction::default()
        }
    }

    fn blocks(&self, kernel: &KernelWork, doing: &LaunchWork) -> BlockWaves {
        let machine = self.machine;
        let all = machine.multiprocessors.value;
        let (blocks, held) = (doing.blocks, blocks_at_once(machine, kernel.shape()));
        let working = match self.has(Extension::Multiprocessors) {
            true => blocks.min(all),
            false => all,
        };
        // Up to what is held at once, whole blocks are dealt; later ones fill what comes free.
        let each = match blocks <= held * all && self.has(Extension::Multiprocessors) {
            true => (blocks / working).ceil(),
            false => blocks / working,
        };
        let resident = match self.has(Extension::Occupancy) {
            true => blocks.min(held * all),
            false => blocks,
        };
        BlockWaves {
            each,
            multiprocessors: working,
            resident: resident * kernel.block,
            held: held.min(each),
            waves: blocks / resident,
        }
    }
}

/// The sum of powers, its root: for an infinite one the greatest.
fn norm(parts: &[f64], power: f64) -> f64 {
    match power.is_finite() {
        true => parts.iter().map(|it| it.powf(power)).sum::<f64>().powf(1.0 / power),
        false => parts.iter().copied().fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph's kernels that read and write a word a thread, from one block to one a multiprocessor.
    #[test]
    fn kernels_of_few_blocks_begin_sooner_as_was_measured() {
        for measured in [
            include_str!("../../../models/measurements/nvidia-h100/2026-11-26/next.csv"),
            include_str!("../../../models/measurements/nvidia-h200/2026-11-26/next.csv"),
        ] {
            let rows: Vec<Vec<&str>> =
                measured.lines().skip(1).map(|it| it.split(',').collect()).collect();
            let next_us = |kernel: &str, blocks: &str| {
                let least = |kernels: &str| {
                    let of = rows.iter().filter(|it| it[..3] == [kernel, blocks, kernels]);
                    of.map(|it| it[4].parse().unwrap()).fold(f64::INFINITY, f64::min)
                };
                (least("401") - least("1")) / 400.0
            };
            for kernel in ["same", "two", "chain"] {
                let sooner = next_us(kernel, "132") - next_us(kernel, "1");
                // Cycles of 0.511 ns, as both machines have them.
                let told = GRAPH_OVERLAP_CYCLES * 132_f64.log2() * 0.511e-3;
                assert!((0.7..1.5).contains(&(told / sooner)), "{kernel}: {sooner} and {told}");
            }
        }
    }
}
