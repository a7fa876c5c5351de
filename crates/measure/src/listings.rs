//! Listings that were measured and are not shipped: which text it was that took the times beside it.
//!
//! The text of a validation set's listing stands in that set: a folder has its name and hash. Any other
//! text stands in the folder, under a name that says what it holds; where a folder has many that will
//! not change any more, they are one file, `listings.algs`, and have their names and hashes, too.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::MeasurementError;
use super::plausibility::{Checked, Implausible};
use super::read::read_if_there;
use memory_machine_algorithms::{catalogue, validation_listings};
use memory_machine_case::{self as case, LoadError};
use memory_machine_core::diagnostic::{Source, fingerprint};
use memory_machine_core::host::files::{self, FileError};
use memory_machine_core::language;
use memory_machine_core::language::program::Program;

/// The folder's own texts.
const LISTINGS: &str = "listings";
/// Many of them, one after another.
const TEXTS: &str = "listings.algs";
/// Names and hashes of those of validation sets, and of those that are one file.
const HASHES: &str = "listings.csv";

/// Why the listing that was measured cannot be had.
#[derive(Debug, Error)]
pub enum ListingError {
    /// It is not shipped, cannot be read, or is not well-formed.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The folder's own text is not what it was.
    #[error(
        "{0}: this is not the text that was measured; restore it, or measure it into another folder"
    )]
    Changed(String),
    /// The text is in no validation set that this program has.
    #[error(
        "{}:{line}: no listing `{name}` of a validation set has the hash {hash}; put the text that was \
         measured into {}",
        path.display(), path.with_file_name(LISTINGS).join(file_name(name, hash)).display()
    )]
    Lost {
        /// The file of names and hashes.
        path: PathBuf,
        /// From 1, the header included.
        line: usize,
        /// The algorithm's name.
        name: String,
        /// Of its text.
        hash: String,
    },
    /// The file of names and hashes cannot be read.
    #[error(transparent)]
    Hashes(#[from] MeasurementError),
}

impl From<FileError> for ListingError {
    fn from(error: FileError) -> Self {
        Self::Load(error.into())
    }
}

/// A row of the table of hashes: a text of a validation set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
struct TextHash {
    /// The algorithm's name.
    name: String,
    /// Of its text.
    hash: String,
}

impl Checked for TextHash {
    fn check(&self) -> Result<(), Implausible> {
        Ok(())
    }
}

fn hash(text: &str) -> String {
    format!("{:016x}", fingerprint(text.as_bytes()))
}

/// The file of a listing: its name and the hash of its text.
fn file_name(name: &str, hash: &str) -> String {
    format!("{name}-{hash}.alg")
}

/// The text of a validation set that has a name and a hash.
fn of_a_set(name: &str, hashed: &str) -> Option<&'static str> {
    let mut texts =
        validation_listings::all().iter().filter(|it| it.name == name).map(|it| it.text);
    texts.find(|it| hash(it) == hashed)
}

/// What a folder knows of the texts that were measured in it.
struct Texts {
    /// Of validation sets, and of those in `together`.
    hashes: Vec<TextHash>,
    /// The folder's own, one after another.
    together: String,
    /// The folder's own, a file each.
    files: Vec<PathBuf>,
}

impl Texts {
    fn read(folder: &Path) -> Result<Self, MeasurementError> {
        let entries = fs::read_dir(folder.join(LISTINGS)).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|it| it.path()).collect();
        files.sort();
        let together = fs::read_to_string(folder.join(TEXTS)).unwrap_or_default();
        Ok(Self { hashes: read_if_there(&folder.join(HASHES))?, together, files })
    }

    /// The text of a row of the table of hashes.
    fn text(&self, name: &str, hashed: &str) -> Option<&str> {
        let mut own = validation_listings::listings(&self.together);
        own.find(|it| it.0 == name && hash(it.1) == hashed)
            .map(|it| it.1)
            .or_else(|| of_a_set(name, hashed))
    }

    /// The folder's own text of a name, and the hash that its file is named after.
    fn file(&self, name: &str) -> Option<(&Path, &str)> {
        self.files.iter().find_map(|path| {
            let stem = path.file_stem()?.to_str()?;
            let hash = stem.strip_prefix(name)?.strip_prefix('-')?;
            let is_hash = hash.len() == 16 && hash.bytes().all(|it| it.is_ascii_hexdigit());
            is_hash.then_some((path.as_path(), hash))
        })
    }

    /// The row of a name, from 0.
    fn row(&self, name: &str) -> Option<usize> {
        self.hashes.iter().position(|it| it.name == name)
    }

    /// The hash of the text of a name, if it was not the shipped one.
    fn hash(&self, name: &str) -> Option<&str> {
        let row = || self.row(name).map(|at| self.hashes[at].hash.as_str());
        self.file(name).map(|it| it.1).or_else(row)
    }
}

