//! A listing, and the questions to it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};

use memory_machine::algorithms::catalogue;
use memory_machine::case::replay::{ReplayReport, parse_for};
use memory_machine::case::{Case, LoadError, check, load};
use memory_machine::chart::Theme;
use memory_machine::chart::pipeline::{self, Picture};
use memory_machine::codegen::{self, Options};
use memory_machine::cost::{CostKind, CostMachine, CountedCost, Rules};
use memory_machine::diagnostic::{Located, Source};
use memory_machine::improve::check::{Certificate, verify};
use memory_machine::improve::memo::Memo;
use memory_machine::improve::search::{Company, Predict, Reach};
use memory_machine::keyword::Keyword;
use memory_machine::language::oblivious::obliviousness;
use memory_machine::language::program::{Array, Program};
use memory_machine::language::syntax::Role;
use memory_machine::language::{self, AsPrinted, sites};
use memory_machine::machine::{Dmms, MOST_STAGES, Machine, MachineKind};
use memory_machine::models;
use memory_machine::predict::{self, LaunchOptions, ReuseCache, Work};
use memory_machine::sample::Settings;
use memory_machine::steps::StepRecorder;
use memory_machine::trace::Writer;
use memory_machine::units::TimeUnits;
use pyo3::prelude::*;

use crate::array;
use crate::error;
use crate::interrupt::interruptible;
use crate::measurements::{calibration, extensions};
use crate::run::Run;
use crate::setting::{
    MachineSetting, Setting, case_error, json, model, optional_word, unfolded, with_reals, word,
};

