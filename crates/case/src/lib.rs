//! A program made ready to run, and every question that may be asked of a run.
//!
//! A [`Case`] is a program with its sizes, inputs, arrangement, machine, mode, threads and limits. The
//! command line, sweeps, bounds, predictions and GPUs all ask it: what lies where, what memory holds
//! at first, what the run takes, whether its result is right.

mod cache;
pub mod check;
pub mod claim;
mod correctness;
pub mod cost;
pub mod dependences;
mod error;
mod expectation;
mod improvement;
mod input_source;
mod inputs;
pub mod io;
mod load;
mod loop_footprint;
pub mod model_comparison;
pub mod outcome;
mod permutation_schedule;
mod prepared;
mod race_probe;
mod random_source;
mod reference;
pub mod replay;
mod requirements;
pub mod sample;
pub mod scaling;
mod table;
mod timing;
pub mod triangulation;

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

pub use self::cache::CaseCache;
pub use self::correctness::Verdict;
pub use self::error::CaseError;
pub use self::expectation::ExpectedFile;
pub use self::improvement::{Improvement, LowerBound};
pub use self::inputs::Inputs;
pub use self::load::{
    LoadError, Printed, is_built_in, load, load_as, load_for, parameters, suggestion,
};
pub use self::prepared::Prepared;
pub use self::race_probe::race;
pub use self::timing::RunTime;
use crate::sample::{Sample, Settings};
use memory_machine_algorithms::catalogue;
use memory_machine_core::cost::CostMachine;
use memory_machine_core::diagnostic::{Diagnostic, Located, Source};
use memory_machine_core::keyword::Keyword;
use memory_machine_core::language;
use memory_machine_core::language::program::Program;
use memory_machine_core::machine::{Dmms, Machine, MachineKind, Mode};
use memory_machine_core::run::layout::{Arrangement, Bulk, Layout};
use memory_machine_core::run::memory::Memory;
use memory_machine_core::run::{self, Limits, Observer, Tracer, WHILE_ITERATIONS, WorkLimit};
use memory_machine_core::trace::Sink;
use memory_machine_core::units::{Latency, NotPositive, Threads, Width};
use memory_machine_geometry::polygon::Polygon;

/// A program as it is to be run.
#[derive(Debug, Clone)]
pub struct Case {
    /// What is run.
    pub program: Arc<Program>,
    /// Parameters' values. Those that are missing have their default, or the extent of a given input.
    pub set: Settings,
    /// Given arrays: read from sources, or random by a seed.
    pub inputs: Inputs,
    /// What arrays must hold after the run.
    pub expected: Vec<ExpectedFile>,
    /// How far a number may be from an expected one, or from one of the listing's own reference:
    /// absolutely where that is less than 1, else relatively.
    pub tolerance: f64,
    /// Its width is what arrays are aligned to, too.
    pub machine: Machine,
    /// The machine that is no memory machine, if the case is of [`Self::for_cost`].
    pub course: Option<CostMachine>,
    /// Whether steps wait for each other.
    pub mode: Mode,
    /// Of a bulk run, the number of inputs.
    pub threads: Threads,
    /// Of a bulk run.
    pub bulk: Option<Arrangement>,
    /// Whether elements have the bytes of their types, and not a word each, for the machine. It is of
    /// runs with values alone.
    pub in_bytes: bool,
    /// A sequential loop that is executed and iterates more often counts as endless.
    pub while_iterations: u64,
    /// What an execution may take.
    pub work: WorkLimit,
    /// Whether the listing may name no file, as one of a stranger.
    pub no_files: bool,
}

impl Case {
    /// A program on the machine that is meant where nobody says another, with 1024 threads and random
    /// inputs of seed 1.
    pub fn new(program: impl Into<Arc<Program>>) -> Self {
        Self {
            program: program.into(),
            set: Settings::default(),
            inputs: Inputs::default(),
            expected: vec![],
            tolerance: 0.0,
            machine: Machine::default(),
            course: None,
            mode: Mode::Sync,
            threads: Threads::at_least_one(1024),
            bulk: None,
            in_bytes: false,
            while_iterations: WHILE_ITERATIONS,
            work: WorkLimit::NONE,
            no_files: false,
        }
    }

    /// The same for the text of a listing; `name` is what messages call it.
    ///
    /// # Errors
    /// Where the text is no listing.
    pub fn parse(name: &str, text: &str) -> Result<Self, Box<Located>> {
        language::load(Source { name: name.to_owned(), text: text.to_owned() }).map(Self::new)
    }

    /// The same for a shipped listing, or a file.
    ///
    /// # Errors
    /// As [`load`].
    pub fn load(algorithm: impl AsRef<OsStr>) -> Result<Self, LoadError> {
        load(algorithm).map(Self::new)
    }

