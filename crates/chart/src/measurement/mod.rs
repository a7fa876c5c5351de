//! Charts of times measured on a device, held against what models predict.

mod bandwidth;
mod bulk;
mod crossover;
#[cfg(test)]
mod dot_audit;
mod engines;
mod fidelity;
mod figure;
mod greedy;
mod hull;
pub(crate) mod latency;
mod opt;
mod opt_batch;
mod ratio;
mod residuals;
mod staircase;

use std::collections::BTreeMap;

use self::figure::Body;
pub use self::figure::Figure;
use super::ChartError;
use super::curves::{LONG, REFERENCE, Series};
use super::number::Unit;
use memory_machine_case::sample::Settings;
use memory_machine_core::keyword::keywords;
use memory_machine_measure::curve::Curve;
use memory_machine_measure::folder::Folder;
use memory_machine_measure::models::PublishedFit;
use memory_machine_measure::{Spread, Subject, Timing};

/// What can be drawn of a folder of measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chart {
    /// Time of bulk runs against p, and the speed-up over one CPU core.
    Bulk,
    /// Row-wise over column-wise.
    Ratio,
    /// Shared memory's time against the degree of bank conflicts.
    Staircase,
    /// Dependent loads against the footprint.
    Latency,
    /// Bandwidth against the stride.
    Stride,
    /// Bandwidth against the number of gaps.
    Gaps,
    /// Time of each algorithm, and how far predictions are off.
    Time,
    /// How far predictions are off, by algorithm.
    Residuals,
    /// All predictions against what was measured.
    Scatter,
    /// Engines of optimal polygon triangulation: time against n.
    OptTime,
    /// Their relaxations a second, and how many registers alone allow.
    OptRate,
    /// The tiled engine's share of these.
    OptShare,
    /// Their speed-up over the plain loop and over the CPU engine.
    OptSpeedup,
    /// Many small polygons at once.
    OptBatch,
    /// Engines of greedy triangulation: time against n, beside what is published.
    GreedyTime,
    /// The paper's algorithm on a GPU by numbers of blocks and threads, for each n.
    GreedyGrid,
    /// Floating point operations a second, by the paper's model and by tests counted.
    GreedyRate,
    /// How lines become fewer, round by round.
    GreedyRounds,
    /// Engines of convex hulls: time against n, for each distribution.
    HullTime,
    /// Their speed-up over the sequential one.
    HullSpeedup,
    /// Time against workers, with SIMD and without.
    HullWorkers,
    /// Time of the chunked version against n by workers, and with double buffering.
    HullCrossover,
    /// Points a second, and bytes a second of the first pass.
    HullRate,
}

keywords! { Chart {
    Bulk "bulk" "Bulk runs: time against p, and the speed-up over one CPU core"
    Ratio "ratio" "Row-wise over column-wise"
    Staircase "staircase" "Shared memory's time against the degree of bank conflicts"
    Latency "latency" "Dependent loads against the footprint"
    Stride "stride" "Bandwidth against the stride"
    Gaps "gaps" "Bandwidth against the number of gaps"
    Time "time" "An algorithm's times, with predictions if there is a --model"
    Residuals "residuals" "How far a --model's predictions are off, a small panel for each algorithm"
    Scatter "scatter" "All predictions of a --model against what was measured"
    OptTime "opt_time" "Engines of optimal polygon triangulation: time against n"
    OptRate "opt_rate" "Their relaxations a second, and how many registers alone allow"
    OptShare "opt_share" "The tiled engine's share of these"
    OptSpeedup "opt_speedup" "Their speed-up over the plain loop and over the CPU engine"
    OptBatch "opt_batch" "Many polygons of a few vertices at once: relaxations a second against their number"
    GreedyTime "greedy_time" "Engines of greedy triangulation: time against n"
    GreedyGrid "greedy_grid" "The paper's triangulation step by blocks and threads, for one n"
    GreedyRate "greedy_rate" "Its operations a second"
    GreedyRounds "greedy_rounds" "Its lines that are left, round by round"
    HullTime "hull_time" "Engines of convex hulls: time against n, for one distribution"
    HullSpeedup "hull_speedup" "Their speed-up over the sequential one"
    HullWorkers "hull_workers" "The CPU engine's time against workers"
    HullCrossover "hull_crossover" "The chunked version's time against n by workers, and with double buffering"
    HullRate "hull_rate" "Points a second, and bytes a second of the first pass"
} }

