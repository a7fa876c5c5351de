//! Times of a grid, fitted to terms.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::json;
use thiserror::Error;

use super::claim::ParsedClaim;
use super::{Case, RunTime};
use memory_machine_core::machine::Dmms;
use memory_machine_fit::{self as fit, Expression, Fit, FitError};
use memory_machine_theory::growth;

/// Numbers by name: a point's parameters, what its machine has, and `time_units`.
pub type Row = BTreeMap<String, f64>;

/// Terms with the coefficients that fit a grid's times best.
pub struct FittedTerms {
    /// What the time is a sum of.
    pub terms: Vec<Expression>,
    /// A coefficient for each, and how good they are.
    pub fit: Fit,
}

/// As `umm complexity --json` prints it.
impl Serialize for FittedTerms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let terms = self.terms.iter().zip(&self.fit.coefficients).map(|(term, it)| {
            json!({
                "term": term.to_string(), "coefficient": it.coefficient, "low": it.low,
                "high": it.high,
            })
        });
        let report = json!({
            "terms": terms.collect::<Vec<_>>(),
            "r2": self.fit.r2,
            "worst_relative_residual": self.fit.worst_relative_residual,
        });
        report.serialize(serializer)
    }
}

/// Why terms cannot be fitted.
#[derive(Debug, Error)]
pub enum ScalingError {
    /// A name that no point has a value of.
    #[error("`{term}` names `{name}`, which has no value; there are {known}")]
    Unknown {
        /// Where it stands.
        term: String,
        /// What it is.
        name: String,
        /// What there is.
        known: String,
    },
    /// Too few points, or terms that make no sense.
    #[error("{0}")]
    Fit(String),
}

impl RunTime {
    /// A point's parameters, machine and time by name; the machine's names win.
    pub fn row(&self, case: &Case) -> Row {
        let set = case.settings(&self.layout).0;
        let mut row: Row = set.into_iter().map(|(name, value)| (name, value as f64)).collect();
        let machine = case.machine;
        for (name, value) in [
            ("p", case.threads.get() as f64),
            ("w", machine.width.get() as f64),
            ("l", machine.latency.get() as f64),
            ("time_units", self.total().time_units.0 as f64),
        ] {
            row.insert(name.to_owned(), value);
        }
        if let Some(Dmms { number, latency, resident }) = machine.kind.dmms() {
            for (name, value) in [("d", number), ("ls", latency.get()), ("R", resident)] {
                row.insert(name.to_owned(), value as f64);
            }
        }
        row
    }
}

/// The terms that are asked for: written ones, with commas between; else those of a claim; else what
/// the loops of the listing suggest, over the parameter that grows.
///
/// # Errors
/// What is no formula, and where it was given.
pub fn terms(
    case: &Case,
    written: Option<&str>,
    claim: Option<&ParsedClaim>,
    growing: &str,
) -> Result<Vec<Expression>, String> {
    let texts: Vec<String> = match (written, claim) {
        (Some(terms), _) => terms.split(',').map(|term| term.trim().to_owned()).collect(),
        (None, Some(claim)) => {
            return claim.formula.summands().map_err(|error| format!("--bound: {error}"));
        }
        (None, None) => growth::terms(&case.program, growing, case.bulk),
    };
    let parse =
        |text: &String| text.parse::<Expression>().map_err(|error| format!("--terms: {error}"));
    texts.iter().map(parse).collect()
}

/// Fits the rows' times.
///
/// # Errors
/// [`ScalingError`].
pub fn fit_terms(terms: Vec<Expression>, rows: &[Row]) -> Result<FittedTerms, ScalingError> {
    let times: Vec<f64> = rows.iter().map(|row| row["time_units"]).collect();
    let value = |row: &Row, term: &Expression| {
        term.evaluate(&|name| row.get(name).copied()).map_err(|name| {
            let known = row.keys().map(String::as_str).filter(|it| *it != "time_units");
            let known = known.collect::<Vec<_>>().join(", ");
            ScalingError::Unknown { term: term.to_string(), name, known }
        })
    };
    let table: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| terms.iter().map(|term| value(row, term)).collect())
        .collect::<Result<_, _>>()?;
    let fit = fit::fit(&table, &times).map_err(|error| {
        let hint = match error {
            FitError::TooFew { .. } => "; give more values (--set, -p, -w, -l) or fewer terms",
            FitError::Term(term) => &format!(": `{}`", terms[term]),
            FitError::Time => "; choose sizes that access memory",
            FitError::Singular => "; choose others",
        };
        ScalingError::Fit(format!("{error}{hint}"))
    })?;
    Ok(FittedTerms { terms, fit })
}
