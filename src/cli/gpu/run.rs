//! `umm gpu run`

use clap::Args;
use serde::Serialize;

use crate::case::Case;
use crate::cli::support::device::DeviceOptions;
use crate::cli::support::options::{ProgramOptions, ThreadOptions, whole, word};
use crate::cli::support::progress::spin;
use crate::cli::support::{Failure, files};
use crate::codegen::{self, Launch, MOST_PREFETCH, Options, PREFETCH};
use crate::gpu::measure::listing::{VerifiedRun, verified};
use crate::keyword::Keyword;
use crate::run::layout::Arrangement;

/// Run a listing on a GPU and compare every word with a run on the CPU
///
/// The arrays hold what `umm run` gives them; everything else is poisoned first, and must still be
/// where the listing writes nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm gpu run umm_opt --set n=512
  umm gpu run umm_opt --set n=512 --launch cooperative
  umm gpu run opt --set n=64 --bulk column -p 4096
  umm gpu run mine.alg --set n=100 --input a=data.csv --json")]
pub(super) struct Run {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// How sequential statements around parallel loops are done [default: plain, if the host can]
    #[arg(long, value_parser = word::<Launch>())]
    launch: Option<Launch>,
    /// Iterations by which an innermost loop's reads are made early, where that changes no value; 1: none
    #[arg(long, alias = "ahead", default_value_t = PREFETCH, value_parser = whole::<u32>(1..=u64::from(MOST_PREFETCH)))]
    prefetch: u32,
    #[command(flatten)]
    device: DeviceOptions,
    /// Timed repetitions after a first run
    #[arg(long, default_value_t = 7, value_parser = whole::<u32>(1..=1000))]
    repetitions: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GpuRunReport {
    algorithm: String,
    device: String,
    bulk: Option<Arrangement>,
    threads: Option<u64>,
    launch: &'static str,
    launches: usize,
    bytes: u64,
    verified: bool,
    words_compared: u64,
    /// Of the repetitions.
    median_s: f64,
    times_s: Vec<f64>,
    #[serde(skip)]
    sizes: String,
    #[serde(skip)]
    seed: u64,
}

impl Run {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let ThreadOptions { threads, bulk } = self.threads;
        let case = Case { threads, bulk, ..self.program.case()? }.with_dmms();
        let (program, layout) = (&*case.program, &case.layout()?);
        let launch = self.launch.unwrap_or(codegen::launches(program)[0]);
        let options = Options { bulk, launch, prefetch: self.prefetch, standalone: false };

        let gpu = self.device.open()?;
        let VerifiedRun { launches, times_s } = spin("running and comparing", || {
            verified(&gpu, &case, layout, options, self.repetitions)
        })?;
        let mut sorted = times_s.clone();
        sorted.sort_by(f64::total_cmp);
        let report = GpuRunReport {
            algorithm: program.name.clone(),
            device: gpu.name()?,
            bulk,
            threads: layout.bulk.map(|it| it.inputs),
            launch: launch.word(),
            launches,
            bytes: codegen::bytes(program, layout),
            verified: true,
            words_compared: layout.regions.iter().map(|it| it.cells).sum::<u64>()
                * layout.bulk.map_or(1, |it| it.inputs),
            median_s: sorted[sorted.len() / 2],
            times_s,
            sizes: case.sizes(layout),
            seed: case.inputs.seed,
        };
        if self.json {
            return files::print_json(&report);
        }
        files::print(&report.render_text())
    }
}

impl GpuRunReport {
    fn render_text(&self) -> String {
        let bulk = match (self.bulk, self.threads) {
            (Some(bulk), Some(p)) => format!("  {} bulk run of p = {p} inputs", bulk.name()),
            _ => String::new(),
        };
        let micro = |seconds: f64| format!("{:.2} µs", seconds * 1e6);
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for &time in &self.times_s {
            (least, most) = (least.min(time), most.max(time));
        }
        format!(
            "{}  {}  seed {}{bulk}\n{}  {} kernel launches ({})\n\n\
             time      {} (median of {}; {} to {})\n\
             verified: {} words are what the CPU computes, to the last bit\n",
            self.algorithm,
            self.sizes,
            self.seed,
            self.device,
            self.launches,
            self.launch,
            micro(self.median_s),
            self.times_s.len(),
            micro(least),
            micro(most),
            self.words_compared,
        )
    }
}
