//! What `umm run` says of a run.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use serde_json::{Value, json};

use super::options::describe;
use crate::case::{Case, Verdict};
use crate::count::{Counted, Executed, Unchecked};
use crate::language::program::Program;
use crate::machine::{Counts, Machine, Memories, Mode};
use crate::run::layout::Layout;
use crate::run::race::Raced;
use crate::units::{Threads, TimeUnits};
use crate::word::Word;

/// What a run found out.
pub(super) struct Outcome {
    pub(super) counts: Vec<Counts>,
    /// `Some` if only the time was asked for: what was executed nevertheless.
    pub(super) executed: Option<Vec<Executed>>,
    /// Of a count: with what a run may fail all the same.
    pub(super) unchecked: Unchecked,
    /// Whether the program ran on its inputs.
    pub(super) has_values: bool,
    pub(super) verdict: Verdict,
    pub(super) answer: Option<String>,
    /// `None` if none was found, but not everything was watched.
    pub(super) races: Option<Vec<Raced>>,
}

impl Outcome {
    pub(super) fn of_time(counted: Counted) -> Self {
        let Counted { counts, executed, unchecked } = counted;
        Self {
            counts,
            executed: Some(executed),
            unchecked,
            has_values: false,
            verdict: Verdict::Unknown,
            answer: None,
            races: None,
        }
    }
}

/// A run as `--json` prints it.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    algorithm: &'a str,
    parameters: serde_json::Map<String, Value>,
    machine: Machine,
    threads: Threads,
    mode: Mode,
    bulk: Option<&'static str>,
    seed: u64,
    #[serde(flatten)]
    total: Counts,
    #[serde(flatten)]
    memories: Option<Memories>,
    phases: Vec<PhaseReport<'a>>,
    /// Loops that were executed though only the time was asked for; null in a run with values.
    executed: Option<Vec<Value>>,
    /// Arrays of which some cell may be read before it is written, and places that may fail as
    /// memory holds, if only the time was asked for.
    unchecked: Option<Value>,
    verified: Option<bool>,
    /// By array, what it held at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<serde_json::Map<String, Value>>,
    answer: Value,
    /// Places whose accesses race; null if none was found, but not everything was watched.
    races: Option<Vec<Value>>,
}

#[derive(Serialize)]
struct PhaseReport<'a> {
    name: &'a str,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    memories: Option<Memories>,
}

impl<'a> Report<'a> {
    pub(super) fn new(case: &'a Case, layout: &Layout, outcome: &Outcome) -> Self {
        let program = &*case.program;
        let source = &program.source;
        let executed = |it: &Executed| {
            let names = it.phases.iter().map(|&phase| &program.phases[phase as usize]);
            json!({
                "phases": names.collect::<Vec<_>>(),
                "line": source.line(it.span),
                "text": source.line_text(it.span),
                "why": it.why,
            })
        };
        let race = |it: &Raced| {
            let span = program.sites[it.site.0].span;
            json!({
                "element": it.element(program, layout),
                "line": source.line(span),
                "text": source.line_text(span),
            })
        };
        let answer = outcome.answer.as_deref();
        let parameters = program.parameters.iter().zip(&layout.parameters);
        let total: Counts = outcome.counts.iter().copied().sum();
        let memories = |counts: &Counts| case.machine.memories(counts);
        Self {
            algorithm: &program.name,
            parameters: parameters.map(|(it, &value)| (it.name.clone(), value.into())).collect(),
            machine: case.machine,
            threads: case.threads,
            mode: case.mode,
            bulk: case.bulk.map(Word::word),
            seed: case.inputs.seed,
            total,
            memories: memories(&total),
            phases: (program.phases.iter().zip(&outcome.counts))
                .map(|(name, &counts)| PhaseReport { name, counts, memories: memories(&counts) })
                .collect(),
            executed: outcome.executed.as_ref().map(|it| it.iter().map(executed).collect()),
            unchecked: outcome.executed.as_ref().map(|_| unchecked(program, &outcome.unchecked)),
            verified: outcome.verdict.is_right(),
            inputs: outcome.has_values.then(|| {
                let inputs = case.inputs.describe(program).into_iter();
                inputs.map(|(name, what)| (name, what.into())).collect()
            }),
            // JSON has no infinities: they become null.
            answer: answer.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null),
            races: outcome.races.as_ref().map(|it| it.iter().map(race).collect()),
        }
    }

    /// The run as a person reads it.
    pub(super) fn human(&self, case: &Case, layout: &Layout, outcome: &Outcome) -> String {
        let program = &*case.program;
        let mut text = format!("{}  {}", self.algorithm, case.sizes(layout));
        if outcome.has_values && case.is_random() {
            text += &format!("  seed {}", self.seed);
        }
        text += &format!("\n{}  p = {}", describe(self.machine, self.mode), self.threads);
        if let Some(arrangement) = self.bulk {
            text += &format!("  {arrangement}-wise bulk run of p inputs");
        }
        if outcome.has_values && case.shipped().is_none() {
            for (name, what) in case.inputs.describe(program) {
                text += &format!("\n{name}: {what}");
            }
        }
        text += &format!("\n\n{}\n\n", table(self));
        if let Some(executed) = &outcome.executed {
            let unchecked = describe_unchecked(program, &outcome.unchecked);
            return text + &describe_counting(program, executed) + &unchecked;
        }
        if let (Some(answer), Some(expr)) = (&outcome.answer, &program.listing.answer) {
            let whose = if self.bulk.is_some() { " of input 0" } else { "" };
            text += &format!("answer {expr}{whose} = {answer}\n");
        }
        let judges = case.judges();
        text += &match self.verified {
            Some(true) => format!("verified: the result agrees with {judges}\n"),
            Some(false) => format!("WRONG: the result differs from {judges}\n"),
            None => "not verified: there is no reference for this listing, or not for such input\n"
                .to_owned(),
        };
        if let Some([first, ..]) = outcome.races.as_deref() {
            let what = first.describe(program, layout);
            let on = first.between.decided_by();
            text += &format!("RACE: {what}: results depend on {on}; `umm check` tells more\n");
        }
        text
    }
}

