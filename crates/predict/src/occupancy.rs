//! Blocks that a multiprocessor holds at once, and the first cache that is left beside their shared
//! memory.

use serde::Serialize;

use memory_machine_core::units::WARP;
use memory_machine_measure::models::Calibration;

/// Blocks that a multiprocessor holds at most.
const MOST_RESIDENT_BLOCKS: f64 = 32.0;
/// Threads of a block at most.
const MOST_BLOCK_THREADS: f64 = 1024.0;
/// Bytes of shared memory that a block has beside what it declares; what a multiprocessor's can be set
/// to, on NVIDIA's GPUs since Ampere; and what it is set to at most for more blocks than it holds.
const RESERVED_SHARED_BYTES: f64 = 1024.0;
/// As above.
const CARVE_OUT_BYTES: [f64; 9] =
    [8192.0, 16384.0, 32768.0, 65536.0, 102400.0, 135168.0, 167936.0, 200704.0, 233472.0];
/// As above.
const MOST_SPARE_CARVE_OUT_BYTES: f64 = 135_168.0;

/// Registers of a scheduler, and in how many at a time a warp has them.
const SCHEDULER_REGISTERS: f64 = 16_384.0;
/// As above.
const REGISTER_ALLOCATION: f64 = 256.0;
/// Schedulers of a multiprocessor.
pub(super) const SCHEDULERS: f64 = 4.0;

/// What a block of threads takes of its multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BlockShape {
    pub(super) threads: f64,
    /// Bytes of shared memory.
    pub(super) shared: f64,
    /// Of a thread; 0 where they are not known.
    pub(super) registers: f64,
}

/// Blocks that a multiprocessor holds at once, by each of what limits them.
fn limits(device: &Calibration, shape: BlockShape) -> [(Limit, f64); 4] {
    let BlockShape { threads, shared, registers } = shape;
    let of_warp = (registers * WARP as f64 / REGISTER_ALLOCATION).ceil() * REGISTER_ALLOCATION;
    let warps = SCHEDULERS * (SCHEDULER_REGISTERS / of_warp).floor();
    [
        (Limit::Threads, (device.resident_threads.value / threads).floor()),
        (
            Limit::SharedMemory,
            (device.shared_bytes.value / (shared + RESERVED_SHARED_BYTES)).floor(),
        ),
        (Limit::Registers, (warps / (threads / WARP as f64).ceil()).floor()),
        (Limit::Blocks, MOST_RESIDENT_BLOCKS),
    ]
}

/// Blocks that a multiprocessor holds at once.
pub(super) fn blocks_at_once(device: &Calibration, shape: BlockShape) -> f64 {
    let limits = limits(device, shape);
    limits.into_iter().map(|it| it.1).fold(f64::INFINITY, f64::min).max(1.0)
}

/// What keeps a multiprocessor from holding more blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Threads that it holds.
    Threads,
    /// Shared memory of blocks.
    SharedMemory,
    /// Registers of threads.
    Registers,
    /// Blocks that it holds of any size.
    Blocks,
    /// There are no more.
    Grid,
}

impl Limit {
    /// As it is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::SharedMemory => "shared memory",
            Self::Registers => "registers",
            Self::Blocks => "blocks",
            Self::Grid => "the grid",
        }
    }
}

/// What of a multiprocessor a launch has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Occupancy {
    /// Blocks of a multiprocessor at once.
    pub blocks: f64,
    /// The part of its threads that these have.
    pub share: f64,
    /// What keeps it from more.
    pub limit: Limit,
}

impl Occupancy {
    pub(super) fn of(device: &Calibration, shape: BlockShape, blocks: f64) -> Self {
        let (limit, most) =
            limits(device, shape).into_iter().fold((Limit::Threads, f64::INFINITY), |least, it| {
                if it.1 < least.1 { it } else { least }
            });
        let of_grid = (blocks / device.multiprocessors.value).ceil();
        let (limit, held) =
            if of_grid < most { (Limit::Grid, of_grid) } else { (limit, most.max(1.0)) };
        let warps = held * (shape.threads / WARP as f64).ceil();
        let share = warps * WARP as f64 / device.resident_threads.value;
        Self { blocks: held, share: share.min(1.0), limit }
    }
}

