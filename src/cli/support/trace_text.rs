//! Traces given as text.

use std::path::Path;

use super::Failure;
use crate::case::replay;
use crate::diagnostic::Source;
use crate::host::files::{DATA, path_text, read as text_of};
use crate::machine::Machine;
use crate::trace::Trace;

/// Reads a trace that a machine can run.
pub(crate) fn read_for(machine: Machine, path: &Path) -> Result<Trace, Failure> {
    Ok(replay::parse_for(machine, source(path)?)?)
}

/// Reads a trace; an error shows the line with a caret.
pub(crate) fn read(path: &Path) -> Result<Trace, Failure> {
    Ok(replay::parse(source(path)?)?)
}

fn source(path: &Path) -> Result<Source, Failure> {
    let name = if path == "-" { "standard input".to_owned() } else { path_text(path) };
    Ok(Source { name, text: text_of(path, DATA)? })
}
