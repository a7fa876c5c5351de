//! Options that several subcommands share.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::models::ModelParser;
use crate::chart::Theme;
use crate::machine::{Machine, MachineKind, Mode};
use crate::models::Model;
use crate::run::WHILE_ITERATIONS;
use crate::run::layout::{Arrangement, Bulk};
use crate::units::{Latency, Threads, Width};

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum KindOption {
    /// Unified Memory Machine: a warp takes a stage for each address group
    Umm,
    /// Discrete Memory Machine: a warp takes as many stages as one bank has addresses
    Dmm,
}

impl KindOption {
    pub(super) const fn kind(self) -> MachineKind {
        match self {
            Self::Umm => MachineKind::Umm,
            Self::Dmm => MachineKind::Dmm,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ModeOption {
    /// Steps one after another, as the papers analyse them
    Sync,
    /// Each warp goes on as soon as its own access is complete
    Async,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ArrangementOption {
    /// Inputs one after another
    Row,
    /// Cells one after another, all inputs' first
    Column,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ThemeOption {
    Light,
    Dark,
}

impl ThemeOption {
    pub(super) const fn theme(self) -> Theme {
        match self {
            Self::Light => Theme::Light,
            Self::Dark => Theme::Dark,
        }
    }
}

impl ModeOption {
    pub(super) const fn mode(self) -> Mode {
        match self {
            Self::Sync => Mode::Sync,
            Self::Async => Mode::Async,
        }
    }
}

impl ArrangementOption {
    pub(super) const fn arrangement(self) -> Arrangement {
        match self {
            Self::Row => Arrangement::RowWise,
            Self::Column => Arrangement::ColumnWise,
        }
    }
}

/// The machine where neither flags nor a model say another.
pub(super) const DEFAULT: Machine = match (Width::new(32), Latency::new(100)) {
    (Ok(width), Ok(latency)) => Machine { kind: MachineKind::Umm, width, latency },
    _ => panic!("both are at least 1"),
};

/// The machine: flags, and a described machine for what they leave out.
#[derive(Debug, Clone, Args)]
pub(super) struct MachineParameters {
    /// A described machine that gives -m, -w and -l where they are not given (see `umm models`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser)]
    model: Option<Model>,
    /// The kind of memory machine [default: umm]
    #[arg(short, long, value_enum, value_name = "KIND")]
    machine: Option<KindOption>,
    /// Width: threads in a warp, words in an address group, number of banks [default: 32]
    #[arg(short, long, value_parser = width)]
    width: Option<Width>,
    /// Latency in time units [default: 100]
    #[arg(short, long, value_parser = latency)]
    latency: Option<Latency>,
}

impl MachineParameters {
    pub(super) fn machine(&self) -> Machine {
        let known = self.model.as_ref().map_or(DEFAULT, Model::machine);
        Machine {
            kind: self.machine.map_or(known.kind, KindOption::kind),
            width: self.width.unwrap_or(known.width),
            latency: self.latency.unwrap_or(known.latency),
        }
    }
}

/// The machine and how it runs.
#[derive(Debug, Clone, Args)]
pub(super) struct MachineOptions {
    #[command(flatten)]
    parameters: MachineParameters,
    /// How steps follow each other
    #[arg(long, value_enum, default_value_t = ModeOption::Sync)]
    mode: ModeOption,
}

impl MachineOptions {
    pub(super) fn machine(&self) -> Machine {
        self.parameters.machine()
    }

    pub(super) const fn mode(&self) -> Mode {
        self.mode.mode()
    }
}

/// The machine as a line of human output names it.
pub(super) fn describe(machine: Machine, mode: Mode) -> String {
    let kind = match machine.kind {
        MachineKind::Umm => "UMM",
        MachineKind::Dmm => "DMM",
    };
    let mode = match mode {
        Mode::Sync => "synchronous",
        Mode::Async => "asynchronous",
    };
    format!("{kind}  w = {}  l = {}  {mode}", machine.width, machine.latency)
}

/// The program and its sizes and inputs.
#[derive(Debug, Args)]
pub(super) struct ProgramOptions {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    pub(super) algorithm: OsString,
    /// Value of a parameter, as in n=16; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub(super) settings: Vec<(String, i64)>,
    /// What an array holds at first: random[:seed], permutation[:seed], a file of comma-separated
    /// numbers (- for standard input), paper (the papers' 8-gon), polygon:FILE (chord weights of a
    /// polygon, CSV or GeoJSON); repeatable
    #[arg(long = "input", value_name = "ARRAY=SOURCE", value_parser = os(source))]
    pub(super) inputs: Vec<(String, OsString)>,
    /// Seed of random inputs
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// A sequential loop that is executed and iterates more often is taken for infinite
    #[arg(long, value_name = "ITERATIONS", default_value_t = WHILE_ITERATIONS)]
    pub(super) while_limit: u64,
}

/// How many threads run the program.
#[derive(Debug, Args)]
pub(super) struct ThreadOptions {
    /// Number of threads; with --bulk, of inputs
    #[arg(short = 'p', long, default_value = "1024", value_parser = threads)]
    pub(super) threads: Threads,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_enum, value_name = "ARRANGEMENT")]
    bulk: Option<ArrangementOption>,
}

impl ThreadOptions {
    /// `row` or `column`, if this is a bulk run.
    pub(super) fn bulk_word(&self) -> Option<&'static str> {
        self.bulk.map(|arrangement| match arrangement {
            ArrangementOption::Row => "row",
            ArrangementOption::Column => "column",
        })
    }

    pub(super) fn bulk(&self) -> Option<Bulk> {
        Some(Bulk { inputs: self.threads.get(), arrangement: self.bulk?.arrangement() })
    }
}

pub(super) fn width(text: &str) -> Result<Width, String> {
    positive(text, Width::new)
}

fn latency(text: &str) -> Result<Latency, String> {
    positive(text, Latency::new)
}

fn threads(text: &str) -> Result<Threads, String> {
    positive(text, Threads::new)
}

/// Larger machine parameters could overflow times.
const LARGEST: u64 = 1 << 48;

fn positive<T, E: ToString>(text: &str, new: fn(u64) -> Result<T, E>) -> Result<T, String> {
    match text.parse::<u64>() {
        Ok(value) if value > LARGEST => Err(format!("it must be at most 2^48 = {LARGEST}")),
        Ok(value) => new(value).map_err(|error| error.to_string()),
        Err(_) => Err("it must be a whole number, at least 1".to_owned()),
    }
}

/// Reads an option's value that need not be text, as it may name a file.
pub(super) fn os<T: Clone + Send + Sync + 'static>(
    read: fn(OsString) -> Result<T, String>,
) -> impl TypedValueParser<Value = T> {
    OsStringValueParser::new().try_map(read)
}

/// The parts of such a value before and behind the first `at`, an ASCII character.
pub(super) fn split_once(value: &OsStr, at: u8) -> Option<(&OsStr, &OsStr)> {
    let bytes = value.as_bytes();
    let place = bytes.iter().position(|&byte| byte == at)?;
    Some((OsStr::from_bytes(&bytes[..place]), OsStr::from_bytes(&bytes[place + 1..])))
}

/// The value of `--input` and `--output`.
pub(super) fn of_array(value: &OsStr) -> Option<(String, OsString)> {
    let (name, rest) = split_once(value, b'=')?;
    let name = name.to_str()?.trim();
    (!name.is_empty() && !rest.is_empty()).then(|| (name.to_owned(), rest.to_owned()))
}

fn source(value: OsString) -> Result<(String, OsString), String> {
    of_array(&value).ok_or_else(|| "write NAME=VALUE".to_owned())
}

fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

pub(super) fn setting(text: &str) -> Result<(String, i64), String> {
    let (name, value) = named(text)?;
    match value.trim().parse() {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(format!("the value of `{name}` must be a whole number below 2^63")),
    }
}
