//! Measures algorithms and microbenchmarks: verified, warmed up, repeated.
//!
//! Every repetition begins with fresh inputs and an idle GPU; what is timed lies between two events
//! on the GPU's own clock, so that a launch costs what it costs a program that waits for it.

mod algorithm;
mod gpus;
pub mod host;
pub mod microbenchmark;
pub mod opt;
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
