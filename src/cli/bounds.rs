//! `umm bounds`

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::case::claim::Derivation;
use crate::case::{Case, CaseCache, RunTime};
use crate::cli::support::Failure;
use crate::cli::support::certificate::write_certificate;
use crate::cli::support::files;
use crate::cli::support::options::whole;
use crate::cli::support::study::{Study, StudyOptions};
use crate::cli::support::table::{Table, TableFile};
use crate::cli::support::terminal::wrapped;
use crate::cli::support::words::print_words;
use crate::language::oblivious::{Obliviousness, obliviousness};
use crate::language::program::Program;
use crate::sample::Sample;
use crate::theory::{self, Bound, BoundKind, Violation};

/// Compare simulated times with bounds of theorems, point by point
///
/// For every point of the grids: the simulated time, and each lower bound, upper bound and closed
/// form that is known, with explicit constants. Fails if a time contradicts one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm bounds umm_opt --set n=16..256*2 -p 64,1024 -w 32 -l 1,100
  umm bounds prefix_sums --set n=8..32 --bulk column -p 64..4096*4 -w 4,32 --json
  umm bounds long_gcd --set n=2,4 --bulk column -p 64,256 -w 4,32 -l 100
  umm bounds transpose --set n=32..128*2 -m dmm -w 32 --csv transpose.csv
  umm bounds mine.alg --set n=100..900+100 --mode async
  umm bounds umm_opt --derive
  umm bounds transpose_padded -m hmm --derive
  umm bounds sum --derive --certificate sum.json
  umm bounds sum -m work-span --of span --derive
  umm bounds matrix_multiply --io --fast 1024 --set n=128")]
pub(super) struct Bounds {
    #[command(flatten)]
    study: StudyOptions,
    /// Derive bounds for all sizes from the listing, each with the rule that gives it; parameters that
    /// have a default, or are given one value, are numbers (with recursion, those that are given one)
    #[arg(long, conflicts_with = "csv")]
    derive: bool,
    /// Derive how many words any order of the operations moves between a fast memory of S words and the
    /// slow one, for all sizes
    #[arg(long, conflicts_with_all = ["csv", "derive"])]
    io: bool,
    /// S: give the numbers for the sizes that are set, and a bound on what the listing's own order moves
    #[arg(long, value_name = "S", requires = "io", value_parser = whole::<u64>(1..=1 << 48))]
    fast: Option<u64>,
    /// Write what `umm verify` checks: bounds with their derivation, step by step
    #[arg(long, value_name = "FILE", requires = "derive")]
    certificate: Option<PathBuf>,
    /// Write the derived formulas in LaTeX
    #[arg(long)]
    latex: bool,
    #[command(flatten)]
    table: TableFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A point with its bounds.
struct BoundCheck {
    sample: Sample,
    time: u128,
    bounds: Vec<(Bound, u128)>,
    violations: Vec<Violation>,
}

impl BoundCheck {
    /// Bounds of the whole run, of a kind or exact.
    fn whole(&self, kind: BoundKind) -> impl Iterator<Item = &Bound> {
        let bounds = self.bounds.iter().map(|(bound, _)| bound);
        bounds.filter(move |it| {
            it.phase.is_none() && (it.kind == kind || it.kind == BoundKind::Exact)
        })
    }

    fn lower(&self) -> Option<&Bound> {
        self.whole(BoundKind::Lower).max_by_key(|it| it.value)
    }

    fn upper(&self) -> Option<&Bound> {
        self.whole(BoundKind::Upper).min_by_key(|it| it.value)
    }

    fn place(&self) -> String {
        let Sample { set, threads, width, latency, .. } = &self.sample;
        let number = |it: &Option<u64>| it.unwrap_or_default();
        let [p, w, l] = [threads, width, latency].map(number);
        format!("{set} p={p} w={w} l={l}")
    }

