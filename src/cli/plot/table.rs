//! Samples from CSV files, with the line where each stands.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;

use super::shown;
use crate::chart::SampleRow;
use crate::cli::Failure;
use crate::host::files;
use crate::measure::Checked;
use crate::sample::Sample;

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
            let before = rows.len();
            read(path, &mut rows)?;
            if rows.len() == before {
                return Err(Failure::input(format_args!(
                    "{}: no samples below the header; give a file with at least one",
                    path.display()
                )));
            }
        }
        Ok(rows)
    }
}

fn columns() -> Vec<String> {
    let mut writer = csv::Writer::from_writer(vec![]);
    let _ = writer.serialize(Sample::default());
    let text = writer.into_inner().unwrap_or_default();
    let header = String::from_utf8_lossy(&text);
    header.lines().next().unwrap_or("").split(',').map(str::to_owned).collect()
}

fn read(path: &Path, rows: &mut Vec<SampleRow>) -> Result<(), Failure> {
    let text = files::read(path, files::DATA)?;
    let file: Rc<str> =
        if path == "-" { "standard input".into() } else { path.display().to_string().into() };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let fail = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        Failure::input(match error.kind() {
            csv::ErrorKind::Deserialize { err, .. } => {
                let column = err.field().and_then(|it| columns_of(&text).get(it as usize).cloned());
                let column = column.map_or(String::new(), |it| format!(" column `{it}`:"));
                format!("{file}:{line}:{column} {}", err.kind())
            }
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{file}:{line}: {len} fields; the header has {expected_len}")
            }
            _ => format!("{file}:{line}: {error}"),
        })
    };
    let header = reader.headers().map_err(|error| fail(&error))?.clone();
    let known = columns();
    if let Some(name) = header.iter().find(|name| !known.iter().any(|it| it == name)) {
        return Err(Failure::input(format_args!(
            "{file}:1: unknown column `{name}`; the columns of samples are: {}",
            known.join(", ")
        )));
    }
    for name in ["algorithm", "set"] {
        if !header.is_empty() && !header.iter().any(|it| it == name) {
            return Err(Failure::input(format_args!("{file}:1: the column `{name}` is missing")));
        }
    }
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| fail(&error))? {
        let line = record.position().map_or(0, csv::Position::line);
        let sample: Sample = record.deserialize(Some(&header)).map_err(|error| fail(&error))?;
        sample.check().map_err(|it| Failure::input(format_args!("{file}:{line}: {it}")))?;
        rows.push(SampleRow { sample, file: file.clone(), line });
    }
    Ok(())
}

/// The names in the header.
fn columns_of(text: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.headers().map(|it| it.iter().map(str::to_owned).collect()).unwrap_or_default()
}
