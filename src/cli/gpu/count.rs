//! `umm gpu count`

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde::Serialize;

use crate::case::Case;
use crate::chart;
use crate::cli::support::device::DeviceOptions;
use crate::cli::support::numbers::grouped;
use crate::cli::support::options::{ProgramOptions, ThemeOption, ThreadOptions, os};
use crate::cli::support::picture::{encode, picture};
use crate::cli::support::progress::spin;
use crate::cli::support::table::{Table, TableFile};
use crate::cli::support::{Failure, files};
use crate::host::files::{DATA, FileError, path_text, read};
use crate::keyword::Keyword;
use crate::predict::counters::{self, Counter, CounterComparison};
use crate::predict::{KernelTraffic, traffic};

/// Hold a GPU's own counters against what the memory machine counts, kernel by kernel
///
/// The listing runs under NVIDIA's profiler, ncu, with launches by the host and each read in its
/// place. On the machine it is executed, each access by the warp and the block that the emitted code
/// gives it to: a request for each access of a warp, a sector for each 32 bytes that it touches, a
/// stage of shared memory for each word of the busiest bank. What the last-level cache is asked for is
/// counted as if each block read a sector once, what memory moves as if caches were empty before and
/// large enough: 64 bytes at a time.
#[derive(Debug, Args)]
#[command(after_help = "\
Needed: ncu (Nsight Compute, part of the CUDA toolkit) in PATH, and leave to read the counters.

Examples:
  umm gpu count transpose_padded --set n=1024
  umm gpu count prefix_sums --set n=64 --bulk row -p 65536 --csv counters.csv -o counters.svg
  umm gpu count umm_opt --set n=64 --from profile.csv

A profile for --from is what this prints on another machine:
  ncu --csv --print-units base --metrics … --log-file profile.csv umm gpu run …
with the metrics that `umm gpu count --metrics` lists, --prefetch 1 and --launch plain.")]
pub(super) struct Count {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    device: DeviceOptions,
    /// Read a saved profile; needs no GPU
    #[arg(long, value_name = "PROFILE.csv", conflicts_with = "metrics")]
    from: Option<PathBuf>,
    /// Print the profiler's command, without running it
    #[arg(long)]
    metrics: bool,
    #[command(flatten)]
    table: TableFile,
    /// Draw the GPU's counters over the machine's
    #[arg(short = 'o', long, value_name = "FILE.svg|.png", value_parser = os(picture))]
    draw: Option<PathBuf>,
    /// Colours of the drawing
    #[arg(long, value_enum, default_value_t = ThemeOption::Light)]
    theme: ThemeOption,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A line of the table.
#[derive(Serialize)]
struct CounterRow<'a> {
    kernel: &'a str,
    launches: usize,
    counter: &'static str,
    counted: u64,
    measured: f64,
    /// Measured / counted; `None` where both are 0 or nothing is counted.
    ratio: Option<f64>,
}

#[derive(Serialize)]
struct CounterReport<'a> {
    algorithm: &'a str,
    sizes: &'a str,
    exact: usize,
    counters: Vec<CounterRow<'a>>,
}

impl Count {
    pub(super) fn run(&self) -> Result<(), Failure> {
        files::check_outputs(self.table.path().into_iter().chain(&self.draw))?;
        let saved = self.from.as_ref().map(|path| Ok((read(path, DATA)?, path_text(path))));
        let saved = saved.transpose().map_err(|error: FileError| Failure::from(error))?;
        let ThreadOptions { threads, bulk } = self.threads;
        let case = Case { threads, bulk, ..self.program.case()? }.with_dmms();
        let counted = spin("counting", || traffic(&case))?;
        let launches = counted.iter().map(|it| it.launches).sum();
        if self.metrics {
            let words: Vec<String> =
                self.profiler(launches, Path::new("profile.csv"))?.iter().map(shown).collect();
            return files::print(&format!("{}\n", words.join(" ")));
        }
        let held = match &saved {
            Some((profile, name)) => held(&counted, profile, name)?,
            None => {
                let profile = spin("running under the profiler", || self.profile(launches))?;
                held(&counted, &profile, "the profile")?
            }
        };
        self.report(&case, &held)
    }

    /// The profiler's command line: as many launches as one run has.
    fn profiler(&self, launches: usize, log: &Path) -> Result<Vec<OsString>, Failure> {
        let ThreadOptions { threads, bulk } = self.threads;
        let ProgramOptions { algorithm, settings, inputs, seed, limits, .. } = &self.program;
        if algorithm == "-" {
            return Err(Failure::input(
                "the profiled run cannot read standard input again: name a file, not -",
            ));
        }
        let own = std::env::current_exe().map_err(Failure::run)?;
        let metrics: Vec<&str> = Counter::all().map(Counter::metric).collect();
        let mut words: Vec<OsString> =
            ["ncu", "--clock-control", "none", "--csv", "--print-units", "base"]
                .map(OsString::from)
                .to_vec();
        let mut more = |flag: &str, value: OsString| words.extend([flag.into(), value]);
        more("--metrics", metrics.join(",").into());
        more("--launch-count", launches.to_string().into());
        more("--log-file", log.into());
        words.extend([own.into(), "gpu".into(), "run".into(), algorithm.clone()]);
        let mut more = |flag: &str, value: OsString| words.extend([flag.into(), value]);
        for (name, value) in settings {
            more("--set", format!("{name}={value}").into());
        }
        for (name, source) in inputs {
            let mut value = OsString::from(format!("{name}="));
            value.push(source);
            more("--input", value);
        }
        more("--seed", seed.to_string().into());
        more("--while-limit", limits.while_iterations().to_string().into());
        more("-p", threads.to_string().into());
        if let Some(bulk) = bulk {
            more("--bulk", bulk.word().into());
        }
        more("--device", self.device.device.to_string().into());
        more("--launch", "plain".into());
        more("--prefetch", "1".into());
        more("--repetitions", "1".into());
        Ok(words)
    }