/// The program that was measured under a name: the folder's own text, else that of a validation set
/// whose hash the folder has, else the shipped one.
///
/// # Errors
/// There is none of these; a file cannot be read, or was changed since.
pub fn measured(folder: &Path, name: &str) -> Result<Program, ListingError> {
    let texts = Texts::read(folder)?;
    let source = if let Some((path, hashed)) = texts.file(name) {
        let text = files::read(path, files::DESCRIPTION)?;
        let source = Source { name: path.display().to_string(), text };
        // Its name says what it holds.
        if hash(&source.text) != hashed {
            return Err(ListingError::Changed(source.name));
        }
        source
    } else if let Some(at) = texts.row(name) {
        let TextHash { name, hash } = texts.hashes[at].clone();
        let Some(text) = texts.text(&name, &hash) else {
            let path = folder.join(HASHES);
            return Err(ListingError::Lost { path, line: at + 2, name, hash });
        };
        Source { name: format!("{name}.alg"), text: text.to_owned() }
    } else if catalogue::find(name).is_some() {
        return Ok(case::load(name)?);
    } else {
        return Err(LoadError::Unknown(name.to_owned()).into());
    };
    Ok(language::load(source).map_err(LoadError::from)?)
}

/// Keeps which listing is to be measured, unless it is a shipped one. `before` says whether there are
/// times of its name in the folder.
///
/// # Errors
/// Those times are another listing's; a file cannot be read or written.
pub fn keep(folder: &Path, program: &Program, before: bool) -> Result<(), MeasurementError> {
    let (name, text) = (&program.name, &program.source.text);
    let hashed = hash(text);
    let mut texts = Texts::read(folder)?;
    let kept = texts.hash(name);
    let is_shipped = catalogue::of(program).is_some();
    if kept == Some(hashed.as_str()) || kept.is_none() && is_shipped {
        return Ok(());
    }
    if before {
        let name = name.clone();
        return Err(MeasurementError::OtherListing { folder: folder.into(), name });
    }
    // Kept by a measurement of which no time was saved.
    if let Some((path, _)) = texts.file(name) {
        fs::remove_file(path).map_err(|error| unwritable(path, error))?;
    }
    let is_of_a_set = !is_shipped && of_a_set(name, &hashed).is_some();
    let other = texts.row(name).map(|at| texts.hashes.remove(at));
    if is_of_a_set {
        texts.hashes.push(TextHash { name: name.clone(), hash: hashed.clone() });
    }
    if is_of_a_set || other.is_some() {
        texts.hashes.sort();
        // Names of algorithms need no quotes.
        let rows = texts.hashes.iter().map(|it| format!("{},{}\n", it.name, it.hash));
        let table = format!("name,hash\n{}", rows.collect::<String>());
        write(&folder.join(HASHES), table.as_bytes())?;
    }
    if !is_shipped && !is_of_a_set {
        write(&folder.join(LISTINGS).join(file_name(name, &hashed)), text.as_bytes())?;
    }
    Ok(())
}

/// Writes a file, or leaves what was there.
fn write(path: &Path, bytes: &[u8]) -> Result<(), MeasurementError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder)
        .and_then(|()| tempfile::NamedTempFile::new_in(folder))
        .and_then(|mut file| file.write_all(bytes).map(|()| file))
        .and_then(|file| Ok(file.persist(path)?));
    written.map(drop).map_err(|error| unwritable(path, error))
}

fn unwritable(path: &Path, source: io::Error) -> MeasurementError {
    MeasurementError::Unwritable { path: path.into(), source }
}
