//! What one listing costs on every machine, the memory machines and those of courses.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::cost::MachineEntry;
use super::{Case, CaseError};
use memory_machine_core::cost::{
    CostKind, CostMachine, CountedCost, Figure, Owner, Owners, PramVariant, Value,
};
use memory_machine_core::keyword::Keyword;
use memory_machine_core::machine::{Machine, MachineKind};
use memory_machine_core::units::Threads;

/// A machine, and what a listing costs on it.
pub struct ComparedCost {
    /// Of the machines of a kind, the one that is told of.
    pub machine: ComparedMachine,
    /// What it says, or why it refuses the listing.
    pub said: Result<Vec<Figure>, String>,
}

/// Either sort of machine.
pub enum ComparedMachine {
    /// UMM, DMM or HMM.
    Memory(Machine),
    /// Another.
    Course(CostMachine),
}

impl Case {
    /// The kinds of memory machines that can run the listing.
    pub fn memory_machines(&self) -> impl Iterator<Item = MachineKind> {
        let has_dmms = self.program.first_loop_on_dmms().is_some();
        let kinds = <MachineKind as Keyword>::WORDS.iter().map(|it| it.0);
        kinds.filter(move |it| it.dmms().is_some() == has_dmms)
    }

    /// What a run on a memory machine takes.
    ///
    /// # Errors
    /// As [`Case::time`].
    pub fn compare_memory(&self, machine: Machine) -> Result<ComparedCost, CaseError> {
        let total = self.clone().on(machine).time()?.total();
        let figure = |key, about, value: u128| Figure { key, about, value: Value::Count(value) };
        let said = vec![
            figure("time_units", "time", total.time_units.0),
            figure("stages", "stages", total.stages),
        ];
        Ok(ComparedCost { machine: ComparedMachine::Memory(machine), said: Ok(said) })
    }

    /// The machines of a kind, of which the first that runs the listing is told of: `has` says whether a
    /// parameter is given by name, `machine` makes the one that is.
    ///
    /// # Errors
    /// Those of `machine`, and as [`Case::mpc`].
    pub fn course_machines<E: From<CaseError>>(
        &self,
        kind: CostKind,
        processors: Option<u64>,
        has: impl Fn(&str) -> bool,
        machine: impl FnOnce() -> Result<CostMachine, E>,
    ) -> Result<Vec<CostMachine>, E> {
        if kind == CostKind::Mpc && !has("space") {
            return Ok(vec![self.mpc(processors)?]);
        }
        Ok(match machine()? {
            CostMachine::Pram { counted, .. } if !has("pram") => Self::prams(counted),
            machine => vec![machine],
        })
    }

    /// The PEM has as many threads as processors.
    #[must_use]
    pub fn with_processors(&self, kind: CostKind, processors: Option<u64>) -> Self {
        let mut case = self.clone();
        if let (CostKind::Pem, Some(processors)) = (kind, processors) {
            case.threads = Threads::at_least_one(processors);
        }
        case
    }

    /// What it costs on the first of some machines that runs the listing; of none, why the last does not.
    ///
    /// # Errors
    /// As [`Case::cost`], but for a listing that machines refuse.
    pub fn compare_first(
        &self,
        machines: Vec<CostMachine>,
    ) -> Result<Option<ComparedCost>, CaseError> {
        let mut refused = None;
        for machine in machines {
            let said = match self.cost_of(&machine) {
                Ok(figures) => Ok(figures),
                Err(CaseError::Program(located)) => Err(located.diagnostic.message.clone()),
                Err(other) => return Err(other),
            };
            let is_said = said.is_ok();
            let row = ComparedCost { machine: ComparedMachine::Course(machine), said };
            if is_said {
                return Ok(Some(row));
            }
            refused = Some(row);
        }
        Ok(refused)
    }

    fn cost_of(&self, machine: &CostMachine) -> Result<Vec<Figure>, CaseError> {
        Ok(self.cost_alone(machine)?.0.figures)
    }

    /// Of PRAMs those that allow the more, the weakest first.
    pub fn prams(counted: CountedCost) -> Vec<CostMachine> {
        let weakest = [
            PramVariant::Erew,
            PramVariant::Crew,
            PramVariant::Common,
            PramVariant::Arbitrary,
            PramVariant::Combining,
        ];
        weakest.map(|variant| CostMachine::Pram { variant, counted }).into()
    }

    /// Machines of MPC that just hold all arrays: so many, or eight.
    ///
    /// # Errors
    /// As [`Case::layout`].
    pub fn mpc(&self, processors: Option<u64>) -> Result<CostMachine, CaseError> {
        let processors = processors.unwrap_or(8);
        let words = self.clone().with_dmms().layout()?.cells(&self.program);
        let owners = Owners { other: Owner::Block, named: vec![] };
        let space = words.div_ceil(processors).max(1);
        Ok(CostMachine::Mpc { processors: Some(processors), owners, space })
    }
}

/// The machine and its figures under their keys, or what was refused.
impl Serialize for ComparedCost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.machine {
            ComparedMachine::Memory(machine) => map.serialize_entry("machine", machine)?,
            ComparedMachine::Course(machine) => {
                map.serialize_entry("machine", &MachineEntry(machine))?;
            }
        }
        match &self.said {
            Ok(figures) => {
                for figure in figures {
                    map.serialize_entry(figure.key, &figure.value)?;
                }
            }
            Err(why) => map.serialize_entry("refused", why)?,
        }
        map.end()
    }
}
