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
}

impl Samples {
    /// Their names, for a picture's foot.
    pub(super) fn shown(&self) -> String {
        self.samples.iter().map(|it| shown(it)).collect::<Vec<_>>().join(", ")
    }

    /// The rows of all files, in order.
    pub(super) fn rows(&self) -> Result<Vec<SampleRow>, Failure> {
        let mut rows = vec![];
        for path in &self.samples {
            let text = files::read(path, files::DATA)?;
            let read = chart::samples(&text, &named(path)).map_err(Failure::input)?;
            rows.extend(read);
        }
        Ok(rows)
    }
}

/// What messages call a file.
fn named(path: &Path) -> String {
    if path == "-" { "standard input".to_owned() } else { files::path_text(path) }
}
