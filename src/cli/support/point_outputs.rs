//! What a command on points writes and prints.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::Failure;
use super::files::{self, StagedOutput};
use super::options::{ThemeOption, os};
use super::picture::{encode, picture};
use super::point_set::{is_geojson, table};
use crate::chart::{ChartError, Scene, Theme};

#[derive(Debug, Args)]
pub(crate) struct Outputs {
    /// Draw what was found
    #[arg(short = 'o', long, value_name = "FILE.svg|.png", value_parser = os(picture))]
    draw: Option<PathBuf>,
    /// Colours for light or for dark pages
    #[arg(long, value_enum, default_value_t = ThemeOption::Light)]
    theme: ThemeOption,
    /// Write what was found
    #[arg(long, alias = "output", value_name = "FILE.csv|.geojson", value_parser = os(table))]
    csv: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Outputs {
    /// Whether the report is for programs.
    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Refuses files that could not be written, before anything is computed.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        files::check_outputs(self.draw.iter().chain(&self.csv))
    }

    /// Every file is written before the first takes its place: all appear, or none. `table` and
    /// `layer` write CSV and GeoJSON; `staged` are files that were written before.
    pub(crate) fn write(
        &self,
        scene: impl FnOnce(Theme) -> Result<Scene, ChartError>,
        table: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        layer: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        mut staged: Vec<StagedOutput>,
    ) -> Result<(), Failure> {
        if let Some(path) = &self.draw {
            let picture = encode(&scene(self.theme.theme()).map_err(Failure::input)?, path)?;
            staged.push(StagedOutput::new(path, |file| file.write_all(&picture))?);
        }
        if let Some(path) = &self.csv {
            staged.push(match is_geojson(path) {
                true => StagedOutput::new(path, |file| layer(file))?,
                false => StagedOutput::new(path, |file| table(file))?,
            });
        }
        staged.into_iter().try_for_each(StagedOutput::keep)
    }

    /// Prints a report, for programs or as `render_text` has it.
    pub(crate) fn print<R: Serialize>(
        &self,
        report: &R,
        render_text: impl FnOnce(&R) -> String,
    ) -> Result<(), Failure> {
        if self.json { files::print_json(report) } else { files::print(&render_text(report)) }
    }
}
