//! `umm complexity`

use std::collections::BTreeMap;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::json;

use super::Failure;
use super::files;
use super::study::{Study, StudyOptions};
use crate::case::load;
use crate::case::{Case, Timed};
use crate::fit::{self, Expression, Fit, Trend, Verdict};
use crate::theory::growth;

/// Fit simulated times to a formula, and test a claimed O
///
/// Coefficients are non-negative and fitted to relative errors. With --bound: the bound's own terms
/// are fitted, and the bound is contradicted if time/fit grows with the parameter without dying
/// out: in some series with all else fixed, over the upper half of its points, the slope of log
/// ratio against log parameter is more than 0.05 with 95 % confidence, and keeps more than 0.7 of
/// itself per doubling. Take grids that grow by multiplication, and reach far.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm complexity umm_opt --set n=16..512*2 -p 64,1024 -w 4,32 -l 1,100
  umm complexity umm_opt --set n=16..512*2 --bound 'n^3/w + n^3*l/p + n*l'
  umm complexity sum --set n=16..65536*2 --terms 'n/w, n*l/p, log2(n)*l'
  umm complexity mine.alg --set n=16..1024*2 -p 32..1024*4 --json")]
pub(super) struct Complexity {
    #[command(flatten)]
    study: StudyOptions,
    /// Terms over the parameters, p, w and l, with + - * / ^ ( ) log2() sqrt() ceil() floor();
    /// commas between them. Without it, those of --bound; without that, those that the loops' depths
    /// suggest
    #[arg(long, value_name = "TERMS")]
    terms: Option<String>,
    /// A claimed upper bound, without its O: a sum of terms
    #[arg(long, value_name = "FORMULA", value_parser = formula)]
    bound: Option<Expression>,
    /// The parameter that grows: one of --set, or p, w, l. Without it, the one of --set that has
    /// most values
    #[arg(long, value_name = "NAME")]
    growing: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn formula(text: &str) -> Result<Expression, String> {
    text.parse()
}

/// Numbers by name.
type Row = BTreeMap<String, f64>;

/// A bound, tested.
struct Claim {
    fit: Fit,
    trend: Trend,
}

impl Complexity {
    pub(super) fn run(&self) -> Result<(), Failure> {
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
        let option =
            if self.terms.is_none() && self.bound.is_some() { "--bound" } else { "--terms" };
        let fit = solve(&terms, rows, &times, option)?;
        let claim = match &self.bound {
            Some(bound) => Some(test(bound, growing, rows, &times)?),
            None => None,
        };
        if self.json {
            files::print_json(&self.report(&study, &terms, &fit, claim.as_ref()))?;
        } else {
            files::print(&self.human(&terms, &fit, claim.as_ref(), growing, rows.len()))?;
        }
        match (&self.bound, claim) {
            (Some(bound), Some(Claim { trend, .. })) if trend.verdict == Verdict::Contradicts => {
                Err(Failure::run(format_args!(
                    "the times contradict O({bound}): time/bound grows as {growing}^{:.2}",
                    trend.slope
                )))
            }
            (Some(_), Some(Claim { trend, .. })) if trend.verdict == Verdict::Unknown => {
                Err(Failure::input(format_args!(
                    "--bound needs at least four values of `{growing}`; give more, as in --set \
                     {growing}=16..512*2"
                )))
            }
            _ => Ok(()),
        }
    }

