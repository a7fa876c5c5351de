//! `umm kernel`

mod render;
mod results;
mod sequence;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use self::render::text;
use self::results::Results;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::limits::watch;
use crate::cli::support::options::{MachineOptions, os, source, whole};
use crate::cli::support::progress::spin;
use crate::gpu::toolchain::{CompileOptions, machine_code};
use crate::host::files::ends;
use crate::kernel::{
    Argument, KernelError, KernelReport, MOST_INSTRUCTIONS, Parameter, Plan, Prepared, Shape,
    SourceTable, choose, known_parameters, machine_trace, page, source_text,
};
use crate::machine::{self, Counts};
use crate::predict::KernelLaunch;
use crate::run::{LimitAmount, WorkLimit};
use crate::sass::{self, KernelCode};
use crate::whole_number;

/// Execute a CUDA kernel without a GPU, count it line by line, and check it
///
/// The kernel's machine code (for sm_90) is executed with values, whole grids, block after block: a .cu is
/// compiled by nvcc or NVRTC, a .ptx by ptxas, a .cubin is taken as it is, of a .fatbin what is
/// for sm_90. What goes wrong on the way (an
/// access beyond an array, a race, reading what was never written) is named with its line, and ends with exit
/// code 1. docs/kernels.md says how each number is defined.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm kernel kernels/cuda/saxpy.cu --grid 4 --block 256 --arg n=1000 --arg a=2.5 --arg x=random:f32[1000] --arg y=ones:f32[1000]
  umm kernel kernels/cuda/transpose.cu --kernel naive --grid 2x2 --block 32x32 --arg n=64 --arg in=count:f32[4096] --arg out=zeros:f32[4096]
  umm kernel kernels/cuda/transpose.cu --kernel padded --grid 32x32 --block 32x32 --arg n=1024 --arg in=count:f32[1024x1024] --arg out=zeros:f32[1024x1024] --model h100
  umm kernel kernels/cuda/reduce.cu --kernel reduce --block 256 --arg n=4096 --arg x=ones:f32[4096] --arg sum=zeros:f32[1] -m hmm -d 4
  umm kernel kernels/cuda/jacobi.toml --output a=a.csv
  umm kernel mine.cu --grid 64x64 --block 16x16 --sample 32 --arg 0=f32:a.npy --html mine.html")]
