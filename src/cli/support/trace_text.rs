//! Traces given as text.

use std::io::Read;
use std::path::Path;

use super::Failure;
use crate::case::replay;
use crate::diagnostic::Source;
use crate::host::files;
use crate::machine::Machine;
use crate::trace::Trace;

/// Reads a trace that a machine can run.
pub(crate) fn read_for(machine: Machine, path: &Path) -> Result<Trace, Failure> {
    Ok(replay::parse_for(machine, source(path)?)?)
}

/// The same from a file that is open.
pub(crate) fn read_from(machine: Machine, path: &Path, from: impl Read) -> Result<Trace, Failure> {
    let text = files::text(path, from.take(files::DATA + 1))?;
    if text.len() as u64 > files::DATA {
        let most = files::DATA >> 20;
        return Err(Failure::input(format_args!("{}: longer than {most} MiB", name(path))));
    }
    Ok(replay::parse_for(machine, Source { name: name(path), text })?)
}

/// Reads a trace; an error shows the line with a caret.
pub(crate) fn read(path: &Path) -> Result<Trace, Failure> {
    Ok(replay::parse(source(path)?)?)
}

fn source(path: &Path) -> Result<Source, Failure> {
    Ok(Source { name: name(path), text: files::read(path, files::DATA)? })
}

fn name(path: &Path) -> String {
    if path == "-" { "standard input".to_owned() } else { files::path_text(path) }
}
