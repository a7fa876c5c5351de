//! What a run costs on the machines of [`cost`](memory_machine_core::cost).

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::correctness::verify;
use super::outcome::{answer_text, answer_value, parameters, race_value};
use super::timing::if_it_can_be;
use super::{Case, CaseError, Verdict};
use crate::sample::Sample;
use memory_machine_core::cost::{Cost, CostMachine, CountedCost, Feed, PramVariant};
use memory_machine_core::count;
use memory_machine_core::diagnostic::Located;
use memory_machine_core::keyword::Keyword;
use memory_machine_core::machine::{Counts, Dmms, Machine, MachineKind, Mode};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::Memory;
use memory_machine_core::run::race::{RaceAccess, Races};
use memory_machine_core::run::{self, NoopObserver, Observer};
use memory_machine_core::units::{Latency, Width};

/// What such a run found out.
pub struct CostOutcome {
    /// What it cost.
    pub cost: Cost,
    /// Whether the result is right.
    pub verdict: Verdict,
    /// What the listing answers.
    pub answer: Option<String>,
    /// `None` if none was found, but not everything was watched.
    pub races: Option<Vec<RaceAccess>>,
    /// Whether the cost was counted, and nothing executed.
    pub counted: bool,
}

impl Case {
    /// The same where one of the machines of courses is to run it: arrays lie as it has them.
    ///
    /// # Errors
    /// A bulk run.
    pub fn for_cost(&self, machine: &CostMachine) -> Result<Self, CaseError> {
        if let Some(arrangement) = self.bulk {
            return Err(CaseError::Given(format!(
                "--bulk {arrangement}: a bulk run is timed on memory machines, -m umm or -m dmm; leave \
                 it out for -m {}",
                machine.kind().word()
            )));
        }
        let width = machine.alignment().map_or(self.machine.width, Width::at_least_one);
        let mut memory = Machine::umm(width, self.machine.latency);
        if machine.runs_blocks() {
            memory.kind = MachineKind::hierarchical(Dmms::ONE);
        }
        Ok(Self { course: Some(machine.clone()), ..self.clone().on(memory) })
    }

    /// The row of what it costs; the result is not looked at.
    pub(super) fn cost_sample(&self, machine: &CostMachine) -> Result<Sample, CaseError> {
        Ok(self.row().costing(&self.cost_alone(machine)?.0))
    }

    /// What a run costs, without its result: counted where that can be, else executed.
    ///
    /// # Errors
    /// As [`Case::cost`].
    pub fn count_cost(&self, machine: &CostMachine) -> Result<CostOutcome, CaseError> {
        let counted = match self.counted_cost(machine)? {
            None => self.count_steps(machine)?,
            every_figure => every_figure,
        };
        let (cost, counted) = match counted {
            Some(cost) => (cost, true),
            None => (self.executed_cost(machine)?, false),
        };
        Ok(CostOutcome { cost, verdict: Verdict::Unknown, answer: None, races: None, counted })
    }

    /// What a run costs, counted; `None` where it cannot be.
    fn counted_cost(&self, machine: &CostMachine) -> Result<Option<Cost>, CaseError> {
        if !machine.counts_loops() {
            return Ok(None);
        }
        let case = self.for_cost(machine)?;
        let case = Self { course: None, mode: Mode::Sync, ..case };
        let layout = case.layout()?;
        if if_it_can_be(case.count(&layout))?.is_none() {
            return Ok(None);
        }
        Ok(count::count_cost(&case.program, &layout, machine, case.machine, case.limits()))
    }

    /// What a run costs, every figure: counted where that can be, else executed. Whether it was counted.
    pub(super) fn cost_alone(&self, machine: &CostMachine) -> Result<(Cost, bool), CaseError> {
        match self.counted_cost(machine)? {
            Some(cost) => Ok((cost, true)),
            None => Ok((self.executed_cost(machine)?, false)),
        }
    }

    fn executed_cost(&self, machine: &CostMachine) -> Result<Cost, CaseError> {
        let case = self.for_cost(machine)?;
        let layout = case.layout()?;
        let mut memory = case.memory_of_execution(&layout)?;
        Ok(case.hear(machine, &layout, &mut memory, NoopObserver)?.0)
    }

