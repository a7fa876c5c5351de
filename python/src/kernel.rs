//! Kernels from outside: launched on numpy's arrays.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memory_machine::case::replay::ReplayReport;
use memory_machine::gpu::toolchain::{CompileOptions, assemble_text, compile, machine_code};
use memory_machine::kernel::{
    Argument, ArgumentSource, ArrayBytes, DeclaredTypes, Element, Execution, GivenValue,
    KernelReport, MOST_INSTRUCTIONS, Parameter, ParameterType, Plan, Prepared, Shape, SourceTable,
    choose, disassembly_text, known_parameters, machine_trace, page, source_text,
};
use memory_machine::models::Model;
use memory_machine::predict::{KernelLaunch, KernelPrediction};
use memory_machine::run::{LimitAmount, WorkLimit};
use memory_machine::sass::{self, KernelCode, Module, Variable};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::error;
use crate::interrupt::{Stop, interruptible};
use crate::measurements::calibration;
use crate::setting::{MachineSetting, json, model, word};

/// A module's code, and which of its kernels is meant.
#[derive(Clone)]
struct Code {
    module: Arc<Module>,
    number: usize,
    /// What messages call the file, and its text, if it is CUDA C.
    file: Arc<(String, Option<String>)>,
}

impl Code {
    fn kernel(&self) -> &KernelCode {
        &self.module.kernels[self.number]
    }

    /// A source's text: its own, which compilers put into some folder, or a file's.
    fn text(&self, path: &str) -> Option<String> {
        let (name, text) = &*self.file;
        match text {
            Some(text) if Path::new(path).ends_with(name) => Some(text.clone()),
            _ => source_text(path),
        }
    }
}

/// A kernel's machine code.
#[pyclass(frozen, module = "memory_machine._native")]
pub struct Kernel {
    code: Code,
    types: DeclaredTypes,
}

/// For the compiler.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct CompileSetting {
    defines: Vec<String>,
    includes: Vec<PathBuf>,
    instances: Vec<String>,
    tools: Vec<PathBuf>,
}

/// What a parameter is given.
#[derive(FromPyObject)]
enum GivenArgument<'py> {
    /// As the command line has it.
    Text(String),
    /// A number's or a structure's.
    Bytes(PyBackedBytes),
    /// A number, or several of a structure, of a stated type or that of the signature.
    Number(Option<String>, String),
    /// The type of an array, its columns, and its bytes.
    Array(String, usize, PyReadonlyArray1<'py, u8>),
    /// How an array is looked up, in the words of the command line, and the array.
    Texture(String, (String, usize, PyReadonlyArray1<'py, u8>)),
}

impl GivenArgument<'_> {
    fn source(&self) -> PyResult<ArgumentSource> {
        let element = |name: &str| {
            Element::of(name).ok_or_else(|| error(format_args!("`{name}` is no type of number")))
        };
        let array = |of: &str, columns, bytes: &PyReadonlyArray1<'_, u8>| -> PyResult<_> {
            Ok(ArgumentSource::Array(Arc::new(ArrayBytes {
                element: element(of)?,
                columns,
                bytes: bytes.as_array().to_vec(),
                is_written: true,
            })))
        };
        Ok(match self {
            Self::Text(text) => text.parse().map_err(error)?,
            Self::Bytes(bytes) => ArgumentSource::Bytes(bytes.to_vec()),
            Self::Number(of, text) => {
                let of = of.as_deref().map(element).transpose()?;
                ArgumentSource::Numbers(of, text.split(',').map(str::to_owned).collect())
            }
            Self::Array(of, columns, bytes) => array(of, *columns, bytes)?,
            Self::Texture(words, (of, columns, bytes)) => {
                ArgumentSource::view(words, array(of, *columns, bytes)?).map_err(error)?
            }
        })
    }
}

