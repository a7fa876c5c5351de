//! What a gzip, zip or zstd file holds.

use std::io::{self, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder};

use super::bytes::{EMPTY, grow};
use super::{Fault, ReadOptions};

/// Packed in what is packed, at most so often.
const MOST_LAYERS: usize = 3;
/// Endings of what a zip file is opened for.
const WANTED: [&str; 24] = [
    "csv", "tsv", "txt", "dat", "xyz", "npy", "geojson", "json", "geojsonl", "topojson", "wkt",
    "wkb", "obj", "ply", "off", "node", "poly", "gpx", "shp", "gz", "fgb", "gpkg", "parquet",
    "zst",
];

/// The bytes, unpacked if they are packed; adds to `notes` which file of several was read.
pub(super) fn unpack(
    mut bytes: Vec<u8>,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Vec<u8>, Fault> {
    for _ in 0..MOST_LAYERS {
        #[cfg(feature = "geo-formats")]
        if bytes.starts_with(b"\x28\xb5\x2f\xfd") {
            bytes = zstd(&bytes)?;
        }
        if bytes.starts_with(b"\x1f\x8b") {
            bytes = bounded(MultiGzDecoder::new(&bytes[..])).map_err(|it| {
                Fault::new(format!("this gzip file cannot be unpacked: {it}; pack it anew"))
            })?;
        } else if bytes.starts_with(b"PK\x03\x04") {
            bytes = member(&bytes, options, notes)?;
        } else {
            return Ok(bytes);
        }
        if bytes.trim_ascii().is_empty() {
            return Err(Fault::new(format!("what it holds is empty; {EMPTY}")));
        }
    }
    Ok(bytes)
}

#[cfg(feature = "geo-formats")]
fn zstd(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let unpacked = ::zstd::Decoder::with_buffer(bytes).and_then(bounded);
    unpacked
        .map_err(|it| Fault::new(format!("this zstd file cannot be unpacked: {it}; pack it anew")))
}

/// All that a reader gives, as long as there is memory.
fn bounded(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    grow(reader, &mut bytes)?;
    Ok(bytes)
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
