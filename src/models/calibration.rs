//! What microbenchmarks say of a machine beyond width and latency.

use serde::{Deserialize, Serialize};

use crate::units::Threads;

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
    /// Seconds of one launch by the host, with nothing to do.
    plain_first_s,
    /// Seconds of every further launch by the host.
    plain_next_s,
    /// Seconds of a graph of one launch, with nothing to do.
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
    near_latency_s,
    /// Seconds that a thread waits for a word from the last-level cache.
    cache_latency_s,
    /// Seconds that a thread waits for a word from memory.
    memory_latency_s,
    /// Seconds of a stage, an address group of 32 words, in a multiprocessor's cache.
    near_group_s,
    /// Seconds that one multiprocessor takes to ask the last-level cache for an address group.
    cache_group_s,
    /// Seconds that one multiprocessor takes to be sent a sector of 8 words.
    cache_sector_s,
    /// Seconds of the whole device to begin writing an address group.
    write_group_s,
    /// Seconds of the whole device to write a sector of 8 words.
    write_sector_s,
    /// Seconds of the whole device to write into a part of a sector.
    write_part_s,
    /// Seconds of the whole device to go to an address group of memory.
    memory_group_s,
    /// Seconds of the whole device to move a sector of 8 words to or from memory.
    memory_sector_s,
    /// Seconds of a multiprocessor for a warp to compute an address.
    arithmetic_issue_s,
    /// Seconds until an address that a thread computes is known.
    arithmetic_latency_s,
    /// Bytes of a multiprocessor's cache.
    near_bytes,
    /// Bytes of the last-level cache.
    cache_bytes,
    /// Bytes of a multiprocessor's shared memory.
    shared_bytes,
    /// How many multiprocessors the device has.
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
