//! `umm run -m pram` and the other machines that are no memory machines.

use super::Run;
use crate::case::Verdict;
use crate::case::cost::{CostOutcome, CostReport};
use crate::cli::support::Failure;
use crate::cli::support::cost_text::{describe, shown};
use crate::cli::support::files;
use crate::cli::support::progress::spin;
use crate::cli::support::table::Table;
use crate::cli::support::terminal::wrapped;
use crate::cost::{CostKind, CostMachine, CostTable, Value};
use crate::units::Threads;

impl Run {
    /// Runs the listing on a machine that is no memory machine.
    pub(super) fn cost(&self, kind: CostKind) -> Result<(), Failure> {
        self.refuse_for_cost(kind)?;
        let overhead = self.overhead(kind)?;
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
        self.table.write(csv(&case.program.name, &machine, &outcome))?;
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

    /// What -o says, which is a picture elsewhere.
    fn overhead(&self, kind: CostKind) -> Result<Option<u64>, Failure> {
        let Some(text) = &self.draw else { return Ok(None) };
        if !matches!(kind, CostKind::LogP | CostKind::LogGp) {
            return Err(Failure::input(format_args!(
                "-o: -m {kind} draws nothing and has no overhead; leave it out"
            )));
        }
        let number = text.to_str().and_then(|it| it.parse::<u64>().ok());
        number.map(Some).ok_or_else(|| {
            let text = text.to_string_lossy();
            Failure::input(format_args!(
                "-o {text}: of -m {kind} it is a whole number of time units"
            ))
        })
    }
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
        None if time_only => "not executed: the time was counted\n".to_owned(),
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
