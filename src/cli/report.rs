//! `umm report`

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::support::Failure;
use crate::cli::support::comparison::{Settings, compared};
use crate::cli::support::files;
use crate::cli::support::model::ModelParser;
use crate::cli::support::progress::spin;
use crate::host::files::path_text;
use crate::measure::folder::{self, Folder};
use crate::models::{Model, calibrated_for, published};
use crate::report::{FidelityTables, page};

/// Where measurements stand as DEVICE/DAY.
const MEASUREMENTS: &str = "models/measurements";

/// Write a page on a folder of measurements: findings, machine, fits, charts, all times
///
/// One HTML file that needs nothing beside itself: pictures are part of it, light or dark as the
/// reader's screen is, and nothing is fetched. It fits a phone, and prints with everything open.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm report                                    on the latest times of listings in models/measurements
  umm report measured -o measured.html
  umm report measured --model mine.toml         with predictions of your own machine

A folder of measurements is described in docs/measurements.md.")]
pub(super) struct Report {
    /// A folder of measurements [default: the latest of models/measurements with times of listings]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// A calibrated machine to hold against the times [default: a shipped one of the device's name]
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser, hide_possible_values = true)]
    model: Option<Model>,
    /// The file to write
    #[arg(short, long, value_name = "FILE.html", default_value = "report.html")]
    output: PathBuf,
}

impl Report {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let latest = || folder::latest(Path::new(MEASUREMENTS));
        let Some(path) = self.folder.clone().or_else(latest) else {
            return Err(Failure::input(format_args!(
                "{MEASUREMENTS}: no folder DEVICE/DAY with {} and {} is here; name a folder of \
                 measurements: umm report DIR",
                crate::measure::DEVICE,
                crate::measure::ALGORITHMS
            )));
        };
        let folder = Folder::read(&path).map_err(Failure::input)?;
        if folder.is_empty() {
            return Err(Failure::input(format_args!(
                "{}: no times are in this folder; see docs/measurements.md",
                path_text(&path)
            )));
        }
        files::check_outputs([&self.output])?;
        let model = self.model.clone().or_else(|| calibrated_for(&folder.device.name));
        let points: Vec<_> = folder.algorithms.iter().collect();
        let settings = Settings::default();
        let predicted = model.map(|it| compared(&folder.path, &points, &it, &[], settings));
        let fidelity = match predicted {
            Some(Ok(it)) => Ok(FidelityTables::of(&it.points)),
            // What was measured is shown all the same.
            Some(Err(failure)) => {
                eprintln!("{failure}\n{}: the page has no predictions", path_text(&self.output));
                Err(failure.to_string())
            }
            None => Err(format!(
                "no calibrated machine of the name {} is shipped; name one with `--model`",
                folder.device.name
            )),
        };
        let fidelity = fidelity.as_ref().map_err(String::as_str);
        let draw = || page(&folder, &published(), fidelity);
        let page = spin("drawing the page", draw).map_err(Failure::run)?;
        files::write(&self.output, |file| file.write_all(page.as_bytes()))
    }
}
