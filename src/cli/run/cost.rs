//! `umm run -m pram` and the other machines that are no memory machines.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Run;
use crate::case::Verdict;
use crate::case::cost::{CostOutcome, CostReport};
use crate::chart::{self, Canvas, RooflinePhase, Scene, Theme};
use crate::cli::support::Failure;
use crate::cli::support::cost_text::{describe, shown};
use crate::cli::support::files::{self, StagedOutput};
use crate::cli::support::picture::encode;
use crate::cli::support::progress::spin;
use crate::cli::support::table::Table;
use crate::cli::support::terminal::wrapped;
use crate::cost::{CostKind, CostMachine, CostTable, Value, peak_of};
use crate::units::Threads;

impl Run {
    /// Runs the listing on a machine that is no memory machine.
    pub(super) fn cost(&self, kind: CostKind) -> Result<(), Failure> {
        self.refuse_for_cost(kind)?;
        let (overhead, picture) = self.overhead_or_picture(kind)?;
        let machine = self.course.machine(kind, self.machine.model(), overhead)?;
        let mut case = self.case()?;
        if let (CostKind::Pem, Some(processors)) = (kind, self.course.processors) {
            case.threads = Threads::at_least_one(processors);
        }
        let case = case.for_cost(&machine)?;
        if let Some(name) =
            self.course.owned_arrays().find(|it| case.program.array_named(it).is_none())
        {
            let message =
                format!("--owner {name}=…: `{}` has no array `{name}`", case.program.name);
            return Err(Failure::input(message));
        }
        let layout = case.layout()?;
        case.expected.iter().try_for_each(|it| it.check(&case.program, &layout))?;
        let outcome = if self.time_only {
            spin("counting", || case.count_cost(&machine))?
        } else {
            let mut memory = case.memory(&layout)?;
            spin("running", || case.cost(&machine, &layout, &mut memory))?
        };
        let report =
            CostReport { case: &case, layout: &layout, machine: &machine, outcome: &outcome };
        let drawn = picture.as_deref().map(|path| encode(&picture_of(&report)?, path));
        self.table.write(csv(&case.program.name, &machine, &outcome))?;
        if let Some((path, drawn)) = picture.as_deref().zip(drawn.transpose()?) {
            StagedOutput::new(path, |file| file.write_all(&drawn))?.keep()?;
        }
        if self.json {
            files::print_json(&report)?;
        } else {
            files::print(&text(&report, self.time_only))?;
        }
        match outcome.verdict {
            Verdict::Wrong(difference) => Err(Failure::run(difference)),
            _ => Ok(()),
        }
    }
}

impl Run {
    /// # Errors
    /// A flag that makes no sense for a machine that is no memory machine.
    fn refuse_for_cost(&self, kind: CostKind) -> Result<(), Failure> {
        let given = [
            ("--bytes", self.bytes),
            ("--output", !self.outputs.is_empty()),
            ("--output-table", !self.tables.is_empty()),
        ];
        let given = given.into_iter().filter(|it| it.1).map(|it| it.0);
        match given.chain(self.machine.of_memory()).next() {
            None => Ok(()),
            Some(flag) => Err(Failure::input(format_args!(
                "{flag}: -m {kind} has no use for it; leave it out, or time a memory machine, -m umm"
            ))),
        }
    }

    /// What -o says: the overhead of LogP, else a picture.
    fn overhead_or_picture(
        &self,
        kind: CostKind,
    ) -> Result<(Option<u64>, Option<PathBuf>), Failure> {
        let Some(text) = &self.draw else { return Ok((None, None)) };
        if matches!(kind, CostKind::Roofline | CostKind::Bsp) {
            let picture = self.picture()?;
            files::check_outputs(picture.iter().chain(self.table.path()))?;
            return Ok((None, picture));
        }
        if !matches!(kind, CostKind::LogP | CostKind::LogGp) {
            return Err(Failure::input(format_args!(
                "-o: -m {kind} draws nothing and has no overhead; leave it out, or let `umm plot time \
                 --figure` draw what `umm sweep` writes"
            )));
        }
        let number = text.to_str().and_then(|it| it.parse::<u64>().ok());
        number.map(|it| (Some(it), None)).ok_or_else(|| {
            let text = text.to_string_lossy();
            Failure::input(format_args!(
                "-o {text}: of -m {kind} it is a whole number of time units"
            ))
        })
    }
}

