//! `umm gpu info`

use clap::Args;

use crate::cli::support::{Failure, files};
use crate::gpu::{self, Gpu, nvrtc};
use crate::measure::Device;

/// Say which GPUs there are, and what NVRTC compiles for
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  umm gpu info\n  umm gpu info --json")]
pub(super) struct Info {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let count = gpu::count()?;
        let devices = (0..count)
            .map(|ordinal| gpu::describe(&Gpu::open(ordinal)?, count as u64))
            .collect::<gpu::Result<Vec<_>>>()?;
        let architectures: Vec<String> =
            nvrtc::architectures()?.iter().map(ToString::to_string).collect();
        if self.json {
            return files::print_json(
                &serde_json::json!({ "devices": devices, "nvrtc_architectures": architectures }),
            );
        }
        let mut text = String::new();
        for (ordinal, device) in devices.iter().enumerate() {
            text += &describe(ordinal, device);
        }
        text += &format!("NVRTC compiles for {}\n", architectures.join(", "));
        files::print(&text)
    }
}

fn describe(ordinal: usize, device: &Device) -> String {
    let gibibytes = device.memory_bytes as f64 / f64::from(1 << 30);
    let Device { name, compute_capability, driver, cuda, nvrtc, multiprocessors, .. } = device;
    format!(
        "GPU {ordinal}: {name}\n  \
         compute capability  {compute_capability}\n  \
         driver              {driver}, CUDA {cuda}; NVRTC {nvrtc}\n  \
         multiprocessors     {multiprocessors} of {} threads, {:.2} GHz\n  \
         memory              {gibibytes:.0} GiB, {} bits at {:.2} GHz: {:.2} TB/s at most\n  \
         L2 cache            {:.0} MiB\n  \
         shared memory       {:.0} KiB a multiprocessor\n",
        device.threads_per_multiprocessor,
        device.clock_hz / 1e9,
        device.bus_width_bits,
        device.memory_clock_hz / 1e9,
        device.peak_bandwidth() / 1e12,
        device.l2_bytes as f64 / f64::from(1 << 20),
        device.shared_bytes_per_multiprocessor as f64 / 1024.0,
    )
}
