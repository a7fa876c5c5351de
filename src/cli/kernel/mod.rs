//! `umm kernel`

mod render;
mod results;
mod sequence;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use self::render::text;
use self::results::Results;
use crate::chart::pipeline::Picture;
use crate::chart::{self, Theme};
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::kernel_launch::{LaunchOptions, failed};
use crate::cli::support::kernel_pipeline::KernelPipeline;
use crate::cli::support::limits::watch;
use crate::cli::support::options::{MachineOptions, os, source, whole};
use crate::cli::support::picture::{encode, picture};
use crate::cli::support::progress::spin;
use crate::host::files::ends;
use crate::kernel::{
    DisassemblyRow, KernelReport, Plan, Prepared, Signature, SourceTable, choose, disassembly,
    disassembly_text, machine_trace, page, source_text,
};
use crate::machine::{self, Counts, TooLarge};
use crate::number::tolerance;
use crate::predict::KernelLaunch;
use crate::run::{LimitAmount, WorkLimit};
use crate::sass::{KernelCode, Module};
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
  umm kernel kernels/cuda/saxpy.cu --block 32 --arg n=32 --arg a=2 --arg x=ones:f32[32] --arg y=ones:f32[32] -m umm -l 5 --draw saxpy.svg
  umm kernel kernels/cuda/transpose.cu --kernel padded --sass
  umm kernel kernels/cuda/jacobi.toml --output a=a.csv
  umm kernel mine.cu --grid 64x64 --block 16x16 --sample 32 --arg 0=f32:a.npy --html mine.html")]
pub(super) struct Kernel {
    /// A file .cu, .ptx, .cubin or .fatbin; or a .toml of several launches
    file: PathBuf,
    #[command(flatten)]
    launch: LaunchOptions,
    /// Seed of random numbers
    #[arg(long, default_value = "0", value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Execute so many blocks alone, one of each of so many parts of the grid, drawn by --seed, and say how far
    /// what they say of all may be wrong; arrays then hold a part of the results
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
    /// What an array must hold afterwards: a file .csv or .npy; repeatable
    #[arg(long = "expect", value_name = "NAME=FILE", value_parser = os(source))]
    expected: Vec<(String, OsString)>,
    /// How far results may be from --expect: absolutely below 1, else relatively
    #[arg(long, value_name = "T", default_value = "0", value_parser = tolerance, requires = "expected")]
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
    /// Draw the way of its accesses through the machine's pipeline (-m, -w, -l): of a small launch; of a
    /// part of one by `umm explain`
    #[arg(short = 'o', long, value_name = "FILE.svg|.png", value_parser = os(picture))]
    draw: Option<PathBuf>,
    /// Print the machine code beside the source instead of executing it: of all kernels, or of --kernel
    #[arg(long, conflicts_with_all = OF_EXECUTION)]
    sass: bool,
    /// Charge what is inlined to the line where it stands, not to the one that calls it
    #[arg(long)]
    inlined: bool,
    /// Lines of the table
    #[arg(long, value_name = "COUNT", default_value = "12", value_parser = whole::<usize>(0..=1 << 20),
        conflicts_with = "json")]
    lines: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What says something to a launch alone.
const OF_EXECUTION: [&str; 24] = [
    "grid",
    "block",
    "arguments",
    "constants",
    "shared",
    "seed",
    "sample",
    "unchecked",
    "limits",
    "machine",
    "model",
    "width",
    "latency",
    "dmms",
    "shared_latency",
    "resident",
    "mode",
    "expected",
    "outputs",
    "html",
    "trace",
    "draw",
    "lines",
    "tolerance",
];

/// `32`, or `blocks=32`.
fn blocks(text: &str) -> Result<u64, String> {
    let number = text.strip_prefix("blocks=").unwrap_or(text);
    let count = whole_number::read(number).ok().and_then(|it| u64::try_from(it).ok());
    count.filter(|it| *it > 0).ok_or_else(|| "write a number of blocks, as in 32".to_owned())
}

/// Of so many findings.
fn verdict(findings: usize) -> Result<(), Failure> {
    match findings {
        0 => Ok(()),
        1 => Err(Failure::run("one thing is wrong; see above")),
        count => Err(Failure::run(format_args!("{count} things are wrong; see above"))),
    }
}

impl Kernel {
    fn plan(&self, traces: bool) -> Plan {
        let plan = self.launch.plan(self.seed, self.limit());
        Plan { sample: self.sample, checks: !self.unchecked, traces, ..plan }
    }

