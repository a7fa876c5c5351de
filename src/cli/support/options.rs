//! Options that several subcommands share.

use std::ffi::{OsStr, OsString};
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{
    OsStringValueParser, PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser,
};
use clap::{Args, ValueEnum};

use super::Failure;
use super::limits::LimitOptions;
use super::model::ModelParser;
use super::names::ListingParser;
use super::settings::{ParameterValue, any_setting};
use crate::chart::Theme;
use crate::cost::CostKind;
use crate::host::split_once;
use crate::keyword::Keyword;
use crate::language::notation::Notation;
use crate::language::{PartialDeclaration, Semantics};
use crate::machine::{Dmms, Machine, MachineKind, Mode};
use crate::models::Model;
use crate::run::layout::Arrangement;
use crate::units::{Latency, Threads, Width};
use crate::whole_number;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ThemeOption {
    Light,
    Dark,
}

impl ThemeOption {
    pub(crate) const fn theme(self) -> Theme {
        match self {
            Self::Light => Theme::Light,
            Self::Dark => Theme::Dark,
        }
    }
}

/// Reads a value by its word; help says what each means.
pub(crate) fn word<T: Keyword + Send + Sync>() -> impl TypedValueParser<Value = T> {
    one_of(T::WORDS.to_vec())
}

/// Reads a value by its word, or by `auto`, which `about` explains.
pub(crate) fn word_or_auto<T: Keyword + Send + Sync>(
    auto: T,
    about: &'static str,
) -> impl TypedValueParser<Value = T> {
    one_of([T::WORDS, &[(auto, "auto", about)]].concat())
}

/// Reads one of these values. Words have hyphens on the command line, and underscores in files.
pub(crate) fn one_of<T: Keyword + Send + Sync>(
    words: Vec<(T, &'static str, &'static str)>,
) -> impl TypedValueParser<Value = T> {
    let hyphened = |word: &str| word.replace('_', "-");
    let values = words.iter().map(|it| PossibleValue::new(hyphened(it.1)).help(it.2));
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(move |given| {
        let found = words.iter().find(|it| hyphened(it.1) == given);
        found.map(|it| it.0).ok_or("it is none of the words")
    })
}

/// What `-m` may say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum MachineWord {
    Memory(MachineKind),
    Course(CostKind),
}

/// Memory machines, and all others; whether lists show these, which are for commands that ask for them.
pub(crate) fn machine_word(shows_all: bool) -> impl TypedValueParser<Value = MachineWord> {
    let memory = <MachineKind as Keyword>::WORDS
        .iter()
        .map(|it| (MachineWord::Memory(it.0), it.1, it.2, false));
    let course =
        CostKind::WORDS.iter().map(|it| (MachineWord::Course(it.0), it.1, it.2, !shows_all));
    let words: Vec<_> = memory.chain(course).collect();
    let values = words.iter().map(|it| PossibleValue::new(it.1).help(it.2).hide(it.3));
    PossibleValuesParser::new(values.collect::<Vec<_>>()).try_map(move |given| {
        let found = words.iter().find(|it| it.1 == given);
        found.map(|it| it.0).ok_or("it is none of the words")
    })
}

/// The machine: flags, and a described machine for what they leave out.
#[derive(Debug, Clone, Args)]
pub(crate) struct MachineParameters {
    /// A described machine that gives -m, -w and -l where they are not given (see `umm models`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser, hide_possible_values = true)]
    model: Option<Model>,
    /// The kind of machine [default: umm]
    #[arg(short, long, value_parser = machine_word(false), value_name = "KIND")]
    machine: Option<MachineWord>,
    /// Width: threads in a warp, words in an address group, number of banks [default: 32]
    #[arg(short, long, value_parser = width)]
    width: Option<Width>,
    /// Latency in time units, of global memory [default: 100]
    #[arg(short, long, value_parser = latency)]
    latency: Option<Latency>,
    /// Of the HMM: number of DMMs [default: 1]
    #[arg(short, long, value_parser = number)]
    dmms: Option<u64>,
    /// Of the HMM: latency of the DMMs' shared memories, in time units [default: 1]
    #[arg(long, value_parser = latency, value_name = "LATENCY")]
    shared_latency: Option<Latency>,
    /// Of the HMM: blocks that are on a DMM at a time [default: 1]
    #[arg(long, value_parser = number, value_name = "BLOCKS")]
    resident: Option<u64>,
}

impl MachineParameters {
    /// Whether a machine is asked for at all.
    pub(crate) const fn is_given(&self) -> bool {
        self.machine.is_some() || self.model.is_some()
    }

    /// # Errors
    /// A flag that the kind of machine has no use for.
    pub(crate) fn machine(&self) -> Result<Machine, Failure> {
        self.machine_like(self.model.as_ref().map(Model::machine).unwrap_or_default())
    }

