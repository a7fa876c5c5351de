//! Reading and writing files. An output appears whole or not at all: it is written under a
//! temporary name beside its place and then renamed.

use std::fs::{OpenOptions, Permissions};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::{Builder, NamedTempFile};

use super::Failure;
use crate::diagnostic::{is_hidden, visible};

/// The text of a file, or of standard input for `-`.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    let fail = |error: io::Error| {
        Failure::input(format_args!("{}: cannot read the file: {error}", path.display()))
    };
    if path == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(fail)?;
        return Ok(text);
    }
    let bytes = std::fs::read(path).map_err(fail)?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        let path = path.display();
        Failure::input(format_args!("{path}:{line}: not UTF-8 text; save the file as UTF-8"))
    })
}

/// Writes a file through `write`. A pipe or device is written as it is, not replaced.
pub(super) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    Staged::new(path, write)?.keep()
}

/// The temporary files that exist now, for [`remove_temporary`].
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);

/// Removes what is half written: for a process that is about to end at once.
pub(super) fn remove_temporary() {
    if let Ok(mut paths) = TEMPORARY.lock() {
        for path in paths.drain(..) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A file that is written but not yet in its place; dropped, it leaves no trace.
pub(super) enum Staged {
    Beside {
        file: NamedTempFile,
        path: PathBuf,
    },
    /// For a pipe or device, which takes its bytes at once and is never replaced.
    Bytes {
        bytes: Vec<u8>,
        path: PathBuf,
    },
}

impl Staged {
    /// Writes the file through `write`, beside its place.
    pub(super) fn new(
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Self, Failure> {
        let fail = |error: io::Error| Failure::input(format_args!("{}: {error}", path.display()));
        if path.is_dir() {
            return Err(Failure::input(format_args!(
                "{}: is a folder; name a file",
                path.display()
            )));
        }
        // Through a symbolic link to the file that it names.
        let resolved =
            if path.is_symlink() { path.canonicalize().map_err(fail)? } else { path.into() };
        let path = resolved.as_path();
        if path.exists() && !path.is_file() {
            let mut bytes = vec![];
            write(&mut bytes).map_err(fail)?;
            return Ok(Self::Bytes { bytes, path: resolved });
        }
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let file = Builder::new()
            .prefix(".umm-")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .map_err(|error| {
                let (cause, path) = (error.kind(), path.display());
                Failure::input(match cause {
                    io::ErrorKind::NotFound => format!("{path}: no such folder; create it first"),
                    _ => format!("{path}: cannot write into this folder: {cause}"),
                })
            })?;
        if let Ok(mut paths) = TEMPORARY.lock() {
            paths.push(file.path().to_owned());
        }
        let mut buffered = BufWriter::new(file);
        write(&mut buffered).map_err(fail)?;
        let file = buffered.into_inner().map_err(|error| fail(error.into_error()))?;
        Ok(Self::Beside { file, path: path.into() })
    }

    /// Puts the file in its place, over the one that is there.
    pub(super) fn keep(self) -> Result<(), Failure> {
        let (path, result) = match self {
            Self::Beside { file, path } => {
                let kept = file.persist(&path).map(|_| ()).map_err(|error| error.error);
                (path, kept)
            }
            Self::Bytes { bytes, path } => {
                let written = OpenOptions::new().write(true).open(&path);
                (path, written.and_then(|mut it| it.write_all(&bytes)))
            }
        };
        result.map_err(|error| Failure::input(format_args!("{}: {error}", path.display())))
    }
}

/// Refuses what could not be written, before hours of work on it.
pub(super) fn check_writable(path: &Path) -> Result<(), Failure> {
    Staged::new(path, |_| Ok(())).map(drop)
}

/// Prints text to standard output, [`visible`]; a closed pipe (`| head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(visible(text).as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::run(format_args!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object; what a reader would not see stands in it by its number.
pub(super) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value)
        .map_err(|error| Failure::run(format_args!("no JSON for this result: {error}")))?;
    let mut line = String::with_capacity(text.len() + 1);
    for it in text.chars() {
        if is_hidden(it) {
            line += &format!("\\u{:04x}", u32::from(it));
        } else {
            line.push(it);
        }
    }
    print(&(line + "\n"))
}
