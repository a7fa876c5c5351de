//! Microbenchmarks → machine. No algorithm's time is looked at.

mod memory;

use super::microbenchmarks::{BenchmarkRows, CalibrationError, at};
use memory_machine_core::machine::Machine;
use memory_machine_core::units::{Latency, WARP, Width};
use memory_machine_fit::fit;
use memory_machine_measure::models::calibration::Fitted;
use memory_machine_measure::models::{Calibration, Model, Sourced};
use memory_machine_measure::{Device, PREPARED, Subject, Timing};

type Result<T> = std::result::Result<T, CalibrationError>;

/// Threads of a warp: the plain machine's width.
const WARP_THREADS: f64 = WARP as f64;

/// Fits a machine to a device's microbenchmarks.
///
/// # Errors
/// The row that is missing, or the rows that no number fits.
pub fn calibrate(name: &str, device: &Device, points: &[Timing]) -> Result<Model> {
    let mut calibrator = Calibrator::new(device, BenchmarkRows(points))?;
    let graph_empty_s = calibrator.launches()?;
    calibrator.grid_barriers()?;
    calibrator.latencies()?;
    calibrator.kernels_with_work(graph_empty_s)?;
    calibrator.operations()?;
    calibrator.shared_memory()?;
    calibrator.block_barriers()?;
    calibrator.caches()?;
    calibrator.writes()?;
    calibrator.dram()?;
    calibrator.device(device);
    let (time_unit_s, latency) = plain(&calibrator.rows, calibrator.l2_bytes)?;
    calibrator.found.time_unit_s = time_unit_s;
    let warp =
        Width::new(device.warp.max(1)).map_err(|_| CalibrationError::Missing("warp".to_owned()))?;
    Ok(Model {
        name: name.to_owned(),
        description: format!("{}, calibrated from microbenchmarks of {}", device.name, device.date),
        kind: Machine::umm(warp, latency.value).kind,
        width: Sourced { value: warp, source: "the device's threads of a warp".to_owned() },
        latency,
        facts: std::collections::BTreeMap::new(),
        fits: vec![],
        calibration: Some(calibrator.found),
    })
}

/// What is found of a device, group after group: later ones need what earlier ones found.
struct Calibrator<'a> {
    rows: BenchmarkRows<'a>,
    multiprocessors: f64,
    l2_bytes: f64,
    /// Threads that are there at once.
    resident: u64,
    /// Seconds of a launch of nothing.
    started_s: f64,
    /// By footprint, seconds of a step of a chain of loads.
    steps: Vec<(f64, f64)>,
    found: Calibration,
}

impl<'a> Calibrator<'a> {
    fn new(device: &Device, rows: BenchmarkRows<'a>) -> Result<Self> {
        // Dependent loads: the longest and the shortest chain in the same bytes differ in steps alone.
        let footprints = rows.values("chase", "bytes")?;
        let step = |bytes: f64| rows.step("chase", &|it| at(it, "bytes") == bytes);
        let steps =
            footprints.iter().map(|it| Ok((*it, step(*it)?))).collect::<Result<Vec<_>>>()?;
        Ok(Self {
            multiprocessors: device.multiprocessors as f64,
            l2_bytes: device.l2_bytes as f64,
            resident: rows.most_threads("add")?,
            started_s: 0.0,
            steps,
            rows,
            found: Calibration::default(),
        })
    }

    /// Empty kernels; what one more in a graph takes.
    fn launches(&mut self) -> Result<Fitted> {
        let rows = &self.rows;
        let launch = |kind: &str| {
            let all = rows.of("launch", &|it| it.launch.as_deref() == Some(kind), "kernels")?;
            let (first, last) = (all[0], all[all.len() - 1]);
            let next = (last.1 - first.1) / (last.0 - first.0).max(1.0);
            let line = |kernels: f64| first.1 + (kernels - first.0) * next;
            let source = format!("launch, {kind}: {} to {} empty kernels", first.0, last.0);
            let residual =
                mean(all.iter().map(|(kernels, time, _)| (line(*kernels) / time - 1.0).abs()));
            Ok((one(first.1, &source), Fitted { residual: Some(residual), ..one(next, &source) }))
        };
        let (plain_first_s, plain_next_s) = launch("plain")?;
        let (graph_first_s, graph_empty_s) = launch("graph")?;
        let blocks = rows.of("blocks", &|_| true, "blocks")?;
        let (fewest, most) = (blocks[0], blocks[blocks.len() - 1]);
        self.found.block_s = one(
            (most.1 - fewest.1).max(0.0) / (most.0 - fewest.0).max(1.0),
            "blocks: empty blocks, the most less the fewest",
        );
        self.started_s = plain_first_s.value;
        self.found.plain_first_s = plain_first_s;
        self.found.plain_next_s = plain_next_s;
        self.found.graph_first_s = graph_first_s;
        Ok(graph_empty_s)
    }

