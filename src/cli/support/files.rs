//! Where outputs go. One that is a file appears whole or not at all: it is written under a temporary
//! name beside its place and then renamed. It never takes the place of an input.

use std::fmt::Display;
use std::fs::{OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;
use super::staging::StagedFile;
use crate::diagnostic::{is_hidden, visible};
use crate::host::files::{are_same, path_text, release, was_read};

/// What writes an output's bytes.
type Content<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

/// The place that an output's name leads to.
struct OutputPlace {
    kind: OutputKind,
    /// Without symbolic links; `-` for standard output.
    path: PathBuf,
}

enum OutputKind {
    StandardOutput,
    /// A pipe or a device: it takes its bytes as they come, and is never replaced.
    Stream,
    /// With the permissions of the file that is replaced.
    File(Option<Permissions>),
}

fn failure(path: &Path, why: impl Display) -> Failure {
    Failure::input(format_args!("{}: {why}", path_text(path)))
}

/// Of a file that was begun: what the system says is no mistake of the command line.
fn unfinished(path: &Path, error: &io::Error) -> Failure {
    Failure::run(format_args!("{}: cannot write it: {error}", path_text(path)))
}

impl OutputPlace {
    fn of(path: &Path) -> Result<Self, Failure> {
        let place = |kind, path: &Path| Ok(Self { kind, path: path.into() });
        if path == "-" {
            return place(OutputKind::StandardOutput, path);
        }
        let about = match path.metadata() {
            Ok(about) => about,
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {
                let folder =
                    folder(path).canonicalize().map_err(|error| unwritable(path, &error))?;
                let name = path.file_name().ok_or_else(|| failure(path, "name a file"))?;
                return place(OutputKind::File(None), &folder.join(name));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let target = path.read_link().unwrap_or_default();
                return Err(failure(
                    path,
                    format_args!(
                        "is a link to {}, which is not there; remove the link, or write to another \
                         file",
                        path_text(&target)
                    ),
                ));
            }
            Err(error) => return Err(failure(path, error)),
        };
        if about.is_dir() {
            return Err(failure(path, "is a folder; name a file"));
        }
        let stdout = io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from);
        if stdout.and_then(|it| it.metadata()).is_ok_and(|it| are_same(&it, &about)) {
            return place(OutputKind::StandardOutput, Path::new("-"));
        }
        if !about.is_file() {
            return place(OutputKind::Stream, path);
        }
        if was_read(&about) {
            return Err(failure(path, "is an input of this command; write to another file"));
        }
        let writable = OpenOptions::new().write(true).open(path);
        match writable.map(|_| about.permissions().readonly()) {
            Ok(false) => {}
            Err(error) if error.kind() != ErrorKind::PermissionDenied => {
                return Err(failure(path, error));
            }
            _ => {
                return Err(failure(
                    path,
                    "may not be written (see its mode); write to another file",
                ));
            }
        }
        let resolved = path.canonicalize().map_err(|error| failure(path, error))?;
        place(OutputKind::File(Some(about.permissions())), &resolved)
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => failure(path, "no such folder; create it first"),
        cause => {
            let path = path_text(path);
            Failure::of_file(format_args!("{path}: cannot write into this folder: {cause}"), error)
        }
    }
}

/// Writes one file through `write`; a pipe or device, standard output for `-` among them, as it goes
/// along.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let place = OutputPlace::of(path)?;
    match place.kind {
        OutputKind::StandardOutput | OutputKind::Stream => place.stream(Box::new(write)),
        OutputKind::File(permissions) => beside(&place.path, permissions, Box::new(write))
            .and_then(|file| kept(&place.path, file.persist(&place.path, true))),
    }
}

/// As [`write`], but a file that is there, though it came while this one was made, is left alone:
/// then `remedy` is what to do.
pub(crate) fn create(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    remedy: &str,
) -> Result<(), Failure> {
    let there = || failure(path, format_args!("exists; {remedy}"));
    let place = OutputPlace::of(path)?;
    match place.kind {
        OutputKind::File(None) => {
            let file = beside(&place.path, None, Box::new(write))?;
            match file.persist(&place.path, false) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(there()),
                result => kept(path, result),
            }
        }
        OutputKind::File(Some(_)) => Err(there()),
        _ => place.stream(Box::new(write)),
    }
}

