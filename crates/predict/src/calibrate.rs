//! Microbenchmarks → machine. No algorithm's time is looked at.

use super::microbenchmarks::{CalibrationError, Rows, at};
use memory_machine_core::machine::Machine;
use memory_machine_core::units::{Latency, Width};
use memory_machine_fit::fit;
use memory_machine_measure::models::calibration::Fitted;
use memory_machine_measure::models::{Calibration, Model, Sourced};
use memory_machine_measure::{Device, PREPARED, Subject, Timing};

type Result<T> = std::result::Result<T, CalibrationError>;

/// Threads of a warp: the plain machine's width.
const WARP: f64 = 32.0;

/// Fits a machine to a device's microbenchmarks.
///
/// # Errors
/// The row that is missing, or the rows that no number fits.
pub fn calibrate(name: &str, device: &Device, points: &[Timing]) -> Result<Model> {
    let rows = Rows(points);
    let [multiprocessors, cache_bytes] =
        [device.multiprocessors, device.l2_bytes].map(|it| it as f64);
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
    let started = plain_first_s.value;
    let blocks = rows.of("blocks", &|_| true, "blocks")?;
    let (fewest, most) = (blocks[0], blocks[blocks.len() - 1]);
    let block_s = one(
        (most.1 - fewest.1).max(0.0) / (most.0 - fewest.0).max(1.0),
        "blocks: empty blocks, the most less the fewest",
    );

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
    let barrier_s = one((few - blocks[0] * each).max(0.0), source);
    let barrier_block_s = one(each.max(0.0), source);
    let cooperative_first_s =
        one(mean(barriers.iter().map(|it| it.1)), "barriers: a kernel less its barriers, mean");

    // Dependent loads: the longest and the shortest chain in the same bytes differ in steps alone.
    let footprints = rows.values("chase", "bytes")?;
    let step = |bytes: f64| rows.step("chase", &|it| at(it, "bytes") == bytes);
    let steps = footprints.iter().map(|it| Ok((*it, step(*it)?))).collect::<Result<Vec<_>>>()?;
    let near_latency_s = one(steps[0].1, &format!("chase: a step within {} bytes", steps[0].0));
    let mut far: Vec<f64> = steps
        .iter()
        .filter(|it| it.0 <= cache_bytes / 2.0 && it.1 > 2.0 * steps[0].1)
        .map(|it| it.1)
        .collect();
    let cache_latency_s = one(
        median(&mut far, "chase")?,
        "chase: the median step in footprints beyond the first cache and up to half the last",
    );
    // Kernels that do something wait for it, and for its end: an empty one waits for nothing.
    let touched = rows.of("touch", &|_| true, "kernels")?;
    let (first, last) = (touched[0], touched[touched.len() - 1]);
    let touch = (last.1 - first.1) / (last.0 - first.0).max(1.0) - cache_latency_s.value;
    let graph_next_s = one(
        touch.max(graph_empty_s.value),
        "touch: kernels of one access in a graph, less the wait for that access",
    );
    let begun = first.1 - cache_latency_s.value;
    let source = "touch: one kernel of one access in a graph, less the wait for that access";
    let [plain_first_s, graph_first_s] = [plain_first_s, graph_first_s]
        .map(|empty| if begun > empty.value { one(begun, source) } else { empty });
    let is_prepared = |it: &Subject| {
        it.launch.as_deref() == Some("plain") && at(it, "kernels") <= PREPARED as f64
    };
    let prepared = rows.of("launch", &is_prepared, "kernels")?;
    let (first, last) = (prepared[0], prepared[prepared.len() - 1]);
    let empty = (last.1 - first.1) / (last.0 - first.0).max(1.0);
    let plain_prepared_s = one(
        empty + graph_next_s.value - graph_empty_s.value,
        &format!("launch, plain: {} to {} empty kernels, and what touch adds", first.0, last.0),
    );
    let between = (near_latency_s.value * cache_latency_s.value).sqrt();
    let misses = steps.iter().position(|it| it.1 > between).unwrap_or(steps.len() - 1).max(1);
    let near_bytes = one(
        (steps[misses - 1].0 * steps[misses].0).sqrt().round(),
        "chase: the geometric mean of the last footprint that it holds and the first that it does not",
    );

    // Chains of operations: one warp alone waits for each, many share the multiprocessor.
    let resident = rows.most_threads("add")?;
    let warps = resident as f64 / WARP / multiprocessors;
    let chain = |name: &str, operations: f64| -> Result<[Fitted; 2]> {
        let full = rows.step(name, &|it| it.threads == Some(resident))? / warps;
        let alone = rows.step(name, &|it| it.threads <= Some(32))?;
        Ok([
            one(full / operations, &format!("{name}: multiprocessors full, for a warp")),
            one(alone / operations, &format!("{name}: one warp")),
        ])
    };
    let [simple_s, simple_latency_s] = chain("add", 2.0)?;
    let [simple64_s, simple64_latency_s] = chain("add64", 2.0)?;
    let [product_s, product_latency_s] = chain("multiply", 1.0)?;
    let [product64_s, product64_latency_s] = chain("multiply64", 1.0)?;
    let [quotient_s, quotient_latency_s] = chain("divide", 1.0)?;
    let [quotient64_s, quotient64_latency_s] = chain("divide64", 1.0)?;
    let [f32_s, f32_latency_s] = chain("f32_add", 2.0)?;
    let [f32_quotient_s, f32_quotient_latency_s] = chain("f32_divide", 1.0)?;
    let [f32_root_s, f32_root_latency_s] = chain("f32_root", 1.0)?;
    let [f64_s, f64_latency_s] = chain("f64_add", 2.0)?;
    let [f64_quotient_s, f64_quotient_latency_s] = chain("f64_divide", 1.0)?;
    let [f64_root_s, f64_root_latency_s] = chain("f64_root", 1.0)?;

    // Shared memory: ever more lanes of each warp ask the same bank.
    let degrees = rows.values("shared", "degree")?;
    let shared = |warps: f64, degree: f64| {
        rows.step("shared", &|it| at(it, "warps") == warps && at(it, "degree") == degree)
    };
    let most = degrees[degrees.len() - 1];
    let full = rows.values("shared", "warps")?;
    let full = full[full.len() - 1];
    let shared_latency_s = one(shared(1.0, degrees[0])?, "shared: one warp without conflicts");
    let shared_stage_s = one(
        (shared(full, most)? - shared(full, degrees[0])?) / ((most - degrees[0]) * full),
        "shared: a full block, the most conflicts less none",
    );
    let small = rows.values("block_barriers", "warps")?[0];
    let barrier_of = |threads: &dyn Fn(u64) -> bool| {
        let is = |it: &Subject| at(it, "warps") == small && it.threads.is_some_and(threads);
        rows.step("block_barriers", &is)
    };
    let block_barrier_latency_s =
        one(barrier_of(&|it| it < resident)?, "block_barriers: one small block");
    let block_barrier_s = one(
        barrier_of(&|it| it == resident)? / warps,
        "block_barriers: small blocks, multiprocessors full, for a warp",
    );

    // Strides: a warp touches ever more groups, of ever fewer sectors each.
    let strides = |low: f64, high: f64, from: f64| {
        rows.of(
            "read",
            &|it| {
                let bytes = it.bytes as f64;
                it.threads == Some(resident)
                    && at(it, "n") == rows.strided_words()
                    && at(it, "f") == 0.0
                    && at(it, "skip") == 0.0
                    && bytes > low
                    && bytes <= high
                    && at(it, "stride") >= from
            },
            "stride",
        )
    };
    let warp_accesses = rows.strided_words() / WARP / multiprocessors;
    let groups = |stride: f64| stride.min(WARP) * warp_accesses;
    let sectors = |stride: f64| (4.0 * stride).min(WARP) * warp_accesses;
    let near = strides(0.0, near_bytes.value, 1.0)?;
    let terms: Vec<Vec<f64>> = near.iter().map(|it| vec![warp_accesses, groups(it.0)]).collect();
    let times: Vec<f64> = near.iter().map(|it| it.1 - started).collect();
    let [_, near_group_s] = fitted("read: strides within the first cache", &terms, &times)?;
    let far = strides(near_bytes.value, cache_bytes, 8.0)?;
    let terms: Vec<Vec<f64>> = far.iter().map(|it| vec![groups(it.0), sectors(it.0)]).collect();
    let times: Vec<f64> = far.iter().map(|it| it.1 - started).collect();
    let [cache_group_s, cache_sector_s] =
        fitted("read: strides of 8 words and more within the last-level cache", &terms, &times)?;

    // Seconds a word, by the stride: up to 32 words a word's share of a group grows, up to 8 that
    // of a sector.
    let writes = rows.of("write", &|it| it.bytes as f64 <= cache_bytes, "stride")?;
    let write = |stride: f64| {
        let found = writes.iter().find(|it| it.0 == stride);
        let missing = || CalibrationError::Missing(format!("`write` with stride {stride}"));
        found.map(|(_, time, n)| (time - started) / n).ok_or_else(missing)
    };
    let (whole, sector, group) = (write(1.0)?, write(8.0)?, write(32.0)?);
    let write_group_s = one(
        ((group - sector) * 4.0 / 3.0).max(0.0),
        "write: strides 32 and 8 within the last-level cache",
    );
    let write_part_s = one(
        sector - write_group_s.value / 4.0,
        "write: a word of every sector within the last-level cache, less its groups",
    );
    let write_sector_s = one(
        8.0 * (whole - write_group_s.value / 32.0),
        "write: stride 1 within the last-level cache, less its groups",
    );
    // Words scattered over memory cost it whole address groups, and 64 bytes each at least; a copy
    // moves all their bytes.
    let wide = |stride: f64| (2.0 * stride).min(WARP) * warp_accesses;
    let far = strides(cache_bytes, f64::INFINITY, 8.0)?;
    let scattered = far.iter().map(|it| {
        (vec![groups(it.0) * multiprocessors, wide(it.0) * multiprocessors], it.1 - started)
    });
    let copies = rows.of("copy", &|it| it.bytes as f64 > cache_bytes, "bytes")?;
    let copied =
        copies.iter().map(|it| (vec![2.0 * it.0 / 128.0, 2.0 * it.0 / 64.0], it.1 - started));
    let (terms, times): (Vec<_>, Vec<_>) = scattered.chain(copied).unzip();
    let [memory_group_s, memory_sector_s] = fitted(
        "read: strides of 8 words and more in memory; copy, read and written",
        &terms,
        &times,
    )?;
    let parts = |it: &Subject| it.bytes as f64 > cache_bytes && at(it, "stride") >= 8.0;
    let parts = rows.of("write", &parts, "stride")?;
    let terms: Vec<Vec<f64>> = parts
        .iter()
        .map(|(stride, _, n)| vec![n * stride.min(32.0) / 32.0, n * stride.min(16.0) / 16.0])
        .collect();
    let times: Vec<f64> = parts.iter().map(|it| it.1 - started).collect();
    let [memory_part_group_s, memory_part_sector_s] =
        fitted("write: strides of 8 words and more in memory", &terms, &times)?;
    let memory_latency_s = one(
        steps[steps.len() - 1].1,
        &format!("chase: a step within {} bytes", steps[steps.len() - 1].0),
    );

    // Beyond its size a part of a chain's steps still meets the cache: that part of the footprint is
    // what it holds.
    let slower = memory_latency_s.value - cache_latency_s.value;
    let mut held: Vec<f64> = steps
        .iter()
        .filter(|it| it.0 > cache_bytes && it.0 < 4.0 * cache_bytes)
        .map(|it| it.0 * (memory_latency_s.value - it.1) / slower)
        .collect();
    let cache_held_bytes = one(
        median(&mut held, "chase")?.round(),
        "chase: the part that the last-level cache serves of footprints up to four times its size, median",
    );

    let (time_unit_s, latency) = plain(&rows, cache_bytes)?;
    let described = |value: u64, what: &str| one(value as f64, &format!("the device's {what}"));
    let calibration = Calibration {
        time_unit_s,
        plain_first_s,
        plain_next_s,
        plain_prepared_s,
        graph_first_s,
        graph_next_s,
        cooperative_first_s,
        block_s,
        barrier_s,
        barrier_block_s,
        near_latency_s,
        cache_latency_s,
        memory_latency_s,
        near_group_s,
        cache_group_s,
        cache_sector_s,
        write_group_s,
        write_sector_s,
        write_part_s,
        memory_group_s,
        memory_sector_s,
        memory_part_group_s,
        memory_part_sector_s,
        shared_latency_s,
        shared_stage_s,
        block_barrier_latency_s,
        block_barrier_s,
        simple_s,
        simple_latency_s,
        simple64_s,
        simple64_latency_s,
        product_s,
        product_latency_s,
        product64_s,
        product64_latency_s,
        quotient_s,
        quotient_latency_s,
        quotient64_s,
        quotient64_latency_s,
        f32_s,
        f32_latency_s,
        f32_quotient_s,
        f32_quotient_latency_s,
        f32_root_s,
        f32_root_latency_s,
        f64_s,
        f64_latency_s,
        f64_quotient_s,
        f64_quotient_latency_s,
        f64_root_s,
        f64_root_latency_s,
        near_bytes,
        cache_bytes: described(device.l2_bytes, "last-level cache"),
        cache_held_bytes,
        shared_bytes: described(
            device.shared_bytes_per_multiprocessor,
            "shared memory of a multiprocessor",
        ),
        multiprocessors: described(device.multiprocessors, "multiprocessors"),
        resident_threads: described(
            device.threads_per_multiprocessor,
            "threads of a multiprocessor",
        ),
    };
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
        calibration: Some(calibration),
    })
}

/// The plain UMM: rounds of sequential access to memory take p/w + l − 1 time units each.
fn plain(rows: &Rows<'_>, cache_bytes: f64) -> Result<(Fitted, Sourced<Latency>)> {
    let what = "read: sequential access to memory, rounds of p/w + l - 1 time units";
    let all = rows.points("read", &|it| {
        it.bytes as f64 > cache_bytes && at(it, "stride") == 1.0 && at(it, "f") == 0.0
    })?;
    let (mut terms, mut times) = (vec![], vec![]);
    for (subject, time) in all {
        let p = subject.threads.unwrap_or(1) as f64;
        let rounds = at(subject, "n") / p;
        terms.push(vec![rounds * (p / WARP), rounds]);
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