    /// The same, where flags leave out what is known.
    fn machine_like(&self, known: Machine) -> Result<Machine, Failure> {
        let mut kind = match self.machine {
            None => known.kind,
            Some(MachineWord::Memory(kind))
                if kind.dmms().is_some() && known.kind.dmms().is_some() =>
            {
                known.kind
            }
            Some(MachineWord::Memory(kind)) => kind,
            Some(MachineWord::Course(kind)) => {
                return Err(Failure::input(format_args!(
                    "-m {kind}: this command is about memory machines, umm, dmm and hmm; `umm run -m \
                     {kind}` and `umm compare-models` know the others"
                )));
            }
        };
        let given = [
            ("-d", self.dmms.is_some()),
            ("--shared-latency", self.shared_latency.is_some()),
            ("--resident", self.resident.is_some()),
        ];
        if let Some(dmms) = kind.dmms_mut() {
            *dmms = Dmms {
                number: self.dmms.unwrap_or(dmms.number),
                latency: self.shared_latency.unwrap_or(dmms.latency),
                resident: self.resident.unwrap_or(dmms.resident),
            };
        } else if let Some((flag, _)) = given.iter().find(|it| it.1) {
            let name = kind.name();
            return Err(Failure::input(format_args!(
                "{flag}: only the HMM has it, and this is the {name}; say -m hmm, or leave it out"
            )));
        }
        Ok(Machine {
            kind,
            width: self.width.unwrap_or(known.width),
            latency: self.latency.unwrap_or(known.latency),
        })
    }
}

/// The machine and how it runs.
#[derive(Debug, Clone, Args)]
pub(crate) struct MachineOptions {
    #[command(flatten)]
    parameters: MachineParameters,
    /// How steps follow each other
    #[arg(long, value_parser = word::<Mode>(), default_value_t = Mode::Sync)]
    mode: Mode,
}

impl MachineOptions {
    pub(crate) const fn is_given(&self) -> bool {
        self.parameters.is_given()
    }

    /// Whether -m says which.
    pub(crate) const fn is_named(&self) -> bool {
        self.parameters.machine.is_some()
    }

    pub(crate) fn machine(&self) -> Result<Machine, Failure> {
        self.parameters.machine()
    }

    /// The machine that listings are rewritten for: of a calibrated model the HMM that it is, unless
    /// another kind is asked for.
    pub(crate) fn machine_with_dmms(&self) -> Result<Machine, Failure> {
        match self.model().and_then(Model::hierarchy) {
            Some(known) => self.parameters.machine_like(known),
            None => self.machine(),
        }
    }

    /// The machine that is no memory machine, if one is asked for.
    pub(crate) const fn course(&self) -> Option<CostKind> {
        match self.parameters.machine {
            Some(MachineWord::Course(kind)) => Some(kind),
            _ => None,
        }
    }

    /// The described machine.
    pub(crate) const fn model(&self) -> Option<&Model> {
        self.parameters.model.as_ref()
    }

    /// The flags that were given and say how a machine is made, not which.
    pub(crate) fn details(&self) -> impl Iterator<Item = &'static str> {
        let width = self.parameters.width.map(|_| "-w");
        width.into_iter().chain(self.of_memory())
    }

    /// The flags of memory machines alone that were given.
    pub(crate) fn of_memory(&self) -> impl Iterator<Item = &'static str> {
        let it = &self.parameters;
        let flags = [
            ("-l", it.latency.is_some()),
            ("-d", it.dmms.is_some()),
            ("--shared-latency", it.shared_latency.is_some()),
            ("--resident", it.resident.is_some()),
            ("--mode", self.mode != Mode::Sync),
        ];
        flags.into_iter().filter(|it| it.1).map(|it| it.0)
    }

    pub(crate) const fn mode(&self) -> Mode {
        self.mode
    }
}

/// The machine as a line of human output names it.
pub(crate) fn describe(machine: Machine, mode: Mode) -> String {
    let Machine { kind, width, latency } = machine;
    let mut text = format!("{}  w = {width}  l = {latency}", kind.name());
    if let Some(Dmms { number, latency, resident }) = kind.dmms() {
        text += &format!("  d = {number}  shared l = {latency}  R = {resident}");
    }
    text + "  " + mode.name()
}

/// How atomics of one warp at one word take stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AtomicsOption {
    /// A stage for each
    Serial,
    /// Together, as ordinary writes do
    Merged,
}

