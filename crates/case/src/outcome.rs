//! What a run found out, and its form in JSON: by `umm run --json`, and by the page.

use serde::Serialize;
use serde_json::{Value, json};

use super::correctness::verify;
use super::{Case, CaseError, Verdict};
use memory_machine_core::count::{Counted, ExecutedLoop, UncheckedFailure};
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::Type;
use memory_machine_core::machine::{Clock, Counts, Machine, Memories, Mode};
use memory_machine_core::run::Tracer;
use memory_machine_core::run::byte_places::BytePlaces;
use memory_machine_core::run::layout::{Arrangement, Layout};
use memory_machine_core::run::memory::{self, Memory};
use memory_machine_core::run::race::{RaceAccess, Races};
use memory_machine_core::trace::Sink;
use memory_machine_core::units::Threads;

/// What a run found out.
pub struct Outcome {
    /// By phase of the program.
    pub counts: Vec<Counts>,
    /// `Some` if only the time was asked for: what was executed nevertheless.
    pub executed: Option<Vec<ExecutedLoop>>,
    /// Of a count: with what a run may fail all the same.
    pub unchecked: UncheckedFailure,
    /// Whether the program ran on its inputs.
    pub has_values: bool,
    /// Whether the result is right.
    pub verdict: Verdict,
    /// What the listing answers.
    pub answer: Option<String>,
    /// `None` if none was found, but not everything was watched.
    pub races: Option<Vec<RaceAccess>>,
}

impl Outcome {
    /// Of a count.
    pub fn of_time(counted: Counted) -> Self {
        let Counted { counts, executed, unchecked } = counted;
        Self {
            counts,
            executed: Some(executed),
            unchecked,
            has_values: false,
            verdict: Verdict::Unknown,
            answer: None,
            races: None,
        }
    }

    /// The same where only the time was asked for, which depends on what memory holds at `span`.
    #[must_use]
    pub fn for_its_time(self, program: &Program, span: Span) -> Self {
        let phases = (0..).take(program.phases.len()).collect();
        let why = "this depends on what memory holds, so the program ran with its values";
        Self { executed: Some(vec![ExecutedLoop { phases, span, why }]), ..self }
    }
}

impl Case {
    /// Runs the program with its values on `memory`. Its trace goes into `sink`, which `clock` takes
    /// the time from. A reference that is not there is missed before hours of work.
    ///
    /// # Errors
    /// As [`Case::execute`] and [`Case::reference`].
    pub fn outcome<S: Sink>(
        &self,
        layout: &Layout,
        memory: &mut Memory,
        sink: S,
        clock: impl FnOnce(S) -> Clock,
    ) -> Result<Outcome, CaseError> {
        let (program, reference) = (&*self.program, self.reference()?);
        let bytes = self.in_bytes.then(|| BytePlaces::new(program, layout, self.machine.width));
        let tracer = Tracer::new(program, sink).in_bytes(bytes);
        let mut observers = (tracer, Races::new(program, layout));
        let answer = self.execute(layout, memory, &mut observers)?;
        let (tracer, races) = observers;
        let mut counts = clock(tracer.sink).finish();
        counts.resize(program.phases.len(), Counts::default());
        let answer = answer.map(|bits| answer_text(program, bits));
        Ok(Outcome {
            counts,
            executed: None,
            unchecked: UncheckedFailure::default(),
            has_values: true,
            verdict: verify(self, reference.as_ref(), layout, memory)?,
            answer,
            races: races.finish(),
        })
    }
}

/// The answer as text.
pub(super) fn answer_text(program: &Program, bits: u64) -> String {
    memory::text(program.answer.as_ref().map_or(Type::I64, |it| it.element), bits)
}

/// The same in JSON, which has no infinities: they become null.
pub(super) fn answer_value(answer: Option<&str>) -> Value {
    answer.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
}

/// Every parameter's value.
pub(super) fn parameters(program: &Program, layout: &Layout) -> serde_json::Map<String, Value> {
    let parameters = program.parameters.iter().zip(&layout.parameters);
    let integers = parameters.map(|(it, &value)| (it.name.clone(), value.into()));
    let reals = program.listing.reals.iter().map(|it| (it.name.text.clone(), it.value.into()));
    integers.chain(reals).collect()
}

pub(super) fn race_value(program: &Program, layout: &Layout, race: &RaceAccess) -> Value {
    let (source, span) = (&program.source, program.sites[race.site.0].span);
    json!({
        "element": race.element(program, layout),
        "line": source.line(span),
        "text": source.line_text(span),
    })
}

