//! The bytes of a file, unpacked, and their text.

use std::io::{self, Read};
use std::path::Path;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder};

use super::{Fault, LayerError, ReadOptions};
use crate::input::InputError;
use memory_machine_core::host::files::{self, FileError};
use memory_machine_core::host::memory;

/// Bytes that are unpacked between two looks at the memory that is left.
const STRIDE: u64 = 64 << 20;
/// Bytes of a beginning.
const FIRST: u64 = 1 << 20;
/// Packed in what is packed, at most so often.
const MOST_LAYERS: usize = 3;
/// Endings of what a zip file is opened for.
const WANTED: [&str; 20] = [
    "csv", "tsv", "txt", "dat", "xyz", "npy", "geojson", "json", "geojsonl", "topojson", "wkt",
    "wkb", "obj", "ply", "off", "node", "poly", "gpx", "shp", "gz",
];

/// The bytes of a file or of standard input, unpacked, and what is to be reported of that.
pub(super) fn load(
    path: &Path,
    options: &ReadOptions,
) -> Result<(Vec<u8>, Vec<String>), LayerError> {
    let mut bytes = raw(path)?;
    let mut notes = vec![];
    for _ in 0..MOST_LAYERS {
        if bytes.starts_with(b"\x1f\x8b") {
            let unpacked = bounded(MultiGzDecoder::new(&bytes[..]));
            bytes = unpacked.map_err(|it| {
                Fault::new(format!("this gzip file cannot be unpacked: {it}; pack it anew"))
                    .of(path)
            })?;
        } else if bytes.starts_with(b"PK\x03\x04") {
            bytes = member(&bytes, options, &mut notes).map_err(|fault| fault.of(path))?;
        } else {
            break;
        }
    }
    if bytes.trim_ascii().is_empty() {
        let remedy = "write one point x,y a line, or GeoJSON";
        return Err(InputError::Empty { path: path.into(), remedy }.into());
    }
    Ok((bytes, notes))
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

/// All that a reader gives, as long as there is memory.
fn bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    grow(reader, &mut bytes)?;
    Ok(bytes)
}

fn grow(mut reader: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
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

/// What a zip file holds: of several files that could be meant, the one that is named.
fn member(bytes: &[u8], options: &ReadOptions, notes: &mut Vec<String>) -> Result<Vec<u8>, Fault> {
    let broken =
        |it: rawzip::Error| Fault::new(format!("this zip file cannot be read: {it}; pack it anew"));
    let archive = rawzip::ZipArchive::from_slice(bytes).map_err(broken)?;
    let mut found = vec![];
    for entry in archive.entries() {
        let entry = entry.map_err(broken)?;
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        found.push((name, entry.wayfinder(), entry.compression_method()));
    }
    let workbook = ["xl/workbook.xml", "content.xml"];
    if found.iter().any(|(name, ..)| workbook.contains(&&**name)) {
        return Err(Fault::new("this is a workbook, not a table of text; save it as CSV"));
    }
    if found.iter().any(|(name, ..)| name.ends_with(".kml")) {
        return Err(Fault::new("this is KML; convert it, as by: ogr2ogr out.geojson FILE"));
    }
    let is_wanted = |name: &str| {
        let ends = |it: &str| name.to_lowercase().ends_with(&format!(".{it}"));
        WANTED.iter().any(|it| ends(it)) && !name.starts_with("__MACOSX")
    };
    found.retain(|(name, ..)| match &options.member {
        Some(member) => name == member || name.strip_suffix(".npy") == Some(member),
        None => is_wanted(name),
    });
    let names: Vec<&str> = found.iter().map(|(name, ..)| &**name).collect();
    let [(name, place, method)] = &found[..] else {
        return Err(Fault::new(match (&names[..], &options.member) {
            ([], Some(member)) => format!("this zip file has no `{member}`; name what it has"),
            ([], None) => {
                "this zip file holds nothing that is read; unpack it, and name a file".into()
            }
            _ => format!("this zip file holds {}; choose one by --member NAME", names.join(", ")),
        }));
    };
    notes.push(format!("read `{name}` of the zip file"));
    let entry = archive.get_entry(*place).map_err(broken)?;
    let unpacked = match *method {
        rawzip::CompressionMethod::STORE => bounded(entry.data()),
        rawzip::CompressionMethod::DEFLATE => bounded(DeflateDecoder::new(entry.data())),
        other => {
            return Err(Fault::new(format!(
                "`{name}` is packed by method {other:?} of zip; pack it by deflate"
            )));
        }
    };
    unpacked.map_err(|it| Fault::new(format!("`{name}` cannot be unpacked: {it}; pack it anew")))
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
