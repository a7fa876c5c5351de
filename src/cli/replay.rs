//! `umm replay`

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::Failure;
use super::files;
use super::options::{MachineOptions, describe};
use super::progress::spin;
use crate::diagnostic::{Diagnostic, Located, Source, Span};
use crate::host::files::{DATA, read as text_of};
use crate::machine::{self, Counts, Machine, Memories, Mode};
use crate::trace::{Trace, text};
use crate::units::Threads;

/// Time a trace given as text
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm replay access.trace -m dmm -w 4 -l 5
  printf 'threads 8\\nR 7 5 15 0 10+0x4\\n' | umm replay - -w 4 -l 5")]
pub(super) struct Replay {
    /// A trace file, or - for standard input
    trace: PathBuf,
    #[command(flatten)]
    machine: MachineOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    machine: Machine,
    mode: Mode,
    threads: Threads,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    memories: Option<Memories>,
}

impl Replay {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (machine, mode) = (self.machine.machine()?, self.machine.mode());
        let (trace, counts) = spin("replaying", || {
            read_for(machine, &self.trace).map(|trace| {
                let counts = machine::time(machine, mode, &trace);
                (trace, counts)
            })
        })?;
        let memories = machine.memories(&counts);
        if self.json {
            let threads = trace.threads;
            return files::print_json(&Report { machine, mode, threads, counts, memories });
        }
        let Counts { accesses, dispatches, stages, time_units, .. } = counts;
        let mut text = format!(
            "{}  p = {}\n\naccesses    {accesses}\ndispatches  {dispatches}\nstages      {stages}\n\
             time units  {time_units}\n",
            describe(machine, mode),
            trace.threads
        );
        if let Some(Memories { global, shared }) = memories {
            for (name, it) in [("global", global), ("shared", shared)] {
                text += &format!(
                    "{name}      {} accesses, {} dispatches, {} stages\n",
                    it.accesses, it.dispatches, it.stages
                );
            }
        }
        files::print(&text)
    }
}

/// Reads a trace that a machine can run.
pub(super) fn read_for(machine: Machine, path: &Path) -> Result<Trace, Failure> {
    let trace = read(path)?;
    match machine.kind.without_dmms().filter(|_| trace.has_blocks()) {
        None => Ok(trace),
        Some([why, remedy]) => Err(Failure::input(format_args!(
            "{}: it has a loop on DMMs, and {why}; {remedy}",
            path.display()
        ))),
    }
}

/// Reads a trace; an error shows the line with a caret.
pub(super) fn read(path: &Path) -> Result<Trace, Failure> {
    let content = text_of(path, DATA)?;
    text::parse(&content).map_err(|error| {
        let name =
            if path == "-" { "standard input".to_owned() } else { path.display().to_string() };
        Box::new(locate(Source { name, text: content }, error)).into()
    })
}

fn locate(source: Source, error: text::TextError) -> Located {
    let line = source.text.split_inclusive('\n').nth(error.line - 1).unwrap_or("");
    let before: usize = source.text.split_inclusive('\n').take(error.line - 1).map(str::len).sum();
    let at = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let (start, end) = (at(error.column - 1), at(error.column - 1 + error.span));
    let span = Span::new(before + start, before + end);
    Located { source, diagnostic: Diagnostic::new(span, error.message).help(error.help) }
}