/// Which phases were counted, which executed, and why.
fn describe_counting(program: &Program, executed: &[Executed]) -> String {
    let is_executed = |phase: usize| executed.iter().any(|it| it.phases.contains(&(phase as u32)));
    let names = |wanted: bool| {
        let phases = (0..program.phases.len()).filter(|&phase| is_executed(phase) == wanted);
        phases.map(|phase| program.phases[phase].as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::new();
    let counted = names(false);
    if !counted.is_empty() {
        text += &format!("counted without being executed: {counted}\n");
    }
    if !executed.is_empty() {
        text += &format!("executed access by access: {}\n", names(true));
    }
    for it in executed {
        let (line, code) = (program.source.line(it.span), program.source.line_text(it.span));
        text += &format!("  line {line}: {code}\n  {}\n", it.why);
    }
    text
}

fn unchecked(program: &Program, unchecked: &Unchecked) -> Value {
    let places = unchecked.places.iter().map(|&span| {
        json!({ "line": program.source.line(span), "text": program.source.line_text(span) })
    });
    json!({
        "arrays": names(program, unchecked),
        "places": places.collect::<Vec<_>>(),
    })
}

fn names<'a>(program: &'a Program, unchecked: &Unchecked) -> Vec<&'a str> {
    unchecked.arrays.iter().map(|id| program.arrays[id.0].name.as_str()).collect()
}

/// With what a run with values may fail though its time is known.
fn describe_unchecked(program: &Program, unchecked: &Unchecked) -> String {
    let source = &program.source;
    let mut text = String::new();
    if !unchecked.arrays.is_empty() {
        let names = names(program, unchecked).join(", ");
        text +=
            &format!("not checked: whether each cell of {names} is written before it is read\n");
    }
    for &span in &unchecked.places {
        let (line, code) = (source.line(span), source.line_text(span));
        text += &format!("not checked: whether line {line} fails with some data: {code}\n");
    }
    text
}

fn table(report: &Report<'_>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut header =
        vec!["phase", "accesses", "stages", "stages/warp access", "time units", "share"];
    if report.memories.is_some() {
        header.splice(2..3, ["global stages", "shared stages"]);
    }
    table.set_header(header);
    let total = report.total.time_units;
    let mut row = |name: &str, counts: &Counts, memories: Option<&Memories>| {
        let average = counts.stages as f64 / counts.dispatches as f64;
        let average = if counts.dispatches == 0 { "–".into() } else { format!("{average:.2}") };
        let TimeUnits(time) = counts.time_units;
        let share = 100.0 * time as f64 / (total.0.max(1)) as f64;
        let stages = match memories {
            Some(Memories { global, shared }) => vec![global.stages, shared.stages],
            None => vec![counts.stages],
        };
        let mut cells = vec![name.to_owned(), grouped(counts.accesses)];
        cells.extend(stages.into_iter().map(grouped));
        cells.extend([average, grouped(time), format!("{share:.1} %")]);
        table.add_row(cells);
    };
    for phase in &report.phases {
        row(phase.name, &phase.counts, phase.memories.as_ref());
    }
    if report.phases.len() != 1 {
        row("total", &report.total, report.memories.as_ref());
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