    /// With a parameter's value.
    #[must_use]
    pub fn set(mut self, parameter: &str, value: i64) -> Self {
        if self.program.has_real(parameter) {
            return self.set_real(parameter, value as f64);
        }
        self.set.0.insert(parameter.to_owned(), value);
        // Where it cannot be unfolded for this value, its layout says so.
        if let Ok(program) = language::for_sizes(&self.program, |it| self.set.0.get(it).copied()) {
            self.program = program;
        }
        self
    }

    /// With the value of a parameter that is a real number.
    #[must_use]
    pub fn set_real(mut self, parameter: &str, value: f64) -> Self {
        if let Ok(program) = language::with_real(&self.program, parameter, value) {
            self.program = Arc::new(program);
        }
        self
    }

    /// On a machine.
    #[must_use]
    pub fn on(self, machine: Machine) -> Self {
        Self { machine, ..self }
    }

    /// On a machine with as many DMMs as may be, if the program needs some.
    #[must_use]
    pub fn with_dmms(self) -> Self {
        match self.program.first_loop_on_dmms() {
            Some(_) => {
                let dmms = Dmms { number: 1 << 40, ..Dmms::ONE };
                let machine = Machine { kind: MachineKind::hierarchical(dmms), ..self.machine };
                self.on(machine)
            }
            None => self,
        }
    }

    /// With this many threads; of a bulk run, inputs.
    ///
    /// # Errors
    /// [`NotPositive`] for 0.
    pub fn threads(self, threads: u64) -> Result<Self, NotPositive> {
        Ok(Self { threads: Threads::new(threads)?, ..self })
    }

    /// As a bulk run: each thread runs the sequential program on an input of its own.
    #[must_use]
    pub fn bulk(self, arrangement: Arrangement) -> Self {
        Self { bulk: Some(arrangement), ..self }
    }

    /// On a machine without latency or conflicts to speak of, one thread an iteration: the PRAM has as
    /// many processors as it needs. Loops on DMMs keep the threads of their blocks, and words of warps the
    /// warps' width.
    #[must_use]
    pub fn of_pram(self) -> Self {
        let kind = MachineKind::hierarchical(Dmms::ONE);
        let has_warps = self.program.first_warp_word().is_some();
        let width = if has_warps { self.machine.width } else { Width::ONE };
        let machine = Machine { kind, width, latency: Latency::ONE };
        let threads = Threads::at_least_one(u64::MAX);
        Self { machine, threads, bulk: None, ..self }
    }

