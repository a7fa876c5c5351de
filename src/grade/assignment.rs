//! What is asked of students: the file of an assignment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::case::claim::ParsedClaim;
use crate::case::{Case, LoadError, load};
use crate::diagnostic::{Diagnostic, Located, Source, Span, fingerprint};
use crate::grid::Grid;
use crate::host::files::{self, FileError};
use crate::language::program::Program;
use crate::machine::{Machine, MachineKind};
use crate::units::{Latency, Threads, Width};

/// Why there is no such assignment.
#[derive(Debug, thiserror::Error)]
pub enum AssignmentError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It says something that makes no sense, at its place.
    #[error(transparent)]
    Text(#[from] Box<Located>),
    /// A listing that it names is none.
    #[error("{name}: {error}")]
    Listing {
        /// As the assignment names it.
        name: String,
        /// Why.
        error: LoadError,
    },
}

/// What a submission may take.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// For the whole of it.
    pub seconds: f64,
    /// Of each run.
    #[serde(deserialize_with = "whole")]
    pub operations: u64,
}

/// A number as sizes are written: 100000000, "1e8", "100M".
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let Grid(values) = Grid::deserialize(deserializer)?;
    let one = <[i64; 1]>::try_from(values).ok().and_then(|[it]| u64::try_from(it).ok());
    one.ok_or_else(|| D::Error::custom("write one number, such as \"1e8\""))
}

impl Default for Limits {
    fn default() -> Self {
        Self { seconds: 20.0, operations: 100_000_000 }
    }
}

/// The machine of a test or a question.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct On {
    pub(super) machine: Option<MachineKind>,
    pub(super) w: Option<Grid>,
    pub(super) l: Option<Grid>,
    pub(super) p: Option<Grid>,
}

/// Sizes and data on which a listing must be right.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Test {
    pub(super) name: String,
    #[serde(default)]
    pub(super) points: u32,
    #[serde(default)]
    pub(super) visible: bool,
    pub(super) set: BTreeMap<String, Grid>,
    #[serde(default)]
    pub(super) input: BTreeMap<String, String>,
    /// With this many seeds at every size.
    #[serde(default = "one")]
    pub(super) seeds: u64,
    #[serde(default)]
    pub(super) on: On,
    /// What every run may take: `time_units`, `stages`, `accesses`, `dispatches`.
    #[serde(default)]
    pub(super) at_most: BTreeMap<Quantity, Grid>,
}

const fn one() -> u64 {
    1
}

/// What a run takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Quantity {
    TimeUnits,
    Stages,
    Accesses,
    Dispatches,
}

/// What a listing must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Quality {
    Oblivious,
    RaceFree,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Property {
    pub(super) is: Quality,
    #[serde(default)]
    pub(super) points: u32,
    /// Further sizes at which races are looked for.
    #[serde(default)]
    pub(super) set: BTreeMap<String, Grid>,
}

/// A time that must be proved for all sizes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimAsked {
    pub(super) bound: String,
    #[serde(default, rename = "where")]
    pub(super) assumed: Vec<String>,
    #[serde(default)]
    pub(super) points: u32,
    machine: Option<MachineKind>,
}

impl ClaimAsked {
    /// The bound, with what is assumed.
    pub(super) fn parsed(&self) -> Result<ParsedClaim, String> {
        let mut parsed = ParsedClaim::parse(&self.bound)?;
        for text in &self.assumed {
            parsed.assumed.extend(ParsedClaim::assumption(text)?);
        }
        Ok(parsed)
    }

    pub(super) fn machine(&self) -> Machine {
        let machine = Machine::default();
        Machine { kind: self.machine.unwrap_or(machine.kind), ..machine }
    }
}

/// What a student answers by a number or a claim.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    pub(super) name: String,
    /// `{n}` and the like stand for the student's own sizes.
    pub(super) text: String,
    #[serde(default)]
    pub(super) points: u32,
    /// What the answer is about.
    pub(super) listing: String,
    /// Of several values each student has one.
    #[serde(default)]
    pub(super) set: BTreeMap<String, Grid>,
    #[serde(default)]
    pub(super) on: On,
    pub(super) asks: Asks,
}

/// What kind of answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Asks {
    TimeUnits,
    Stages,
    Accesses,
    Dispatches,
    /// A claim O(f) that can be proved.
    UpperBound,
    /// A claim Θ(f) that can be proved.
    TightBound,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct AssignmentFile {
    title: String,
    #[serde(default)]
    statement: String,
    reference: Option<String>,
    #[serde(default)]
    forbidden: Vec<String>,
    #[serde(default)]
    tolerance: f64,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    limits: Limits,
    #[serde(default, rename = "test")]
    tests: Vec<Test>,
    #[serde(default, rename = "property")]
    properties: Vec<Property>,
    #[serde(default, rename = "claim")]
    claims: Vec<ClaimAsked>,
    #[serde(default, rename = "question")]
    questions: Vec<Question>,
}

/// An assignment.
#[derive(Debug, Clone)]
pub struct Assignment {
    file: AssignmentFile,
    folder: PathBuf,
    reference: Option<Arc<Program>>,
    /// By their names.
    listings: BTreeMap<String, Arc<Program>>,
}

