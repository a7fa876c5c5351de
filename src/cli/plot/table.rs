//! Samples from CSV files, with the line where each stands.

use std::path::{Path, PathBuf};

use clap::Args;

use super::page::shown;
use crate::chart::{self, SampleRow};
use crate::cli::support::Failure;
use crate::host::files;

/// The tables that a chart is of.
#[derive(Debug, Args)]
pub(super) struct Samples {
    /// CSV files of samples, - for standard input
    #[arg(value_name = "SAMPLES.csv", required = true)]
    samples: Vec<PathBuf>,
    /// Only the rows with this value, as in n=8192; repeatable
    #[arg(long, value_name = "COLUMN=VALUE", value_parser = cell)]
    of: Vec<Cell>,
}

/// A value in a column.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) column: String,
    pub(super) value: String,
}

pub(super) fn cell(text: &str) -> Result<Cell, String> {
    let (column, value) = text.split_once('=').ok_or("write COLUMN=VALUE")?;
    Ok(Cell { column: column.to_owned(), value: value.to_owned() })
}

impl Samples {
    /// Their names, for a picture's foot.
    pub(super) fn shown(&self) -> String {
        self.samples.iter().map(|it| shown(it)).collect::<Vec<_>>().join(", ")
    }

    /// Those rows of all files that are asked for, in order.
    pub(super) fn rows(&self) -> Result<Vec<SampleRow>, Failure> {
        let mut rows = vec![];
        for path in &self.samples {
            let text = files::read(path, files::DATA)?;
            let read = chart::samples(&text, &named(path)).map_err(Failure::input)?;
            rows.extend(read);
        }
        let chosen = self
            .of
            .iter()
            .try_fold(rows, |rows, of| SampleRow::chosen(rows, &of.column, &of.value));
        chosen.map_err(Failure::input)
    }
}

/// What messages call a file.
fn named(path: &Path) -> String {
    if path == "-" { "standard input".to_owned() } else { files::path_text(path) }
}