/// As [`write`], of a file that this command has read, too: it keeps it up to date.
pub(crate) fn update(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    release(path);
    write(path, content)
}

fn kept(path: &Path, result: io::Result<()>) -> Result<(), Failure> {
    result.map_err(|error| unfinished(path, &error))
}

/// Whether an output goes to standard output, so that reports do not.
static STDOUT_IS_TAKEN: AtomicBool = AtomicBool::new(false);

impl OutputPlace {
    /// Writes to what is never replaced.
    fn stream(&self, write: Content<'_>) -> Result<(), Failure> {
        let buffered = |out: &mut dyn Write| {
            let mut out = BufWriter::new(out);
            write(&mut out)?;
            out.flush()
        };
        if matches!(self.kind, OutputKind::StandardOutput) {
            STDOUT_IS_TAKEN.store(true, Ordering::Relaxed);
            return printed(buffered(&mut io::stdout().lock()));
        }
        let out = OpenOptions::new().write(true).open(&self.path);
        let mut out = out.map_err(|error| failure(&self.path, error))?;
        buffered(&mut out).map_err(|error| unfinished(&self.path, &error))
    }
}

/// A file for the place `path`, written through `write`; dropped, it leaves no trace.
fn beside(
    path: &Path,
    permissions: Option<Permissions>,
    write: Content<'_>,
) -> Result<StagedFile, Failure> {
    let fail = |error: io::Error| unfinished(path, &error);
    let staged = StagedFile::new(folder(path), permissions);
    let staged = staged.map_err(|error| unwritable(path, &error))?;
    let mut buffered = BufWriter::new(staged.file());
    write(&mut buffered).map_err(fail)?;
    buffered.flush().map_err(fail)?;
    drop(buffered);
    Ok(staged)
}

/// An output that is written but not yet in its place; dropped, it leaves no trace.
pub(crate) struct StagedOutput {
    place: OutputPlace,
    content: StagedContent,
}

enum StagedContent {
    File(StagedFile),
    Bytes(Vec<u8>),
}

impl StagedOutput {
    /// Writes the output through `write`.
    pub(crate) fn new(
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Self, Failure> {
        let place = OutputPlace::of(path)?;
        let content = match &place.kind {
            OutputKind::File(permissions) => {
                StagedContent::File(beside(&place.path, permissions.clone(), Box::new(write))?)
            }
            _ => {
                let mut bytes = vec![];
                write(&mut bytes).map_err(|error| unfinished(path, &error))?;
                StagedContent::Bytes(bytes)
            }
        };
        Ok(Self { place, content })
    }

    /// Puts the output in its place, over what is there.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        match self.content {
            StagedContent::File(file) => {
                kept(&self.place.path, file.persist(&self.place.path, true))
            }
            StagedContent::Bytes(bytes) => self.place.stream(Box::new(|out| out.write_all(&bytes))),
        }
    }
}

/// Refuses, before hours of work, what could not be written after it: a folder that is not there, an
/// input that was read, one place for two outputs.
pub(crate) fn check_outputs<P: AsRef<Path>>(
    paths: impl IntoIterator<Item = P>,
) -> Result<(), Failure> {
    let mut places = vec![];
    for path in paths {
        let path = path.as_ref();
        let OutputPlace { path: place, .. } = StagedOutput::new(path, |_| Ok(()))?.place;
        if places.contains(&place) {
            return Err(Failure::input(format_args!(
                "{} is to be written twice; give each output a file of its own",
                path_text(path)
            )));
        }
        places.push(place);
    }
    Ok(())
}

/// Prints text, [`visible`], to standard output, or, where an output goes there, to standard error; a closed pipe
/// (`| head`) is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let text = visible(text);
    let text = text.as_bytes();
    printed(if STDOUT_IS_TAKEN.load(Ordering::Relaxed) {
        io::stderr().write_all(text)
    } else {
        io::stdout().write_all(text)
    })
}

/// Says something beside the report, on standard error; nobody may be left to read it.
pub(crate) fn note(text: &str) {
    let _ = io::stderr().write_all(visible(text).as_bytes());
}

fn printed(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::run(format_args!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object; what a reader would not see stands in it by its number.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
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

/// Why `-` is no output beside a report.
pub(crate) const STDOUT_HAS_THE_REPORT: &str =
    "name a file; standard output has the report (/dev/stdout sends it to standard error)";
