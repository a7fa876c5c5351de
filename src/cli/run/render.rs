//! What `umm run` says of a run.

use crate::case::outcome::{RunReport, names};
use crate::cli::support::numbers::grouped;
use crate::cli::support::options::describe;
use crate::cli::support::table::Table;
use crate::cli::support::terminal::wrapped;
use crate::count::{ExecutedLoop, UncheckedFailure};
use crate::language::program::Program;
use crate::machine::{Counts, Memories};
use crate::units::TimeUnits;

/// The run as a person reads it.
pub(super) fn render_text(report: &RunReport<'_>) -> String {
    let RunReport { case, layout, outcome, .. } = *report;
    let program = &*case.program;
    let mut text = format!("{}  {}", report.algorithm, case.sizes(layout));
    if outcome.has_values && case.is_random() {
        text += &format!("  seed {}", report.seed);
    }
    text += &format!("\n{}  p = {}", describe(report.machine, report.mode), report.threads);
    if let Some(arrangement) = report.bulk {
        text += &format!("  {} bulk run of p inputs", arrangement.name());
    }
    if outcome.has_values && case.shipped().is_none() {
        for (name, what) in case.inputs.describe(program) {
            text += &format!("\n{name}: {what}");
        }
    }
    text = format!("{}\n\n{}\n\n", wrapped(&text), table(report));
    if let Some(executed) = &outcome.executed {
        let unchecked = describe_unchecked(program, &outcome.unchecked);
        return text + &describe_counting(program, executed) + &unchecked;
    }
    if let (Some(answer), Some(expr)) = (&outcome.answer, &program.listing.answer) {
        let whose = if report.bulk.is_some() { " of input 0" } else { "" };
        text += &format!("answer {expr}{whose} = {answer}\n");
    }
    let judges = case.judges();
    text += &match report.verified {
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

/// Which phases were counted, which executed, and why.
fn describe_counting(program: &Program, executed: &[ExecutedLoop]) -> String {
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

/// With what a run with values may fail though its time is known.
fn describe_unchecked(program: &Program, unchecked: &UncheckedFailure) -> String {
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

fn table(report: &RunReport<'_>) -> String {
    let mut header =
        vec!["phase", "accesses", "stages", "stages/warp access", "time units", "share"];
    if report.memories.is_some() {
        header.splice(2..3, ["global stages", "shared stages"]);
    }
    let numbers = 1..header.len();
    let mut table = Table::new(header).numbers(numbers);
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
        table.row(cells);
    };
    for phase in &report.phases {
        row(phase.name, &phase.counts, phase.memories.as_ref());
    }
    if report.phases.len() != 1 {
        row("total", &report.total, report.memories.as_ref());
    }
    table.text()
}