    fn grid_barriers(&mut self) -> Result<()> {
        let rows = &self.rows;
        let barrier = |blocks: f64| {
            let all = rows.of("barriers", &|it| at(it, "blocks") == blocks, "barriers")?;
            let (first, last) = (all[0], all[all.len() - 1]);
            let each = (last.1 - first.1) / (last.0 - first.0).max(1.0);
            Ok((each, first.1 - first.0 * each))
        };
        let blocks = rows.values("barriers", "blocks")?;
        let barriers = blocks.iter().map(|it| barrier(*it)).collect::<Result<Vec<_>>>()?;
        let (few, many) = (barriers[0].0, barriers[barriers.len() - 1].0);
        let each = (many - few) / (blocks[blocks.len() - 1] - blocks[0]).max(1.0);
        let source = "barriers: the line through fewest and most blocks";
        self.found.barrier_s = one((few - blocks[0] * each).max(0.0), source);
        self.found.barrier_block_s = one(each.max(0.0), source);
        self.found.cooperative_first_s =
            one(mean(barriers.iter().map(|it| it.1)), "barriers: a kernel less its barriers, mean");
        Ok(())
    }

    /// Kernels that do something wait for it, and for its end: an empty one waits for nothing.
    fn kernels_with_work(&mut self, graph_empty_s: Fitted) -> Result<()> {
        let l2_latency_s = self.found.l2_latency_s.value;
        let touched = self.rows.of("touch", &|_| true, "kernels")?;
        let (first, last) = (touched[0], touched[touched.len() - 1]);
        let touch = (last.1 - first.1) / (last.0 - first.0).max(1.0) - l2_latency_s;
        let graph_next_s = one(
            touch.max(graph_empty_s.value),
            "touch: kernels of one access in a graph, less the wait for that access",
        );
        let begun = first.1 - l2_latency_s;
        let source = "touch: one kernel of one access in a graph, less the wait for that access";
        for empty in [&mut self.found.plain_first_s, &mut self.found.graph_first_s] {
            if begun > empty.value {
                *empty = one(begun, source);
            }
        }
        let is_prepared = |it: &Subject| {
            it.launch.as_deref() == Some("plain") && at(it, "kernels") <= PREPARED as f64
        };
        let prepared = self.rows.of("launch", &is_prepared, "kernels")?;
        let (first, last) = (prepared[0], prepared[prepared.len() - 1]);
        let empty = (last.1 - first.1) / (last.0 - first.0).max(1.0);
        self.found.plain_prepared_s = one(
            empty + graph_next_s.value - graph_empty_s.value,
            &format!("launch, plain: {} to {} empty kernels, and what touch adds", first.0, last.0),
        );
        self.found.graph_next_s = graph_next_s;
        Ok(())
    }

    /// Warps of a full multiprocessor.
    fn full_warps(&self) -> f64 {
        self.resident as f64 / WARP_THREADS / self.multiprocessors
    }

    /// Chains of operations: one warp alone waits for each, many share the multiprocessor.
    fn operations(&mut self) -> Result<()> {
        let (rows, resident, warps) = (&self.rows, self.resident, self.full_warps());
        let it = &mut self.found;
        // A microbenchmark, its operations a step, and the seconds that it says.
        let chains: [(&str, f64, &mut Fitted, &mut Fitted); 12] = [
            ("add", 2.0, &mut it.simple_s, &mut it.simple_latency_s),
            ("add64", 2.0, &mut it.simple64_s, &mut it.simple64_latency_s),
            ("multiply", 1.0, &mut it.product_s, &mut it.product_latency_s),
            ("multiply64", 1.0, &mut it.product64_s, &mut it.product64_latency_s),
            ("divide", 1.0, &mut it.quotient_s, &mut it.quotient_latency_s),
            ("divide64", 1.0, &mut it.quotient64_s, &mut it.quotient64_latency_s),
            ("f32_add", 2.0, &mut it.f32_s, &mut it.f32_latency_s),
            ("f32_divide", 1.0, &mut it.f32_quotient_s, &mut it.f32_quotient_latency_s),
            ("f32_root", 1.0, &mut it.f32_root_s, &mut it.f32_root_latency_s),
            ("f64_add", 2.0, &mut it.f64_s, &mut it.f64_latency_s),
            ("f64_divide", 1.0, &mut it.f64_quotient_s, &mut it.f64_quotient_latency_s),
            ("f64_root", 1.0, &mut it.f64_root_s, &mut it.f64_root_latency_s),
        ];
        for (name, operations, issue_s, latency_s) in chains {
            let full = rows.step(name, &|it| it.threads == Some(resident))? / warps;
            let alone = rows.step(name, &|it| it.threads <= Some(32))?;
            *issue_s = one(full / operations, &format!("{name}: multiprocessors full, for a warp"));
            *latency_s = one(alone / operations, &format!("{name}: one warp"));
        }
        Ok(())
    }

