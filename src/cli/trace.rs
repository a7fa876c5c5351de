//! `umm trace`

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::files;
use super::options::{ProgramOptions, ThreadOptions, width};
use crate::case::Case;
use crate::machine::{Dmms, Machine, MachineKind};
use crate::trace::{BlockAt, BlockEvent, Phase, Sink, Space, Step};
use crate::units::{Threads, Width};

/// Write the trace of a run as text
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  umm trace sum --set n=8 -w 4 -p 4 -o sum.trace && umm replay sum.trace -w 4 -l 5")]
pub(super) struct Trace {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Width of the machine: each array begins at a multiple of it
    #[arg(short, long, default_value = "32", value_parser = width)]
    width: Width,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes a trace as it comes; remembers the first error.
struct Writer<'a> {
    out: &'a mut dyn Write,
    result: io::Result<()>,
}

impl Writer<'_> {
    fn line(&mut self, line: &dyn std::fmt::Display) {
        if self.result.is_ok() {
            self.result = writeln!(self.out, "{line}");
        }
    }
}

impl Sink for Writer<'_> {
    fn step(&mut self, _: Phase, step: &Step) {
        self.line(step);
    }

    fn barrier(&mut self) {
        self.line(&"B");
    }

    fn begin_blocks(&mut self, threads: Threads) {
        self.line(&format_args!("D {threads}"));
    }

    fn block_step(&mut self, at: BlockAt, _: Phase, space: Space, step: &Step) {
        self.line(&format_args!("{at} {}{step}", space.prefix()));
    }

    fn block_barrier(&mut self, at: BlockAt) {
        self.line(&format_args!("{at} {}", BlockEvent::Barrier));
    }

    fn end_blocks(&mut self) {
        self.line(&"E");
    }

    /// All, so that the steps' numbers hold on any machine.
    fn blocks_in_step(&self) -> Option<u64> {
        Some(u64::MAX)
    }
}

impl Trace {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let ThreadOptions { threads, bulk } = self.threads;
        // A trace is that of any machine of this width.
        let kind = MachineKind::Hmm(Dmms::ONE);
        let machine = Machine { kind, width: self.width, ..Machine::default() };
        let case = Case { machine, threads, bulk, ..self.program.case()? };
        // What is wrong with it is said before the output is touched.
        case.layout()?;
        let mut failure = None;
        let write = |out: &mut dyn Write| {
            writeln!(out, "threads {threads}")?;
            match case.trace(Writer { out, result: Ok(()) }) {
                Ok(writer) => writer.result,
                Err(error) => {
                    failure = Some(error);
                    Err(io::Error::other("the run failed"))
                }
            }
        };
        let written = files::write(&self.output, write);
        match failure {
            Some(error) => Err(error.into()),
            None => written,
        }
    }
}
