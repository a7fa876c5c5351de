//! The points of a sweep by their number, without a list of them.

use std::sync::Arc;

use thiserror::Error;

use super::{Shard, SweepSpec, courses};
use crate::case::{Case, CaseError, Inputs};
use crate::cost::CostMachine;
use crate::diagnostic::Located;
use crate::language::{self, program::Program};
use crate::machine::{Machine, MachineKind};
use crate::run::layout::LayoutError;
use crate::sample::Settings;

/// A sweep has at most this many points.
pub const MOST_POINTS: usize = 10_000_000;

/// Why a grid cannot be swept.
#[derive(Debug, Error)]
pub enum GridError {
    /// A name under `set` that no program has.
    #[error("no algorithm of this sweep has a parameter `{name}`; their parameters are: {known}")]
    Parameter {
        /// The name.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// More than [`MOST_POINTS`].
    #[error("the sweep has more than {MOST_POINTS} points; divide it")]
    TooMany,
    /// Values of d, ls or R for machines without DMMs.
    #[error(
        "only the HMM has DMMs, and none of this sweep's machines is one: add hmm to -m, or leave out \
         -d, --shared-latency and --resident"
    )]
    Dmms,
    /// A parameter of a machine that is none, or that has no such value.
    #[error("{0}")]
    Rule(String),
    /// What only memory machines have, by its flag, for machines that are none.
    #[error(
        "{flag}: the machines of this sweep are no memory machines and have none; leave it out"
    )]
    Memory {
        /// Of what is given.
        flag: &'static str,
    },
    /// A point that cannot be run: which one, and why.
    #[error("{0}")]
    Point(String),
    /// An input of the [`SweepSpec`] that no program has, or cannot take.
    #[error("{0}")]
    Input(String),
    /// An algorithm that is no well-formed listing.
    #[error(transparent)]
    Program(Box<Located>),
}

/// All points of a [`SweepSpec`], in grid order: algorithms outermost, then parameters by name, then
/// machine (of an HMM d, ls, R; of one that is no memory machine its parameters), width, latency, mode,
/// bulk arrangement and, innermost, threads.
#[derive(Debug)]
pub struct Points<'a> {
    spec: &'a SweepSpec,
    kinds: Vec<MachineKind>,
    /// If there are some, the points are of these.
    courses: Vec<CostMachine>,
    groups: Vec<Group<'a>>,
    /// Points of one setting of parameters.
    machines: usize,
    /// Which of them are to be timed; all for none.
    part: Option<Shard>,
}

/// The points of one algorithm.
#[derive(Debug)]
struct Group<'a> {
    program: Arc<Program>,
    set: Vec<(&'a str, &'a [i64])>,
    inputs: Inputs,
    first: usize,
    count: usize,
}

impl<'a> Points<'a> {
    /// The points of `spec` for its algorithms' programs. A parameter that only some of the
    /// programs have is set for those.
    ///
    /// # Errors
    /// A parameter that no program has; more than [`MOST_POINTS`].
    pub fn new(spec: &'a SweepSpec, programs: &[Arc<Program>]) -> Result<Self, GridError> {
        let has =
            |program: &Program, name: &str| program.parameters.iter().any(|it| it.name == name);
        let taken = |name: &str| programs.iter().any(|it| Inputs::takes(it, name).is_some());
        if let Some((name, _)) = spec.inputs.iter().find(|(name, _)| !taken(name)) {
            let message =
                format!("--input {name}: no algorithm of this sweep takes an input `{name}`");
            return Err(GridError::Input(message));
        }
        if let Some(name) = spec.set.keys().find(|&name| !programs.iter().any(|it| has(it, name))) {
            let mut known: Vec<&str> = programs
                .iter()
                .flat_map(|program| program.parameters.iter().map(|it| it.name.as_str()))
                .collect();
            known.sort_unstable();
            known.dedup();
            return Err(GridError::Parameter { name: name.clone(), known: known.join(", ") });
        }
        if spec.describes_dmms_in_vain() {
            return Err(GridError::Dmms);
        }
        let (kinds, courses) = (spec.kinds(), courses::machines(spec, MOST_POINTS));
        let courses = courses.map_err(GridError::Rule)?.ok_or(GridError::TooMany)?;
        if let (false, Some(flag)) = (courses.is_empty(), spec.of_memory_in_vain()) {
            return Err(GridError::Memory { flag });
        }
        let product = |factors: &[usize]| {
            let product = factors.iter().try_fold(1_usize, |it, &factor| it.checked_mul(factor));
            product.filter(|&it| it <= MOST_POINTS).ok_or(GridError::TooMany)
        };
        let machines = product(&[
            if courses.is_empty() { kinds.len() } else { courses.len() },
            spec.widths.len(),
            spec.latencies.len(),
            spec.modes.len(),
            spec.bulk.len(),
            spec.threads.len(),
        ])?;
        let (mut groups, mut first) = (vec![], 0);
        for program in programs {
            let set: Vec<(&str, &[i64])> = (spec.set.iter())
                .filter(|(name, _)| has(program, name))
                .map(|(name, grid)| (name.as_str(), grid.0.as_slice()))
                .collect();
            let mut factors: Vec<usize> = set.iter().map(|(_, values)| values.len()).collect();
            factors.push(machines);
            let count = product(&factors)?;
            let inputs = Inputs::read_own(program, &spec.inputs, spec.seed)
                .map_err(|error| GridError::Input(error.to_string()))?;
            groups.push(Group { program: program.clone(), set, inputs, first, count });
            first += count;
            if first > MOST_POINTS {
                return Err(GridError::TooMany);
            }
        }
        Ok(Self { spec, kinds, courses, groups, machines, part: None })
    }