    /// The shipped listing that this is, wherever it was read.
    pub fn shipped(&self) -> Option<&'static catalogue::Entry> {
        catalogue::of(&self.program)
    }

    /// What bounds a run of it: threads, iterations of a loop, and work.
    pub const fn limits(&self) -> Limits {
        Limits { work: self.work, ..Limits::new(self.threads, self.while_iterations) }
    }

    /// The polygon whose chords an array holds, if one was given.
    pub fn polygon(&self) -> Option<&Polygon> {
        self.inputs.polygon()
    }

    /// Parameters with their values, as in `n = 16`.
    pub fn sizes(&self, layout: &Layout) -> String {
        let parameters = self.program.parameters.iter().zip(&layout.parameters);
        let sizes = parameters.map(|(it, value)| format!("{} = {value}", it.name));
        let reals = self.reals().map(|(name, value)| format!("{name} = {value}"));
        sizes.chain(reals).collect::<Vec<_>>().join("  ")
    }

    /// Parameters that are real numbers, with the values that they have.
    fn reals(&self) -> impl Iterator<Item = (&str, f64)> {
        self.program.listing.reals.iter().filter_map(|it| Some((&*it.name.text, it.value?)))
    }

    /// Whether an array is filled at random.
    pub fn is_random(&self) -> bool {
        self.inputs.is_random(&self.program)
    }

    /// Where the arrays lie, and what the parameters' values are.
    ///
    /// # Errors
    /// A parameter that the program does not have or that has no value, a size that makes no sense, a
    /// bulk run of a parallel program, sizes of which what the listing requires does not hold.
    pub fn layout(&self) -> Result<Layout, CaseError> {
        let program = &*self.program;
        let bulk = self.bulk.map(|arrangement| Bulk { inputs: self.threads.get(), arrangement });
        if let (Some(_), Some(span)) = (bulk, program.first_parallel_loop()) {
            let diagnostic = Diagnostic::new(span, "a bulk run executes a sequential program")
                .label("this loop is parallel")
                .help("leave out --bulk, or drop `in parallel`");
            let located = Located { source: program.source.clone(), diagnostic };
            return Err(Box::new(located).into());
        }
        if let (Some([why, remedy]), Some(span)) =
            (self.machine.kind.without_dmms(), program.first_loop_on_dmms())
        {
            let diagnostic = match &self.course {
                None => Diagnostic::new(span, "only the HMM runs a loop on DMMs")
                    .label(why)
                    .help(remedy),
                Some(course) => {
                    let message = format!("-m {} runs no loop on DMMs", course.kind());
                    Diagnostic::new(span, message).label("here it is").help(
                        "-m hmm, agpu, tmm and work-span do; or write parallel loops without DMMs",
                    )
                }
            };
            let located = Located { source: program.source.clone(), diagnostic };
            return Err(Box::new(located).into());
        }
        if let Some(CostMachine::WorkSpan { .. }) = &self.course {
            program.without_warp_words("work and span")?;
        }
        self.given_sizes()?;
        let values = self.values();
        let value = |name: &str| values.0.get(name).copied();
        let layout = Layout::new(program, value, self.machine.width, bulk)?;
        self.meet_requirements(&layout, None)?;
        Ok(layout)
    }

    /// By parameter, the value that is set.
    ///
    /// # Errors
    /// A value for none of the program's parameters.
    pub fn given_sizes(&self) -> Result<Vec<Option<i64>>, CaseError> {
        let program = &*self.program;
        let is_known = |name: &str| {
            program.has_real(name) || program.parameters.iter().any(|it| it.name == name)
        };
        if let Some((name, value)) = self.set.0.iter().find(|it| !is_known(it.0)) {
            return Err(CaseError::Given(format!(
                "--set {name}={value}: `{}` has no parameter `{name}`; {}",
                program.name,
                parameters(program)
            )));
        }
        Ok(program.parameters.iter().map(|it| self.set.0.get(&it.name).copied()).collect())
    }

    /// Parameters' values that are set, or that the inputs' shapes imply.
    fn values(&self) -> Settings {
        let inputs = self.bulk.map(|_| self.threads.get());
        let mut values = self.inputs.implied(&self.program, inputs);
        values.0.extend(self.set.0.clone());
        values
    }

    /// The value of every parameter.
    pub fn settings(&self, layout: &Layout) -> Settings {
        let names = self.program.parameters.iter().map(|it| it.name.clone());
        Settings(names.zip(layout.parameters.iter().copied()).collect())
    }

    /// Input arrays whose given source is of another shape than they are: [`Self::memory`] refuses them.
    pub fn misfits<'a>(&'a self, layout: &'a Layout) -> Vec<&'a str> {
        self.inputs.misfits(&self.program, layout).map(|it| &*it.name).collect()
    }

    /// Memory as it is before the run: every given array of every input is filled.
    ///
    /// # Errors
    /// Arrays too large for a run with values; an input of another shape or type than its array,
    /// or of which what the listing requires does not hold.
    pub fn memory(&self, layout: &Layout) -> Result<Memory, CaseError> {
        let memory = self.inputs.memory(&self.program, layout)?;
        self.meet_requirements(layout, Some(&memory))?;
        Ok(memory)
    }

    /// Runs the program on `memory`; gives the bits of the answer that the listing names.
    ///
    /// # Errors
    /// As [`run::execute`].
    pub fn execute(
        &self,
        layout: &Layout,
        memory: &mut Memory,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Option<u64>, CaseError> {
        Ok(run::execute(&self.program, layout, memory, self.limits(), observer)?)
    }

    /// Runs the program and has its trace go into `sink`: a file, or the clock of a machine of your own.
    ///
    /// # Errors
    /// As [`Self::memory`] and [`Self::execute`].
    pub fn trace<S: Sink>(&self, sink: S) -> Result<S, CaseError> {
        let layout = self.layout()?;
        let mut memory = self.memory(&layout)?;
        let mut tracer = Tracer::new(&self.program, sink);
        self.execute(&layout, &mut memory, &mut tracer as &mut dyn Observer)?;
        Ok(tracer.sink)
    }

    /// Whether memory, after the run, holds what is known of the result for these inputs: by the
    /// reference of a shipped listing, by what is [expected](Self::expected), and by what the listing
    /// ensures.
    ///
    /// # Errors
    /// The listing's own reference cannot be read, or fails on these inputs.
    pub fn verify(&self, layout: &Layout, memory: &Memory) -> Result<Verdict, CaseError> {
        correctness::verify(self, self.reference()?.as_ref(), layout, memory)
    }
}

/// The case as a message names it: by the flags of `umm run`.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sample { algorithm, set, .. } = self.row();
        let Machine { kind, width: w, latency: l } = self.machine;
        write!(f, "{algorithm}")?;
        for (name, value) in &set.0 {
            write!(f, " --set {name}={value}")?;
        }
        for (name, value) in self.reals() {
            write!(f, " --set {name}={value}")?;
        }
        if let Some(course) = &self.course {
            write!(f, " -m {}", course.kind())?;
            for (name, value) in course.parameters() {
                write!(f, " {}{name} {value}", if name.len() == 1 { "-" } else { "--" })?;
            }
            return write!(f, " -p {}", self.threads);
        }
        let (word, mode) = (kind.word(), self.mode.word());
        write!(f, " -m {word} -w {w} -l {l}")?;
        if let Some(Dmms { number, latency, resident }) = kind.dmms() {
            write!(f, " -d {number} --shared-latency {latency} --resident {resident}")?;
        }
        write!(f, " -p {} --mode {mode}", self.threads)?;
        self.bulk.map_or(Ok(()), |it| write!(f, " --bulk {it}"))
    }
}
