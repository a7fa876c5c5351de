//! `umm run`

mod cost;
mod render;
mod table;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use self::render::render_text;
use self::table::rows;
use crate::case::outcome::{Outcome, RunReport};
use crate::case::triangulation::{OptArrays, Triangulation};
use crate::case::{Case, ExpectedFile, Verdict};
use crate::chart::{self, Scene, Theme};
use crate::cli::support::Failure;
use crate::cli::support::case::opt_arrays;
use crate::cli::support::cost_options::CostOptions;
use crate::cli::support::files::{self, STDOUT_HAS_THE_REPORT, StagedOutput};
use crate::cli::support::options::{
    MachineOptions, ProgramOptions, ThreadOptions, machine_word, of_array, os, source,
};
use crate::cli::support::picture::{encode, picture};
use crate::cli::support::progress::{Progress, spin};
use crate::cli::support::table::TableFile;
use crate::count::CountError;
use crate::language::program::{Array, ArrayId, Program, Remark};
use crate::machine::Clock;
use crate::run::layout::Layout;
use crate::run::memory::{self, Memory};
use crate::trace::{Step, Tap};

/// Execute a listing, check its result and time it
#[derive(Debug, Args)]
#[command(mut_arg("machine", |it| it.value_parser(machine_word(true))), after_help = "\
Examples:
  umm run umm_opt --set n=64
  umm run umm_opt --input c=paper -w 4 -l 5 -p 16 -o triangulation.svg
  umm run prefix_sums --set n=32 --bulk column -p 4096
  umm run umm_opt --set n=8192 -p 65536 -l 400 --time-only
  umm run umm_opt --set n=64 --csv phases.csv
  umm run mine.alg --set n=100 --input a=data.csv --output b=result.csv --json
  umm run prefix_sums --set n=8 --input b=random:7:-5..5
  umm run prefix_sums --set n=4 --bulk column -p 3 --output-table b=sums.csv
  umm run sum --set n=64 -m pram --pram erew -p 32
  umm run matrix_multiply --set n=32 -m ideal-cache --cache 64..4096*2 --line 8
  umm run transpose --set n=64 -m bsp --processors 8 --owner cyclic -g 4 -L 100")]
pub(super) struct Run {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    course: CostOptions,
    /// Give elements the bytes of their types, in groups of 4·w bytes and banks of 4
    #[arg(long)]
    bytes: bool,
    /// Draw the optimal triangulation (listings with a table M and weights c); of -m roofline the
    /// phases under their roofs, of -m bsp the words of each superstep; of -m logp and loggp, -o is the
    /// overhead
    #[arg(short = 'o', long, value_name = "FILE.svg|.png")]
    draw: Option<OsString>,
    /// Write an array after the run, one row a line, a cell that was never written empty; of a bulk
    /// run, input 0's; repeatable
    #[arg(long = "output", value_name = "ARRAY=FILE.csv", value_parser = os(output))]
    outputs: Vec<(String, PathBuf)>,
    /// What an array must hold after the run: a file .csv or .npy, or - for standard input; of a bulk
    /// run, a row an input, or a folder of files; repeatable
    #[arg(long = "expect", value_name = "ARRAY=FILE", value_parser = os(source))]
    expected: Vec<(String, OsString)>,
    /// How far results may be from --expect and the listing's `reference`: absolutely below 1, else
    /// relatively
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = tolerance)]
    tolerance: f64,
    /// Write an array of all inputs of a bulk run, a row an input; repeatable
    #[arg(long = "output-table", value_name = "ARRAY=FILE.csv", value_parser = os(output), requires = "bulk")]
    tables: Vec<(String, PathBuf)>,
    /// Count the time without the values: no result, but any size
    #[arg(long, conflicts_with_all = ["draw", "outputs", "tables", "expected"])]
    time_only: bool,
    #[command(flatten)]
    table: TableFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What a text without declarations was taken for, a line each.
fn said(program: &Program) -> String {
    let name = &program.source.name;
    let line = |it: &Remark| format!("{name}:{}: {}\n", it.line, it.text);
    program.reading.said.iter().map(line).collect()
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|it| it.is_finite() && *it >= 0.0);
    number.ok_or_else(|| "it must be a number from 0 on, such as 1e-6".to_owned())
}

fn output(value: OsString) -> Result<(String, PathBuf), String> {
    match of_array(&value) {
        Some((_, path)) if path == "-" => Err(STDOUT_HAS_THE_REPORT.to_owned()),
        Some((name, path)) => Ok((name, path.into())),
        None => Err("write ARRAY=FILE.csv".to_owned()),
    }
}

