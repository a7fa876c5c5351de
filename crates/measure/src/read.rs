//! Files of measurements, and why they cannot be read.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::plausibility::{Checked, Implausible};
use memory_machine_core::host::files::{self, path_text};

/// Why a folder of measurements cannot be read.
#[derive(Debug, Error)]
pub enum MeasurementError {
    /// A file that is not there, or may not be read.
    #[error(
        "{}: cannot read it: {source}; name a folder that `umm gpu measure` wrote",
        path_text(path)
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A row that does not have the columns, or the types, of its table.
    #[error(
        "{}:{line}: {reason}; correct or remove the row, or measure again into another folder",
        path_text(path)
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// From 1, the header included.
        line: u64,
        /// What the CSV reader says, with the column.
        reason: String,
    },
    /// A description of the device that is no such JSON.
    #[error(
        "{}:{}:{}: {}; correct it, or measure again into another folder",
        path_text(path), source.line(), source.column(), without_place(source)
    )]
    Device {
        /// The file.
        path: PathBuf,
        /// What the JSON reader says.
        source: serde_json::Error,
    },
    /// A row with a number that cannot have been measured.
    #[error("{}:{line}: {source}", path_text(path))]
    Implausible {
        /// The file.
        path: PathBuf,
        /// From 1, the header included.
        line: u64,
        /// Which column, and why.
        source: Implausible,
    },
    /// A description of the device with a number that no device has.
    #[error("{}: {source}", path_text(path))]
    ImpossibleDevice {
        /// The file.
        path: PathBuf,
        /// Which field, and why.
        source: Implausible,
    },
    /// A file that cannot be created or appended to.
    #[error("{}: cannot write it: {source}", path_text(path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A table that another process has open.
    #[error(
        "{}: another process is measuring into it; wait for it, or give another -o",
        path_text(path)
    )]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Rows that another listing of the same name would be mixed with.
    #[error(
        "{}: holds times of another listing called `{name}`; measure into another folder, or rename \
         the algorithm",
        path_text(folder)
    )]
    OtherListing {
        /// The folder of measurements.
        folder: PathBuf,
        /// The listing's name.
        name: String,
    },
}

/// What is wrong with a JSON text; its reader says the place once more.
pub(super) fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split(" at line ").next().unwrap_or_default().to_owned()
}

/// Where a CSV file is malformed; its header if that is not known.
pub fn line_of(error: &csv::Error) -> u64 {
    error.position().map_or(1, csv::Position::line)
}

/// What is wrong there, without the line.
pub fn reason(error: &csv::Error, header: &csv::StringRecord) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let column = err.field().and_then(|it| header.get(usize::try_from(it).ok()?));
            let wrong = match err.kind() {
                csv::DeserializeErrorKind::ParseInt(_) => "is no whole number".to_owned(),
                csv::DeserializeErrorKind::ParseFloat(_) => "is no number".to_owned(),
                other => format!("cannot be read: {other}"),
            };
            column.map_or_else(|| err.to_string(), |column| format!("column `{column}` {wrong}"))
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields; the header has {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => "not UTF-8 text".to_owned(),
        _ => error.to_string(),
    }
}

/// The rows of a CSV file.
///
/// # Errors
/// [`MeasurementError`] with the file, and the line if a row is malformed or impossible.
pub fn read<R: Checked + DeserializeOwned>(path: &Path) -> Result<Vec<R>, MeasurementError> {
    let unreadable = |source| MeasurementError::Unreadable { path: path.into(), source };
    let file = files::open(path, files::DATA).map_err(unreadable)?;
    parse(path, file)
}

/// The rows of a CSV file; none if it is not there.
pub(super) fn read_if_there<R: Checked + DeserializeOwned>(
    path: &Path,
) -> Result<Vec<R>, MeasurementError> {
    if path.exists() { read(path) } else { Ok(vec![]) }
}

pub(super) fn malformed(
    path: &Path,
    error: &csv::Error,
    header: &csv::StringRecord,
) -> MeasurementError {
    let (line, reason) = (line_of(error), reason(error, header));
    MeasurementError::Malformed { path: path.into(), line, reason }
}

/// The rows of a CSV text that stands in `path`.
///
/// # Errors
/// As [`read`].
pub(super) fn parse<R: Checked + DeserializeOwned>(
    path: &Path,
    text: impl Read,
) -> Result<Vec<R>, MeasurementError> {
    let mut reader = csv::Reader::from_reader(text);
    let header =
        reader.headers().map_err(|it| malformed(path, &it, &csv::StringRecord::new()))?.clone();
    let malformed = |error| malformed(path, &error, &header);
    let mut rows = vec![];
    for record in reader.into_records() {
        let record = record.map_err(malformed)?;
        let row: R = record.deserialize(Some(&header)).map_err(malformed)?;
        let line = record.position().map_or(0, csv::Position::line);
        row.check().map_err(|source| MeasurementError::Implausible {
            path: path.into(),
            line,
            source,
        })?;
        rows.push(row);
    }
    Ok(rows)
}