impl Assignment {
    /// Reads the file, and the listings that it names, which lie beside it or are shipped.
    ///
    /// # Errors
    /// [`AssignmentError`].
    pub fn read(path: &Path) -> Result<Self, AssignmentError> {
        let text = files::read(path, files::DESCRIPTION)?;
        let source = Source { name: files::path_text(path), text };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let file: AssignmentFile = toml::from_str(&source.text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            located(
                &source,
                Diagnostic::new(Span::new(span.start, span.end), error.message().trim()),
            )
        })?;
        let listing = |name: &String| {
            let path = if name.ends_with(".alg") { folder.join(name) } else { name.into() };
            let loaded = load(path).map(Arc::new);
            loaded.map_err(|error| AssignmentError::Listing { name: name.clone(), error })
        };
        let reference = file.reference.as_ref().map(listing).transpose()?;
        let mut listings = BTreeMap::new();
        for question in &file.questions {
            listings.insert(question.listing.clone(), listing(&question.listing)?);
        }
        let assignment = Self { file, folder, reference, listings };
        assignment
            .check()
            .map_err(|why| located(&source, Diagnostic::new(Span::default(), why)))?;
        Ok(assignment)
    }

    /// What makes no sense together.
    fn check(&self) -> Result<(), String> {
        let AssignmentFile { tests, properties, claims, questions, .. } = &self.file;
        if self.reference.is_none()
            && !(tests.is_empty() && properties.is_empty() && claims.is_empty())
        {
            return Err(
                "tests, properties and claims need a `reference`: a listing that is right".into()
            );
        }
        if self.reference.is_some() && !tests.iter().any(|it| !it.visible) {
            return Err("without a hidden [[test]] a table of the visible answers is right".into());
        }
        if self.reference.is_none() && questions.is_empty() {
            return Err(
                "nothing is asked for: give `reference` and [[test]], or a [[question]]".into()
            );
        }
        if self.points() == 0 {
            return Err("it is worth no points: give a [[test]] or a [[question]] some".into());
        }
        let seconds = self.file.limits.seconds;
        if !(seconds > 0.0 && seconds <= 86_400.0) || self.file.limits.operations == 0 {
            return Err("`limits` are positive: seconds = 20, operations = 100000000".into());
        }
        claims
            .iter()
            .try_for_each(|it| self.check_claim(it))
            .map_err(|why| format!("`claim`: {why}"))
    }

    /// A claim is over the sizes of the reference, which every submission has.
    fn check_claim(&self, asked: &ClaimAsked) -> Result<(), String> {
        let parsed = asked.parsed()?;
        let Some(reference) = &self.reference else { return Ok(()) };
        Case::new(reference.clone()).on(asked.machine()).check_claim(&parsed)
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.file.title
    }

    /// The most points.
    pub fn points(&self) -> u32 {
        let AssignmentFile { tests, properties, claims, questions, .. } = &self.file;
        let tests = tests.iter().map(|it| it.points);
        let properties = properties.iter().map(|it| it.points);
        let claims = claims.iter().map(|it| it.points);
        tests.chain(properties).chain(claims).chain(questions.iter().map(|it| it.points)).sum()
    }

    /// What a submission may take.
    pub fn limits(&self) -> Limits {
        self.file.limits
    }

    pub(super) fn statement(&self) -> &str {
        self.file.statement.trim()
    }

    pub(super) fn reference(&self) -> Option<&Arc<Program>> {
        self.reference.as_ref()
    }

    pub(super) fn listing(&self, name: &str) -> Option<&Arc<Program>> {
        self.listings.get(name)
    }

    pub(super) fn tests(&self) -> &[Test] {
        &self.file.tests
    }

    pub(super) fn properties(&self) -> &[Property] {
        &self.file.properties
    }

    pub(super) fn claims(&self) -> &[ClaimAsked] {
        &self.file.claims
    }

    pub(super) fn questions(&self) -> &[Question] {
        &self.file.questions
    }

    pub(super) fn forbidden(&self) -> &[String] {
        &self.file.forbidden
    }

    pub(super) fn tolerance(&self) -> f64 {
        self.file.tolerance
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A student's own number, for a purpose.
    pub(super) fn seed(&self, student: &str, purpose: &str) -> u64 {
        let AssignmentFile { title, seed, .. } = &self.file;
        fingerprint(format!("{seed}\n{title}\n{student}\n{purpose}").as_bytes())
    }
}

fn located(source: &Source, diagnostic: Diagnostic) -> Box<Located> {
    let help = "the keys of an assignment are on the page docs/grading.md";
    Box::new(Located { source: source.clone(), diagnostic: diagnostic.help(help) })
}

impl On {
    /// The machine and its threads; of several values the one that `pick` picks.
    pub(super) fn machine(
        &self,
        pick: &dyn Fn(&str, &Grid) -> i64,
    ) -> Result<(Machine, Threads), String> {
        let value = |name: &str, grid: &Option<Grid>| match grid {
            Some(grid) => u64::try_from(pick(name, grid))
                .map(Some)
                .map_err(|_| format!("`{name}` is below 1")),
            None => Ok(None),
        };
        let mut machine = Machine::default();
        machine.kind = self.machine.unwrap_or(machine.kind);
        if let Some(width) = value("w", &self.w)? {
            machine.width = Width::new(width).map_err(|it| it.to_string())?;
        }
        if let Some(latency) = value("l", &self.l)? {
            machine.latency = Latency::new(latency).map_err(|it| it.to_string())?;
        }
        let threads = value("p", &self.p)?.unwrap_or(1024);
        Ok((machine, Threads::new(threads).map_err(|it| it.to_string())?))
    }
}
