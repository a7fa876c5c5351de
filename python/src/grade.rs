//! Marks for what students hand in.

use std::path::Path;

use memory_machine::grade::{Assignment, grade as marked, grade_text};
use pyo3::prelude::*;

use crate::error;
use crate::setting::json;

/// A submission against an assignment, as `umm grade --json` has it.
#[pyfunction]
pub fn grade(
    py: Python<'_>,
    assignment: &str,
    submission: &str,
    student: &str,
) -> PyResult<String> {
    let assignment = Assignment::read(Path::new(assignment)).map_err(error)?;
    let marked =
        py.detach(|| marked(&assignment, Path::new(submission), student)).map_err(error)?;
    json(&marked)
}

/// A cell of a notebook likewise.
#[pyfunction]
pub fn grade_cell(
    py: Python<'_>,
    assignment: &str,
    text: String,
    student: &str,
) -> PyResult<String> {
    let assignment = Assignment::read(Path::new(assignment)).map_err(error)?;
    let marked = py.detach(|| grade_text(&assignment, text, student)).map_err(error)?;
    json(&marked)
}
