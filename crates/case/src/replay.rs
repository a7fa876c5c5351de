//! Traces given as text, and their times.

use serde::Serialize;

use super::CaseError;
use memory_machine_core::diagnostic::{Diagnostic, Located, Source, Span};
use memory_machine_core::machine::{self, Counts, Machine, Memories, Mode};
use memory_machine_core::trace::{Trace, text};
use memory_machine_core::units::Threads;

/// What a trace takes on a machine, as `umm replay --json` prints it.
#[derive(Debug, Serialize)]
pub struct ReplayReport {
    /// What it is timed on.
    pub machine: Machine,
    /// Synchronous or asynchronous.
    pub mode: Mode,
    /// p, as the trace says.
    pub threads: Threads,
    /// Of the whole trace.
    #[serde(flatten)]
    pub counts: Counts,
    /// By memory, of an HMM.
    #[serde(flatten)]
    pub memories: Option<Memories>,
}

impl ReplayReport {
    /// Times a trace.
    pub fn new(machine: Machine, mode: Mode, trace: &Trace) -> Self {
        Self::of(machine, mode, trace.threads, machine::time(machine, mode, trace))
    }

    /// Of a trace of this many threads that was timed.
    pub fn of(machine: Machine, mode: Mode, threads: Threads, counts: Counts) -> Self {
        let memories = machine.memories(&counts);
        Self { machine, mode, threads, counts, memories }
    }
}

/// Reads a trace.
///
/// # Errors
/// The line that is none, with a caret.
pub fn parse(source: Source) -> Result<Trace, Box<Located>> {
    text::parse(&source.text).map_err(|error| Box::new(locate(source, error)))
}

/// Reads a trace that a machine can run.
///
/// # Errors
/// As [`parse`]; loops on DMMs, where the machine has none.
pub fn parse_for(machine: Machine, source: Source) -> Result<Trace, CaseError> {
    let name = source.name.clone();
    let trace = parse(source)?;
    match machine.kind.without_dmms().filter(|_| trace.has_blocks()) {
        None => Ok(trace),
        Some([why, remedy]) => {
            Err(CaseError::Given(format!("{name}: it has a loop on DMMs, and {why}; {remedy}")))
        }
    }
}

fn locate(source: Source, error: text::TextError) -> Located {
    let line = source.text.split_inclusive('\n').nth(error.line - 1).unwrap_or("");
    let before: usize = source.text.split_inclusive('\n').take(error.line - 1).map(str::len).sum();
    let at = |column: usize| line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
    let (start, end) = (at(error.column - 1), at(error.column - 1 + error.span));
    let span = Span::new(before + start, before + end);
    Located { source, diagnostic: Diagnostic::new(span, error.message).help(error.help) }
}
