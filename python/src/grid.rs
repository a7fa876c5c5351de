//! Listings over a grid of sizes and machines.

use std::collections::HashMap;
use std::sync::Arc;

use memory_machine::case::claim::{ClaimVerdict, UnitCost, figure, subject};
use memory_machine::case::scaling::{Row, fit_terms, terms};
use memory_machine::case::{Case, CaseCache};
use memory_machine::diagnostic::{Diagnostic, Source};
use memory_machine::language::program::Program;
use memory_machine::sample::Sample;
use memory_machine::sweep::{Points, SweepSpec};
use memory_machine::theory::{self, Bound};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use crate::error;
use crate::graph::claim;
use crate::interrupt::interruptible;
use crate::listing::Listing;
use crate::setting::case_error;

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
    of_memory(&parse(&spec)?, "theorems are")?;
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

/// Terms fitted to the times of a grid, and a claim judged, as JSON; `sizes` are the parameters in the
/// order in which they were given.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option of umm complexity")]
pub fn complexity(
    py: Python<'_>,
    listing: Py<Listing>,
    spec: &str,
    sizes: Vec<String>,
    bound: Option<String>,
    assumed: Vec<String>,
    written: Option<String>,
    growing: Option<String>,
    of: Option<&str>,
) -> PyResult<String> {
    let text = spec;
    let spec = parse(text)?;
    let unit = unit(&spec, of)?;
    let case = spec.of_all_sizes(Case::new(listing.get().program.clone()));
    let mut claim = bound.as_deref().map(|it| claim(it, &assumed)).transpose()?;
    if let Some(claim) = &mut claim {
        claim.unit = unit;
    }
    let values = |name: &String| spec.set.get(name).map_or(0, |it| it.0.len());
    let growing = growing.or_else(|| sizes.iter().rev().max_by_key(|it| values(it)).cloned());
    let growing = growing.unwrap_or_else(|| "n".to_owned());
    let varies = sizes.iter().any(|it| values(it) > 1);
    let mut report = serde_json::Map::new();
    report.insert("algorithm".to_owned(), case.program.name.as_str().into());
    let machine =
        spec.courses.first().map_or_else(|| json!(case.machine.kind), |it| json!(it.to_string()));
    report.insert("machine".to_owned(), machine);
    if let Some(unit) = unit {
        report.insert("of".to_owned(), json!(subject(Some(unit))));
    }
    report.insert("mode".to_owned(), json!(case.mode));
    let add = |report: &mut serde_json::Map<_, _>, more: serde_json::Value| {
        report.extend(more.as_object().cloned().unwrap_or_default());
    };
    // A claim needs no grid. Where there is one, its terms are fitted, if there are points enough.
    if claim.is_none() || written.is_some() || varies {
        of_memory(&spec, "terms are fitted to times")?;
        let terms = terms(&case, written.as_deref(), claim.as_ref(), &growing).map_err(error)?;
        let row = |case: &Case| Ok(vec![case.time().map_err(case_error)?.row(case)]);
        let rows: Vec<Row> = of_points(py, &[listing], text, row)?;
        if rows.iter().any(|row| !row.contains_key(&growing)) {
            return Err(error(format_args!(
                "growing={growing:?}: there is no such parameter; give one of the sizes, or p, w, l"
            )));
        }
        match fit_terms(terms, &rows) {
            Ok(fitted) => add(&mut report, json!(fitted)),
            Err(_) if claim.is_some() && written.is_none() => {}
            Err(why) => return Err(error(format_args!("terms: {why}"))),
        }
    }
    if let Some(claim) = &claim {
        let (judged, uncertified) = interruptible(py, |_| {
            let judged = case.judge(claim).map_err(|it| error(format_args!("bound: {it}")))?;
            let is_decided = judged.verdict != ClaimVerdict::Open;
            Ok((judged, is_decided.then(|| case.certify(claim).err())))
        })?;
        add(&mut report, judged.json(claim));
        if let Some(why) = uncertified {
            report.insert("uncertified".to_owned(), json!(why));
        }
    }
    crate::setting::json(&report)
}

/// What a claim is on, if not on the time of a memory machine.
fn unit(spec: &SweepSpec, of: Option<&str>) -> PyResult<Option<UnitCost>> {
    match (spec.courses.first(), of) {
        (Some(kind), of) => figure(*kind, of).map(Some).map_err(error),
        (None, None) => Ok(None),
        (None, Some(of)) => Err(error(format_args!(
            "of={of:?}: it is a figure of a machine of courses, as of machine=\"work-span\""
        ))),
    }
}

fn of_memory(spec: &SweepSpec, asked: &str) -> PyResult<()> {
    match spec.courses.first() {
        None => Ok(()),
        Some(kind) => Err(error(format_args!(
            "machine=\"{kind}\": {asked} of memory machines alone; leave the grid and the terms out, or \
             the machine"
        ))),
    }
}

fn parse(text: &str) -> PyResult<SweepSpec> {
    let source = Source { name: "sweep".to_owned(), text: text.to_owned() };
    // Python's side has written the text: its lines say nothing, its keys are arguments.
    SweepSpec::parse(source).map_err(|it| {
        let Diagnostic { message, help, .. } = it.diagnostic;
        let help = help.map_or_else(String::new, |it| format!("; {it}"));
        error(format_args!("{}{help}", of_arguments(&message)))
    })
}

/// Keys of a SPEC.toml, and the arguments that they are.
const KEYS: &[(&str, &str)] =
    &[("`threads`", "p"), ("`width`", "w"), ("`latency`", "l"), ("`dmms`", "d"), ("`set.", "`")];

fn of_arguments(message: &str) -> String {
    let named = |(key, name): &(&str, &str)| Some(format!("{name}{}", message.strip_prefix(key)?));
    KEYS.iter().find_map(named).unwrap_or_else(|| message.to_owned())
}

/// The rows of every point, on all cores, in the order of the grid, as JSON.
fn each<R: Serialize + Send>(
    py: Python<'_>,
    listings: &[Py<Listing>],
    spec: &str,
    rows: impl Fn(&Case) -> PyResult<Vec<R>> + Sync + Send,
) -> PyResult<String> {
    crate::setting::json(&of_points(py, listings, spec, rows)?)
}

/// The same as they are.
fn of_points<R: Send>(
    py: Python<'_>,
    listings: &[Py<Listing>],
    spec: &str,
    rows: impl Fn(&Case) -> PyResult<Vec<R>> + Sync + Send,
) -> PyResult<Vec<R>> {
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
        Ok(all.into_iter().flatten().collect())
    })
}
