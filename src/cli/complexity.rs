//! `umm complexity`

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::case::Case;
use crate::case::claim::{ClaimResult, ClaimVerdict, ParsedClaim, Witness, machine_of, subject};
use crate::case::scaling::{FittedTerms, Row, fit_terms, terms};
use crate::cli::support::Failure;
use crate::cli::support::certificate::write_certificate;
use crate::cli::support::files;
use crate::cli::support::study::{LoadedStudy, Study, StudyOptions};
use crate::cli::support::table::{Table, TableFile};
use crate::cli::support::terminal::wrapped;
use crate::fit::Expression;

/// Judge a claimed O, Ω or Θ, and fit simulated times to a formula
///
/// With --bound: bounds are derived from the listing (see `umm bounds --derive`) and held against the
/// claim for all sizes, not for those of the grid. It is *proved* (exit code 0) if every term of the
/// derived upper bound is below the claim (a linear program over exponents; its solution is the proof,
/// and the constant is given); *refuted* (1) if a term of a proved lower bound is not: the direction in
/// which sizes must grow is given, with simulated runs along it; else *not proved* (3), with the runs on
/// which time and claim went apart most as evidence. Sizes are at least 1, logarithms rounded up and at
/// least 1. A Θ or Ω is for parameters that are large enough.
///
/// A claim is written as papers do: n·l/p or n*l/p, n² or n^2, n^(1/3), √n, log n (the binary logarithm,
/// log₂ n, log2(n)), n log n, n^log2(3), ⌈n/w⌉, and 2^k or 7^k where k is a parameter. Listings with
/// recursion are bounded for all sizes, too.
///
/// With -m pram the claim is on the steps of a PRAM with p processors, with -m work-span on the work, or
/// with --of span on the span: all in accesses, as `umm run --cost accesses` counts them. With -m ideal-cache
/// it is on misses, over B and M; with -m pem on transfers, over p, B and M; with -m agpu and -m tmm on I/O,
/// over p and b or C; with -m bsp on supersteps, with -m mpc on rounds; with -m roofline on operations, or
/// with --of bytes on bytes.
///
/// Without --bound, or with --terms: times of the grid are fitted to terms. Coefficients are
/// non-negative and fitted to relative errors.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm complexity umm_opt --bound 'n^3/w + n^3*l/p + n*l'
  umm complexity transpose --bound 'n^2 + n^2*l/p + l' --where 'w <= n'
  umm complexity sum --bound 'Θ(n/w + n·l/p + l·log n)'
  umm complexity bitonic --bound '2^k·k²·(1 + l/p) + k²·l'
  umm complexity merge_sort --bound 'Θ(k·2^k·l)'
  umm complexity matrix_multiply_hmm -m hmm --bound 'n^3 + n^3*l/(d*R) + n*l + n^3*ls/(d*R) + n*ls'
  umm complexity sum -m pram --bound 'n/p + log n'
  umm complexity sum -m work-span --of span --bound 'Θ(log n)'
  umm complexity matrix_multiply -m ideal-cache --bound 'n^3/B + n^2 + n^4*B/M'
  umm complexity umm_opt --set n=16..512*2 -p 64,1024 -w 4,32 -l 1,100
  umm complexity sum --set n=16..65536*2 --terms 'n/w, n*l/p, log2(n)*l'
  umm complexity mine.alg --set n=16..1024*2 -p 32..1024*4 --json
  umm complexity transpose --bound 'n^2 + n^2*l/p + l' --certificate transpose.json")]
