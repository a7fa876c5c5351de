//! A run, and its time alone.

use memory_machine::case::Case;
use memory_machine::case::Verdict;
use memory_machine::case::cost::CostReport;
use memory_machine::case::outcome::{Outcome, RunReport};
use memory_machine::cost::CostMachine;
use memory_machine::count::CountError;
use memory_machine::language::program::Nest;
use memory_machine::machine::Clock;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::run::{Accesses, Observer};
use memory_machine::trace::{Step, Tap};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::interrupt::Stop;
use crate::message::in_python;
use crate::setting::{case_error, json};
use crate::{array, error};

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
    /// Executes the listing, and checks the result.
    pub fn execute(case: Case, stop: &Stop) -> PyResult<Self> {
        let layout = case.layout().map_err(case_error)?;
        let (memory, outcome) = outcome(&case, &layout, stop)?;
        Self::new(case, layout, Some(memory), &outcome)
    }

    /// The time alone, if it does not depend on values.
    pub fn count(case: Case, stop: &Stop) -> PyResult<Self> {
        let layout = case.layout().map_err(case_error)?;
        match case.count(&layout) {
            Ok(counted) => Self::new(case, layout, None, &Outcome::of_time(counted)),
            Err(CountError::Run(located)) => Err(error(located)),
            Err(CountError::DependsOnMemory(dependence)) => {
                let (memory, outcome) = outcome(&case, &layout, stop)?;
                let outcome = outcome.for_its_time(&case.program, dependence.span);
                Self::new(case, layout, Some(memory), &outcome)
            }
        }
    }

    /// Executes the listing on a machine of courses.
    pub fn cost(
        case: &Case,
        machine: &CostMachine,
        time_only: bool,
        stop: &Stop,
    ) -> PyResult<Self> {
        let case = case.for_cost(machine).map_err(case_error)?;
        let layout = case.layout().map_err(case_error)?;
        let (memory, outcome) = if time_only {
            (None, case.count_cost(machine).map_err(case_error)?)
        } else {
            let mut memory = case.memory(&layout).map_err(case_error)?;
            let outcome = case.cost_watched(machine, &layout, &mut memory, Watch(stop));
            (Some(memory), outcome.map_err(case_error)?)
        };
        let json = json(&CostReport { case: &case, layout: &layout, machine, outcome: &outcome })?;
        let difference = difference(&outcome.verdict);
        Ok(Self { case, layout, memory, json, difference })
    }

    fn new(
        case: Case,
        layout: Layout,
        memory: Option<Memory>,
        outcome: &Outcome,
    ) -> PyResult<Self> {
        let json = json(&RunReport::new(&case, &layout, outcome))?;
        let difference = difference(&outcome.verdict);
        Ok(Self { case, layout, memory, json, difference })
    }
}

fn difference(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Wrong(difference) => Some(difference.to_string()),
        _ => None,
    }
}

/// Ends an execution that is to end.
struct Watch<'a>(&'a Stop);

impl Observer for Watch<'_> {
    fn access(&mut self, _: &Accesses<'_>) {
        self.0.check();
    }

    fn enter_nest(&mut self, _: &Nest) {}

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}

fn outcome(case: &Case, layout: &Layout, stop: &Stop) -> PyResult<(Memory, Outcome)> {
    let mut memory = case.memory(layout).map_err(case_error)?;
    let clock = Clock::new(case.machine, case.mode, case.threads);
    let tap = Tap { sink: clock, each: |_: &Step| stop.check() };
    let outcome = case.outcome(layout, &mut memory, tap, |it| it.sink).map_err(case_error)?;
    Ok((memory, outcome))
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
            let (listing, names) = (&program.name, names.join(", "));
            return Err(error(format_args!(
                "`{listing}` has no array `{name}`; its arrays are: {names}"
            )));
        };
        let layout = &self.layout;
        let mut extents = layout.regions[id.0].extents.clone();
        let inputs = layout.bulk.map_or(1, |it| it.inputs);
        if layout.bulk.is_some() {
            extents.insert(0, inputs);
        }
        let cells = (0..inputs).flat_map(|input| memory.cells(layout, id, input));
        let (numbers, known) = array::write(py, program.arrays[id.0].element, cells)?;
        Ok(Some((extents, numbers, known)))
    }

    /// What the run was asked for, for `repr`.
    fn __str__(&self) -> String {
        in_python(&self.case.to_string())
    }
}
