//! PTX, the text from which machine code is made: read, and executed by the warps of a block of
//! threads, each instruction at the time at which a multiprocessor would begin it.
//!
//! ```text
//! text ─▶ kernels, their basic blocks in the order of machine code ─▶ a block's run: counts, cycles
//! ```
//!
//! It is what NVIDIA's compiler makes of emitted CUDA C: loops are unrolled, values kept in registers,
//! addresses computed once. Instructions that such code does not have are an error, not a guess.

mod access;
mod boards;
mod combining;
mod counts;
mod distance;
mod fetch;
mod fusion;
mod instruction;
mod order;
mod parse;
mod predication;
mod registers;
mod timing;
mod values;
mod warp;

pub use self::access::{GROUP, WRITTEN, pairs};
pub use self::counts::Counts;
pub use self::instruction::{Comparison, Instruction, Kernel, Module, Opcode, Space, Type};
pub use self::parse::{PtxError, parse};
pub use self::timing::{Beyond, Timing};
pub use self::warp::{BlockRun, Memory, RunError, run};
