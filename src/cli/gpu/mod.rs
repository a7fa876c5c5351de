//! `umm gpu`

mod count;
mod info;
mod measure;
mod run;

use clap::{Args, Subcommand};

use crate::cli::support::Failure;

/// Run and measure algorithms on a CUDA GPU
#[derive(Debug, Args)]
#[command(after_help = "\
Needed: NVIDIA's driver, and NVRTC (pip install nvidia-cuda-nvrtc, its folder in LD_LIBRARY_PATH).

Examples:
  umm gpu info
  umm gpu run umm_opt --set n=512
  umm gpu run prefix_sums --set n=32 --bulk column -p 1048576
  umm gpu count transpose_padded --set n=1024
  umm gpu measure microbenchmarks -o measured")]
pub(super) struct Gpu {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Info),
    Run(run::Run),
    Count(count::Count),
    Measure(measure::Measure),
}

impl Gpu {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::Info(info) => info.run(),
            Command::Run(run) => run.run(),
            Command::Count(count) => count.run(),
            Command::Measure(measure) => measure.run(),
        }
    }
}
