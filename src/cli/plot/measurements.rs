//! `umm plot measured`: charts of a folder of measurements.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;

use super::page::{Page, shown};
use crate::chart::measurement::{self, Chart, Predictions};
use crate::cli::support::Failure;
use crate::cli::support::comparison::{Settings, compared};
use crate::cli::support::files;
use crate::cli::support::model::ModelParser;
use crate::cli::support::options::word;
use crate::host::files::path_text;
use crate::measure::Timing;
use crate::measure::folder::Folder;
use crate::measure::predictions::predicted;
use crate::models::{Model, published};
use crate::report::fidelity::{predictions, predictions_of};

/// Draw a chart of a folder of measurements
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot measured DIR --chart bulk --of 'opt n=8' -o bulk.svg
  umm plot measured DIR --chart ratio --of GPU --only 'opt n=8' --only 'opt n=64' -o ratio.svg
  umm plot measured DIR --chart staircase -o staircase.png --theme dark
  umm plot measured DIR --chart time --of umm_opt --model h200 -o time.svg
  umm plot measured DIR --chart residuals --predicted points.csv -o residuals.svg

A folder of measurements is described in docs/measurements.md.")]
pub(super) struct MeasurementChart {
    /// A folder of measurements
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Which chart
    #[arg(long, value_parser = word::<Chart>())]
    chart: Chart,
    /// For a chart of each algorithm, distribution or size: which one, as in 'opt n=8'
    #[arg(long, value_name = "NAME")]
    of: Option<String>,
    /// Only what was measured of this algorithm, as in opt, or of one size, as in 'opt n=8'; repeatable
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Leave out what papers publish
    #[arg(long)]
    no_published: bool,
    /// A calibrated machine whose predictions the charts time, residuals and scatter show (see `umm calibrate`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser, hide_possible_values = true)]
    model: Option<Model>,
    /// Predictions of the same points as `umm compare --csv` wrote them, in place of predicting anew
    #[arg(long, value_name = "FILE.csv", conflicts_with = "model")]
    predicted: Option<PathBuf>,
    #[command(flatten)]
    page: Page,
}

impl MeasurementChart {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let mut folder = Folder::read(&self.folder).map_err(Failure::input)?;
        self.choose(&mut folder)?;
        let (chart, mut of) = (self.chart, self.of.as_deref());
        if of == Some("extended") {
            files::note("note: `--of extended` is called `--of calibrated` since version 0.2\n");
            of = Some("calibrated");
        }
        let predictions = match (&self.model, &self.predicted) {
            (Some(model), _) => {
                let points = chart.predicted(of, &folder);
                let settings = Settings::default();
                predictions_of(&compared(&folder.path, &points, model, &[], settings)?.points)
            }
            (None, Some(path)) => {
                let rows = predicted(path, &folder.algorithms).map_err(Failure::input)?;
                predictions(rows.into_iter().map(|(of, it)| (of, it.calibrated_s, it.plain_s)))
            }
            (None, None) if matches!(chart, Chart::Residuals | Chart::Scatter) => {
                return Err(Failure::input(
                    "--chart residuals, scatter: name a calibrated machine, such as --model h200, or a \
                     table of predictions (umm compare --csv): --predicted FILE.csv",
                ));
            }
            (None, None) => Predictions::default(),
        };
        let published = if self.no_published { vec![] } else { published() };
        let measured = measurement::MeasurementSource {
            folder: &folder,
            published: &published,
            predictions: &predictions,
        };
        let figure = measurement::figure(chart, of, measured).map_err(|error| {
            Failure::input(format_args!("{}: {error}", path_text(&self.folder)))
        })?;
        let (least, page) = (figure.least_height(), &self.page);
        if page.size.1 < least {
            return Err(Failure::input(format_args!(
                "--size {}x{}: this chart is {least} pixels high at least",
                page.size.0, page.size.1
            )));
        }
        let device = &folder.device;
        let listings = if self.model.is_some() { "; predicted from the listings" } else { "" };
        let data = format!(
            "{}: {}, measured from {} on{listings}",
            shown(&self.folder),
            device.with_driver().replacen(" with driver ", ", driver ", 1),
            device.date
        );
        self.page.write(Ok(figure.scene(self.page.canvas(), self.page.title())), &data)
    }

    /// Leaves what --only names.
    fn choose(&self, folder: &mut Folder) -> Result<(), Failure> {
        let names = |it: &Timing| {
            let name = &it.subject.name;
            [name.clone(), format!("{name} {}", it.subject.set).trim_end().to_owned()]
        };
        let measured: BTreeSet<String> = folder.algorithms.iter().flat_map(names).collect();
        if let Some(missing) = self.only.iter().find(|it| !measured.contains(*it)) {
            let measured: Vec<&str> = measured.iter().map(String::as_str).collect();
            return Err(Failure::input(format_args!(
                "--only '{missing}': not measured in {}; choose of: {}",
                path_text(&self.folder),
                measured.join(", ")
            )));
        }
        if !self.only.is_empty() {
            folder.algorithms.retain(|it| names(it).iter().any(|it| self.only.contains(it)));
        }
        Ok(())
    }
}
