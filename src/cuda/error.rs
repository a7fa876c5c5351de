//! What can go wrong between this program and a GPU.

use cudarc::driver::DriverError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum CudaError {
    #[error(
        "no CUDA driver: libcuda.so is not found; install NVIDIA's driver (Debian: nvidia-driver, \
         libcuda1), or run this on a machine with a GPU"
    )]
    NoDriver,
    #[error("the CUDA driver finds no GPU: {0}; see `nvidia-smi`, and CUDA_VISIBLE_DEVICES")]
    NoDevice(String),
    #[error("there is no GPU {ordinal}; this machine has {count}, numbered from 0")]
    Ordinal { ordinal: usize, count: usize },
    #[error(
        "no NVRTC, which compiles kernels: libnvrtc.so is not found; install it (pip install \
         nvidia-cuda-nvrtc, or the CUDA toolkit) and name its folder in LD_LIBRARY_PATH"
    )]
    NoNvrtc,
    #[error(
        "this NVRTC ({version}) does not know {architecture}; it compiles for {known}: install one \
         that does"
    )]
    Architecture { architecture: String, version: String, known: String },
    #[error("NVRTC: {0}")]
    Nvrtc(String),
    #[error(
        "a kernel does not compile for {architecture}:\n{log}\nthis is a mistake of the emitter: \
         please report the listing"
    )]
    Compile { architecture: String, log: String },
    #[error(
        "{bytes} bytes do not fit the GPU's memory, of which {free} are free; choose smaller sizes"
    )]
    Memory { bytes: u64, free: u64 },
    #[error("the grid of one cooperative kernel does not fit the GPU; choose --launch plain")]
    Cooperative,
    #[error("{what}: {error}")]
    Driver { what: &'static str, error: String },
}

pub type Result<T> = std::result::Result<T, CudaError>;

/// What the driver was asked to do when it failed.
pub(super) trait During<T> {
    fn during(self, what: &'static str) -> Result<T>;
}

impl<T> During<T> for std::result::Result<T, DriverError> {
    fn during(self, what: &'static str) -> Result<T> {
        // A driver is present if it can fail, so that its words for the error can be had.
        self.map_err(|error| {
            let name = error.error_name().map(|it| it.to_string_lossy().into_owned());
            let text = error.error_string().map(|it| it.to_string_lossy().into_owned());
            let text = match (name, text) {
                (Ok(name), Ok(text)) => format!("{name}: {text}"),
                _ => format!("CUDA error {}", error.0 as u32),
            };
            CudaError::Driver { what, error: text }
        })
    }
}
