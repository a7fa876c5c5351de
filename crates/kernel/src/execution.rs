//! A kernel with its launch and arguments, executed.

use super::counts::InstructionCounts;
use super::element::Element;
use super::findings::{Checker, Code, Finding};
use super::observer::{Observer, Watch};
use super::plan::{Given, GivenValue, KernelError, Plan};
use super::prepare::Prepared;
use super::sample::SampleEstimates;
use super::signature::{Parameter, Signature};
use super::timing::{Recorder, Recording};
use memory_machine_sass::launch::{GlobalMemory, launch};
use memory_machine_sass::{KernelCode, Module};

/// What came out.
#[derive(Debug)]
pub struct Execution {
    /// The kernel's name and parameters.
    pub signature: Signature,
    /// By parameter, and by member of a structure.
    pub given: Vec<Given>,
    /// All arrays.
    pub memory: GlobalMemory,
    /// By instruction.
    pub counts: Vec<InstructionCounts>,
    /// By array of the memory, whether it is read and whether it is written.
    pub arrays: Vec<[bool; 2]>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What threads printed.
    pub printed: String,
    /// Warp instructions.
    pub instructions: u64,
    /// Blocks that were executed, and all.
    pub blocks: (u64, u64),
    /// Of a part of the blocks, what all of them do, and how far that may be wrong.
    pub sample: Option<SampleEstimates>,
    /// Accesses, if they were asked for.
    pub trace: Option<Recording>,
}

impl Execution {
    /// What is given to a parameter, or to a member of one, by its name or place: its number.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        let by_name = self.given.iter().position(|it| it.name == name);
        by_name.or_else(|| self.given.iter().position(|it| it.place == name))
    }

    /// What it is called.
    pub fn name(&self, given: usize) -> &str {
        self.given.get(given).map_or("", |it| &it.name)
    }

    /// Names of all arrays.
    pub fn array_names(&self) -> Vec<String> {
        let is_array = |it: &&Given| matches!(it.value, GivenValue::Array { .. });
        self.given.iter().filter(is_array).map(|it| it.name.clone()).collect()
    }

    /// An array after the launch: its bytes, type and columns.
    pub fn array(&self, given: usize) -> Option<(&[u8], Element, usize)> {
        match self.given.get(given)?.value {
            GivenValue::Array { number, element, columns } => {
                Some((&self.memory.array(number)?.bytes, element, columns))
            }
            GivenValue::Value(_) => None,
        }
    }
}

impl Prepared {
    /// Executes it.
    ///
    /// # Errors
    /// What goes wrong as it is executed.
    pub fn execute(
        self,
        module: &Module,
        kernel: &KernelCode,
        plan: &Plan,
    ) -> Result<Execution, KernelError> {
        self.execute_watched(module, kernel, plan, &|| ())
    }

    /// The same with a function that is called now and then, and may end it by unwinding.
    ///
    /// # Errors
    /// As [`Prepared::execute`].
    pub fn execute_watched(
        self,
        module: &Module,
        kernel: &KernelCode,
        plan: &Plan,
        watch: Watch<'_>,
    ) -> Result<Execution, KernelError> {
        let Self { signature, given, mut memory, image, parameters, chosen } = self;
        let of = plan.launch(&parameters, chosen.as_deref());
        let swapped: Vec<bool> =
            (0..kernel.instructions()).map(|at| kernel.is_swapped(at)).collect();
        let code = Code { kernel, swapped: &swapped };
        let mut observer =
            Observer::new(of, (code, memory.len()), [plan.checks, plan.traces], watch);
        let instructions = launch(module, kernel, &image, &of, &mut memory, &mut observer)?;
        Ok(Execution {
            signature,
            given,
            memory,
            counts: observer.counts,
            arrays: observer.arrays,
            findings: observer.checker.map(Checker::findings).unwrap_or_default(),
            printed: observer.printed,
            instructions,
            blocks: (of.executed(), of.blocks()),
            sample: observer.sums.map(|it| it.sample(&of)),
            trace: observer.recorder.map(Recorder::trace),
        })
    }
}

/// Executes a launch of a kernel, with what its source says of its parameters, if it is known.
///
/// # Errors
/// Arguments that are missing or do not fit; what goes wrong as it is executed.
pub fn execute(
    module: &Module,
    kernel: &KernelCode,
    known: Option<&[Parameter]>,
    plan: &Plan,
) -> Result<Execution, KernelError> {
    Prepared::new(module, kernel, known, plan)?.execute(module, kernel, plan)
}
