//! What is asked of a listing: its sizes, inputs and machine.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use memory_machine::algorithms::matrix::Matrix;
use memory_machine::case::{Case, CaseError, Inputs};
use memory_machine::cost::{CostKind, CostMachine, Rules};
use memory_machine::diagnostic::{Located, Source};
use memory_machine::host::files::{DESCRIPTION, read};
use memory_machine::keyword::Keyword;
use memory_machine::language;
use memory_machine::language::program::Program;
use memory_machine::machine::{Dmms, Machine, MachineKind};
use memory_machine::models::{self, Model};
use memory_machine::run::layout::LayoutError;
use memory_machine::run::{LimitAmount, WHILE_ITERATIONS, WorkLimit};
use memory_machine::sample::Settings;
use memory_machine::units::{Latency, Threads, Width};
use pyo3::prelude::*;

use crate::array;
use crate::error;

/// All that may be asked. Python's side has the defaults, and has seen to the numbers.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Setting {
    set: BTreeMap<String, i64>,
    /// Parameters that are real numbers.
    reals: BTreeMap<String, f64>,
    /// Arrays by name: sources as the command line has them, or numbers.
    inputs: BTreeMap<String, Given>,
    machine: MachineSetting,
    mode: String,
    p: u64,
    bulk: Option<String>,
    seed: u64,
    while_limit: Option<u64>,
    /// Limits on work and time, as the command line has them.
    limit: Vec<String>,
    /// Whether the listing may name files.
    files: bool,
}

/// A machine: a described one, and over it what is given.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct MachineSetting {
    machine: Option<String>,
    w: Option<u64>,
    l: Option<u64>,
    d: Option<u64>,
    shared_latency: Option<u64>,
    resident: Option<u64>,
    model: Option<String>,
    /// Parameters of a machine of courses.
    rules: Rules,
}

#[derive(FromPyObject)]
enum Given {
    Source(String),
    Array(Py<PyAny>),
}

impl Setting {
    pub fn case(&self, py: Python<'_>, program: &Arc<Program>) -> PyResult<Case> {
        self.case_on(py, program, self.machine.machine()?)
    }

    /// The case of a listing that is rewritten: see [`MachineSetting::machine_with_dmms`].
    pub fn case_with_dmms(&self, py: Python<'_>, program: &Arc<Program>) -> PyResult<Case> {
        self.case_on(py, program, self.machine.machine_with_dmms()?)
    }

    pub fn case_on(
        &self,
        py: Python<'_>,
        program: &Arc<Program>,
        machine: Machine,
    ) -> PyResult<Case> {
        let program = with_reals(unfolded(program, &self.set)?, &self.reals)?;
        Ok(Case {
            set: Settings(self.set.clone()),
            inputs: self.inputs(py, &program)?,
            machine,
            mode: word("mode", &self.mode)?,
            threads: Threads::new(self.p).map_err(error)?,
            bulk: optional_word("bulk", self.bulk.as_deref())?,
            while_iterations: self.while_limit.unwrap_or(WHILE_ITERATIONS),
            work: self.work()?,
            no_files: !self.files,
            ..Case::new(program)
        })
    }

    fn inputs(&self, py: Python<'_>, program: &Program) -> PyResult<Inputs> {
        let sources: Vec<(String, OsString)> = (self.inputs.iter())
            .filter_map(|(name, given)| match given {
                Given::Source(source) => Some((name.clone(), source.into())),
                Given::Array(_) => None,
            })
            .collect();
        let mut inputs = Inputs::read(program, &sources, self.seed).map_err(case_error)?;
        for (name, given) in &self.inputs {
            let Given::Array(numbers) = given else { continue };
            let element = Inputs::takes(program, name).map(|id| program.arrays[id.0].element);
            let numbers = match element {
                Some(element) => array::read(element, numbers.bind(py))?,
                None => Matrix::new(0, vec![]),
            };
            inputs = inputs.with_array(program, name, numbers).map_err(case_error)?;
        }
        Ok(inputs)
    }

    fn work(&self) -> PyResult<WorkLimit> {
        self.limit.iter().try_fold(WorkLimit::NONE, |all, it| {
            let amount = it.parse::<LimitAmount>();
            amount.map(|it| all.and(it)).map_err(|why| error(format_args!("limit={it:?}: {why}")))
        })
    }

    /// The machine, if it is one of courses.
    pub fn course(&self) -> PyResult<Option<CostMachine>> {
        let machine = self.machine.course()?;
        if let Some(machine) = machine.as_ref().filter(|_| self.mode != "sync") {
            return Err(error(format_args!(
                "mode: machine=\"{}\" has no use for it; leave it out",
                machine.kind()
            )));
        }
        Ok(machine)
    }