/// The phases of a roofline under its roofs, or the words of each superstep of BSP.
fn picture_of(report: &CostReport<'_>) -> Result<Scene, Failure> {
    let CostReport { case, layout, machine, outcome } = report;
    let name = &case.program.name;
    let caption = format!("{}  {}  p = {}", case.sizes(layout), describe(machine), case.threads);
    let rows = outcome.cost.table.as_ref().map_or(&[][..], |it| &it.rows);
    let number = |it: &Value| match it {
        Value::Count(count) => *count as f64,
        Value::Number(number) => *number,
        _ => 0.0,
    };
    let canvas = Canvas::from(Theme::Light);
    let scene = match machine {
        CostMachine::Roofline(device) => {
            let phase = |row: &Vec<Value>| {
                let [operations, bytes, time] = [1, 2, 3].map(|at| number(&row[at]));
                let (intensity, rate) = (operations / bytes, operations / time);
                RooflinePhase { name: row[0].to_string(), intensity, rate }
            };
            let phases: Vec<RooflinePhase> = rows.iter().map(phase).collect();
            let peaks: BTreeMap<String, f64> =
                device.peaks.iter().map(|it| (peak_of(it.0).to_owned(), it.1)).collect();
            let peaks: Vec<(String, f64)> = peaks.into_iter().collect();
            chart::roofline(name, &caption, (&peaks, device.bandwidth), &phases, canvas)
        }
        _ => {
            let words: Vec<u128> = rows.iter().map(|row| number(&row[2]) as u128).collect();
            chart::relations(name, &caption, &words, canvas)
        }
    };
    scene.map_err(Failure::run)
}

fn text(report: &CostReport<'_>, time_only: bool) -> String {
    let CostReport { case, layout, machine, outcome } = report;
    let mut text = format!("{}  {}", case.program.name, case.sizes(layout));
    if case.is_random() {
        text += &format!("  seed {}", case.inputs.seed);
    }
    text += &format!("\n{}  p = {}\n", describe(machine), case.threads);
    text = wrapped(&text);
    let mut figures = Table::new(["figure", "value"]).numbers([1]);
    for figure in &outcome.cost.figures {
        figures.row([figure.about.to_owned(), shown(&figure.value)]);
    }
    text += &format!("\n{}\n\n", figures.text());
    if let Some(table) = &outcome.cost.table {
        text += &format!("{}\n\n", rows(table));
    }
    if let (Some(answer), Some(expr)) = (&outcome.answer, &case.program.listing.answer) {
        text += &format!("answer {expr} = {answer}\n");
    }
    let judges = case.judges();
    text += &match outcome.verdict.is_right() {
        Some(true) => format!("verified: the result agrees with {judges}\n"),
        Some(false) => format!("WRONG: the result differs from {judges}\n"),
        None if outcome.counted => "not executed: the time was counted\n".to_owned(),
        None if time_only => "executed for its cost alone: this cannot be counted\n".to_owned(),
        None => "not verified: there is no reference for this listing, or not for such input\n"
            .to_owned(),
    };
    if let Some([first, ..]) = outcome.races.as_deref() {
        let (what, on) = (first.describe(&case.program, layout), first.between.decided_by());
        text += &format!("RACE: {what}: results depend on {on}; `umm check` tells more\n");
    }
    text
}

/// A table has as many rows as people read; JSON has all.
const MOST_ROWS: usize = 32;

fn rows(table: &CostTable) -> String {
    let mut shown_table = Table::new(table.columns.clone()).numbers(0..table.columns.len());
    for row in table.rows.iter().take(MOST_ROWS) {
        shown_table.row(row.iter().map(shown));
    }
    let more = table.rows.len().saturating_sub(MOST_ROWS);
    let rest = if more > 0 { format!("\n… and {more} more: see --json") } else { String::new() };
    format!("{}:\n{}{rest}", table.key, shown_table.text())
}

/// A header and a row; of a curve a row for each size.
fn csv(algorithm: &str, machine: &CostMachine, outcome: &CostOutcome) -> Vec<Vec<String>> {
    let mut names = vec!["algorithm".to_owned(), "machine".to_owned()];
    let mut values = vec![algorithm.to_owned(), machine.kind().to_string()];
    let curve = outcome.cost.table.as_ref().filter(|it| it.key == "curve");
    let is_of_curve = |name: &str| curve.is_some_and(|it| it.columns.contains(&name));
    let parameters = machine.parameters().into_iter().filter(|it| !is_of_curve(it.0));
    let figures = outcome.cost.figures.iter().map(|it| (it.key, it.value.clone()));
    for (name, value) in parameters.chain(figures) {
        names.push(name.to_owned());
        values.push(value.to_string());
    }
    let Some(curve) = curve else { return vec![names, values] };
    names.extend(curve.columns.iter().map(|&it| it.to_owned()));
    let row =
        |row: &Vec<Value>| values.iter().cloned().chain(row.iter().map(Value::to_string)).collect();
    std::iter::once(names).chain(curve.rows.iter().map(row)).collect()
}
