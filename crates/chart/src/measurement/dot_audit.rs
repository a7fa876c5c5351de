//! Every dot of every chart is held against the files of the folder, read here a second time and
//! without the code that draws.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Body, Chart, Figure, MeasurementSource, Predictions, figures};
use memory_machine_geometry::opt::relaxations;
use memory_machine_measure::folder::Folder;
use memory_machine_measure::models::published;

/// Rows that differ in their times alone: the numbers of their other columns, and the median of each
/// column of seconds.
struct Point {
    numbers: Vec<f64>,
    seconds: Vec<f64>,
}

/// Of every file of the folder.
fn points(folder: &Path) -> Vec<Point> {
    let files = ["algorithms.csv", "microbenchmarks.csv", "opt.csv", "greedy.csv", "hull.csv"];
    let tables = ["opt/table-1.csv", "opt/table-3.csv"];
    let mut points = vec![];
    for file in files.iter().chain(&tables) {
        let mut reader = csv::Reader::from_path(folder.join(file)).unwrap();
        let head = reader.headers().unwrap().clone();
        let mut alike: BTreeMap<Vec<String>, Vec<Vec<f64>>> = BTreeMap::new();
        for record in reader.records().map(Result::unwrap) {
            let (mut key, mut seconds) = (vec![], vec![]);
            for (name, value) in head.iter().zip(&record) {
                if name.ends_with("_s") {
                    seconds.push(value.parse().unwrap_or(f64::NAN));
                } else if !["repetition", "verified"].contains(&name) {
                    key.push(value.to_owned());
                }
            }
            alike.entry(key).or_default().push(seconds);
        }
        for (key, rows) in alike {
            let words = key.iter().flat_map(|it| it.split([' ', '=']));
            let numbers = words.filter_map(|it| it.parse().ok()).collect();
            let median = |column: usize| {
                let mut all: Vec<f64> = rows.iter().map(|it| it[column]).collect();
                all.sort_by(f64::total_cmp);
                f64::midpoint(all[(all.len() - 1) / 2], all[all.len() / 2])
            };
            points.push(Point { numbers, seconds: (0..rows[0].len()).map(median).collect() });
        }
    }
    points
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

/// A chart's panel, whether a dot of it is in the files, and how many dots there are at least.
type Source<'a> = (Chart, usize, &'a dyn Fn(f64, f64) -> bool, usize);

/// Dots of panel and chart.
fn dots(figure: &Figure, panel: usize) -> Vec<(f64, f64)> {
    let panels = match &figure.body {
        Body::Beside(panels) | Body::Grid(panels, _) => &panels[..],
        Body::Above(panels) => &panels[..],
        Body::Cells(_) => &[],
    };
    let series = panels.get(panel).map_or(&[][..], |it| &it.series);
    series.iter().flat_map(|it| it.marks.iter().copied()).collect()
}

#[test]
fn every_dot_is_in_its_file() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let path: PathBuf = root.join("models/measurements/nvidia-h200/2026-11-21");
    let (folder, points, published) = (Folder::read(&path).unwrap(), points(&path), published());
    let predictions = Predictions::default();
    let measured =
        MeasurementSource { folder: &folder, published: &published, predictions: &predictions };
    let at = |x: f64| points.iter().filter(move |it| it.numbers.contains(&x));
    let second = |y: f64| move |it: &&Point| it.seconds.iter().any(|seconds| near(*seconds, y));
    let time = |x: f64, y: f64| at(x).any(|it| second(y)(&it));
    let quotient = |x: f64, y: f64| {
        at(x).flat_map(|it| &it.seconds).any(|it| at(x).any(|other| second(y * it)(&other)))
    };
    // Words of 4 bytes, and one gap more than that of the file is a stretch.
    let bandwidth = |x: f64, y: f64| {
        [x, x - 1.0].into_iter().flat_map(at).any(|it| {
            it.numbers.iter().any(|n| it.seconds.iter().any(|time| near(4.0 * n / time, y)))
        })
    };
    let rate = |x: f64, y: f64| time(x, relaxations(x as u64) as f64 / y);
    let charts: [Source<'_>; 12] = [
        (Chart::Bulk, 0, &time, 50),
        (Chart::Bulk, 1, &quotient, 20),
        (Chart::Ratio, 0, &quotient, 10),
        (Chart::Time, 0, &time, 200),
        (Chart::Stride, 0, &bandwidth, 5),
        (Chart::Gaps, 0, &bandwidth, 3),
        (Chart::OptTime, 0, &time, 20),
        (Chart::OptRate, 0, &rate, 20),
        (Chart::OptSpeedup, 0, &quotient, 5),
        (Chart::GreedyTime, 0, &time, 5),
        (Chart::HullTime, 0, &time, 20),
        (Chart::HullWorkers, 0, &time, 5),
    ];
    for (chart, panel, is_there, fewest) in charts {
        let figures = figures(chart, measured);
        let dots: Vec<(f64, f64)> = figures.iter().flat_map(|it| dots(it, panel)).collect();
        assert!(dots.len() >= fewest, "{chart:?}, {panel}: {} dots", dots.len());
        for (x, y) in dots {
            assert!(is_there(x, y), "{chart:?}, {panel}: {y} at {x} is in no file");
        }
    }
    assert!(!time(64.0, 1.0), "what is in no file is found out");
}
