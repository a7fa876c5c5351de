//! What can go wrong between this program and a GPU.

use cudarc::driver::DriverError;
use thiserror::Error;

/// Why a GPU, or its compiler, does not do what it was asked for.
#[derive(Debug, Error)]
pub enum CudaError {
    /// The driver's library is not installed.
    #[error(
        "no CUDA driver: libcuda.so is not found; install NVIDIA's driver (Debian: nvidia-driver, \
         libcuda1), or run this on a machine with a GPU"
    )]
    NoDriver,
    /// The driver is there, but no device.
    #[error("the CUDA driver finds no GPU: {0}; see `nvidia-smi`, and CUDA_VISIBLE_DEVICES")]
    NoDevice(String),
    /// A number that no GPU has.
    #[error("there is no GPU {ordinal}; this machine has {count}, numbered from 0")]
    Ordinal {
        /// As asked for, from 0.
        ordinal: usize,
        /// GPUs of this machine.
        count: usize,
    },
    /// The compiler's library is not installed.
    #[error(
        "no NVRTC, which compiles kernels: libnvrtc.so is not found; install it (pip install \
         nvidia-cuda-nvrtc, or the CUDA toolkit) and name its folder in LD_LIBRARY_PATH"
    )]
    NoNvrtc,
    /// A GPU that the compiler is too old or too new for.
    #[error(
        "this NVRTC ({version}) does not know {architecture}; it compiles for {known}: install one \
         that does"
    )]
    Architecture {
        /// As in `sm_90`.
        architecture: String,
        /// NVRTC's version.
        version: String,
        /// The architectures that it compiles for.
        known: String,
    },
    /// The compiler failed otherwise: what it says.
    #[error("NVRTC: {0}")]
    Nvrtc(String),
    /// The compiler rejects a kernel.
    #[error(
        "a kernel does not compile for {architecture}:\n{log}\nthis is a mistake of the emitter: \
         please report the listing"
    )]
    Compile {
        /// What it was compiled for, as in `sm_90`.
        architecture: String,
        /// What the compiler says.
        log: String,
    },
    /// More than is free at the moment.
    #[error(
        "{bytes} bytes do not fit the GPU's memory, of which {free} are free; choose smaller sizes"
    )]
    Memory {
        /// As asked for.
        bytes: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// More blocks than can be on the GPU at once, as a barrier of the grid needs.
    #[error("the grid of one cooperative kernel does not fit the GPU; choose --launch plain")]
    Cooperative,
    /// A call of the driver failed.
    #[error("{what}: {error}")]
    Driver {
        /// What was to be done.
        what: &'static str,
        /// What the driver says.
        error: String,
    },
}

/// With [`CudaError`] for an error.
pub type Result<T> = std::result::Result<T, CudaError>;

/// What the driver was asked to do when it failed.
pub(super) trait During<T> {
    fn during(self, what: &'static str) -> Result<T>;
}

impl<T> During<T> for std::result::Result<T, DriverError> {
    fn during(self, what: &'static str) -> Result<T> {
        self.map_err(|error| failed(what, error))
    }
}

fn failed(what: &'static str, error: DriverError) -> CudaError {
    // A driver is present if it can fail, so that its words for the error can be had.
    let name = error.error_name().map(|it| it.to_string_lossy().into_owned());
    let text = error.error_string().map(|it| it.to_string_lossy().into_owned());
    let error = match (name, text) {
        (Ok(name), Ok(text)) => format!("{name}: {text}"),
        _ => format!("CUDA error {}", error.0 as u32),
    };
    CudaError::Driver { what, error }
}
