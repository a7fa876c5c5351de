//! A kernel with its launch and arguments, executed.

use thiserror::Error;

use super::argument::Argument;
use super::counts::InstructionCounts;
use super::element::Element;
use super::findings::{Checker, Finding};
use super::observer::Observer;
use super::prepare::Prepared;
use super::shape::Shape;
use super::signature::Signature;
use super::timing::Recorder;
use memory_machine_core::trace::Trace;
use memory_machine_sass::launch::{Fault, GlobalMemory, Launch, launch};
use memory_machine_sass::{KernelCode, Module};

/// How a kernel is launched.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Blocks.
    pub grid: Shape,
    /// Threads of each.
    pub block: Shape,
    /// Bytes of shared memory beside what the kernel declares.
    pub shared_bytes: u32,
    /// In any order.
    pub arguments: Vec<Argument>,
    /// Constants of the module.
    pub constants: Vec<Argument>,
    /// Of random numbers.
    pub seed: u64,
    /// Blocks that are executed, spread evenly; all where there is none.
    pub sample: Option<u64>,
    /// Warp instructions, at most.
    pub limit: u64,
    /// Whether races are looked for.
    pub checks: bool,
    /// Whether a trace is kept.
    pub traces: bool,
}

impl Plan {
    /// Of the blocks those that are executed, with these parameters.
    pub fn launch<'a>(&self, parameters: &'a [u8], every: u64) -> Launch<'a> {
        Launch {
            grid: self.grid.0,
            block: self.block.0,
            dynamic_shared_bytes: self.shared_bytes,
            parameters,
            every,
            limit: self.limit,
        }
    }
}

/// Why nothing comes out.
#[derive(Debug, Error)]
pub enum KernelError {
    /// Of what is asked for.
    #[error("{0}")]
    Given(String),
    /// Of what the kernel does.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}

/// What a parameter is given.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// Bytes of a number or a structure.
    Value(Vec<u8>),
    /// An array: its number in memory, and how it is written out.
    Array {
        /// In memory.
        number: usize,
        /// Of which numbers.
        element: Element,
        /// Of a row.
        columns: usize,
    },
}

/// What came out.
#[derive(Debug)]
pub struct Execution {
    /// The kernel's name and parameters.
    pub signature: Signature,
    /// By parameter.
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
    /// Accesses, if they were asked for.
    pub trace: Option<Trace>,
}

impl Execution {
    /// A parameter by its name or place.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        let parameters = self.signature.parameters.as_deref().unwrap_or_default();
        let by_name = parameters.iter().position(|it| it.name.as_deref() == Some(name));
        by_name.or_else(|| name.parse().ok()).filter(|it| *it < self.given.len())
    }

    /// What a parameter is called.
    pub fn name(&self, parameter: usize) -> String {
        let parameters = self.signature.parameters.as_deref().unwrap_or_default();
        let name = parameters.get(parameter).and_then(|it| it.name.clone());
        name.unwrap_or_else(|| parameter.to_string())
    }

    /// An array after the launch: its bytes, type and columns.
    pub fn array(&self, parameter: usize) -> Option<(&[u8], Element, usize)> {
        match self.given.get(parameter)? {
            Given::Array { number, element, columns } => {
                Some((&self.memory.array(*number)?.bytes, *element, *columns))
            }
            Given::Value(_) => None,
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
        let Self { signature, given, mut memory, image, parameters, every } = self;
        let of = plan.launch(&parameters, every);
        let sizes = [kernel.instructions(), memory.len()];
        let mut observer = Observer::new(of, sizes, [plan.checks, plan.traces]);
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
            trace: observer.recorder.map(Recorder::trace),
        })
    }
}

/// Executes a launch of a kernel, with the names of its parameters, if they are known.
///
/// # Errors
/// Arguments that are missing or do not fit; what goes wrong as it is executed.
pub fn execute(
    module: &Module,
    kernel: &KernelCode,
    names: Option<&[String]>,
    plan: &Plan,
) -> Result<Execution, KernelError> {
    Prepared::new(module, kernel, names, plan)?.execute(module, kernel, plan)
}