impl Run {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.table.check()?;
        if let Some(kind) = self.machine.course() {
            return self.cost(kind);
        }
        self.course.refuse_all("a memory machine")?;
        let (machine, mode) = (self.machine.machine()?, self.machine.mode());
        let case = Case { machine, mode, in_bytes: self.bytes, ..self.case()? };
        let layout = case.layout()?;
        case.expected.iter().try_for_each(|it| it.check(&case.program, &layout))?;
        let outcome = if self.time_only {
            self.count(&case, &layout)?
        } else {
            self.execute(&case, &layout)?
        };
        let report = RunReport::new(&case, &layout, &outcome);
        self.table.write(rows(&report))?;
        if self.json {
            files::print_json(&report)?;
        } else {
            files::print(&render_text(&report))?;
        }
        match outcome.verdict {
            Verdict::Wrong(difference) => Err(Failure::run(difference)),
            _ => Ok(()),
        }
    }

    /// The program with its sizes, inputs and threads, and what is expected of it.
    fn case(&self) -> Result<Case, Failure> {
        let ThreadOptions { threads, bulk } = self.threads;
        let mut case = Case { threads, bulk, ..self.program.case()? };
        files::note(&said(&case.program));
        case.tolerance = self.tolerance;
        for (name, value) in &self.expected {
            case.expected.push(ExpectedFile::read(&case.program, name, value)?);
        }
        Ok(case)
    }

    /// The picture that is to be drawn.
    fn picture(&self) -> Result<Option<PathBuf>, Failure> {
        let picture = self.draw.clone().map(picture).transpose();
        picture.map_err(|error| Failure::input(format_args!("-o (--draw): {error}")))
    }

    /// Times the program without its values, if its time does not depend on them.
    fn count(&self, case: &Case, layout: &Layout) -> Result<Outcome, Failure> {
        if self.bytes {
            let message =
                "--time-only: time in bytes is of runs with values; leave one of them out";
            return Err(Failure::input(message));
        }
        match spin("counting", || case.count(layout)) {
            Ok(counted) => Ok(Outcome::of_time(counted)),
            Err(CountError::DependsOnMemory(dependence)) => {
                let outcome = self.execute(case, layout)?;
                Ok(outcome.for_its_time(&case.program, dependence.span))
            }
            Err(CountError::Run(located)) => Err(located.into()),
        }
    }

    /// Runs the program with its values.
    fn execute(&self, case: &Case, layout: &Layout) -> Result<Outcome, Failure> {
        let program = &*case.program;
        let outputs = output_arrays("--output", &self.outputs, program)?;
        let tables = output_arrays("--output-table", &self.tables, program)?;
        let paths = outputs.iter().chain(&tables).map(|it| it.1);
        let picture = self.picture()?;
        files::check_outputs(paths.chain(&picture).chain(self.table.path()))?;
        let drawn = match &picture {
            Some(path) => Some((path, opt_arrays(case, layout, "--draw")?)),
            None => None,
        };
        // To the end: filling memory and checking the result may take as long as the run.
        let mut progress = Progress::new();
        let mut memory = case.memory(layout)?;
        let clock = Clock::new(case.machine, case.mode, case.threads);
        let tap = Tap { sink: clock, each: |step: &Step| progress.count(step) };
        let outcome = case.outcome(layout, &mut memory, tap, |it| it.sink)?;
        // Every file is written before the first takes its place: all appear, or none.
        let mut files = vec![];
        if outcome.verdict.is_right() != Some(false) {
            for (array, path) in outputs {
                let columns = match layout.regions[array.0].extents[..] {
                    [_, .., columns] => columns,
                    _ => 1,
                };
                files.push(write_rows(case, layout, array, &memory, path, (1, columns))?);
            }
            for (array, path) in tables {
                let inputs = layout.bulk.map_or(1, |it| it.inputs);
                let shape = (inputs, layout.regions[array.0].cells);
                files.push(write_rows(case, layout, array, &memory, path, shape)?);
            }
            if let Some((path, arrays)) = drawn {
                let picture = encode(&draw(case, layout, &memory, arrays)?, path)?;
                files.push(StagedOutput::new(path, |file| file.write_all(&picture))?);
            }
        }
        files.into_iter().try_for_each(StagedOutput::keep)?;
        Ok(outcome)
    }
}

fn output_arrays<'a>(
    option: &str,
    outputs: &'a [(String, PathBuf)],
    program: &Program,
) -> Result<Vec<(ArrayId, &'a PathBuf)>, Failure> {
    let find = |(name, path): &'a (String, PathBuf)| match program.array_named(name) {
        Some(array) => Ok((array, path)),
        None => {
            let names: Vec<&str> = program.arrays.iter().map(|it| it.name.as_str()).collect();
            Err(Failure::input(format_args!(
                "{option} {name}: `{}` has no array `{name}`; its arrays are: {}",
                program.name,
                names.join(", ")
            )))
        }
    };
    outputs.iter().map(find).collect()
}

/// An array of the first inputs, this many of its numbers a row.
fn write_rows(
    case: &Case,
    layout: &Layout,
    array: ArrayId,
    memory: &Memory,
    path: &Path,
    (inputs, columns): (u64, u64),
) -> Result<StagedOutput, Failure> {
    let Array { element, fields, .. } = &case.program.arrays[array.0];
    StagedOutput::new(path, |file| {
        // Columns that have names say them.
        if columns == fields.len() as u64 {
            writeln!(file, "{}", fields.join(","))?;
        }
        (0..inputs).try_for_each(|input| {
            (1..).zip(memory.cells(layout, array, input)).try_for_each(|(cell, bits)| {
                let text = bits.map_or(String::new(), |bits| memory::text(*element, bits));
                write!(file, "{text}{}", if cell % columns == 0 { "\n" } else { "," })
            })
        })
    })
}

fn draw(
    case: &Case,
    layout: &Layout,
    memory: &Memory,
    arrays: OptArrays,
) -> Result<Scene, Failure> {
    let Triangulation { n, chords, weight } =
        arrays.triangulation(layout, memory).map_err(Failure::run)?;
    let shape = case.polygon().map_or(chart::triangulation::VertexLayout::Regular(n), |polygon| {
        chart::triangulation::VertexLayout::Polygon(polygon)
    });
    let name = "Optimal triangulation";
    chart::triangulation::scene(shape, &chords, name, weight.into(), Theme::Light)
        .map_err(Failure::run)
}
