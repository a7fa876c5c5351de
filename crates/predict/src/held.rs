//! What of a device the blocks of a kernel have while they are there, and how long things take them.

use super::occupancy::{SCHEDULERS, Shape, blocks_at_once, near_bytes};
use memory_machine_measure::models::Calibration;
use memory_machine_measure::models::calibration::Fitted;
use memory_machine_sass::{self as sass, Beyond, Timing};

/// Bytes of an address group, and of a sector.
pub(super) const GROUP: f64 = sass::GROUP as f64;
pub(super) const SECTOR: f64 = 32.0;

/// Blocks that are there at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    /// On the multiprocessor that has most.
    pub(super) each: f64,
    /// On the device.
    pub(super) all: f64,
    /// Bytes of a multiprocessor's first cache that are not shared memory.
    pub(super) near_bytes: f64,
}

impl Held {
    pub(super) fn of(device: &Calibration, shape: Shape, blocks: f64) -> Self {
        let most = blocks_at_once(device, shape);
        let each = most.min((blocks / device.multiprocessors.value).ceil());
        let near_bytes = near_bytes(device, shape).max(GROUP);
        Self { each, all: blocks.min(most * device.multiprocessors.value), near_bytes }
    }
}

/// Instructions that wait for each other, in cycles: on NVIDIA's GPUs since Volta a sum of f32 is there
/// after four, and half a one is the loop of the microbenchmark.
const SUM: f64 = 4.5;
/// Cycles that a warp loses at a branch that is taken, fitted with those that it loses where threads part.
const BRANCH: f64 = 9.0;
/// What a warp's word takes longer than one thread's, whose chain of loads is measured: from the
/// last-level cache where the multiprocessor had it before, where it did not, and from memory.
const OF_A_WARP: [f64; 3] = [1.02, 1.17, 1.1];

/// Seconds of a cycle.
pub(super) fn cycle_s(device: &Calibration) -> f64 {
    device.f32_latency_s.value / SUM
}

pub(super) fn timing(device: &Calibration, near_groups: f64, beyond: Beyond, warps: f64) -> Timing {
    let cycle = cycle_s(device);
    let cycles = |it: &Fitted| it.value / cycle;
    let [again, new, memory] = OF_A_WARP;
    // A chain of loads computes addresses, too.
    let load = |it: &Fitted| cycles(it) - SUM - 1.0;
    Timing {
        f64: SCHEDULERS * cycles(&device.f64_s),
        branch: BRANCH,
        near: load(&device.near_latency_s),
        far: [again * load(&device.cache_latency_s), new * load(&device.cache_latency_s)],
        memory: memory * load(&device.memory_latency_s),
        shared: load(&device.shared_latency_s),
        barrier: [cycles(&device.block_barrier_latency_s), cycles(&device.block_barrier_s)],
        near_groups,
        beyond,
        warps,
    }
}
