//! CUDA: emitted from programs, compiled, launched and timed on a device.
//!
//! [`emit`] needs nothing but the program; [`nvrtc`] needs NVRTC, [`Gpu`] a driver and a device, and
//! each says so where there is none.

mod describe;
pub mod emit;
mod error;
pub mod execution;
mod gpu;
pub mod greedy;
pub mod hull;
pub mod measure;
pub mod nvrtc;
pub mod opt;
mod random;
pub mod resources;

pub use self::describe::{describe, describe_host};
pub use self::error::{CudaError, Result};
pub use self::gpu::{
    Buffer, Function, Gpu, Graph, Module, Plain, bytes_of, bytes_of_mut, count, driver_cuda,
};
