//! Listings that were measured and are not shipped: their text stands beside the times, under a name
//! that says what it holds.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::MeasurementError;
use memory_machine_algorithms::catalogue;
use memory_machine_case::{self as case, LoadError};
use memory_machine_core::diagnostic::{Source, fingerprint};
use memory_machine_core::host::files;
use memory_machine_core::language;
use memory_machine_core::language::program::Program;

/// The listings of a folder of measurements.
pub const LISTINGS: &str = "listings";

/// The file of a listing: its name and a hash of its text.
fn file_name(name: &str, text: &str) -> String {
    format!("{name}-{:016x}.alg", fingerprint(text.as_bytes()))
}

/// The listing of this name that is kept in a folder of measurements, if there is one.
fn kept(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder.join(LISTINGS)).into_iter().flatten().flatten();
    let is_of = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        let hash = stem.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
        hash.is_some_and(|it| it.len() == 16 && it.bytes().all(|it| it.is_ascii_hexdigit()))
    };
    entries.map(|it| it.path()).filter(is_of).min()
}

/// The program that was measured under a name: the one that is kept, else the shipped one.
///
/// # Errors
/// There is neither; the file cannot be read, or was changed since.
pub fn measured(folder: &Path, name: &str) -> Result<Program, LoadError> {
    match kept(folder, name) {
        Some(path) => {
            let text = files::read(&path, files::DESCRIPTION)?;
            let source = Source { name: path.display().to_string(), text };
            // Its name says what it holds.
            if path.file_name() != Some(file_name(name, &source.text).as_ref()) {
                return Err(LoadError::Changed(source.name));
            }
            Ok(language::load(source)?)
        }
        None => case::load(name),
    }
}

/// Keeps a listing that is to be measured, unless it is a shipped one. `before` says whether there are
/// times of its name in the folder.
///
/// # Errors
/// Those times are another listing's.
pub fn keep(folder: &Path, program: &Program, before: bool) -> Result<(), MeasurementError> {
    let path = folder.join(LISTINGS).join(file_name(&program.name, &program.source.text));
    let there = kept(folder, &program.name);
    let is_shipped = catalogue::of(program).is_some();
    if there.as_ref() == Some(&path) || there.is_none() && is_shipped {
        return Ok(());
    }
    if before {
        let name = program.name.clone();
        return Err(MeasurementError::OtherListing { folder: folder.into(), name });
    }
    // Kept by a measurement of which no time was saved.
    if let Some(there) = there {
        fs::remove_file(&there).map_err(|error| unwritable(&there, error))?;
    }
    if is_shipped {
        return Ok(());
    }
    fs::create_dir_all(folder.join(LISTINGS)).map_err(|error| unwritable(&path, error))?;
    let mut file =
        tempfile::NamedTempFile::new_in(folder).map_err(|error| unwritable(&path, error))?;
    file.write_all(program.source.text.as_bytes()).map_err(|error| unwritable(&path, error))?;
    file.persist(&path).map_err(|error| unwritable(&path, error.error))?;
    Ok(())
}

fn unwritable(path: &Path, source: io::Error) -> MeasurementError {
    MeasurementError::Unwritable { path: path.into(), source }
}
