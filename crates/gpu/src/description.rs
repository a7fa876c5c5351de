//! What a GPU, its driver and its host say of themselves.

use std::fs;

use cudarc::driver::sys::CUdevice_attribute as Attribute;

use super::error::Result;
use super::gpu::{Gpu, driver_cuda};
use super::nvrtc;
use memory_machine_measure::Device;

/// Describes a GPU of `count` alike.
///
/// # Errors
/// A driver that fails.
pub fn describe(gpu: &Gpu, count: u64) -> Result<Device> {
    let ask = |attribute| gpu.attribute(attribute);
    let kilohertz = |attribute| ask(attribute).map(|it| it as f64 * 1e3);
    let architecture = gpu.architecture()?.0;
    Ok(Device {
        name: gpu.name()?,
        count,
        compute_capability: format!("{}.{}", architecture / 10, architecture % 10),
        driver: driver_version(),
        cuda: driver_cuda()?,
        nvrtc: nvrtc::version().unwrap_or_else(|_| "absent".to_owned()),
        multiprocessors: gpu.multiprocessors()?,
        threads_per_multiprocessor: ask(
            Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
        )?,
        warp: ask(Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
        clock_hz: kilohertz(Attribute::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
        memory_clock_hz: kilohertz(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?,
        bus_width_bits: ask(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?,
        memory_bytes: gpu.memory()?.1,
        l2_bytes: ask(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?,
        shared_bytes_per_multiprocessor: ask(
            Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
        )?,
        host: host(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: String::new(),
    })
}

/// As the kernel module tells it: the second word after `Kernel Module`.
fn driver_version() -> String {
    let text = fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
    let mut words = text.split_whitespace().filter(|word| {
        word.split('.').count() >= 2 && word.bytes().all(|it| it.is_ascii_digit() || it == b'.')
    });
    words.next().unwrap_or("unknown").to_owned()
}

/// The host alone, for times of the CPU on a machine without a GPU.
pub fn describe_host() -> Device {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Device { name: host(), host: host(), version, ..Device::default() }
}

fn host() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name"));
    line.map_or("unknown", |it| it.trim_start_matches([':', '\t', ' '])).to_owned()
}