    /// What the profiler writes of one run.
    fn profile(&self, launches: usize) -> Result<String, Failure> {
        let folder = tempfile::tempdir().map_err(Failure::run)?;
        let log = folder.path().join("profile.csv");
        let words = self.profiler(launches, &log)?;
        let ran = Command::new(&words[0]).args(&words[1..]).env("LC_ALL", "C").output();
        let ran = ran.map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::run(
                "ncu is not in PATH: install Nsight Compute (it comes with the CUDA toolkit, often in \
                 /usr/local/cuda/bin), or give a profile that was made elsewhere: --from PROFILE.csv",
            ),
            _ => Failure::run(format_args!("ncu: {error}")),
        })?;
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        let outputs = [&ran.stdout, &ran.stderr].map(|it| String::from_utf8_lossy(it));
        if outputs.iter().any(|it| it.contains("ERR_NVGPUCTRPERM"))
            || text.contains("ERR_NVGPUCTRPERM")
        {
            return Err(Failure::run(
                "the driver lets no user read the counters (ERR_NVGPUCTRPERM): run as root, or load \
                 the driver with NVreg_RestrictProfilingToAdminUsers=0",
            ));
        }
        if !ran.status.success() {
            let lines = outputs.iter().flat_map(|it| it.lines()).chain(text.lines());
            let lines: Vec<&str> = lines.filter(|it| !it.starts_with("==PROF==")).collect();
            let last = lines.iter().rev().take(4).rev().copied().collect::<Vec<_>>().join("\n");
            return Err(Failure::run(format_args!("ncu: {}\n{last}", ran.status)));
        }
        Ok(text)
    }

    fn report(&self, case: &Case, held: &[CounterComparison]) -> Result<(), Failure> {
        let lines: Vec<CounterRow<'_>> = held.iter().map(line).collect();
        self.table.write(&lines)?;
        let sizes = case.sizes(&case.layout()?);
        if let Some(path) = &self.draw {
            let rows: Vec<chart::CounterPair> = held.iter().map(drawn).collect();
            let what = (case.program.name.as_str(), sizes.as_str());
            let scene = chart::counters(&rows, what, self.theme.theme());
            let bytes = encode(&scene.map_err(Failure::input)?, path)?;
            files::write(path, |file| file.write_all(&bytes))?;
        }
        let exact = held.iter().filter(|it| it.is_exact()).count();
        if self.json {
            let algorithm = &case.program.name;
            return files::print_json(&CounterReport {
                algorithm,
                sizes: &sizes,
                exact,
                counters: lines,
            });
        }
        let head = format!("{}  {sizes}", case.program.name);
        files::print(&render_text(&head, &lines, exact))
    }
}

fn held(
    counted: &[KernelTraffic],
    text: &str,
    name: &str,
) -> Result<Vec<CounterComparison>, Failure> {
    let profile = counters::profile(text);
    let held = profile.and_then(|it| counters::compare_counters(counted, &it));
    held.map_err(|error| Failure::input(format_args!("{name}: {error}")))
}

fn line(held: &CounterComparison) -> CounterRow<'_> {
    let CounterComparison { kernel, launches, counter, counted, measured } = held;
    CounterRow {
        kernel,
        launches: *launches,
        counter: counter.word(),
        counted: *counted,
        measured: *measured,
        ratio: (*counted > 0).then(|| measured / *counted as f64),
    }
}

fn drawn(held: &CounterComparison) -> chart::CounterPair {
    let CounterComparison { kernel, counter, counted, measured, .. } = held;
    let (kernel, counter) = (kernel.clone(), counter.word().to_owned());
    chart::CounterPair { kernel, counter, counted: *counted as f64, measured: *measured }
}

fn render_text(head: &str, lines: &[CounterRow<'_>], exact: usize) -> String {
    let header = ["kernel", "launches", "counter", "machine", "GPU", "GPU / machine"];
    let mut table = Table::new(header).numbers([1, 3, 4, 5]);
    let mut before = None;
    for line in lines.iter().filter(|it| it.counted > 0 || it.measured > 0.0) {
        let is_next = before.replace(line.kernel) != Some(line.kernel);
        let (kernel, launches) = match is_next {
            true => (line.kernel, line.launches.to_string()),
            false => ("", String::new()),
        };
        let ratio = line.ratio.map_or_else(String::new, |it| format!("{it:.3}"));
        let [counted, measured] = [line.counted, line.measured as u64].map(|it| grouped(it.into()));
        table.row([kernel.to_owned(), launches, line.counter.to_owned(), counted, measured, ratio]);
    }
    let all = lines.len();
    format!("{head}\n\n{}\n\nequal to the last unit: {exact} of {all} counters\n", table.text())
}

/// A word of a command line as a shell takes it.
fn shown(word: &OsString) -> String {
    let word = word.display().to_string();
    let is_plain = |it: char| it.is_alphanumeric() || "-_./,=:+".contains(it);
    if word.chars().all(is_plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
