//! `umm complexity`

use std::collections::BTreeMap;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::json;

use super::Failure;
use super::files;
use super::study::{Study, StudyOptions};
use crate::case::claim::{Judged, Judgement, Witness, Written};
use crate::case::load;
use crate::case::{Case, RunTime};
use crate::fit::{self, Expression, Fit};
use crate::machine::Dmms;
use crate::theory::growth;

/// Judge a claimed O, Ω or Θ, and fit simulated times to a formula
///
/// With --bound: bounds are derived from the listing (see `umm bounds --derive`) and held against the
/// claim for all sizes, not for those of the grid. It is *proved* if every term of the derived upper
/// bound is below the claim (a linear program over exponents; its solution is the proof); *refuted* if
/// a term of a proven lower bound is not: the direction in which sizes must grow is given, with
/// simulated runs along it; else *open*, with the worst ray as evidence. Sizes are at least 1,
/// logarithms rounded up and at least 1. A Θ or Ω is for parameters that are large enough.
///
/// Without --bound, or with --terms: times of the grid are fitted to terms. Coefficients are
/// non-negative and fitted to relative errors.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm complexity umm_opt --bound 'n^3/w + n^3*l/p + n*l'
  umm complexity transpose --bound 'Θ(n^2 + n^2*l/p + l)' --where 'w <= n'
  umm complexity sum --bound 'Θ(n/w + n*l/p + l*log2(n))'
  umm complexity matrix_multiply_hmm -m hmm --bound 'n^3 + n^3*l/(d*R) + n*l + n^3*ls/(d*R) + n*ls'
  umm complexity umm_opt --set n=16..512*2 -p 64,1024 -w 4,32 -l 1,100
  umm complexity sum --set n=16..65536*2 --terms 'n/w, n*l/p, log2(n)*l'
  umm complexity mine.alg --set n=16..1024*2 -p 32..1024*4 --json")]
pub(super) struct Complexity {
    #[command(flatten)]
    study: StudyOptions,
    /// Terms over the parameters, p, w, l, on the HMM d, ls and R, with + - * / ^ ( ) log2() sqrt() ceil()
    /// floor(); commas between them. Without it, those that the loops' depths suggest
    #[arg(long, value_name = "TERMS")]
    terms: Option<String>,
    /// A claim: a sum of products is an O; or write O(…), Ω(…), Θ(…), Omega(…), Theta(…)
    #[arg(long, value_name = "CLAIM", value_parser = Written::parse)]
    bound: Option<Written>,
    /// What the claim assumes of sizes, as in 'p <= n'; repeatable, or with commas between
    #[arg(long = "where", value_name = "ASSUMPTION", requires = "bound", value_delimiter = ',', value_parser = assumption)]
    assumed: Vec<Assumption>,
    /// The parameter that the terms are over, if none are given: one of --set. Without it, the one of
    /// --set that has most values
    #[arg(long, value_name = "NAME")]
    growing: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// More is at least less.
#[derive(Debug, Clone)]
struct Assumption([Expression; 2]);

fn assumption(text: &str) -> Result<Assumption, String> {
    Written::assumption(text).map(Assumption)
}

/// Numbers by name.
type Row = BTreeMap<String, f64>;

/// Terms fitted to the times of a grid.
struct Fitted {
    study: Study<Row>,
    terms: Vec<Expression>,
    fit: Fit,
}

impl Complexity {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let judged = self.bound.as_ref().map(|it| self.judge(it)).transpose()?;
        // A claim needs no grid. Where there is one, its terms are fitted, if there are points enough.
        let has_grid = self.study.grid().varies();
        let fitted = match (&judged, &self.terms) {
            (Some(_), None) if !has_grid => None,
            (Some(_), None) => self.fit()?.ok(),
            _ => Some(self.fit()??),
        };
        if self.json {
            files::print_json(&self.report(judged.as_ref(), fitted.as_ref())?)?;
        } else {
            let mut text = fitted.as_ref().map_or(String::new(), human);
            if let (Some(bound), Some(judged)) = (&self.bound, &judged) {
                text += &said(bound, judged);
            }
            files::print(&text)?;
        }
        match judged {
            Some(Judged { verdict: Judgement::Refuted, .. }) => Err(Failure::run(format_args!(
                "the claim is refuted: {}",
                self.bound.as_ref().map_or(String::new(), |it| it.formula.to_string())
            ))),
            _ => Ok(()),
        }
    }

    fn judge(&self, bound: &Written) -> Result<Judged, Failure> {
        let assumed = self.assumed.iter().map(|it| it.0.clone()).collect();
        let written = Written { assumed, ..bound.clone() };
        let case = self.study.case()?;
        case.judge(&written).map_err(|error| Failure::input(format_args!("--bound: {error}")))
    }

    /// Outside it fails where the grid makes no sense, inside where the terms do not.
    fn fit(&self) -> Result<Result<Fitted, Failure>, Failure> {
        let growing = self.growing.as_deref().or(self.study.grid().widest_setting()).unwrap_or("n");
        let terms = self.terms(growing)?;
        let study = self.study.each(|case, timed| named(case, &timed))?;
        let rows = &study.answers;
        let times: Vec<f64> = rows.iter().map(|row| row["time_units"]).collect();
        if rows.iter().any(|row| !row.contains_key(growing)) {
            return Err(Failure::input(format_args!(
                "--growing {growing}: there is no such parameter; give one of --set, or p, w, l"
            )));
        }
        Ok(solve(&terms, rows, &times).map(|fit| Fitted { study, terms, fit }))
    }

