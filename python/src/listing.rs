//! A listing, and every question to it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use memory_machine::algorithms::catalogue;
use memory_machine::algorithms::matrix::Matrix;
use memory_machine::case::{Case, CaseError, Inputs, LoadError, check, load, outcome};
use memory_machine::chart::Theme;
use memory_machine::chart::pipeline::{self, Picture};
use memory_machine::codegen::{self, Options};
use memory_machine::count::CountError;
use memory_machine::diagnostic::{Located, Source};
use memory_machine::host::files::{DESCRIPTION, read};
use memory_machine::keyword::Keyword;
use memory_machine::language::oblivious::obliviousness;
use memory_machine::language::program::{Array, Program};
use memory_machine::language::syntax::Role;
use memory_machine::language::{self, sites};
use memory_machine::machine::{Clock, Dmms, MOST_STAGES, Machine, MachineKind};
use memory_machine::models::{self, Model};
use memory_machine::predict::{self, Extension, Manner, ReuseCache, Work};
use memory_machine::run::WHILE_ITERATIONS;
use memory_machine::run::layout::{Layout, LayoutError};
use memory_machine::run::memory::Memory;
use memory_machine::sample::Settings;
use memory_machine::steps::StepRecorder;
use memory_machine::trace::{Step, Tap, Writer};
use memory_machine::units::{Latency, Threads, TimeUnits, Width};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::array;
use crate::error;
use crate::interrupt::{Stop, interruptible};

/// A well-formed listing.
#[pyclass(frozen, module = "memory_machine._native")]
pub struct Listing {
    pub program: Arc<Program>,
}

/// What is asked of a listing: its sizes, inputs and machine. Python's side has the defaults.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Setting {
    set: BTreeMap<String, i64>,
    /// Arrays by name: sources as the command line has them, or numbers.
    inputs: BTreeMap<String, Given>,
    machine: Option<String>,
    w: Option<u64>,
    l: Option<u64>,
    d: Option<u64>,
    shared_latency: Option<u64>,
    resident: Option<u64>,
    model: Option<String>,
    mode: String,
    p: u64,
    bulk: Option<String>,
    seed: u64,
    while_limit: Option<u64>,
}

#[derive(FromPyObject)]
enum Given {
    Source(String),
    Array(Py<PyAny>),
}

/// Names, papers and meanings of the shipped listings.
#[pyfunction]
pub fn shipped() -> Vec<(&'static str, &'static str, &'static str)> {
    let all = catalogue::CATALOGUE.iter().chain(catalogue::ON_DMMS);
    all.map(|it| (it.name, it.source(), it.about)).collect()
}

#[pymethods]
impl Listing {
    #[new]
    fn new(text: String, name: String) -> PyResult<Self> {
        let program = language::load(Source { name, text }).map_err(error)?;
        Ok(Self { program: Arc::new(program) })
    }

    /// A shipped listing, or a file.
    #[staticmethod]
    fn load(algorithm: OsString) -> PyResult<Self> {
        let program = load(algorithm).map_err(|it: LoadError| error(it))?;
        Ok(Self { program: Arc::new(program) })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.program.name
    }

    #[getter]
    fn text(&self) -> &str {
        &self.program.source.text
    }

    /// Parameters with their defaults.
    #[getter]
    fn parameters(&self) -> Vec<(&str, Option<i64>)> {
        self.program.parameters.iter().map(|it| (it.name.as_str(), it.default)).collect()
    }

