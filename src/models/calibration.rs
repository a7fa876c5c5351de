//! What microbenchmarks say of a machine beyond width and latency.

use serde::{Deserialize, Serialize};

use crate::units::Threads;

/// A number fitted to measurements.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitted {
    pub value: f64,
    /// The rows that it was fitted to, or where else it stands.
    pub source: String,
    /// The mean of |fitted − measured| / measured over those rows, where there are more than
    /// numbers fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residual: Option<f64>,
}

macro_rules! calibration {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// The numbers of the extended memory machine (`docs/fidelity.md`).
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Calibration {
            $($(#[$doc])* pub $name: Fitted,)*
        }

        impl Calibration {
            /// Every number with its name.
            pub fn all(&self) -> Vec<(&'static str, &Fitted)> {
                vec![$((stringify!($name), &self.$name)),*]
            }
        }
    };
}

calibration! {
    /// Seconds that the plain UMM takes for a time unit.
    time_unit_s,
    /// Seconds of one launch with nothing to do, and of every further one.
    plain_first_s,
    plain_next_s,
    graph_first_s,
    graph_next_s,
    cooperative_first_s,
    /// Seconds of the whole device to start a block.
    block_s,
    /// Seconds of a barrier of the whole grid: this, and more for each block.
    barrier_s,
    barrier_block_s,
    /// Seconds that a thread waits for a word from its multiprocessor's cache, from the last-level
    /// cache, and from memory.
    near_latency_s,
    cache_latency_s,
    memory_latency_s,
    /// Seconds of a stage, an address group of 32 words, in a multiprocessor's cache.
    near_group_s,
    /// Seconds that one multiprocessor takes to ask the last-level cache for an address group, and
    /// to be sent a sector of 8 words.
    cache_group_s,
    cache_sector_s,
    /// Seconds of the whole device to begin writing an address group, to write a sector of 8 words,
    /// and to write into a part of one.
    write_group_s,
    write_sector_s,
    write_part_s,
    /// Seconds of the whole device to go to an address group of memory, and to move a sector of it.
    memory_group_s,
    memory_sector_s,
    /// Seconds of a multiprocessor for a warp to compute an address, and those until it is known.
    arithmetic_issue_s,
    arithmetic_latency_s,
    /// Bytes of a multiprocessor's cache, of the last-level cache, and of a multiprocessor's shared
    /// memory.
    near_bytes,
    cache_bytes,
    shared_bytes,
    multiprocessors,
    /// Threads that a multiprocessor holds at once.
    resident_threads,
}

impl Calibration {
    /// Threads that the device has at once.
    pub fn resident_threads(&self) -> Threads {
        Threads::at_least_one((self.multiprocessors.value * self.resident_threads.value) as u64)
    }
}
