//! `umm plot measured`: charts of a folder of measurements.

use clap::{Args, ValueEnum};

use super::Plot;
use crate::chart::Scene;
use crate::chart::measured::{self, Chart, Measured, Predictions};
use crate::cli::Failure;
use crate::cli::compare::{compared, predictions};
use crate::fidelity::compare::Given;
use crate::measurement::folder::Folder;
use crate::models::published;

#[derive(Debug, Clone, Args)]
pub(super) struct MeasuredOptions {
    /// Of measured: which chart
    #[arg(long, value_enum)]
    pub(super) chart: Option<ChartOption>,
    /// Of measured, for a chart of each algorithm: which one, as in 'opt n=8'; of heat: the rows of one value, as in n=8192
    #[arg(long, value_name = "NAME")]
    pub(super) of: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ChartOption {
    /// Bulk runs: time against p, and the speed-up over one CPU core
    Bulk,
    /// Row-wise over column-wise
    Ratio,
    /// Shared memory's time against the degree of bank conflicts
    Staircase,
    /// Dependent loads against the footprint
    Latency,
    /// Bandwidth against the stride
    Stride,
    /// Bandwidth against the number of gaps
    Gaps,
    /// An algorithm's times, with predictions if there is a --model
    Time,
    /// All predictions of a --model against what was measured
    Scatter,
    /// Engines of optimal polygon triangulation: time against n
    OptTime,
    /// Their relaxations a second, and how many registers alone allow
    OptRate,
    /// The tiled engine's share of these
    OptShare,
    /// Their speed-up over the plain loop and over the CPU engine
    OptSpeedup,
    /// Many polygons of a few vertices at once: relaxations a second against their number
    OptBatch,
    /// Engines of greedy triangulation: time against n
    GreedyTime,
    /// The paper's triangulation step by blocks and threads, for one n
    GreedyGrid,
    /// Its operations a second
    GreedyRate,
    /// Its lines that are left, round by round
    GreedyRounds,
    /// Engines of convex hulls: time against n, for one distribution
    HullTime,
    /// Their speed-up over the sequential one
    HullSpeedup,
    /// The CPU engine's time against workers
    HullWorkers,
    /// Points a second, and bytes a second of the first pass
    HullRate,
}

impl From<ChartOption> for Chart {
    fn from(option: ChartOption) -> Self {
        match option {
            ChartOption::Bulk => Self::Bulk,
            ChartOption::Ratio => Self::Ratio,
            ChartOption::Staircase => Self::Staircase,
            ChartOption::Latency => Self::Latency,
            ChartOption::Stride => Self::Stride,
            ChartOption::Gaps => Self::Gaps,
            ChartOption::Time => Self::Time,
            ChartOption::Scatter => Self::Scatter,
            ChartOption::OptTime => Self::OptTime,
            ChartOption::OptRate => Self::OptRate,
            ChartOption::OptShare => Self::OptShare,
            ChartOption::OptSpeedup => Self::OptSpeedup,
            ChartOption::OptBatch => Self::OptBatch,
            ChartOption::GreedyTime => Self::GreedyTime,
            ChartOption::GreedyGrid => Self::GreedyGrid,
            ChartOption::GreedyRate => Self::GreedyRate,
            ChartOption::GreedyRounds => Self::GreedyRounds,
            ChartOption::HullTime => Self::HullTime,
            ChartOption::HullSpeedup => Self::HullSpeedup,
            ChartOption::HullWorkers => Self::HullWorkers,
            ChartOption::HullRate => Self::HullRate,
        }
    }
}

impl MeasuredOptions {
    pub(super) const fn is_given(&self) -> bool {
        self.chart.is_some() || self.of.is_some()
    }

    pub(super) fn scene(&self, plot: &Plot) -> Result<Scene, Failure> {
        let [path] = &plot.samples[..] else {
            return Err(Failure::input("name one folder of measurements"));
        };
        let Some(chart) = self.chart else {
            return Err(Failure::input(
                "name the chart, such as --chart bulk; see umm plot --help",
            ));
        };
        let folder = Folder::read(path).map_err(Failure::input)?;
        let predictions = match plot.machine.model() {
            Some(model) => predictions(&compared(&folder, model, &[], &Given::default())?),
            None if matches!(chart, ChartOption::Scatter) => {
                return Err(Failure::input(
                    "--chart scatter: name a calibrated machine, such as --model h200",
                ));
            }
            None => Predictions::default(),
        };
        let published = published();
        let measured =
            Measured { folder: &folder, published: &published, predictions: &predictions };
        let figure = measured::figure(chart.into(), self.of.as_deref(), measured);
        let figure =
            figure.map_err(|error| Failure::input(format_args!("{}: {error}", path.display())))?;
        Ok(figure.scene(plot.theme(), plot.title.as_deref()))
    }
}