pub(super) struct Kernel {
    /// A file .cu, .ptx, .cubin or .fatbin; or a .toml of several launches
    file: PathBuf,
    /// Which kernel, by its name or the compiler's [default: the only one]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Blocks, as in 64, 64x2 or 8x8x8
    #[arg(long, value_name = "XxYxZ", default_value = "1")]
    grid: Shape,
    /// Threads of a block
    #[arg(long, value_name = "XxYxZ", default_value = "32")]
    block: Shape,
    /// A parameter, by its name or its place from 0 on: a number; random, zeros, ones, count or
    /// unwritten with a type and extents, as in random:f32[64x64]; a file .csv or .npy; numbers of a
    /// structure, as in i32:1,2,3; repeatable
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    arguments: Vec<Argument>,
    /// A `__constant__` of the source, likewise; repeatable
    #[arg(long = "constant", value_name = "NAME=VALUE")]
    constants: Vec<Argument>,
    /// Dynamic shared memory of a block, in bytes or as in 48K
    #[arg(long, value_name = "BYTES", default_value = "0", value_parser = bytes)]
    shared: u32,
    /// Seed of random numbers
    #[arg(long, default_value = "0", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Execute so many blocks alone, spread evenly over the grid; arrays then hold a part of the results
    #[arg(long, value_name = "BLOCKS", value_parser = blocks)]
    sample: Option<u64>,
    /// Look for no races, which makes it faster
    #[arg(long)]
    unchecked: bool,
    /// End with exit code 1 when so much time is over, as in 10s or 2min, or after so many warp
    /// instructions, as in 1e9; repeatable [default: 17179869184 instructions]
    #[arg(long = "limit", value_name = "TIME|COUNT", value_parser = str::parse::<LimitAmount>)]
    limits: Vec<LimitAmount>,
    #[command(flatten)]
    machine: MachineOptions,
    /// A macro for the compiler, as in N=64; repeatable
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// A folder of headers; repeatable
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    includes: Vec<PathBuf>,
    /// An instance of a template that is to be compiled, as in 'f<float, 4>'; repeatable
    #[arg(long = "instance", value_name = "NAME<…>")]
    instances: Vec<String>,
    /// What an array must hold afterwards: a file .csv or .npy; repeatable
    #[arg(long = "expect", value_name = "NAME=FILE", value_parser = os(source))]
    expected: Vec<(String, OsString)>,
    /// How far results may be from --expect: absolutely below 1, else relatively
    #[arg(long, value_name = "T", default_value = "0", value_parser = tolerance)]
    tolerance: f64,
    /// Write an array afterwards, as a .npy, or with one row a line; repeatable
    #[arg(long = "output", value_name = "NAME=FILE.csv|.npy", value_parser = os(source))]
    outputs: Vec<(String, OsString)>,
    /// Write the source with what each line takes as a page
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Write what each warp does as a trace of Accel-Sim
    #[arg(long, value_name = "FILE.traceg")]
    trace: Option<PathBuf>,
    /// (It draws no pictures.)
    #[arg(long, value_name = "FILE.svg|.png", hide = true)]
    draw: Option<PathBuf>,
    /// Lines of the table
    #[arg(long, value_name = "COUNT", default_value = "12", value_parser = whole::<usize>(0..=1 << 20))]
    lines: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `32`, or `blocks=32`.
fn blocks(text: &str) -> Result<u64, String> {
    let number = text.strip_prefix("blocks=").unwrap_or(text);
    let count = whole_number::read(number).ok().and_then(|it| u64::try_from(it).ok());
    count.filter(|it| *it > 0).ok_or_else(|| "write a number of blocks, as in 32".to_owned())
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|it| it.is_finite() && *it >= 0.0);
    number.ok_or_else(|| "it must be a number from 0 on, such as 1e-6".to_owned())
}

/// Bytes of shared memory that devices have at most.
const MOST_SHARED_BYTES: u64 = 227 << 10;

fn bytes(text: &str) -> Result<u32, String> {
    let units = ["KiB", "KB", "K", "k"];
    let (digits, unit) = match units.iter().find_map(|it| text.strip_suffix(it)) {
        Some(digits) => (digits, 1024),
        None => (text, 1),
    };
    let count = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse::<u64>().ok(),
    };
    let count = count.and_then(|it| it.checked_mul(unit));
    match count {
        Some(it) if it <= MOST_SHARED_BYTES => Ok(it as u32),
        Some(_) => Err(format!("a block has at most {MOST_SHARED_BYTES}")),
        None => Err("write bytes, as in 4096 or 48K".to_owned()),
    }
}

/// Of so many findings.
fn verdict(findings: usize) -> Result<(), Failure> {
    match findings {
        0 => Ok(()),
        1 => Err(Failure::run("one thing is wrong; see above")),
        count => Err(Failure::run(format_args!("{count} things are wrong; see above"))),
    }
}

/// What the source says of the kernel's parameters.
fn known(file: &Path, kernel: &KernelCode) -> Option<Vec<Parameter>> {
    let is_source = ends(file, "cu") || ends(file, "cuh");
    let own = is_source.then(|| file.to_string_lossy());
    known_parameters(own.as_deref(), kernel, source_text)
}

fn failed(error: KernelError) -> Failure {
    match error {
        KernelError::Given(why) => Failure::input(why),
        KernelError::Fault(fault) => Failure::run(fault),
    }
}

impl Kernel {
    fn code(&self, file: &Path) -> Result<Vec<u8>, Failure> {
        let options = CompileOptions {
            defines: self.defines.clone(),
            includes: self.includes.clone(),
            instances: self.instances.clone(),
            tools: vec![],
        };
        machine_code(file, &options).map_err(Failure::input)
    }

