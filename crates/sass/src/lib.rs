//! Machine code (SASS) of NVIDIA's GPUs of compute capability 9.0: read from a cubin, written as text, and
//! executed without a GPU.
//!
//! ```text
//! cubin ─▶ read ─▶ kernels ┬─▶ text, control, line: what the disassembler writes
//!                          ├─▶ launch: a grid with its values, an observer hears each access
//!                          └─▶ run: a block with its time, each instruction when a multiprocessor begins it
//! ```
//!
//! An instruction that is not known is an error where it is executed, not a guess; its text is written all the
//! same.
//!
//! # Reading a cubin
//!
//! [`read`] takes the bytes of a file that `nvcc -cubin -arch=sm_90 -lineinfo` made. [`KernelCode::text`] has each
//! instruction as `nvdisasm` prints it, [`KernelCode::control`] what the compiler says of its time, and
//! [`KernelCode::line`] the line of the source.
//!
//! ```no_run
//! let module = memory_machine_sass::read(&std::fs::read("saxpy.cubin")?)?;
//! for kernel in &module.kernels {
//!     for at in 0..kernel.instructions() {
//!         let line = kernel.line(at).map_or(0, |it| it.line);
//!         println!("{line:4}  {}", kernel.text(at).unwrap_or_default());
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One word
//!
//! [`disassemble`] needs no file:
//!
//! ```
//! let word = 0x000ea2000c1e1900_0000000402007981;
//! let text = memory_machine_sass::disassemble(word, 0);
//! assert_eq!(text.as_deref(), Some("LDG.E R0, desc[UR4][R2.64]"));
//! ```

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
mod special_functions;
mod stack_distance;
mod stalls;
mod store_buffer;
mod stores;
mod tensor_sum;
mod timing;
mod values;
mod warp;
mod warp_wide;

pub use self::access::{GROUP_PAIRS, STORE_STAGES, pairs};
pub use self::block::{BlockRun, RunError, profile, run};
pub use self::counts::ExecutionCounts;
pub use self::cubin::{CubinError, KernelCode, Module, parse, read};
pub use self::inspection::{NamedInstruction, disassemble};
pub use self::lines::SourceLine;
pub use self::linkage::{RESERVED_SHARED_BYTES, Variable, is_named};
pub use self::memory::{AccessMode, DeviceMemory, PeerReads, Sharing};
pub use self::shared_arrays::SharedArray;
pub use self::stalls::{InstructionProfile, StallCycles};
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
