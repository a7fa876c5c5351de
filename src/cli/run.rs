//! `umm run`

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use serde_json::{Value, json};

use super::Failure;
use super::files::{self, Staged};
use super::options::{MachineOptions, ProgramOptions, ThreadOptions, describe};
use super::program::Prepared;
use super::progress::Progress;
use crate::algorithms::opt::triangulation;
use crate::chart;
use crate::count::{self, CountError, Executed};
use crate::language::program::ArrayId;
use crate::language::syntax::Type;
use crate::machine::{Clock, Counts, Machine, Mode};
use crate::run::memory::{self, Bits, Memory};
use crate::run::{self, Limits, Tracer};
use crate::units::{Threads, TimeUnits};

/// Execute a listing, check its result and time it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm run umm_opt --set n=64
  umm run umm_opt --input c=paper -w 4 -l 5 -p 16 --draw triangulation.svg
  umm run prefix_sums --set n=32 --bulk column -p 4096
  umm run umm_opt --set n=8192 -p 65536 -l 400 --time-only
  umm run mine.alg --set n=100 --input a=data.csv --output b=result.csv --json")]
pub(super) struct Run {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Draw the optimal triangulation (listings with a table M and weights c)
    #[arg(long, value_name = "FILE.svg")]
    draw: Option<PathBuf>,
    /// Write an array after the run, one row a line; of a bulk run, input 0's; repeatable
    #[arg(long = "output", value_name = "ARRAY=FILE.csv", value_parser = output)]
    outputs: Vec<(String, PathBuf)>,
    /// Count the time without the values: no result, but any size
    #[arg(long, conflicts_with_all = ["draw", "outputs"])]
    time_only: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn output(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), path.into()))
        }
        _ => Err("write ARRAY=FILE.csv".to_owned()),
    }
}

#[derive(Serialize)]
struct PhaseReport<'a> {
    name: &'a str,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize)]
struct Report<'a> {
    algorithm: &'a str,
    parameters: serde_json::Map<String, Value>,
    machine: Machine,
    threads: Threads,
    mode: Mode,
    bulk: Option<&'static str>,
    seed: u64,
    #[serde(flatten)]
    total: Counts,
    phases: Vec<PhaseReport<'a>>,
    /// Loops that were executed though only the time was asked for; null in a run with values.
    executed: Option<Vec<Value>>,
    verified: Option<bool>,
    answer: Value,
}

/// What a run found out.
struct Outcome {
    counts: Vec<Counts>,
    /// `Some` if only the time was asked for: what was executed nevertheless.
    executed: Option<Vec<Executed>>,
    /// `None` without a reference; else where the result first differs from it, if anywhere.
    mismatch: Option<Option<String>>,
    answer: Option<String>,
}

impl Outcome {
    const fn of_time(counts: Vec<Counts>, executed: Vec<Executed>) -> Self {
        Self { counts, executed: Some(executed), mismatch: None, answer: None }
    }
}

