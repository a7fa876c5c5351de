//! `umm run`

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use serde_json::Value;

use super::Failure;
use super::files::{self, Staged};
use super::options::{MachineOptions, ProgramOptions, ThreadOptions, describe};
use super::program::Prepared;
use crate::algorithms::opt::triangulation;
use crate::chart;
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
    verified: Option<bool>,
    answer: Value,
}

impl Run {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (machine, mode) = (self.machine.machine(), self.machine.mode());
        let bulk = self.threads.bulk();
        let prepared = Prepared::new(&self.program, machine.width, bulk)?;
        let outputs = self.output_arrays(&prepared)?;
        let drawn = match &self.draw {
            Some(path) => Some((path, opt_arrays(&prepared)?)),
            None => None,
        };
        let mut memory = prepared.memory()?;
        let limits = Limits {
            threads: self.threads.threads.get(),
            while_iterations: self.program.while_limit,
        };
        let mut tracer = Tracer::new(&prepared.program, Clock::new(machine, mode));
        let answer =
            run::execute(&prepared.program, &prepared.layout, &mut memory, limits, &mut tracer)?;
        let mut counts = tracer.sink.finish();
        counts.resize(prepared.program.phases.len(), Counts::default());
        let mismatch = first_mismatch(&prepared, &memory)?;
        let answer = answer.map(|bits| {
            let element = prepared.program.answer.as_ref().map_or(Type::I64, |it| it.element);
            memory::text(element, bits)
        });
        // Every file is written before the first takes its place: all appear, or none.
        let mut files = vec![];
        if !matches!(mismatch, Some(Some(_))) {
            for (array, path) in outputs {
                let values = memory.values(&prepared.layout, array, 0);
                files.push(write_csv(&prepared, array, &values, path)?);
            }
            if let Some((path, arrays)) = drawn {
                let picture = draw(&prepared, &memory, arrays)?;
                files.push(Staged::new(path, |file| file.write_all(picture.as_bytes()))?);
            }
        }
        files.into_iter().try_for_each(Staged::keep)?;
        let report = self.report(&prepared, &counts, mismatch.as_ref(), answer.as_deref());
        if self.json {
            files::print_json(&report)?;
        } else {
            files::print(&self.human(&prepared, &report, answer.as_deref()))?;
        }
        match mismatch {
            Some(Some(mismatch)) => Err(Failure::run(mismatch)),
            _ => Ok(()),
        }
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

    fn report<'a>(
        &self,
        prepared: &'a Prepared,
        counts: &[Counts],
        mismatch: Option<&Option<String>>,
        answer: Option<&str>,
    ) -> Report<'a> {
        let parameters = prepared.program.parameters.iter().zip(&prepared.layout.parameters);
        Report {
            algorithm: &prepared.program.name,
            parameters: parameters.map(|(it, &value)| (it.name.clone(), value.into())).collect(),
            machine: self.machine.machine(),
            threads: self.threads.threads,
            mode: self.machine.mode(),
            bulk: self.threads.bulk_word(),
            seed: prepared.seed,
            total: counts.iter().copied().sum(),
            phases: (prepared.program.phases.iter().zip(counts))
                .map(|(name, &counts)| PhaseReport { name, counts })
                .collect(),
            verified: mismatch.map(Option::is_none),
            // JSON has no infinities: they become null.
            answer: answer.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null),
        }
    }

    fn human(&self, prepared: &Prepared, report: &Report<'_>, answer: Option<&str>) -> String {
        let mut text = format!("{}  {}", report.algorithm, prepared.sizes());
        if prepared.is_random() {
            text += &format!("  seed {}", report.seed);
        }
        text += &format!("\n{}  p = {}", describe(report.machine, report.mode), report.threads);
        if let Some(arrangement) = report.bulk {
            text += &format!("  {arrangement}-wise bulk run of p inputs");
        }
        text += &format!("\n\n{}\n\n", table(report));
        if let (Some(answer), Some(expr)) = (answer, &prepared.program.listing.answer) {
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