/// The program and its sizes and inputs.
#[derive(Debug, Args)]
// Where a program is optional, its listing says whether it is there: clap forgets it beside what is flattened.
#[group(args = ["algorithm"], multiple = true)]
pub(crate) struct ProgramOptions {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    #[arg(value_parser = ListingParser, hide_possible_values = true)]
    pub(crate) algorithm: OsString,
    /// Value of a parameter, as in n=16, of a real one as in dt=0.125; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = any_setting)]
    pub(crate) settings: Vec<(String, ParameterValue)>,
    /// Of a text without declarations: a declaration, or a part of one, that holds whatever the use of
    /// the name says, as in 'a : f32', 'inout x', 'x[1 .. n]', 'dt : f64'; repeatable
    #[arg(long = "declare", value_name = "DECLARATION", value_parser = PartialDeclaration::from_str)]
    pub(crate) declared: Vec<PartialDeclaration>,
    /// What an array holds at first: random[:SEED][:LO..HI] (else reals from [0, 1), integers
    /// 0 … 99), permutation, sorted, list (successors), graph:N,M, spd, tridiagonal, text:ALPHABET, all
    /// with [:SEED]; a file .csv or .npy (- for standard input), image:FILE.png; paper (the papers'
    /// 8-gon), polygon:FILE (chord weights of a polygon, CSV or GeoJSON), schedule:FILE (of a
    /// permutation, for permute_offline); of a bulk run also a table with a row for each of the -p
    /// inputs, or a folder of files; repeatable
    #[arg(long = "input", value_name = "ARRAY=SOURCE", value_parser = os(source))]
    pub(crate) inputs: Vec<(String, OsString)>,
    /// How the text is printed, where that is not recognised
    #[arg(long, value_name = "NOTATION", value_parser = word::<Notation>())]
    pub(crate) notation: Option<Notation>,
    /// What a parallel loop means
    #[arg(long, value_name = "SEMANTICS", default_value = "threads", value_parser = word::<Semantics>())]
    pub(crate) semantics: Semantics,
    /// Which of the algorithms of a LaTeX source [default: the first]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=u64::MAX))]
    pub(crate) nth: Option<usize>,
    /// Seed of random inputs
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(ANY))]
    pub(crate) seed: u64,
    /// How atomics of a warp at one word take stages
    #[arg(long, value_name = "RULE", default_value = "serial")]
    pub(crate) atomics: AtomicsOption,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

impl ProgramOptions {
    /// The first flag that is given and says something to listings alone, if any is.
    pub(crate) fn of_listing(&self) -> Option<&'static str> {
        let given = [
            ("--set", !self.settings.is_empty()),
            ("--input", !self.inputs.is_empty()),
            ("--notation", self.notation.is_some()),
            ("--semantics", self.semantics != Semantics::Threads),
            ("--nth", self.nth.is_some()),
            ("--atomics", self.atomics != AtomicsOption::Serial),
            ("--while-limit", self.limits.while_limit.is_some()),
            ("--no-files", self.limits.no_files),
        ];
        given.iter().find(|it| it.1).map(|it| it.0)
    }
}

/// How many threads run the program.
#[derive(Debug, Args)]
pub(crate) struct ThreadOptions {
    /// Number of threads; with --bulk, of inputs
    #[arg(short = 'p', long, default_value = "1024", value_parser = threads)]
    pub(crate) threads: Threads,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_parser = word::<Arrangement>(), value_name = "ARRANGEMENT")]
    pub(crate) bulk: Option<Arrangement>,
}

pub(crate) fn width(text: &str) -> Result<Width, String> {
    positive(text, Width::new)
}

pub(crate) fn latency(text: &str) -> Result<Latency, String> {
    positive(text, Latency::new)
}

pub(crate) fn threads(text: &str) -> Result<Threads, String> {
    positive(text, Threads::new)
}

pub(crate) fn number(text: &str) -> Result<u64, String> {
    positive(text, |value| if value == 0 { Err("it must be at least 1") } else { Ok(value) })
}

/// Every whole number.
pub(crate) const ANY: RangeInclusive<u64> = 0..=u64::MAX;

/// Reads a whole number of a range.
pub(crate) fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    range: RangeInclusive<u64>,
) -> impl TypedValueParser<Value = T> {
    StringValueParser::new().try_map(move |text| {
        let number = whole_number::unsigned(&text).ok().filter(|it| range.contains(it));
        number.and_then(|it| T::try_from(it).ok()).ok_or_else(|| {
            format!("write a whole number from {} to {}", range.start(), range.end())
        })
    })
}

/// Larger machine parameters could overflow times.
const LARGEST: u64 = 1 << 48;

fn positive<T, E: ToString>(text: &str, new: fn(u64) -> Result<T, E>) -> Result<T, String> {
    match whole_number::unsigned(text) {
        Ok(value) if value > LARGEST => Err(format!("it must be at most 2^48 = {LARGEST}")),
        Ok(value) => new(value).map_err(|error| error.to_string()),
        Err(_) => Err("it must be a whole number, at least 1".to_owned()),
    }
}

/// Reads an option's value that need not be text, as it may name a file.
pub(crate) fn os<T: Clone + Send + Sync + 'static>(
    read: fn(OsString) -> Result<T, String>,
) -> impl TypedValueParser<Value = T> {
    OsStringValueParser::new().try_map(read)
}

/// The value of `--input` and `--output`.
pub(crate) fn of_array(value: &OsStr) -> Option<(String, OsString)> {
    let (name, rest) = split_once(value, b'=')?;
    let name = name.to_str()?.trim();
    (!name.is_empty() && !rest.is_empty()).then(|| (name.to_owned(), rest.to_owned()))
}

pub(crate) fn source(value: OsString) -> Result<(String, OsString), String> {
    of_array(&value).ok_or_else(|| "write NAME=VALUE".to_owned())
}
