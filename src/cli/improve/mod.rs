//! `umm improve`

mod picture;
mod render;
mod resumption;
mod step;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};

use self::picture::ladder_picture;
use self::render::{LadderReport, render_text};
use self::resumption::Resumption;
use self::step::StepParser;
use crate::case::Case;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{
    ANY, MachineOptions, ProgramOptions, ThemeOption, ThreadOptions, os, whole,
};
use crate::cli::support::picture::{encode, picture};
use crate::cli::support::prediction::machine_code;
use crate::cli::support::progress::Spinner;
use crate::codegen::{self, Options};
use crate::diagnostic::visible;
use crate::host::files::path_text;
use crate::improve::check::{Certificate, verify};
use crate::improve::search::{Company, Ladder, NamedStep, Predict, Reach, Rung, SearchError};
use crate::language::program::Program;
use crate::models::Model;
use crate::predict::expected_seconds;

/// Rewrite a listing so that it takes less time, each step proved
///
/// A search over transformations of the listing: parallel loops, wavefronts, tiles in shared memory and
/// registers, trees, scans and others. A step is taken only where it is proved that the result stays the
/// same, bit by bit, for all sizes and inputs. The ladder shows each listing on the way with its exact
/// time; with a calibrated --model the search goes by predicted seconds. Comments are lost.
///
/// Each proof is a certificate, which --verify checks again, and every listing is run against the first
/// on random inputs besides.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm improve mine.alg --set n=256
  umm improve edit_distance --set n=32 --explain
  umm improve prefix_sums --set n=64 --bulk row -p 256
  umm improve docs/listings/product.alg -m hmm -d 16 -p 4096 --set n=64 -o better.alg
  umm improve floyd_warshall_in_turn --set n=64 --launch 50000
  umm improve docs/listings/records.alg --set n=256 --layouts
  umm improve docs/listings/total.alg --set n=4096 --take strip-mining,unrolling
  umm improve docs/listings/row_sums.alg --set n=8 -w 4 -p 8 --layouts --draw rungs.svg
  umm improve edit_distance --set n=32 --budget 5s --resume search.json
  umm improve opt --set n=16 --emit ladder && umm improve --verify ladder/step-1.json")]
pub(super) struct Improve {
    #[command(flatten)]
    program: Option<ProgramOptions>,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Steps of the ladder at most
    #[arg(long, default_value_t = 6, value_parser = whole::<usize>(0..=100))]
    steps: usize,
    /// Listings that are kept of each round of the search
    #[arg(long, default_value_t = 4, value_parser = whole::<usize>(1..=1000))]
    beam: usize,
    /// Stop with the best listing so far after this time, as in 60s
    #[arg(long, value_name = "SECONDS", default_value = "60s", value_parser = seconds)]
    budget: Duration,
    /// Time units that starting a parallel loop counts in the search: a launch on a GPU takes as long as
    /// some hundred accesses, and the machine charges nothing for it; a --model knows it in seconds
    #[arg(long, value_name = "UNITS", default_value_t = 0, value_parser = whole::<u64>(ANY))]
    launch: u64,
    /// Take these steps in turn in place of a search, faster or not; of each the fastest that is proved, or
    /// the fastest of a form, in words of the ladder, as in 'tile:4 × 4 elements a thread'
    #[arg(long, value_name = "NAME[:FORM],…", value_delimiter = ',', value_parser = StepParser)]
    take: Vec<NamedStep>,
    /// Allow sums of floats in another order: the last bits change, and each such step says so
    #[arg(long)]
    reassociate: bool,
    /// Allow arrays to lie column by column, records field by field: who fills and reads them must know
    #[arg(long)]
    layouts: bool,
    /// Print each listing of the ladder, with the lines that changed marked
    #[arg(long)]
    explain: bool,
    /// A folder for every listing of the ladder, its CUDA C, and the certificates
    #[arg(long, value_name = "DIR")]
    emit: Option<PathBuf>,
    /// The file for the fastest listing
    #[arg(short, long, value_name = "FILE.alg")]
    output: Option<PathBuf>,
    /// A picture of the rungs side by side: the words that warps access, access by access. Choose small sizes
    #[arg(long, value_name = "FILE.svg|.png", value_parser = os(picture))]
    draw: Option<PathBuf>,
    /// Colours of the picture, for light or for dark pages
    #[arg(long, value_enum, default_value = "light", requires = "draw")]
    theme: ThemeOption,
    /// Go on where a search of the same listing stopped: a file of what it has counted and predicted, which
    /// is made if there is none, and written on the way
    #[arg(long, value_name = "FILE.json", conflicts_with = "verify")]
    resume: Option<PathBuf>,
    /// Check certificates: a file that --emit or --json wrote
    #[arg(long, value_name = "CERTIFICATE.json", conflicts_with_all = ["algorithm", "draw", "emit", "output", "explain"])]
    verify: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>().ok();
    let found = number.and_then(|it| Duration::try_from_secs_f64(it).ok());
    found.ok_or_else(|| "write seconds, as in 60s".to_owned())
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Listing(located) => located.into(),
            SearchError::Time(_) => Self::input(error),
            SearchError::NotTaken { .. } | SearchError::Unsound { .. } => Self::run(error),
        }
    }
}

