//! `umm predict`

mod advice;

use std::path::PathBuf;

use clap::Args;

use self::advice::Advice;
use crate::case::Case;
use crate::chart::seconds;
use crate::cli::support::Failure;
use crate::cli::support::files::{self, print, print_json};
use crate::cli::support::model::{ModelParser, calibration};
use crate::cli::support::options::{ProgramOptions, ThemeOption, os, threads, whole, word};
use crate::cli::support::picture::{encode, picture};
use crate::cli::support::prediction::{Code, CountedOptions, compiled, machine_code};
use crate::cli::support::progress::spin;
use crate::codegen::{Launch, MOST_PREFETCH};
use crate::models::{Calibration, Model};
use crate::predict::{LaunchOptions, PredictionReport, ReuseCache, Work};
use crate::run::layout::Arrangement;
use crate::units::Threads;

/// Predict the seconds of an algorithm on a calibrated machine
///
/// What the compiled code does is counted where NVRTC is found and it can be, else what the listing
/// does, which is off by twice as much; nothing is measured. Parts overlap, so that they do not add up
/// to the whole; docs/prediction-model.md has the formulas.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm predict prefix_sums --set n=1024 --bulk column -p 65536 --model h200
  umm predict prefix_sums --set n=1024 --bulk column -p 65536 --prefetch 128 --model h200
  umm predict rc4 --set n=64 --bulk column -p 16384 --model h200 --compiled
  umm predict rc4 --set n=64 --bulk column -p 16384 --model h200 --listing
  umm predict umm_opt --set n=512 --launch graph --model h200 --without sectors,overlap
  umm predict transpose_padded --set n=4096 --model h200 --advise
  umm predict sum_hmm --set n=1e6 --model h200 --advise --draw blocks.svg
  umm predict mine.alg --set n=512 --model mine.toml --json")]
pub(super) struct Predict {
    #[command(flatten)]
    program: ProgramOptions,
    /// A calibrated machine (see `umm calibrate`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser, hide_possible_values = true)]
    model: Model,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_parser = word::<Arrangement>(), value_name = "ARRANGEMENT")]
    bulk: Option<Arrangement>,
    /// Inputs of a bulk run
    #[arg(short = 'p', long, default_value = "1024", value_parser = threads)]
    threads: Threads,
    /// How sequential statements around parallel loops are done [default: plain, if the host can]
    #[arg(long, value_parser = word::<Launch>())]
    launch: Option<Launch>,
    /// Iterations by which a bulk run's reads are made early; 1: as the listing has them
    #[arg(long, alias = "ahead", default_value_t = 1, value_parser = whole::<u32>(1..=u64::from(MOST_PREFETCH)))]
    prefetch: u32,
    /// Try sizes of blocks, kinds of launches, and with --bulk how far reads are made early; tell which
    /// takes least
    #[arg(long)]
    advise: bool,
    /// A chart of what is tried: seconds over the size of blocks, or over --prefetch
    #[arg(long, value_name = "FILE.svg|.png", value_parser = os(picture), requires = "advise")]
    draw: Option<PathBuf>,
    /// Colours of the chart, for light or for dark pages
    #[arg(long, value_enum, default_value = "light", requires = "draw")]
    theme: ThemeOption,
    #[command(flatten)]
    counted: CountedOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Predict {
    pub(super) fn run(&self) -> Result<(), Failure> {
        files::check_outputs(&self.draw)?;
        let machine = calibration(&self.model)?;
        let case = self.program.case()?;
        let case = Case { bulk: self.bulk, threads: self.threads, ..case }.on(self.model.machine());
        let options = LaunchOptions { launch: self.launch, prefetch: self.prefetch.into() };
        let name = &case.program.name;
        if self.advise {
            let predicted = |case: &Case, options| {
                let work = self.work(case, options, machine)?;
                let report =
                    PredictionReport::new(name, &self.model, &work, machine, &self.counted.without);
                Ok((report.prediction.time_s, report.bound))
            };
            let each = |choice| Advice::of(choice, &case, predicted);
            let all = || advice::choices(&case, options).into_iter().map(each).collect();
            let found: Vec<Advice> = spin("counting", all);
            if let Some(why) = advice::refusal(&found) {
                return Err(Failure::run(why));
            }
            let model = &self.model.name;
            if let Some(path) = &self.draw {
                let scene = advice::chart(&case, model, &found, self.theme.theme())?;
                let bytes = encode(&scene, path)?;
                files::write(path, |file| file.write_all(&bytes))?;
            }
            return match self.json {
                true => print_json(&advice::to_json(name, model, &found)),
                false => print(&advice::to_text(name, model, &found)),
            };
        }
        let work = spin("counting", || self.work(&case, options, machine))?;
        let report =
            PredictionReport::new(name, &self.model, &work, machine, &self.counted.without);
        if self.json { print_json(&report) } else { print(&render_text(&report)) }
    }

    fn work(
        &self,
        case: &Case,
        options: LaunchOptions,
        machine: &Calibration,
    ) -> Result<Work, Failure> {
        let known = &mut ReuseCache::default();
        Ok(match self.counted.code() {
            Code::Listing => Work::of(case, options, machine, known),
            Code::Compiled => Work::of_compiled(case, options, machine, &compiled),
            Code::CompiledIfItCanBe => {
                Work::of_compiled_or_listing(case, options, machine, &machine_code, known)
            }
        }?)
    }
}

fn render_text(report: &PredictionReport<'_>) -> String {
    let left: Vec<&str> = report.without.iter().map(|it| it.word()).collect();
    let counted = match (report.compiled, left.is_empty()) {
        (true, _) => "  of compiled code".to_owned(),
        (false, true) => "  of the listing".to_owned(),
        (false, false) => format!("  of the listing, without {}", left.join(", ")),
    };
    let reason = report
        .fallback
        .map_or_else(String::new, |it| format!("  its compiled code is not counted: {it}\n"));
    let (it, interval) = (report.prediction, report.interval);
    let parts = [
        ("launch", it.launches_s + it.starts_s),
        ("latency", it.latency_s),
        ("issue", it.operations_s),
        ("L1", it.l1_s),
        ("L1: shared memory", it.shared_s),
        ("L2", it.l2_s),
        ("L2: writes", it.writes_s),
        ("L2: atomics", it.atomics_s),
        ("memory", it.dram_s),
    ];
    // Few listings have atomics.
    let said = parts.iter().filter(|it| it.0 != "L2: atomics" || it.1 > 0.0);
    let lines: String =
        said.map(|(name, time)| format!("  {name:<26}{:>10}\n", seconds(*time))).collect();
    let plain = report.plain_s.map_or_else(|| "executing it takes too long".to_owned(), seconds);
    format!(
        "{}  {}{counted}\n{reason}\n{lines}{:<28}{:>10}\n{:<28}{:>10}\n{:<28}{:>10}\n{:<28}{:>10}\n",
        report.algorithm,
        report.model,
        "predicted",
        seconds(it.time_s),
        format!("{:.0} % measured within", 100.0 * interval.share),
        format!("{} to {}", seconds(interval.low_s), seconds(interval.high_s)),
        "bound by",
        report.bound.word(),
        "plain UMM",
        plain
    )
}
