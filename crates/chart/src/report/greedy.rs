//! Greedy triangulation: times beside the published ones, and tests counted beside those expected.

use std::collections::BTreeSet;

use super::table::Table;
use crate::{count, grouped, seconds};
use memory_machine_measure::Repetitions;
use memory_machine_measure::greedy::{
    GreedyEngine, GreedyMeasurements, GreedyRepetition, published,
};
use memory_machine_theory::greedy::expectation;

/// What was measured and verified.
pub(super) fn text(greedy: &GreedyMeasurements) -> String {
    let runs = &greedy.runs;
    let verified = |word: &str| runs.iter().filter(|it| it.first().verified == word).count();
    format!(
        "{} points were measured, {} runs in all. Before timing, the edges of {} were compared with \
         another engine's, every one in its order, and those of {} were checked by count, planarity \
         and order.",
        grouped(runs.len() as u64),
        grouped(runs.iter().map(|it| it.times().len() as u64).sum::<u64>()),
        verified("all"),
        verified("checked"),
    )
}

/// Those that have rows.
pub(super) fn tables(greedy: &GreedyMeasurements) -> Vec<Table> {
    let mut tables = vec![times(greedy), tests(greedy)];
    tables.retain(|it| !it.rows.is_empty());
    tables
}

fn at<'a>(
    runs: &[&'a Repetitions<GreedyRepetition>],
    n: u64,
) -> Option<&'a Repetitions<GreedyRepetition>> {
    runs.iter().copied().find(|it| it.subject.n == n)
}

fn times(greedy: &GreedyMeasurements) -> Table {
    let [paper, gpu, fast] =
        [GreedyEngine::Paper, GreedyEngine::Gpu, GreedyEngine::Fast].map(|it| greedy.engine(it));
    let theirs = published();
    let all = paper.iter().chain(&gpu).chain(&fast).map(|it| it.subject.n);
    let cell = |it: Option<f64>| it.map_or_else(String::new, seconds);
    let row = |n: u64| {
        let of = |runs| at(runs, n).map(|it| it.median_s());
        let step = |of: fn(&GreedyRepetition) -> Option<f64>| {
            at(&gpu, n).and_then(|it| it.spread(of)).map(|it| it.median)
        };
        let best = at(&gpu, n).map(|it| it.subject);
        let best = best.and_then(|it| Some(format!("{} × {}", it.blocks?, it.threads?)));
        let found = |curve: &[(u64, f64)]| curve.iter().find(|it| it.0 == n).map(|it| it.1);
        vec![
            grouped(n),
            cell(of(&paper)),
            cell(of(&gpu)),
            best.unwrap_or_default(),
            cell(step(|it| it.generate_s)),
            cell(step(|it| it.sort_s)),
            cell(step(|it| it.triangulate_s)),
            cell(of(&fast)),
            cell(found(&theirs.serial)),
            cell(found(&theirs.gpu)),
        ]
    };
    let head = [
        "n",
        "paper's algorithm, one core",
        "paper's algorithm, GPU",
        "blocks × threads",
        "generation",
        "sort",
        "triangulation",
        "fast engine, CPU",
        "published, serial",
        "published, GPU",
    ];
    let rows = all.collect::<BTreeSet<u64>>().into_iter().map(row).collect();
    Table::new("Greedy triangulation: time, uniform points", &head, rows).noted(
        "Of several numbers of blocks and threads the fastest. Published for the GPU is the \
         triangulation step alone. An empty cell was not measured, or not published.",
    )
}

/// Numbers of edges and of tests: as published, as expected, as counted.
fn tests(greedy: &GreedyMeasurements) -> Table {
    // The engines of one n agree on the edges, and whoever counts tests counts the same rounds.
    let counted = [GreedyEngine::Paper, GreedyEngine::Gpu].map(|it| greedy.engine(it));
    let all = counted.iter().flatten().map(|it| it.subject.n).filter(|n| *n >= 4);
    let row = |n: u64| {
        let run = counted.iter().find_map(|it| at(it, n)).map(Repetitions::first);
        let text = |it: Option<u64>| it.map_or_else(String::new, grouped);
        let it = expectation(n);
        let number = |value: f64| grouped(value.round() as u64);
        let rounded = count;
        vec![
            grouped(n),
            number(it.edges_published),
            number(it.edges),
            text(run.map(|it| it.edges)),
            rounded(it.tests_published),
            rounded(it.tests_even),
            rounded(it.tests),
            run.and_then(|it| it.tests).map_or_else(String::new, |it| rounded(it as f64)),
        ]
    };
    let head = [
        "n",
        "edges A, published",
        "expected",
        "counted",
        "tests C, published",
        "with the right A",
        "expected",
        "counted",
    ];
    let rows = all.collect::<BTreeSet<u64>>().into_iter().map(row).collect();
    Table::new("Edges and conflict tests, uniform points", &head, rows).noted(
        "Expected edges are 3n − 3 − h with the expected h of uniform points; expected tests \
               follow the lengths of the accepted lines. `docs/errata.md` has the errors of A and C.",
    )
}
