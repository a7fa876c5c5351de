//! Greedy triangulation and convex hulls: rows that read back, charts, sections of the page.

use std::path::Path;

use memory_machine::algorithms::points::random::PointDistribution;
use memory_machine::chart::Theme;
use memory_machine::chart::measurement::{Chart, Figure, MeasurementSource, Predictions, figures};
use memory_machine::measure::folder::Folder;
use memory_machine::measure::{GREEDY, HULL, MeasurementLog, ROUNDS, Row, greedy, hull};
use memory_machine::report::page;
use memory_machine::theory::greedy::lines;
use roxmltree::Document;

use super::synthetic;
use crate::support::{fails, umm};

const GREEDY_CHARTS: [Chart; 4] =
    [Chart::GreedyTime, Chart::GreedyGrid, Chart::GreedyRate, Chart::GreedyRounds];
const HULL_CHARTS: [Chart; 4] =
    [Chart::HullTime, Chart::HullSpeedup, Chart::HullWorkers, Chart::HullRate];

/// The paper's algorithm takes n³ ns on one core, a hundredth of it by 512 blocks of 256 threads and
/// a fiftieth by 256; the fast engine n µs.
fn write_greedy(folder: &Path) {
    use greedy::GreedyEngine::{Fast, Gpu, Paper};
    let run = |engine: greedy::GreedyEngine, n: u64, grid: Option<(u32, u32)>, time_s: f64| {
        let steps = (engine != Fast).then_some(time_s);
        (0..7).map(move |repetition| greedy::GreedyRepetition {
            engine,
            n,
            distribution: PointDistribution::Square,
            seed: 1,
            blocks: grid.map(|it| it.0),
            threads: grid.map(|it| it.1),
            edges: 3 * n - 20,
            rounds: steps.map(|_| 3 * n - 20),
            tests: steps.map(|_| n * n * n),
            generate_s: steps.map(|it| 0.01 * it),
            sort_s: steps.map(|it| 0.04 * it),
            triangulate_s: steps.map(|it| 0.95 * it),
            // The median is the fourth.
            time_s: time_s * (0.97 + 0.01 * repetition as f64),
            repetition,
            verified: if engine == Fast { "checked" } else { "all" }.to_owned(),
        })
    };
    let mut log = MeasurementLog::open(&folder.join(GREEDY)).unwrap();
    for n in [1024, 2048, 8192] {
        let core = 1e-9 * (n as f64).powi(3);
        let mut all = vec![
            run(Gpu, n, Some((256, 256)), core / 50.0),
            run(Gpu, n, Some((512, 256)), core / 100.0),
            run(Fast, n, None, 1e-6 * n as f64),
        ];
        if n < 8192 {
            all.push(run(Paper, n, None, core));
        }
        for rows in all {
            log.append(&rows.collect::<Vec<_>>()).unwrap();
        }
    }
    let mut writer = csv::Writer::from_path(folder.join(ROUNDS)).unwrap();
    for round in (0..3000).step_by(30) {
        let alive = lines(1024) as u64 * 100 / (100 + round);
        let (n, seed, rounds) = (1024, 1, 3052);
        let distribution = PointDistribution::Square;
        writer
            .serialize(greedy::GreedyRound { n, distribution, seed, rounds, round, alive })
            .unwrap();
    }
    writer.flush().unwrap();
}

/// Algorithm 1 takes 100 ns a point, chunks 8 divided by the workers and twice that without SIMD, the GPU 10 ps, of which 8 for the first pass.
fn hull_rows() -> Vec<hull::HullRepetition> {
    use hull::HullEngine::{Gpu, Sequential, Workers};
    let mut rows = vec![];
    for n in [1 << 16, 1 << 20] {
        let mut add =
            |engine: hull::HullEngine, workers: Option<u64>, simd: Option<bool>, each_s: f64| {
                let gpu = engine == Gpu;
                rows.extend((0..7).map(|repetition| hull::HullRepetition {
                    engine,
                    n,
                    distribution: PointDistribution::Square,
                    seed: 1,
                    workers,
                    simd,
                    vertices: 30,
                    survivors: gpu.then_some(100),
                    rounds: None,
                    first_pass_s: gpu.then_some(8e-12 * n as f64),
                    time_s: each_s * n as f64 * (0.97 + 0.01 * repetition as f64),
                    repetition,
                    verified: "all".to_owned(),
                }));
            };
        add(Sequential, None, None, 1e-7);
        add(Gpu, None, None, 1e-11);
        for workers in [1, 2, 4] {
            add(Workers, Some(workers), Some(true), 8e-9 / workers as f64);
            add(Workers, Some(workers), Some(false), 16e-9 / workers as f64);
        }
    }
    rows
}

