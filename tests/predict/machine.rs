//! A machine of round numbers, and microbenchmarks that take exactly as long as it says.

use memory_machine::measure::{Device, Repetition};
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
        plain_prepared_s: number(8e-7),
        graph_next_s: number(5e-7),
        cooperative_first_s: number(6e-6),
        block_s: number(1e-9),
        barrier_s: number(8e-7),
        barrier_block_s: number(1e-9),
        l1_latency_s: number(2e-8),
        l2_latency_s: number(1.5e-7),
        dram_latency_s: number(4e-7),
        l1_group_s: number(5e-10),
        l2_group_s: number(6e-10),
        l2_sector_s: number(3e-10),
        write_group_s: number(6e-12),
        write_sector_s: number(1e-11),
        write_part_s: number(2e-11),
        dram_group_s: number(2e-11),
        dram_sector_s: number(4e-12),
        dram_part_group_s: number(3e-11),
        dram_part_sector_s: number(8e-12),
        shared_latency_s: number(1.5e-8),
        shared_stage_s: number(5e-10),
        block_barrier_latency_s: number(9e-9),
        block_barrier_s: number(1e-9),
        simple_s: number(1e-10),
        simple_latency_s: number(2e-9),
        simple64_s: number(2e-10),
        simple64_latency_s: number(3e-9),
        product_s: number(3e-10),
        product_latency_s: number(4e-9),
        product64_s: number(4e-10),
        product64_latency_s: number(5e-9),
        quotient_s: number(5e-10),
        quotient_latency_s: number(6e-9),
        quotient64_s: number(6e-10),
        quotient64_latency_s: number(7e-9),
        f32_s: number(7e-10),
        f32_latency_s: number(8e-9),
        f32_quotient_s: number(8e-10),
        f32_quotient_latency_s: number(9e-9),
        f32_root_s: number(9e-10),
        f32_root_latency_s: number(10e-9),
        f64_s: number(10e-10),
        f64_latency_s: number(11e-9),
        f64_quotient_s: number(11e-10),
        f64_quotient_latency_s: number(12e-9),
        f64_root_s: number(12e-10),
        f64_root_latency_s: number(13e-9),
        l1_bytes: number(2_f64.sqrt() * 131_072.0),
        l2_bytes: number(CACHE as f64),
        l2_held_bytes: number((CACHE / 2) as f64),
        shared_bytes: number(65_536.0),
        multiprocessors: number(PROCESSORS as f64),
        resident_threads: number(RESIDENT as f64),
        dram_peak_bytes_per_s: number(3.2e13),
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
        memory_clock_hz: 1e11,
        bus_width_bits: 1280,
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
    let m = &machine();
    [launches(m), chases(m), computations(m), reads(m), writes(m), streams(m)].concat()
}

