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
The tests need NVRTC (.ci/run installs it and all else). What is left out is named in the last line,
with the reason.

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
    /// The command by the oldest Rust that it promises to be built by.
    OldestRust,
    /// Documentation, and the public items that it lists.
    Doc,
    /// All tests but those that need a GPU, as often as they can.
    Test,
    /// The programs of `examples/`.
    Examples,
    /// Licences, origins and number of the crates that `umm` is built from; a bill of materials.
    Supply,
    /// Every crate packed as it would be published, and `umm` built from these packages alone.
    Package,
    /// The wheel.
    Wheel,
    /// The page, in Node and in a browser, and the site of all pages.
    Page,
    /// Four ranks of MPI.
    Mpi,
}

const DENIED: &str = "-D warnings";

/// Tests that are left out by name, and why.
const SKIPPED: [(&str, &str); 3] = [
    ("gpu::device::", "needs a GPU"),
    ("tests::all_results_are_those_of_a_device", "tries 2³² numbers, which takes ten minutes"),
    ("so_are_the_largest_three", "takes longer unoptimised than all others together"),
];

/// How a line begins that says what a step left out, and why.
const SKIP: &str = "SKIPPED ";

impl Step {
    fn processes(self) -> Vec<Process> {
        let of = Process::new;
        match self {
            Self::Format => vec![of("cargo fmt --all --check")],
            Self::Clippy => {
                // The page's code is for a browser: the step after this one has its lints. What holds
                // the built page cannot be without it.
                vec![
                    of("cargo clippy --workspace --exclude memory-machine-web --exclude \
                        memory-machine-page --all-targets --locked -- -D warnings"),
                    of(
                        "cargo clippy -p memory-machine-kernel --features xz --all-targets --locked -- -D warnings",
                    ),
                ]
            }
            Self::Wasm => vec![
                of("rustup target add wasm32-unknown-unknown"),
                // The step that makes the page goes on to machine code.
                of("cargo clippy -p memory-machine --lib --no-default-features \
                    --target wasm32-unknown-unknown --no-deps --locked -- -D warnings"),
                of(
                    "cargo clippy -p memory-machine-web --target wasm32-unknown-unknown --no-deps --locked \
                    -- -D warnings",
                ),
            ],
            Self::OldestRust => vec![
                of(concat!(
                    "rustup toolchain install --profile minimal ",
                    env!("CARGO_PKG_RUST_VERSION")
                )),
                of(concat!(
                    "rustup run ",
                    env!("CARGO_PKG_RUST_VERSION"),
                    " cargo check --locked -p memory-machine"
                )),
            ],
            Self::Doc => vec![
                of("cargo doc --no-deps --locked").with("RUSTDOCFLAGS", DENIED),
                of("cargo xtask api"),
            ],
            Self::Test => {
                let skipped = SKIPPED.iter().flat_map(|it| ["--skip".to_owned(), it.0.to_owned()]);
                let test = of("cargo test --locked --no-fail-fast -- --include-ignored");
                let of_xz = of("cargo test --locked -p memory-machine-kernel --features xz");
                vec![test.and(skipped).with("UMM_THOROUGH", "1"), of_xz]
            }
            Self::Examples => {
                ["check_a_bound", "predict_seconds", "rows_over_warps", "time_a_listing"]
                    .map(|it| of(&format!("cargo run --quiet --locked --example {it}")))
                    .to_vec()
            }
            Self::Supply => vec![of("cargo xtask supply")],
            Self::Package => vec![of("cargo xtask package")],
            Self::Wheel => vec![of("python/ci")],
            Self::Page => vec![of("web/test/run")],
            Self::Mpi => vec![of("tests/mpi.sh")],
        }
    }
}

/// Runs a process, prints what it prints, and returns the lines that close tests or say what was left out.
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
        if printed.starts_with("test result: ") || printed.starts_with(SKIP) {
            results.push(printed);
        }
    }
    let status = child.wait()?;
    status.success().then_some(results).ok_or_else(|| format!("{line}: {status}").into())
}

impl Ci {
    pub fn run(self) -> Result<(), Failure> {
        let steps = if self.steps.is_empty() { Step::value_variants() } else { &self.steps };
        let (mut done, mut skipped) = (vec![], vec![]);
        for step in steps {
            let begin = Instant::now();
            let mut results = vec![];
            for process in step.processes() {
                results.extend(watch(&process)?);
            }
            if matches!(step, Step::Test) {
                skipped.extend(SKIPPED.map(|(what, why)| format!("tests {what}: {why}")));
            }
            skipped
                .extend(results.iter().filter_map(|it| it.strip_prefix(SKIP)).map(str::to_owned));
            results.retain(|it| !it.starts_with(SKIP) && !it.contains(" 0 passed"));
            done.push((format!("{step:?}").to_lowercase(), begin.elapsed().as_secs(), results));
        }
        let time = |seconds: u64| format!("{:>2} min {:>2} s", seconds / 60, seconds % 60);
        println!("\nall passed");
        for (name, seconds, results) in &done {
            println!("{name:<10} {}", time(*seconds));
            results.iter().for_each(|it| println!("  {it}"));
        }
        println!("{:<10} {}", "whole", time(done.iter().map(|it| it.1).sum()));
        if !skipped.is_empty() {
            println!("SKIPPED: {}", skipped.join("; "));
        }
        Ok(())
    }
}