impl Chart {
    /// The points of which it draws predictions, if any are given: all but where it is of some alone.
    pub fn predicted<'a>(self, of: Option<&str>, folder: &'a Folder) -> Vec<&'a Timing> {
        match (self, of) {
            (Self::Time, Some(of)) => fidelity::points_of(&folder.algorithms, of),
            (Self::Time | Self::Residuals | Self::Scatter | Self::Ratio, _) => {
                folder.algorithms.iter().collect()
            }
            _ => vec![],
        }
    }
}

/// What charts are drawn of.
#[derive(Debug, Clone, Copy)]
pub struct MeasurementSource<'a> {
    /// What was measured, and on which device.
    pub folder: &'a Folder,
    /// Lines of papers, drawn beside the measured ones.
    pub published: &'a [PublishedFit],
    /// Seconds of models, drawn beside the measured ones.
    pub predictions: &'a Predictions,
}

/// Seconds that models predict for what was measured.
#[derive(Debug, Clone, Default)]
pub struct Predictions(pub BTreeMap<Subject, Vec<PredictedTime>>);

/// What one model predicts for one subject.
#[derive(Debug, Clone)]
pub struct PredictedTime {
    /// As the charts name it: `calibrated`. The first is drawn solid.
    pub model: String,
    /// Seconds; what is not positive is not drawn.
    pub time_s: f64,
}

impl Predictions {
    /// The models, in the order of each subject's predictions.
    pub fn models(&self) -> Vec<&str> {
        let mut models: Vec<&str> = vec![];
        for it in self.0.values().flatten() {
            if !models.contains(&&*it.model) {
                models.push(&it.model);
            }
        }
        models
    }

    /// What `model` predicts, if it can stand on a logarithmic axis.
    pub fn time_s(&self, subject: &Subject, model: &str) -> Option<f64> {
        let found = self.0.get(subject)?.iter().find(|it| it.model == model)?;
        Some(found.time_s).filter(|it| it.is_finite() && *it > 0.0)
    }
}

/// The figures of a chart; none where nothing of it was measured.
pub fn figures(chart: Chart, measured: MeasurementSource<'_>) -> Vec<Figure> {
    let MeasurementSource { folder, published, predictions } = measured;
    let Folder { path: _, device, microbenchmarks, algorithms, opt, greedy, hull } = folder;
    match chart {
        Chart::Bulk => bulk::figures(device, algorithms, published),
        Chart::Ratio => ratio::figures(device, algorithms, published, predictions),
        Chart::Staircase => staircase::figure(device, microbenchmarks).into_iter().collect(),
        Chart::Latency => latency::figure(device, microbenchmarks).into_iter().collect(),
        Chart::Stride => bandwidth::of_stride(device, microbenchmarks).into_iter().collect(),
        Chart::Gaps => bandwidth::of_gaps(device, microbenchmarks).into_iter().collect(),
        Chart::Time => fidelity::figures(device, algorithms, predictions),
        Chart::Residuals => residuals::figures(device, algorithms, predictions),
        Chart::Scatter => fidelity::scatters(device, algorithms, predictions),
        Chart::OptTime => opt::time(device, opt).into_iter().collect(),
        Chart::OptRate => opt::relaxations(device, opt).into_iter().collect(),
        Chart::OptShare => opt::share(device, opt).into_iter().collect(),
        Chart::OptSpeedup => opt::speedup(device, opt).into_iter().collect(),
        Chart::OptBatch => opt_batch::figures(folder),
        Chart::GreedyTime => greedy::time(device, greedy).into_iter().collect(),
        Chart::GreedyGrid => greedy::grids(device, greedy),
        Chart::GreedyRate => greedy::rate(device, greedy).into_iter().collect(),
        Chart::GreedyRounds => greedy::rounds(greedy).into_iter().collect(),
        Chart::HullTime => hull::times(device, hull),
        Chart::HullSpeedup => hull::speedups(device, hull),
        Chart::HullWorkers => hull::workers(device, hull),
        Chart::HullCrossover => crossover::figures(device, hull),
        Chart::HullRate => hull::rates(device, hull),
    }
}

