//! Convex hulls: times of all engines, and of the version in chunks by workers.

use std::collections::BTreeSet;

use super::table::Table;
use crate::{bandwidth, grouped, plain as digits, seconds};
use memory_machine_geometry::points::random::PointDistribution;
use memory_machine_measure::Repetitions;
use memory_machine_measure::hull::{HullEngine, HullRepetition};

/// Bytes of a point.
const POINT: f64 = 16.0;

/// What was measured and verified.
pub(super) fn text(hull: &[Repetitions<HullRepetition>]) -> String {
    let verified = hull.iter().filter(|it| it.first().verified == "all").count();
    format!(
        "{} points were measured, {} runs in all. Before timing, the vertices of {verified} were \
         compared with another engine's, every one.",
        grouped(hull.len() as u64),
        grouped(hull.iter().map(|it| it.times().len() as u64).sum::<u64>()),
    )
}

/// A table of times for each distribution, and one of workers.
pub(super) fn tables(hull: &[Repetitions<HullRepetition>]) -> Vec<Table> {
    let distributions: BTreeSet<PointDistribution> =
        hull.iter().map(|it| it.subject.distribution).collect();
    let mut tables: Vec<Table> = distributions.into_iter().map(|it| times(hull, it)).collect();
    tables.push(workers(hull));
    tables.retain(|it| !it.rows.is_empty());
    tables
}

fn times(hull: &[Repetitions<HullRepetition>], distribution: PointDistribution) -> Table {
    let of = || hull.iter().filter(|it| it.subject.distribution == distribution);
    let sizes: BTreeSet<u64> = of().map(|it| it.subject.n).collect();
    let row = |n: u64| {
        let same = || of().filter(move |it| it.subject.n == n);
        // Of several numbers of workers the fastest.
        let best = |engine: HullEngine| {
            let runs = same().filter(|it| it.subject.engine == engine);
            runs.min_by(|a, b| a.median_s().total_cmp(&b.median_s()))
        };
        let time =
            |engine: HullEngine| best(engine).map_or_else(String::new, |it| seconds(it.median_s()));
        let gpu = best(HullEngine::Gpu);
        let pass = gpu.and_then(|it| it.spread(|run| run.first_pass_s)).map(|it| it.median);
        let count = |it: Option<u64>| it.map_or_else(String::new, grouped);
        vec![
            grouped(n),
            count(same().next().map(|it| it.first().vertices)),
            time(HullEngine::Sequential),
            time(HullEngine::Workers),
            time(HullEngine::Cpu),
            time(HullEngine::GpuPaper),
            time(HullEngine::Gpu),
            pass.map_or_else(String::new, seconds),
            pass.map_or_else(String::new, |it| bandwidth(n as f64 * POINT / it)),
            count(gpu.and_then(|it| it.first().survivors)),
        ]
    };
    let head = [
        "n",
        "vertices",
        "Algorithm 1, one core",
        "in chunks, workers",
        "filtered, CPU",
        "paper's phases, GPU",
        "filtered, GPU",
        "first pass",
        "it reads",
        "points it leaves",
    ];
    let rows = sizes.into_iter().map(row).collect();
    Table::new(format!("Convex hull: time, {distribution}"), &head, rows)
        .noted("Of several numbers of workers the fastest. The GPU's points are in its memory.")
}

fn workers(hull: &[Repetitions<HullRepetition>]) -> Table {
    let chunks = || hull.iter().filter(|it| it.subject.engine == HullEngine::Workers);
    let several: BTreeSet<(PointDistribution, u64, u64)> = chunks()
        .filter_map(|it| {
            let of = it.subject;
            Some((of.distribution, of.n, of.workers?))
        })
        .collect();
    let row = |(distribution, n, workers): (PointDistribution, u64, u64)| {
        let time = |simd: bool| {
            let found = chunks().find(|it| {
                let of = it.subject;
                (of.distribution, of.n) == (distribution, n)
                    && (of.workers, of.simd) == (Some(workers), Some(simd))
            });
            found.map(|it| it.median_s())
        };
        let (plain, simd) = (time(false), time(true));
        let gain = plain.zip(simd).map(|(plain, simd)| format!("{}×", digits(plain / simd)));
        let cell = |it: Option<f64>| it.map_or_else(String::new, seconds);
        let words = [distribution.to_string(), grouped(n), workers.to_string()];
        [&words[..], &[cell(plain), cell(simd), gain.unwrap_or_default()]].concat()
    };
    let head = ["distribution", "n", "workers", "without SIMD", "with SIMD", "gain"];
    let rows = several.into_iter().map(row).collect();
    Table::new("The paper's version in chunks, by workers", &head, rows)
}