    fn plan(&self, traces: bool) -> Plan {
        Plan {
            grid: self.grid,
            block: self.block,
            shared_bytes: self.shared,
            arguments: self.arguments.clone(),
            constants: self.constants.clone(),
            seed: self.seed,
            sample: self.sample,
            limit: self.limit().operations.unwrap_or(MOST_INSTRUCTIONS),
            checks: !self.unchecked,
            traces,
        }
    }

    fn limit(&self) -> WorkLimit {
        self.limits.iter().fold(WorkLimit::NONE, |all, it| all.and(*it))
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        if let Some(time) = self.limit().time {
            watch(time, "; raise --limit, or launch fewer blocks");
        }
        if self.draw.is_some() {
            return Err(Failure::input(
                "--draw: a kernel is not drawn; --html FILE shows its source with what each line takes, and \
                 --trace FILE writes what each warp does",
            ));
        }
        if ends(&self.file, "toml") {
            return self.launches();
        }
        let own = self.html.iter().chain(&self.trace).cloned();
        files::check_outputs(self.outputs.iter().map(|it| PathBuf::from(&it.1)).chain(own))?;
        let code = spin("compiling", || self.code(&self.file))?;
        let name = self.file.display();
        let module =
            sass::read(&code).map_err(|it| Failure::input(format_args!("{name}: {it}")))?;
        let kernel = choose(&module, self.kernel.as_deref(), &name.to_string());
        let kernel = kernel.map_err(Failure::input)?;
        let known = known(&self.file, kernel);
        // A calibrated machine predicts seconds; only one that is named counts time units, too.
        let device = self.machine.model().and_then(|it| it.calibration.as_ref());
        let is_timed = self.machine.is_named() || device.is_none() && self.machine.is_given();
        let plan = self.plan(is_timed);
        let machine = self.machine.machine()?;
        let mode = self.machine.mode();
        let prepared = Prepared::new(&module, kernel, known.as_deref(), &plan).map_err(failed)?;
        if let Some(path) = &self.trace {
            self.write_trace(path, prepared.clone(), (&module, kernel, &plan))?;
        }
        // A prediction begins with the arrays as they are before the launch.
        let before = device.is_some().then(|| prepared.clone());
        let execution = spin("executing", || prepared.execute(&module, kernel, &plan));
        let execution = execution.map_err(failed)?;
        let predict = |(device, prepared)| {
            let (module, plan, execution) = (&module, &plan, &execution);
            let launch = KernelLaunch { module, kernel, plan, prepared, execution };
            spin("predicting", || launch.predict(device)).map_err(Failure::input)
        };
        let predicted = device.zip(before.as_ref()).map(predict).transpose()?;
        let counts: Option<Counts> = match &execution.trace {
            Some(trace) => {
                let trace = machine_trace(trace, machine).map_err(Failure::input)?;
                Some(machine::time(machine, mode, &trace))
            }
            None => None,
        };
        let stalls = predicted.as_ref().map(|it| &it.stalls[..]);
        let table = SourceTable::new(kernel, &execution.counts, stalls, source_text);
        let arrays = (0..execution.given.len()).filter(|it| execution.array(*it).is_some());
        let names = arrays.map(|it| execution.name(it)).collect();
        let find = |name: &str| execution.array(execution.parameter(name)?);
        let results = Results { find: &find, names };
        self.write_outputs(&results)?;
        let report = KernelReport {
            kernel,
            plan: &plan,
            execution: &execution,
            table: &table,
            time: counts.map(|it| (machine, mode, it)),
            predicted: self.machine.model().zip(predicted.as_ref()),
        };
        if let Some(path) = &self.html {
            let (title, subtitle) = (report.title(), report.subtitle());
            let page = page(&title, &subtitle, &table, source_text);
            files::write(path, |out| out.write_all(page.as_bytes()))?;
        }
        match self.json {
            true => files::print_json(&report)?,
            false => files::print(&text(&report, self.lines))?,
        }
        self.check(&results)?;
        verdict(execution.findings.len())
    }
}
