//! Convex hulls: times of all engines, and of the version in chunks by workers.

use std::collections::BTreeSet;

use super::opt::Table;
use crate::chart::{bandwidth, seconds};
use crate::measurement::Repeated;
use crate::measurement::hull::{CPU, GPU, GPU_PAPER, Run, SEQUENTIAL, WORKERS};

/// Bytes of a point.
const POINT: f64 = 16.0;

/// What was measured and verified.
pub(super) fn text(hull: &[Repeated<Run>]) -> String {
    let verified = hull.iter().filter(|it| it.first().verified == "all").count();
    format!(
        "{} points were measured, {} runs in all. Before timing, the vertices of {verified} were \
         compared with another engine's, every one.",
        hull.len(),
        hull.iter().map(Repeated::repetitions).sum::<usize>(),
    )
}

/// A table of times for each distribution, and one of workers.
pub(super) fn tables(hull: &[Repeated<Run>]) -> Vec<Table> {
    let distributions: BTreeSet<&str> = hull.iter().map(|it| &*it.first().distribution).collect();
    let mut tables: Vec<Table> = distributions.into_iter().map(|it| times(hull, it)).collect();
    tables.push(workers(hull));
    tables.retain(|it| !it.rows.is_empty());
    tables
}

fn times(hull: &[Repeated<Run>], distribution: &str) -> Table {
    let of = || hull.iter().filter(|it| it.first().distribution == distribution);
    let sizes: BTreeSet<u64> = of().map(|it| it.first().n).collect();
    let row = |n: u64| {
        let same = || of().filter(move |it| it.first().n == n);
        // Of several numbers of workers the fastest.
        let best = |engine: &str| {
            let runs = same().filter(|it| it.first().engine == engine);
            runs.min_by(|a, b| a.time_s().median.total_cmp(&b.time_s().median))
        };
        let time =
            |engine: &str| best(engine).map_or_else(String::new, |it| seconds(it.time_s().median));
        let gpu = best(GPU);
        let pass = gpu.and_then(|it| it.spread(|run| run.first_pass_s)).map(|it| it.median);
        let count = |it: Option<u64>| it.map_or_else(String::new, |it| it.to_string());
        vec![
            n.to_string(),
            count(same().next().map(|it| it.first().vertices)),
            time(SEQUENTIAL),
            time(WORKERS),
            time(CPU),
            time(GPU_PAPER),
            time(GPU),
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
    Table {
        title: format!("Time: {distribution}"),
        note: "Of several numbers of workers the fastest. The GPU's points are in its memory.",
        head: head.map(str::to_owned).to_vec(),
        rows: sizes.into_iter().map(row).collect(),
    }
}

fn workers(hull: &[Repeated<Run>]) -> Table {
    let chunks = || hull.iter().filter(|it| it.first().engine == WORKERS);
    let several: BTreeSet<(&str, u64, u64)> = chunks()
        .filter_map(|it| {
            let run = it.first();
            Some((&*run.distribution, run.n, run.workers?))
        })
        .collect();
    let row = |(distribution, n, workers): (&str, u64, u64)| {
        let time = |simd: bool| {
            let found = chunks().find(|it| {
                let run = it.first();
                (&*run.distribution, run.n) == (distribution, n)
                    && (run.workers, run.simd) == (Some(workers), Some(simd))
            });
            found.map(|it| it.time_s().median)
        };
        let (plain, simd) = (time(false), time(true));
        let gain = plain.zip(simd).map(|(plain, simd)| format!("{:.2}×", plain / simd));
        let cell = |it: Option<f64>| it.map_or_else(String::new, seconds);
        let words = [distribution.to_owned(), n.to_string(), workers.to_string()];
        [&words[..], &[cell(plain), cell(simd), gain.unwrap_or_default()]].concat()
    };
    let head = ["distribution", "n", "workers", "without SIMD", "with SIMD", "gain"];
    Table {
        title: "The paper's version in chunks, by workers".to_owned(),
        note: "",
        head: head.map(str::to_owned).to_vec(),
        rows: several.into_iter().map(row).collect(),
    }
}
