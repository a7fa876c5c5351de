//! Listings over a grid of sizes and machines.

use std::collections::HashMap;
use std::sync::Arc;

use memory_machine::case::{Case, CaseCache};
use memory_machine::diagnostic::Source;
use memory_machine::language::program::Program;
use memory_machine::sample::Sample;
use memory_machine::sweep::{Points, SweepSpec};
use memory_machine::theory::{self, Bound};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde::Serialize;

use crate::error;
use crate::interrupt::interruptible;
use crate::listing::{Listing, case_error, json};

/// The rows of a sweep, as JSON; `spec` is the text of a SPEC.toml.
#[pyfunction]
pub fn sweep(py: Python<'_>, listings: Vec<Py<Listing>>, spec: String) -> PyResult<String> {
    let phases = parse(&spec)?.phases;
    let rows = |case: &Case| match phases {
        true => case.samples().map_err(case_error),
        false => case.sample().map(|row| vec![row]).map_err(case_error),
    };
    each(py, &listings, &spec, rows)
}

/// What is known of every point's time, as JSON: a row for each bound.
#[pyfunction]
pub fn bounds(py: Python<'_>, listings: Vec<Py<Listing>>, spec: String) -> PyResult<String> {
    let known: HashMap<String, CaseCache> =
        listings.iter().map(|it| (it.get().program.name.clone(), CaseCache::default())).collect();
    each(py, &listings, &spec, |case| judged(case, &known[&case.program.name]))
}

/// One bound of one point.
#[derive(Serialize)]
struct Judged {
    #[serde(flatten)]
    point: Sample,
    bound: &'static str,
    kind: theory::BoundKind,
    of_phase: Option<String>,
    value: f64,
    /// What the bound is on: of the whole run, or of the phase.
    time: f64,
    holds: bool,
    formula: &'static str,
    theorem: &'static str,
}

fn judged(case: &Case, known: &CaseCache) -> PyResult<Vec<Judged>> {
    let timed = case.time().map_err(case_error)?;
    let point = case.row().taking(timed.total());
    let judge = |it: Bound| {
        let time = theory::time_of(&case.program, &timed.counts, it.phase.as_deref());
        Judged {
            point: point.clone(),
            bound: it.name,
            kind: it.kind,
            value: it.value as f64,
            time: time as f64,
            holds: it.holds(time),
            formula: it.formula,
            theorem: it.source,
            of_phase: it.phase,
        }
    };
    Ok(known.bounds(case, &timed).into_iter().map(judge).collect())
}

fn parse(text: &str) -> PyResult<SweepSpec> {
    SweepSpec::parse(Source { name: "sweep".to_owned(), text: text.to_owned() }).map_err(error)
}

/// The rows of every point, on all cores, in the order of the grid.
fn each<R: Serialize + Send>(
    py: Python<'_>,
    listings: &[Py<Listing>],
    spec: &str,
    rows: impl Fn(&Case) -> PyResult<Vec<R>> + Sync + Send,
) -> PyResult<String> {
    let programs: Vec<Arc<Program>> = listings.iter().map(|it| it.get().program.clone()).collect();
    let spec = parse(spec)?;
    interruptible(py, |stop| {
        let points = Points::new(&spec, &programs).map_err(error)?;
        points.check().map_err(error)?;
        let one = |index: usize| {
            stop.check();
            rows(&points.get(index))
        };
        let all: Vec<Vec<R>> =
            (0..points.len()).into_par_iter().map(one).collect::<PyResult<_>>()?;
        json(&all.into_iter().flatten().collect::<Vec<R>>())
    })
}
