//! How often keys and gaps are searched, from a CSV file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::algorithms::input::{self, InputError};

/// A file that gives no frequencies.
#[derive(Debug, Error)]
pub enum FrequenciesError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{}: {source}", path.display())]
    Csv { path: PathBuf, source: csv::Error },
    #[error("{}:{line}: {found} column(s); write a key's weight p and, after a comma, the weight q of the gap behind it", path.display())]
    Columns { path: PathBuf, line: usize, found: usize },
    #[error("{}:{line}: column 1: '{field}' before the first gap's weight; no key comes before it, so leave p empty, as in ,{gap}", path.display())]
    First { path: PathBuf, line: usize, field: String, gap: String },
    #[error("{}:{line}: column {column}: '{field}' is no weight; write a finite number that is not negative", path.display())]
    Weight { path: PathBuf, line: usize, column: usize, field: String },
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
