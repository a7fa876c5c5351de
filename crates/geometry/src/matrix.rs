//! Matrices and vectors as CSV files.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

use crate::input::{self, InputError};
use memory_machine_core::host::files::path_text;

/// Numbers in rows of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix<T = f64> {
    /// How many rows there are.
    pub rows: usize,
    /// The length of every row.
    pub columns: usize,
    /// Row-major.
    pub numbers: Vec<T>,
    /// In the file, of each row.
    lines: Vec<usize>,
}

/// A CSV file that is no matrix.
#[derive(Debug, Error)]
pub enum MatrixError {
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
    /// A file of another format: `why` says what is wrong with it, and what to do.
    #[error("{}: {why}", path_text(path))]
    Binary {
        /// The file.
        path: PathBuf,
        /// The end of the message.
        why: String,
    },
    /// A row that is longer or shorter than those above.
    #[error(
        "{}:{line}: {found} column(s), but the rows above have {columns}; give every row the same number",
        path_text(path)
    )]
    Columns {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Fields of this row.
        found: usize,
        /// Fields of every row above.
        columns: usize,
    },
    /// A field without text.
    #[error(
        "{}:{line}: column {column}: the field is empty; write a number, or leave out the comma",
        path_text(path)
    )]
    Empty {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// `why` says what the field is not, and what to write.
    #[error("{}:{line}: column {column}: '{field}' {why}", path_text(path))]
    Field {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// Its text.
        field: String,
        /// The end of the message: what the field is not, and what to write.
        why: String,
    },
}

/// A field as a float of type `F`, the nearest; `inf` is +∞.
///
/// # Errors
/// What stands after the field in a message: it is no number, or a finite one that `F` takes for
/// infinite.
pub fn float<F: FromStr + Into<f64> + Copy>(field: &str) -> Result<F, String> {
    let number = field.parse::<F>().ok().filter(|&it| !it.into().is_nan());
    let number = number.ok_or("is not a number; write one such as 12.5, or inf")?;
    if number.into().is_infinite() && field.contains(|it: char| it.is_ascii_digit()) {
        let bits = 8 * size_of::<F>();
        return Err(format!("is too large for f{bits}; write a smaller number, or inf"));
    }
    Ok(number)
}

impl Matrix {
    /// Reads a CSV file without header, one row a line; `inf` is +∞.
    ///
    /// # Errors
    /// [`MatrixError`] names the file, the line, the column and what to change.
    pub fn read_csv(path: &Path) -> Result<Self, MatrixError> {
        Self::read(path, float)
    }
}

impl<T> Matrix<T> {
    /// Rows of this many columns.
    pub fn new(columns: usize, numbers: Vec<T>) -> Self {
        let rows = numbers.len().checked_div(columns).unwrap_or(0);
        Self { rows, columns, numbers, lines: (1..=rows).collect() }
    }

    /// As [`Matrix::read`], of columns of these names, if the first line names columns.
    ///
    /// # Errors
    /// As [`Matrix::read`]; a name that is none of the first line's.
    pub fn read_columns(
        path: &Path,
        names: &[String],
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Self, MatrixError> {
        let text = input::load(path, "write one row of numbers a line, with commas between")?;
        let head = input::records(&text).next().and_then(Result::ok);
        let is_head = |it: &input::Record| it.fields.iter().any(|it| it.parse::<f64>().is_err());
        let Some(head) = head.filter(|it| !names.is_empty() && is_head(it)) else {
            return Self::of_text(path, &text, None, parse);
        };
        let place = |name: &String| {
            head.fields.iter().position(|it| it == name).ok_or_else(|| {
                let known: Vec<&str> = head.fields.iter().collect();
                let why = format!(
                    "has no column `{name}`; its first line names {}: change it, or the listing's fields",
                    known.join(", ")
                );
                MatrixError::Binary { path: path.into(), why }
            })
        };
        let places = names.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        Self::of_text(path, &text, Some(&places), parse)
    }

    /// As [`Matrix::read_csv`], with `parse` to read a field or to say what is wrong with it, as
    /// [`float`] does.
    ///
    /// # Errors
    /// [`MatrixError`] names the file, the line, the column and what to change.
    pub fn read(
        path: &Path,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Self, MatrixError> {
        let text = input::load(path, "write one row of numbers a line, with commas between")?;
        Self::of_text(path, &text, None, parse)
    }

    /// The columns at these places, of a text whose first line names them; else all.
    fn of_text(
        path: &Path,
        text: &str,
        places: Option<&[usize]>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Self, MatrixError> {
        let (mut columns, mut numbers, mut lines) = (0, vec![], vec![]);
        for record in input::records(text).skip(usize::from(places.is_some())) {
            let record = record.map_err(|source| MatrixError::Csv { path: path.into(), source })?;
            let (line, found) = (record.line, record.fields.len());
            if lines.is_empty() {
                columns = found;
            }
            let all = || (0..found).collect();
            for at in places.map_or_else(all, |it| it.to_vec()) {
                let (field, column) = (record.fields.get(at).unwrap_or_default(), at + 1);
                let path = || path.to_path_buf();
                if field.is_empty() {
                    return Err(MatrixError::Empty { path: path(), line, column });
                }
                numbers.push(parse(field).map_err(|why| {
                    let field = field.to_owned();
                    MatrixError::Field { path: path(), line, column, field, why }
                })?);
            }
            if found != columns {
                let path = path.to_path_buf();
                return Err(MatrixError::Columns { path, line, found, columns });
            }
            lines.push(line);
        }
        let columns = places.map_or(columns, <[usize]>::len);
        Ok(Self { rows: lines.len(), columns, numbers, lines })
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