    /// Names, dtypes, numbers of dimensions, and roles of the arrays in global memory.
    #[getter]
    fn arrays<'a>(&'a self) -> Vec<(&'a str, &'static str, usize, &'static str)> {
        let array = |it: &'a Array| {
            let role = match it.role {
                Role::Input => "input",
                Role::Output => "output",
                Role::Inout => "inout",
                Role::Work => "work",
                Role::Shared | Role::Register => return None,
            };
            Some((it.name.as_str(), array::dtype(it.element), it.extents.len(), role))
        };
        self.program.arrays.iter().filter_map(array).collect()
    }

    fn run(&self, py: Python<'_>, setting: Setting, time_only: bool) -> PyResult<Run> {
        let case = self.case(py, setting)?;
        interruptible(py, move |stop| if time_only { count(case) } else { execute(case, stop) })
    }

    /// As JSON; with sizes, what a run with one thread an iteration shows.
    fn check(&self, py: Python<'_>, setting: Option<Setting>) -> PyResult<String> {
        let case = setting.map(|it| self.case(py, it)).transpose()?;
        interruptible(py, |_| {
            let program = &*self.program;
            let work = sites::work(program);
            let observed = case.map(|it| it.observe()).transpose().map_err(case_error)?;
            json(&check::report(program, &obliviousness(program), &work, observed.as_ref()))
        })
    }

    /// A line for each step, and for each barrier.
    fn trace(&self, py: Python<'_>, setting: Setting) -> PyResult<String> {
        let case = self.case(py, setting)?;
        let machine = Machine { kind: MachineKind::hierarchical(Dmms::ONE), ..case.machine };
        interruptible(py, move |_| {
            let mut text = vec![];
            let writer = Writer::new(&mut text, case.threads);
            case.on(machine).trace(writer).map_err(case_error)?.finish().map_err(error)?;
            String::from_utf8(text).map_err(error)
        })
    }

    /// The pipeline as text and as SVG.
    fn explain(&self, py: Python<'_>, setting: Setting) -> PyResult<(String, String)> {
        let case = self.case(py, setting)?;
        interruptible(py, move |_| explained(&case))
    }

    fn cuda(
        &self,
        set: BTreeMap<String, i64>,
        bulk: Option<String>,
        launch: Option<String>,
        prefetch: u32,
        standalone: bool,
    ) -> PyResult<String> {
        let program = &self.unfolded(&set)?;
        let launch = launch.as_deref().map(word).transpose()?;
        let options = Options {
            bulk: bulk.as_deref().map(word).transpose()?,
            launch: launch.unwrap_or(codegen::launches(program)[0]),
            prefetch,
            standalone,
        };
        let case = Case { set: Settings(set), ..Case::new(program.clone()) };
        let sizes = case.given_sizes().map_err(case_error)?;
        let mut emission =
            codegen::emit(program, options, &sizes).map_err(|it: Box<Located>| error(it))?;
        if let Some(race) = memory_machine::case::race(program) {
            emission.remark(&race);
        }
        Ok(emission.source)
    }

    /// Seconds by part, as JSON.
    fn predict(
        &self,
        py: Python<'_>,
        setting: Setting,
        launch: Option<String>,
        prefetch: u64,
        without: Vec<String>,
    ) -> PyResult<String> {
        let model = setting.model.as_deref().map_or_else(|| model("h200"), model)?;
        let case = self.case(py, setting)?;
        let launch = launch.as_deref().map(word).transpose()?;
        let without: Vec<Extension> =
            without.iter().map(|it| it.parse().map_err(error)).collect::<PyResult<_>>()?;
        interruptible(py, move |_| {
            let machine = model.calibration.as_ref().ok_or_else(|| {
                error(format_args!(
                    "{} is not calibrated; name h200, or a calibrated file",
                    model.name
                ))
            })?;
            let manner = Manner { launch, prefetch };
            let work = Work::of(&case, manner, machine, &mut ReuseCache::default());
            let work = work.map_err(case_error)?;
            let prediction = predict::predict(&work, machine, &without);
            json(&serde_json::json!({
                "algorithm": case.program.name,
                "model": model.name,
                "without": without,
                "prediction": prediction,
                "plain_s": predict::plain(&work, machine),
                "compiled": work.is_compiled(),
                "launches": work.launches(),
            }))
        })
    }
}

impl Listing {
    /// The program for these sizes: one whose procedures call themselves is another for each.
    fn unfolded(&self, set: &BTreeMap<String, i64>) -> PyResult<Arc<Program>> {
        let size = |name: &str| set.get(name).copied();
        language::for_sizes(&self.program, size).map_err(|it: Box<Located>| error(it))
    }

