//! `umm trace`

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::case::{Case, CaseError};
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{MachineOptions, ProgramOptions, ThreadOptions, word};
use crate::cli::support::progress::Progress;
use crate::keyword::keywords;
use crate::machine::{Dmms, Machine, MachineKind};
use crate::profile::Profile;
use crate::trace::{AccessFormat, AccessWriter, Step, Tap, TracegWriter, Writer};

/// How a trace is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Lackey,
    Dinero,
    Dramsim3,
    Ramulator,
    Traceg,
    Perfetto,
    Speedscope,
}

keywords! { Format {
    Text "text" "Step by step, as `umm replay` times it on any machine"
    Lackey "lackey" "Access by access, as valgrind's lackey prints them: without steps and threads"
    Dinero "dinero" "Access by access, word by word, as Dinero reads them"
    Dramsim3 "dramsim3" "Access by access, as DRAMsim3 reads them: cycles are steps"
    Ramulator "ramulator" "Access by access, as Ramulator reads them"
    Traceg "traceg" "Warp by warp, as Accel-Sim reads it: threads in blocks of 1024"
    Perfetto "perfetto" "A flame of warps and pipelines on a machine, as Chrome's trace events: for ui.perfetto.dev"
    Speedscope "speedscope" "A flame of each warp on a machine: for speedscope.app"
} }

/// Write the trace of a run, as text or as a flame
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm trace sum --set n=8 -w 4 -p 4 -o sum.trace && umm replay sum.trace -w 4 -l 5
  umm trace sum --set n=8 --format lackey -o sum.log
  umm trace sum --set n=8 --format dramsim3 -o sum.trc
  umm trace umm_opt --set n=32 -m dmm -w 16 -l 8 -p 64 --format perfetto -o umm_opt.json")]
pub(super) struct Trace {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    // Each array begins at a multiple of its width; the rest is of flames.
    #[command(flatten)]
    machine: MachineOptions,
    /// How it is written
    #[arg(long, value_parser = word::<Format>(), default_value_t = Format::Text)]
    format: Format,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Trace {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let ThreadOptions { threads, bulk } = self.threads;
        let machine = self.machine.machine()?;
        if matches!(self.format, Format::Perfetto | Format::Speedscope) {
            let mode = self.machine.mode();
            return self.flame(&Case { machine, mode, threads, bulk, ..self.program.case()? });
        }
        let named = self.machine.is_named().then_some("-m");
        if let Some(flag) = named.into_iter().chain(self.machine.of_memory()).next() {
            return Err(Failure::input(format_args!(
                "{flag}: a trace in text is that of any machine of its width; leave it out, or write --format \
                 perfetto"
            )));
        }
        // A trace is that of any machine of this width.
        let kind = MachineKind::hierarchical(Dmms::ONE);
        let machine = Machine { kind, ..machine };
        let case = Case { machine, threads, bulk, ..self.program.case()? };
        // What is wrong with it is said before the output is touched.
        case.layout()?;
        // On a terminal, the trace itself shows how far it has come.
        let mut progress = (self.output != Path::new("-")).then(Progress::new);
        let mut failure = None;
        let write = |out: &mut dyn io::Write| {
            let each = |step: &Step| progress.iter_mut().for_each(|it| it.count(step));
            let done = match self.format {
                Format::Text => {
                    let traced = case.trace(Tap { sink: Writer::new(out, threads), each });
                    traced.map(|it| it.sink.finish())
                }
                Format::Lackey => one_by_one(AccessFormat::Lackey, &case, out, each),
                Format::Dinero => one_by_one(AccessFormat::Dinero, &case, out, each),
                Format::Dramsim3 => one_by_one(AccessFormat::Dramsim3, &case, out, each),
                Format::Ramulator => one_by_one(AccessFormat::Ramulator, &case, out, each),
                // Written above.
                Format::Perfetto | Format::Speedscope => return Ok(()),
                Format::Traceg => {
                    let sink = TracegWriter::new(out, threads);
                    case.trace(Tap { sink, each }).map(|it| it.sink.finish())
                }
            };
            done.unwrap_or_else(|error| {
                failure = Some(error);
                Err(io::Error::other("the run failed"))
            })
        };
        let written = files::write(&self.output, write);
        match failure {
            Some(error) => Err(error.into()),
            None => written,
        }
    }
    /// On a machine, as what others show.
    fn flame(&self, case: &Case) -> Result<(), Failure> {
        let profile = Profile::record(case, MOST_REQUESTS)?;
        let flame = match self.format {
            Format::Speedscope => profile.speedscope(),
            _ => profile.perfetto(),
        };
        files::write(&self.output, |out| writeln!(out, "{flame}"))
    }
}

/// Traces a run access by access.
fn one_by_one(
    format: AccessFormat,
    case: &Case,
    out: &mut dyn io::Write,
    each: impl FnMut(&Step),
) -> Result<io::Result<()>, CaseError> {
    let traced = case.trace(Tap { sink: AccessWriter::new(out, format), each });
    traced.map(|it| it.sink.finish())
}

/// Requests that are written one by one: a viewer shows some millions of accesses.
const MOST_REQUESTS: u64 = 1 << 23;