    /// Ever more lanes of each warp ask the same bank.
    fn shared_memory(&mut self) -> Result<()> {
        let rows = &self.rows;
        let degrees = rows.values("shared", "degree")?;
        let shared = |warps: f64, degree: f64| {
            rows.step("shared", &|it| at(it, "warps") == warps && at(it, "degree") == degree)
        };
        let most = degrees[degrees.len() - 1];
        let full = rows.values("shared", "warps")?;
        let full = full[full.len() - 1];
        self.found.shared_latency_s =
            one(shared(1.0, degrees[0])?, "shared: one warp without conflicts");
        self.found.shared_stage_s = one(
            (shared(full, most)? - shared(full, degrees[0])?) / ((most - degrees[0]) * full),
            "shared: a full block, the most conflicts less none",
        );
        Ok(())
    }

    fn block_barriers(&mut self) -> Result<()> {
        let (rows, resident, warps) = (&self.rows, self.resident, self.full_warps());
        let small = rows.values("block_barriers", "warps")?[0];
        let barrier_of = |threads: &dyn Fn(u64) -> bool| {
            let is = |it: &Subject| at(it, "warps") == small && it.threads.is_some_and(threads);
            rows.step("block_barriers", &is)
        };
        self.found.block_barrier_latency_s =
            one(barrier_of(&|it| it < resident)?, "block_barriers: one small block");
        self.found.block_barrier_s = one(
            barrier_of(&|it| it == resident)? / warps,
            "block_barriers: small blocks, multiprocessors full, for a warp",
        );
        Ok(())
    }

    /// What the device says of itself.
    fn device(&mut self, device: &Device) {
        let described = |value: u64, what: &str| one(value as f64, &format!("the device's {what}"));
        let it = &mut self.found;
        it.l2_bytes = described(device.l2_bytes, "last-level cache");
        it.shared_bytes =
            described(device.shared_bytes_per_multiprocessor, "shared memory of a multiprocessor");
        it.multiprocessors = described(device.multiprocessors, "multiprocessors");
        it.resident_threads =
            described(device.threads_per_multiprocessor, "threads of a multiprocessor");
        it.dram_peak_bytes_per_s = one(
            device.peak_bandwidth(),
            "the device's memory clock, twice, times the width of its bus",
        );
    }
}

/// The plain UMM: rounds of sequential access to memory take p/w + l − 1 time units each.
fn plain(rows: &BenchmarkRows<'_>, l2_bytes: f64) -> Result<(Fitted, Sourced<Latency>)> {
    let what = "read: sequential access to memory, rounds of p/w + l - 1 time units";
    let all = rows.points("read", &|it| {
        it.bytes as f64 > l2_bytes && at(it, "stride") == 1.0 && at(it, "f") == 0.0
    })?;
    let (mut terms, mut times) = (vec![], vec![]);
    for (subject, time) in all {
        let p = subject.threads.unwrap_or(1) as f64;
        let rounds = at(subject, "n") / p;
        terms.push(vec![rounds * (p / WARP_THREADS), rounds]);
        times.push(time);
    }
    let [unit, round] = fitted(what, &terms, &times)?;
    let units = (round.value / unit.value + 1.0).round().clamp(1.0, 1e9);
    let latency =
        Latency::new(units as u64).map_err(|_| CalibrationError::Missing("read".to_owned()))?;
    Ok((unit, Sourced { value: latency, source: what.to_owned() }))
}

fn one(value: f64, source: &str) -> Fitted {
    Fitted { value, source: source.to_owned(), residual: None }
}

fn fitted<const N: usize>(
    what: &'static str,
    terms: &[Vec<f64>],
    times: &[f64],
) -> Result<[Fitted; N]> {
    let fit = fit(terms, times).map_err(|why| CalibrationError::Unfit { what, why })?;
    let residual = mean(fit.fitted.iter().zip(times).map(|(a, b)| (a / b - 1.0).abs()));
    Ok(std::array::from_fn(|at| Fitted {
        residual: Some(residual),
        ..one(fit.coefficients[at].coefficient, what)
    }))
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
    sum / f64::max(count, 1.0)
}

fn median(numbers: &mut [f64], what: &str) -> Result<f64> {
    numbers.sort_by(f64::total_cmp);
    let missing = || CalibrationError::Missing(format!("`{what}`"));
    numbers.get(numbers.len() / 2).copied().ok_or_else(missing)
}