pub(super) struct Complexity {
    #[command(flatten)]
    study: StudyOptions,
    /// Terms over the parameters, p, w, l, on the HMM d, ls and R, with + - * / ^ ( ) log() sqrt() ceil()
    /// floor(); commas between them. Without it, those that the loops' depths suggest
    #[arg(long, value_name = "TERMS")]
    terms: Option<String>,
    /// A claim: a sum of products is an O; or write O(…), Ω(…), Θ(…), Omega(…), Theta(…)
    #[arg(long, value_name = "CLAIM", value_parser = ParsedClaim::parse)]
    bound: Option<ParsedClaim>,
    /// What the claim assumes of sizes, as in 'p <= n', 'l = 1' or 'w <= p <= n'; repeatable, or with commas
    /// between
    #[arg(long = "where", value_name = "ASSUMPTION", requires = "bound", value_delimiter = ',', value_parser = assumption)]
    assumed: Vec<Assumption>,
    /// The parameter that the terms are over, if none are given: one of --set. Without it, the one of
    /// --set that has most values
    #[arg(long, value_name = "NAME")]
    growing: Option<String>,
    /// Write what `umm verify` checks: the proof or the refutation, step by step
    #[arg(long, value_name = "FILE", requires = "bound")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    table: TableFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// More is at least less.
#[derive(Debug, Clone)]
struct Assumption(Vec<[Expression; 2]>);

fn assumption(text: &str) -> Result<Assumption, String> {
    ParsedClaim::assumption(text).map(Assumption)
}

/// Terms fitted to the times of a grid.
struct TermFit {
    study: Study<Row>,
    fitted: FittedTerms,
}

/// A row of the table of fitted terms as CSV: coefficients are time units for each unit of the term.
#[derive(Serialize)]
struct TermRow {
    term: String,
    coefficient: f64,
    coefficient_low: f64,
    coefficient_high: f64,
}

impl TermFit {
    fn rows(&self) -> impl Iterator<Item = TermRow> {
        let terms = self.fitted.terms.iter().zip(&self.fitted.fit.coefficients);
        terms.map(|(term, it)| TermRow {
            term: term.to_string(),
            coefficient: it.coefficient,
            coefficient_low: it.low,
            coefficient_high: it.high,
        })
    }
}

impl Complexity {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.table.check()?;
        let loaded = self.study.load()?;
        let case = loaded.case();
        let claim = self.claim()?;
        let judged = claim.as_ref().map(|it| self.judge(&case, it)).transpose()?;
        let (judged, uncertified) = judged.unzip();
        let uncertified = uncertified.flatten();
        // A claim needs no grid. Where there is one, its terms are fitted, if there are points enough.
        let has_grid = self.study.grid().varies();
        if self.bound.is_none() || self.terms.is_some() || has_grid {
            self.study.refuse_units("terms are fitted to times")?;
        }
        let fitted = match (&judged, &self.terms) {
            (Some(_), None) if !has_grid => None,
            (Some(_), None) => self.fit(&loaded, &case)?.ok(),
            _ => Some(self.fit(&loaded, &case)??),
        };
        self.table.write(fitted.iter().flat_map(TermFit::rows))?;
        if self.json {
            let judged = claim.as_ref().zip(judged.as_ref());
            let mut report = self.report(&case, judged, fitted.as_ref());
            if judged.is_some_and(|it| it.1.verdict != ClaimVerdict::Open) {
                report["uncertified"] = json!(uncertified);
            }
            files::print_json(&report)?;
        } else {
            let mut text = fitted.as_ref().map_or(String::new(), render_text);
            if let (Some(claim), Some(judged)) = (&claim, &judged) {
                text += &wrapped(&render_verdict(claim, judged));
                if let Some(why) = &uncertified {
                    text += &wrapped(&format!("  no certificate of it yet: {why}\n"));
                }
            }
            files::print(&text)?;
        }
        let claim = claim.map_or(String::new(), |it| it.formula.to_string());
        match judged.map(|it| it.verdict) {
            Some(ClaimVerdict::Refuted) => {
                Err(Failure::run(format_args!("the claim is refuted: {claim}")))
            }
            Some(ClaimVerdict::Open) => {
                let message = format!("the claim is neither proved nor refuted: {claim}");
                Err(Failure::undecided(message))
            }
            Some(ClaimVerdict::Proved) | None => Ok(()),
        }
    }

    /// What is claimed, with what is assumed of sizes.
    fn claim(&self) -> Result<Option<ParsedClaim>, Failure> {
        let assumed = self.assumed.iter().flat_map(|it| it.0.clone()).collect();
        let unit = self.study.unit()?;
        Ok(self.bound.clone().map(|it| ParsedClaim { assumed, unit, ..it }))
    }

    /// The verdict, and why it has no certificate, if it has none.
    fn judge(
        &self,
        case: &Case,
        claim: &ParsedClaim,
    ) -> Result<(ClaimResult, Option<String>), Failure> {
        let judged =
            case.judge(claim).map_err(|error| Failure::input(format_args!("--bound: {error}")))?;
        if judged.verdict == ClaimVerdict::Open {
            return Ok((judged, None));
        }
        let certified = case.certify(claim);
        let why = certified.as_ref().err().cloned();
        if let Some(path) = &self.certificate {
            write_certificate(path, certified)?;
        }
        Ok((judged, why))
    }

