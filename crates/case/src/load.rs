//! Listings by their names and files, and the sizes that they take.

use std::ffi::OsStr;
use std::path::Path;

use thiserror::Error;

use crate::sample::Settings;
use memory_machine_algorithms::catalogue;
use memory_machine_core::diagnostic::{Located, Source};
use memory_machine_core::host::files::{self, FileError};
use memory_machine_core::language;
use memory_machine_core::language::program::Program;

/// Why there is no such listing.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Neither a shipped name nor a file's.
    #[error(
        "no shipped listing is called `{0}`; {meant}see `umm list`, or name a file FILE.alg",
        meant = catalogue::suggestion(.0)
    )]
    Unknown(String),
    /// The file is not there, cannot be read, or is not UTF-8.
    #[error(transparent)]
    File(#[from] FileError),
    /// A listing that a measurement keeps is not what it was.
    #[error(
        "{0}: this is not the text that was measured; restore it, or measure it into another folder"
    )]
    Changed(String),
    /// The file is no well-formed listing.
    #[error(transparent)]
    Listing(#[from] Box<Located>),
}

/// A listing by its name, if it is a shipped one, else by its file.
///
/// # Errors
/// [`LoadError`].
pub fn load(algorithm: impl AsRef<OsStr>) -> Result<Program, LoadError> {
    load_for(algorithm, &Settings::default())
}

/// The same for these sizes, which a listing with recursion is unfolded for.
///
/// # Errors
/// [`LoadError`].
pub fn load_for(algorithm: impl AsRef<OsStr>, set: &Settings) -> Result<Program, LoadError> {
    let load = |source| language::load_for(source, |name| set.0.get(name).copied());
    let path = Path::new(algorithm.as_ref());
    if let Some(entry) = path.to_str().and_then(catalogue::find) {
        let name = format!("{}.alg", entry.name);
        return Ok(load(Source { name, text: entry.text.to_owned() })?);
    }
    let name = path.display().to_string();
    // A shipped listing has no file here, but in the library.
    let is_shipped = name.strip_suffix(".alg").is_some_and(|it| catalogue::find(it).is_some());
    let is_file = path.components().count() > 1
        || path.extension().is_some_and(|it| it == "alg") && (path.exists() || !is_shipped);
    if !is_file && path != "-" {
        return Err(LoadError::Unknown(name));
    }
    Ok(load(Source { name, text: files::read(path, files::DESCRIPTION)? })?)
}

/// What may be set, as a message on something else ends.
pub fn parameters(program: &Program) -> String {
    let names: Vec<&str> = program.parameters.iter().map(|it| it.name.as_str()).collect();
    match names.as_slice() {
        [] => "it has no parameters: leave out --set".to_owned(),
        names => format!("its parameters are: {}", names.join(", ")),
    }
}
