//! Charts of synthetic measurements, odd ones among them.

use std::path::Path;

use memory_machine::chart::Theme;
use memory_machine::chart::measurement::{
    Chart, Figure, MeasurementSource, PredictedTime, Predictions, figure, figures,
};
use memory_machine::measure::folder::Folder;
use memory_machine::measure::repetitions;
use memory_machine::models::published;
use memory_machine::run::layout::Arrangement;

use super::synthetic;
use crate::support::{fails, umm};

const CHARTS: [Chart; 9] = [
    Chart::Bulk,
    Chart::Ratio,
    Chart::Staircase,
    Chart::Latency,
    Chart::Stride,
    Chart::Gaps,
    Chart::Time,
    Chart::Residuals,
    Chart::Scatter,
];

fn folder(noise: f64) -> Folder {
    Folder {
        device: synthetic::device(),
        microbenchmarks: repetitions(synthetic::microbenchmarks(noise).rows),
        algorithms: repetitions(synthetic::algorithms(noise).rows),
        ..Folder::default()
    }
}

/// Two models: one a little off, one off by 40 % where much is to do.
fn predictions(folder: &Folder) -> Predictions {
    let predict = |(index, point): (usize, &memory_machine::measure::Timing)| {
        let time = point.median_s();
        let of = |model: &str, time_s| PredictedTime { model: model.to_owned(), time_s };
        let wobble = 1.0 + 0.08 * (index as f64).sin();
        let predictions = vec![of("calibrated", time * wobble), of("plain", 0.6 * time + 1e-6)];
        (point.subject.clone(), predictions)
    };
    let gpu = folder.algorithms.iter().filter(|it| !it.subject.is_cpu());
    Predictions(gpu.enumerate().map(predict).collect())
}

fn all(folder: &Folder, predictions: &Predictions) -> Vec<(Chart, Figure)> {
    let published = published();
    let measured = MeasurementSource { folder, published: &published, predictions };
    let of = |chart| figures(chart, measured).into_iter().map(move |it| (chart, it));
    CHARTS.into_iter().flat_map(of).collect()
}

fn draw(figures: &[(Chart, Figure)]) {
    for (_, figure) in figures {
        for theme in [Theme::Light, Theme::Dark] {
            for scene in figure.panels(theme).into_iter().chain([figure.scene(theme.into(), None)])
            {
                let svg = scene.svg();
                let parsed = roxmltree::Document::parse(&svg);
                assert!(parsed.is_ok(), "{}: {parsed:?}", figure.title);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", figure.title);
            }
        }
        assert!(!figure.text.contains("NaN") && !figure.text.contains("inf"), "{}", figure.text);
        assert!(figure.text.ends_with('.'), "{}", figure.text);
    }
}

#[test]
fn every_chart_is_drawn() {
    let folder = folder(0.05);
    let drawn = all(&folder, &predictions(&folder));
    draw(&drawn);
    let count = |chart| drawn.iter().filter(|it| it.0 == chart).count();
    // Two algorithms in bulk, and another; two models.
    assert_eq!(CHARTS.map(count), [2, 1, 1, 1, 1, 1, 3, 2, 2]);
}

#[test]
fn without_predictions_none_is_shown() {
    let drawn = all(&folder(0.05), &Predictions::default());
    draw(&drawn);
    assert!(drawn.iter().all(|it| !matches!(it.0, Chart::Scatter | Chart::Residuals)));
}

/// Several GPUs, and launches of another kind, have figures of their own; what is published is of
/// one GPU.
#[test]
fn variants_are_told_apart() {
    let mut rows = synthetic::algorithms(0.05).rows;
    let mut graph = rows.clone();
    rows.retain(|it| it.name == "opt");
    graph.retain(|it| it.name == "opt" && it.processor == "gpu");
    let mut shared = graph.clone();
    graph.iter_mut().for_each(|it| it.launch = Some("graph".to_owned()));
    shared.iter_mut().for_each(|it| (it.devices, it.time_s) = (8, it.time_s / 4.0));
    rows.extend(graph.into_iter().chain(shared));
    let folder = Folder { algorithms: repetitions(rows), ..folder(0.05) };
    let drawn = all(&folder, &predictions(&folder));
    draw(&drawn);
    let of =
        |chart| drawn.iter().filter(|it| it.0 == chart).map(|it| &*it.1.of).collect::<Vec<_>>();
    assert_eq!(of(Chart::Bulk), ["opt n=8, graph", "opt n=8", "opt n=8, 8 GPUs"]);
    assert_eq!(of(Chart::Ratio), ["GPU", "8 GPUs", "graph"]);
    let text = |it: &str| drawn.iter().find(|(_, figure)| figure.of == it).unwrap().1.text.clone();
    let stated = |it: &str| text(it).contains("line published for gtx-titan");
    assert!(stated("opt n=8"), "{}", text("opt n=8"));
    assert!(!stated("opt n=8, 8 GPUs"), "{}", text("opt n=8, 8 GPUs"));
}