    fn case(&self, py: Python<'_>, setting: Setting) -> PyResult<Case> {
        let program = self.unfolded(&setting.set)?;
        let program = &*program;
        let sources: Vec<(String, OsString)> = (setting.inputs.iter())
            .filter_map(|(name, given)| match given {
                Given::Source(source) => Some((name.clone(), source.into())),
                Given::Array(_) => None,
            })
            .collect();
        let mut inputs = Inputs::read(program, &sources, setting.seed).map_err(case_error)?;
        for (name, given) in &setting.inputs {
            if let Given::Array(numbers) = given {
                let element = Inputs::takes(program, name).map(|id| program.arrays[id.0].element);
                let numbers = match element {
                    Some(element) => array::read(element, numbers.bind(py))?,
                    None => Matrix::new(0, vec![]),
                };
                inputs = inputs.with_array(program, name, numbers).map_err(case_error)?;
            }
        }
        Ok(Case {
            set: Settings(setting.set.clone()),
            inputs,
            machine: setting.machine()?,
            mode: word(&setting.mode)?,
            threads: Threads::new(setting.p).map_err(error)?,
            bulk: setting.bulk.as_deref().map(word).transpose()?,
            while_iterations: setting.while_limit.unwrap_or(WHILE_ITERATIONS),
            ..Case::new(self.unfolded(&setting.set)?)
        })
    }
}

impl Setting {
    /// A described machine, and over it what is given.
    fn machine(&self) -> PyResult<Machine> {
        let known = self.model.as_deref().map(model).transpose()?;
        let mut machine = known.map(|it| it.machine()).unwrap_or_default();
        if let Some(kind) = &self.machine {
            machine.kind = word(kind)?;
        }
        if let Some(width) = self.w {
            machine.width = Width::new(width).map_err(error)?;
        }
        if let Some(latency) = self.l {
            machine.latency = Latency::new(latency).map_err(error)?;
        }
        let latency = self.shared_latency.map(Latency::new).transpose().map_err(error)?;
        if let Some(dmms) = machine.kind.dmms_mut() {
            *dmms = Dmms {
                number: self.d.unwrap_or(dmms.number),
                latency: latency.unwrap_or(dmms.latency),
                resident: self.resident.unwrap_or(dmms.resident),
            };
            if dmms.number == 0 || dmms.resident == 0 {
                return Err(error("d and resident must be at least 1"));
            }
        } else if self.d.is_some() || latency.is_some() || self.resident.is_some() {
            return Err(error(
                "d, shared_latency and resident are the HMM's alone; say machine=\"hmm\"",
            ));
        }
        Ok(machine)
    }
}

/// A shipped model, or a file.
fn model(name: &str) -> PyResult<Model> {
    if let Some(model) = models::find(name) {
        return Ok(model);
    }
    if !name.ends_with(".toml") {
        let names: Vec<&str> = models::SHIPPED.iter().map(|it| it.0).collect();
        let names = names.join(", ");
        return Err(error(format_args!(
            "no model is called {name:?}; the shipped ones are {names}, others are files FILE.toml"
        )));
    }
    let text = read(Path::new(name), DESCRIPTION).map_err(error)?;
    Model::parse(Source { name: name.to_owned(), text }).map_err(error)
}

pub fn word<T: Keyword>(text: &str) -> PyResult<T> {
    // Words have hyphens on the command line, and may have them here.
    T::from_keyword(&text.replace('-', "_")).map_err(error)
}

/// With remedies as Python has them.
pub fn case_error(it: CaseError) -> PyErr {
    match it {
        CaseError::Layout(LayoutError::MissingParameter(name)) => {
            error(format_args!("the parameter `{name}` has no value; give it: {name}=16"))
        }
        other => error(other),
    }
}

pub fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(error)
}

/// The time alone, if it does not depend on values.
fn count(case: Case) -> PyResult<Run> {
    let layout = case.layout().map_err(case_error)?;
    match case.count(&layout) {
        Ok(counted) => Run::new(case, layout, None, outcome::Outcome::of_time(counted)),
        Err(CountError::Run(located)) => Err(error(located)),
        Err(CountError::DependsOnMemory(dependence)) => {
            let run = outcome_of(&case, &layout, &Stop::default())?;
            let outcome = run.1.for_its_time(&case.program, dependence.span);
            Run::new(case, layout, Some(run.0), outcome)
        }
    }
}

/// Requests of a run that is explained.
const MOST_EXPLAINED: u64 = 1 << 16;