fn whole() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(folder.path(), 0.0);
    write_greedy(folder.path());
    MeasurementLog::open(&folder.path().join(HULL)).unwrap().append(&hull_rows()).unwrap();
    folder
}

fn charts(folder: &Folder, chart: Chart) -> Vec<Figure> {
    let predictions = Predictions::default();
    figures(chart, MeasurementSource { folder, published: &[], predictions: &predictions })
}

#[test]
fn rows_read_back_and_a_point_is_its_repetitions() {
    let folder = whole();
    let read = Folder::read(folder.path()).unwrap();
    assert_eq!((read.greedy.runs.len(), read.greedy.rounds.len()), (11, 100));
    assert_eq!(read.hull.len(), 16);
    assert!(read.hull.iter().all(|it| it.times().len() == 7));
    let rows: Vec<hull::HullRepetition> =
        memory_machine::measure::read(&folder.path().join(HULL)).unwrap();
    assert_eq!(rows, hull_rows());
    // Of several numbers of blocks the fastest; the median of seven.
    let gpu = read.greedy.engine(greedy::GreedyEngine::Gpu);
    assert_eq!(gpu.iter().map(|it| it.first().n).collect::<Vec<_>>(), [1024, 2048, 8192]);
    assert!(gpu.iter().all(|it| it.first().blocks == Some(512)));
    assert!((gpu[0].median_s() - 1e-11 * 1024_f64.powi(3)).abs() < 1e-9);
    // What is done is not measured again.
    let log = MeasurementLog::<hull::HullRepetition>::open(&folder.path().join(HULL)).unwrap();
    let mut subject = hull_rows()[0].subject();
    assert!(log.is_done(&subject));
    subject.seed = 2;
    assert!(!log.is_done(&subject));
}

