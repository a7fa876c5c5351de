//! From the memory machine to seconds: microbenchmarks calibrate it, what a program does on it is
//! counted, and predictions are held against measured times (`docs/predicting-seconds.md`).
//!
//! ```text
//! microbenchmarks ─▶ calibration ─┐
//! program ─▶ work ────────────────┴─▶ prediction ─▶ comparison with algorithms
//! ```

mod arrays;
mod block;
pub mod calibrate;
mod calibrate_folder;
mod code;
mod common;
pub mod compare;
mod comparison;
mod compiled;
pub mod counters;
mod extension;
mod held;
mod launched;
mod listing;
mod longest;
mod microbenchmarks;
mod occupancy;
mod plan;
mod predict;
mod reuse;
mod sampled;
mod strays;
mod thread;
mod time_units;
mod traffic;
mod until;
mod warps;
mod work;

use std::sync::Arc;

use memory_machine_case::CaseError;

pub use self::calibrate::calibrate;
pub use self::calibrate_folder::{CalibrateFolderError, calibrate_folder};
pub use self::comparison::{CompareOptions, Comparison};
pub use self::extension::Extension;
pub use self::predict::{Prediction, plain, predict};
pub use self::traffic::{KernelTraffic, traffic};
pub use self::work::{Manner, ReuseCache, Work};

/// Makes machine code of CUDA C, a cubin for GPUs of compute capability 9.0, as NVRTC does.
pub type Compile<'a> = &'a (dyn Fn(&str) -> Result<Arc<[u8]>, CaseError> + Sync);