/// Bytes of a multiprocessor that its driver sets aside as shared memory for blocks of this many threads:
/// for as many as it holds at once; for twice as many, if they take less than [`MOST_SPARE_CARVE_OUT_BYTES`] then.
///
/// So for all 96 shapes of `models/measurements/nvidia-h200/2026-11-24/carve_out.csv`.
fn carve_out(device: &Calibration, shape: BlockShape) -> f64 {
    let BlockShape { threads, shared: shared_bytes, .. } = shape;
    let blocks = blocks_at_once(device, shape);
    let twice = if threads < MOST_BLOCK_THREADS {
        (2.0 * blocks).min(MOST_RESIDENT_BLOCKS)
    } else {
        blocks
    };
    let bytes = match shared_bytes > 0.0 {
        true => {
            let each = shared_bytes + RESERVED_SHARED_BYTES;
            (twice * each).min(MOST_SPARE_CARVE_OUT_BYTES).max(blocks * each)
        }
        false => {
            (twice * 2.0 * RESERVED_SHARED_BYTES).min(MOST_RESIDENT_BLOCKS * RESERVED_SHARED_BYTES)
        }
    };
    CARVE_OUT_BYTES.into_iter().find(|it| *it >= bytes).unwrap_or(device.shared_bytes.value)
}

/// Bytes of a multiprocessor that are its first cache: those that are not set aside. Calibrated is what
/// is left beside small blocks.
pub(super) fn l1_bytes(device: &Calibration, shape: BlockShape) -> f64 {
    let small = BlockShape { threads: WARP as f64, shared: 0.0, registers: 0.0 };
    device.l1_bytes.value + carve_out(device, small) - carve_out(device, shape)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use memory_machine_measure::models;

    fn rows(text: &str) -> impl Iterator<Item = Vec<f64>> {
        text.lines().skip(1).map(|it| it.split(',').map(|it| it.parse().unwrap()).collect())
    }

    /// As the profiler says of kernels of 28 to 153 registers.
    #[test]
    fn registers_limit_what_is_held() {
        let device = models::find("h200").unwrap().calibration.unwrap();
        for (threads, registers, blocks) in
            [(256.0, 28.0, 8.0), (64.0, 40.0, 24.0), (128.0, 36.0, 12.0), (64.0, 153.0, 6.0)]
        {
            let shape = BlockShape { threads, shared: 0.0, registers };
            assert_eq!(blocks_at_once(&device, shape), blocks, "{registers}");
        }
    }

    #[test]
    fn shared_memory_is_set_aside_as_measured() {
        let measured =
            include_str!("../../../models/measurements/nvidia-h200/2026-11-24/carve_out.csv");
        let device = models::find("h200").unwrap().calibration.unwrap();
        let mut shapes = 0;
        for row in rows(measured) {
            let shape = BlockShape { threads: row[0], shared: row[1], registers: 0.0 };
            assert_eq!(carve_out(&device, shape), row[2], "{row:?}");
            shapes += 1;
        }
        assert_eq!(shapes, 96);
    }

    /// A chain of lines is in the first cache as long as it fits, to the step of 32 or 64 lines.
    #[test]
    fn the_first_cache_is_what_is_left() {
        for (name, measured) in [
            (
                "h200",
                include_str!("../../../models/measurements/nvidia-h200/2026-11-24/near_bytes.csv"),
            ),
            (
                "h100",
                include_str!("../../../models/measurements/nvidia-h100/2026-11-24/near_bytes.csv"),
            ),
        ] {
            let device = models::find(name).unwrap().calibration.unwrap();
            let mut fits: BTreeMap<[u64; 3], f64> = BTreeMap::new();
            for row in rows(measured) {
                let shape = [row[0] as u64, row[1] as u64, row[2] as u64];
                let fit = fits.entry(shape).or_default();
                if row[5] < 1.1 * 44.0 {
                    *fit = fit.max(row[3]);
                }
            }
            assert_eq!(fits.len(), 75);
            for ([threads, _, shared], lines) in fits {
                let (threads, shared) = (threads as f64, shared as f64);
                let shape = BlockShape { threads, shared, registers: 0.0 };
                let held = l1_bytes(&device, shape) / 128.0;
                assert!((held - lines).abs() <= 64.0, "{threads} {shared}: {held} and {lines}");
            }
        }
    }
}
