//! Listings by their names and files, and the sizes that they take.

use std::ffi::OsStr;
use std::path::Path;

use thiserror::Error;

use crate::sample::Settings;
use memory_machine_algorithms::{catalogue, validation_listings};
use memory_machine_core::diagnostic::{Located, Source};
use memory_machine_core::host::files::{self, FileError, path_text};
use memory_machine_core::language::notation;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::{self, AsPrinted};

/// Why there is no such listing.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Neither a shipped name nor a file's.
    #[error(
        "no shipped listing is called `{0}`; {meant}see `umm list`, or name a file FILE.alg",
        meant = suggestion(.0)
    )]
    Unknown(String),
    /// The file is not there, cannot be read, or is not UTF-8.
    #[error(transparent)]
    File(#[from] FileError),
    /// A LaTeX source with fewer algorithms.
    #[error("{name}: there is no algorithm {nth} in it; choose a smaller --nth")]
    NoSuchAlgorithm {
        /// The file.
        name: String,
        /// Which one is wanted.
        nth: usize,
    },
    /// The file is no well-formed listing.
    #[error(transparent)]
    Listing(#[from] Box<Located>),
}

/// What files with programs and pseudocode end in.
const PROGRAMS: [&str; 14] =
    ["txt", "tex", "c", "h", "cpp", "cc", "java", "py", "m", "f90", "f", "jl", "md", "cu"];

/// A listing that the program itself has, by its name: a shipped one, else that of a validation set,
/// which `NAME@SET` names, too.
fn built_in(name: &str) -> Option<Source> {
    let (name, text) = match catalogue::find_typed(name) {
        Some(entry) => (entry.name, entry.text),
        None => (name, validation_listings::find(name)?.text),
    };
    Some(Source { name: format!("{name}.alg"), text: text.to_owned() })
}

/// Whether the program itself has a listing of this name.
pub fn is_built_in(algorithm: &OsStr) -> bool {
    algorithm.to_str().and_then(built_in).is_some()
}

/// The question whether the listing of the nearest name is meant, if one is near: a shipped one, else
/// one of a validation set.
pub fn suggestion(name: &str) -> String {
    match catalogue::suggestion(name) {
        none if none.is_empty() => validation_listings::suggestion(name),
        shipped => shipped,
    }
}

/// A listing by its name, if the program has it, else by its file.
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
    load_as(algorithm, set, Printed::default())
}

/// How a text is written inside messages.
#[derive(Debug, Clone, Copy, Default)]
pub struct Printed<'a> {
    /// What is said of the text.
    pub said: AsPrinted<'a>,
    /// Which of the algorithms of a LaTeX source, from 1 on.
    pub nth: Option<usize>,
}

/// The same for a text that is printed in some notation.
///
/// # Errors
/// [`LoadError`].
pub fn load_as(
    algorithm: impl AsRef<OsStr>,
    set: &Settings,
    printed: Printed<'_>,
) -> Result<Program, LoadError> {
    let load = |source| language::load_in(source, printed.said, |name| set.0.get(name).copied());
    let path = Path::new(algorithm.as_ref());
    if let Some(source) = path.to_str().and_then(built_in) {
        return Ok(load(source)?);
    }
    let name = path_text(path);
    // A listing that the program has need have no file here.
    let is_built_in = name.strip_suffix(".alg").is_some_and(|it| built_in(it).is_some());
    let is_program = PROGRAMS.iter().any(|it| files::ends(path, it));
    let is_file = path.components().count() > 1
        || is_program
        || files::ends(path, "alg") && (path.exists() || !is_built_in);
    if !is_file && path != "-" {
        return Err(LoadError::Unknown(name));
    }
    let mut text = files::read(path, files::DESCRIPTION)?;
    if let Some(nth) = printed.nth {
        text = notation::nth(&text, nth)
            .ok_or(LoadError::NoSuchAlgorithm { name: name.clone(), nth })?;
    }
    Ok(load(Source { name, text })?)
}

/// What may be set, as a message on something else ends.
pub fn parameters(program: &Program) -> String {
    let integers = program.parameters.iter().map(|it| it.name.as_str());
    let reals = program.listing.reals.iter().map(|it| it.name.text.as_str());
    let names: Vec<&str> = integers.chain(reals).collect();
    match names.as_slice() {
        [] => "it has no parameters: leave out --set".to_owned(),
        names => format!("its parameters are: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{LoadError, load};

    #[test]
    fn a_program_that_is_not_there_is_a_file() {
        assert!(matches!(load("nothere.c"), Err(LoadError::File(_))));
        assert!(matches!(load("nothere"), Err(LoadError::Unknown(_))));
    }
}
