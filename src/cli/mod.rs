//! The command line: one file a subcommand, glue only.

mod allocator;
mod bounds;
mod calibrate;
mod case;
mod check;
mod compare;
mod complexity;
mod cuda;
mod explain;
mod failure;
mod files;
mod fit;
mod gpu;
mod graph;
mod greedy;
mod grid;
mod hull;
mod list;
mod models;
mod opt;
mod options;
mod outcome;
mod plot;
mod point_set;
mod predict;
mod progress;
mod replay;
mod report;
mod run;
mod signals;
mod study;
mod sweep;
mod terminal;
mod trace;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

pub use self::allocator::Careful;
pub use self::failure::Failure;

/// Exact time of parallel algorithms on the memory machine models of GPU computing.
///
/// A listing as a paper prints it is executed, checked against a reference, and timed to the unit
/// on the Unified or Discrete Memory Machine (UMM, DMM) of width w and latency l.
#[derive(Debug, Parser)]
#[command(
    name = "umm",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  umm list                                      what can be run
  umm run umm_opt --set n=64                    run and time a shipped listing
  umm run mine.alg --set n=64 -m dmm -w 4 -l 5  run and time your own
  umm check mine.alg --set n=8                  oblivious? races? which PRAM?"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(list::List),
    Check(check::Check),
    Run(run::Run),
    Trace(trace::Trace),
    Replay(replay::Replay),
    Explain(explain::Explain),
    Graph(graph::Graph),
    Sweep(sweep::Sweep),
    Models(models::Models),
    Bounds(bounds::Bounds),
    Complexity(complexity::Complexity),
    Fit(fit::Fit),
    Calibrate(calibrate::Calibrate),
    Predict(predict::Predict),
    Compare(compare::Compare),
    Report(report::Report),
    Plot(plot::Plot),
    Cuda(cuda::Cuda),
    Gpu(gpu::Gpu),
    Opt(opt::Opt),
    Greedy(greedy::Greedy),
    Hull(hull::Hull),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  umm completions bash > ~/.local/share/bash-completion/completions/umm"
    )]
    Completions {
        shell: Shell,
    },
}

/// Has signals end the process with nothing half written left behind; for the start of a process.
///
/// # Errors
/// What the system says.
pub fn listen() -> Result<(), Failure> {
    signals::listen()
        .map_err(|error| Failure::run(format_args!("cannot listen for Ctrl-C: {error}")))
}

/// More threads of a pool than these are a slip of the pen, and would take minutes to start.
const MOST_THREADS: usize = 1024;

/// Refuses what the environment asks of all pools of threads (rayon's).
fn check_threads() -> Result<(), Failure> {
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|it| it.parse::<usize>().ok());
    match threads {
        Some(threads) if threads > MOST_THREADS => Err(Failure::input(format_args!(
            "RAYON_NUM_THREADS={threads}: at most {MOST_THREADS} threads are started; unset it for \
             one a core"
        ))),
        _ => Ok(()),
    }
}

/// Does what the command line says.
///
/// # Errors
/// [`Failure`] with its exit code: 1 if a run or check failed, 2 for bad usage or input.
pub fn run(cli: Cli) -> Result<(), Failure> {
    check_threads()?;
    match cli.command {
        Command::List(list) => list.run(),
        Command::Check(check) => check.run(),
        Command::Run(run) => run.run(),
        Command::Trace(trace) => trace.run(),
        Command::Replay(replay) => replay.run(),
        Command::Explain(explain) => explain.run(),
        Command::Graph(graph) => graph.run(),
        Command::Sweep(sweep) => sweep.run(),
        Command::Models(models) => models.run(),
        Command::Bounds(bounds) => bounds.run(),
        Command::Complexity(complexity) => complexity.run(),
        Command::Fit(fit) => fit.run(),
        Command::Calibrate(calibrate) => calibrate.run(),
        Command::Predict(predict) => predict.run(),
        Command::Compare(compare) => compare.run(),
        Command::Report(report) => report.run(),
        Command::Plot(plot) => plot.run(),
        Command::Cuda(cuda) => cuda.run(),
        Command::Gpu(gpu) => gpu.run(),
        Command::Opt(opt) => opt.run(),
        Command::Greedy(greedy) => greedy.run(),
        Command::Hull(hull) => hull.run(),
        Command::Completions { shell } => {
            let mut script = vec![];
            clap_complete::generate(shell, &mut Cli::command(), "umm", &mut script);
            files::print(&String::from_utf8_lossy(&script))
        }
    }
}
