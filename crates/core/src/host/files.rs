//! Files that are read: never more of one than it may hold, and remembered, so that no output takes
//! the place of an input.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use self::formats::BinaryFormat;
#[cfg(unix)]
pub use self::inputs::{are_same, release, was_read};

mod formats;

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
    #[error("{}: cannot read the file: {source}", path_text(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Bytes that are no UTF-8.
    #[error("{}:{line}: not UTF-8 text; save the file as UTF-8", path_text(path))]
    NotText {
        /// The file.
        path: PathBuf,
        /// Of the first such byte, from 1.
        line: usize,
    },
    /// A format that is known and is no text.
    #[error("{}: this is {}, not text; {}", path_text(path), format.name, format.remedy)]
    Binary {
        /// The file.
        path: PathBuf,
        /// What it is.
        format: BinaryFormat,
    },
}

/// Whether a file's name ends so, in capital letters or small ones.
pub fn ends(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case(extension))
}

/// A path as a message names it, on one line: what has no letter of its own stands by its escape.
pub fn path_text(path: impl AsRef<Path>) -> String {
    let mut text = String::new();
    for it in path.as_ref().display().to_string().chars() {
        if it.is_control() { text.extend(it.escape_default()) } else { text.push(it) }
    }
    text
}

/// A file, or standard input for `-`, of at most `most` bytes: reading more is an error.
///
/// # Errors
/// What the system says; that the file is longer.
pub fn open(path: &Path, most: u64) -> io::Result<BoundedFile> {
    let file =
        if path == "-" { stdin()? } else { File::open(path).map_err(|it| absent(path, it))? };
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    #[cfg(unix)]
    inputs::note(&about);
    Ok(BoundedFile { file, most, left: most })
}

/// What the system says, with what to do where a file is not there.
fn absent(path: &Path, error: io::Error) -> io::Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let remedy = match path.read_link() {
        Ok(target) => format!(
            "it is a link to {}, which is not there; link it anew, or name another file",
            path_text(target)
        ),
        Err(_) => "there is none of this name; check it, and the folder you are in".to_owned(),
    };
    io::Error::new(ErrorKind::NotFound, remedy)
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
    let file = open(path, most);
    text(path, file.map_err(|source| FileError::Unreadable { path: path.into(), source })?)
}

/// The text of what is read, which messages call `path`.
///
/// # Errors
/// As [`read`].
pub fn text(path: &Path, mut file: impl Read) -> Result<String, FileError> {
    let unreadable = |source| FileError::Unreadable { path: path.into(), source };
    let not_text = |before: &[u8]| {
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        FileError::NotText { path: path.into(), line }
    };
    let mut bytes = vec![];
    loop {
        let before = bytes.len();
        if (&mut file).take(CHUNK).read_to_end(&mut bytes).map_err(unreadable)? == 0 {
            break;
        }
        if before == 0
            && let Some(format) = BinaryFormat::of(&bytes)
        {
            return Err(FileError::Binary { path: path.into(), format });
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
    fn a_known_format_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("points.npy");
        fs::write(&path, b"\x93NUMPY\x01\0v\0").unwrap();
        let error = read(&path, DATA).unwrap_err().to_string();
        assert!(error.contains("points.npy: this is a NumPy array, not text; "), "{error}");
    }

    #[test]
    fn a_name_of_two_lines_is_written_on_one() {
        assert_eq!(path_text("a\nb\u{7}.csv"), r"a\nb\u{7}.csv");
        let error = read(Path::new("no\nsuch"), DATA).unwrap_err().to_string();
        assert!(error.starts_with(r"no\nsuch: cannot read the file: "), "{error}");
    }

    #[test]
    fn a_link_to_nothing_is_called_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("link");
        std::os::unix::fs::symlink("gone", &path).unwrap();
        let error = read(&path, DATA).unwrap_err().to_string();
        assert!(error.contains("it is a link to gone, which is not there"), "{error}");
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
