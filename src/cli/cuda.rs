//! `umm cuda`

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, Table, presets};

use super::Failure;
use super::files;
use super::options::ArrangementOption;
use super::program;
use crate::cuda::nvrtc::{self, Architecture};
use crate::cuda::resources;
use crate::emission::{self, AHEAD, Emission, Launch, MOST_AHEAD, Options};
use crate::language::program::{Nest, Program};
use crate::run::layout::Layout;
use crate::run::memory::{self, Memory};
use crate::run::race::Races;
use crate::run::{self, Accesses, Flow, Limits, Observer};
use crate::sweep::input;
use crate::units::{Threads, Width};

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum LaunchOption {
    /// The host launches a kernel for each parallel nest
    Plain,
    /// The same launches, captured once in a CUDA graph
    Graph,
    /// One cooperative kernel, with barriers of the whole grid
    Cooperative,
}

impl LaunchOption {
    pub(super) const fn launch(self) -> Launch {
        match self {
            Self::Plain => Launch::Plain,
            Self::Graph => Launch::Graph,
            Self::Cooperative => Launch::Cooperative,
        }
    }
}

/// Emit CUDA C that runs a listing on a GPU, with the same results to the last bit
#[derive(Debug, Args)]
#[command(after_help = "\
A program without parallel loops is one kernel; --bulk gives it a thread for each input. A nest of
parallel loops is one kernel, its iterations numbered in lexicographic order; what stands around the
nests is done as --launch says. Threads of one nest must not need each other's values (`umm check`).

Examples:
  umm cuda prefix_sums --bulk column -o prefix_sums.cu
  umm cuda umm_opt --launch cooperative
  umm cuda umm_opt --resources --arch 80
  umm cuda opt --bulk column --standalone -o opt.cu
  nvcc -arch=native -o opt opt.cu && ./opt 8 1048576    n = 8, p = 1048576 inputs")]
pub(super) struct Cuda {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    algorithm: OsString,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_enum, value_name = "ARRANGEMENT")]
    bulk: Option<ArrangementOption>,
    /// How sequential statements around parallel loops are done [default: plain, if the host can]
    #[arg(long, value_enum)]
    launch: Option<LaunchOption>,
    /// Iterations by which an innermost loop's reads are made early, where that changes no value; 1: none
    #[arg(long, default_value_t = AHEAD, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_AHEAD)))]
    ahead: u32,
    /// Add a main that allocates, fills with the numbers of `umm run`, runs, times and prints
    #[arg(long)]
    standalone: bool,
    /// Print what each kernel takes of a multiprocessor, as ptxas reports it, in place of the code
    #[arg(long, conflicts_with_all = ["standalone", "output"])]
    resources: bool,
    /// The architecture that --resources compiles for, as in 90 for sm_90
    #[arg(long, default_value_t = 90, requires = "resources")]
    arch: u32,
    /// Print --resources as JSON
    #[arg(long, requires = "resources")]
    json: bool,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE.cu")]
    output: Option<PathBuf>,
}

/// Values of the parameters with which a listing is tried.
const SIZES: [i64; 2] = [64, 8];
/// Operations and words of such a trial, summed over the threads: it takes a fraction of a second.
const MOST_OPERATIONS: u64 = 1 << 23;
const MOST_WORDS: u64 = 1 << 20;

/// A race of the program, if running it with parameters of `size` shows one.
fn race(program: &Program, size: i64) -> Option<String> {
    program.first_parallel_loop()?;
    let given = |name: &str| {
        let parameter = program.parameters.iter().find(|it| it.name == name)?;
        parameter.default.is_none().then_some(size)
    };
    let layout = Layout::new(program, given, Width::new(1).ok()?, None).ok()?;
    let mut memory =
        if layout.words <= MOST_WORDS { Memory::new(&layout).ok()? } else { return None };
    for id in memory::given(program) {
        let array = &program.arrays[id.0];
        let extents = &layout.regions[id.0].extents;
        let numbers = input::random(input::distribution(program, array), id.0, extents, 0, 1);
        memory.fill(&layout, id, 0, &memory::encode(array.element, &numbers).ok()?);
    }
    let threads = Threads::new(1024).ok()?;
    let limits = Limits { threads, while_iterations: MOST_OPERATIONS };
    let mut observers = (Races::new(program, &layout), Budget(MOST_OPERATIONS));
    // What fails, or takes too long, may have shown a race before.
    let _ = run::execute(program, &layout, &mut memory, limits, &mut observers);
    let raced = *observers.0.finish()?.first()?;
    let parameters = program.parameters.iter().zip(&layout.parameters);
    let sizes: Vec<String> =
        parameters.map(|(it, value)| format!("{} = {value}", it.name)).collect();
    let what = raced.describe(program, &layout);
    Some(format!("RACE, as with {}: {what}: results are open (`umm check`).", sizes.join(", ")))
}

/// Operations that an execution has left.
struct Budget(u64);

impl Observer for Budget {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn flow(&mut self, flow: Flow<'_>) {
        let threads = match &flow {
            Flow::Computed { active, .. } => active.count(),
            _ => 1,
        };
        self.0 = self.0.saturating_sub(threads as u64);
    }

    fn has_seen_enough(&self) -> bool {
        self.0 == 0
    }
}

impl Cuda {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (program, _) = program::load(&self.algorithm)?;
        let launch = match self.launch {
            Some(launch) => launch.launch(),
            None => emission::launches(&program)[0],
        };
        let options = Options {
            bulk: self.bulk.map(ArrangementOption::arrangement),
            launch,
            ahead: self.ahead,
            standalone: self.standalone,
        };
        let mut emission = emission::emit(&program, options)?;
        if let Some(race) = SIZES.into_iter().find_map(|size| race(&program, size)) {
            emission.remark(&race);
        }
        if self.resources {
            return self.print_resources(&emission);
        }
        match &self.output {
            Some(path) => files::write(path, |file| file.write_all(emission.source.as_bytes())),
            None => files::print(&emission.source),
        }
    }

    fn print_resources(&self, emission: &Emission) -> Result<(), Failure> {
        let architecture = Architecture(self.arch);
        let ptx = nvrtc::compile_ptx(&emission.source, architecture)?;
        let mut found = resources::of_ptx(&ptx, &architecture.to_string()).map_err(|error| {
            Failure::run(match error.kind() {
                ErrorKind::NotFound => {
                    "no ptxas: install it (pip install nvidia-cuda-nvcc, or the \
                                        CUDA toolkit) and name its folder in PATH"
                        .to_owned()
                }
                _ => error.to_string(),
            })
        })?;
        let kernels = &emission.kernels;
        found.sort_by_key(|it| kernels.iter().position(|kernel| kernel.name == it.kernel));
        if self.json {
            return files::print_json(&found);
        }
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(["kernel", "registers", "shared", "stack", "spill stores", "spill loads"]);
        for it in &found {
            let bytes = |bytes: u64| format!("{bytes} B");
            table.add_row([
                it.kernel.clone(),
                it.registers.to_string(),
                bytes(it.shared_bytes),
                bytes(it.stack_bytes),
                bytes(it.spill_store_bytes),
                bytes(it.spill_load_bytes),
            ]);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        files::print(&format!("{architecture}\n{}\n", table.trim_fmt()))
    }
}
