//! The files that were read, by what they are and not by what they are called.

use std::collections::HashSet;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The device and the number that a file has there, whatever names it has.
type Identity = (u64, u64);

/// The files that were read.
static INPUTS: LazyLock<Mutex<HashSet<Identity>>> = LazyLock::new(Mutex::default);

fn inputs<T>(of: impl FnOnce(&mut HashSet<Identity>) -> T) -> T {
    of(&mut INPUTS.lock().unwrap_or_else(PoisonError::into_inner))
}

fn identity(file: &Metadata) -> Identity {
    (file.dev(), file.ino())
}

/// Whether two names lead to one file.
pub fn are_same(one: &Metadata, other: &Metadata) -> bool {
    identity(one) == identity(other)
}

/// Whether a file was read, under any name.
pub fn was_read(file: &Metadata) -> bool {
    inputs(|it| it.contains(&identity(file)))
}

/// Lets a file that was read be written: one that is kept up to date.
pub fn release(path: &Path) {
    if let Ok(file) = path.metadata() {
        inputs(|it| it.remove(&identity(&file)));
    }
}

/// Remembers a file that is read; a pipe or a device is none.
pub(super) fn note(file: &Metadata) {
    if file.is_file() {
        inputs(|it| it.insert(identity(file)));
    }
}
