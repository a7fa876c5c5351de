//! How often keys and gaps are searched, from a CSV file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::input::{self, InputError};
use memory_machine_core::host::files::path_text;

/// A file that gives no frequencies.
#[derive(Debug, Error)]
pub enum FrequenciesError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file is no CSV.
    #[error("{}: {source}", path_text(path))]
    Csv {
        /// The file.
        path: PathBuf,
        /// What the CSV reader says.
        source: csv::Error,
    },
    /// A line that is no key with the gap behind it.
    #[error(
        "{}:{line}: {found} column(s); write a key's weight p and, after a comma, the weight q of the gap behind it",
        path_text(path)
    )]
    Columns {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Its fields.
        found: usize,
    },
    /// A key's weight on the first line, which has a gap alone.
    #[error(
        "{}:{line}: column 1: '{field}' before the first gap's weight; no key comes before it, so leave p empty, as in ,{gap}",
        path_text(path)
    )]
    First {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// The text in place of the empty key.
        field: String,
        /// The text of the gap's weight, to show what to write.
        gap: String,
    },
    /// A field that is negative, infinite, or no number.
    #[error(
        "{}:{line}: column {column}: '{field}' is no weight; write a finite number that is not negative",
        path_text(path)
    )]
    Weight {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1: a key's weight, or a gap's.
        column: usize,
        /// Its text.
        field: String,
    },
}

/// Reads the weights `p_1 … p_m` of keys and `q_0 … q_m` of gaps, for
/// [`SearchTree::new`](super::search_tree::SearchTree::new): lines `p,q` of a key and the gap behind
/// it, the first with an empty `p`, under a header `p,q` or none.
///
/// # Errors
/// [`FrequenciesError`] names the file, the line, the column and what to change.
pub fn read(path: &Path) -> Result<[Vec<f64>; 2], FrequenciesError> {
    let text = input::load(path, "write lines p,q: the weights of a key and of the gap behind it")?;
    let mut records = input::records(&text).peekable();
    records.next_if(|it| it.as_ref().is_ok_and(|it| it.fields.iter().eq(["p", "q"])));
    let (mut keys, mut gaps) = (vec![], vec![]);
    for (rank, record) in records.enumerate() {
        let record =
            record.map_err(|source| FrequenciesError::Csv { path: path.into(), source })?;
        let (path, line) = (|| path.to_path_buf(), record.line);
        let fields: Vec<&str> = record.fields.iter().collect();
        let &[key, gap] = fields.as_slice() else {
            return Err(FrequenciesError::Columns { path: path(), line, found: fields.len() });
        };
        let weight = |column, field: &str| match field.parse::<f64>() {
            Ok(weight) if weight.is_finite() && weight >= 0.0 => Ok(weight),
            _ => Err(FrequenciesError::Weight {
                path: path(),
                line,
                column,
                field: field.to_owned(),
            }),
        };
        match (rank, key) {
            (0, "") => {}
            (0, _) => {
                let (field, gap) = (key.to_owned(), gap.to_owned());
                return Err(FrequenciesError::First { path: path(), line, field, gap });
            }
            _ => keys.push(weight(1, key)?),
        }
        gaps.push(weight(2, gap)?);
    }
    Ok([keys, gaps])
}
