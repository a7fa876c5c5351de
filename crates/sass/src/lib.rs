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
mod attributes;
mod block;
mod branches;
mod combine;
mod cost;
mod counts;
mod cubin;
mod dataflow;
mod decode;
mod fenwick_tree;
mod floats;
mod halves;
mod inspection;
mod instruction;
mod instruction_cache;
mod integers;
mod lanes;
pub mod launch;
mod lines;
mod linkage;
mod matrix;
mod memory;
mod opcode;
mod operand;
mod operation;
mod rounding;
mod shared_arrays;
mod special;
mod stack_distance;
mod stalls;
mod store_buffer;
mod stores;
mod timing;
mod values;
mod warp;
mod warp_wide;

pub use self::access::{GROUP_PAIRS, STORE_STAGES, pairs};
pub use self::block::{BlockRun, RunError, profile, run};
pub use self::counts::ExecutionCounts;
pub use self::cubin::{CubinError, KernelCode, Module, RESERVED_SHARED_BYTES, parse, read};
pub use self::inspection::NamedInstruction;
pub use self::lines::SourceLine;
pub use self::linkage::Variable;
pub use self::memory::{AccessMode, DeviceMemory, PeerReads, Sharing};
pub use self::shared_arrays::SharedArray;
pub use self::stalls::StallCycles;
pub use self::timing::{L2MissModel, Timing, l2_share};

/// The bits of the nearest IEEE half.
pub fn half_bits(number: f64) -> u16 {
    operation::HalfFormat::F16.narrow(number)
}

/// An IEEE half.
pub fn half_value(bits: u16) -> f64 {
    operation::HalfFormat::F16.widen(bits)
}

/// The bits of the nearest bfloat16.
pub fn bfloat_bits(number: f64) -> u16 {
    operation::HalfFormat::Bf16.narrow(number)
}