/// The figure of `chart` that shows `of`, or the only one.
///
/// # Errors
/// [`ChartError::Data`] if there is none, or several to choose from.
pub fn figure(
    chart: Chart,
    of: Option<&str>,
    measured: MeasurementSource<'_>,
) -> Result<Figure, ChartError> {
    let mut figures = figures(chart, measured);
    let names: Vec<String> = figures.iter().map(|it| it.of.clone()).collect();
    if let Some(of) = of {
        figures.retain(|it| it.of == of);
    }
    match (figures.pop(), figures.is_empty()) {
        (Some(figure), true) => Ok(figure),
        _ if names == [""] => {
            Err(ChartError::Data("this chart is of the whole folder; leave out --of".to_owned()))
        }
        (None, _) if names.is_empty() => {
            Err(ChartError::Data("nothing was measured that this chart shows".to_owned()))
        }
        _ => Err(ChartError::Data(format!("choose one with --of: '{}'", names.join("', '")))),
    }
}

/// What a chart of bulk runs is of: `opt n=8`, or `opt n=8, graph`.
fn named(subject: &Subject) -> String {
    match subject.variant() {
        Some(variant) => format!("{}, {variant}", subject.what()),
        None => subject.what(),
    }
}

/// A series of the curve's medians with their quartiles.
fn marks(curve: &Curve<'_>, label: String, colour: usize) -> Series {
    Series {
        label,
        colour,
        marks: curve.medians(),
        bars: curve.points.iter().map(|(x, point)| bar(*x, point)).collect(),
        ..Series::default()
    }
}

fn bar(x: f64, point: &Timing) -> (f64, f64, f64) {
    let Spread { low, high, .. } = point.time_s();
    (x, low, high)
}

const SPREAD: &str = "dots: medians, bars: quartiles";

/// How each model's line is drawn, for a caption.
fn strokes(models: &[&str]) -> String {
    let how = |index| match stroke(index) {
        REFERENCE => "dotted",
        LONG => "long dashes",
        _ => "solid",
    };
    (0..).zip(models).map(|(index, model)| format!("  {}: {model}", how(index))).collect()
}

/// How the line of the model of this index is drawn.
const fn stroke(index: usize) -> usize {
    match index {
        0 => 0,
        1 => REFERENCE,
        _ => LONG,
    }
}

/// A sentence's end for several of the same: `, ` between, ` and ` before the last.
fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `opt n=8` as `opt n = 8`.
fn spaced(of: &str) -> String {
    of.replace('=', " = ")
}

/// For each of these, the settings in which not all agree: `n = 16M, skip = 8`.
fn differing(sets: &[&Settings]) -> Vec<String> {
    let differs = |name: &str, value: i64| sets.iter().any(|it| it.0.get(name) != Some(&value));
    let word = |(name, value): (&String, &i64)| {
        let text = Unit::Size.text(*value as f64);
        differs(name, *value).then(|| format!("{name} = {text}"))
    };
    let words = |set: &&Settings| set.0.iter().filter_map(word).collect::<Vec<_>>().join(", ");
    sets.iter().map(words).collect()
}
