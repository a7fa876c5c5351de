//! What microbenchmarks say of a machine beyond width and latency.

use serde::{Deserialize, Serialize};

use memory_machine_core::run::Operation;
use memory_machine_core::units::Threads;

/// A number fitted to measurements.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitted {
    /// In the unit that the number's name ends in.
    pub value: f64,
    /// The rows that it was fitted to, or where else it stands.
    pub source: String,
    /// The mean of |fitted − measured| / measured over those rows, where there are more than
    /// numbers fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residual: Option<f64>,
}

macro_rules! calibration {
    ($($(#[$doc:meta])* $name:ident $(was $before:literal)?),* $(,)?) => {
        /// The numbers of the calibrated memory machine (`docs/prediction-model.md`).
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Calibration {
            $($(#[$doc])* $(#[serde(alias = $before)])? pub $name: Fitted,)*
        }

        impl Calibration {
            /// Every number with its name.
            pub fn all(&self) -> Vec<(&'static str, &Fitted)> {
                vec![$((stringify!($name), &self.$name)),*]
            }

            /// Names that files of earlier versions have, each with the present one: they are read on.
            pub const FORMER_NAMES: &[(&str, &str)] =
                &[$($(($before, stringify!($name)),)?)*];
        }
    };
}

calibration! {
    /// Seconds that the plain UMM takes for a time unit.
    time_unit_s,
    /// Seconds of one launch by the host.
    plain_first_s,
    /// Seconds of every further launch by the host.
    plain_next_s,
    /// Seconds of every further launch that the host has prepared before the first begins.
    plain_prepared_s,
    /// Seconds of a graph of one launch.
    graph_first_s,
    /// Seconds of every further launch of a graph.
    graph_next_s,
    /// Seconds of a cooperative launch, with nothing to do.
    cooperative_first_s,
    /// Seconds of the whole device to start a block.
    block_s,
    /// Seconds of a barrier of the whole grid, without those for its blocks.
    barrier_s,
    /// Seconds that each block adds to a barrier of the whole grid.
    barrier_block_s,
    /// Seconds that a thread waits for a word from its multiprocessor's cache.
    l1_latency_s was "near_latency_s",
    /// Seconds that a thread waits for a word from the last-level cache.
    l2_latency_s was "cache_latency_s",
    /// Seconds that a thread waits for a word from memory.
    dram_latency_s was "memory_latency_s",
    /// Seconds of a stage, an address group of 32 words, in a multiprocessor's cache.
    l1_group_s was "near_group_s",
    /// Seconds that one multiprocessor takes to ask the last-level cache for an address group.
    l2_group_s was "cache_group_s",
    /// Seconds that one multiprocessor takes to be sent a sector of 8 words.
    l2_sector_s was "cache_sector_s",
    /// Seconds of the whole device to begin writing an address group.
    write_group_s,
    /// Seconds of the whole device to write a sector of 8 words.
    write_sector_s,
    /// Seconds of the whole device to write into a part of a sector.
    write_part_s,
    /// Seconds of the whole device to go to an address group of memory.
    dram_group_s was "memory_group_s",
    /// Seconds of the whole device to move 64 bytes to or from memory, which it does at once.
    dram_sector_s was "memory_sector_s",
    /// Seconds of the whole device to go to an address group of memory and write into a part of it.
    dram_part_group_s was "memory_part_group_s",
    /// Seconds of the whole device to write into a part of 64 bytes of memory.
    dram_part_sector_s was "memory_part_sector_s",
    /// Seconds that a thread waits for a word from shared memory.
    shared_latency_s,
    /// Seconds of a multiprocessor for a stage of its shared memory.
    shared_stage_s,
    /// Seconds that the warp of a small block waits at its barrier.
    block_barrier_latency_s,
    /// Seconds of a multiprocessor for a warp to reach a barrier of its block.
    block_barrier_s,
    /// Seconds of a multiprocessor for a warp to begin a sum or the like of 32 bits.
    simple_s,
    /// Seconds until its result is there.
    simple_latency_s,
    /// Seconds of a multiprocessor for a warp to begin one of 64 bits.
    simple64_s,
    /// Seconds until its result is there.
    simple64_latency_s,
    /// Seconds of a multiprocessor for a warp to begin a product of 32 bits.
    product_s,
    /// Seconds until its result is there.
    product_latency_s,
    /// Seconds of a multiprocessor for a warp to begin one of 64 bits.
    product64_s,
    /// Seconds until its result is there.
    product64_latency_s,
    /// Seconds of a multiprocessor for a warp to begin a quotient of 32 bits.
    quotient_s,
    /// Seconds until its result is there.
    quotient_latency_s,
    /// Seconds of a multiprocessor for a warp to begin one of 64 bits.
    quotient64_s,
    /// Seconds until its result is there.
    quotient64_latency_s,
    /// Seconds of a multiprocessor for a warp to begin a sum or product of binary32.
    f32_s,
    /// Seconds until its result is there.
    f32_latency_s,
    /// Seconds of a multiprocessor for a warp to begin a quotient of binary32.
    f32_quotient_s,
    /// Seconds until its result is there.
    f32_quotient_latency_s,
    /// Seconds of a multiprocessor for a warp to begin a root of binary32.
    f32_root_s,
    /// Seconds until its result is there.
    f32_root_latency_s,
    /// Seconds of a multiprocessor for a warp to begin a sum or product of binary64.
    f64_s,
    /// Seconds until its result is there.
    f64_latency_s,
    /// Seconds of a multiprocessor for a warp to begin a quotient of binary64.
    f64_quotient_s,
    /// Seconds until its result is there.
    f64_quotient_latency_s,
    /// Seconds of a multiprocessor for a warp to begin a root of binary64.
    f64_root_s,
    /// Seconds until its result is there.
    f64_root_latency_s,
    /// Bytes of a multiprocessor's cache.
    l1_bytes was "near_bytes",
    /// Bytes of the last-level cache.
    l2_bytes was "cache_bytes",
    /// Bytes of it that are still there, on the mean, where many threads' arrays are larger.
    l2_held_bytes was "cache_held_bytes",
    /// Bytes of a multiprocessor's shared memory.
    shared_bytes,
    /// How many multiprocessors the device has.
    multiprocessors,
    /// Threads that a multiprocessor holds at once.
    resident_threads,
    /// Bytes a second that memory moves at most, by its clock and its width; 0 where a file does not say.
    #[serde(default)]
    dram_peak_bytes_per_s,
}

impl Calibration {
    /// Seconds of a multiprocessor for a warp to begin an operation, and until its result is there.
    /// Indices of a bulk run have 64 bits.
    pub fn operation(&self, operation: Operation, is_bulk: bool) -> [f64; 2] {
        let [issue, latency] = match operation {
            // How often it turns, and what is left of a multiple of four.
            Operation::Loop if is_bulk => return [40.0 * self.simple_s.value, 0.0],
            Operation::Loop => return [10.0 * self.simple_s.value, 0.0],
            // A sum and a comparison, for four turns of an unrolled loop; nothing waits for them.
            Operation::Turn if is_bulk => {
                return [self.simple64_s.value, self.simple_latency_s.value];
            }
            Operation::Turn => return [0.5 * self.simple_s.value, 0.0],
            // Most of it is done once for many turns of a loop, or by the access itself.
            Operation::Place if is_bulk => {
                return [0.5 * self.simple64_s.value, 0.5 * self.simple_latency_s.value];
            }
            Operation::Place => return [0.3 * self.simple_s.value, 0.0],
            Operation::Simple => [&self.simple_s, &self.simple_latency_s],
            Operation::Simple64 => [&self.simple64_s, &self.simple64_latency_s],
            Operation::Product => [&self.product_s, &self.product_latency_s],
            Operation::Product64 => [&self.product64_s, &self.product64_latency_s],
            Operation::Quotient => [&self.quotient_s, &self.quotient_latency_s],
            Operation::Quotient64 => [&self.quotient64_s, &self.quotient64_latency_s],
            Operation::F32 => [&self.f32_s, &self.f32_latency_s],
            Operation::F32Quotient => [&self.f32_quotient_s, &self.f32_quotient_latency_s],
            Operation::F32Root => [&self.f32_root_s, &self.f32_root_latency_s],
            Operation::F64 => [&self.f64_s, &self.f64_latency_s],
            Operation::F64Quotient => [&self.f64_quotient_s, &self.f64_quotient_latency_s],
            Operation::F64Root => [&self.f64_root_s, &self.f64_root_latency_s],
        };
        [issue.value, latency.value]
    }

    /// Seconds that memory takes for this many bytes at least.
    pub fn least_dram_s(&self, bytes: f64) -> f64 {
        let peak = self.dram_peak_bytes_per_s.value;
        if peak > 0.0 { bytes / peak } else { 0.0 }
    }

    /// Threads that the device has at once.
    pub fn resident_threads(&self) -> Threads {
        Threads::at_least_one((self.multiprocessors.value * self.resident_threads.value) as u64)
    }
}