    fn terms(&self, growing: &str) -> Result<Vec<Expression>, Failure> {
        let texts: Vec<String> = match (&self.terms, &self.bound) {
            (Some(terms), _) => terms.split(',').map(|term| term.trim().to_owned()).collect(),
            // Nothing is fitted that nobody asked for: each term takes a point.
            (None, Some(bound)) => return summands(bound),
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
        study: &Study<Row>,
        terms: &[Expression],
        fit: &Fit,
        claim: Option<&Claim>,
    ) -> serde_json::Value {
        let terms = terms.iter().zip(&fit.coefficients).map(|(term, it)| {
            json!({
                "term": term.to_string(), "coefficient": it.coefficient, "low": it.low,
                "high": it.high,
            })
        });
        let bound = claim.zip(self.bound.as_ref()).map(|(claim, bound)| {
            json!({
                "bound": bound.to_string(),
                "constant": claim.fit.coefficients.iter().map(|it| it.coefficient).fold(0.0, f64::max),
                "worst_relative_residual": claim.fit.worst_relative_residual,
                "slope": claim.trend.slope, "slope_low": claim.trend.slope_low,
                "persistence": claim.trend.persistence, "verdict": claim.trend.verdict,
            })
        });
        json!({
            "algorithm": self.study.algorithm(),
            "machine": study.machine,
            "mode": study.mode,
            "terms": terms.collect::<Vec<_>>(),
            "r2": fit.r2,
            "worst_relative_residual": fit.worst_relative_residual,
            "bound": bound,
            "consistent": claim.map(|it| it.trend.verdict == Verdict::Consistent),
        })
    }

    fn human(
        &self,
        terms: &[Expression],
        fit: &Fit,
        claim: Option<&Claim>,
        growing: &str,
        points: usize,
    ) -> String {
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
            "\n\n{points} points  R² = {:.6}  worst relative residual {:.2} %\n",
            fit.r2,
            100.0 * fit.worst_relative_residual
        );
        if let (Some(bound), Some(Claim { trend, .. })) = (&self.bound, claim) {
            let verdict = match trend.verdict {
                Verdict::Consistent => "consistent with",
                Verdict::Contradicts => "CONTRADICTS",
                Verdict::Unknown => "too few points to test",
            };
            text += &format!(
                "{verdict} O({bound}): steepest time/bound ~ {growing}^{:.3} (95 %: at least {:.3}), \
                 persistence {:.2}\n",
                trend.slope,
                trend.slope_low,
                trend.persistence.min(99.0)
            );
        }
        text
    }
}

/// A point's parameters, machine and time by name; the machine's names win.
fn named(case: &Case, timed: &Timed) -> Row {
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
    row
}

fn solve(terms: &[Expression], rows: &[Row], times: &[f64], option: &str) -> Result<Fit, Failure> {
    let value = |row: &Row, term: &Expression| {
        term.evaluate(&|name| row.get(name).copied()).map_err(|name| {
            let known: Vec<&str> =
                row.keys().map(String::as_str).filter(|it| *it != "time_units").collect();
            let known = known.join(", ");
            Failure::input(format_args!(
                "{option}: `{term}` names `{name}`, which has no value; there are {known}"
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
        Failure::input(format_args!("{option}: {error}{hint}"))
    })
}

/// What stays the same in a series: names with the bits of their values.
type Fixed = Vec<(String, u64)>;

fn summands(bound: &Expression) -> Result<Vec<Expression>, Failure> {
    bound.summands().map_err(|error| Failure::input(format_args!("--bound: {error}")))
}

/// Fits the bound's own terms and looks for growth of time over that. If time/fit stays bounded, so
/// does time/bound, the coefficients being constants.
fn test(bound: &Expression, growing: &str, rows: &[Row], times: &[f64]) -> Result<Claim, Failure> {
    let terms = summands(bound)?;
    let fit = solve(&terms, rows, times, "--bound")?;
    let mut series: BTreeMap<Fixed, Vec<(f64, f64)>> = BTreeMap::new();
    for ((row, time), fitted) in rows.iter().zip(times).zip(&fit.fitted) {
        let rest = row.iter().filter(|(name, _)| *name != growing && *name != "time_units");
        let key = rest.map(|(name, value)| (name.clone(), value.to_bits())).collect();
        series.entry(key).or_default().push((row[growing], time / fitted));
    }
    let trend = fit::trend(&series.into_values().collect::<Vec<_>>());
    Ok(Claim { fit, trend })
}
