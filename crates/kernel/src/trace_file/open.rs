//! A file that another tool recorded, or standard input, opened: packed or not, and of a format that its
//! beginning says.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use super::{TimedTrace, TraceFileError, TraceFormat, list, time};
use memory_machine_core::host::files;
use memory_machine_core::machine::{Machine, Mode};

/// Names of what packs files, by their first bytes.
const PACKED: [(&[u8], &str); 4] = [
    (XZ, "xz -dk"),
    (b"\x1f\x8b", "gzip -dk"),
    (b"\x28\xb5\x2f\xfd", "zstd -d"),
    (b"BZh", "bzip2 -dk"),
];
const XZ: &[u8] = b"\xfd7zXZ\0";
/// Bytes of a file that say what it is.
const HEAD_BYTES: u64 = 1 << 16;

/// A file, read from its beginning on.
pub struct OpenTrace {
    path: PathBuf,
    from: Box<dyn BufRead>,
    /// What it is, if it is a trace of another tool.
    pub format: Option<TraceFormat>,
}

impl OpenTrace {
    /// Opens a file, or standard input for `-`; what xz packed is unpacked on the way.
    ///
    /// # Errors
    /// A file that cannot be read, or that is packed otherwise.
    pub fn new(path: &Path) -> Result<Self, TraceFileError> {
        let name = path_name(path);
        let failed = |it| TraceFileError::File(name.clone(), it);
        let file = files::open(path, u64::MAX).map_err(failed)?;
        let (head, from) = begin(BufReader::new(file)).map_err(failed)?;
        if head.starts_with(XZ) && cfg!(feature = "xz") {
            let (head, from) = begin(unpacked(from)).map_err(failed)?;
            let Some(format) = TraceFormat::of(&head) else {
                let why = "holds no trace of another tool; `xz -dk` unpacks it".to_owned();
                return Err(TraceFileError::Given(name, why));
            };
            return Ok(Self { path: path.into(), from: Box::new(from), format: Some(format) });
        }
        if let Some((magic, command)) = PACKED.iter().find(|it| head.starts_with(it.0)) {
            let by_pipe = path == "-";
            let mut why = match by_pipe {
                true => format!(
                    "is packed; `{} |` before this command unpacks it",
                    command.replace('k', "c")
                ),
                false => format!("is packed; `{command} {name}` unpacks it"),
            };
            if *magic == XZ {
                why += ", and a build with the feature `xz` reads it as it is";
            }
            return Err(TraceFileError::Given(name, why));
        }
        Ok(Self { path: path.into(), from: Box::new(from), format: TraceFormat::of(&head) })
    }

    /// Times it as of this format; memory is bounded, whatever its length.
    ///
    /// # Errors
    /// A line that is none; accesses that are too many to be held, or to a memory that the machine does not
    /// have.
    pub fn time(
        mut self,
        format: TraceFormat,
        machine: Machine,
        mode: Mode,
    ) -> Result<TimedTrace, TraceFileError> {
        let name = path_name(&self.path);
        match format {
            TraceFormat::KernelList => list(&self.path, &mut self.from, machine, mode),
            _ => time(&name, &mut self.from, format, machine, mode),
        }
    }

    /// What it has to say, from its beginning on.
    pub fn into_read(self) -> Box<dyn BufRead> {
        self.from
    }
}

/// As messages name it.
pub(super) fn path_name(path: &Path) -> String {
    if path == "-" { "standard input".to_owned() } else { files::path_text(path) }
}

/// What it begins with, and the whole of it.
fn begin(mut from: impl BufRead + 'static) -> io::Result<(Vec<u8>, impl BufRead + 'static)> {
    let mut head = vec![];
    (&mut from).take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(from)))
}

#[cfg(not(feature = "xz"))]
fn unpacked(from: impl BufRead + 'static) -> impl BufRead + 'static {
    from
}

#[cfg(feature = "xz")]
fn unpacked(from: impl BufRead + 'static) -> impl BufRead + 'static {
    BufReader::new(super::xz::Unpacked::new(from))
}
