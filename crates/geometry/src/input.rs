//! Input files as text and as CSV records that know their line.

use std::path::{Path, PathBuf};

use thiserror::Error;

use memory_machine_core::host::files::{self, FileError, path_text};

/// An input file that cannot be read as text.
#[derive(Debug, Error)]
pub enum InputError {
    /// It is not there, cannot be read, or is not UTF-8.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is nothing in it.
    #[error("{}: the file is empty; {remedy}", path_text(path))]
    Empty {
        /// The file.
        path: PathBuf,
        /// What to write into it.
        remedy: &'static str,
    },
}

/// The file's text without a byte order mark. `remedy` tells what an empty file should hold.
pub(crate) fn load(path: &Path, remedy: &'static str) -> Result<String, InputError> {
    let text = files::read(path, files::DATA)?;
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    if text.trim().is_empty() {
        return Err(InputError::Empty { path: path.into(), remedy });
    }
    Ok(text)
}

/// A line of a CSV file: its number, counted from 1, and its trimmed fields.
pub(crate) struct Record {
    pub(crate) line: usize,
    pub(crate) fields: csv::StringRecord,
}

/// The records of comma-separated `text`, of any number of fields each, one at a time; blank lines
/// are skipped.
pub(crate) fn records(text: &str) -> impl Iterator<Item = Result<Record, csv::Error>> {
    records_of(text, b',')
}

/// The same of fields with another byte between.
pub(crate) fn records_of(
    text: &str,
    delimiter: u8,
) -> impl Iterator<Item = Result<Record, csv::Error>> {
    let reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    // The reader's own line number is that of the first blank line before the record, so lines are
    // counted here.
    let (mut line, mut counted) = (1, 0);
    let mut numbered = move |fields: csv::StringRecord| {
        let mut start =
            fields.position().map_or(counted, |at| usize::try_from(at.byte()).unwrap_or(counted));
        start += text[start..].len() - text[start..].trim_start_matches(['\r', '\n']).len();
        line += newlines(&text.as_bytes()[counted..start]);
        counted = start;
        Record { line, fields }
    };
    let is_blank = |record: &Record| record.fields.iter().eq([""]);
    let records = reader.into_records().map(move |it| it.map(&mut numbered));
    records.filter(move |it| !it.as_ref().is_ok_and(is_blank))
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}
