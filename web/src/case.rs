//! A case as the page words it, and what is wrong with one.

use std::collections::BTreeMap;

use memory_machine::case::{Case, CaseError, Inputs, LoadError};
use memory_machine::diagnostic::{Located, Source};
use memory_machine::host::files::in_memory;
use memory_machine::improve::search::SearchError;
use memory_machine::language;
use memory_machine::machine::{Dmms, Machine, MachineKind, Mode};
use memory_machine::run::layout::{Arrangement, LayoutError};
use memory_machine::sample::Settings;
use memory_machine::units::{Latency, NotPositive, Threads, Width};
use serde::{Deserialize, Serialize};

/// Iterations of a loop that is executed: a page waits less long than a terminal.
const WHILE_ITERATIONS: u64 = 1_000_000;

/// Larger machine parameters could overflow times, as on the command line.
const LARGEST: u64 = 1 << 48;

/// The words and numbers of `umm run`.
#[derive(Debug, Clone, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub struct Wording {
    pub listing: String,
    pub set: BTreeMap<String, i64>,
    /// Sources by array, as `--input` has them.
    pub inputs: BTreeMap<String, String>,
    /// What the page has instead of files, by name.
    pub files: BTreeMap<String, String>,
    pub seed: u64,
    pub machine: MachineKind,
    pub w: u64,
    pub l: u64,
    pub d: u64,
    pub shared_latency: u64,
    pub resident: u64,
    pub p: u64,
    pub mode: Mode,
    pub bulk: Option<Arrangement>,
}

impl Default for Wording {
    fn default() -> Self {
        Self {
            listing: String::new(),
            set: BTreeMap::new(),
            inputs: BTreeMap::new(),
            files: BTreeMap::new(),
            seed: 1,
            machine: Machine::default().kind,
            w: 32,
            l: 100,
            d: 1,
            shared_latency: 1,
            resident: 1,
            p: 1024,
            mode: Mode::Sync,
            bulk: None,
        }
    }
}

impl Wording {
    /// The listing alone.
    pub fn program(&self) -> Result<Case, Wrong> {
        let source = Source { name: "listing".to_owned(), text: self.listing.clone() };
        let size = |name: &str| self.set.get(name).copied();
        Ok(Case::new(language::load_for(source, size)?))
    }

    pub fn case(&self) -> Result<Case, Wrong> {
        Ok(self.fitted()?.0)
    }

    /// The case, and its inputs that are random since what is given for them has another shape: when a
    /// size is dragged, numbers that somebody gave do not follow.
    pub fn fitted(&self) -> Result<(Case, Vec<String>), Wrong> {
        let case = self.given()?;
        // Of sizes that make no sense, another question tells.
        let Ok(layout) = case.layout() else { return Ok((case, vec![])) };
        let misfits: Vec<String> = case.misfits(&layout).into_iter().map(str::to_owned).collect();
        if misfits.is_empty() {
            return Ok((case, misfits));
        }
        let mut fitting = self.clone();
        fitting.inputs.retain(|name, _| !misfits.contains(name));
        Ok((fitting.given()?, misfits))
    }

    /// The case as it is given.
    fn given(&self) -> Result<Case, Wrong> {
        in_memory::set(self.files.clone());
        let case = self.program()?;
        let inputs: Vec<_> = self.inputs.iter().map(|(a, s)| (a.clone(), s.into())).collect();
        let inputs = Inputs::read(&case.program, &inputs, self.seed)?;
        Ok(Case {
            set: Settings(self.set.clone()),
            inputs,
            machine: self.machine()?,
            mode: self.mode,
            threads: Threads::new(at_most("p", self.p)?)?,
            bulk: self.bulk,
            while_iterations: WHILE_ITERATIONS,
            ..case
        })
    }

