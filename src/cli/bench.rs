//! `umm bench`

use std::time::Instant;

use clap::Args;
use serde::Serialize;

use crate::case::Case;
use crate::chart::seconds;
use crate::cli::support::Failure;
use crate::cli::support::device::DeviceOptions;
use crate::cli::support::files;
use crate::cli::support::numbers::grouped;
use crate::cli::support::options::{
    MachineOptions, ProgramOptions, ThreadOptions, describe, whole,
};
use crate::cli::support::progress::spin;
use crate::cli::support::table::{Table, TableFile};
use crate::codegen::{Options, PREFETCH, launches};
use crate::diagnostic::visible;
use crate::gpu::measure::listing::verified;
use crate::run::NoopObserver;
use crate::run::layout::{Arrangement, Layout};

/// Time a listing on the model, on a core of the CPU and on a GPU, in one table
///
/// The CPU's time is that of this program, which executes the listing step by step on one core; the
/// GPU's is that of the CUDA kernels of `umm cuda`, whose result is compared with the CPU's first.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm bench mine.alg --set n=4096
  umm bench prefix_sums --set n=32 --bulk column -p 65536 --csv bench.csv
  umm bench sum --set n=1024 -w 32 -l 400 --json")]
pub(super) struct Bench {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    device: DeviceOptions,
    /// Timed repetitions after a first run; one, if that takes over a second
    #[arg(long, default_value_t = 7, value_parser = whole::<u32>(1..=1000))]
    repetitions: u32,
    #[command(flatten)]
    table: TableFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// One line of the table.
#[derive(Serialize)]
struct Row {
    /// `model`, `cpu` or `gpu`.
    on: &'static str,
    /// Which, in words.
    what: String,
    time_units: Option<u128>,
    /// Of the repetitions, in seconds; likewise below.
    median_s: Option<f64>,
    least_s: Option<f64>,
    most_s: Option<f64>,
    repetitions: Option<usize>,
    /// Why there is no time.
    missing: Option<String>,
}

#[derive(Serialize)]
struct BenchReport<'a> {
    algorithm: &'a str,
    sizes: String,
    bulk: Option<Arrangement>,
    threads: u64,
    rows: &'a [Row],
}

impl Row {
    fn measured(on: &'static str, what: String, mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self {
            median_s: times.get(times.len() / 2).copied(),
            least_s: times.first().copied(),
            most_s: times.last().copied(),
            repetitions: Some(times.len()),
            ..Self::without(on, what)
        }
    }

    fn without(on: &'static str, what: String) -> Self {
        Self {
            on,
            what,
            time_units: None,
            median_s: None,
            least_s: None,
            most_s: None,
            repetitions: None,
            missing: None,
        }
    }
}

impl Bench {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.table.check()?;
        let ThreadOptions { threads, bulk } = self.threads;
        let (machine, mode) = (self.machine.machine()?, self.machine.mode());
        let case = Case { machine, mode, threads, bulk, ..self.program.case()? };
        let timed = spin("on the model", || case.time())?;
        let model = Row {
            time_units: Some(timed.total().time_units.0),
            ..Row::without("model", describe(machine, mode))
        };
        let on_cpu = spin("on a core of the CPU", || self.on_cpu(&case, &timed.layout))?;
        let on_gpu = spin("on a GPU", || self.on_gpu(&case))?;
        let rows = [model, on_cpu, on_gpu];
        self.table.write(&rows)?;
        let report = BenchReport {
            algorithm: &case.program.name,
            sizes: case.sizes(&timed.layout),
            bulk,
            threads: threads.get(),
            rows: &rows,
        };
        if self.json { files::print_json(&report) } else { files::print(&report.render_text()) }
    }

    fn on_cpu(&self, case: &Case, layout: &Layout) -> Result<Row, Failure> {
        let given = case.memory(layout)?;
        let once = || -> Result<f64, Failure> {
            let mut memory = given.clone();
            let begin = Instant::now();
            case.execute(layout, &mut memory, &mut NoopObserver)?;
            Ok(begin.elapsed().as_secs_f64())
        };
        let first = once()?;
        let times = match first {
            first if first > 1.0 => vec![first],
            _ => (0..self.repetitions).map(|_| once()).collect::<Result<_, _>>()?,
        };
        Ok(Row::measured("cpu", "this program, one core".to_owned(), times))
    }

    /// A row without a time where there is no GPU; a result that differs is a failure.
    fn on_gpu(&self, case: &Case) -> Result<Row, Failure> {
        let gpu = match self.device.open() {
            Ok(gpu) => gpu,
            Err(why) => {
                let missing = Some(why.to_string());
                return Ok(Row { missing, ..Row::without("gpu", "no GPU".to_owned()) });
            }
        };
        let case = case.clone().with_dmms();
        let (bulk, launch) = (case.bulk, launches(&case.program)[0]);
        let options = Options { bulk, launch, prefetch: PREFETCH, standalone: false };
        let measured = verified(&gpu, &case, &case.layout()?, options, self.repetitions)?;
        Ok(Row::measured("gpu", gpu.name()?, measured.times_s))
    }
}

impl BenchReport<'_> {
    fn render_text(&self) -> String {
        let bulk = match &self.bulk {
            Some(bulk) => format!("  {} bulk run of p inputs", bulk.name()),
            None => String::new(),
        };
        let mut table = Table::new(["on", "time", "least", "most", "what"]).numbers(1..4);
        for row in self.rows {
            let measured = |it: Option<f64>| it.map_or("–".to_owned(), seconds);
            let time = match row.time_units {
                Some(units) => format!("{} units", grouped(units)),
                None => measured(row.median_s),
            };
            let what = visible(row.missing.as_ref().unwrap_or(&row.what)).into_owned();
            table.row([row.on.to_owned(), time, measured(row.least_s), measured(row.most_s), what]);
        }
        let Self { algorithm, sizes, threads, .. } = self;
        format!("{algorithm}  {sizes}  p = {threads}{bulk}\n\n{}\n", table.text())
    }
}