    /// Outside it fails where the grid makes no sense, inside where the terms do not.
    fn fit(&self, loaded: &LoadedStudy, case: &Case) -> Result<Result<TermFit, Failure>, Failure> {
        let growing = self.growing.as_deref().or(self.study.grid().widest_setting()).unwrap_or("n");
        let terms = terms(case, self.terms.as_deref(), self.bound.as_ref(), growing)
            .map_err(Failure::input)?;
        let study = loaded.each(|case, timed| timed.row(case))?;
        let rows = &study.answers;
        if rows.iter().any(|row| !row.contains_key(growing)) {
            return Err(Failure::input(format_args!(
                "--growing {growing}: there is no such parameter; give one of --set, or p, w, l"
            )));
        }
        let fitted = fit_terms(terms, rows)
            .map_err(|error| Failure::input(format_args!("--terms: {error}")));
        Ok(fitted.map(|fitted| TermFit { study, fitted }))
    }

    fn report(
        &self,
        case: &Case,
        judged: Option<(&ParsedClaim, &ClaimResult)>,
        fitted: Option<&TermFit>,
    ) -> serde_json::Value {
        let mut report = json!({
            "algorithm": self.study.algorithm(),
            "machine": case.machine.kind,
            "mode": case.mode,
        });
        if let Ok(Some(unit)) = self.study.unit() {
            report["machine"] = json!(machine_of(unit).to_string());
            report["of"] = json!(subject(Some(unit)));
        }
        if let (Some(it), Some(report)) = (fitted, report.as_object_mut()) {
            report.extend(json!(it.fitted).as_object().cloned().unwrap_or_default());
        }
        if let (Some((claim, judged)), Some(report)) = (judged, report.as_object_mut()) {
            report.extend(judged.json(claim).as_object().cloned().unwrap_or_default());
        }
        report
    }
}

fn render_text(fitted: &TermFit) -> String {
    let TermFit { study, fitted: FittedTerms { terms, fit } } = fitted;
    let mut table = Table::new(["term", "coefficient", "95 % from", "to"]).numbers(1..4);
    for (term, it) in terms.iter().zip(&fit.coefficients) {
        let [coefficient, low, high] =
            [it.coefficient, it.low, it.high].map(|value| format!("{value:.4}"));
        table.row([&term.to_string(), &coefficient, &low, &high]);
    }
    let mut text = table.text();
    text += &format!(
        "\n\n{} points  R² = {:.6}  worst relative residual {:.2} %\n",
        study.answers.len(),
        fit.r2,
        100.0 * fit.worst_relative_residual
    );
    text
}

/// A verdict with what it rests on, and its proof or witness.
fn render_verdict(bound: &ParsedClaim, judged: &ClaimResult) -> String {
    let relation = bound.relation.symbol();
    let word = match judged.verdict {
        ClaimVerdict::Proved => "PROVED",
        ClaimVerdict::Refuted => "REFUTED",
        ClaimVerdict::Open => "NOT PROVED",
    };
    let mut text = format!("{word}: {relation}({})", bound.formula);
    for (link, conditions) in [("where", bound.assumptions()), ("if", judged.premises.clone())] {
        if !conditions.is_empty() {
            text += &format!(" {link} {}", conditions.join(" and "));
        }
    }
    text += "\n";
    for line in &judged.proof {
        text += &format!("  {line}\n");
    }
    if let Some(witness) = &judged.witness {
        text += &ray(bound, witness);
    }
    if judged.verdict == ClaimVerdict::Open {
        text += "  neither a proof nor a contradiction was found\n";
    }
    if let Some(evidence) = &judged.evidence {
        text +=
            "  runs decide nothing for all sizes; those on which time and claim went apart most:\n";
        text += &ray(bound, evidence);
    }
    text
}

fn ray(bound: &ParsedClaim, witness: &Witness) -> String {
    let subject = bound.subject();
    let mut text = String::new();
    if let Some(bound) = &witness.bound {
        text += &format!("  {bound}\n");
    }
    let Some(first) = witness.points.first() else {
        return text
            + &format!("  {}: no sizes on it are small enough to run\n", witness.direction);
    };
    let (direction, growth) = (&witness.direction, witness.growth);
    text += &format!("  {direction}: {subject}/claim changes {growth:.3}-fold\n");
    let names = first.sizes.keys().map(String::as_str);
    let (taken, ratio) = (bound.column(), format!("{subject}/claim"));
    let mut table = Table::new(names.chain([taken.as_str(), ratio.as_str()]));
    table = table.numbers(0..first.sizes.len() + 2);
    for point in &witness.points {
        let sizes = point.sizes.values().map(ToString::to_string);
        let rest = [point.time_units.to_string(), format!("{:.4}", point.ratio)];
        table.row(sizes.chain(rest));
    }
    text + &table.text() + "\n"
}
