//! A GPU: code compiled, launched and timed on it.
//!
//! [`nvrtc`] needs NVRTC, [`Gpu`] a driver and a device, and
//! each says so where there is none.

mod description;
mod device_code;
mod error;
pub mod execution;
mod fatbin;
mod gpu;
pub mod greedy;
mod host_code;
mod host_headers;
pub mod hull;
mod kernel;
pub mod measure;
pub mod nvrtc;
pub mod opt;
mod random;
pub mod resources;
pub mod toolchain;

pub use self::description::{describe, describe_host};
pub use self::error::{CudaError, Result};
pub use self::gpu::{Buffer, Gpu, Graph, count, driver_cuda};
pub use self::kernel::{Function, Module};