#[test]
fn charts_say_what_was_measured() {
    let folder = Folder::read(whole().path()).unwrap();
    let text = |chart| charts(&folder, chart).pop().unwrap().text;
    for (chart, parts) in [
        (
            Chart::GreedyTime,
            &["Of 2\u{202f}048 uniform points", "on one core takes 8.59 s", "publishes 2.24 s"][..],
        ),
        (Chart::GreedyGrid, &["n = 8\u{202f}192: 512 blocks of 256", "2 times as long"]),
        // tests · F / time: 1/(10 ps · 0.95) · 51.4 operations.
        (Chart::GreedyRate, &["paper's model", "5.41·10¹²", "by the tests that were made"]),
        (Chart::GreedyRounds, &["half of the lines are gone after 120 of 3\u{202f}052 rounds"]),
        (Chart::HullTime, &["1M points takes", "one core 105 ms", "in chunks 2.1 ms"]),
        (Chart::HullSpeedup, &["10\u{202f}000×", "of the filtering engine of the GPU"]),
        (Chart::HullWorkers, &["chunks, with SIMD: 4 workers take 2.1 ms, 25 % of the time of 1"]),
        (Chart::HullRate, &["10¹¹, by the filtering engine", "reads 2 TB/s"]),
    ] {
        let text = text(chart);
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    assert_eq!(charts(&folder, Chart::GreedyGrid).len(), 3);
    for figure in GREEDY_CHARTS.iter().chain(&HULL_CHARTS).flat_map(|it| charts(&folder, *it)) {
        for theme in [Theme::Light, Theme::Dark] {
            let svg = figure.scene(theme.into(), None).svg();
            assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN"), "{}", figure.title);
        }
    }
}

#[test]
fn the_page_has_both_sections_where_there_are_rows() {
    let folder = whole();
    let of = || page(&Folder::read(folder.path()).unwrap(), &[], Err("nobody asked")).unwrap();
    let with = of();
    for part in [
        "<section id=\"greedy\"",
        "<section id=\"hull\"",
        "<td>512 × 256</td>",
        "8 were compared", // with another engine's: all but the three of the fast engine
        "those of 3 were checked",
        "Convex hull: time, square",
        "2 TB/s",
        "<td>2×</td>",
    ] {
        assert!(with.contains(part), "{part}");
    }
    for name in [GREEDY, ROUNDS, HULL] {
        std::fs::remove_file(folder.path().join(name)).unwrap();
    }
    let without = of();
    assert!(!without.contains("id=\"hull\"") && !without.contains("id=\"greedy\""));
    let read = Folder::read(folder.path()).unwrap();
    assert!(GREEDY_CHARTS.iter().chain(&HULL_CHARTS).all(|it| charts(&read, *it).is_empty()));
}

#[test]
fn the_command_draws_and_answers() {
    let folder = whole();
    let at = folder.path();
    let plot = |more: &[&'static str]| [&["plot", "measured", "."][..], more].concat();
    let grid = plot(&["--chart", "greedy-grid", "--of", "n=2048", "-o", "grid.svg"]);
    assert!(umm(at, &grid).status.success());
    let other = plot(&["--chart", "greedy-grid", "-o", "never.svg"]);
    assert!(fails(at, &other).contains("choose one with --of: 'n=1024', 'n=2048', 'n=8192'"));
    assert!(umm(at, &plot(&["--chart", "hull-workers", "-o", "workers.svg"])).status.success());
    let rows = "n,distribution,seed,rounds,round,alive\n64,square,1,9,x,5\n";
    std::fs::write(at.join(ROUNDS), rows).unwrap();
    let message = fails(at, &["report", "."]);
    assert!(
        message.contains("greedy_rounds.csv:2: column `round` is no whole number"),
        "{message}"
    );
}

#[test]
fn hulls_are_measured_once_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let measure = || {
        let words = "hull measure -n 300 --engine sequential,workers,cpu --workers 1,2 \
                     --distribution square,circle --repetitions 7 -o m";
        let output = umm(at, &words.split_whitespace().collect::<Vec<_>>());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(measure(), "m: 18 points measured, 0 were there, 0 refused\n");
    assert_eq!(measure(), "m: 0 points measured, 18 were there, 0 refused\n");
    let read = Folder::read(&at.join("m")).unwrap();
    assert!(read.hull.iter().all(|it| it.first().verified == "all" && it.times().len() == 7));
    let hulls = |spread: PointDistribution| -> std::collections::BTreeSet<u64> {
        let same = read.hull.iter().filter(|it| it.first().distribution == spread);
        same.map(|it| it.first().vertices).collect()
    };
    assert_eq!(
        (hulls(PointDistribution::Square).len(), hulls(PointDistribution::Circle).len()),
        (1, 1),
        "the engines agree"
    );
    assert_eq!(charts(&read, Chart::HullWorkers).len(), 2);
}

#[test]
fn the_pipeline_is_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (arguments, parts) in [
        ("random -n 200 --seed 7", &["Random points, square, seed 7", "n = 200, h = "][..]),
        (
            "three.csv --title Three",
            &["Three", "n = 3, h = 3, perimeter 12", "no chords", "3 edges"],
        ),
        ("one.csv", &["one", "n = 1, h = 1", "0 edges"]),
    ] {
        std::fs::write(at.join("three.csv"), "x,y\n0,0\n3,0\n0,4\n3,0\n").unwrap();
        std::fs::write(at.join("one.csv"), "5,5\n").unwrap();
        let words = format!("plot pipeline {arguments} -o page.svg");
        let output = umm(at, &words.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let svg = std::fs::read_to_string(at.join("page.svg")).unwrap();
        assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN"));
        for part in parts {
            assert!(svg.contains(part), "{part}");
        }
    }
}
