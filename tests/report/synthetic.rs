//! A folder of measurements of a device that does not exist: its times are made up, by formulas
//! with known constants and a little noise.

use std::path::Path;

use chacha20::ChaCha8Rng;
use memory_machine::measure::{ALGORITHMS, DEVICE, Device, MICROBENCHMARKS, Repetition};
use rand::{RngExt, SeedableRng};

pub(crate) const REPETITIONS: u64 = 9;
/// Cycles a second of the synthetic device.
pub(crate) const CLOCK: f64 = 1.5e9;
/// Latency of its shared memory and cycles of a stage there.
pub(crate) const SHARED: (f64, f64) = (24.0, 2.0);
/// Seconds for any number of inputs and for each more.
pub(crate) const ROW: (f64, f64) = (12e-6, 2e-9);
pub(crate) const COLUMN: (f64, f64) = (8e-6, 0.25e-9);
pub(crate) const CPU: (f64, f64) = (1e-7, 40e-9);

pub(crate) struct Rows {
    random: ChaCha8Rng,
    noise: f64,
    pub(crate) rows: Vec<Repetition>,
}

impl Rows {
    pub(crate) fn new(noise: f64) -> Self {
        Self { random: ChaCha8Rng::seed_from_u64(1), noise, rows: vec![] }
    }

    /// Repetitions about `time_s`.
    pub(crate) fn add(
        &mut self,
        (name, set): (&str, &str),
        bulk: Option<&str>,
        threads: Option<u64>,
        processor: &str,
        time_s: f64,
    ) {
        for repetition in 0..REPETITIONS {
            let off = self.noise * self.random.random_range(-1.0..1.0);
            self.rows.push(Repetition {
                name: name.to_owned(),
                set: set.parse().unwrap(),
                bulk: bulk.map(|it| it.parse().unwrap()),
                threads,
                launch: (processor == "gpu").then(|| "plain".to_owned()),
                prefetch: 1,
                processor: processor.to_owned(),
                devices: 1,
                regime: if threads > Some(1 << 18) { "memory" } else { "cache" }.to_owned(),
                bytes: 128 * threads.unwrap_or(64),
                verified: "all".to_owned(),
                seed: 1,
                repetition,
                time_s: time_s * (1.0 + off),
            });
        }
    }

    pub(crate) fn write(&self, path: &Path) {
        let mut writer = csv::Writer::from_path(path).unwrap();
        self.rows.iter().for_each(|row| writer.serialize(row).unwrap());
        writer.flush().unwrap();
    }
}

pub(crate) fn device() -> Device {
    Device {
        name: "Synthetic <device> & test".to_owned(),
        count: 1,
        compute_capability: "0.0".to_owned(),
        driver: "none".to_owned(),
        cuda: "none".to_owned(),
        nvrtc: "none".to_owned(),
        multiprocessors: 100,
        threads_per_multiprocessor: 2048,
        warp: 32,
        clock_hz: CLOCK,
        memory_clock_hz: 1e9,
        bus_width_bits: 4096,
        memory_bytes: 1 << 36,
        l2_bytes: 1 << 25,
        shared_bytes_per_multiprocessor: 1 << 17,
        host: "Synthetic host".to_owned(),
        version: "0.0.0".to_owned(),
        date: "2000-01-01".to_owned(),
    }
}

pub(crate) fn write_device(folder: &Path, device: &Device) {
    std::fs::write(folder.join(DEVICE), serde_json::to_string_pretty(device).unwrap()).unwrap();
}

pub(crate) fn algorithms(noise: f64) -> Rows {
    let mut rows = Rows::new(noise);
    for (what, factor) in [(("prefix_sums", "n=32"), 1.0), (("opt", "n=8"), 6.0)] {
        for p in (6..=22).map(|power| 1_u64 << power) {
            let time = |(a, b): (f64, f64)| a + factor * b * p as f64;
            rows.add(what, Some("row"), Some(p), "gpu", time(ROW));
            rows.add(what, Some("column"), Some(p), "gpu", time(COLUMN));
            if p <= 1 << 18 {
                rows.add(what, Some("row"), Some(p), "cpu", time(CPU));
            }
        }
    }
    for n in (6..=13).map(|power| 1_i64 << power) {
        let set = format!("n={n}");
        rows.add(("transpose", &set), None, Some(1024), "gpu", 4e-6 + 3e-12 * (n * n) as f64);
    }
    rows
}

pub(crate) fn microbenchmarks(noise: f64) -> Rows {
    let mut rows = Rows::new(noise);
    let launch = 3e-6;
    for warps in [1, 32] {
        for degree in [1, 2, 4, 8, 16, 32] {
            let (latency, cycles) = SHARED;
            let k = f64::from(degree);
            let step = (latency + (k - 1.0) * cycles).max(f64::from(warps) * k * cycles) / CLOCK;
            for steps in [1024, 4096] {
                let set = format!("degree={degree} steps={steps} warps={warps}");
                let time = launch + f64::from(steps) * step;
                rows.add(("shared", &set), None, Some(32), "gpu", time);
            }
        }
    }
    for power in 12..=28 {
        let bytes = 1_u64 << power;
        let step = if bytes <= 1 << 25 { 250.0 } else { 600.0 } / CLOCK;
        for steps in [4096, 16_384] {
            let time = launch + f64::from(steps) * step;
            rows.add(
                ("chase", &format!("bytes={bytes} steps={steps}")),
                None,
                Some(1),
                "gpu",
                time,
            );
        }
    }
    let words = 1 << 24;
    for stride in [1, 2, 4, 8, 16, 32] {
        let time = launch + 4.0 * f64::from(words * stride.min(8)) / 4e11;
        let set = format!("n={words} stride={stride}");
        rows.add(("read", &set), None, Some(1 << 20), "gpu", time);
    }
    for power in (0..=20).step_by(2) {
        let gaps = (1 << power) - 1;
        let time = launch + 4.0 * f64::from(words + 4 * gaps) / 4e11;
        rows.add(("read", &format!("n={words} f={gaps} skip=8")), None, Some(1 << 20), "gpu", time);
    }
    rows
}

/// The whole folder.
pub(crate) fn write(folder: &Path, noise: f64) {
    write_device(folder, &device());
    algorithms(noise).write(&folder.join(ALGORITHMS));
    microbenchmarks(noise).write(&folder.join(MICROBENCHMARKS));
}
