//! `umm plot measured`: charts of a folder of measurements.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Page, shown};
use crate::chart::measured::{self, Chart, Predictions};
use crate::cli::Failure;
use crate::cli::compare::{compared, predictions};
use crate::cli::models::ModelParser;
use crate::measurement::folder::Folder;
use crate::models::{Model, published};
use crate::run::WHILE_ITERATIONS;

/// Draw a chart of a folder of measurements
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot measured DIR --chart bulk --of 'opt n=8' -o bulk.svg
  umm plot measured DIR --chart staircase -o staircase.png --theme dark
  umm plot measured DIR --chart time --of umm_opt --model h200 -o time.svg

A folder of measurements is described in docs/measurements.md.")]
pub(super) struct Measured {
    /// A folder of measurements
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Which chart
    #[arg(long, value_enum)]
    chart: ChartOption,
    /// For a chart of each algorithm, distribution or size: which one, as in 'opt n=8'
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// A calibrated machine whose predictions the charts time, residuals and scatter show (see `umm calibrate`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser)]
    model: Option<Model>,
    #[command(flatten)]
    page: Page,
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
    /// How far a --model's predictions are off, a small panel for each algorithm
    Residuals,
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
    /// The chunked version's time against n by workers, and with double buffering
    HullCrossover,
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
            ChartOption::Residuals => Self::Residuals,
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
            ChartOption::HullCrossover => Self::HullCrossover,
            ChartOption::HullRate => Self::HullRate,
        }
    }
}

impl Measured {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let folder = Folder::read(&self.folder).map_err(Failure::input)?;
        let (chart, of) = (Chart::from(self.chart), self.of.as_deref());
        let predictions = match &self.model {
            Some(model) => {
                let points = chart.predicted(of, &folder);
                let settings = (&[][..], WHILE_ITERATIONS);
                predictions(&compared(&folder.path, &points, model, &[], settings)?)
            }
            None if matches!(chart, Chart::Residuals | Chart::Scatter) => {
                return Err(Failure::input(
                    "--chart residuals, scatter: name a calibrated machine, such as --model h200",
                ));
            }
            None => Predictions::default(),
        };
        let published = published();
        let measured = measured::Measured {
            folder: &folder,
            published: &published,
            predictions: &predictions,
        };
        let figure = measured::figure(chart, of, measured)
            .map_err(|error| Failure::input(format_args!("{}: {error}", self.folder.display())))?;
        let (least, page) = (figure.least_height(), &self.page);
        if page.size.1 < least {
            return Err(Failure::input(format_args!(
                "--size {}x{}: this chart is {least} pixels high at least",
                page.size.0, page.size.1
            )));
        }
        let device = &folder.device;
        let data = format!(
            "{}: {}, driver {}, measured from {} on",
            shown(&self.folder),
            device.name,
            device.driver,
            device.date
        );
        self.page.write(Ok(figure.scene(self.page.canvas(), self.page.title())), &data)
    }
}