impl Run {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (machine, bulk) = (self.machine.machine(), self.threads.bulk());
        let prepared = Prepared::new(&self.program, machine.width, bulk)?;
        let outcome =
            if self.time_only { self.count(&prepared)? } else { self.execute(&prepared)? };
        let report = self.report(&prepared, &outcome);
        if self.json {
            files::print_json(&report)?;
        } else {
            files::print(&self.human(&prepared, &report, &outcome))?;
        }
        match outcome.mismatch {
            Some(Some(mismatch)) => Err(Failure::run(mismatch)),
            _ => Ok(()),
        }
    }

    fn limits(&self) -> Limits {
        Limits { threads: self.threads.threads, while_iterations: self.program.while_limit }
    }

    /// Times the program without its values, if its time does not depend on them.
    fn count(&self, prepared: &Prepared) -> Result<Outcome, Failure> {
        let (machine, mode) = (self.machine.machine(), self.machine.mode());
        let (program, layout) = (&prepared.program, &prepared.layout);
        match count::count(program, layout, machine, mode, self.limits()) {
            Ok(counted) => Ok(Outcome::of_time(counted.counts, counted.executed)),
            Err(CountError::DependsOnMemory(dependence)) => {
                let outcome = self.execute(prepared)?;
                let phases = (0..).take(program.phases.len()).collect();
                let why = "this depends on what memory holds, so the program ran with its values";
                let executed = vec![Executed { phases, span: dependence.span, why }];
                Ok(Outcome { executed: Some(executed), ..outcome })
            }
            Err(CountError::Run(located)) => Err(located.into()),
        }
    }

    /// Runs the program with its values.
    fn execute(&self, prepared: &Prepared) -> Result<Outcome, Failure> {
        let (machine, mode) = (self.machine.machine(), self.machine.mode());
        let (program, layout) = (&prepared.program, &prepared.layout);
        let outputs = self.output_arrays(prepared)?;
        let drawn = match &self.draw {
            Some(path) => Some((path, opt_arrays(prepared)?)),
            None => None,
        };
        let mut memory = prepared.memory()?;
        let mut tracer =
            Tracer::new(program, Progress::new(Clock::new(machine, mode, self.threads.threads)));
        let answer = run::execute(program, layout, &mut memory, self.limits(), &mut tracer)?;
        let mut counts = tracer.sink.finish().finish();
        counts.resize(program.phases.len(), Counts::default());
        let mismatch = first_mismatch(prepared, &memory)?;
        let answer = answer.map(|bits| {
            let element = program.answer.as_ref().map_or(Type::I64, |it| it.element);
            memory::text(element, bits)
        });
        // Every file is written before the first takes its place: all appear, or none.
        let mut files = vec![];
        if !matches!(mismatch, Some(Some(_))) {
            for (array, path) in outputs {
                let values = memory.values(layout, array, 0);
                files.push(write_csv(prepared, array, &values, path)?);
            }
            if let Some((path, arrays)) = drawn {
                let picture = draw(prepared, &memory, arrays)?;
                files.push(Staged::new(path, |file| file.write_all(picture.as_bytes()))?);
            }
        }
        files.into_iter().try_for_each(Staged::keep)?;
        Ok(Outcome { counts, executed: None, mismatch, answer })
    }

    fn output_arrays<'a>(
        &'a self,
        prepared: &Prepared,
    ) -> Result<Vec<(ArrayId, &'a PathBuf)>, Failure> {
        let program = &prepared.program;
        let find = |(name, path): &'a (String, PathBuf)| match program.array_named(name) {
            Some(array) => Ok((array, path)),
            None => {
                let names: Vec<&str> = program.arrays.iter().map(|it| it.name.as_str()).collect();
                Err(Failure::input(format_args!(
                    "--output {name}: `{}` has no array `{name}`; its arrays are: {}",
                    program.name,
                    names.join(", ")
                )))
            }
        };
        let mut paths = HashSet::new();
        let written = self.outputs.iter().map(|(_, path)| path).chain(&self.draw);
        for path in written {
            if !paths.insert(path) {
                let path = path.display();
                return Err(Failure::input(format_args!(
                    "{path} is to be written twice; give --output and --draw files of their own"
                )));
            }
        }
        self.outputs.iter().map(find).collect()
    }

    fn report<'a>(&self, prepared: &'a Prepared, outcome: &Outcome) -> Report<'a> {
        let source = &prepared.program.source;
        let executed = |it: &Executed| {
            let names = it.phases.iter().map(|&phase| &prepared.program.phases[phase as usize]);
            json!({
                "phases": names.collect::<Vec<_>>(),
                "line": source.line(it.span),
                "text": source.line_text(it.span),
                "why": it.why,
            })
        };
        let answer = outcome.answer.as_deref();
        let parameters = prepared.program.parameters.iter().zip(&prepared.layout.parameters);
        Report {
            algorithm: &prepared.program.name,
            parameters: parameters.map(|(it, &value)| (it.name.clone(), value.into())).collect(),
            machine: self.machine.machine(),
            threads: self.threads.threads,
            mode: self.machine.mode(),
            bulk: self.threads.bulk_word(),
            seed: prepared.seed,
            total: outcome.counts.iter().copied().sum(),
            phases: (prepared.program.phases.iter().zip(&outcome.counts))
                .map(|(name, &counts)| PhaseReport { name, counts })
                .collect(),
            executed: outcome.executed.as_ref().map(|it| it.iter().map(executed).collect()),
            verified: outcome.mismatch.as_ref().map(Option::is_none),
            // JSON has no infinities: they become null.
            answer: answer.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null),
        }
    }

    fn human(&self, prepared: &Prepared, report: &Report<'_>, outcome: &Outcome) -> String {
        let mut text = format!("{}  {}", report.algorithm, prepared.sizes());
        if prepared.is_random() {
            text += &format!("  seed {}", report.seed);
        }
        text += &format!("\n{}  p = {}", describe(report.machine, report.mode), report.threads);
        if let Some(arrangement) = report.bulk {
            text += &format!("  {arrangement}-wise bulk run of p inputs");
        }
        text += &format!("\n\n{}\n\n", table(report));
        if let Some(executed) = &outcome.executed {
            return text + &describe_counting(prepared, executed);
        }
        if let (Some(answer), Some(expr)) = (&outcome.answer, &prepared.program.listing.answer) {
            let whose = if report.bulk.is_some() { " of input 0" } else { "" };
            text += &format!("answer {expr}{whose} = {answer}\n");
        }
        text += match report.verified {
            Some(true) => "verified: the result agrees with the reference\n",
            Some(false) => "WRONG: the result differs from the reference\n",
            None => "not verified: there is no reference for this listing\n",
        };
        text
    }
}

