//! Machine code (SASS), as NVIDIA's compiler makes it of emitted CUDA C: decoded from a cubin, and
//! executed by the warps of a block of threads, each instruction at the time at which a multiprocessor
//! would begin it.
//!
//! ```text
//! cubin ─▶ kernels, their instructions with the compiler's counts of cycles ─▶ a block's run: counts, cycles
//! ```
//!
//! Instructions that emitted kernels do not have are an error, not a guess.

mod access;
mod block;
mod combining;
mod cost;
mod counts;
mod cubin;
mod decode;
mod distance;
mod fetch;
mod floats;
mod flow;
mod instruction;
mod lanes;
mod memory;
mod products;
mod timing;
mod values;
mod warp;
mod writes;

pub use self::access::{GROUP, PAIRS, WRITTEN, pairs};
pub use self::block::{BlockRun, RunError, run};
pub use self::counts::Counts;
pub use self::cubin::{CubinError, Kernel, Module, parse};
pub use self::memory::{Memory, Others, Sharing};
pub use self::timing::{Beyond, Timing};