    fn json(&self) -> Value {
        let bounds = self.bounds.iter().map(|(bound, time)| {
            json!({
                "name": bound.name, "kind": bound.kind, "phase": bound.phase,
                "value": number(bound.value), "ratio": ratio(*time, bound.value),
            })
        });
        json!({
            "set": self.sample.set.0,
            "threads": self.sample.threads,
            "width": self.sample.width,
            "latency": self.sample.latency,
            "time_units": number(self.time),
            "lower_bound": self.lower().map(|it| number(it.value)),
            "upper_bound": self.upper().map(|it| number(it.value)),
            "dominant": self.lower().map(|it| it.name),
            "bounds": bounds.collect::<Vec<_>>(),
        })
    }
}

/// JSON integers up to 64 bits; floats beyond.
fn number(value: u128) -> Value {
    u64::try_from(value).map_or_else(|_| json!(value as f64), |value| json!(value))
}

fn ratio(time: u128, bound: u128) -> Option<f64> {
    (bound > 0).then(|| time as f64 / bound as f64)
}

/// One bound over the whole grid.
struct Summary {
    bound: Bound,
    points: usize,
    /// At how many points none of its kind is nearer to the time.
    nearest: usize,
    min: f64,
    max: f64,
}

/// A timed case against what is known of it.
fn judge(case: &Case, timed: &RunTime, known: &CaseCache) -> BoundCheck {
    let (program, counts) = (&*case.program, &timed.counts);
    let bounds = known.bounds(case, timed);
    let violations = theory::violations(program, counts, &bounds);
    let time = |it: &Bound| theory::time_of(program, counts, it.phase.as_deref());
    let bounds = bounds.into_iter().map(|it| (time(&it), it)).map(|(time, it)| (it, time));
    let mut checks = BoundCheck {
        sample: case.row().taking(timed.total()),
        time: timed.total().time_units.0,
        bounds: bounds.collect(),
        violations,
    };
    checks.sample.lower_bound = checks.lower().map(|it| it.value as f64);
    checks.sample.upper_bound = checks.upper().map(|it| it.value as f64);
    checks
}

impl Bounds {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.derive {
            return self.derived();
        }
        self.study.refuse_units("theorems and bounds on words that move are")?;
        if self.io {
            return print_words(&self.study, self.fast, self.latex, self.json);
        }
        if self.latex {
            return Err(Failure::input("--latex writes formulas: add --derive or --io"));
        }
        self.table.check()?;
        let known = CaseCache::default();
        let loaded = self.study.load()?;
        let study = loaded.each(|case, timed| judge(case, &timed, &known))?;
        let checks = &study.answers;
        let program = loaded.case().program;
        let obliviousness = obliviousness(&program);
        self.table.write(checks.iter().map(|it| &it.sample))?;
        let summaries = summarise(checks);
        if self.json {
            files::print_json(&report(&study, &summaries, &obliviousness))?;
        } else {
            let mut text = render_text(checks, &summaries);
            if self.study.bulk().is_some() {
                text += &wrapped(&verdict(&program, &obliviousness));
            }
            files::print(&text)?;
        }
        let broken: Vec<_> =
            checks.iter().flat_map(|it| it.violations.iter().map(move |v| (it, v))).collect();
        match broken.first() {
            None => Ok(()),
            Some((checks, violation)) => Err(Failure::run(format_args!(
                "{} of the bounds are contradicted; the first at {}: {}",
                broken.len(),
                checks.place(),
                describe(violation)
            ))),
        }
    }
}

impl Bounds {
    fn derived(&self) -> Result<(), Failure> {
        let case = self.study.load()?.case();
        let unit = self.study.unit()?;
        let bounded = case.derive_in_units(&|_| false, unit).map_err(Failure::input)?;
        if let Some(path) = &self.certificate {
            self.study.refuse_units("certificates are")?;
            write_certificate(path, case.certify_bounds())?;
        }
        let derivation =
            Derivation { program: &case.program, bounded: &bounded, latex: self.latex };
        if self.json {
            files::print_json(&derivation.json())
        } else {
            files::print(&wrapped(&derivation.text()))
        }
    }
}

/// Of a bulk run, why it has upper bounds only, or none.
fn verdict(program: &Program, obliviousness: &Obliviousness) -> String {
    let Some(it) = obliviousness.dependence() else { return String::new() };
    let (source, word) = (&program.source, obliviousness.word());
    let (line, text) = (source.line(it.span), source.line_text(it.span));
    let bounds = match obliviousness {
        Obliviousness::Semi(_) => {
            "data decide whether a thread makes an access, never to which address: upper bounds only, t \
             being the steps in which a thread accesses"
        }
        _ => "no bound of bulk runs",
    };
    format!("{word}: {} depends on input data (line {line}: {text}); {bounds}\n", it.what)
}

