//! Files that are read: never more of one than it may hold, and remembered, so that no output takes
//! the place of an input.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

#[cfg(unix)]
pub use self::inputs::{are_same, release, was_read};

/// What the page gave: a browser has no files.
#[cfg(target_family = "wasm")]
pub mod in_memory;
#[cfg(unix)]
mod inputs;

/// Most bytes of a listing, and of a description: a model, a plan, what is to be swept or measured.
pub const DESCRIPTION: u64 = 1 << 20;
/// Most bytes of data: tables, GeoJSON, traces.
pub const DATA: u64 = 16 << 30;

/// Bytes that are read at once. The first already tell a device without end from a text.
const CHUNK: u64 = 1 << 20;

/// A file that cannot be read as text.
#[derive(Debug, Error)]
pub enum FileError {
    /// It is not there, or may not be read, or is too large.
    #[error("{}: cannot read the file: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Bytes that are no UTF-8.
    #[error("{}:{line}: not UTF-8 text; save the file as UTF-8", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// Of the first such byte, from 1.
        line: usize,
    },
}

/// A file, or standard input for `-`, of at most `most` bytes: reading more is an error.
///
/// # Errors
/// What the system says; that the file is longer.
pub fn open(path: &Path, most: u64) -> io::Result<BoundedFile> {
    let file = if path == "-" { stdin()? } else { File::open(path).map_err(told)? };
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    #[cfg(unix)]
    inputs::note(&about);
    Ok(BoundedFile { file, most, left: most })
}

/// What the system says, with what to do where a file is not there.
fn told(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::NotFound => {
            let remedy = "there is none of this name; check it, and the folder you are in";
            io::Error::new(ErrorKind::NotFound, remedy)
        }
        _ => error,
    }
}

#[cfg(unix)]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// A browser has none.
#[cfg(not(unix))]
fn stdin() -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

/// A file that fails where it is longer than it may be.
pub struct BoundedFile {
    file: File,
    most: u64,
    left: u64,
}

impl Read for BoundedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let most = self.most >> 20;
            io::Error::new(ErrorKind::FileTooLarge, format!("it is longer than {most} MiB"))
        })?;
        Ok(read)
    }
}

/// The text of a file, or of standard input for `-`, of at most `most` bytes.
///
/// # Errors
/// [`FileError`] with the file, and the line where it is no text.
pub fn read(path: &Path, most: u64) -> Result<String, FileError> {
    #[cfg(target_family = "wasm")]
    if let Some(text) = in_memory::text(path) {
        return Ok(text);
    }
    let unreadable = |source| FileError::Unreadable { path: path.into(), source };
    let not_text = |before: &[u8]| {
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        FileError::NotText { path: path.into(), line }
    };
    let mut file = open(path, most).map_err(unreadable)?;
    let mut bytes = vec![];
    loop {
        let before = bytes.len();
        if (&mut file).take(CHUNK).read_to_end(&mut bytes).map_err(unreadable)? == 0 {
            break;
        }
        if let Some(at) = bytes[before..].iter().position(|&byte| byte == 0) {
            return Err(not_text(&bytes[..before + at]));
        }
    }
    String::from_utf8(bytes)
        .map_err(|error| not_text(&error.as_bytes()[..error.utf8_error().valid_up_to()]))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_was_read_is_known_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let [file, hard, soft, other] =
            ["file", "hard", "soft", "other"].map(|name| folder.path().join(name));
        fs::write(&file, "text").unwrap();
        fs::write(&other, "text").unwrap();
        fs::hard_link(&file, &hard).unwrap();
        std::os::unix::fs::symlink(&file, &soft).unwrap();
        let was_read = |path: &Path| was_read(&path.metadata().unwrap());
        assert!(!was_read(&file));
        assert_eq!(read(&soft, 4).unwrap(), "text");
        assert!([&file, &hard, &soft].into_iter().all(|it| was_read(it)) && !was_read(&other));
        release(&hard);
        assert!(!was_read(&file));
    }

    #[test]
    fn no_more_is_read_than_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "1234\n\0").unwrap();
        let error = |path: &Path, most| read(path, most).unwrap_err().to_string();
        assert!(error(&path, 5).ends_with("cannot read the file: it is longer than 0 MiB"));
        assert!(error(&path, 6).ends_with("file:2: not UTF-8 text; save the file as UTF-8"));
        assert!(error(Path::new("/dev/zero"), DATA).starts_with("/dev/zero:1: not UTF-8 text"));
        assert!(error(folder.path(), DATA).contains("is a directory"));
    }
}
