//! Which GPU a command uses, and how it fails.

use clap::Args;

use super::Failure;
use super::options::{ANY, whole};
use crate::gpu::execution::ExecutionError;
use crate::gpu::measure::listing::VerifiedRunError;
use crate::gpu::{self, CudaError};
use crate::measure::Engine;

/// Which GPU.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DeviceOptions {
    /// The GPU's number (see `umm gpu info`)
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(ANY))]
    pub(crate) device: usize,
}

impl DeviceOptions {
    pub(crate) fn open(self) -> gpu::Result<gpu::Gpu> {
        gpu::Gpu::open(self.device)
    }

    /// The GPU, if an engine needs one.
    pub(crate) fn open_for(self, engine: impl Engine) -> gpu::Result<Option<gpu::Gpu>> {
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

impl From<VerifiedRunError> for Failure {
    fn from(error: VerifiedRunError) -> Self {
        match error {
            VerifiedRunError::Case(error) => error.into(),
            VerifiedRunError::Execution(error) => error.into(),
            error @ VerifiedRunError::Differs(_) => Self::run(error),
        }
    }
}
