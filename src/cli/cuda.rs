//! `umm cuda`

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgGroup, Args};
use serde_json::json;

use crate::case::{self, Case, Printed};
use crate::cli::support::Failure;
use crate::cli::support::case::ParameterValues;
use crate::cli::support::files;
use crate::cli::support::names::ListingParser;
use crate::cli::support::options::{whole, word};
use crate::cli::support::progress::spin;
use crate::cli::support::settings::{ParameterValue, any_setting};
use crate::cli::support::table::{Table, TableFile};
use crate::codegen::{self, Emission, Kernel, Launch, MOST_PREFETCH, Options, PREFETCH};
use crate::gpu::nvrtc::{self, Architecture};
use crate::gpu::resources;
use crate::run::layout::Arrangement;

/// Emit CUDA C that runs a listing on a GPU, with the same results to the last bit
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("report").args(["resources", "explain"])), after_help = "\
A program without parallel loops is one kernel; --bulk gives it a thread for each input. A nest of
parallel loops is one kernel, its iterations numbered in lexicographic order; what stands around the
nests is done as --launch says. Threads of one nest must not need each other's values (`umm check`).
A loop on DMMs is a grid of blocks of threads with shared memory.

Examples:
  umm cuda prefix_sums --bulk column -o prefix_sums.cu
  umm cuda umm_opt --launch cooperative
  umm cuda umm_opt --resources --arch 80
  umm cuda transpose_padded --set n=4096 --explain
  umm cuda opt --bulk column --standalone -o opt.cu
  nvcc -arch=native -o opt opt.cu && ./opt 8 1048576    n = 8, p = 1048576 inputs")]
pub(super) struct Cuda {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    #[arg(value_parser = ListingParser, hide_possible_values = true)]
    algorithm: OsString,
    /// Make parameters constants of the code, those left out with their defaults; places are then computed in 32 bits where they fit
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = any_setting)]
    settings: Vec<(String, ParameterValue)>,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_parser = word::<Arrangement>(), value_name = "ARRANGEMENT")]
    bulk: Option<Arrangement>,
    /// How sequential statements around parallel loops are done [default: plain, if the host can]
    #[arg(long, value_parser = word::<Launch>())]
    launch: Option<Launch>,
    /// Iterations by which an innermost loop's reads are made early, where that changes no value; 1: none
    #[arg(long, alias = "ahead", default_value_t = PREFETCH, value_parser = whole::<u32>(1..=u64::from(MOST_PREFETCH)))]
    prefetch: u32,
    /// Add a main that allocates, fills with the numbers of `umm run` (`from …` too: random, permutation, sorted, text, spd), runs, times and prints
    #[arg(long)]
    standalone: bool,
    /// Print how the listing becomes code, and why so, in place of the code
    #[arg(long, conflicts_with_all = ["standalone", "output"])]
    explain: bool,
    /// Print what each kernel takes of a multiprocessor, as ptxas reports it, in place of the code
    #[arg(long, conflicts_with_all = ["standalone", "output"])]
    resources: bool,
    /// The architecture that --resources compiles for, as in 90 for sm_90
    #[arg(long, default_value_t = 90, requires = "resources", value_parser = whole::<u32>(10..=999))]
    arch: u32,
    /// Write the table of --resources, too: raw numbers, their units in the names of the columns
    #[arg(long, value_name = "FILE.csv", requires = "resources")]
    csv: Option<PathBuf>,
    /// Print --resources or --explain as JSON
    #[arg(long, requires = "report")]
    json: bool,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE.cu")]
    output: Option<PathBuf>,
}

/// What `--resources` needs, and how to come by it.
const NO_NVRTC: &str = "no NVRTC, which compiles kernels: install it (pip install nvidia-cuda-nvrtc, or \
                        the CUDA toolkit) and name its folder in LD_LIBRARY_PATH";
const NO_PTXAS: &str = "no ptxas, which tells what they take: install it (pip install \
                        nvidia-cuda-nvcc, or the CUDA toolkit) and name its folder in PATH";

impl Cuda {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let values = ParameterValues::of(&self.settings)?;
        let program = Arc::new(values.load(&self.algorithm, Printed::default())?);
        let set = values.set;
        let options = Options {
            bulk: self.bulk,
            launch: self.launch.unwrap_or(codegen::launches(&program)[0]),
            prefetch: self.prefetch,
            standalone: self.standalone,
        };
        let case = Case { set, ..Case::new(program.clone()) };
        let sizes = case.given_sizes()?;
        let mut emission = codegen::emit(&program, options, &sizes)?;
        if let Some(race) = case::race(&program) {
            emission.remark(&race);
        }
        if self.resources {
            return self.print_resources(&emission);
        }
        if self.explain {
            return self.print_choices(&emission);
        }
        match &self.output {
            Some(path) => files::write(path, |file| file.write_all(emission.source.as_bytes())),
            None => files::print(&emission.source),
        }
    }

    fn print_choices(&self, emission: &Emission) -> Result<(), Failure> {
        let kernels = &emission.kernels;
        if self.json {
            let choices =
                kernels.iter().map(|it| json!({"kernel": it.name, "choices": it.choices}));
            return files::print_json(&choices.collect::<Vec<_>>());
        }
        let kernel = |it: &Kernel| format!("{}\n  {}\n", it.name, it.choices.join("\n  "));
        files::print(&kernels.iter().map(kernel).collect::<Vec<_>>().join("\n"))
    }

    fn print_resources(&self, emission: &Emission) -> Result<(), Failure> {
        let missing = [(nvrtc::is_present(), NO_NVRTC), (resources::is_present(), NO_PTXAS)];
        let missing = missing.iter().filter(|it| !it.0).map(|it| it.1).collect::<Vec<_>>();
        if !missing.is_empty() {
            return Err(Failure::run(format_args!("--resources: {}", missing.join("; "))));
        }
        let architecture = Architecture(self.arch);
        let ptx = spin("compiling", || nvrtc::compile_ptx(&emission.source, architecture))?;
        let mut found = resources::of_ptx(&ptx, &architecture.to_string()).map_err(Failure::run)?;
        let kernels = &emission.kernels;
        found.sort_by_key(|it| kernels.iter().position(|kernel| kernel.name == it.kernel));
        TableFile::to(self.csv.clone()).write(&found)?;
        if self.json {
            return files::print_json(&found);
        }
        let header = ["kernel", "registers", "shared", "stack", "spill stores", "spill loads"];
        let mut table = Table::new(header).numbers(1..6);
        for it in &found {
            let bytes = |bytes: u64| format!("{bytes} B");
            table.row([
                it.kernel.clone(),
                it.registers.to_string(),
                bytes(it.shared_bytes),
                bytes(it.stack_bytes),
                bytes(it.spill_store_bytes),
                bytes(it.spill_load_bytes),
            ]);
        }
        files::print(&format!("{architecture}\n{}\n", table.text()))
    }
}
