//! What a change must pass.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Instant;

use clap::{Args, ValueEnum};

use crate::Failure;
use crate::process::Process;

/// Do what a change must pass, step by step, and end with the first that fails.
#[derive(Debug, Args)]
#[command(after_help = "\
Nothing is left out for want of time. The tests need NVRTC (.ci/run installs it and all else);
those that need a GPU are not run.

Examples:
  cargo xtask ci
  cargo xtask ci format clippy
  LD_LIBRARY_PATH=target/nvrtc/nvidia/cuda_nvrtc/lib cargo xtask ci test")]
pub struct Ci {
    /// Steps to do; all if none is named.
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Step {
    /// Formatting.
    Format,
    /// Lints of all crates, benchmarks, page, wheel and this one.
    Clippy,
    /// The library without its faces, for a browser, and the lints of the page.
    Wasm,
    /// Documentation.
    Doc,
    /// All tests but those that need a GPU, as often as they can.
    Test,
    /// The programs of `examples/`.
    Examples,
    /// Every crate packed as it would be published, and `umm` built from these packages alone.
    Package,
    /// The wheel.
    Wheel,
    /// The page, in Node and in a browser.
    Page,
    /// Four ranks of MPI.
    Mpi,
}

const DENIED: &str = "-D warnings";

impl Step {
    fn processes(self) -> Vec<Process> {
        let of = Process::new;
        match self {
            Self::Format => vec![of("cargo fmt --all --check")],
            Self::Clippy => {
                // The page's code is for a browser: the step after this one has its lints.
                vec![of(
                    "cargo clippy --workspace --exclude memory-machine-web --all-targets --locked -- \
                         -D warnings",
                )]
            }
            Self::Wasm => vec![
                of("rustup target add wasm32-unknown-unknown"),
                of("cargo build --locked --package memory-machine --lib --no-default-features \
                    --target wasm32-unknown-unknown")
                .with("RUSTFLAGS", DENIED),
                of(
                    "cargo clippy -p memory-machine-web --target wasm32-unknown-unknown --no-deps --locked \
                    -- -D warnings",
                ),
            ],
            Self::Doc => vec![of("cargo doc --no-deps --locked").with("RUSTDOCFLAGS", DENIED)],
            Self::Test => vec![
                // The one that is skipped by name takes longer unoptimised than all others together.
                of("cargo test --locked --no-fail-fast -- --include-ignored --skip gpu::device:: --skip \
                    so_are_the_largest_three")
                .with("UMM_THOROUGH", "1"),
            ],
            Self::Examples => {
                ["check_a_bound", "predict_seconds", "rows_over_warps", "time_a_listing"]
                    .map(|it| of(&format!("cargo run --quiet --locked --example {it}")))
                    .to_vec()
            }
            Self::Package => vec![of("cargo xtask package")],
            Self::Wheel => vec![of("python/ci")],
            Self::Page => vec![of("web/test/run")],
            Self::Mpi => vec![of("tests/mpi.sh")],
        }
    }
}

/// Runs a process, prints what it prints, and returns the lines that close tests.
fn watch(process: &Process) -> Result<Vec<String>, Failure> {
    let line = process.line();
    println!("$ {line}");
    let mut command = process.command();
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{line}: {error}"))?;
    let mut results = vec![];
    for printed in BufReader::new(child.stdout.take().expect("a pipe")).split(b'\n') {
        let printed = String::from_utf8_lossy(&printed?).into_owned();
        println!("{printed}");
        if printed.starts_with("test result: ") {
            results.push(printed);
        }
    }
    let status = child.wait()?;
    status.success().then_some(results).ok_or_else(|| format!("{line}: {status}").into())
}

impl Ci {
    pub fn run(self) -> Result<(), Failure> {
        let steps = if self.steps.is_empty() { Step::value_variants() } else { &self.steps };
        let mut done = vec![];
        for step in steps {
            let begin = Instant::now();
            let mut results = vec![];
            for process in step.processes() {
                results.extend(watch(&process)?);
            }
            let seconds = begin.elapsed().as_secs();
            done.push((format!("{step:?}").to_lowercase(), seconds, results));
        }
        println!("\nall passed");
        for (name, seconds, results) in done {
            println!("{name:<9} {:>2} min {:>2} s", seconds / 60, seconds % 60);
            results.iter().filter(|it| !it.contains(" 0 passed")).for_each(|it| println!("  {it}"));
        }
        Ok(())
    }
}
