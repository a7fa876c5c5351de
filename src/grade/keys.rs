//! The keys of the file of an assignment.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::case::claim::ParsedClaim;
use crate::grid::Grid;
use crate::machine::{Counts, Machine, MachineKind};
use crate::number::checked_tolerance;
use crate::units::{Latency, Threads, Width};

/// What a submission may take.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// For the whole of it.
    pub seconds: f64,
    /// Of each run.
    #[serde(deserialize_with = "operations")]
    pub operations: u64,
}

fn operations<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Count::deserialize(deserializer).map(|it| it.0)
}

fn tolerance<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    checked_tolerance(f64::deserialize(deserializer)?).map_err(D::Error::custom)
}

impl Default for Limits {
    fn default() -> Self {
        Self { seconds: 20.0, operations: 100_000_000 }
    }
}

/// One number from 1 on, as sizes are written: 100000000, "1e8", "100M".
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "Grid")]
pub(super) struct Count(pub(super) u64);

impl TryFrom<Grid> for Count {
    type Error = &'static str;

    fn try_from(Grid(values): Grid) -> Result<Self, Self::Error> {
        let one = <[i64; 1]>::try_from(values).ok().and_then(|[it]| u64::try_from(it).ok());
        let one = one.filter(|it| *it > 0).map(Self);
        one.ok_or("write one number from 1 on, such as 60_000 or \"1e8\"")
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
    pub(super) name: Spanned<String>,
    #[serde(default)]
    pub(super) points: u32,
    #[serde(default)]
    pub(super) visible: bool,
    pub(super) set: BTreeMap<String, Grid>,
    /// So many of these sizes are tried, which each student has drawn; else all.
    pub(super) draw: Option<Count>,
    #[serde(default)]
    pub(super) input: BTreeMap<String, String>,
    /// With this many seeds at every size.
    #[serde(default = "one")]
    pub(super) seeds: Count,
    #[serde(default)]
    pub(super) on: On,
    /// What every run may take: `time_units`, `stages`, `accesses`, `dispatches`.
    #[serde(default)]
    pub(super) at_most: BTreeMap<Quantity, Count>,
}

const fn one() -> Count {
    Count(1)
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

impl Quantity {
    /// How much of it a run took, and in what.
    pub(super) fn taken(self, counts: &Counts) -> (u128, &'static str) {
        match self {
            Self::TimeUnits => (counts.time_units.0, "time units"),
            Self::Stages => (counts.stages, "pipeline stages"),
            Self::Accesses => (counts.accesses, "accesses"),
            Self::Dispatches => (counts.dispatches, "dispatches"),
        }
    }
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
    pub(super) is: Spanned<Quality>,
    #[serde(default)]
    pub(super) points: u32,
    /// Further sizes at which races are looked for.
    #[serde(default)]
    pub(super) set: BTreeMap<String, Grid>,
    /// As in a test.
    pub(super) draw: Option<Count>,
}

/// A time that must be proved for all sizes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimAsked {
    pub(super) bound: Spanned<String>,
    #[serde(default, rename = "where")]
    pub(super) assumed: Vec<String>,
    #[serde(default)]
    pub(super) points: u32,
    machine: Option<MachineKind>,
}

impl ClaimAsked {
    /// The bound, with what is assumed.
    pub(super) fn parsed(&self) -> Result<ParsedClaim, String> {
        let mut parsed = ParsedClaim::parse(self.bound.get_ref())?;
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
    pub(super) name: Spanned<String>,
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
    /// An upper bound counts only if it is within this one.
    pub(super) within: Option<String>,
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
pub(super) struct AssignmentFile {
    pub(super) title: String,
    #[serde(default)]
    pub(super) statement: String,
    pub(super) reference: Option<String>,
    #[serde(default)]
    pub(super) forbidden: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "tolerance")]
    pub(super) tolerance: f64,
    #[serde(default)]
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) limits: Limits,
    #[serde(default, rename = "test")]
    pub(super) tests: Vec<Test>,
    #[serde(default, rename = "property")]
    pub(super) properties: Vec<Property>,
    #[serde(default, rename = "claim")]
    pub(super) claims: Vec<ClaimAsked>,
    #[serde(default, rename = "question")]
    pub(super) questions: Vec<Question>,
    #[serde(default, rename = "exercise")]
    pub(super) exercises: Vec<BankExercise>,
}

/// An exercise of the bank, with a student's own numbers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BankExercise {
    /// As `umm grade --bank` names it.
    pub(super) item: Spanned<String>,
    #[serde(default = "one_point")]
    pub(super) points: u32,
}

const fn one_point() -> u32 {
    1
}

impl AssignmentFile {
    /// What each thing that is asked for is worth.
    pub(super) fn points(&self) -> impl Iterator<Item = u32> {
        let tests = self.tests.iter().map(|it| it.points);
        let properties = self.properties.iter().map(|it| it.points);
        let claims = self.claims.iter().map(|it| it.points);
        let questions = self.questions.iter().map(|it| it.points);
        let exercises = self.exercises.iter().map(|it| it.points);
        tests.chain(properties).chain(claims).chain(questions).chain(exercises)
    }
}

impl On {
    /// What has several values.
    pub(super) fn several(&self) -> Option<&'static str> {
        let all = [("w", &self.w), ("l", &self.l), ("p", &self.p)];
        let has_several = |grid: &Option<Grid>| grid.as_ref().is_some_and(|it| it.0.len() > 1);
        all.into_iter().find(|(_, grid)| has_several(grid)).map(|(name, _)| name)
    }

    /// The machine and its threads; of several values the one that `pick` picks.
    pub(super) fn machine(
        &self,
        pick: &dyn Fn(&str, &Grid) -> i64,
    ) -> Result<(Machine, Threads), String> {
        let value = |name: &str, grid: &Option<Grid>| match grid {
            Some(grid) => u64::try_from(pick(name, grid))
                .map(Some)
                .map_err(|_| format!("`on.{name}` is below 1")),
            None => Ok(None),
        };
        let mut machine = Machine::default();
        machine.kind = self.machine.unwrap_or(machine.kind);
        if let Some(width) = value("w", &self.w)? {
            machine.width = Width::new(width).map_err(|it| format!("`on.w`: {it}"))?;
        }
        if let Some(latency) = value("l", &self.l)? {
            machine.latency = Latency::new(latency).map_err(|it| format!("`on.l`: {it}"))?;
        }
        let threads = value("p", &self.p)?.unwrap_or(1024);
        Ok((machine, Threads::new(threads).map_err(|it| format!("`on.p`: {it}"))?))
    }
}
