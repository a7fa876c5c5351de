//! `umm trace`

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::files;
use super::options::{ProgramOptions, ThreadOptions, width};
use super::program::Prepared;
use crate::run::{self, Limits, Tracer};
use crate::trace::{Phase, Sink, Step};
use crate::units::Width;

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
}

impl Trace {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let prepared = Prepared::new(&self.program, self.width, self.threads.bulk())?;
        let mut memory = prepared.memory()?;
        let threads = self.threads.threads;
        let limits = Limits { threads, while_iterations: self.program.while_limit };
        let mut failure = None;
        let write = |out: &mut dyn Write| {
            writeln!(out, "threads {threads}")?;
            let writer = Writer { out, result: Ok(()) };
            let mut tracer = Tracer::new(&prepared.program, writer);
            let program = &prepared.program;
            match run::execute(program, &prepared.layout, &mut memory, limits, &mut tracer) {
                Ok(_) => tracer.sink.result,
                Err(located) => {
                    failure = Some(located);
                    Err(io::Error::other("the run failed"))
                }
            }
        };
        let written = files::write(&self.output, write);
        match failure {
            Some(located) => Err(located.into()),
            None => written,
        }
    }
}
