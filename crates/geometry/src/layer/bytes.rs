//! The bytes of a file, and their text.

use std::io::{self, Read};
use std::path::Path;

use super::{Fault, LayerError};
use crate::input::InputError;
use memory_machine_core::host::files::{self, FileError};
use memory_machine_core::host::memory;

/// Bytes that are unpacked between two looks at the memory that is left.
const STRIDE: u64 = 64 << 20;
/// The remedy for a file that holds nothing.
pub(super) const EMPTY: &str = "write one point x,y a line, or GeoJSON";
/// Bytes of a beginning.
const FIRST: u64 = 1 << 20;
/// The bytes of a file or of standard input.
pub(super) fn load(path: &Path) -> Result<Vec<u8>, LayerError> {
    let bytes = raw(path)?;
    if bytes.trim_ascii().is_empty() {
        return Err(InputError::Empty { path: path.into(), remedy: EMPTY }.into());
    }
    Ok(bytes)
}

fn raw(path: &Path) -> Result<Vec<u8>, LayerError> {
    #[cfg(target_family = "wasm")]
    if let Some(text) = files::in_memory::text(path) {
        return Ok(text.into_bytes());
    }
    let unreadable = |source| {
        LayerError::from(InputError::File(FileError::Unreadable { path: path.into(), source }))
    };
    let file = files::open(path, files::DATA).map_err(unreadable)?;
    let length = path.metadata().map_or(0, |it| it.len().min(files::DATA));
    let too_large = |it: memory::MemoryExcess| {
        Fault::new(format!("reading it needs {it}; give a smaller file")).of(path)
    };
    memory::check(length).map_err(too_large)?;
    let mut bytes = Vec::with_capacity(length as usize + 1);
    let mut file = file;
    (&mut file).take(FIRST).read_to_end(&mut bytes).map_err(unreadable)?;
    // A device without end is recognised by its beginning.
    if bytes.len() as u64 == FIRST && bytes.iter().all(|it| *it == 0) {
        let what = "not UTF-8 text, but zero bytes; name a file of points";
        return Err(Fault::at(1, what).of(path));
    }
    grow(file, &mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

pub(super) fn grow(mut reader: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    loop {
        // A vector that grows needs its old place and its new one.
        memory::check(2 * bytes.len() as u64).map_err(io::Error::other)?;
        if (&mut reader).take(STRIDE).read_to_end(bytes)? == 0 {
            return Ok(());
        }
        if bytes.len() as u64 > files::DATA {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
    }
}

/// The text of bytes: UTF-8, UTF-16 with a byte order mark or of plain letters, else Latin-1.
pub(super) fn text(bytes: Vec<u8>, notes: &mut Vec<String>) -> Result<String, Fault> {
    let utf16 = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks().0.iter().map(|&it| of(it)).collect();
        String::from_utf16(&units)
            .map_err(|_| Fault::new("broken UTF-16 text; save the file as UTF-8"))
    };
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes),
        [a, 0, b, 0, ..] if *a != 0 && *b != 0 => return utf16(&bytes, u16::from_le_bytes),
        [0, a, 0, b, ..] if *a != 0 && *b != 0 => return utf16(&bytes, u16::from_be_bytes),
        _ => {}
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            notes.push("not UTF-8: read as Latin-1".to_owned());
            error.as_bytes().iter().map(|&it| char::from(it)).collect()
        }
    };
    if let Some(at) = memchr::memchr(0, text.as_bytes()) {
        let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
        return Err(Fault::at(line, "a zero byte, so this is no text; save the file as UTF-8"));
    }
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}
