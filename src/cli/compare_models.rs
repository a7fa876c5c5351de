//! `umm compare-models`

use clap::Args;

use crate::case::Case;
use crate::case::model_comparison::{ComparedCost, ComparedMachine};
use crate::cli::support::Failure;
use crate::cli::support::cost_options::CostOptions;
use crate::cli::support::cost_text::{describe, shown};
use crate::cli::support::files;
use crate::cli::support::options::{ProgramOptions, latency, threads, width};
use crate::cli::support::table::{Table, TableFile};
use crate::cli::support::terminal::wrapped;
use crate::cost::{CostKind, Figure, Value};
use crate::keyword::Keyword;
use crate::machine::Machine;
use crate::units::{Latency, Threads, Width};

/// Tell what one listing costs on every machine that is taught
///
/// The PRAM is the weakest that runs the listing. What a machine refuses is said in its row.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm compare-models sum --set n=64 -p 32
  umm compare-models matrix_multiply --set n=16 --cache 256 --line 8 --json
  umm compare-models mine.alg --set n=100 --processors 4 --csv models.csv")]
pub(super) struct CompareModels {
    #[command(flatten)]
    program: ProgramOptions,
    /// Number of threads
    #[arg(short = 'p', long, default_value = "1024", value_parser = threads)]
    threads: Threads,
    /// Of the memory machines: width
    #[arg(short, long, value_parser = width, default_value = "32")]
    width: Width,
    /// Of the memory machines: latency in time units
    #[arg(short, long, value_parser = latency, default_value = "100")]
    latency: Latency,
    #[command(flatten)]
    course: CostOptions,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    table: TableFile,
}

impl CompareModels {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.table.check()?;
        let case = Case { threads: self.threads, ..self.program.case()? };
        let mut rows = vec![];
        for kind in case.memory_machines() {
            let machine = Machine { kind, width: self.width, latency: self.latency };
            rows.push(case.compare_memory(machine)?);
        }
        for (kind, ..) in CostKind::WORDS {
            let processors = self.course.processors;
            let has = |name: &str| match name {
                "pram" => self.course.has_pram(),
                _ => self.course.has_space(),
            };
            let machine = || self.course.of_kind(*kind, None, None);
            let machines = case.course_machines(*kind, processors, has, machine)?;
            rows.extend(case.with_processors(*kind, processors).compare_first(machines)?);
        }
        let header = ["machine", "figure", "value"].map(str::to_owned);
        self.table.write(std::iter::once(header).chain(rows.iter().flat_map(lines)))?;
        if self.json {
            return files::print_json(&rows);
        }
        let mut table = Table::new(["machine", "cost"]);
        for row in &rows {
            table.row([name(&row.machine), text(row)]);
        }
        files::print(&format!("{}\n\n{}\n", wrapped(&case.to_string()), table.text()))
    }
}

fn name(machine: &ComparedMachine) -> String {
    match machine {
        ComparedMachine::Course(machine) => describe(machine),
        ComparedMachine::Memory(Machine { kind, width, latency }) => {
            format!("{}  w = {width}  l = {latency}", kind.name())
        }
    }
}

fn lines(row: &ComparedCost) -> Vec<[String; 3]> {
    let line = |key: &str, value: String| [name(&row.machine), key.to_owned(), value];
    match &row.said {
        Ok(figures) => figures.iter().map(|it| line(it.key, it.value.to_string())).collect(),
        Err(why) => vec![line("refused", why.clone())],
    }
}

/// The figures that the machine is about.
fn text(row: &ComparedCost) -> String {
    match &row.said {
        Ok(figures) => {
            let is_refusal = |it: &&Figure| it.value == Value::Flag(false);
            let figures = figures.iter().take(2).chain(figures.iter().skip(2).filter(is_refusal));
            // Whole numbers without blanks, which lines could break at.
            let value = |value: &Value| match value {
                Value::Count(count) => count.to_string(),
                other => shown(other),
            };
            let words = figures.map(|it| format!("{} {}", it.key, value(&it.value)));
            words.collect::<Vec<_>>().join("\n")
        }
        Err(why) => format!("refused: {why}"),
    }
}
