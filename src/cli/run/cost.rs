//! `umm run -m pram` and the other machines that are no memory machines.

use comfy_table::{CellAlignment, Table, presets};

use super::Run;
use crate::case::Verdict;
use crate::case::cost::{CostOutcome, CostReport};
use crate::cli::support::Failure;
use crate::cli::support::cost_text::{csv_line, describe, shown};
use crate::cli::support::files;
use crate::cli::support::progress::spin;
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
        let mut memory = case.memory(&layout)?;
        let outcome = spin("running", || case.cost(&machine, &layout, &mut memory))?;
        let report =
            CostReport { case: &case, layout: &layout, machine: &machine, outcome: &outcome };
        if self.json {
            files::print_json(&report)?;
        } else if let Some(path) = &self.csv {
            files::put(path, &csv(&case.program.name, &machine, &outcome))?;
        } else {
            files::print(&text(&report))?;
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
            ("--time-only", self.time_only),
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

fn text(report: &CostReport<'_>) -> String {
    let CostReport { case, layout, machine, outcome } = report;
    let mut text = format!("{}  {}", case.program.name, case.sizes(layout));
    if case.is_random() {
        text += &format!("  seed {}", case.inputs.seed);
    }
    text += &format!("\n{}  p = {}\n\n", describe(machine), case.threads);
    let mut figures = Table::new();
    figures.load_style(presets::NOTHING);
    for figure in &outcome.cost.figures {
        figures.add_row([figure.about.to_owned(), shown(&figure.value)]);
    }
    if let Some(column) = figures.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    text += &format!("{}\n\n", figures.trim_fmt());
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
    let mut shown_table = Table::new();
    shown_table.load_style(presets::NOTHING).set_header(table.columns.clone());
    for row in table.rows.iter().take(MOST_ROWS) {
        shown_table.add_row(row.iter().map(shown));
    }
    for column in shown_table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let more = table.rows.len().saturating_sub(MOST_ROWS);
    let rest = if more > 0 { format!("\n… and {more} more: see --json") } else { String::new() };
    format!("{}:\n{}{rest}", table.key, shown_table.trim_fmt())
}

/// A header and a row; of a curve a row for each size.
fn csv(algorithm: &str, machine: &CostMachine, outcome: &CostOutcome) -> String {
    let mut names = vec!["algorithm", "machine"];
    let mut values = vec![algorithm.to_owned(), machine.kind().to_string()];
    let curve = outcome.cost.table.as_ref().filter(|it| it.key == "curve");
    for (name, value) in machine.parameters() {
        if curve.is_none_or(|it| !it.columns.contains(&name)) {
            names.push(name);
            values.push(value.to_string());
        }
    }
    for figure in &outcome.cost.figures {
        names.push(figure.key);
        values.push(figure.value.to_string());
    }
    let header: Vec<String> = names.iter().map(|&it| it.to_owned()).collect();
    let Some(curve) = curve else { return csv_line(&header) + &csv_line(&values) };
    let columns = curve.columns.iter().map(|&it| it.to_owned());
    let mut text = csv_line(&header.into_iter().chain(columns).collect::<Vec<_>>());
    for row in &curve.rows {
        let cells = values.iter().cloned().chain(row.iter().map(Value::to_string));
        text += &csv_line(&cells.collect::<Vec<_>>());
    }
    text
}
