//! Runs of a submitted listing beside the reference, on the same data, and of the reference alone before
//! anybody is marked: what is wrong with an assignment is no student's fault.

use std::ffi::OsString;
use std::sync::Arc;

use super::answers;
use super::assignment::{Assignment, AssignmentError, Fault};
use super::keys::{Property, Quality, Test};
use super::sizes::{points, words};
use crate::algorithms::matrix::Matrix;
use crate::case::{Case, CaseError, Inputs};
use crate::host::files::ends;
use crate::language::program::Program;
use crate::language::syntax::Role;
use crate::machine::{Clock, Counts, Mode};
use crate::number::Number;
use crate::run::layout::Layout;
use crate::run::memory::{self, Memory};
use crate::run::{NoopObserver, WorkLimit};
use crate::sample::Settings;

/// What a run of a submission found.
pub(super) struct Found {
    /// The first cell that differs: its number, and its array.
    pub(super) wrong: Option<WrongCell>,
    pub(super) counts: Counts,
}

pub(super) struct WrongCell {
    pub(super) array: String,
    pub(super) cell: usize,
    pub(super) found: Option<Number>,
    pub(super) wanted: Number,
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

/// A submission and the reference at one point of a test, on data of one seed.
pub(super) struct Pair {
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

impl Assignment {
    /// The sizes of a test that a student's listing is run at.
    pub(super) fn points_of(&self, test: &Test, student: &str) -> Vec<Settings> {
        let name = test.name.get_ref();
        points(&test.set, test.draw, self.seed(student, &format!("sizes of {name}")))
    }

    /// Further sizes at which a property is looked for, on the data of the first hidden test.
    pub(super) fn further_points(&self, of: &Property, student: &str) -> Vec<(&Test, Settings)> {
        let hidden = self.tests().iter().find(|it| !it.visible);
        let Some(test) = hidden.filter(|_| !of.set.is_empty()) else { return vec![] };
        let all = points(&of.set, of.draw, self.seed(student, "sizes of a property"));
        all.into_iter().map(|it| (test, it)).collect()
    }
}

impl<'a> Point<'a> {
    /// The reference on a student's own data.
    pub(super) fn of(
        assignment: &'a Assignment,
        reference: &'a Arc<Program>,
        student: &str,
        (test, set, seed): (&'a Test, &'a Settings, u64),
    ) -> Self {
        let purpose = format!("{}\n{set:?}\n{seed}", test.name.get_ref());
        let seed = assignment.seed(student, &purpose);
        let (program, work) = (reference, WorkLimit::NONE);
        Self { assignment, reference, program, test, set, seed, work }
    }

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
        // Whatever defaults the submission has.
        let mut set = right.settings(&right_layout);
        set.0.retain(|name, _| program.parameters.iter().any(|it| it.name == *name));
        let own = Case { program, set, inputs, work, no_files: true, machine, ..base };
        Ok(Pair { right, own, right_layout, memory })
    }

    /// Both, with the results of the reference.
    pub(super) fn expected(&self) -> Result<Pair, Trouble> {
        let mut pair = self.pair()?;
        let executed = pair.right.execute(&pair.right_layout, &mut pair.memory, &mut NoopObserver);
        executed.map_err(of_assignment)?;
        Ok(pair)
    }

    /// The submission's results, and what it takes.
    pub(super) fn run(&self) -> Result<Found, Trouble> {
        let Pair { own, right_layout, memory: wanted, .. } = self.expected()?;
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
        Ok(findings.race(self.program))
    }
}

impl Assignment {
    /// Runs the reference wherever a student's listing would be run, and answers the student's questions.
    ///
    /// # Errors
    /// [`AssignmentError::Text`]: why a test, a property or a question cannot be marked.
    pub fn rehearse(&self, student: &str) -> Result<(), AssignmentError> {
        let rehearsed = self.rehearse_tests(student).and_then(|()| {
            self.questions().iter().try_for_each(|question| {
                let answered = answers::right(self, question, student).map(drop);
                answered.map_err(|why| (question.name.span(), format!("the question: {why}")))
            })?;
            self.exercises().iter().try_for_each(|exercise| {
                let posed = self.posed(exercise, student).map(drop);
                posed.map_err(|why| (exercise.item.span(), format!("the exercise: {why}")))
            })
        });
        rehearsed.map_err(|fault| self.error(fault))
    }

    fn rehearse_tests(&self, student: &str) -> Result<(), Fault> {
        let Some(reference) = self.reference() else { return Ok(()) };
        for test in self.tests() {
            for set in self.points_of(test, student) {
                for seed in 0..test.seeds.0 {
                    let point = Point::of(self, reference, student, (test, &set, seed));
                    point.expected().map_err(|trouble| {
                        (test.name.span(), at_fault("test", trouble, &words(&set)))
                    })?;
                }
            }
        }
        for property in self.properties().iter().filter(|it| *it.is.get_ref() == Quality::RaceFree)
        {
            for (test, set) in self.further_points(property, student) {
                let point = Point::of(self, reference, student, (test, &set, 0));
                point.expected().map_err(|trouble| {
                    (property.is.span(), at_fault("property", trouble, &words(&set)))
                })?;
            }
        }
        Ok(())
    }
}

fn at_fault(what: &str, trouble: Trouble, at: &str) -> String {
    let (Trouble::Assignment(why) | Trouble::Submission { why, .. }) = trouble;
    format!("the {what} cannot be run at {at}: {why}")
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
            let number = |bits| memory::exact(array.element, bits);
            let values = memory.values(layout, id, 0).into_iter();
            Some(values.map(|it| it.map(number)).collect::<Vec<_>>())
        };
        let wanted = numbers(right).unwrap_or_default();
        let found = numbers(own).unwrap_or_default();
        for (cell, wanted) in wanted.into_iter().enumerate() {
            let (Some(wanted), found) = (wanted, found.get(cell).copied().flatten()) else {
                continue;
            };
            if !found.is_some_and(|it| it.agrees(wanted, tolerance)) {
                return Some(WrongCell { array: array.name.clone(), cell, found, wanted });
            }
        }
    }
    None
}
