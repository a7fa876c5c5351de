//! Weights of chords from a CSV file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Nearest, Weights};
use crate::matrix::{Matrix, MatrixError};
use memory_machine_core::host::files::path_text;

/// A file that gives no weights of chords.
#[derive(Debug, Error)]
pub enum GivenError {
    /// The file is no matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// As many rows as columns are needed.
    #[error(
        "{}: {rows} rows of {columns} columns, but the weights of n vertices are n × n; give every vertex a row and a column",
        path_text(path)
    )]
    NotSquare {
        /// The file.
        path: PathBuf,
        /// As found.
        rows: usize,
        /// As found.
        columns: usize,
    },
    /// No polygon has so few vertices.
    #[error(
        "{}: {n} × {n} weights, but a polygon has at least three vertices; give at least 3 × 3",
        path_text(path)
    )]
    TooFew {
        /// The file.
        path: PathBuf,
        /// Vertices, that is rows.
        n: usize,
    },
    /// A weight that no chord can have, or that the type of the numbers does not hold.
    #[error("{}:{line}: column {column}: chord {}–{} weighs {weight}; {remedy}", path_text(path), chord.0, chord.1)]
    Cell {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The vertices that it joins, from 0.
        chord: (usize, usize),
        /// As the file has it.
        weight: f64,
        /// What to write instead.
        remedy: &'static str,
    },
    /// A weight too large for totals of the type that is computed with.
    #[error("{}:{line}: column {column}: chord {}–{} weighs {weight}, and the sum of {} such weights could leave the range of {kind}; use --type f64, or smaller weights", path_text(path), chord.0, chord.1, n - 2)]
    Range {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// The vertices that it joins, from 0.
        chord: (usize, usize),
        /// As the file has it.
        weight: f64,
        /// Vertices of the polygon; a triangulation weighs as much as n − 2 such chords at most.
        n: usize,
        /// The type of the numbers, as in `f32`.
        kind: &'static str,
    },
}

/// Reads the weights of the chords of `n` vertices: `n` rows of `n` numbers, of which those above the
/// diagonal count: row `a`, column `b` is the weight of chord `v_a v_b`, `a < b`, or `inf` if it may
/// not be used. Edges of the polygon, `v_0 v_{n−1}` among them, are no chords: their cells and those
/// on and below the diagonal hold numbers, too, but what they hold does not matter.
///
/// `O(n²)` time and memory.
///
/// # Errors
/// [`GivenError`] names the file and, where a cell is at fault, line and column: what is no number,
/// −∞, no whole number where `T` has only those, or so large that a sum could leave `T`'s range, or
/// so small that `T` would round it to 0 or nearly.
pub fn read<T: Nearest>(path: &Path) -> Result<Weights<T>, GivenError> {
    weights(path, &Matrix::read_csv(path)?)
}

/// The same of a matrix, which errors call `path`.
///
/// # Errors
/// As [`read`].
pub fn weights<T: Nearest>(path: &Path, matrix: &Matrix) -> Result<Weights<T>, GivenError> {
    let (n, columns) = (matrix.rows, matrix.columns);
    if columns != n {
        return Err(GivenError::NotSquare { path: path.into(), rows: n, columns });
    }
    if n < 3 {
        return Err(GivenError::TooFew { path: path.into(), n });
    }
    for a in 0..n {
        for b in a + 2..n - usize::from(a == 0) {
            let weight = matrix.numbers[a * n + b];
            let (path, line, column) = (path.to_path_buf(), matrix.line(a), b + 1);
            let remedy = if weight == f64::NEG_INFINITY {
                "write a number, or inf for a chord that may not be used"
            } else if T::WHOLE && weight.is_finite() && weight.fract() != 0.0 {
                "write a whole number, or use --type f32 or f64"
            } else if weight.is_finite() && !T::holds(n, weight.abs()) {
                let (chord, kind) = ((a, b), T::NAME);
                return Err(GivenError::Range { path, line, column, chord, weight, n, kind });
            } else if T::nearest(weight.abs()) < T::nearest(T::LEAST) && weight != 0.0 {
                "that is too small for the type; use --type f64, or larger weights"
            } else {
                continue;
            };
            return Err(GivenError::Cell { path, line, column, chord: (a, b), weight, remedy });
        }
    }
    Ok(Weights::from_chords(n, |a, b| T::nearest(matrix.numbers[a * n + b])))
}
