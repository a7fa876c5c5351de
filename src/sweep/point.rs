//! One point of a sweep: a program, its parameters, a machine; and what it takes.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use super::input;
use crate::count::{self, CountError};
use crate::diagnostic::{Diagnostic, Located, Span};
use crate::language::program::Program;
use crate::machine::{Counts, Machine, MachineKind, Mode};
use crate::run::Limits;
use crate::run::layout::{Arrangement, Bulk, Layout, LayoutError};
use crate::run::memory::{self, Memory, MemoryError};
use crate::sample::{Sample, Settings};
use crate::units::Threads;

/// A program with its parameters on a machine.
#[derive(Debug, Clone)]
pub struct Point {
    pub program: Arc<Program>,
    pub set: Settings,
    pub machine: Machine,
    /// Of a bulk run, the number of inputs.
    pub threads: Threads,
    pub mode: Mode,
    pub bulk: Option<Arrangement>,
    /// Of random inputs, where time depends on them.
    pub seed: u64,
    /// A sequential loop that is executed and iterates more often is taken for infinite.
    pub while_iterations: u64,
}

/// Why a point has no time.
#[derive(Debug, Error)]
pub enum SweepError {
    #[error("{0}")]
    Layout(#[from] LayoutError),
    #[error("its time depends on its values, and {0}")]
    TooLarge(#[from] MemoryError),
    /// A bulk run of a parallel program, or a mistake in the listing that shows when it runs.
    #[error(transparent)]
    Program(#[from] Box<Located>),
}

impl Point {
    /// Where the arrays lie.
    ///
    /// # Errors
    /// [`SweepError::Layout`] if a parameter has no value or a size makes no sense,
    /// [`SweepError::Program`] for a bulk run of a parallel program.
    pub fn layout(&self) -> Result<Layout, SweepError> {
        let bulk = self.bulk.map(|arrangement| Bulk { inputs: self.threads.get(), arrangement });
        if let (Some(_), Some(span)) = (bulk, self.program.first_parallel_loop()) {
            let error = Diagnostic::new(span, "a bulk run executes a sequential program")
                .label("this loop is parallel")
                .help("sweep this program with bulk `none`, or drop `in parallel`");
            return Err(self.locate(error).into());
        }
        let value = |name: &str| self.set.0.get(name).copied();
        Ok(Layout::new(&self.program, value, self.machine.width, bulk)?)
    }

    /// The row of this point without its result.
    pub fn row(&self) -> Sample {
        let parameters = self.program.parameters.iter();
        let value = |name: &str, default: Option<i64>| self.set.0.get(name).copied().or(default);
        let set = parameters.filter_map(|it| Some((it.name.clone(), value(&it.name, it.default)?)));
        let kind = match self.machine.kind {
            MachineKind::Umm => "umm",
            MachineKind::Dmm => "dmm",
        };
        let mode = match self.mode {
            Mode::Sync => "sync",
            Mode::Async => "async",
        };
        let bulk = self.bulk.map(|arrangement| match arrangement {
            Arrangement::RowWise => "row",
            Arrangement::ColumnWise => "column",
        });
        Sample {
            algorithm: self.program.name.clone(),
            set: Settings(set.collect()),
            machine: Some(kind.to_owned()),
            width: Some(self.machine.width.get()),
            latency: Some(self.machine.latency.get()),
            threads: Some(self.threads.get()),
            mode: Some(mode.to_owned()),
            bulk: bulk.map(str::to_owned),
            seed: Some(self.seed),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..Sample::default()
        }
    }

    /// What the phases take.
    fn counts(&self) -> Result<Vec<Counts>, SweepError> {
        let layout = self.layout()?;
        let limits = Limits { threads: self.threads, while_iterations: self.while_iterations };
        match count::count(&self.program, &layout, self.machine, self.mode, limits) {
            Ok(counted) => Ok(counted.counts),
            Err(CountError::DependsOnMemory(_)) => self.execute(&layout, limits),
            Err(CountError::Run(located)) => Err(located.into()),
        }
    }

    /// Runs the program with its values, on random inputs: those of `umm run` with this seed.
    fn execute(&self, layout: &Layout, limits: Limits) -> Result<Vec<Counts>, SweepError> {
        let program = &*self.program;
        let mut memory = Memory::new(layout)?;
        for id in memory::given(program) {
            let array = &program.arrays[id.0];
            let distribution = input::distribution(program, array);
            for input in 0..layout.bulk.map_or(1, |bulk| bulk.inputs) {
                let extents = &layout.regions[id.0].extents;
                let numbers = input::numbers(distribution, id.0, extents, input, self.seed);
                memory.fill_numbers(layout, (id, array.element), input, numbers).map_err(|_| {
                    let message = format!("random numbers do not fit `{}`", array.name);
                    self.locate(Diagnostic::new(Span::default(), message))
                })?;
            }
        }
        Ok(count::execute(program, layout, &mut memory, self.machine, self.mode, limits)?)
    }

    fn locate(&self, diagnostic: Diagnostic) -> Box<Located> {
        Box::new(Located { source: self.program.source.clone(), diagnostic })
    }
}

/// The point as a message names it: by the flags of `umm run`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sample { algorithm, set, machine, mode, bulk, .. } = self.row();
        let (w, l, p) = (self.machine.width, self.machine.latency, self.threads);
        write!(f, "{algorithm}")?;
        for (name, value) in &set.0 {
            write!(f, " --set {name}={value}")?;
        }
        let word = |word: Option<String>| word.unwrap_or_default();
        write!(f, " -m {} -w {w} -l {l} -p {p} --mode {}", word(machine), word(mode))?;
        bulk.map_or(Ok(()), |bulk| write!(f, " --bulk {bulk}"))
    }
}

/// What the whole algorithm takes at a point: counted, or executed with random inputs where its
/// time depends on memory.
///
/// # Errors
/// [`SweepError`] if the point makes no sense or the program fails.
pub fn sample(point: &Point) -> Result<Sample, SweepError> {
    Ok(filled(point.row(), point.counts()?.into_iter().sum()))
}

/// As [`sample`], with one more row for each phase of the program.
///
/// # Errors
/// As [`sample`].
pub fn samples(point: &Point) -> Result<Vec<Sample>, SweepError> {
    let (row, counts) = (point.row(), point.counts()?);
    let mut samples = vec![filled(row.clone(), counts.iter().copied().sum())];
    for (phase, counts) in point.program.phases.iter().zip(counts) {
        let row = Sample { phase: Some(phase.clone()), ..row.clone() };
        samples.push(filled(row, counts));
    }
    Ok(samples)
}

fn filled(row: Sample, counts: Counts) -> Sample {
    Sample {
        accesses: Some(counts.accesses),
        dispatches: Some(counts.dispatches),
        stages: Some(counts.stages),
        time_units: Some(counts.time_units.0),
        ..row
    }
}