    pub fn machine(&self) -> Result<Machine, Wrong> {
        let mut kind = self.machine;
        if let Some(dmms) = kind.dmms_mut() {
            *dmms = Dmms {
                number: at_most("d", self.d.max(1))?,
                latency: Latency::new(at_most("shared latency", self.shared_latency)?)?,
                resident: at_most("resident blocks", self.resident.max(1))?,
            };
        }
        let (width, latency) = (at_most("w", self.w)?, at_most("l", self.l)?);
        Ok(Machine { kind, width: Width::new(width)?, latency: Latency::new(latency)? })
    }
}

fn at_most(what: &str, value: u64) -> Result<u64, Wrong> {
    match value {
        0..=LARGEST => Ok(value),
        _ => Err(Wrong::message(format!("{what} must be at most 2^48"))),
    }
}

/// What is wrong with a question.
#[derive(Debug, Serialize)]
pub struct Wrong {
    pub message: String,
    /// In the listing.
    #[serde(flatten)]
    pub place: Option<Place>,
    pub label: String,
    pub notes: Vec<String>,
    pub help: Option<String>,
    /// What is wrong with sizes: the expression that they stand in.
    pub sizes: Option<String>,
    /// The whole as the command line prints it.
    pub text: String,
}

/// Lines and columns count from 1, columns in characters as an editor does: UTF-16 units.
#[derive(Debug, Serialize)]
pub struct Place {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Place {
    pub fn of(text: &str, start: usize, end: usize) -> Self {
        let at = |mut byte: usize| {
            byte = byte.min(text.len());
            while !text.is_char_boundary(byte) {
                byte -= 1;
            }
            let before = &text[..byte];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let column = before[line_start..].encode_utf16().count() + 1;
            (before.matches('\n').count() + 1, column)
        };
        let ((line, column), (end_line, end_column)) = (at(start), at(end.max(start)));
        Self { line, column, end_line, end_column }
    }
}

impl Wrong {
    pub fn message(message: impl Into<String>) -> Self {
        let message = in_a_page(&message.into());
        Self {
            text: message.clone(),
            message,
            place: None,
            label: String::new(),
            notes: vec![],
            help: None,
            sizes: None,
        }
    }
}

/// What a message advises on the command line, where there are no flags.
fn in_a_page(message: &str) -> String {
    message
        .replace("change --set", "change the sizes")
        .replace("--input ", "")
        .replace("the -p inputs", "the p inputs")
        .replace("raise --while-limit", "run it by `umm run --while-limit`")
}

impl From<Box<Located>> for Wrong {
    fn from(located: Box<Located>) -> Self {
        let Located { source, diagnostic } = &*located;
        let span = diagnostic.span;
        // A message without a place has the empty span.
        let place = (span.end > 0).then(|| Place::of(&source.text, span.start, span.end));
        Self {
            message: diagnostic.message.clone(),
            place,
            label: diagnostic.label.clone(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.as_deref().map(in_a_page),
            sizes: None,
            text: in_a_page(&located.to_string()),
        }
    }
}

impl From<CaseError> for Wrong {
    fn from(error: CaseError) -> Self {
        match error {
            CaseError::Program(located) => located.into(),
            CaseError::Layout(LayoutError::MissingParameter(name)) => {
                let message = format!("the parameter `{name}` has no value");
                let help = Some(format!("give {name} a value among the sizes"));
                Self { help, sizes: Some(name), ..Self::message(message) }
            }
            CaseError::Layout(error) => {
                let sizes = match &error {
                    LayoutError::Extent { extent, .. } | LayoutError::NoValue { extent, .. } => {
                        extent
                    }
                    LayoutError::Threads { threads, .. } => threads,
                    _ => "",
                };
                let sizes = Some(sizes.to_owned());
                Self { sizes, ..Self::message(format!("{error}; change the sizes")) }
            }
            error => Self::message(error.to_string()),
        }
    }
}

impl From<SearchError> for Wrong {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Listing(located) => located.into(),
            error => Self::message(error.to_string()),
        }
    }
}

impl From<LoadError> for Wrong {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Listing(located) => located.into(),
            error => Self::message(error.to_string()),
        }
    }
}

impl From<NotPositive> for Wrong {
    fn from(error: NotPositive) -> Self {
        Self::message(error.to_string())
    }
}
