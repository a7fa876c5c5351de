//! From the memory machine to seconds: microbenchmarks calibrate it, what a program does on it is
//! counted, and predictions are held against measured times (`docs/predicting-seconds.md`).
//!
//! ```text
//! microbenchmarks ─▶ calibration ─┐
//! program ─▶ work ────────────────┴─▶ prediction ─▶ comparison with algorithms
//! ```

mod access_group;
mod arrays;
mod atomic_spread;
mod block_counts;
mod block_sampling;
mod block_sharing;
mod bulk_sampling;
pub mod calibrate;
mod calibrate_folder;
pub mod compare;
mod comparison;
mod compiled_case;
mod counter;
pub mod counters;
mod current_launch;
mod device_case;
mod emission;
mod expectation;
mod extension;
mod fast_forward;
mod indirect;
mod kernel;
mod launch_code;
mod launch_sampling;
mod launches;
mod listing;
mod machine_code;
mod microbenchmarks;
mod occupancy;
mod plan;
mod predict;
mod prediction;
mod report;
mod residency;
mod reuse;
mod tail;
mod time_units;
mod traffic;
mod work;

use std::sync::Arc;

use memory_machine_case::CaseError;

pub use self::calibrate::calibrate;
pub use self::calibrate_folder::{CalibrateFolderError, calibrate_folder};
pub use self::compare::CompareOptions;
pub use self::comparison::Comparison;
pub use self::emission::LaunchOptions;
pub use self::expectation::expected_seconds;
pub use self::extension::Extension;
pub use self::kernel::{KernelLaunch, KernelPrediction, Roofline};
pub use self::occupancy::{Limit, Occupancy};
pub use self::predict::{plain, predict};
pub use self::prediction::{Bound, Interval, Prediction};
pub use self::report::PredictionReport;
pub use self::reuse::ReuseCache;
pub use self::traffic::{KernelTraffic, traffic};
pub use self::work::Work;

/// Makes machine code of CUDA C, a cubin for GPUs of compute capability 9.0, as NVRTC does.
pub type Compile<'a> = &'a (dyn Fn(&str) -> Result<Arc<[u8]>, CaseError> + Sync);
