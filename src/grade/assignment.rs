//! What is asked of students: an assignment, read and checked.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bank::{self, Exercise};
use super::keys::{
    Asks, AssignmentFile, BankExercise, ClaimAsked, Count, Limits, Property, Quality, Question,
    Test,
};
use super::sizes::number_of_points;
use crate::case::claim::ParsedClaim;
use crate::case::{Case, LoadError, load};
use crate::diagnostic::{Diagnostic, Located, Source, Span, fingerprint};
use crate::grid::Grid;
use crate::host::files::{self, FileError};
use crate::language::program::Program;
use crate::language::spellings;

/// Why there is no such assignment, or none that can be marked.
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

/// What is wrong with an assignment, and where.
pub(super) type Fault = (Range<usize>, String);

/// More runs of one test than these are taken for a slip.
const MOST_RUNS: u128 = 10_000;

/// An assignment.
#[derive(Debug, Clone)]
pub struct Assignment {
    file: AssignmentFile,
    source: Source,
    folder: PathBuf,
    reference: Option<Arc<Program>>,
    /// By their names.
    listings: BTreeMap<String, Arc<Program>>,
    /// Each in the spelling of [`spellings`].
    forbidden: Vec<(String, Vec<String>)>,
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
            let place = error.span().unwrap_or_default();
            located(&source, (place, error.message().trim().to_owned()))
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
        let forbidden = file.forbidden.iter().map(|it| {
            let words = spellings(it.get_ref()).ok().filter(|it| !it.is_empty());
            let why = "`forbidden` has words and signs of a listing, such as \"while\" or \"×\"";
            let words = words.ok_or_else(|| located(&source, (it.span(), why.to_owned())))?;
            Ok::<_, AssignmentError>((it.get_ref().clone(), words))
        });
        let forbidden = forbidden.collect::<Result<_, _>>()?;
        let assignment = Self { file, source, folder, reference, listings, forbidden };
        assignment.check().map_err(|fault| assignment.error(fault))?;
        Ok(assignment)
    }

    pub(super) fn error(&self, fault: Fault) -> AssignmentError {
        located(&self.source, fault).into()
    }

    /// What makes no sense together.
    fn check(&self) -> Result<(), Fault> {
        self.check_whole().map_err(|why| (Range::default(), why.to_owned()))?;
        let AssignmentFile { tests, properties, claims, questions, .. } = &self.file;
        for test in tests {
            self.check_test(test).map_err(|why| (test.name.span(), why))?;
        }
        for property in properties {
            self.check_property(property).map_err(|why| (property.is.span(), why))?;
        }
        for claim in claims {
            self.check_claim(claim)
                .map_err(|why| (claim.bound.span(), format!("`claim`: {why}")))?;
        }
        for (at, question) in questions.iter().enumerate() {
            let is_known = questions[..at].iter().any(|it| it.name == question.name);
            let known = || Err("two questions have this name, by which they are answered".into());
            let checked = if is_known { known() } else { self.check_question(question) };
            checked.map_err(|why| (question.name.span(), why))?;
        }
        for (at, exercise) in self.file.exercises.iter().enumerate() {
            let is_known = self.file.exercises[..at].iter().any(|it| it.item == exercise.item);
            let twice = || Err("this exercise is asked twice: leave one out".to_owned());
            let checked =
                if is_known { twice() } else { bank::find(exercise.item.get_ref()).map(drop) };
            checked.map_err(|why| (exercise.item.span(), why))?;
        }
        Ok(())
    }

    fn check_whole(&self) -> Result<(), &'static str> {
        let AssignmentFile { tests, properties, claims, questions, .. } = &self.file;
        if self.reference.is_none()
            && !(tests.is_empty() && properties.is_empty() && claims.is_empty())
        {
            return Err("tests, properties and claims need a `reference`: a listing that is right");
        }
        if self.reference.is_some() && !tests.iter().any(|it| !it.visible) {
            return Err("without a hidden [[test]] a table of the visible answers is right");
        }
        if self.reference.is_none() && questions.is_empty() && self.file.exercises.is_empty() {
            return Err(
                "nothing is asked for: give `reference` and [[test]], a [[question]], or an [[exercise]]",
            );
        }
        if self.file.points().map(u64::from).sum::<u64>() > u32::MAX.into() {
            return Err("its `points` add up to more than 4294967295: give less for each");
        }
        if self.points() == 0 {
            return Err("it is worth no points: give a [[test]] or a [[question]] some");
        }
        let seconds = self.file.limits.seconds;
        if !(seconds > 0.0 && seconds <= 86_400.0) {
            return Err("`limits.seconds` is a number above 0, up to 86400, such as 20");
        }
        Ok(())
    }

    fn check_test(&self, test: &Test) -> Result<(), String> {
        self.check_sizes(&test.set, test.draw)?;
        let runs = number_of_points(&test.set, test.draw).saturating_mul(test.seeds.0.into());
        if runs > MOST_RUNS {
            return Err(format!(
                "this test has {runs} runs, and {MOST_RUNS} are the most: give fewer `seeds`, or `draw` \
                 some of the sizes"
            ));
        }
        match test.on.several() {
            Some(name) => Err(format!(
                "`on.{name}` has several values, and a test runs on one machine: give one, or write a \
                 [[test]] for each"
            )),
            None => Ok(()),
        }
    }

    fn check_property(&self, property: &Property) -> Result<(), String> {
        if *property.is.get_ref() != Quality::RaceFree && !property.set.is_empty() {
            return Err("`set` has sizes at which races are looked for: leave it out".to_owned());
        }
        self.check_sizes(&property.set, property.draw)?;
        match number_of_points(&property.set, property.draw) {
            runs if runs > MOST_RUNS => Err(format!(
                "these are {runs} sizes, and {MOST_RUNS} are the most: `draw` some of them"
            )),
            _ => Ok(()),
        }
    }

    fn check_sizes(&self, set: &BTreeMap<String, Grid>, draw: Option<Count>) -> Result<(), String> {
        if draw.is_some() && set.is_empty() {
            return Err("`draw` takes some of several sizes: give them by `set`".to_owned());
        }
        self.reference.iter().try_for_each(|it| known(it, set.keys()))
    }

    /// A claim is over the sizes of the reference, which every submission has.
    fn check_claim(&self, asked: &ClaimAsked) -> Result<(), String> {
        let parsed = asked.parsed()?;
        let Some(reference) = &self.reference else { return Ok(()) };
        Case::new(reference.clone()).on(asked.machine()).check_claim(&parsed)
    }

    fn check_question(&self, question: &Question) -> Result<(), String> {
        let Some(program) = self.listings.get(&question.listing) else { return Ok(()) };
        known(program, question.set.keys())?;
        let Some(bound) = &question.within else { return Ok(()) };
        if question.asks != Asks::UpperBound {
            return Err(
                "`within` bounds an answer to `asks = \"upper_bound\"`: leave it out".into()
            );
        }
        let parsed = ParsedClaim::parse(bound).map_err(|why| format!("`within`: {why}"))?;
        let (machine, _) = question.on.machine(&|_, it| it.0[0])?;
        let checked = Case::new(program.clone()).on(machine).check_claim(&parsed);
        checked.map_err(|why| format!("`within`: {why}"))
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.file.title
    }

    /// The most points.
    pub fn points(&self) -> u32 {
        self.file.points().sum()
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

    pub(super) fn exercises(&self) -> &[BankExercise] {
        &self.file.exercises
    }

    /// The items of the bank that are asked for, each with its points.
    pub fn items(&self) -> impl Iterator<Item = (&str, u32)> {
        self.file.exercises.iter().map(|it| (it.item.get_ref().as_str(), it.points))
    }

    /// How many things are asked for.
    pub fn number_asked(&self) -> usize {
        self.file.points().count()
    }

    /// The number that all numbers of students follow from.
    pub fn own_seed(&self) -> u64 {
        self.file.seed
    }

    /// The names of all that is answered in a line.
    pub(super) fn asked(&self) -> Vec<&str> {
        let questions = self.file.questions.iter().map(|it| it.name.get_ref().as_str());
        questions.chain(self.items().map(|it| it.0)).collect()
    }

    /// An exercise of the bank with a student's numbers.
    pub(super) fn posed(&self, of: &BankExercise, student: &str) -> Result<Exercise, String> {
        let item = bank::find(of.item.get_ref())?;
        item.pose(bank::own_seed(self.file.seed, self.title(), student))
    }

    /// As they are written, and in the spelling of [`spellings`].
    pub(super) fn forbidden(&self) -> &[(String, Vec<String>)] {
        &self.forbidden
    }

    /// Whether a test or a property gives a parameter a value.
    pub(super) fn sets(&self, parameter: &str) -> bool {
        let tests = self.file.tests.iter().map(|it| &it.set);
        { tests.chain(self.file.properties.iter().map(|it| &it.set)) }
            .any(|it| it.contains_key(parameter))
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

/// A listing has these parameters.
fn known<'a>(program: &Program, mut names: impl Iterator<Item = &'a String>) -> Result<(), String> {
    let own: Vec<&str> = program.parameters.iter().map(|it| it.name.as_str()).collect();
    match names.find(|it| !own.contains(&it.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!(
            "`set.{name}`: `{}` has no parameter `{name}`; it has {}",
            program.name,
            if own.is_empty() { "none".to_owned() } else { own.join(", ") }
        )),
    }
}

/// Of several lines the first is the message.
fn located(source: &Source, (place, why): Fault) -> Box<Located> {
    let (first, rest) = why.trim().split_once('\n').unwrap_or((why.trim(), ""));
    let mut diagnostic = Diagnostic::new(Span::new(place.start, place.end), first);
    if !rest.trim().is_empty() {
        diagnostic = diagnostic.note(rest.trim());
    }
    let help = "the keys of an assignment are on the page docs/grading.md";
    Box::new(Located { source: source.clone(), diagnostic: diagnostic.help(help) })
}