    /// The described machine that is named, if one is.
    pub fn model(&self) -> PyResult<Option<Model>> {
        self.machine.model.as_deref().map(model).transpose()
    }
}

impl MachineSetting {
    fn course(&self) -> PyResult<Option<CostMachine>> {
        let Some(kind) = self.machine.as_deref().and_then(course_kind) else { return Ok(None) };
        let known = kind.rules();
        if let Some(name) = self.rules.keys().find(|it| !known.contains(&it.as_str())) {
            let known = known.join(", ");
            return Err(error(format_args!(
                "{name}: machine=\"{kind}\" has no such argument; it has {known}"
            )));
        }
        let in_vain = [
            ("w", self.w.is_some()),
            ("l", self.l.is_some()),
            ("d", self.d.is_some()),
            ("shared_latency", self.shared_latency.is_some()),
            ("resident", self.resident.is_some()),
            ("model", self.model.is_some() && kind != CostKind::Roofline),
        ];
        if let Some((name, _)) = in_vain.into_iter().find(|it| it.1) {
            return Err(error(format_args!(
                "{name}: machine=\"{kind}\" has no use for it; leave it out, or time a memory machine, \
                 machine=\"umm\""
            )));
        }
        if kind == CostKind::Roofline && !self.rules.contains_key("bandwidth") {
            if let Some(name) = self.rules.keys().next() {
                return Err(error(format_args!(
                    "{name}: give bandwidth=2e12, too, in bytes a second"
                )));
            }
            let model = self.model.as_deref().map(model).transpose()?;
            let device = models::device(model.as_ref(), &[], None).map_err(error)?;
            return Ok(Some(CostMachine::Roofline(device)));
        }
        CostMachine::of(kind, &self.rules).map(Some).map_err(error)
    }

    pub fn machine(&self) -> PyResult<Machine> {
        let known = self.model.as_deref().map(model).transpose()?;
        self.machine_like(known.map(|it| it.machine()).unwrap_or_default())
    }

    /// The machine that listings are rewritten for: of a calibrated model the HMM that it is, unless
    /// another kind is asked for.
    fn machine_with_dmms(&self) -> PyResult<Machine> {
        let known = self.model.as_deref().map(model).transpose()?;
        match known.and_then(|it| it.hierarchy()) {
            Some(known) => self.machine_like(known),
            None => self.machine(),
        }
    }

    /// The machine, where arguments leave out what is known.
    fn machine_like(&self, known: Machine) -> PyResult<Machine> {
        let mut machine = known;
        if let Some(kind) = &self.machine {
            let kind: MachineKind = word("machine", kind)?;
            if kind.dmms().is_none() || known.kind.dmms().is_none() {
                machine.kind = kind;
            }
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
        } else if self.d.is_some() || latency.is_some() || self.resident.is_some() {
            return Err(error(
                "d, shared_latency and resident are the HMM's alone; say machine=\"hmm\"",
            ));
        }
        Ok(machine)
    }
}

/// The parameters of a machine of courses; `None` of other words.
#[pyfunction]
pub fn rules(machine: &str) -> Option<Vec<&'static str>> {
    Some(course_kind(machine)?.rules().to_vec())
}

fn course_kind(word: &str) -> Option<CostKind> {
    CostKind::from_keyword(&word.replace('_', "-")).ok()
}

/// The program for these sizes: one whose procedures call themselves is another for each.
pub fn unfolded(program: &Arc<Program>, set: &BTreeMap<String, i64>) -> PyResult<Arc<Program>> {
    let size = |name: &str| set.get(name).copied();
    language::for_sizes(program, size).map_err(|it: Box<Located>| error(it))
}

/// The program with the values of parameters that are real numbers.
pub fn with_reals(
    mut program: Arc<Program>,
    reals: &BTreeMap<String, f64>,
) -> PyResult<Arc<Program>> {
    for (name, value) in reals {
        let with = language::with_real(&program, name, *value);
        program = Arc::new(with.map_err(|it: Box<Located>| error(it))?);
    }
    Ok(program)
}

/// A shipped model, or a file.
pub fn model(name: &str) -> PyResult<Model> {
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

/// The value of an argument that is one of some words.
pub fn word<T: Keyword>(argument: &str, text: &str) -> PyResult<T> {
    // Words have hyphens on the command line, and may have them here.
    T::from_keyword(&text.replace('-', "_")).map_err(|it| error(format_args!("{argument}: {it}")))
}

/// The same of one that may be left out.
pub fn optional_word<T: Keyword>(argument: &str, text: Option<&str>) -> PyResult<Option<T>> {
    text.map(|it| word(argument, it)).transpose()
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
