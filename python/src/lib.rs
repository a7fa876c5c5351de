//! What `memory_machine`, the package of Python, asks of the library. Python's side of it is in
//! `python/memory_machine`: names, defaults, tables and pictures; here are numbers.

mod array;
mod grade;
mod graph;
mod grid;
mod interrupt;
mod kernel;
mod listing;
mod measurements;
mod message;
mod opt;
mod plot;
mod points;
mod run;
mod setting;

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

/// The exception that says so, in Python's words.
fn error(message: impl Display) -> PyErr {
    Error::new_err(message::in_python(&message.to_string()))
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
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::Error;
    #[pymodule_export]
    use super::grade::{grade, grade_cell};
    #[pymodule_export]
    use super::graph::{Graph, derive};
    #[pymodule_export]
    use super::grid::{bounds, complexity, sweep};
    #[pymodule_export]
    use super::kernel::{Kernel, KernelRun};
    #[pymodule_export]
    use super::listing::{Listing, replay, shipped, verify_step};
    #[pymodule_export]
    use super::main;
    #[pymodule_export]
    use super::measurements::{calibrate, compare, described_machines, draw_measured, fit, report};
    #[pymodule_export]
    use super::opt::{draw_chords, matrix_chain, search_tree, solve};
    #[pymodule_export]
    use super::plot::{
        draw_cells, draw_peers, draw_pipeline, draw_samples, draw_trace, read_text, sample_columns,
    };
    #[pymodule_export]
    use super::points::{draw_edges, draw_hull, greedy, hull, triangles};
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::setting::rules;
}
