//! What is predicted: seconds and their parts, what binds, and where a measured time may be expected.

use serde::Serialize;

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
    /// What multiprocessors compute.
    pub operations_s: f64,
    /// Stages of the multiprocessors' caches.
    pub l1_s: f64,
    /// Stages of shared memory.
    pub shared_s: f64,
    /// Stages between the multiprocessors and the last-level cache.
    pub l2_s: f64,
    /// Stages of writes on their way to the last-level cache.
    pub writes_s: f64,
    /// Atomic operations in the last-level cache.
    pub atomics_s: f64,
    /// Stages between the last-level cache and memory.
    pub dram_s: f64,
}

/// What a run's time is spent on most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// Launches, barriers of the grid, starts of blocks.
    Launch,
    /// Threads that wait.
    Latency,
    /// Instructions that multiprocessors begin.
    Issue,
    /// Their first cache and shared memory.
    L1,
    /// The last-level cache and the way to it.
    L2,
    /// Atomic operations there.
    Atomics,
    /// Memory.
    Memory,
}

impl Bound {
    /// As it is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Launch => "launch",
            Self::Latency => "latency",
            Self::Issue => "issue",
            Self::L1 => "L1",
            Self::L2 => "L2",
            Self::Atomics => "atomics",
            Self::Memory => "memory",
        }
    }
}

/// Seconds between which a part of all measured times lay when predictions were validated.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The least.
    pub low_s: f64,
    /// The most.
    pub high_s: f64,
    /// The part of the points of a held-out set that lay between.
    pub share: f64,
}

/// Errors, and the part of held-out points with at most as large a one (`docs/predicting-seconds.md`): of compiled code
/// 187 of the seventeenth set's 224, and of listings a half of the first three sets'.
const COMPILED_ERROR: [f64; 2] = [0.15, 0.83];
/// As above.
const LISTING_ERROR: [f64; 2] = [0.26, 0.5];

impl Prediction {
    /// What most of the time is spent on: of parts that overlap the longest.
    pub fn bound(&self) -> Bound {
        let parts = [
            (Bound::Launch, self.launches_s + self.starts_s),
            (Bound::Latency, self.latency_s),
            (Bound::Issue, self.operations_s),
            (Bound::L1, self.l1_s + self.shared_s),
            (Bound::L2, self.l2_s.max(self.writes_s)),
            (Bound::Atomics, self.atomics_s),
            (Bound::Memory, self.dram_s),
        ];
        parts.into_iter().fold((Bound::Launch, 0.0), |a, b| if b.1 > a.1 { b } else { a }).0
    }

    /// Where the measured time may be expected, by the errors of the validation.
    pub fn interval(&self, is_compiled: bool) -> Interval {
        let [error, share] = if is_compiled { COMPILED_ERROR } else { LISTING_ERROR };
        Interval { low_s: self.time_s / (1.0 + error), high_s: self.time_s / (1.0 - error), share }
    }
}