/// How a kernel is launched.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct LaunchSetting<'py> {
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    arguments: Vec<(String, GivenArgument<'py>)>,
    constants: Vec<(String, GivenArgument<'py>)>,
    seed: u64,
    sample: Option<u64>,
    limit: Vec<String>,
    unchecked: bool,
}

impl LaunchSetting<'_> {
    fn plan(&self) -> PyResult<(Plan, WorkLimit)> {
        let all = |given: &[(String, GivenArgument<'_>)]| -> PyResult<Vec<Argument>> {
            let one = |(name, given): &(String, GivenArgument<'_>)| {
                Ok(Argument { name: name.clone(), source: given.source()? })
            };
            given.iter().map(one).collect()
        };
        let limit = self.limit.iter().try_fold(WorkLimit::NONE, |all, it| {
            let amount = it.parse::<LimitAmount>();
            amount.map(|it| all.and(it)).map_err(|why| error(format_args!("limit={it:?}: {why}")))
        })?;
        let plan = Plan {
            grid: Shape(self.grid),
            block: Shape(self.block),
            shared_bytes: self.shared,
            arguments: all(&self.arguments)?,
            constants: all(&self.constants)?,
            seed: self.seed,
            sample: self.sample,
            limit: limit.operations.unwrap_or(MOST_INSTRUCTIONS),
            checks: !self.unchecked,
            constant_types: vec![],
            traces: false,
        };
        Ok((plan, limit))
    }
}

#[pymethods]
impl Kernel {
    /// `kind` says what is given: "file", "cu", "ptx", "cubin"; `name` is the file, or what messages call it.
    #[new]
    fn new(
        py: Python<'_>,
        kind: &str,
        given: PyBackedBytes,
        name: String,
        kernel: Option<String>,
        setting: CompileSetting,
    ) -> PyResult<Self> {
        let CompileSetting { defines, includes, instances, tools } = setting;
        let is_for_types = false;
        let options = CompileOptions { defines, includes, instances, tools, is_for_types };
        let text = || String::from_utf8_lossy(&given).into_owned();
        let own = (kind == "cu").then(text);
        let code = |options: &CompileOptions| match kind {
            "file" => machine_code(name.as_ref(), options).map_err(error),
            "cu" => compile(&text(), name.as_ref(), options).map_err(error),
            "ptx" => assemble_text(&text(), options).map_err(error),
            _ => Ok(given.to_vec()),
        };
        let compiled = interruptible(py, |_| code(&options))?;
        let module = sass::read(&compiled).map_err(|why| error(format_args!("{name}: {why}")))?;
        let chosen = choose(&module, kernel.as_deref(), &name).map_err(error)?;
        let is_it = |it: &KernelCode| std::ptr::eq(it, chosen);
        let number = module.kernels.iter().position(is_it).unwrap_or_default();
        let is_source = own.is_some() || name.ends_with(".cu") || name.ends_with(".cuh");
        let file = Arc::new((name.clone(), own));
        let own = Code { module: Arc::new(module), number, file };
        let source = is_source.then_some(name.as_str());
        let known = known_parameters(source, own.kernel(), |it| own.text(it));
        let for_types = CompileOptions { is_for_types: true, ..options };
        let untyped = |it: &Variable| Argument {
            name: it.name.clone(),
            source: ArgumentSource::Numbers(None, vec![]),
        };
        let constants: Vec<Argument> = own.module.named_constants().iter().map(untyped).collect();
        let types = interruptible(py, |_| {
            let debug = std::iter::once_with(|| code(&for_types).ok()).flatten();
            Ok(DeclaredTypes::new(known, own.kernel(), (&[], &constants), debug))
        })?;
        Ok(Self { code: own, types })
    }

    /// As the compiler calls it.
    #[getter]
    fn mangled(&self) -> &str {
        &self.code.kernel().name
    }

    #[getter]
    fn name(&self) -> String {
        self.signature().0
    }

    /// Of each parameter the name, the type, whether it is an array, and bytes; and the same of its members.
    #[getter]
    fn parameters(&self) -> Vec<KnownParameter> {
        let sizes = self.code.kernel().parameters();
        let one = |(it, (_, bytes)): (Parameter, (usize, usize))| {
            let members = it.members.into_iter();
            let members = members.map(|it| (it.path, known_type(it.of, it.bytes))).collect();
            (it.name, known_type(it.of, bytes), members)
        };
        self.signature().1.into_iter().zip(sizes).map(one).collect()
    }

    fn launch(&self, py: Python<'_>, setting: LaunchSetting<'_>) -> PyResult<KernelRun> {
        let (mut plan, limit) = setting.plan()?;
        let (code, known) = (self.code.clone(), self.types.parameters.as_deref());
        plan.constant_types.clone_from(&self.types.constants);
        interruptible(py, move |stop| {
            let before = Prepared::new(&code.module, code.kernel(), known, &plan);
            let before = before.map_err(error)?;
            // What was given is in memory now.
            plan.arguments.clear();
            let execution = execute(&code, before.clone(), &plan, stop, limit)?;
            Ok(KernelRun { code, plan, limit, before, execution })
        })
    }
}

/// What is known of a parameter's type: its name, whether it is an array, and bytes.
type KnownType = (Option<&'static str>, bool, usize);

/// A parameter's name and type, and those of its members by their paths.
type KnownParameter = (Option<String>, KnownType, Vec<(String, KnownType)>);

fn known_type(of: ParameterType, bytes: usize) -> KnownType {
    match of {
        ParameterType::Number(of) => (Some(of.name()), false, bytes),
        ParameterType::Array(of) => (of.map(Element::name), true, bytes),
        ParameterType::Linked => (None, true, bytes),
        ParameterType::Other | ParameterType::VirtualTable => (None, false, bytes),
    }
}

impl Kernel {
    fn signature(&self) -> (String, Vec<Parameter>) {
        let signature = Prepared::signature(self.code.kernel(), self.types.parameters.as_deref());
        (signature.name, signature.parameters.unwrap_or_default())
    }
}

/// What unwinds from a launch whose time is over.
struct Over;

fn execute(
    code: &Code,
    prepared: Prepared,
    plan: &Plan,
    stop: &Stop,
    limit: WorkLimit,
) -> PyResult<Execution> {
    let watch = || {
        stop.check();
        if limit.time.is_some_and(|it| it.is_over()) {
            resume_unwind(Box::new(Over));
        }
    };
    let run = || prepared.execute_watched(&code.module, code.kernel(), plan, &watch);
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(execution) => execution.map_err(error),
        Err(why) if why.is::<Over>() => {
            let time = limit.time.map(|it| LimitAmount::Time(it.time).to_string());
            Err(error(format_args!(
                "stopped at the limit of {}; raise --limit, or launch fewer blocks",
                time.unwrap_or_default()
            )))
        }
        Err(why) => resume_unwind(why),
    }
}

/// A launch that was executed, with the memory before and after it.
#[pyclass(frozen, module = "memory_machine._native")]
pub struct KernelRun {
    code: Code,
    plan: Plan,
    limit: WorkLimit,
    before: Prepared,
    execution: Execution,
}

/// An array after the launch: its type, its columns, its bytes.
type Held<'py> = (&'static str, usize, Bound<'py, PyArray1<u8>>);

#[pymethods]
impl KernelRun {
    /// As `umm kernel --json` prints it.
    #[getter]
    fn json(&self) -> PyResult<String> {
        self.report(None)
    }

    /// The source with what each line takes.
    #[getter]
    fn html(&self) -> String {
        let table = self.table(None);
        let report = self.plain(&table);
        let code = (report.kernel, &report.execution.counts[..]);
        page(&report.title(), &report.subtitle(), &table, code, |it| self.code.text(it))
    }

    /// The machine code below the lines that it is of.
    #[getter]
    fn sass(&self) -> String {
        let name = &self.execution.signature.name;
        disassembly_text(name, self.code.kernel(), |it| self.code.text(it))
    }

    /// By the parameter's name or place; `None` if it is given no array.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Held<'py>>> {
        let Some(parameter) = self.execution.parameter(name) else {
            let names: Vec<&str> = self.execution.given.iter().map(|it| &*it.name).collect();
            return Err(error(format_args!(
                "`{}` has no parameter {name}; it has {}",
                self.execution.signature.name,
                names.join(", ")
            )));
        };
        let held = self.execution.array(parameter);
        Ok(held.map(|(bytes, of, columns)| (of.name(), columns, PyArray1::from_slice(py, bytes))))
    }

    /// Whether the kernel wrote into the array of a parameter, or of a member of one.
    fn is_written(&self, name: &str) -> bool {
        let given = self.execution.parameter(name).and_then(|it| self.execution.given.get(it));
        let Some(GivenValue::Array { number, .. }) = given.map(|it| &it.value) else {
            return false;
        };
        self.execution.arrays.get(*number).is_some_and(|it| it[1])
    }

    /// The launch's accesses on a memory machine, as JSON.
    fn replay(&self, py: Python<'_>, machine: MachineSetting, mode: &str) -> PyResult<String> {
        let (machine, mode) = (machine.machine()?, word("mode", mode)?);
        interruptible(py, |stop| {
            let plan = Plan { traces: true, checks: false, ..self.plan.clone() };
            let done = execute(&self.code, self.before.clone(), &plan, stop, self.limit)?;
            let trace = done.trace.as_ref().ok_or_else(|| error("no trace was kept"))?;
            let trace = machine_trace(trace, machine).map_err(error)?.trace;
            json(&ReplayReport::new(machine, mode, &trace))
        })
    }

    /// As `umm kernel --json --model` prints it.
    fn predict(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let model = model(name)?;
        interruptible(py, |_| {
            let launch = KernelLaunch {
                module: &self.code.module,
                kernel: self.code.kernel(),
                plan: &self.plan,
                prepared: &self.before,
                execution: &self.execution,
            };
            let predicted = launch.predict(calibration(&model)?).map_err(error)?;
            self.report(Some((&model, &predicted)))
        })
    }
}

impl KernelRun {
    fn table(&self, predicted: Option<&KernelPrediction>) -> SourceTable {
        let predicted = predicted.map(|it| &it.instructions[..]);
        let text = |it: &str| self.code.text(it);
        SourceTable::new(self.code.kernel(), &self.execution.counts, predicted, text)
    }

    fn plain<'a>(&'a self, table: &'a SourceTable) -> KernelReport<'a> {
        let (plan, execution) = (&self.plan, &self.execution);
        let kernel = self.code.kernel();
        KernelReport { kernel, plan, execution, table, time: None, predicted: None }
    }

    fn report(&self, predicted: Option<(&Model, &KernelPrediction)>) -> PyResult<String> {
        let table = self.table(predicted.map(|it| it.1));
        json(&KernelReport { predicted, ..self.plain(&table) })
    }
}
