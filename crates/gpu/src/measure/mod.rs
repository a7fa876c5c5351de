//! Measures algorithms and microbenchmarks: verified, warmed up, repeated.
//!
//! Every repetition begins with fresh inputs; what is timed lies between two events on the GPU's own
//! clock. A graph, or a few kernels, begin behind another kernel, so that the host has no part in their
//! time; of many kernels that the host launches one by one it has.

mod algorithm;
mod gpus;
pub mod greedy;
pub mod host;
pub mod hull;
pub mod listing;
pub mod microbenchmark;
pub mod opt;
mod spin;
pub mod suite;
mod workload;

pub use self::gpus::Gpus;
pub use self::workload::Workload;

/// Runs before the repetitions.
const WARM_UP: usize = 2;

/// How points are measured.
#[derive(Debug, Clone, Copy)]
pub struct Protocol {
    /// Timed runs of a point, but for long ones.
    pub repetitions: usize,
    /// Of random inputs.
    pub seed: u64,
    /// A run on the CPU of more accesses than this is not waited for.
    pub most_accesses: u128,
}

impl Protocol {
    /// As many accesses as a core of the host makes in a second or two.
    pub const MOST_ACCESSES: u64 = 100_000_000;
}

/// What a point took.
pub struct VerifiedTimes {
    /// `all`, `sample` or `none`.
    pub verified: &'static str,
    /// Seconds of each repetition, in order.
    pub times: Vec<f64>,
}

/// `memory` if the data does not fit the last-level cache.
pub const fn regime(bytes: u64, cache_bytes: u64) -> &'static str {
    if bytes > cache_bytes { "memory" } else { "cache" }
}
