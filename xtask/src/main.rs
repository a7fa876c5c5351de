//! What developers run, as `cargo xtask COMMAND`.

mod api;
mod bless;
mod ci;
mod gallery;
mod improvements;
mod package;
mod process;
mod release;
mod samples;
mod site;
mod supply;
mod tables;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use process::Process;

/// How a task failed, to be printed.
type Failure = Box<dyn Error>;

/// What developers of memory-machine run.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    after_help = "\
Examples:
  cargo xtask ci                    all that a change must pass
  cargo xtask ci format clippy      two steps of it
  cargo xtask api                   what of the library's public items has changed
  cargo xtask package               build umm from the packages alone
  cargo xtask release               archives and a Debian package
  cargo xtask site                  all pages as one static site
  cargo xtask supply                the crates that umm is built from, as a bill of materials
  cargo xtask gallery               draw plots/ again
  cargo xtask bless                 write what commands and pages print anew, to be read in the diff"
)]
enum Task {
    Ci(ci::Ci),
    Api(api::Api),
    Gallery(gallery::Gallery),
    Bless(bless::Bless),
    Tables(tables::Tables),
    Package(package::Package),
    Release(release::Release),
    Site(site::Site),
    Supply(supply::Supply),
    /// Run the benchmarks, on an idle machine.
    #[command(after_help = "\
Examples:
  cargo xtask bench
  cargo xtask bench --bench opt
  cargo xtask bench --bench execute -- umm_opt")]
    Bench {
        /// What `cargo bench` takes.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Say which lines the tests run; needs cargo-llvm-cov.
    #[command(after_help = "\
Examples:
  cargo install cargo-llvm-cov && rustup component add llvm-tools
  cargo xtask coverage
  cargo xtask coverage --html --open")]
    Coverage {
        /// What `cargo llvm-cov` takes.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where Cargo builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn run(task: Task) -> Result<(), Failure> {
    match task {
        Task::Ci(it) => it.run(),
        Task::Api(it) => it.run(),
        Task::Gallery(it) => it.run(),
        Task::Bless(it) => it.run(),
        Task::Tables(it) => it.run(),
        Task::Package(it) => it.run(),
        Task::Release(it) => it.run(),
        Task::Site(it) => it.run(),
        Task::Supply(it) => it.run(),
        Task::Bench { arguments } => {
            Process::new("cargo bench -p memory-machine-benches").and(arguments).run()
        }
        Task::Coverage { arguments } => {
            Process::new("cargo llvm-cov --locked").and(arguments).run()
        }
    }
}

fn main() -> ExitCode {
    match run(Task::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
