//! Which reader a file is for, by its content.

use std::path::Path;

use super::{Fault, Layer, ReadOptions, bytes, geojson, gpx, mesh, npy, rings, shapefile, table};
use super::{topojson, triangle, wkb, wkt};
use memory_machine_core::host::files::{BinaryFormat, ends};

/// Reads bytes that are unpacked.
pub(super) fn parse(
    path: &Path,
    bytes: Vec<u8>,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Layer, Fault> {
    if bytes.starts_with(b"\x93NUMPY") {
        return npy::parse(&bytes, options);
    }
    if bytes.starts_with(shapefile::MAGIC) {
        return shapefile::parse(&bytes);
    }
    if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r\n") {
        return mesh::ply(&bytes);
    }
    if wkb::is_one(&bytes) {
        return wkb::parse(&bytes);
    }
    if let Some(it) = BinaryFormat::of(&bytes) {
        return Err(Fault::new(format!("this is {}, which is not read; {}", it.name, it.remedy)));
    }
    if bytes.starts_with(b"fgb\x03") {
        return Err(Fault::new(
            "this is FlatGeobuf, which is not read; convert it, as by: ogr2ogr out.geojson FILE",
        ));
    }
    let text = bytes::text(bytes, notes)?;
    text_layer(path, &text, options)
}

fn text_layer(path: &Path, text: &str, options: &ReadOptions) -> Result<Layer, Fault> {
    let start = text.trim_start_matches(|it: char| it.is_whitespace() || it == '\u{1e}');
    match start.as_bytes() {
        [b'{', ..] if topojson::is_one(start) => return topojson::parse(start, options),
        [b'{', ..] => return geojson::parse(start),
        [b'[', ..] if rings::is_one(start) => return rings::parse(start),
        [b'<', ..] => return gpx::parse(start),
        _ => {}
    }
    if options.columns.is_none() {
        if wkt::is_one(start) {
            return wkt::parse(text);
        }
        if mesh::is_off(start) {
            return mesh::off(text);
        }
        if ends(path, "obj") || mesh::is_obj(text) {
            return mesh::obj(text);
        }
        if ends(path, "node") || ends(path, "poly") {
            return triangle::parse(path, text);
        }
        let solid = start.get(..6).is_some_and(|it| it.eq_ignore_ascii_case("solid "));
        if solid && text.contains("facet") {
            return Err(Fault::new("this is STL, a body in space; give points x,y, or OBJ"));
        }
    }
    table::parse(text, options)
}