    fn terms(&self, growing: &str) -> Result<Vec<Expression>, Failure> {
        let texts: Vec<String> = match (&self.terms, &self.bound) {
            (Some(terms), _) => terms.split(',').map(|term| term.trim().to_owned()).collect(),
            (None, Some(bound)) => {
                let mistake = |error| Failure::input(format_args!("--bound: {error}"));
                return bound.formula.summands().map_err(mistake);
            }
            (None, None) => {
                let program = load(self.study.algorithm())?;
                growth::terms(&program, growing, self.study.bulk())
            }
        };
        let parse = |text: &String| {
            let mistake = |error| Failure::input(format_args!("--terms: {error}"));
            text.parse::<Expression>().map_err(mistake)
        };
        texts.iter().map(parse).collect()
    }

    fn report(
        &self,
        judged: Option<&Judged>,
        fitted: Option<&Fitted>,
    ) -> Result<serde_json::Value, Failure> {
        let case = self.study.case()?;
        let mut report = json!({
            "algorithm": self.study.algorithm(),
            "machine": case.machine.kind,
            "mode": case.mode,
        });
        if let Some(Fitted { terms, fit, .. }) = fitted {
            let terms = terms.iter().zip(&fit.coefficients).map(|(term, it)| {
                json!({
                    "term": term.to_string(), "coefficient": it.coefficient, "low": it.low,
                    "high": it.high,
                })
            });
            report["terms"] = terms.collect();
            report["r2"] = json!(fit.r2);
            report["worst_relative_residual"] = json!(fit.worst_relative_residual);
        }
        if let (Some(bound), Some(judged)) = (&self.bound, judged) {
            report["bound"] = json!(bound.formula.to_string());
            report["verdict"] = json!(judged.verdict);
            report["proof"] = json!((!judged.proof.is_empty()).then_some(&judged.proof));
            report["witness"] = json!(judged.witness);
            report["evidence"] = json!(judged.evidence);
            report["consistent"] = json!(judged.verdict != Judgement::Refuted);
        }
        Ok(report)
    }
}

fn human(fitted: &Fitted) -> String {
    let Fitted { study, terms, fit } = fitted;
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["term", "coefficient", "95 % from", "to"]);
    for (term, it) in terms.iter().zip(&fit.coefficients) {
        let [coefficient, low, high] =
            [it.coefficient, it.low, it.high].map(|value| format!("{value:.4}"));
        table.add_row([&term.to_string(), &coefficient, &low, &high]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = table.trim_fmt();
    text += &format!(
        "\n\n{} points  R² = {:.6}  worst relative residual {:.2} %\n",
        study.answers.len(),
        fit.r2,
        100.0 * fit.worst_relative_residual
    );
    text
}

/// A verdict with its proof or witness.
fn said(bound: &Written, judged: &Judged) -> String {
    let relation = bound.relation.symbol();
    let word = match judged.verdict {
        Judgement::Proved => "PROVED",
        Judgement::Refuted => "REFUTED",
        Judgement::Open => "OPEN",
    };
    let mut text = format!("{word}: {relation}({})\n", bound.formula);
    for line in &judged.proof {
        text += &format!("  {line}\n");
    }
    if let Some(witness) = &judged.witness {
        text += &ray(witness);
    }
    if let Some(evidence) = &judged.evidence {
        text += "neither proof nor witness; the ray on which time and claim went apart most:\n";
        text += &ray(evidence);
    }
    text
}

fn ray(witness: &Witness) -> String {
    let mut text = String::new();
    if let Some(bound) = &witness.bound {
        text += &format!("  {bound}\n");
    }
    text += &format!("  {}: time/claim changes {:.3}-fold\n", witness.direction, witness.growth);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let first = &witness.points[0];
    let names = first.sizes.keys().map(String::as_str);
    table.set_header(names.chain(["time units", "time/claim"]));
    for point in &witness.points {
        let sizes = point.sizes.values().map(ToString::to_string);
        let rest = [point.time_units.to_string(), format!("{:.4}", point.ratio)];
        table.add_row(sizes.chain(rest));
    }
    table.column_iter_mut().for_each(|it| it.set_cell_alignment(CellAlignment::Right));
    text + &table.trim_fmt() + "\n"
}

/// A point's parameters, machine and time by name; the machine's names win.
fn named(case: &Case, timed: &RunTime) -> Row {
    let set = case.settings(&timed.layout).0;
    let mut row: Row = set.into_iter().map(|(name, value)| (name, value as f64)).collect();
    let machine = case.machine;
    for (name, value) in [
        ("p", case.threads.get() as f64),
        ("w", machine.width.get() as f64),
        ("l", machine.latency.get() as f64),
        ("time_units", timed.total().time_units.0 as f64),
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

fn solve(terms: &[Expression], rows: &[Row], times: &[f64]) -> Result<Fit, Failure> {
    let value = |row: &Row, term: &Expression| {
        term.evaluate(&|name| row.get(name).copied()).map_err(|name| {
            let known: Vec<&str> =
                row.keys().map(String::as_str).filter(|it| *it != "time_units").collect();
            let known = known.join(", ");
            Failure::input(format_args!(
                "--terms: `{term}` names `{name}`, which has no value; there are {known}"
            ))
        })
    };
    let table: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| terms.iter().map(|term| value(row, term)).collect())
        .collect::<Result<_, _>>()?;
    fit::fit(&table, times).map_err(|error| {
        let hint = match error {
            fit::FitError::TooFew { .. } => "; give more values (--set, -p, -w, -l) or fewer terms",
            fit::FitError::Term(term) => &format!(": `{}`", terms[term]),
            fit::FitError::Time => "; choose sizes that access memory",
            fit::FitError::Singular => "; choose others",
        };
        Failure::input(format_args!("--terms: {error}{hint}"))
    })
}
