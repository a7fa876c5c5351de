//! The command line: a file or a folder a subcommand, and what they share in `support`; glue only.

mod adopt;
mod bench;
mod bounds;
mod calibrate;
mod check;
mod compare;
mod compare_models;
mod complexity;
mod cuda;
mod explain;
mod fit;
mod gpu;
mod grade;
mod graph;
mod greedy;
mod hull;
mod improve;
mod kernel;
mod list;
mod man;
mod models;
mod opt;
mod plot;
mod predict;
mod replay;
mod report;
mod run;
mod support;
mod sweep;
mod trace;
mod verify;
mod verify_points;
mod version;
mod web;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::diagnostic::{is_hidden, visible};
use crate::whole_number::signed;

pub use self::support::allocator::CappedAllocator;
pub use self::support::failure::Failure;
use self::support::{allocator, files, names, signals, terminal};

/// Columns of help at most, however wide the terminal is.
const WIDEST_HELP: usize = 100;

/// Exact time of parallel algorithms on the memory machine models of GPU computing.
///
/// A listing as a paper prints it is executed, checked against a reference, and timed to the unit
/// on the Unified or Discrete Memory Machine (UMM, DMM) of width w and latency l.
#[derive(Debug, Parser)]
#[command(
    name = "umm",
    version,
    max_term_width = WIDEST_HELP,
    help_template = help(),
    after_help = "\
Examples:
  umm list                                      what can be run
  umm run umm_opt --set n=64                    run and time a shipped listing
  umm run mine.alg --set n=64 -m dmm -w 4 -l 5  run and time your own
  umm check mine.alg --set n=8                  oblivious? races? which PRAM?

`umm COMMAND --help` has a command's options and examples,
`umm --version --verbose` what a report on a fault should say."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Its groups are the headings of the help, in this order.
#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Listings(Listings),
    #[command(flatten)]
    Studies(Studies),
    #[command(flatten)]
    Machines(Machines),
    #[command(flatten)]
    Gpus(Gpus),
    #[command(flatten)]
    Solvers(Solvers),
    #[command(flatten)]
    Pictures(Pictures),
    #[command(flatten)]
    Shells(Shells),
}

#[derive(Debug, Subcommand)]
enum Listings {
    List(list::List),
    Adopt(adopt::Adopt),
    Check(check::Check),
    Run(Box<run::Run>),
    Bench(bench::Bench),
    Trace(trace::Trace),
    Replay(replay::Replay),
    Explain(explain::Explain),
    Graph(graph::Graph),
    Grade(grade::GradeCommand),
    Improve(Box<improve::Improve>),
}

#[derive(Debug, Subcommand)]
enum Studies {
    Sweep(sweep::Sweep),
    Bounds(bounds::Bounds),
    Complexity(complexity::Complexity),
    Verify(verify::Verify),
    CompareModels(compare_models::CompareModels),
    Fit(fit::Fit),
}

#[derive(Debug, Subcommand)]
enum Machines {
    Models(models::Models),
    Calibrate(calibrate::Calibrate),
    Predict(predict::Predict),
    Compare(compare::Compare),
}

#[derive(Debug, Subcommand)]
enum Gpus {
    Kernel(Box<kernel::Kernel>),
    Cuda(cuda::Cuda),
    Gpu(gpu::Gpu),
}

#[derive(Debug, Subcommand)]
enum Solvers {
    Opt(opt::Opt),
    Greedy(greedy::Greedy),
    Hull(hull::Hull),
    VerifyPoints(verify_points::VerifyPoints),
}

#[derive(Debug, Subcommand)]
enum Pictures {
    Plot(plot::Plot),
    Report(report::Report),
    Web(web::Web),
}

#[derive(Debug, Subcommand)]
enum Shells {
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  umm completions bash > ~/.local/share/bash-completion/completions/umm"
    )]
    Completions {
        shell: Shell,
    },
    Man(man::Man),
}

