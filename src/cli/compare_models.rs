//! `umm compare-models`

use clap::Args;
use serde_json::{Value as Json, json};

use crate::case::cost::MachineEntry;
use crate::case::{Case, CaseError};
use crate::cli::support::Failure;
use crate::cli::support::cost_options::CostOptions;
use crate::cli::support::cost_text::{describe, shown};
use crate::cli::support::files;
use crate::cli::support::options::{ProgramOptions, latency, threads, width};
use crate::cli::support::table::{Table, TableFile};
use crate::cli::support::terminal::wrapped;
use crate::cost::{Cost, CostKind, CostMachine, Figure, Owner, Owners, PramVariant, Value};
use crate::keyword::Keyword;
use crate::machine::{Machine, MachineKind};
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

/// A machine and what it says.
struct Row {
    machine: String,
    entry: Json,
    said: Result<Vec<Figure>, String>,
}

impl CompareModels {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.table.check()?;
        let case = Case { threads: self.threads, ..self.program.case()? };
        let mut rows = vec![];
        for kind in self.memory_machines(&case) {
            rows.push(self.memory_row(&case, kind)?);
        }
        for (kind, ..) in CostKind::WORDS {
            rows.push(self.row(&case, *kind)?);
        }
        let header = ["machine", "figure", "value"].map(str::to_owned);
        self.table.write(std::iter::once(header).chain(rows.iter().flat_map(Row::lines)))?;
        if self.json {
            let rows = rows.iter().map(Row::json);
            files::print_json(&rows.collect::<Vec<_>>())
        } else {
            let mut table = Table::new(["machine", "cost"]);
            for row in &rows {
                table.row([row.machine.clone(), row.text()]);
            }
            files::print(&format!("{}\n\n{}\n", wrapped(&case.to_string()), table.text()))
        }
    }

    fn memory_machines(&self, case: &Case) -> Vec<MachineKind> {
        let words = <MachineKind as Keyword>::WORDS.iter().map(|it| it.0);
        let has_dmms = case.program.first_loop_on_dmms().is_some();
        words.filter(|it| it.dmms().is_some() == has_dmms).collect()
    }

    fn memory_row(&self, case: &Case, kind: MachineKind) -> Result<Row, Failure> {
        let machine = Machine { kind, width: self.width, latency: self.latency };
        let total = case.clone().on(machine).time()?.total();
        let figure = |key, about, value: u128| Figure { key, about, value: Value::Count(value) };
        let said = vec![
            figure("time_units", "time", total.time_units.0),
            figure("stages", "stages", total.stages),
        ];
        let name = format!("{}  w = {}  l = {}", kind.name(), self.width, self.latency);
        Ok(Row { machine: name, entry: json!(machine), said: Ok(said) })
    }

    fn row(&self, case: &Case, kind: CostKind) -> Result<Row, Failure> {
        let machines = self.machines(case, kind)?;
        let mut refused = None;
        for machine in machines {
            let entry = serde_json::to_value(MachineEntry(&machine)).map_err(Failure::run)?;
            let said = match self.cost(case, &machine) {
                Ok(cost) => Ok(cost.figures),
                Err(CaseError::Program(located)) => Err(located.diagnostic.message.clone()),
                Err(other) => return Err(other.into()),
            };
            let row = Row { machine: describe(&machine), entry, said };
            if row.said.is_ok() {
                return Ok(row);
            }
            refused = Some(row);
        }
        refused.ok_or_else(|| Failure::run(format_args!("no machine for {kind}")))
    }

    fn cost(&self, case: &Case, machine: &CostMachine) -> Result<Cost, CaseError> {
        let mut case = case.clone();
        if let (CostKind::Pem, Some(processors)) = (machine.kind(), self.course.processors) {
            case.threads = Threads::at_least_one(processors);
        }
        let case = case.for_cost(machine)?;
        let layout = case.layout()?;
        let mut memory = case.memory(&layout)?;
        Ok(case.cost(machine, &layout, &mut memory)?.cost)
    }

    /// The machines of a kind, of which the first that runs the listing is told of.
    fn machines(&self, case: &Case, kind: CostKind) -> Result<Vec<CostMachine>, Failure> {
        match kind {
            CostKind::Pram if !self.course.has_pram() => {
                let CostMachine::Pram { counted, .. } = self.course.of_kind(kind, None, None)?
                else {
                    return Ok(vec![]);
                };
                let weakest = [
                    PramVariant::Erew,
                    PramVariant::Crew,
                    PramVariant::Common,
                    PramVariant::Arbitrary,
                    PramVariant::Combining,
                ];
                Ok(weakest.map(|variant| CostMachine::Pram { variant, counted }).into())
            }
            CostKind::Mpc if !self.course.has_space() => {
                let processors = self.course.processors.unwrap_or(8);
                let words = case.clone().with_dmms().layout()?.cells(&case.program);
                let owners = Owners { other: Owner::Block, named: vec![] };
                let space = words.div_ceil(processors).max(1);
                Ok(vec![CostMachine::Mpc { processors: Some(processors), owners, space }])
            }
            _ => Ok(vec![self.course.of_kind(kind, None, None)?]),
        }
    }
}

impl Row {
    fn json(&self) -> Json {
        let mut row = serde_json::Map::new();
        row.insert("machine".to_owned(), self.entry.clone());
        match &self.said {
            Ok(figures) => {
                row.extend(figures.iter().map(|it| (it.key.to_owned(), json!(it.value))));
            }
            Err(why) => {
                row.insert("refused".to_owned(), why.clone().into());
            }
        }
        row.into()
    }

    fn lines(&self) -> Vec<[String; 3]> {
        let line = |key: &str, value: String| [self.machine.clone(), key.to_owned(), value];
        match &self.said {
            Ok(figures) => figures.iter().map(|it| line(it.key, it.value.to_string())).collect(),
            Err(why) => vec![line("refused", why.clone())],
        }
    }

    /// The figures that the machine is about.
    fn text(&self) -> String {
        match &self.said {
            Ok(figures) => {
                let is_refusal = |it: &&Figure| it.value == Value::Flag(false);
                let figures =
                    figures.iter().take(2).chain(figures.iter().skip(2).filter(is_refusal));
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
}