/// l and c, of which the staircase was made, are found, and the many warps' times follow.
#[test]
fn the_staircase_says_its_latency_and_stage() {
    let folder = folder(0.0);
    let (published, predictions) = (vec![], Predictions::default());
    let measured =
        MeasurementSource { folder: &folder, published: &published, predictions: &predictions };
    let staircase = figure(Chart::Staircase, None, measured).unwrap();
    for part in ["l = 24 and c = 2 cycles", "s = 2: a stage", "miss the times by 0.0 %"] {
        assert!(staircase.text.contains(part), "{}", staircase.text);
    }
}

#[test]
fn odd_measurements_are_drawn_nevertheless() {
    // No spread at all.
    let whole = folder(0.0);
    draw(&all(&whole, &predictions(&whole)));
    // One point of each curve.
    let mut few = folder(0.05);
    few.algorithms.retain(|it| it.subject.threads == Some(1024));
    few.microbenchmarks.retain(|it| {
        let set = &it.subject.set.0;
        let of = |name: &str| set.get(name).copied();
        of("degree").unwrap_or(4) == 4 && of("bytes").unwrap_or(4096) == 4096
    });
    draw(&all(&few, &predictions(&few)));
    // One arrangement, no CPU; one number of steps.
    let mut alone = folder(0.05);
    alone.algorithms.retain(|it| it.subject.bulk == Some(Arrangement::ColumnWise));
    alone.microbenchmarks.retain(|it| it.subject.set.0.get("steps").is_some_and(|it| *it > 4000));
    let drawn = all(&alone, &predictions(&alone));
    draw(&drawn);
    assert!(drawn.iter().all(|it| it.0 != Chart::Ratio));
    // The CPU alone.
    let mut cpu = folder(0.05);
    cpu.algorithms.retain(|it| it.subject.is_cpu());
    draw(&all(&cpu, &predictions(&cpu)));
    // So much noise that differences of steps are negative.
    draw(&all(&folder(0.9), &Predictions::default()));
    draw(&all(&Folder::default(), &Predictions::default()));
    let mut mute = folder(0.05);
    (mute.device.clock_hz, mute.device.l2_bytes, mute.device.bus_width_bits) = (0.0, 0, 0);
    draw(&all(&mute, &Predictions::default()));
}

#[test]
fn the_command_draws_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(folder.path(), 0.05);
    let plot = |more: &[&'static str]| [&["plot", "measured", "."][..], more].concat();
    let one = plot(&["--chart", "bulk", "--of", "opt n=8", "-o", "bulk.svg"]);
    assert!(umm(folder.path(), &one).status.success());
    assert!(Path::new(&folder.path().join("bulk.svg")).exists());
    let several = fails(folder.path(), &plot(&["--chart", "bulk", "-o", "never.svg"]));
    assert!(several.contains("choose one with --of: 'opt n=8', 'prefix_sums n=32'"), "{several}");
    let unnamed = fails(folder.path(), &plot(&["-o", "never.svg"]));
    assert!(unnamed.contains("--chart <CHART>"), "{unnamed}");
    std::fs::remove_file(folder.path().join("microbenchmarks.csv")).unwrap();
    let nothing = fails(folder.path(), &plot(&["--chart", "stride", "-o", "never.svg"]));
    assert!(nothing.contains("nothing was measured that this chart shows"), "{nothing}");
    assert!(!folder.path().join("never.svg").exists());
}

/// A cached array is read faster than a large one, whatever the stride.
#[test]
fn strides_are_compared_within_one_array() {
    let mut rows = synthetic::Rows::new(0.0);
    for (words, stride, time) in
        [(1024, 1, 1e-6), (1024, 128, 2e-6), (2048, 1, 1e-5), (2048, 128, 4e-5)]
    {
        let set = format!("f=0 n=512 skip=0 stride={stride} words={words}");
        rows.add(("read", &set), None, Some(32), "gpu", time);
    }
    let folder = Folder { microbenchmarks: repetitions(rows.rows), ..folder(0.0) };
    let published = published();
    let predictions = Predictions::default();
    let measured =
        MeasurementSource { folder: &folder, published: &published, predictions: &predictions };
    let [of_stride] = &figures(Chart::Stride, measured)[..] else { panic!("not one figure") };
    assert!(
        of_stride.title.contains(": 4 times less with stride 128 (words"),
        "{}",
        of_stride.title
    );
}
