//! A folder of microbenchmarks → machine.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::calibrate::calibrate;
use super::microbenchmarks::CalibrationError;
use memory_machine_measure::models::Model;
use memory_machine_measure::{MICROBENCHMARKS, MeasurementError, read, read_device, repetitions};

/// Why a folder calibrates no machine.
#[derive(Debug, Error)]
pub enum CalibrateFolderError {
    /// A file is missing or malformed.
    #[error(transparent)]
    Measurement(#[from] MeasurementError),
    /// Its rows are not enough.
    #[error("{}/{error}", folder.display())]
    Calibration {
        /// The folder.
        folder: PathBuf,
        /// What is missing.
        error: CalibrationError,
    },
}

/// Fits a machine to a folder's microbenchmarks; no other file of it is read. Its name is the device's
/// if none is given.
///
/// # Errors
/// [`CalibrateFolderError`].
pub fn calibrate_folder(folder: &Path, name: Option<&str>) -> Result<Model, CalibrateFolderError> {
    let device = read_device(folder)?;
    let rows = read(&folder.join(MICROBENCHMARKS))?;
    let name = name.map_or_else(|| device.name.to_lowercase().replace(' ', "-"), str::to_owned);
    calibrate(&name, &device, &repetitions(rows))
        .map_err(|error| CalibrateFolderError::Calibration { folder: folder.to_owned(), error })
}