fn report(
    study: &Study<BoundCheck>,
    summaries: &[Summary],
    obliviousness: &Obliviousness,
) -> Value {
    let checks = &study.answers;
    let constants = constants(checks);
    let violations = checks.iter().flat_map(|checks| {
        checks.violations.iter().map(|it| {
            json!({
                "set": checks.sample.set.0, "threads": checks.sample.threads,
                "width": checks.sample.width, "latency": checks.sample.latency,
                "bound": it.bound, "time_units": number(it.time_units),
            })
        })
    });
    let bounds = summaries.iter().map(|it| {
        let Bound { name, source, assumptions, kind, phase, formula, .. } = &it.bound;
        json!({
            "name": name, "kind": kind, "phase": phase, "formula": formula, "source": source,
            "assumptions": assumptions, "points": it.points, "nearest": it.nearest,
            "constant": { "min": it.min, "max": it.max },
        })
    });
    json!({
        "algorithm": study.algorithm,
        "machine": study.machine,
        "mode": study.mode,
        "obliviousness": obliviousness.word(),
        "points": checks.iter().map(BoundCheck::json).collect::<Vec<_>>(),
        "bounds": bounds.collect::<Vec<_>>(),
        "constant": { "min": constants.map(|it| it.0), "max": constants.map(|it| it.1) },
        "violations": violations.collect::<Vec<_>>(),
    })
}

fn describe(violation: &Violation) -> String {
    let Violation { bound, time_units } = violation;
    let phase = bound.phase.as_ref().map_or(String::new(), |it| format!(" (phase {it})"));
    let relation = match bound.kind {
        BoundKind::Exact => "not",
        BoundKind::Upper => "more than",
        BoundKind::Lower => "less than",
    };
    let Bound { name, source, value, formula, .. } = bound;
    format!(
        "{time_units} time units are {relation} the {value} of {name}{phase}, {formula} [{source}]"
    )
}

/// Smallest and largest time over the largest lower bound.
fn constants(checks: &[BoundCheck]) -> Option<(f64, f64)> {
    let ratios = checks.iter().filter_map(|it| ratio(it.time, it.lower()?.value));
    ratios.fold(None, |range, ratio| match range {
        None => Some((ratio, ratio)),
        Some((min, max)) => Some((ratio.min(min), ratio.max(max))),
    })
}

fn summarise(checks: &[BoundCheck]) -> Vec<Summary> {
    let mut order = vec![];
    let mut by_name: BTreeMap<_, Summary> = BTreeMap::new();
    for point in checks {
        let nearest = [point.lower(), point.upper()];
        for (bound, time) in &point.bounds {
            let kind = format!("{:?}", bound.kind);
            let key = (bound.name, bound.formula, bound.source, kind, bound.phase.clone());
            let entry = by_name.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                let (min, max) = (f64::INFINITY, 0.0);
                Summary { bound: bound.clone(), points: 0, nearest: 0, min, max }
            });
            entry.points += 1;
            entry.nearest += usize::from(nearest.contains(&Some(bound)));
            if let Some(ratio) = ratio(*time, bound.value) {
                entry.min = entry.min.min(ratio);
                entry.max = entry.max.max(ratio);
            }
        }
    }
    order.iter().filter_map(|key| by_name.remove(key)).collect()
}

fn render_text(checks: &[BoundCheck], summaries: &[Summary]) -> String {
    let header =
        ["bound", "kind", "phase", "points", "nearest at", "time/bound", "formula", "source"];
    let mut table = Table::new(header).numbers(3..5).formulas(6..7).long(6..8);
    for Summary { bound, points, nearest, min, max } in summaries {
        let ratios = if min <= max { format!("{min:.3} … {max:.3}") } else { "–".to_owned() };
        table.row([
            bound.name,
            &format!("{:?}", bound.kind).to_lowercase(),
            bound.phase.as_deref().unwrap_or("all"),
            &points.to_string(),
            &nearest.to_string(),
            &ratios,
            bound.formula,
            bound.source,
        ]);
    }
    let mut text =
        "nearest at: the points at which no other bound from the same side is nearer to the time\n"
            .to_owned();
    if let Some((min, max)) = constants(checks) {
        text += &format!("time / largest lower bound: {min:.3} … {max:.3}\n");
    }
    let broken: usize = checks.iter().map(|it| it.violations.len()).sum();
    let points = checks.len();
    text += &match broken {
        0 if points == 1 => "every bound holds\n".to_owned(),
        0 => format!("every bound holds at all of {points} points\n"),
        _ => format!("BROKEN: {broken} times at {points} points\n"),
    };
    format!("{}\n\n{}", table.text(), wrapped(&text))
}
