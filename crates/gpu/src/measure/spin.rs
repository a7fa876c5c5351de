//! What the host takes to prepare a launch is kept out of the time of the launch.

use crate::error::Result;
use crate::gpu::Gpu;
use crate::kernel::{Function, Module};
use crate::nvrtc;
#[cfg(doc)]
use memory_machine_measure::PREPARED;

const SOURCE: &str = include_str!("../../kernels/spin.cu");

/// Nanoseconds for which a GPU is kept busy: twice what a host takes for [`PREPARED`] launches and an
/// event.
const NANOSECONDS: u64 = 200_000;

/// Times what the host asks for behind a kernel that waits: the GPU begins it when it is ready, not when
/// the host is, whose time for a launch varies by microseconds from one to the next. (So does NVBench,
/// NVIDIA's library for benchmarks.)
pub(super) struct Spin<'a> {
    gpu: &'a Gpu,
    hold: Function,
    /// Keeps the function loaded.
    _module: Module,
}

impl<'a> Spin<'a> {
    pub(super) fn new(gpu: &'a Gpu) -> Result<Self> {
        let module = gpu.load(&nvrtc::compile(SOURCE, gpu.architecture()?)?)?;
        Ok(Self { gpu, hold: module.function("hold")?, _module: module })
    }

    /// Seconds that the GPU takes for what `work` asks for, the host's part of it left out.
    pub(super) fn seconds(&self, work: impl FnOnce() -> Result<()>) -> Result<f64> {
        self.gpu.launch(&self.hold, (1, 1), &[NANOSECONDS])?;
        self.gpu.seconds(work)
    }
}