impl Improve {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if let Some(path) = &self.verify {
            return self.verify(path);
        }
        let Some(program) = &self.program else {
            return Err(Failure::input("name a listing, or a file to --verify"));
        };
        files::check_outputs(self.output.iter().chain(&self.resume).chain(&self.draw))?;
        let machine = self.machine.machine_with_dmms()?;
        let (mode, bulk) = (self.machine.mode(), self.threads.bulk);
        let case = Case { machine, mode, threads: self.threads.threads, bulk, ..program.case()? };
        let layout = case.layout()?;
        let reach = Reach {
            steps: self.steps,
            beam: self.beam,
            reassociates: self.reassociate,
            layouts: self.layouts,
            launch: self.launch,
        };
        let model = self.machine.model().filter(|it| it.calibration.is_some());
        if let Some(model) = model.filter(|_| self.launch > 0) {
            return Err(Failure::input(format_args!(
                "--launch is for machines without a calibration: what a launch takes on {} is predicted",
                model.name
            )));
        }
        let sizes = case.sizes(&layout);
        let resumption =
            Resumption::open(self.resume.as_deref(), (&case, &sizes), (self.launch, model))?;
        let (running, begin) = (Arc::default(), Instant::now());
        let predict = |program: &Program, bulk| {
            let case = Case { program: program.clone().into(), bulk, ..case.clone() };
            let left = self.budget.saturating_sub(begin.elapsed());
            predict_in_time(case, model?, &running, left)
        };
        let predict: Option<Predict<'_>> = model.is_some().then_some(&predict);
        let is_over = || begin.elapsed() > self.budget;
        let spinner = Spinner::new("improving the listing");
        let progress = |tried| {
            spinner.say(&format!("{tried} listings tried"));
            resumption.keep();
        };
        let memo = resumption.memo();
        let company =
            Company { is_over: &is_over, predict, steps: &self.take, memo, progress: &progress };
        let found = case.improve(reach, company);
        drop(spinner);
        resumption.save()?;
        let found = found?;
        let ladder = &found.ladder;
        if let Some(folder) = &self.emit {
            emit(folder, ladder)?;
        }
        if let (Some(path), Some(best)) = (&self.output, ladder.rungs.last()) {
            files::write(path, |file| file.write_all(best.listing.as_bytes()))?;
        }
        let report = LadderReport { case: &case, sizes, found: &found };
        if let Some(path) = &self.draw {
            let bytes = encode(&ladder_picture(&report, self.theme.theme())?, path)?;
            files::write(path, |file| file.write_all(&bytes))?;
        }
        if self.json {
            return files::print_json(&found);
        }
        files::print(&render_text(&report, self.explain))
    }

    fn verify(&self, path: &Path) -> Result<(), Failure> {
        let name = path_text(path);
        let wrong = |why: String| Failure::input(format_args!("{name}: {why}"));
        let text = fs::read_to_string(path).map_err(|it| wrong(it.to_string()))?;
        let value: Value = serde_json::from_str(&text).map_err(|it| wrong(it.to_string()))?;
        let found = certificates(&value).map_err(wrong)?;
        for (at, certificate) in found.iter().enumerate() {
            verify(certificate).map_err(|why| {
                let (step, rule) = (at + 1, &certificate.rule);
                Failure::run(format_args!("{name}: step {step} ({rule}) is not proved: {why}"))
            })?;
        }
        let rules: Vec<&str> = found.iter().map(|it| it.rule.as_str()).collect();
        if self.json {
            return files::print_json(&json!({"proved": rules}));
        }
        files::print(&format!("proved: {}\n", visible(&rules.join(", "))))
    }
}

/// Seconds that a case is predicted to take, if they are known in time. What comes too late goes on by itself, until the command ends.
fn predict_in_time(
    case: Case,
    model: &Model,
    running: &Arc<Mutex<()>>,
    left: Duration,
) -> Option<f64> {
    let (model, running) = (model.clone(), Arc::clone(running));
    let (answer, seconds) = mpsc::channel();
    thread::spawn(move || {
        // One at a time.
        let _guard = running.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody may be waiting any more.
        let _ = answer.send(expected_seconds(&case, &model, Some(&machine_code)));
    });
    seconds.recv_timeout(left).ok().flatten()
}

/// What a file holds: a certificate, several, or a ladder.
fn certificates(value: &Value) -> Result<Vec<Certificate>, String> {
    let one = |it: &Value| serde_json::from_value(it.clone()).map_err(|it| it.to_string());
    match value {
        Value::Array(all) => all.iter().map(one).collect(),
        Value::Object(ladder) if ladder.contains_key("rungs") => {
            let rungs = ladder["rungs"].as_array().map(Vec::as_slice).unwrap_or_default();
            let steps = rungs.iter().filter_map(|it| it["step"]["certificates"].as_array());
            steps.flatten().map(one).collect()
        }
        _ => Ok(vec![one(value)?]),
    }
}

/// The CUDA C of a rung, if it has some.
fn cuda(rung: &Rung) -> Option<String> {
    let case = Case::parse("listing", &rung.listing).ok()?.of_rung(rung)?;
    let program = &*case.program;
    let launch = codegen::launches(program)[0];
    let options =
        Options { bulk: case.bulk, launch, prefetch: codegen::PREFETCH, standalone: false };
    let sizes = vec![None; program.parameters.len()];
    codegen::emit(program, options, &sizes).ok().map(|it| it.source)
}

fn emit(folder: &Path, ladder: &Ladder) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|it| Failure::input(format_args!("{}: {it}", path_text(folder))))?;
    for (at, rung) in ladder.rungs.iter().enumerate() {
        let path = folder.join(format!("rung-{at}.alg"));
        files::write(&path, |file| file.write_all(rung.listing.as_bytes()))?;
        if let Some(source) = cuda(rung) {
            let path = folder.join(format!("rung-{at}.cu"));
            files::write(&path, |file| file.write_all(source.as_bytes()))?;
        }
        if let Some(step) = &rung.step {
            let text = serde_json::to_string_pretty(&step.certificates).unwrap_or_default();
            let path = folder.join(format!("step-{at}.json"));
            files::write(&path, |file| writeln!(file, "{text}"))?;
        }
    }
    Ok(())
}
