//! The device that rows were measured on.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::plausibility::{self, Checked, Implausible};
use super::{DEVICE, MeasurementError};
use memory_machine_core::host::files;

/// What the device, its driver and its host say of themselves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// As the driver has it: `NVIDIA H100 80GB HBM3`.
    pub name: String,
    /// GPUs of this name in the machine.
    pub count: u64,
    /// As in `9.0`.
    pub compute_capability: String,
    /// The driver's own version.
    pub driver: String,
    /// The driver's CUDA version.
    pub cuda: String,
    /// NVRTC's version.
    pub nvrtc: String,
    /// Of one GPU.
    pub multiprocessors: u64,
    /// Threads that a multiprocessor holds at once.
    pub threads_per_multiprocessor: u64,
    /// Threads of a warp.
    pub warp: u64,
    /// Of multiprocessors, in hertz.
    pub clock_hz: f64,
    /// Of memory, in hertz.
    pub memory_clock_hz: f64,
    /// Between memory and its controller.
    pub bus_width_bits: u64,
    /// Of one GPU.
    pub memory_bytes: u64,
    /// Of the last-level cache.
    pub l2_bytes: u64,
    /// What all blocks on a multiprocessor share.
    pub shared_bytes_per_multiprocessor: u64,
    /// The CPU whose single core is compared with.
    pub host: String,
    /// Version of this program.
    pub version: String,
    /// The day of the first measurement, as in `2026-11-21`.
    pub date: String,
}

impl Checked for Device {
    fn check(&self) -> Result<(), Implausible> {
        let counts = [
            ("count", self.count),
            ("multiprocessors", self.multiprocessors),
            ("threads_per_multiprocessor", self.threads_per_multiprocessor),
            ("warp", self.warp),
            ("bus_width_bits", self.bus_width_bits),
            ("memory_bytes", self.memory_bytes),
            ("l2_bytes", self.l2_bytes),
            ("shared_bytes_per_multiprocessor", self.shared_bytes_per_multiprocessor),
        ];
        counts.iter().try_for_each(|&(name, it)| plausibility::feature(name, it as f64))?;
        plausibility::feature("clock_hz", self.clock_hz)?;
        plausibility::feature("memory_clock_hz", self.memory_clock_hz)
    }
}

impl Device {
    /// Its name, and its driver's version, if it has one.
    pub fn with_driver(&self) -> String {
        match self.driver.as_str() {
            "" => self.name.clone(),
            driver => format!("{} with driver {driver}", self.name),
        }
    }

    /// Bytes a second between the memory and its controller, both edges of the clock.
    pub fn peak_bandwidth(&self) -> f64 {
        2.0 * self.memory_clock_hz * self.bus_width_bits as f64 / 8.0
    }
}

/// The description of the device that a folder's rows were measured on.
///
/// # Errors
/// [`MeasurementError`] if there is none or it is malformed.
pub fn read_device(folder: &Path) -> Result<Device, MeasurementError> {
    let path = folder.join(DEVICE);
    let unreadable = |source| MeasurementError::Unreadable { path: path.clone(), source };
    let file = files::open(&path, files::DESCRIPTION).map_err(unreadable)?;
    let text = io::read_to_string(file).map_err(unreadable)?;
    let device: Device = serde_json::from_str(&text)
        .map_err(|source| MeasurementError::Device { path: path.clone(), source })?;
    match device.check() {
        Ok(()) => Ok(device),
        Err(source) => Err(MeasurementError::ImpossibleDevice { path, source }),
    }
}
