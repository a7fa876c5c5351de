//! A machine of round numbers, and microbenchmarks that take exactly as long as it says.

use memory_machine::measurement::{Device, Repetition};
use memory_machine::models::calibration::{Calibration, Fitted};

pub(super) const PROCESSORS: u64 = 4;
pub(super) const RESIDENT: u64 = 2048;
const CACHE: u64 = 1 << 24;

fn number(value: f64) -> Fitted {
    Fitted { value, source: "a choice".to_owned(), residual: None }
}

pub(super) fn machine() -> Calibration {
    Calibration {
        time_unit_s: number(1e-9),
        plain_first_s: number(5e-6),
        plain_next_s: number(3e-6),
        graph_first_s: number(2e-6),
        graph_next_s: number(5e-7),
        cooperative_first_s: number(6e-6),
        block_s: number(1e-9),
        barrier_s: number(8e-7),
        barrier_block_s: number(1e-9),
        near_latency_s: number(2e-8),
        cache_latency_s: number(1.5e-7),
        memory_latency_s: number(4e-7),
        near_group_s: number(5e-10),
        cache_group_s: number(6e-10),
        cache_sector_s: number(3e-10),
        write_group_s: number(6e-12),
        write_sector_s: number(1e-11),
        write_part_s: number(2e-11),
        memory_group_s: number(2e-11),
        memory_sector_s: number(4e-12),
        arithmetic_issue_s: number(1e-9),
        arithmetic_latency_s: number(1e-8),
        near_bytes: number(2_f64.sqrt() * 131_072.0),
        cache_bytes: number(CACHE as f64),
        shared_bytes: number(65_536.0),
        multiprocessors: number(PROCESSORS as f64),
        resident_threads: number(RESIDENT as f64),
    }
}

pub(super) fn device() -> Device {
    Device {
        name: "Synthetic".to_owned(),
        count: 1,
        multiprocessors: PROCESSORS,
        threads_per_multiprocessor: RESIDENT,
        warp: 32,
        l2_bytes: CACHE,
        shared_bytes_per_multiprocessor: 65_536,
        date: "2026-01-01".to_owned(),
        ..Device::default()
    }
}

fn row(
    name: &str,
    set: &str,
    threads: Option<u64>,
    launch: &str,
    bytes: u64,
    time_s: f64,
) -> Repetition {
    Repetition {
        name: name.to_owned(),
        set: set.parse().unwrap(),
        bulk: None,
        threads,
        launch: Some(launch.to_owned()),
        prefetch: 1,
        processor: "gpu".to_owned(),
        devices: 1,
        regime: "cache".to_owned(),
        bytes,
        verified: "none".to_owned(),
        seed: 1,
        repetition: 0,
        time_s,
    }
}

/// What the machine takes for each microbenchmark.
pub(super) fn microbenchmarks() -> Vec<Repetition> {
    let m = machine();
    let (start, all) = (m.plain_first_s.value, PROCESSORS * RESIDENT);
    let processors = PROCESSORS as f64;
    let mut rows = vec![];
    for kernels in [1, 10, 1000] {
        let set = format!("kernels={kernels}");
        let more = f64::from(kernels - 1);
        rows.push(row("launch", &set, None, "plain", 0, start + more * m.plain_next_s.value));
        let graph = m.graph_first_s.value + more * m.graph_next_s.value;
        rows.push(row("launch", &set, None, "graph", 0, graph));
    }
    for kernels in [1, 1000] {
        let set = format!("kernels={kernels} words=128");
        let each = m.graph_next_s.value + m.cache_latency_s.value;
        let time = m.graph_first_s.value + f64::from(kernels) * each;
        rows.push(row("touch", &set, Some(128), "graph", 512, time));
    }
    for blocks in [1024, 1 << 20] {
        let time = start + f64::from(blocks) * m.block_s.value;
        rows.push(row("blocks", &format!("blocks={blocks}"), None, "plain", 0, time));
    }
    for blocks in [4, 8] {
        for barriers in [1, 1000] {
            let each = m.barrier_s.value + f64::from(blocks) * m.barrier_block_s.value;
            let time = m.cooperative_first_s.value + f64::from(barriers) * each;
            let set = format!("barriers={barriers} blocks={blocks}");
            rows.push(row("barriers", &set, None, "cooperative", 0, time));
        }
    }
    for power in 12..24 {
        let bytes = 1_u64 << power;
        let near = (bytes as f64) < m.near_bytes.value;
        let step = if near { m.near_latency_s.value } else { m.cache_latency_s.value };
        for steps in [1000, 9000] {
            let set = format!("bytes={bytes} steps={steps}");
            rows.push(row("chase", &set, Some(1), "plain", bytes, start + f64::from(steps) * step));
        }
    }
    for steps in [1000, 9000] {
        let set = format!("product=1 steps={steps}");
        let alone = f64::from(steps) * m.arithmetic_latency_s.value;
        let warps = RESIDENT as f64 / 32.0;
        let full = f64::from(steps) * warps * m.arithmetic_issue_s.value;
        rows.push(row("arithmetic", &set, Some(32), "plain", 0, start + alone));
        rows.push(row("arithmetic", &set, Some(all), "plain", 0, start + full));
    }
    let words = 1 << 24;
    let warps = f64::from(words) / 32.0;
    for stride in [1, 2, 4, 8, 16, 32, 64] {
        let groups = warps * f64::from(stride.min(32));
        let sectors = warps * f64::from((4 * stride).min(32));
        let near = warps * m.arithmetic_issue_s.value + groups * m.near_group_s.value;
        let cache = groups * m.cache_group_s.value + sectors * m.cache_sector_s.value;
        let memory = groups * m.memory_group_s.value + sectors * m.memory_sector_s.value;
        let set = format!("f=0 n={words} skip=0 stride={stride} words=1");
        let mut read =
            |bytes, time| rows.push(row("read", &set, Some(all), "plain", bytes, start + time));
        read(16_384, near / processors);
        read(1 << 22, cache / processors);
        let rounds = f64::from(words) / all as f64;
        let stages = [(near / processors), (cache / processors), memory];
        let slowest = stages.into_iter().fold(0.0, f64::max);
        let wait = rounds * (m.memory_latency_s.value + m.arithmetic_latency_s.value);
        read(1 << 30, if stride == 1 { wait.hypot(slowest) } else { memory });
    }
    for (stride, groups, sectors) in [(1, 1.0 / 32.0, 1.0 / 8.0), (8, 0.25, 1.0), (32, 1.0, 1.0)] {
        let sector = if stride == 1 { &m.write_sector_s } else { &m.write_part_s };
        let word = groups * m.write_group_s.value + sectors * sector.value;
        let set = format!("n=16777216 stride={stride} words=1");
        let time = start + 16_777_216.0 * word;
        rows.push(row("write", &set, Some(all), "plain", 1 << 22, time));
    }
    // The plain machine is fitted to rounds of sequential access by any number of threads.
    for threads in [32, 512] {
        let set = format!("f=0 n={} skip=0 stride=1 words=1", 64 * threads);
        let time = start + 64.0 * m.memory_latency_s.value;
        rows.push(row("read", &set, Some(threads), "plain", 1 << 30, time));
    }
    for power in [28, 30] {
        let bytes = 2_f64.powi(power);
        let each = m.memory_group_s.value + 4.0 * m.memory_sector_s.value;
        let time = start + 2.0 * bytes / 128.0 * each;
        rows.push(row(
            "copy",
            &format!("bytes={}", 1_u64 << power),
            None,
            "plain",
            1 << power,
            time,
        ));
    }
    rows
}
