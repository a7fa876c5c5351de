//! Weights of the chords of a polygon, made by code or read from a CSV matrix.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::super::input::{self, InputError, Record};

/// Weights `c` of the chords of an `n`-gon, `n ≥ 3`: symmetric, 0 for polygon edges and on the
/// main diagonal, +∞ for a chord that may not be used, never NaN or −∞.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    n: usize,
    cells: Vec<f32>,
}

/// A CSV file that is no matrix of weights.
#[derive(Debug, Error)]
pub enum WeightsError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{}: {source}", path.display())]
    Csv { path: PathBuf, source: csv::Error },
    #[error("{}: {n} rows, but a polygon has at least three vertices; give one row and one column a vertex", path.display())]
    TooFew { path: PathBuf, n: usize },
    #[error("{}:{line}: {found} columns, but the file has {n} rows; give one row and one column a vertex", path.display())]
    Columns { path: PathBuf, line: usize, found: usize, n: usize },
    #[error("{}:{line}: column {}: '{field}' is not a weight; write a number, or inf for a chord that may not be used", path.display(), j + 1)]
    NotAWeight { path: PathBuf, line: usize, j: usize, field: String },
    #[error("{}:{line}: column {}: c[{i}][{j}] = {weight} lies on a polygon edge or the main diagonal; write 0 or leave it empty", path.display(), j + 1)]
    NotAChord { path: PathBuf, line: usize, i: usize, j: usize, weight: f32 },
    #[error("{}:{line}: column {}: c[{i}][{j}] = {lower}, but c[{j}][{i}] = {upper}; make them equal or leave the one below the main diagonal empty", path.display(), j + 1)]
    Asymmetric { path: PathBuf, line: usize, i: usize, j: usize, lower: f32, upper: f32 },
}

impl Weights {
    /// Weights of the chords as `weight(a, b)` gives them; it is asked once for each chord, with
    /// `a < b`, in row-major order. `O(n²)` time.
    ///
    /// # Panics
    /// If `n < 3`, or a weight is NaN or −∞: both are mistakes of the calling code.
    pub fn from_chords(n: usize, mut weight: impl FnMut(usize, usize) -> f32) -> Self {
        assert!(n >= 3, "a polygon has at least three vertices");
        let mut cells = vec![0.0; n * n];
        for a in 0..n {
            for b in (a + 2)..n - usize::from(a == 0) {
                let weight = weight(a, b);
                assert!(is_weight(weight), "chord {a}–{b} weighs {weight}");
                cells[a * n + b] = weight;
                cells[b * n + a] = weight;
            }
        }
        Self { n, cells }
    }

    /// Weights that the caller has laid out as this type demands.
    pub(in crate::algorithms) fn from_cells(n: usize, cells: Vec<f32>) -> Self {
        debug_assert_eq!(cells.len(), n * n);
        Self { n, cells }
    }

    /// Reads a square CSV matrix of weights, one row a vertex, without a header. `inf` is +∞. Cells
    /// on and below the main diagonal, and those of polygon edges, may be empty.
    ///
    /// # Errors
    /// [`WeightsError`] names the file, the line, the column and what to change.
    pub fn read_csv(path: &Path) -> Result<Self, WeightsError> {
        let text = input::load(path, "write a square matrix of weights, one row a vertex")?;
        let records = input::records(&text)
            .map_err(|source| WeightsError::Csv { path: path.into(), source })?;
        let n = records.len();
        if n < 3 {
            return Err(WeightsError::TooFew { path: path.into(), n });
        }
        // Checked before n² cells are asked for, which the file then has too.
        if let Some(record) = records.iter().find(|record| record.fields.len() != n) {
            return Err(WeightsError::Columns {
                path: path.into(),
                line: record.line,
                found: record.fields.len(),
                n,
            });
        }
        let mut cells = vec![0.0; n * n];
        for (i, record) in records.iter().enumerate() {
            read_row(path, record, i, n, &mut cells)?;
        }
        Ok(Self { n, cells })
    }

    /// Number of vertices.
    pub const fn n(&self) -> usize {
        self.n
    }

    /// `c[i][j]`.
    ///
    /// # Panics
    /// If a vertex is not below `n`.
    pub fn get(&self, i: usize, j: usize) -> f32 {
        assert!(i < self.n && j < self.n, "no chord {i}–{j} among {} vertices", self.n);
        self.cells[i * self.n + j]
    }

    /// `n × n` weights, row-major.
    pub fn as_slice(&self) -> &[f32] {
        &self.cells
    }
}

/// Fills row `i` right of the main diagonal, and mirrors it into column `i`; left of it, checks
/// what earlier rows have mirrored.
fn read_row(
    path: &Path,
    record: &Record,
    i: usize,
    n: usize,
    cells: &mut [f32],
) -> Result<(), WeightsError> {
    let line = record.line;
    let path = || path.to_path_buf();
    for (j, field) in record.fields.iter().enumerate() {
        let is_chord = i.abs_diff(j) >= 2 && i.abs_diff(j) != n - 1;
        if field.is_empty() && (!is_chord || j < i) {
            continue;
        }
        let weight = match field.parse::<f32>() {
            Ok(weight) if is_weight(weight) => weight,
            _ => {
                return Err(WeightsError::NotAWeight {
                    path: path(),
                    line,
                    j,
                    field: field.to_owned(),
                });
            }
        };
        if !is_chord {
            if weight != 0.0 {
                return Err(WeightsError::NotAChord { path: path(), line, i, j, weight });
            }
        } else if i < j {
            cells[i * n + j] = weight;
            cells[j * n + i] = weight;
        } else if cells[i * n + j] != weight {
            return Err(WeightsError::Asymmetric {
                path: path(),
                line,
                i,
                j,
                lower: weight,
                upper: cells[i * n + j],
            });
        }
    }
    Ok(())
}

fn is_weight(weight: f32) -> bool {
    weight > f32::NEG_INFINITY
}