    fn limit(&self) -> WorkLimit {
        self.limits.iter().fold(WorkLimit::NONE, |all, it| all.and(*it))
    }

    /// A file's machine code, with its lines as they are wanted.
    fn module(&self, file: &Path) -> Result<Module, Failure> {
        let mut module = self.launch.module(file)?;
        if self.inlined {
            module.kernels.iter_mut().for_each(KernelCode::charge_inlined);
        }
        Ok(module)
    }

    /// Prints the machine code of one kernel, or of all.
    fn disassemble(&self) -> Result<(), Failure> {
        let module = self.module(&self.file)?;
        let name = self.file.display().to_string();
        let kernels: Vec<&KernelCode> = match (&self.launch.kernel, module.kernels.is_empty()) {
            (None, false) => module.kernels.iter().collect(),
            (name_of, _) => {
                vec![choose(&module, name_of.as_deref(), &name).map_err(Failure::input)?]
            }
        };
        let name = |it: &KernelCode| Signature::of(&it.name).name;
        if self.json {
            let all: BTreeMap<String, Vec<DisassemblyRow>> =
                kernels.iter().map(|it| (it.name.clone(), disassembly(it))).collect();
            return files::print_json(&all);
        }
        let texts: Vec<String> =
            kernels.iter().map(|it| disassembly_text(&name(it), it, source_text)).collect();
        files::print(&texts.join("\n"))
    }

    /// Draws the whole launch.
    fn draw(&self, path: &Path, of: &KernelPipeline<'_>) -> Result<(), Failure> {
        let remedy = format!(
            "`umm explain {}` with --steps 1..9 or --warps 0 and this launch's flags draws a part of it",
            self.file.display()
        );
        let diagram = of.diagram(self.machine.mode(), |_, _| true).map_err(|stages| {
            Failure::input(format_args!("--draw: {}; {remedy}", TooLarge::Stages(stages)))
        })?;
        let picture = Picture { source: Some(of), ..(&diagram).into() };
        let encoded = encode(&chart::pipeline::scene(picture, Theme::Light), path)?;
        files::write(path, |out| out.write_all(&encoded))
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        if let Some(time) = self.limit().time {
            watch(time, "; raise --limit, or launch fewer blocks");
        }
        if ends(&self.file, "toml") {
            return self.launches();
        }
        if self.sass {
            return self.disassemble();
        }
        let own = self.html.iter().chain(&self.trace).chain(&self.draw).cloned();
        files::check_outputs(self.outputs.iter().map(|it| PathBuf::from(&it.1)).chain(own))?;
        // A calibrated machine predicts seconds; only one that is named counts time units, too.
        let device = self.machine.model().and_then(|it| it.calibration.as_ref());
        let is_timed = self.machine.is_named() || device.is_none() && self.machine.is_given();
        if let Some(flag) =
            self.machine.details().next().filter(|_| !is_timed && self.draw.is_none())
        {
            return Err(Failure::input(format_args!(
                "{flag}: it is a memory machine's, and none counts here; say -m umm, dmm or hmm, too, or leave \
                 it out"
            )));
        }
        let module = self.module(&self.file)?;
        let (kernel, types) = self.launch.kernel(&self.file, &module)?;
        let plan = self.plan(is_timed || self.draw.is_some());
        let plan = Plan { constant_types: types.constants, ..plan };
        let machine = self.machine.machine()?;
        let mode = self.machine.mode();
        let prepared = Prepared::new(&module, kernel, types.parameters.as_deref(), &plan);
        let prepared = prepared.map_err(failed)?;
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
        let counts: Option<Counts> = match execution.trace.as_ref().filter(|_| is_timed) {
            Some(trace) => {
                let trace = machine_trace(trace, machine).map_err(Failure::input)?.trace;
                Some(machine::time(machine, mode, &trace))
            }
            None => None,
        };
        if let Some(path) = &self.draw {
            self.draw(path, &KernelPipeline::new(kernel, &execution, machine)?)?;
        }
        let of_instructions = predicted.as_ref().map(|it| &it.instructions[..]);
        let table = SourceTable::new(kernel, &execution.counts, of_instructions, source_text);
        let find = |name: &str| execution.array(execution.parameter(name)?);
        let results = Results { find: &find, names: execution.array_names() };
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
            let page = page(&title, &subtitle, &table, (kernel, &execution.counts), source_text);
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
