//! What a run of a case takes: counted, or executed with its values.

use super::{Case, CaseError, Prepared};
use crate::sample::Sample;
use memory_machine_core::count::{self, CountError, Counted};
use memory_machine_core::machine::Counts;
use memory_machine_core::run::Budget;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::Memory;

/// What a run takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunTime {
    /// Where the arrays lie, with the values of all parameters.
    pub layout: Layout,
    /// By phase of the program.
    pub counts: Vec<Counts>,
    /// Whether the program ran with its values, as its time depends on them.
    pub depends_on_values: bool,
}

impl RunTime {
    /// The sum over the phases.
    pub fn total(&self) -> Counts {
        self.counts.iter().copied().sum()
    }
}

impl Case {
    /// The time without the values.
    ///
    /// # Errors
    /// As [`count::count`].
    pub fn count(&self, layout: &Layout) -> Result<Counted, CountError> {
        count::count(&self.program, layout, self.machine, self.mode, self.limits())
    }

    /// The same, unless more than this many accesses, or operations, had to be executed one by one.
    ///
    /// # Errors
    /// As [`count::count`].
    pub fn count_within(
        &self,
        layout: &Layout,
        most: [u64; 2],
    ) -> Result<Option<Counted>, CountError> {
        let (machine, mode, limits) = (self.machine, self.mode, self.limits());
        count::count_within(&self.program, layout, machine, mode, limits, most)
    }

    /// What the run takes: counted, or executed with its inputs where it depends on values.
    ///
    /// # Errors
    /// The case makes no sense, or the program fails.
    pub fn time(&self) -> Result<RunTime, CaseError> {
        let layout = self.layout()?;
        let (counts, depends_on_values) = match if_it_can_be(self.count(&layout))? {
            Some(counted) => (counted.counts, false),
            None => {
                let (machine, mode, limits) = (self.machine, self.mode, self.limits());
                let mut memory = self.memory_of_execution(&layout)?;
                let program = &self.program;
                (count::execute(program, &layout, &mut memory, machine, mode, limits)?, true)
            }
        };
        Ok(RunTime { layout, counts, depends_on_values })
    }

    pub(super) fn memory_of_execution(&self, layout: &Layout) -> Result<Memory, CaseError> {
        self.memory(layout).map_err(|error| match error {
            CaseError::Memory(error) => CaseError::TooLarge(error),
            error => error,
        })
    }

    /// The row of this case without its result.
    pub fn row(&self) -> Sample {
        let mut set = self.values();
        for it in &self.program.parameters {
            if let Some(default) = it.default {
                set.0.entry(it.name.clone()).or_insert(default);
            }
        }
        if let Some(machine) = &self.course {
            let rules = machine.parameters().into_iter();
            return Sample {
                algorithm: self.program.name.clone(),
                set,
                machine: Some(machine.kind().to_string()),
                rules: Some(rules.map(|(name, value)| (name, value.to_string())).collect()),
                threads: Some(self.threads.get()),
                seed: Some(self.inputs.seed),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
                ..Sample::default()
            };
        }
        let dmms = self.machine.kind.dmms();
        Sample {
            algorithm: self.program.name.clone(),
            set,
            machine: Some(self.machine.kind.to_string()),
            dmms: dmms.map(|it| it.number),
            shared_latency: dmms.map(|it| it.latency.get()),
            resident: dmms.map(|it| it.resident),
            width: Some(self.machine.width.get()),
            latency: Some(self.machine.latency.get()),
            threads: Some(self.threads.get()),
            mode: Some(self.mode.to_string()),
            bulk: self.bulk.map(|it| it.to_string()),
            seed: Some(self.inputs.seed),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..Sample::default()
        }
    }

    /// The row of what the whole run takes.
    ///
    /// # Errors
    /// As [`Self::time`].
    pub fn sample(&self) -> Result<Sample, CaseError> {
        if let Some(machine) = &self.course {
            return self.cost_sample(machine);
        }
        Ok(self.row().taking(self.time()?.total()))
    }

    /// As [`Self::sample`], with one more row for each phase of the program.
    ///
    /// # Errors
    /// As [`Self::time`].
    pub fn samples(&self) -> Result<Vec<Sample>, CaseError> {
        let (row, timed) = (self.row(), self.time()?);
        let mut samples = vec![row.clone().taking(timed.total())];
        for (phase, counts) in self.program.phases.iter().zip(timed.counts) {
            samples.push(Sample { phase: Some(phase.clone()), ..row.clone() }.taking(counts));
        }
        Ok(samples)
    }
}

impl Prepared {
    /// As [`Case::time`], unless it has more than this many accesses, or operations, to be executed one by
    /// one: of what is counted eight times as many operations, which take less.
    ///
    /// # Errors
    /// As [`Case::time`].
    pub fn time_within(&self, most: u64) -> Result<Option<RunTime>, CaseError> {
        let (case, layout) = (self.case(), self.layout());
        let counted = case.count_within(layout, [most, most.saturating_mul(8)]);
        let (counts, depends_on_values) = match if_it_can_be(counted)? {
            Some(counted) => (counted.map(|it| it.counts), false),
            None => {
                let (memory, budget) = (&mut case.memory_of_execution(layout)?, Budget(most));
                let (machine, mode, limits) = (case.machine, case.mode, case.limits());
                let program = &case.program;
                let counts =
                    count::execute_until(program, layout, memory, machine, mode, limits, budget)?;
                (counts, true)
            }
        };
        let layout = layout.clone();
        Ok(counts.map(|counts| RunTime { layout, counts, depends_on_values }))
    }
}

/// None, if it depends on values.
pub(super) fn if_it_can_be<T>(counted: Result<T, CountError>) -> Result<Option<T>, CaseError> {
    match counted {
        Ok(counted) => Ok(Some(counted)),
        Err(CountError::DependsOnMemory(_)) => Ok(None),
        Err(CountError::Run(located)) => Err(located.into()),
    }
}
