//! What of a device the blocks of a kernel have while they are there, and how long things take them.

use super::occupancy::{BlockShape, SCHEDULERS, blocks_at_once, l1_bytes};
use memory_machine_core::units::{GROUP_BYTES, SECTOR_BYTES};
use memory_machine_measure::models::Calibration;
use memory_machine_measure::models::calibration::Fitted;
use memory_machine_sass::{L2MissModel, Timing};

/// Bytes of a sector.
pub(super) const SECTOR: f64 = SECTOR_BYTES as f64;

/// Blocks that are there at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Residency {
    /// On the multiprocessor that has most.
    pub(super) each: f64,
    /// On the device.
    pub(super) all: f64,
    /// Bytes of a multiprocessor's first cache that are not shared memory.
    pub(super) l1_bytes: f64,
}

impl Residency {
    pub(super) fn of(device: &Calibration, shape: BlockShape, blocks: f64) -> Self {
        let most = blocks_at_once(device, shape);
        let each = most.min((blocks / device.multiprocessors.value).ceil());
        let l1_bytes = l1_bytes(device, shape).max(GROUP_BYTES as f64);
        Self { each, all: blocks.min(most * device.multiprocessors.value), l1_bytes }
    }
}

/// Instructions that wait for each other, in cycles: on NVIDIA's GPUs since Volta a sum of f32 is there
/// after four, and half a one is the loop of the microbenchmark.
const SUM_CYCLES: f64 = 4.5;
/// Cycles that a warp loses at a branch that is taken, fitted with those that it loses where threads part.
const BRANCH_CYCLES: f64 = 9.0;
/// What a warp's word takes longer than one thread's, whose chain of loads is measured: from the
/// last-level cache where the multiprocessor had it before, where it did not, and from memory.
const WARP_LATENCY_RATIOS: [f64; 3] = [1.02, 1.17, 1.1];

/// Seconds of a cycle.
pub(super) fn cycle_s(device: &Calibration) -> f64 {
    device.f32_latency_s.value / SUM_CYCLES
}

pub(super) fn timing(
    device: &Calibration,
    l1_groups: f64,
    beyond: L2MissModel,
    warps: f64,
) -> Timing {
    let cycle = cycle_s(device);
    let cycles = |it: &Fitted| it.value / cycle;
    let [again, new, memory] = WARP_LATENCY_RATIOS;
    // A chain of loads computes addresses, too.
    let load = |it: &Fitted| cycles(it) - SUM_CYCLES - 1.0;
    Timing {
        f64: SCHEDULERS * cycles(&device.f64_s),
        branch: BRANCH_CYCLES,
        l1: load(&device.l1_latency_s),
        l2: [again * load(&device.l2_latency_s), new * load(&device.l2_latency_s)],
        dram: memory * load(&device.dram_latency_s),
        shared: load(&device.shared_latency_s),
        barrier: [cycles(&device.block_barrier_latency_s), cycles(&device.block_barrier_s)],
        l1_groups,
        l2_misses: beyond,
        warps,
    }
}
