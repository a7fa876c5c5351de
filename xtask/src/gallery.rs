//! The pictures of `plots/`, and the samples that they are drawn from.

use std::path::{Path, PathBuf};

use clap::Args;
use memory_machine::chart::Theme;
use memory_machine::chart::measurement::{Chart, MeasurementSource, Predictions, figures};
use memory_machine::measure::folder::Folder;
use memory_machine::{cli, models};

use crate::{Failure, root, samples};

/// Draw plots/ again, from what is in plots/data.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo xtask gallery
  cargo xtask gallery --samples
  cargo xtask gallery --measured models/measurements/nvidia-h200/2026-11-22 -o /tmp/pictures")]
pub struct Gallery {
    /// Count the samples of plots/data first, which takes minutes.
    #[arg(long)]
    samples: bool,
    /// In place of the gallery, draw every chart of a folder of measurements, to look at.
    #[arg(long, value_name = "FOLDER", requires = "output")]
    measured: Option<PathBuf>,
    /// Where to write them, in place of plots/.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Gallery {
    pub fn run(self) -> Result<(), Failure> {
        let output = self.output.map_or_else(|| Ok(root().join("plots")), std::path::absolute)?;
        if let Some(folder) = self.measured {
            return draw_measured(&folder, &output);
        }
        if self.samples {
            samples::write()?;
        }
        std::env::set_current_dir(root())?;
        draw(&["plot", "gallery", "-o", &output.to_string_lossy()])
    }
}

/// Does what `umm` does with these arguments.
pub fn draw(words: &[&str]) -> Result<(), Failure> {
    let words = ["umm"].iter().chain(words).copied();
    cli::try_main(words)?.map_err(|failure| failure.to_string().into())
}

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

fn draw_measured(folder: &Path, output: &Path) -> Result<(), Failure> {
    let folder = Folder::read(folder)?;
    let (published, predictions) = (models::published(), Predictions::default());
    let measured =
        MeasurementSource { folder: &folder, published: &published, predictions: &predictions };
    std::fs::create_dir_all(output)?;
    for chart in CHARTS {
        for (index, figure) in figures(chart, measured).iter().enumerate() {
            for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
                let name = format!("{chart:?}-{index:02}-{name}.svg").to_lowercase();
                std::fs::write(output.join(name), figure.scene(theme.into(), None).svg())?;
            }
        }
    }
    Ok(())
}
