//! `umm gpu`

mod count;
mod info;
mod measure;
mod run;

use clap::{Args, Subcommand};

use super::Failure;
use crate::cli::options::{ANY, whole};
use crate::cuda::execution::ExecutionError;
use crate::cuda::{self, CudaError};
use crate::measurement::Engine;

pub(super) use self::run::measure;

/// Run and measure algorithms on a CUDA GPU
#[derive(Debug, Args)]
#[command(after_help = "\
Needed: NVIDIA's driver, and NVRTC (pip install nvidia-cuda-nvrtc, its folder in LD_LIBRARY_PATH).

Examples:
  umm gpu info
  umm gpu run umm_opt --set n=512
  umm gpu run prefix_sums --set n=32 --bulk column -p 1048576
  umm gpu count transpose_padded --set n=1024
  umm gpu measure microbenchmarks -o measured")]
pub(super) struct Gpu {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Info),
    Run(run::Run),
    Count(count::Count),
    Measure(measure::Measure),
}

impl Gpu {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::Info(info) => info.run(),
            Command::Run(run) => run.run(),
            Command::Count(count) => count.run(),
            Command::Measure(measure) => measure.run(),
        }
    }
}

/// Which GPU.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct DeviceOptions {
    /// The GPU's number (see `umm gpu info`)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(ANY))]
    pub(super) device: usize,
}

impl DeviceOptions {
    pub(super) fn open(self) -> cuda::Result<cuda::Gpu> {
        cuda::Gpu::open(self.device)
    }

    /// The GPU, if an engine needs one.
    pub(super) fn open_for(self, engine: impl Engine) -> cuda::Result<Option<cuda::Gpu>> {
        engine.is_on_gpu().then(|| self.open()).transpose()
    }
}

/// A GPU that is absent or fails: exit code 1; sizes that do not fit it: 2.
impl From<CudaError> for Failure {
    fn from(error: CudaError) -> Self {
        match error {
            CudaError::Memory { .. } | CudaError::Cooperative | CudaError::Ordinal { .. } => {
                Self::input(error)
            }
            error => Self::run(error),
        }
    }
}

impl From<ExecutionError> for Failure {
    fn from(error: ExecutionError) -> Self {
        match error {
            ExecutionError::Cuda(error) => error.into(),
            ExecutionError::Listing(located) => located.into(),
        }
    }
}
