//! `umm opt tune`

use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::algorithms::opt::plan::{Plan, Plans};
use crate::algorithms::opt::relaxations;
use crate::algorithms::opt::variant::{BLOCKS, Method, THREADS, Variant};
use crate::chart::seconds;
use crate::cli::support::device::DeviceOptions;
use crate::cli::support::options::{ANY, whole};
use crate::cli::support::table::Table;
use crate::cli::support::{Failure, files};
use crate::gpu::Gpu;
use crate::gpu::opt::tune::{Total, TuneEffort, TuneError, Tuning, tune};
use crate::gpu::opt::tuning_tables::TuningTables;
use crate::host::files::{DESCRIPTION, path_text, read};
use crate::host::today;

/// Find the fastest variant of each stage of an n-gon on a GPU
///
/// Every stage is timed with TB(t) in the naive and the sliding arrangement and BB(t, b) in the naive
/// and the mirroring arrangement, t = 32 … 1024, b = 1, 2, 4, 8 (Ito and Nakano 2013), though
/// variants that are far from the fastest only at some 128 stages. Then the plan and the single methods are
/// run as a whole, the fastest first. Prints the paper's tables.
#[derive(Debug, Args)]
#[command(after_help = "\
Files of --tables DIR, all of samples but table-2.csv:
  table-1.csv  all stages in one variant; `source` says which were not run as a whole
  table-2.csv  stages of TB and BB in the plan
  table-3.csv  the plan, conversion of arrangements included
  stages.csv   every timed stage
  best.csv     the fastest of each method, at stages where all were timed

Examples:
  umm opt tune -n 8192 -o plan.toml
  umm opt tune -n 128 -n 1024 -n 8192 -o plan.toml --tables tuned
  umm opt tune -n 32768 --every 64 --json
  umm plot heat tuned/table-1.csv -o table-1.svg
  umm plot time tuned/best.csv --x stage --by algorithm -o best.svg")]
pub(super) struct Tune {
    /// Number of vertices, up to 65536; repeatable
    #[arg(short, required = true, value_parser = whole::<u32>(4..=65536))]
    n: Vec<u32>,
    /// Time one stage in this many [default: (n / 8192)³, at least 1]
    #[arg(long, value_name = "STAGES", value_parser = whole::<u32>(1..=65536))]
    every: Option<u32>,
    /// Repetitions of what is short
    #[arg(long, default_value_t = 5, value_parser = whole::<u32>(1..=1000))]
    repetitions: u32,
    /// What whole runs of single methods may take, for each n; the others are sums over stages
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = whole::<u32>(0..=86400))]
    budget: u32,
    #[command(flatten)]
    device: DeviceOptions,
    /// Seed of the random weights
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(ANY))]
    seed: u64,
    /// The file of plans to write; plans of the same GPU for other n stay in it
    #[arg(short, long, value_name = "PLAN.toml")]
    output: Option<PathBuf>,
    /// A folder for tables of the times
    #[arg(long, alias = "csv", value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl From<TuneError> for Failure {
    fn from(error: TuneError) -> Self {
        match error {
            TuneError::Cuda(error) => error.into(),
            error @ TuneError::Differs { .. } => Self::run(error),
        }
    }
}