    /// The steps of a PRAM that refuses none, whose rounds are the UMM's, whatever the threads do. With a
    /// latency of 2 each waits for one time unit.
    fn count_steps(&self, machine: &CostMachine) -> Result<Option<Cost>, CaseError> {
        let CostMachine::Pram {
            variant: PramVariant::Arbitrary | PramVariant::Priority,
            counted: CountedCost::Accesses,
        } = machine
        else {
            return Ok(None);
        };
        let case = self.for_cost(machine)?;
        let two = Latency::at_least_one(2);
        let umm = Machine::umm(case.machine.width, two);
        let case = Self { course: None, mode: Mode::Sync, ..case }.on(umm);
        let Some(counted) = if_it_can_be(case.count(&case.layout()?))? else { return Ok(None) };
        let total: Counts = counted.counts.iter().copied().sum();
        let (p, time) = (u128::from(self.threads.get()), total.time_units.0 - total.stages);
        Ok(Some(
            Cost::default()
                .with("time_units", "time", time)
                .with("processors", "processors p", p)
                .with("work", "work p · time", p * time)
                .with("done", "accesses and operations that count", total.accesses)
                .with("steps", "steps of accesses", time)
                .with("accesses", "accesses", total.accesses),
        ))
    }

    /// Runs the program with its values on `memory`, and tells what it costs. The case is of
    /// [`Self::for_cost`].
    ///
    /// # Errors
    /// As [`Case::execute`] and [`Case::reference`]; a listing that the machine refuses.
    pub fn cost(
        &self,
        machine: &CostMachine,
        layout: &Layout,
        memory: &mut Memory,
    ) -> Result<CostOutcome, CaseError> {
        self.cost_watched(machine, layout, memory, NoopObserver)
    }

    /// The same while another observer watches.
    ///
    /// # Errors
    /// As [`Case::cost`].
    pub fn cost_watched(
        &self,
        machine: &CostMachine,
        layout: &Layout,
        memory: &mut Memory,
        other: impl Observer,
    ) -> Result<CostOutcome, CaseError> {
        let (program, reference) = (&*self.program, self.reference()?);
        let observers = (Races::new(program, layout), other);
        let (cost, bits, (races, _)) = self.hear(machine, layout, memory, observers)?;
        let answer = bits.map(|bits| answer_text(program, bits));
        let verdict = verify(self, reference.as_ref(), layout, memory)?;
        Ok(CostOutcome { cost, verdict, answer, races: races.finish(), counted: false })
    }

    /// Runs the program for the machine and another observer: what it costs, and the bits of the answer.
    fn hear<O: Observer>(
        &self,
        machine: &CostMachine,
        layout: &Layout,
        memory: &mut Memory,
        other: O,
    ) -> Result<(Cost, Option<u64>, O), CaseError> {
        let program = &*self.program;
        let model = machine.model(program, layout, self.threads);
        let mut observers = (Feed::new(program, model, machine.winner()), other);
        let watch: &mut dyn Observer = &mut observers;
        let run = run::execute(program, layout, memory, self.limits(), watch);
        let (feed, other) = observers;
        let located = |diagnostic| {
            let source = program.source.clone();
            CaseError::Program(Box::new(Located { source, diagnostic }))
        };
        // A machine that refuses ends the run, which says less.
        let model = feed.finish().map_err(located)?;
        Ok((model.cost(), run?, other))
    }
}

/// Such a run as `--json` prints it.
pub struct CostReport<'a> {
    /// What was run.
    pub case: &'a Case,
    /// Where its arrays lie.
    pub layout: &'a Layout,
    /// On what.
    pub machine: &'a CostMachine,
    /// What came out.
    pub outcome: &'a CostOutcome,
}

impl Serialize for CostReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { case, layout, machine, outcome } = *self;
        let program = &*case.program;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("algorithm", &program.name)?;
        map.serialize_entry("parameters", &parameters(program, layout))?;
        map.serialize_entry("machine", &MachineEntry(machine))?;
        map.serialize_entry("threads", &case.threads)?;
        map.serialize_entry("seed", &case.inputs.seed)?;
        for figure in &outcome.cost.figures {
            map.serialize_entry(figure.key, &figure.value)?;
        }
        if let Some(table) = &outcome.cost.table {
            map.serialize_entry(table.key, table)?;
        }
        map.serialize_entry("counted", &outcome.counted)?;
        map.serialize_entry("verified", &outcome.verdict.is_right())?;
        map.serialize_entry("answer", &answer_value(outcome.answer.as_deref()))?;
        let races = outcome.races.as_ref();
        let races: Option<Vec<Value>> =
            races.map(|it| it.iter().map(|it| race_value(program, layout, it)).collect());
        map.serialize_entry("races", &races)?;
        map.end()
    }
}

/// Its word and its parameters.
pub struct MachineEntry<'a>(pub &'a CostMachine);

impl Serialize for MachineEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parameters = self.0.parameters();
        let mut map = serializer.serialize_map(Some(parameters.len() + 1))?;
        map.serialize_entry("kind", self.0.kind().word())?;
        for (name, value) in &parameters {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