/// The help of `umm`: clap has no headings for subcommands.
fn help() -> String {
    let groups = [
        ("Listings", Listings::augment_subcommands as fn(_) -> clap::Command),
        ("Studies", Studies::augment_subcommands),
        ("Machines", Machines::augment_subcommands),
        ("GPUs", Gpus::augment_subcommands),
        ("Solvers", Solvers::augment_subcommands),
        ("Pictures", Pictures::augment_subcommands),
        ("Shells", Shells::augment_subcommands),
    ]
    .map(|(heading, augment)| (heading, augment(clap::Command::new("umm"))));
    let names = groups.iter().flat_map(|it| it.1.get_subcommands()).map(clap::Command::get_name);
    let width = names.map(str::len).max().unwrap_or(0);
    let styles = clap::builder::Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut help = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (heading, group) in &groups {
        help += &format!("{header}{heading}:{header:#}\n");
        for command in group.get_subcommands() {
            let (name, about) = (command.get_name(), command.get_about().unwrap_or_default());
            // Two blanks before the name, and two behind it.
            let (indent, columns) = (width + 4, terminal::width().min(WIDEST_HELP));
            let about = terminal::hanging(&format!("{:indent$}{about}", ""), indent, columns);
            help += &format!("  {literal}{name:width$}{literal:#}  {}\n", &about[indent..]);
        }
        help += "\n";
    }
    help += &format!("{header}Options:{header:#}\n");
    help + "{options}{after-help}"
}

/// The whole of `umm`, from the words of a command line, of which the first is its name, to the exit
/// code. What went wrong is printed.
pub fn main(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    if let [_, first, second] = &words[..]
        && (is_version(first) && is_verbose(second) || is_verbose(first) && is_version(second))
    {
        return files::print(&version::text()).map_or_else(|failure| failure.exit_code(), |()| 0);
    }
    let cli = parse(words);
    match listen().and_then(|()| run(cli)) {
        Ok(()) => 0,
        Err(failure) => {
            // Plain unless a terminal shows it. Nobody may be left to read it.
            if failure.exit_code() > 0 {
                let _ = writeln!(anstream::stderr(), "{}", failure.coloured());
            }
            failure.exit_code()
        }
    }
}

/// The command line, as clap knows it. (Its own type is private, so that nobody compiles the half of
/// what clap derives that updates a parsed one.)
pub fn command() -> clap::Command {
    Cli::command()
}

/// Does what a command line says, as [`main`] does, and leaves what went wrong to the caller.
///
/// # Errors
/// The words make no sense; within, as the command failed.
pub fn try_main<'a>(
    words: impl Iterator<Item = &'a str>,
) -> Result<Result<(), Failure>, clap::Error> {
    Cli::try_parse_from(words).map(run)
}

/// clap prints the version at once, whatever stands beside it.
fn is_version(word: &OsString) -> bool {
    word == "--version" || word == "-V"
}

fn is_verbose(word: &OsString) -> bool {
    word == "--verbose" || word == "-v"
}

/// Exits if the command line makes no sense. The message quotes it.
fn parse(words: Vec<OsString>) -> Cli {
    let hides = words.iter().any(|it| it.to_string_lossy().contains(is_hidden));
    Cli::try_parse_from(words.iter()).unwrap_or_else(|mut error| {
        suggest_set(&mut error, &words);
        if !hides {
            error.exit();
        }
        let _ = write!(io::stderr(), "{}", visible(&error.render().to_string()));
        std::process::exit(error.exit_code())
    })
}

