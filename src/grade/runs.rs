//! Runs of a submitted listing beside the reference, on the same data.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

use super::assignment::{Assignment, Quantity, Test};
use crate::algorithms::matrix::Matrix;
use crate::algorithms::reference::agree;
use crate::case::check::element;
use crate::case::{Case, CaseError, Inputs};
use crate::grid::Grid;
use crate::host::files::ends;
use crate::language::program::Program;
use crate::language::syntax::Role;
use crate::machine::{Clock, Counts, Mode};
use crate::run::layout::Layout;
use crate::run::memory::{self, Memory};
use crate::run::pram::{PramClass, RacingAccess};
use crate::run::{NoopObserver, WorkLimit};
use crate::sample::Settings;
use crate::trace::AccessKind;

/// What a run of a submission found.
pub(super) struct Found {
    /// The first cell that differs: its number, and its array.
    pub(super) wrong: Option<WrongCell>,
    pub(super) counts: Counts,
}

pub(super) struct WrongCell {
    pub(super) array: String,
    pub(super) cell: usize,
    pub(super) found: Option<f64>,
    pub(super) wanted: f64,
}

/// Why there is no result.
pub(super) enum Trouble {
    /// The assignment is at fault.
    Assignment(String),
    /// The submission is: in which line, if that is known, and why.
    Submission { line: Option<usize>, why: String, is_limit: bool },
}

impl Trouble {
    fn of(error: CaseError) -> Self {
        match error {
            CaseError::Program(located) => Self::Submission {
                line: Some(located.source.line(located.diagnostic.span)),
                why: located.to_string(),
                is_limit: located.diagnostic.limit.is_some(),
            },
            other => Self::Submission { line: None, why: other.to_string(), is_limit: false },
        }
    }
}

/// All combinations of the values of sizes, in order.
pub(super) fn points(set: &BTreeMap<String, Grid>) -> Vec<Settings> {
    let mut all = vec![Settings::default()];
    for (name, grid) in set {
        let with = |it: &Settings, value: i64| {
            let mut it = it.clone();
            it.0.insert(name.clone(), value);
            it
        };
        all = all.iter().flat_map(|it| grid.0.iter().map(|&value| with(it, value))).collect();
    }
    all
}

/// Sizes in words.
pub(super) fn sizes(set: &Settings) -> String {
    let each: Vec<String> = set.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if each.is_empty() { "the only size".to_owned() } else { each.join(", ") }
}

/// A submission and the reference at one point of a test, on data of one seed.
struct Pair {
    right: Case,
    own: Case,
    right_layout: Layout,
    /// Of the reference, filled.
    memory: Memory,
}

/// Where a submission is to be run.
pub(super) struct Point<'a> {
    pub(super) assignment: &'a Assignment,
    pub(super) reference: &'a Arc<Program>,
    pub(super) program: &'a Arc<Program>,
    pub(super) test: &'a Test,
    pub(super) set: &'a Settings,
    pub(super) seed: u64,
    pub(super) work: WorkLimit,
}

fn of_assignment(error: CaseError) -> Trouble {
    Trouble::Assignment(error.to_string())
}