fn explained(case: &Case) -> PyResult<(String, String)> {
    const SMALLER: &str = "explain a smaller run: smaller sizes, fewer threads (p)";
    let program = &*case.program;
    let layout = case.layout().map_err(case_error)?;
    let mut memory = case.memory(&layout).map_err(case_error)?;
    let before = memory.clone();
    let run = (case.machine, case.mode, case.threads);
    let given = (program, &layout, &before);
    let mut recorder = StepRecorder::new(given, run, TimeUnits(0), [MOST_EXPLAINED; 2]);
    case.execute(&layout, &mut memory, &mut recorder).map_err(case_error)?;
    let steps = recorder.finish();
    let pipeline = steps.pipeline(|_, _, _| true);
    let stages: usize = pipeline.accesses.iter().map(|it| it.stages.len()).sum();
    if !steps.is_to_the_end || stages as u64 > MOST_STAGES {
        return Err(error(format_args!(
            "a run of more than {MOST_STAGES} stages is too large a picture; {SMALLER}"
        )));
    }
    let listing = Some((&steps, program, &layout));
    let picture = Picture { pipeline: &pipeline, listing, has_all_warps: true };
    let text = pipeline::text(picture, None);
    let text = text.map_err(|it| error(format_args!("{it}; lower the latency, or {SMALLER}")))?;
    Ok((text, pipeline::scene(picture, Theme::Light).svg()))
}

fn execute(case: Case, stop: &Stop) -> PyResult<Run> {
    let layout = case.layout().map_err(case_error)?;
    let (memory, outcome) = outcome_of(&case, &layout, stop)?;
    Run::new(case, layout, Some(memory), outcome)
}

fn outcome_of(case: &Case, layout: &Layout, stop: &Stop) -> PyResult<(Memory, outcome::Outcome)> {
    let mut memory = case.memory(layout).map_err(case_error)?;
    let clock = Clock::new(case.machine, case.mode, case.threads);
    let tap = Tap { sink: clock, each: |_: &Step| stop.check() };
    let outcome = case.outcome(layout, &mut memory, tap, |it| it.sink).map_err(case_error)?;
    Ok((memory, outcome))
}

/// What a run found out.
#[pyclass(frozen, module = "memory_machine._native")]
pub struct Run {
    case: Case,
    layout: Layout,
    memory: Option<Memory>,
    /// As `umm run --json` prints it.
    #[pyo3(get)]
    json: String,
    /// What differs from the reference.
    #[pyo3(get)]
    difference: Option<String>,
}

impl Run {
    fn new(
        case: Case,
        layout: Layout,
        memory: Option<Memory>,
        outcome: outcome::Outcome,
    ) -> PyResult<Self> {
        let json = json(&outcome::RunReport::new(&case, &layout, &outcome))?;
        let difference = match outcome.verdict {
            memory_machine::case::Verdict::Wrong(difference) => Some(difference.to_string()),
            _ => None,
        };
        Ok(Self { case, layout, memory, json, difference })
    }
}

/// An array's extents, its numbers, and whether each has a value.
type Held<'py> = (Vec<u64>, Bound<'py, PyAny>, Bound<'py, PyArray1<bool>>);

#[pymethods]
impl Run {
    /// An array after the run: its extents, its numbers, and whether each has a value; of a bulk run
    /// with the inputs outermost. `None` if only the time was counted.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Held<'py>>> {
        let Some(memory) = &self.memory else { return Ok(None) };
        let program = &self.case.program;
        let Some(id) = program.array_named(name) else {
            let names: Vec<&str> = program.arrays.iter().map(|it| it.name.as_str()).collect();
            let (name, names) = (&program.name, names.join(", "));
            return Err(error(format_args!("`{name}` has no such array; its arrays are: {names}")));
        };
        let layout = &self.layout;
        let mut extents = layout.regions[id.0].extents.clone();
        let inputs = layout.bulk.map_or(1, |it| it.inputs);
        if layout.bulk.is_some() {
            extents.insert(0, inputs);
        }
        let cells = (0..inputs).flat_map(|input| memory.cells(layout, id, input));
        let (numbers, known) = array::write(py, program.arrays[id.0].element, cells);
        Ok(Some((extents, numbers, known)))
    }

    /// What the run was asked for, for `repr`.
    fn __str__(&self) -> String {
        self.case.to_string()
    }
}
