//! The device as a table.

use super::table::Table;
use crate::{bandwidth, bytes, grouped};
use memory_machine_measure::Device;

/// What it is called, and its value.
pub(super) fn table(device: &Device) -> Table {
    let megahertz = |hertz: f64| format!("{} MHz", grouped((hertz / 1e6).round() as u64));
    let rows = vec![
        ("GPU", format!("{} × {}", device.count, device.name)),
        ("compute capability", device.compute_capability.clone()),
        ("driver, CUDA, NVRTC", format!("{}, {}, {}", device.driver, device.cuda, device.nvrtc)),
        ("multiprocessors", grouped(device.multiprocessors)),
        ("threads of a multiprocessor", grouped(device.threads_per_multiprocessor)),
        ("threads of a warp", device.warp.to_string()),
        ("clock", megahertz(device.clock_hz)),
        ("memory", bytes(device.memory_bytes as f64)),
        (
            "memory bus",
            format!(
                "{} bits at {}",
                grouped(device.bus_width_bits),
                megahertz(device.memory_clock_hz)
            ),
        ),
        ("peak bandwidth of the memory", bandwidth(device.peak_bandwidth())),
        ("last-level cache", bytes(device.l2_bytes as f64)),
        ("shared memory of a multiprocessor", bytes(device.shared_bytes_per_multiprocessor as f64)),
        ("host", device.host.clone()),
        ("measured on", device.date.clone()),
        ("by", format!("umm {}", device.version)),
    ];
    let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    Table::new("The GPU and its host", &[], rows).worded(2)
}