impl Point<'_> {
    /// Both with the same data: those of the reference, whatever the submission says of its inputs.
    fn pair(&self) -> Result<Pair, Trouble> {
        let Self { assignment, reference, program, test, set, seed, work } = *self;
        let (machine, threads) = test.on.machine(&|_, it| it.0[0]).map_err(Trouble::Assignment)?;
        let source =
            |(name, source): (&String, &String)| (name.clone(), beside(assignment, source));
        let sources: Vec<_> = test.input.iter().map(source).collect();
        let inputs = Inputs::read(reference, &sources, seed).map_err(of_assignment)?;
        let base = Case { set: set.clone(), inputs, threads, ..Case::new(reference.clone()) };
        let right = base.clone().on(machine).with_dmms();
        let right_layout = right.layout().map_err(of_assignment)?;
        let memory = right.memory(&right_layout).map_err(of_assignment)?;
        let mut inputs = Inputs::default().with_seed(seed);
        for id in memory::given(reference) {
            let bits =
                memory.values(&right_layout, id, 0).into_iter().map(Option::unwrap_or_default);
            let columns = right_layout.regions[id.0].extents.last().map_or(1, |&it| it as usize);
            let table = Matrix::new(columns, bits.collect());
            let name = &reference.arrays[id.0].name;
            inputs = inputs.with_array(program, name, table).map_err(Trouble::of)?;
        }
        let program = program.clone();
        let own = Case { program, inputs, work, no_files: true, machine, ..base };
        Ok(Pair { right, own, right_layout, memory })
    }

    /// The submission's results, and what it takes.
    pub(super) fn run(&self) -> Result<Found, Trouble> {
        let Pair { right, own, right_layout, memory: mut wanted } = self.pair()?;
        let executed = right.execute(&right_layout, &mut wanted, &mut NoopObserver);
        executed.map_err(of_assignment)?;
        let layout = own.layout().map_err(Trouble::of)?;
        let mut found = own.memory(&layout).map_err(Trouble::of)?;
        let clock = Clock::new(own.machine, Mode::Sync, own.threads);
        let outcome = own.outcome(&layout, &mut found, clock, |it| it).map_err(Trouble::of)?;
        let sides =
            [(&**self.reference, &right_layout, &wanted), (&**self.program, &layout, &found)];
        let wrong = first_wrong(sides, self.assignment.tolerance());
        Ok(Found { wrong, counts: outcome.counts.into_iter().sum() })
    }

    /// A race in words, with a thread for each iteration as `umm check` has it.
    pub(super) fn race(&self) -> Result<Option<String>, Trouble> {
        let findings = self.pair()?.own.observe().map_err(Trouble::of)?;
        let program = &**self.program;
        let access = |it: &RacingAccess| {
            let site = &program.sites[it.site.0];
            let verb = if site.kind == AccessKind::Write { "writes" } else { "reads" };
            let iteration = it.iteration.iter().map(|(name, at)| format!("{name} = {at}"));
            let iteration = iteration.collect::<Vec<_>>().join(", ");
            format!("iteration {iteration} {verb} it in line {}", program.source.line(site.span))
        };
        let classes = [Some(findings.class), findings.shared_class];
        if findings.races.is_empty() && classes.contains(&Some(PramClass::CrcwArbitrary)) {
            let what =
                "iterations write one word at once, different values: which one stays is open";
            return Ok(Some(what.to_owned()));
        }
        Ok(findings.races.first().map(|race| {
            let accesses: Vec<String> = race.accesses.iter().map(access).collect();
            format!("{}: {}", element(program, &findings, race), accesses.join(", and "))
        }))
    }
}

/// A source of an assignment: its files lie beside it.
fn beside(assignment: &Assignment, source: &str) -> OsString {
    let path = assignment.folder().join(source);
    if ends(&path, "csv") || ends(&path, "npy") { path.into_os_string() } else { source.into() }
}

/// The first cell of a result that differs, the right side first.
fn first_wrong(
    [right, own]: [(&Program, &Layout, &Memory); 2],
    tolerance: f64,
) -> Option<WrongCell> {
    let results = right.0.arrays.iter().filter(|it| matches!(it.role, Role::Output | Role::Inout));
    for array in results {
        let numbers = |(program, layout, memory): (&Program, &Layout, &Memory)| {
            let id = program.array_named(&array.name)?;
            let number = |bits| memory::number(array.element, bits);
            let values = memory.values(layout, id, 0).into_iter();
            Some(values.map(|it| it.map(number)).collect::<Vec<_>>())
        };
        let wanted = numbers(right).unwrap_or_default();
        let found = numbers(own).unwrap_or_default();
        for (cell, wanted) in wanted.into_iter().enumerate() {
            let (Some(wanted), found) = (wanted, found.get(cell).copied().flatten()) else {
                continue;
            };
            let near = |it| agree(it, wanted, tolerance * wanted.abs().max(1.0));
            if !found.is_some_and(near) {
                return Some(WrongCell { array: array.name.clone(), cell, found, wanted });
            }
        }
    }
    None
}

/// What of it was asked for.
pub(super) fn quantity(counts: &Counts, what: Quantity) -> (u128, &'static str) {
    match what {
        Quantity::TimeUnits => (counts.time_units.0, "time units"),
        Quantity::Stages => (counts.stages, "pipeline stages"),
        Quantity::Accesses => (counts.accesses, "accesses"),
        Quantity::Dispatches => (counts.dispatches, "dispatches"),
    }
}
