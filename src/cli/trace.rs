//! `umm trace`

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::case::Case;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{ProgramOptions, ThreadOptions, width, word};
use crate::cli::support::progress::Progress;
use crate::keyword::keywords;
use crate::machine::{Dmms, Machine, MachineKind};
use crate::trace::{LackeyWriter, Step, Tap, TracegWriter, Writer};
use crate::units::Width;

/// How a trace is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Lackey,
    Traceg,
}

keywords! { Format {
    Text "text" "Step by step, as `umm replay` times it on any machine"
    Lackey "lackey" "Access by access, as valgrind's lackey prints them: without steps and threads"
    Traceg "traceg" "Warp by warp, as Accel-Sim reads it: threads in blocks of 1024"
} }

/// Write the trace of a run as text
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm trace sum --set n=8 -w 4 -p 4 -o sum.trace && umm replay sum.trace -w 4 -l 5
  umm trace sum --set n=8 --format lackey -o sum.log")]
pub(super) struct Trace {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Width of the machine: each array begins at a multiple of it
    #[arg(short, long, default_value = "32", value_parser = width)]
    width: Width,
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
        // A trace is that of any machine of this width.
        let kind = MachineKind::hierarchical(Dmms::ONE);
        let machine = Machine { kind, width: self.width, ..Machine::default() };
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
                Format::Lackey => {
                    let traced = case.trace(Tap { sink: LackeyWriter::new(out), each });
                    traced.map(|it| it.sink.finish())
                }
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
}
