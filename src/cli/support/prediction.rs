//! What a prediction counts: compiled code, or the listing.

use std::sync::Arc;

use clap::Args;

use crate::case::CaseError;
use crate::gpu::CudaError;
use crate::gpu::nvrtc::{self, Architecture};
use crate::predict::Extension;

/// Whose code is counted.
const ARCHITECTURE: Architecture = Architecture(90);

/// What is counted.
#[derive(Debug, Args)]
pub(crate) struct CountedOptions {
    /// Extensions of the plain memory machine to leave out, with --listing
    #[arg(long, value_delimiter = ',', value_name = "EXTENSION,…")]
    pub(crate) without: Vec<Extension>,
    /// Count what the compiled code does, and say what is in the way if it cannot be (needs NVRTC)
    #[arg(long, conflicts_with_all = ["without", "listing"])]
    compiled: bool,
    /// Count what the listing does
    #[arg(long)]
    listing: bool,
}

/// The same as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Listing,
    Compiled,
    CompiledIfItCanBe,
}

impl CountedOptions {
    pub(crate) fn code(&self) -> Code {
        match self {
            Self { compiled: true, .. } => Code::Compiled,
            _ if self.listing || !self.without.is_empty() => Code::Listing,
            _ => Code::CompiledIfItCanBe,
        }
    }
}

/// Machine code of CUDA C, for the GPUs that machines are calibrated on.
pub(crate) fn compiled(source: &str) -> Result<Arc<[u8]>, CaseError> {
    let failed = |error: CudaError| {
        CaseError::Given(format!("--compiled: {error}; without it the listing itself is counted"))
    };
    nvrtc::compile(source, ARCHITECTURE).map_err(failed)
}

/// The same, where the listing is counted if there is none.
pub(crate) fn machine_code(source: &str) -> Result<Arc<[u8]>, CaseError> {
    nvrtc::compile(source, ARCHITECTURE).map_err(|error| CaseError::Given(error.to_string()))
}