    /// The same points, of which a part is to be timed.
    #[must_use]
    pub fn in_part(self, part: Option<Shard>) -> Self {
        Self { part, ..self }
    }

    /// The part that is to be timed, if it is not the whole.
    pub const fn part(&self) -> Option<Shard> {
        self.part
    }

    /// The numbers of the points that are to be timed, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + use<> {
        self.part.unwrap_or(Shard::WHOLE).numbers(self.len())
    }

    /// How many points there are: the product of the lists' lengths, over all algorithms.
    pub fn len(&self) -> usize {
        self.groups.last().map_or(0, |group| group.first + group.count)
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The point of a number below [`Points::len`].
    ///
    /// # Panics
    /// If there is no such point.
    pub fn get(&self, index: usize) -> Case {
        let group = &self.groups[self.groups.partition_point(|it| it.first <= index) - 1];
        let mut rest = (index - group.first) % self.machines;
        let mut setting = (index - group.first) / self.machines;
        let mut digit = |radix: usize| {
            let digit = rest % radix;
            rest /= radix;
            digit
        };
        let spec = self.spec;
        let threads = spec.threads[digit(spec.threads.len())];
        let bulk = spec.bulk[digit(spec.bulk.len())];
        let mode = spec.modes[digit(spec.modes.len())];
        let latency = spec.latencies[digit(spec.latencies.len())];
        let width = spec.widths[digit(spec.widths.len())];
        let (kind, course) = match &self.courses[..] {
            [] => (self.kinds[digit(self.kinds.len())], None),
            courses => (Machine::default().kind, Some(&courses[digit(courses.len())])),
        };
        let mut set = Settings::default();
        for (name, values) in group.set.iter().rev() {
            set.0.insert((*name).to_owned(), values[setting % values.len()]);
            setting /= values.len();
        }
        // [`Self::check`] has found what cannot be unfolded.
        let sizes = |name: &str| set.0.get(name).copied();
        let program = language::for_sizes(&group.program, sizes);
        let program = program.unwrap_or_else(|_| group.program.clone());
        let case = Case {
            set,
            inputs: group.inputs.clone(),
            machine: Machine { kind, width, latency },
            threads,
            mode,
            bulk,
            while_iterations: spec.while_iterations,
            work: spec.work,
            ..Case::new(program)
        };
        match course {
            Some(machine) => {
                case.for_cost(machine).expect("a sweep of such machines has no bulk run")
            }
            None => case,
        }
    }

    /// A number that follows from what the inputs hold.
    pub(super) fn fingerprint(&self) -> u64 {
        self.groups.iter().fold(0, |all, it| all.rotate_left(1) ^ it.inputs.fingerprint())
    }

    /// Rows that the point of this number makes.
    pub fn rows(&self, index: usize) -> usize {
        let group = &self.groups[self.groups.partition_point(|it| it.first <= index) - 1];
        if self.spec.phases { 1 + group.program.phases.len() } else { 1 }
    }

    /// Finds a point that makes no sense before any is timed.
    ///
    /// # Errors
    /// The first such point: a parameter without a value, a size below 1 or too large, a bulk run
    /// of a parallel program.
    pub fn check(&self) -> Result<(), GridError> {
        for index in 0..self.len() {
            let case = self.get(index);
            match case.layout() {
                Ok(_) => {}
                Err(CaseError::Program(located)) => return Err(GridError::Program(located)),
                Err(error) => {
                    let remedy = match &error {
                        CaseError::Layout(LayoutError::MissingParameter(name)) => {
                            format!("give it: --set {name}=16,32")
                        }
                        _ => "change --set".to_owned(),
                    };
                    return Err(GridError::Point(format!("{case}: {error}; {remedy}")));
                }
            }
        }
        Ok(())
    }
}
