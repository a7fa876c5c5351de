//! Reading and writing files. An output appears whole or not at all: it is written under a
//! temporary name beside its place and then renamed.

use std::fs::Permissions;
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::Builder;

use super::Failure;

/// The text of a file, or of standard input for `-`.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    let fail = |error: io::Error| Failure::input(format_args!("{}: {error}", path.display()));
    if path == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(fail)?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(fail)
}

/// Writes a file through `write`.
pub(super) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let fail = |error: io::Error| Failure::input(format_args!("{}: {error}", path.display()));
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(Failure::input(format_args!("{}: is a folder; name a file", path.display())));
    }
    let file = Builder::new()
        .prefix(".umm-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(fail)?;
    let mut buffered = BufWriter::new(file);
    write(&mut buffered).map_err(fail)?;
    let file = buffered.into_inner().map_err(|error| fail(error.into_error()))?;
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Prints to standard output; a closed pipe (`| head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::run(format_args!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object.
pub(super) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value)
        .map_err(|error| Failure::run(format_args!("no JSON for this result: {error}")))?;
    print(&(text + "\n"))
}
