//! A kernel with its launch and arguments, executed.

use thiserror::Error;

use super::argument::{Argument, ArgumentSource, ArrayBytes};
use super::counts::InstructionCounts;
use super::element::Element;
use super::findings::{Checker, Finding};
use super::observer::Observer;
use super::shape::Shape;
use super::signature::{Parameter, ParameterType, Signature};
use super::timing::Recorder;
use memory_machine_core::trace::Trace;
use memory_machine_sass::launch::{Fault, GlobalMemory, Image, Launch, launch};
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
    let given = KernelError::Given;
    check_shape(kernel, plan).map_err(given)?;
    let signature = signature(kernel, names);
    let mut memory = GlobalMemory::default();
    let (all, parameters) =
        arguments(kernel, &signature, plan, &mut memory).map_err(KernelError::Given)?;
    let too_many = || KernelError::Given("too many arrays".to_owned());
    let mut image = Image::load(module, &mut memory).ok_or_else(too_many)?;
    for it in &plan.constants {
        set_constant(module, &mut image, it, plan.seed).map_err(KernelError::Given)?;
    }
    let blocks: u64 = plan.grid.0.iter().map(|it| u64::from(*it)).product();
    let every = plan.sample.map_or(1, |it| blocks.div_ceil(it.max(1)).max(1));
    let of = Launch {
        grid: plan.grid.0,
        block: plan.block.0,
        dynamic_shared_bytes: plan.shared_bytes,
        parameters: &parameters,
        every,
        limit: plan.limit,
    };
    let mut observer = Observer::new(of, kernel.instructions(), plan.checks, plan.traces);
    let instructions = launch(module, kernel, &image, &of, &mut memory, &mut observer)?;
    Ok(Execution {
        signature,
        given: all,
        memory,
        counts: observer.counts,
        findings: observer.checker.map(Checker::findings).unwrap_or_default(),
        printed: observer.printed,
        instructions,
        blocks: (blocks.div_ceil(every), blocks),
        trace: observer.recorder.map(Recorder::trace),
    })
}

/// Threads of a block, and bytes of shared memory, that devices have at most.
const MOST_THREADS: u64 = 1024;
const MOST_SHARED_BYTES: u64 = 227 << 10;

fn check_shape(kernel: &KernelCode, plan: &Plan) -> Result<(), String> {
    let threads: u64 = plan.block.0.iter().map(|it| u64::from(*it)).product();
    if threads > MOST_THREADS || plan.block.0[2] > 64 {
        return Err(format!(
            "a block of {} has {threads} threads; there are at most {MOST_THREADS}, and 64 along z",
            plan.block
        ));
    }
    if plan.grid.0[1].max(plan.grid.0[2]) > 65535 || plan.grid.0[0] > i32::MAX as u32 {
        return Err(format!("a grid of {}: at most 65535 blocks along y and z", plan.grid));
    }
    let shared = kernel.shared_bytes + u64::from(plan.shared_bytes);
    if shared > MOST_SHARED_BYTES {
        return Err(format!(
            "{shared} bytes of shared memory a block; there are at most {MOST_SHARED_BYTES}"
        ));
    }
    Ok(())
}

/// With names, and as many parameters as the code has.
fn signature(kernel: &KernelCode, names: Option<&[String]>) -> Signature {
    let count = kernel.parameters().len();
    let mut signature = Signature::of(&kernel.name);
    let found = signature.parameters.take().filter(|it| it.len() == count);
    let mut parameters =
        found.unwrap_or_else(|| vec![Parameter { name: None, of: ParameterType::Other }; count]);
    let names = names.filter(|it| it.len() == count).unwrap_or_default();
    for (it, name) in parameters.iter_mut().zip(names) {
        it.name = Some(name.clone());
    }
    Signature { parameters: Some(parameters), ..signature }
}

/// What each parameter is given, and all of them as they stand in memory.
fn arguments(
    kernel: &KernelCode,
    signature: &Signature,
    plan: &Plan,
    memory: &mut GlobalMemory,
) -> Result<(Vec<Given>, Vec<u8>), String> {
    let parameters = signature.parameters.as_deref().unwrap_or_default();
    let called = |at: usize, it: &Parameter| match &it.name {
        Some(name) => format!("`{name}`"),
        None => format!("{at}"),
    };
    let is_of = |at: usize, it: &Parameter, argument: &Argument| {
        it.name.as_deref() == Some(&argument.name) || argument.name == at.to_string()
    };
    for argument in &plan.arguments {
        if !parameters.iter().enumerate().any(|(at, it)| is_of(at, it, argument)) {
            let known: Vec<String> =
                parameters.iter().enumerate().map(|(at, it)| called(at, it)).collect();
            return Err(format!(
                "--arg {}: `{}` has no such parameter; it has {}",
                argument.name,
                signature.name,
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            ));
        }
    }
    let mut bytes = vec![0; kernel.parameter_bytes()];
    let mut all = vec![];
    for (at, (it, (offset, size))) in parameters.iter().zip(kernel.parameters()).enumerate() {
        let found = plan.arguments.iter().rfind(|argument| is_of(at, it, argument));
        let Some(argument) = found else {
            return Err(format!(
                "parameter {} of `{}` is not given: {}",
                called(at, it),
                signature.name,
                example(at, it, size)
            ));
        };
        let fail = |why: String| format!("--arg {}: {why}", argument.name);
        let given =
            one(it, size, argument, plan.seed.wrapping_add(at as u64), memory).map_err(fail)?;
        let value = match &given {
            (Given::Value(value), _) => value.clone(),
            (Given::Array { .. }, address) => address.to_le_bytes().to_vec(),
        };
        bytes[offset..offset + size].copy_from_slice(&value[..size]);
        all.push(given.0);
    }
    Ok((all, bytes))
}

