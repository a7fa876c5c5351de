//! What `memory_machine`, the package of Python, asks of the library. Python's side of it is in
//! `python/memory_machine`: names, defaults, tables and pictures; here are numbers.

mod array;
mod grid;
mod interrupt;
mod listing;
mod opt;
mod points;

use std::ffi::OsString;
use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    memory_machine,
    Error,
    PyValueError,
    "What is wrong with a listing, its sizes, inputs or machine; of a listing with the place."
);

/// The exception that says so.
fn error(message: impl Display) -> PyErr {
    Error::new_err(message.to_string())
}

/// The command `umm`: what its command line says.
#[pyfunction]
fn main(py: Python<'_>) -> PyResult<()> {
    let words: Vec<OsString> = py.import("sys")?.getattr("argv")?.extract()?;
    let code = py.detach(|| memory_machine::cli::main(words));
    std::process::exit(code.into())
}

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::Error;
    #[pymodule_export]
    use super::grid::{bounds, sweep};
    #[pymodule_export]
    use super::listing::{Listing, Run, shipped};
    #[pymodule_export]
    use super::main;
    #[pymodule_export]
    use super::opt::{draw_chords, solve};
    #[pymodule_export]
    use super::points::{draw_edges, draw_hull, greedy, hull};
}