/// A well-formed listing.
#[pyclass(frozen, module = "memory_machine._native")]
pub struct Listing {
    pub program: Arc<Program>,
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
    fn new(text: String, name: String, notation: Option<&str>, semantics: &str) -> PyResult<Self> {
        let notation = optional_word("notation", notation)?;
        let semantics = word("semantics", semantics)?;
        let printed = AsPrinted { notation, semantics, ..AsPrinted::default() };
        let program = language::load_in(Source { name, text }, printed, |_| None).map_err(error)?;
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

    /// The listing in the plain form, with the declarations that it was given.
    #[getter]
    fn plain(&self) -> &str {
        self.program.reading.plain.as_deref().unwrap_or(&self.program.source.text)
    }

    /// How the text was understood: lines, and what was recognised, taken or left out there.
    #[getter]
    fn remarks(&self) -> Vec<(usize, &str)> {
        self.program.reading.said.iter().map(|it| (it.line, it.text.as_str())).collect()
    }

    /// Parameters with their defaults.
    #[getter]
    fn parameters(&self) -> Vec<(&str, Option<i64>)> {
        self.program.parameters.iter().map(|it| (it.name.as_str(), it.default)).collect()
    }

    /// Parameters that are real numbers, with their defaults.
    #[getter]
    fn reals(&self) -> Vec<(&str, Option<f64>)> {
        self.program.listing.reals.iter().map(|it| (it.name.text.as_str(), it.value)).collect()
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
        if let Some(machine) = setting.course()? {
            let case = setting.case_on(py, &self.program, Machine::default())?;
            return interruptible(py, move |stop| Run::cost(&case, &machine, time_only, stop));
        }
        let case = setting.case(py, &self.program)?;
        let run = if time_only { Run::count } else { Run::execute };
        interruptible(py, move |stop| run(case, stop))
    }

    /// What it costs on every machine, as `umm compare-models --json` prints it.
    fn compare_models(&self, py: Python<'_>, setting: Setting) -> PyResult<String> {
        let case = setting.case(py, &self.program)?;
        let (width, latency) = (case.machine.width, case.machine.latency);
        interruptible(py, move |stop| {
            let plain = case.clone().on(Machine::default());
            let mut rows = vec![];
            for kind in case.memory_machines() {
                stop.check();
                rows.push(
                    case.compare_memory(Machine { kind, width, latency }).map_err(case_error)?,
                );
            }
            for (kind, ..) in CostKind::WORDS {
                stop.check();
                let machines = match kind {
                    CostKind::Pram => Case::prams(CountedCost::Both),
                    CostKind::Mpc => vec![plain.mpc(None).map_err(case_error)?],
                    CostKind::Roofline => {
                        vec![CostMachine::Roofline(models::device(None, &[], None).map_err(error)?)]
                    }
                    kind => vec![CostMachine::of(*kind, &Rules::new()).map_err(error)?],
                };
                rows.extend(plain.compare_first(machines).map_err(case_error)?);
            }
            json(&rows)
        })
    }

    /// As JSON; with sizes, what a run with one thread an iteration shows.
    fn check(&self, py: Python<'_>, setting: Option<Setting>) -> PyResult<String> {
        let case = setting.map(|it| it.case(py, &self.program)).transpose()?;
        interruptible(py, |_| {
            let program = &*self.program;
            let work = sites::work(program);
            let observed = case.map(|it| it.observe()).transpose().map_err(case_error)?;
            json(&check::report(program, &obliviousness(program), &work, observed.as_ref()))
        })
    }

    /// A line for each step, and for each barrier.
    fn trace(&self, py: Python<'_>, setting: Setting) -> PyResult<String> {
        let case = setting.case(py, &self.program)?;
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
        let case = setting.case(py, &self.program)?;
        interruptible(py, move |_| explained(&case))
    }

    fn cuda(
        &self,
        set: BTreeMap<String, i64>,
        reals: BTreeMap<String, f64>,
        bulk: Option<String>,
        launch: Option<String>,
        prefetch: u32,
        standalone: bool,
    ) -> PyResult<String> {
        let program = &with_reals(unfolded(&self.program, &set)?, &reals)?;
        let launch = optional_word("launch", launch.as_deref())?;
        let options = Options {
            bulk: optional_word("bulk", bulk.as_deref())?,
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
        let model = setting.model()?.map_or_else(|| model("h200"), Ok)?;
        let case = setting.case(py, &self.program)?;
        let launch = optional_word("launch", launch.as_deref())?;
        let without = extensions(&without)?;
        interruptible(py, move |_| {
            let machine = calibration(&model)?;
            let options = LaunchOptions { launch, prefetch };
            let work = Work::of(&case, options, machine, &mut ReuseCache::default());
            let work = work.map_err(case_error)?;
            json(&predict::PredictionReport::new(
                &case.program.name,
                &model,
                &work,
                machine,
                &without,
            ))
        })
    }

    /// A ladder of faster listings, as JSON.
    fn improve(&self, py: Python<'_>, setting: Setting, search: Search) -> PyResult<String> {
        let model = setting.model()?.filter(|it| it.calibration.is_some());
        let case = setting.case_with_dmms(py, &self.program)?;
        let (steps, beam, seconds, reassociates, layouts, launch) = search;
        let budget = Duration::try_from_secs_f64(seconds).map_err(error)?;
        let reach = Reach { steps, beam, reassociates, layouts, launch };
        let begin = Instant::now();
        interruptible(py, move |_| {
            let predict = |program: &Program, bulk| {
                let case = Case { program: program.clone().into(), bulk, ..case.clone() };
                predict::expected_seconds(&case, model.as_ref()?, None)
            };
            let predict: Option<Predict<'_>> = model.is_some().then_some(&predict);
            let is_over = || begin.elapsed() > budget;
            let memo = Memo::default();
            let company = Company { is_over: &is_over, predict, ..Company::none(&memo) };
            json(&case.improve(reach, company).map_err(error)?)
        })
    }
}

/// Checks a certificate of a step, as JSON; an error says what it does not show.
#[pyfunction]
pub fn verify_step(certificate: &str) -> PyResult<()> {
    let certificate: Certificate = serde_json::from_str(certificate).map_err(error)?;
    verify(&certificate).map_err(error)
}

/// How far a search for a faster listing goes: rungs, listings that are kept, seconds, whether floats may
/// be summed in another order, whether arrays may lie column by column, time units of a launch.
type Search = (usize, usize, f64, bool, bool, u64);

/// What a trace takes, as JSON; `name` is what messages call it.
#[pyfunction]
pub fn replay(
    py: Python<'_>,
    text: String,
    name: String,
    machine: MachineSetting,
    mode: &str,
) -> PyResult<String> {
    let (machine, mode) = (machine.machine()?, word("mode", mode)?);
    interruptible(py, |_| {
        let trace = parse_for(machine, Source { name, text }).map_err(case_error)?;
        json(&ReplayReport::new(machine, mode, &trace))
    })
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
    let executed = case.execute(&layout, &mut memory, &mut recorder);
    let steps = recorder.finish();
    let too_large = || {
        error(format_args!(
            "a run of more than {MOST_STAGES} stages is too large a picture; {SMALLER}"
        ))
    };
    // A recorder that has enough ends the run.
    if !steps.is_to_the_end {
        return Err(too_large());
    }
    executed.map_err(case_error)?;
    let pipeline = steps.pipeline(|_, _, _| true);
    let stages: usize = pipeline.accesses.iter().map(|it| it.stages.len()).sum();
    if stages as u64 > MOST_STAGES {
        return Err(too_large());
    }
    let listing = Some((&steps, program, &layout));
    let picture = Picture { pipeline: &pipeline, listing, source: None, has_all_warps: true };
    let text = pipeline::text(picture, None);
    let text = text.map_err(|it| error(format_args!("{it}; lower the latency, or {SMALLER}")))?;
    Ok((text, pipeline::scene(picture, Theme::Light).svg()))
}