/// A run as `--json` prints it.
#[derive(Serialize)]
pub struct RunReport<'a> {
    /// What was run.
    #[serde(skip)]
    pub case: &'a Case,
    /// Where its arrays lie.
    #[serde(skip)]
    pub layout: &'a Layout,
    /// What the run found.
    #[serde(skip)]
    pub outcome: &'a Outcome,
    /// The listing's name.
    pub algorithm: &'a str,
    /// Every parameter's value.
    pub parameters: serde_json::Map<String, Value>,
    /// What it ran on.
    pub machine: Machine,
    /// p; of a bulk run, inputs.
    pub threads: Threads,
    /// Synchronous or asynchronous.
    pub mode: Mode,
    /// The arrangement of a bulk run.
    pub bulk: Option<Arrangement>,
    /// Of random inputs.
    pub seed: u64,
    /// The sum over the phases.
    #[serde(flatten)]
    pub total: Counts,
    /// By memory, of an HMM.
    #[serde(flatten)]
    pub memories: Option<Memories>,
    /// In the order of the listing.
    pub phases: Vec<PhaseReport<'a>>,
    /// Loops that were executed though only the time was asked for; null in a run with values.
    pub executed: Option<Vec<Value>>,
    /// Arrays of which some cell may be read before it is written, and places that may fail as
    /// memory holds, if only the time was asked for.
    pub unchecked: Option<Value>,
    /// Null if nobody knows.
    pub verified: Option<bool>,
    /// By array, what it held at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<serde_json::Map<String, Value>>,
    /// A number, or null.
    pub answer: Value,
    /// Places whose accesses race; null if none was found, but not everything was watched.
    pub races: Option<Vec<Value>>,
}

/// One phase of it.
#[derive(Serialize)]
pub struct PhaseReport<'a> {
    /// The label.
    pub name: &'a str,
    /// What it took.
    #[serde(flatten)]
    pub counts: Counts,
    /// By memory, of an HMM.
    #[serde(flatten)]
    pub memories: Option<Memories>,
}

impl<'a> RunReport<'a> {
    /// Of what was found out of a case.
    pub fn new(case: &'a Case, layout: &'a Layout, outcome: &'a Outcome) -> Self {
        let program = &*case.program;
        let source = &program.source;
        let executed = |it: &ExecutedLoop| {
            let names = it.phases.iter().map(|&phase| &program.phases[phase as usize]);
            json!({
                "phases": names.collect::<Vec<_>>(),
                "line": source.line(it.span),
                "text": source.line_text(it.span),
                "why": it.why,
            })
        };
        let race = |it: &RaceAccess| race_value(program, layout, it);
        let total: Counts = outcome.counts.iter().copied().sum();
        let memories = |counts: &Counts| case.machine.memories(counts);
        Self {
            case,
            layout,
            outcome,
            algorithm: &program.name,
            parameters: parameters(program, layout),
            machine: case.machine,
            threads: case.threads,
            mode: case.mode,
            bulk: case.bulk,
            seed: case.inputs.seed,
            total,
            memories: memories(&total),
            phases: (program.phases.iter().zip(&outcome.counts))
                .map(|(name, &counts)| PhaseReport { name, counts, memories: memories(&counts) })
                .collect(),
            executed: outcome.executed.as_ref().map(|it| it.iter().map(executed).collect()),
            unchecked: outcome.executed.as_ref().map(|_| unchecked(program, &outcome.unchecked)),
            verified: outcome.verdict.is_right(),
            inputs: outcome.has_values.then(|| {
                let inputs = case.inputs.describe(program).into_iter();
                inputs.map(|(name, what)| (name, what.into())).collect()
            }),
            answer: answer_value(outcome.answer.as_deref()),
            races: outcome.races.as_ref().map(|it| it.iter().map(race).collect()),
        }
    }
}

fn unchecked(program: &Program, unchecked: &UncheckedFailure) -> Value {
    let places = unchecked.places.iter().map(|&span| {
        json!({ "line": program.source.line(span), "text": program.source.line_text(span) })
    });
    json!({
        "arrays": names(program, unchecked),
        "places": places.collect::<Vec<_>>(),
    })
}

/// The names of its arrays.
pub fn names<'a>(program: &'a Program, unchecked: &UncheckedFailure) -> Vec<&'a str> {
    unchecked.arrays.iter().map(|id| program.arrays[id.0].name.as_str()).collect()
}