/// How an argument is written.
fn example(at: usize, it: &Parameter, size: usize) -> String {
    let name = it.name.clone().unwrap_or_else(|| at.to_string());
    match it.of {
        ParameterType::Number(of) => {
            let value = if of.is_float() { "2.5" } else { "1000" };
            format!("--arg {name}={value} ({})", of.name())
        }
        ParameterType::Array(of) => {
            format!("--arg {name}=random:{}[1000]", of.map_or("f32", Element::name))
        }
        ParameterType::Other => {
            format!("it has {size} bytes: --arg {name}=i32:1000, --arg {name}=random:f32[1000]")
        }
    }
}

/// What a parameter of so many bytes is given, and an array's address.
fn one(
    it: &Parameter,
    size: usize,
    argument: &Argument,
    seed: u64,
    memory: &mut GlobalMemory,
) -> Result<(Given, u64), String> {
    let typed = match it.of {
        ParameterType::Number(of) => Some(of),
        ParameterType::Array(of) => of,
        ParameterType::Other => None,
    };
    match (&argument.source, it.of) {
        (ArgumentSource::Numbers(_, texts), ParameterType::Array(_)) if texts != &["0"] => {
            Err("is an array: write random:f32[1000], zeros:f32[1000] or a file".to_owned())
        }
        (ArgumentSource::Numbers(..), ParameterType::Array(_)) => {
            Ok((Given::Value(vec![0; size]), 0))
        }
        (ArgumentSource::Numbers(stated, texts), _) => {
            let of = stated
                .or(typed)
                .ok_or_else(|| "its type is not known: say it, as in i32:1000".to_owned())?;
            let mut bytes = vec![];
            for text in texts {
                let bits = of.parse(text).map_err(|why| format!("`{text}` {why}"))?;
                bytes.extend_from_slice(&bits.to_le_bytes()[..of.bytes()]);
            }
            match bytes.len() == size {
                true => Ok((Given::Value(bytes), 0)),
                false => Err(format!("is {} bytes, and the parameter {size}", bytes.len())),
            }
        }
        (_, ParameterType::Number(of)) => Err(format!("is a number ({}), and no array", of.name())),
        _ if size != 8 => Err(format!("has {size} bytes, and an array's address has 8")),
        (source, _) => {
            let array = ArrayBytes::of(source, typed, seed)?;
            let ArrayBytes { element, columns, bytes, is_written } = array;
            let name = it.name.as_deref().unwrap_or(&argument.name);
            let count = bytes.len();
            let address = match is_written {
                true => memory.add(name, bytes),
                false => memory.add_unwritten(name, count),
            };
            let address = address.ok_or("too many arrays")?;
            let number = memory.len() - 1;
            Ok((Given::Array { number, element, columns }, address))
        }
    }
}

fn set_constant(
    module: &Module,
    image: &mut Image,
    it: &Argument,
    seed: u64,
) -> Result<(), String> {
    let fail = |why: String| format!("--constant {}: {why}", it.name);
    let found = module.constant(&it.name).ok_or_else(|| {
        let known: Vec<&str> = module.named_constants().iter().map(|it| &*it.name).collect();
        fail(match known.is_empty() {
            true => "there is no `__constant__`".to_owned(),
            false => format!("there is no such `__constant__`; there are {}", known.join(", ")),
        })
    })?;
    let bytes = match &it.source {
        ArgumentSource::Numbers(of, texts) => {
            let of = of.ok_or_else(|| fail("say its type, as in f32:1,2,3".to_owned()))?;
            let bits: Result<Vec<u64>, String> = texts.iter().map(|it| of.parse(it)).collect();
            let bits = bits.map_err(fail)?;
            bits.iter().flat_map(|it| it.to_le_bytes().into_iter().take(of.bytes())).collect()
        }
        source => ArrayBytes::of(source, None, seed).map_err(fail)?.bytes,
    };
    match image.set_constant(module, &it.name, &bytes) {
        true => Ok(()),
        false => Err(fail(format!("is {} bytes, and there are {}", bytes.len(), found.bytes))),
    }
}