/// Sizes of a listing are set by name: who writes `-n 8` or `--n=8` is told.
fn suggest_set(error: &mut clap::Error, words: &[OsString]) {
    let command = Cli::command();
    let path = words.iter().skip(1).map_while(|it| it.to_str());
    let mut subcommand = &command;
    for word in path {
        match subcommand.find_subcommand(word) {
            Some(inner) => subcommand = inner,
            None => break,
        }
    }
    let takes_sizes = subcommand.get_arguments().any(|it| it.get_long() == Some("set"));
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg).cloned() else {
        return;
    };
    let name = flag.trim_start_matches('-');
    if error.kind() != ErrorKind::UnknownArgument || !takes_sizes || name.chars().count() != 1 {
        return;
    }
    let given = words.iter().position(|it| *it == *flag).and_then(|at| words.get(at + 1));
    let value = given.and_then(|it| it.to_str()).filter(|it| signed(it).is_ok()).unwrap_or("8");
    let tip = format!("sizes of a listing are set by name: '--set {name}={value}'").into();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
}

/// Has signals end the process with nothing half written left behind; for the start of a process.
fn listen() -> Result<(), Failure> {
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
/// [`Failure`] with its exit code: 1 if a run or check failed, 2 for bad usage or input, 3 where a claim
/// is neither proved nor refuted.
fn run(cli: Cli) -> Result<(), Failure> {
    check_threads()?;
    let is_of_listing = !matches!(cli.command, Command::Solvers(_) | Command::Pictures(_));
    allocator::set_remedy(is_of_listing);
    match cli.command {
        Command::Listings(Listings::List(list)) => list.run(),
        Command::Listings(Listings::Adopt(adopt)) => adopt.run(),
        Command::Listings(Listings::Check(check)) => check.run(),
        Command::Listings(Listings::Run(run)) => run.run(),
        Command::Listings(Listings::Bench(bench)) => bench.run(),
        Command::Listings(Listings::Trace(trace)) => trace.run(),
        Command::Listings(Listings::Replay(replay)) => replay.run(),
        Command::Listings(Listings::Explain(explain)) => explain.run(),
        Command::Listings(Listings::Graph(graph)) => graph.run(),
        Command::Listings(Listings::Grade(grade)) => grade.run(),
        Command::Listings(Listings::Improve(improve)) => improve.run(),
        Command::Studies(Studies::Sweep(sweep)) => sweep.run(),
        Command::Studies(Studies::Bounds(bounds)) => bounds.run().map_err(Failure::of_one_rank),
        Command::Studies(Studies::Complexity(complexity)) => {
            complexity.run().map_err(Failure::of_one_rank)
        }
        Command::Studies(Studies::Verify(verify)) => verify.run(),
        Command::Studies(Studies::CompareModels(compare)) => compare.run(),
        Command::Studies(Studies::Fit(fit)) => fit.run(),
        Command::Machines(Machines::Models(models)) => models.run(),
        Command::Machines(Machines::Calibrate(calibrate)) => calibrate.run(),
        Command::Machines(Machines::Predict(predict)) => predict.run(),
        Command::Machines(Machines::Compare(compare)) => compare.run(),
        Command::Gpus(Gpus::Kernel(kernel)) => kernel.run(),
        Command::Gpus(Gpus::Cuda(cuda)) => cuda.run(),
        Command::Gpus(Gpus::Gpu(gpu)) => gpu.run(),
        Command::Solvers(Solvers::Opt(opt)) => opt.run(),
        Command::Solvers(Solvers::Greedy(greedy)) => greedy.run(),
        Command::Solvers(Solvers::Hull(hull)) => hull.run(),
        Command::Solvers(Solvers::VerifyPoints(verify)) => verify.run(),
        Command::Pictures(Pictures::Plot(plot)) => plot.run(),
        Command::Pictures(Pictures::Report(report)) => report.run(),
        Command::Pictures(Pictures::Web(web)) => web.run(),
        Command::Shells(Shells::Man(man)) => man.run(Cli::command()),
        Command::Shells(Shells::Completions { shell }) => {
            let mut script = vec![];
            clap_complete::generate(shell, &mut Cli::command(), "umm", &mut script);
            let script = String::from_utf8_lossy(&script);
            match shell {
                Shell::Zsh => files::print(&names::with_files(&script)),
                Shell::Fish => files::print(&names::with_listings(&script, &Cli::command())),
                _ => files::print(&script),
            }
        }
    }
}