/// Which phases were counted, which executed, and why.
fn describe_counting(prepared: &Prepared, executed: &[Executed]) -> String {
    let program = &prepared.program;
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

fn table(report: &Report<'_>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["phase", "accesses", "stages", "stages/warp access", "time units", "share"]);
    let total = report.total.time_units;
    let mut row = |name: &str, counts: &Counts| {
        let average = counts.stages as f64 / counts.dispatches as f64;
        let average = if counts.dispatches == 0 { "–".into() } else { format!("{average:.2}") };
        let TimeUnits(time) = counts.time_units;
        let share = 100.0 * time as f64 / (total.0.max(1)) as f64;
        let (accesses, stages) = (grouped(counts.accesses), grouped(counts.stages));
        let share = format!("{share:.1} %");
        table.add_row([name, &accesses, &stages, &average, &grouped(time), &share]);
    };
    for phase in &report.phases {
        row(phase.name, &phase.counts);
    }
    if report.phases.len() != 1 {
        row("total", &report.total);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

/// A number with its digits in groups of three.
fn grouped(number: u128) -> String {
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

/// `None` without a reference; else where the result first differs from it, if anywhere.
fn first_mismatch(prepared: &Prepared, memory: &Memory) -> Result<Option<Option<String>>, Failure> {
    let Some(entry) = prepared.entry else { return Ok(None) };
    let (program, layout) = (&prepared.program, &prepared.layout);
    for input in 0..layout.bulk.map_or(1, |bulk| bulk.inputs) {
        let given: Vec<_> = prepared.given(input)?.into_iter().map(|(_, it)| it).collect();
        for expected in (entry.reference)(&layout.parameters, &given) {
            let Some(array) = program.array_named(expected.array) else { continue };
            let element = program.arrays[array.0].element;
            let values = memory.values(layout, array, input);
            for (cell, (wanted, found)) in expected.values.iter().zip(values).enumerate() {
                let Some(wanted) = *wanted else { continue };
                let number = found.map(|bits| memory::number(element, bits));
                let agrees = number.is_some_and(|number| {
                    number == wanted || (number - wanted).abs() <= expected.tolerance
                });
                if !agrees {
                    let found = number.map_or("nothing".to_owned(), |it| it.to_string());
                    return Ok(Some(Some(format!(
                        "cell {cell} of `{}` (input {input}) holds {found}; the reference has {wanted}",
                        expected.array
                    ))));
                }
            }
        }
    }
    Ok(Some(None))
}

fn write_csv(
    prepared: &Prepared,
    array: ArrayId,
    values: &[Option<u64>],
    path: &Path,
) -> Result<Staged, Failure> {
    let element = prepared.program.arrays[array.0].element;
    let extents = &prepared.layout.regions[array.0].extents;
    let columns = if extents.len() == 1 { 1 } else { extents[extents.len() - 1] as usize };
    Staged::new(path, |file| {
        for row in values.chunks(columns) {
            let fields: Vec<String> = row
                .iter()
                .map(|bits| bits.map_or(String::new(), |bits| memory::text(element, bits)))
                .collect();
            writeln!(file, "{}", fields.join(","))?;
        }
        Ok(())
    })
}

/// The table M and the weights c of an OPT listing.
fn opt_arrays(prepared: &Prepared) -> Result<[ArrayId; 2], Failure> {
    let (program, regions) = (&prepared.program, &prepared.layout.regions);
    let square = |name: &str| {
        program.array_named(name).filter(|id| {
            let extents = &regions[id.0].extents;
            program.arrays[id.0].element == Type::F32
                && extents.len() == 2
                && extents[0] == extents[1]
        })
    };
    match (square("M"), square("c")) {
        (Some(m), Some(c)) if regions[m.0].extents == regions[c.0].extents => Ok([m, c]),
        _ => Err(Failure::input(format_args!(
            "--draw needs a table M[n, n] and weights c[n, n] of f32, as in opt, dp_opt and umm_opt; \
             `{}` has none",
            program.name
        ))),
    }
}

fn draw(prepared: &Prepared, memory: &Memory, arrays: [ArrayId; 2]) -> Result<String, Failure> {
    let layout = &prepared.layout;
    let n = layout.regions[arrays[0].0].extents[0] as usize;
    let [table, weights] = arrays.map(|array| -> Vec<f32> {
        let values = memory.values(layout, array, 0);
        values.into_iter().map(|bits| bits.map_or(f32::NAN, Bits::from_bits)).collect()
    });
    let chords = triangulation::recover(n, &table, &weights).map_err(Failure::run)?;
    let shape = prepared.polygon().map_or(chart::triangulation::Shape::Regular(n), |polygon| {
        chart::triangulation::Shape::Polygon(polygon)
    });
    let weight = f64::from(table[n + n - 1]);
    let name = "Optimal triangulation";
    chart::triangulation::svg(shape, &chords, name, weight).map_err(Failure::run)
}