/// Kernels, blocks and barriers of the grid.
fn launches(m: &Calibration) -> Vec<Repetition> {
    let start = m.plain_first_s.value;
    let mut rows = vec![];
    for kernels in [1, 10, 1000] {
        let set = format!("kernels={kernels}");
        let more = f64::from(kernels - 1);
        // Those that are prepared are measured with nothing to do, as the graph's.
        let next = if kernels <= 10 { &m.plain_prepared_s } else { &m.plain_next_s };
        rows.push(row("launch", &set, None, "plain", 0, start + more * next.value));
        let graph = m.graph_first_s.value + more * m.graph_next_s.value;
        rows.push(row("launch", &set, None, "graph", 0, graph));
    }
    for kernels in [1, 1000] {
        let set = format!("kernels={kernels} words=128");
        let each = m.graph_next_s.value + m.l2_latency_s.value;
        let first = m.graph_first_s.value + m.l2_latency_s.value;
        let time = first + f64::from(kernels - 1) * each;
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
    rows
}

/// Reads that wait for each other.
fn chases(m: &Calibration) -> Vec<Repetition> {
    let start = m.plain_first_s.value;
    let mut rows = vec![];
    for power in 12..30 {
        let bytes = 1_u64 << power;
        let step = match bytes as f64 {
            near if near < m.l1_bytes.value => m.l1_latency_s.value,
            cached if cached <= m.l2_bytes.value => m.l2_latency_s.value,
            some if some < 4.0 * m.l2_bytes.value => {
                let part = m.l2_held_bytes.value / some;
                part * m.l2_latency_s.value + (1.0 - part) * m.dram_latency_s.value
            }
            _ => m.dram_latency_s.value,
        };
        for steps in [1000, 9000] {
            let set = format!("bytes={bytes} steps={steps}");
            rows.push(row("chase", &set, Some(1), "plain", bytes, start + f64::from(steps) * step));
        }
    }
    rows
}

/// Operations, barriers of blocks and accesses to shared memory.
fn computations(m: &Calibration) -> Vec<Repetition> {
    let start = m.plain_first_s.value;
    let all = PROCESSORS * RESIDENT;
    let mut rows = vec![];
    let chains = [
        ("add", 2.0, &m.simple_s, &m.simple_latency_s),
        ("add64", 2.0, &m.simple64_s, &m.simple64_latency_s),
        ("multiply", 1.0, &m.product_s, &m.product_latency_s),
        ("multiply64", 1.0, &m.product64_s, &m.product64_latency_s),
        ("divide", 1.0, &m.quotient_s, &m.quotient_latency_s),
        ("divide64", 1.0, &m.quotient64_s, &m.quotient64_latency_s),
        ("f32_add", 2.0, &m.f32_s, &m.f32_latency_s),
        ("f32_divide", 1.0, &m.f32_quotient_s, &m.f32_quotient_latency_s),
        ("f32_root", 1.0, &m.f32_root_s, &m.f32_root_latency_s),
        ("f64_add", 2.0, &m.f64_s, &m.f64_latency_s),
        ("f64_divide", 1.0, &m.f64_quotient_s, &m.f64_quotient_latency_s),
        ("f64_root", 1.0, &m.f64_root_s, &m.f64_root_latency_s),
    ];
    for steps in [1000, 9000] {
        let warps = RESIDENT as f64 / 32.0;
        for (name, operations, issue, latency) in chains {
            let set = format!("steps={steps}");
            let operations = operations * f64::from(steps);
            let (alone, full) = (operations * latency.value, operations * warps * issue.value);
            rows.push(row(name, &set, Some(32), "plain", 0, start + alone));
            rows.push(row(name, &set, Some(all), "plain", 0, start + full));
        }
        let set = format!("steps={steps} warps=2");
        let barriers = f64::from(steps);
        let (alone, full) = (m.block_barrier_latency_s.value, warps * m.block_barrier_s.value);
        rows.push(row("block_barriers", &set, Some(64), "plain", 0, start + barriers * alone));
        rows.push(row("block_barriers", &set, Some(all), "plain", 0, start + barriers * full));
        for warps in [1, 32] {
            for degree in [1, 32] {
                let stages = f64::from(degree * warps) * m.shared_stage_s.value;
                let step = if warps == 1 { m.shared_latency_s.value } else { stages };
                let set = format!("degree={degree} steps={steps} warps={warps}");
                let time = start + f64::from(steps) * step;
                rows.push(row("shared", &set, Some(32 * warps as u64), "plain", 0, time));
            }
        }
    }
    rows
}

/// Reads of words apart.
fn reads(m: &Calibration) -> Vec<Repetition> {
    let start = m.plain_first_s.value;
    let all = PROCESSORS * RESIDENT;
    let processors = PROCESSORS as f64;
    let mut rows = vec![];
    let words = 1 << 24;
    let warps = f64::from(words) / 32.0;
    for stride in [1, 2, 4, 8, 16, 32, 64] {
        let groups = warps * f64::from(stride.min(32));
        let sectors = warps * f64::from((4 * stride).min(32));
        let pairs = warps * f64::from((2 * stride).min(32));
        let near = groups * m.l1_group_s.value;
        let cache = groups * m.l2_group_s.value + sectors * m.l2_sector_s.value;
        let memory = groups * m.dram_group_s.value + pairs * m.dram_sector_s.value;
        let set = format!("f=0 n={words} skip=0 stride={stride} words=1");
        let mut read =
            |bytes, time| rows.push(row("read", &set, Some(all), "plain", bytes, start + time));
        read(16_384, near / processors);
        read(1 << 22, cache / processors);
        read(1 << 30, memory);
    }
    rows
}

/// Writes of words apart.
fn writes(m: &Calibration) -> Vec<Repetition> {
    let start = m.plain_first_s.value;
    let all = PROCESSORS * RESIDENT;
    let mut rows = vec![];
    for (stride, groups, sectors) in [(1, 1.0 / 32.0, 1.0 / 8.0), (8, 0.25, 1.0), (32, 1.0, 1.0)] {
        let sector = if stride == 1 { &m.write_sector_s } else { &m.write_part_s };
        let word = groups * m.write_group_s.value + sectors * sector.value;
        let set = format!("n=16777216 stride={stride} words=1");
        let time = start + 16_777_216.0 * word;
        rows.push(row("write", &set, Some(all), "plain", 1 << 22, time));
    }
    for stride in [8, 16, 32] {
        let (groups, pairs) = (f64::from(stride) / 32.0, f64::from(stride.min(16)) / 16.0);
        let word = groups * m.dram_part_group_s.value + pairs * m.dram_part_sector_s.value;
        let set = format!("n=16777216 stride={stride} words=1");
        let time = start + 16_777_216.0 * word;
        rows.push(row("write", &set, Some(all), "plain", 1 << 30, time));
    }
    rows
}

/// Words in order, read and copied.
fn streams(m: &Calibration) -> Vec<Repetition> {
    let start = m.plain_first_s.value;
    let mut rows = vec![];
    // The plain machine is fitted to rounds of sequential access by any number of threads.
    for threads in [32, 512] {
        let set = format!("f=0 n={} skip=0 stride=1 words=1", 64 * threads);
        let time = start + 64.0 * m.dram_latency_s.value;
        rows.push(row("read", &set, Some(threads), "plain", 1 << 30, time));
    }
    for power in [28, 30] {
        let bytes = 2_f64.powi(power);
        let each = m.dram_group_s.value + 2.0 * m.dram_sector_s.value;
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
