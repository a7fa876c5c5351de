//! The device as rows of a table.

use crate::chart::{bandwidth, bytes};
use crate::measurement::Device;

/// What it is called, and its value.
pub(super) fn rows(device: &Device) -> Vec<(&'static str, String)> {
    let megahertz = |hertz: f64| format!("{:.0} MHz", hertz / 1e6);
    vec![
        ("GPU", format!("{} × {}", device.count, device.name)),
        ("compute capability", device.compute_capability.clone()),
        ("driver, CUDA, NVRTC", format!("{}, {}, {}", device.driver, device.cuda, device.nvrtc)),
        ("multiprocessors", device.multiprocessors.to_string()),
        ("threads of a multiprocessor", device.threads_per_multiprocessor.to_string()),
        ("threads of a warp", device.warp.to_string()),
        ("clock", megahertz(device.clock_hz)),
        ("memory", bytes(device.memory_bytes as f64)),
        (
            "memory bus",
            format!("{} bits at {}", device.bus_width_bits, megahertz(device.memory_clock_hz)),
        ),
        ("peak bandwidth of the memory", bandwidth(device.peak_bandwidth())),
        ("last-level cache", bytes(device.l2_bytes as f64)),
        ("shared memory of a multiprocessor", bytes(device.shared_bytes_per_multiprocessor as f64)),
        ("host", device.host.clone()),
        ("measured on", device.date.clone()),
        ("by", format!("umm {}", device.version)),
    ]
}