impl Tune {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let gpu = self.device.open()?;
        let device = gpu.name()?;
        // Mistakes in what is to be written come before anything is timed.
        let mut plans = self.kept(&device)?;
        if let Some(folder) = &self.tables {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::input(format_args!("{}: {error}; change --tables", path_text(folder)))
            })?;
        }
        let mut found = vec![];
        for &n in &self.n {
            let tuning = self.tune(&gpu, n as usize)?;
            if !self.json {
                files::print(&text(&tuning, &device)?)?;
            }
            plans.retain(|it| it.n != tuning.plan.n);
            plans.push(tuning.plan.clone());
            found.push(tuning);
            // What is finished is saved: an interrupted run loses nothing of it.
            if let Some(path) = &self.output {
                let date = today();
                let text = toml::to_string(&Plans::new(device.clone(), date, plans.clone()))
                    .map_err(Failure::run)?;
                files::update(path, |file| file.write_all(text.as_bytes()))?;
            }
            if let Some(folder) = &self.tables {
                write_tables(folder, &TuningTables::new(&found, &device, self.seed))?;
            }
        }
        if self.json {
            let sizes: Vec<Value> = found.iter().map(object).collect();
            files::print_json(&json!({ "device": device, "seed": self.seed, "sizes": sizes }))?;
        }
        Ok(())
    }

    /// The plans that stay in the file.
    fn kept(&self, device: &str) -> Result<Vec<Plan>, Failure> {
        let Some(path) = self.output.as_ref().filter(|path| path.is_file()) else {
            return Ok(vec![]);
        };
        let fail = |error: &dyn std::fmt::Display| {
            Failure::input(format_args!("{}: {error}; or change -o", path_text(path)))
        };
        let plans = Plans::parse(&read(path, DESCRIPTION)?).map_err(|error| fail(&error))?;
        if plans.device != device {
            return Err(fail(&format_args!("it is for {}, but this is {device}", plans.device)));
        }
        Ok(plans.plans().to_vec())
    }

    fn tune(&self, gpu: &Gpu, n: usize) -> Result<Tuning, Failure> {
        let every = self.every.map_or((n / 8192).pow(3), |it| it as usize).max(1);
        let manner = TuneEffort {
            every,
            repetitions: self.repetitions as usize,
            budget_s: self.budget.into(),
            seed: self.seed,
        };
        // Hidden by itself where standard error is no terminal.
        let bar = ProgressBar::new(1);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent} %, {eta} left");
        let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
        bar.set_message(format!("n = {n}"));
        let tuning = tune(gpu, n, manner, &mut |done, steps| {
            bar.set_length(steps as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        Ok(tuning?)
    }
}

/// Tables 1, 2 and 3.
fn text(tuning: &Tuning, device: &str) -> Result<String, Failure> {
    use std::fmt::Write;
    let n = tuning.plan.n;
    let heads = THREADS.map(|t| format!("t = {t}"));
    let mut times = Table::new(["all stages".to_owned()].into_iter().chain(heads))
        .numbers(1..THREADS.len() + 1);
    for method in Method::ALL {
        for &b in if method.is_block_based() { &BLOCKS[..] } else { &BLOCKS[..1] } {
            let of =
                tuning.totals.iter().filter(|it| it.variant.method == method && it.variant.b == b);
            let name = method.word().replacen("tb_", "TB ", 1).replacen("bb_", "BB ", 1);
            let name = if method.is_block_based() { format!("{name}, b = {b}") } else { name };
            let cell = |it: &Total| {
                format!("{}{}", if it.measured { "" } else { "~ " }, seconds(it.time_s))
            };
            times.row([name].into_iter().chain(of.map(cell)));
        }
    }
    let mut ranges = Table::new(["plan", "stages", ""]);
    for range in &tuning.plan.ranges {
        let stages = [range.first.to_string(), format!("… {}", range.last)];
        ranges.row([range.variant.to_string()].into_iter().chain(stages));
    }
    let mut text = format!("n = {n}  {device}\n\n{}\n\n{}\n\n", times.text(), ranges.text());
    if tuning.totals.iter().any(|it| !it.measured) {
        text += "~: not run as a whole (--budget), a sum over timed stages\n";
    }
    let Tuning { graph_s, plain_s, conversions, .. } = tuning;
    let _ = write!(
        text,
        "conversion sliding to mirroring: {}\nplan: {} as a graph, {} launch by launch; {:.3}·10⁹ \
         relaxations a second\n",
        seconds(conversions[1][2]),
        seconds(*graph_s),
        seconds(*plain_s),
        relaxations(n as u64) as f64 / graph_s / 1e9
    );
    if let Some(single) = tuning.fastest_method() {
        let (variant, gain) = (single.variant, single.time_s / graph_s);
        let _ = writeln!(
            text,
            "fastest single method: {variant} {}, {gain:.3} times as long",
            seconds(single.time_s)
        );
    }
    Ok(text + "\n")
}

fn object(tuning: &Tuning) -> Value {
    let n = tuning.plan.n;
    let total = |it: &Total| {
        let Variant { method, t, b } = it.variant;
        json!({ "method": method, "t": t, "b": b, "time_s": it.time_s, "measured": it.measured })
    };
    json!({
        "n": n,
        "plan": tuning.plan.ranges,
        "switch": tuning.plan.switch(),
        "time_s": tuning.graph_s,
        "plain_time_s": tuning.plain_s,
        "conversion_s": tuning.conversions[1][2],
        "relaxations_per_s": relaxations(n as u64) as f64 / tuning.graph_s,
        "single": tuning.totals.iter().map(total).collect::<Vec<_>>(),
    })
}

fn write_tables(folder: &Path, tables: &TuningTables) -> Result<(), Failure> {
    for (name, samples) in &tables.samples {
        files::write(&folder.join(name), |file| {
            let mut writer = csv::Writer::from_writer(file);
            samples.iter().try_for_each(|it| writer.serialize(it))?;
            writer.flush()
        })?;
    }
    files::write(&folder.join("table-2.csv"), |file| file.write_all(tables.switches.as_bytes()))
}
