//! Matrices and vectors as CSV files.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::input::{self, InputError};

/// Numbers in rows of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    /// Row-major.
    pub numbers: Vec<f64>,
    /// In the file, of each row.
    lines: Vec<usize>,
}

/// A CSV file that is no matrix.
#[derive(Debug, Error)]
pub enum MatrixError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{}: {source}", path.display())]
    Csv { path: PathBuf, source: csv::Error },
    #[error("{}:{line}: {found} column(s), but the rows above have {columns}; give every row the same number", path.display())]
    Columns { path: PathBuf, line: usize, found: usize, columns: usize },
    #[error("{}:{line}: column {column}: '{field}' is not a number; write one such as 12.5, or inf", path.display())]
    NotANumber { path: PathBuf, line: usize, column: usize, field: String },
}

impl Matrix {
    /// Reads a CSV file without header, one row a line; `inf` is +∞.
    ///
    /// # Errors
    /// [`MatrixError`] names the file, the line, the column and what to change.
    pub fn read_csv(path: &Path) -> Result<Self, MatrixError> {
        let text = input::load(path, "write one row of numbers a line, with commas between")?;
        let records = input::records(&text)
            .map_err(|source| MatrixError::Csv { path: path.into(), source })?;
        let columns = records.first().map_or(0, |record| record.fields.len());
        let mut numbers = Vec::with_capacity(records.len() * columns);
        for record in &records {
            let (path, line, found) = (path.to_path_buf(), record.line, record.fields.len());
            if found != columns {
                return Err(MatrixError::Columns { path, line, found, columns });
            }
            for (index, field) in record.fields.iter().enumerate() {
                match field.parse::<f64>() {
                    Ok(number) if !number.is_nan() => numbers.push(number),
                    _ => {
                        let (column, field) = (index + 1, field.to_owned());
                        return Err(MatrixError::NotANumber { path, line, column, field });
                    }
                }
            }
        }
        let lines = records.iter().map(|record| record.line).collect();
        Ok(Self { rows: records.len(), columns, numbers, lines })
    }

    /// The line of the file, from 1, that holds a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn line(&self, row: usize) -> usize {
        self.lines[row]
    }

    /// Whether the numbers, row-major, are those of an array of these extents: a vector as one row
    /// or one column, higher dimensions with all but the last as rows.
    pub fn fits(&self, extents: &[u64]) -> bool {
        let (rows, columns) = (self.rows as u64, self.columns as u64);
        match extents {
            [n] => rows * columns == *n && (rows == 1 || columns == 1),
            [outer @ .., last] => columns == *last && rows == outer.iter().product::<u64>(),
            [] => false,
        }
    }
}
