//! Which reader a file is for, by its content.

use std::path::Path;

use super::{Fault, Layer, ReadOptions, bytes, geojson, table};
#[cfg(feature = "formats")]
use super::{compression, gpx, mesh, npy, rings, shapefile, topojson, triangle, wkb, wkt};
#[cfg(feature = "geo-formats")]
use super::{flatgeobuf, geopackage, parquet};
use memory_machine_core::host::files::BinaryFormat;
#[cfg(feature = "formats")]
use memory_machine_core::host::files::ends;

/// What files begin with that the feature `geo-formats` reads: FlatGeobuf, GeoPackage, Parquet, zstd.
const GEO_FORMATS: [&[u8]; 4] = [b"fgb\x03", b"SQLite format 3\0", b"PAR1", b"\x28\xb5\x2f\xfd"];

/// Reads a file's bytes, packed as they may be.
#[cfg_attr(
    not(feature = "formats"),
    expect(unused_variables, reason = "endings name other formats")
)]
pub(super) fn parse(
    path: &Path,
    bytes: Vec<u8>,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<Layer, Fault> {
    #[cfg(feature = "formats")]
    let bytes = compression::unpack(bytes, options, notes)?;
    #[cfg(feature = "formats")]
    if let Some(layer) = binary_layer(path, &bytes, options) {
        return layer;
    }
    #[cfg(feature = "geo-formats")]
    if let Some(layer) = geo_layer(&bytes, options) {
        return layer;
    }
    if let Some(it) = BinaryFormat::of(&bytes) {
        let BinaryFormat { name, remedy, .. } = it;
        // With the feature, nothing of them is left to be named here.
        let build = match GEO_FORMATS.iter().any(|it| bytes.starts_with(it)) {
            true => ", or build umm with --features geo-formats",
            false => "",
        };
        return Err(Fault::new(format!("this is {name}, which is not read; {remedy}{build}")));
    }
    let text = bytes::text(bytes, notes)?;
    #[cfg(feature = "formats")]
    if let Some(layer) = text_layer(path, &text, options) {
        return layer;
    }
    match text.trim_start_matches(is_before_text) {
        start if start.starts_with('{') => geojson::parse(start),
        _ => table::parse(&text, options),
    }
}

/// What may stand before a text: a GeoJSON sequence begins with a record separator.
fn is_before_text(it: char) -> bool {
    it.is_whitespace() || it == '\u{1e}'
}

#[cfg(feature = "geo-formats")]
fn geo_layer(bytes: &[u8], options: &ReadOptions) -> Option<Result<Layer, Fault>> {
    let [flatgeobuf, geopackage, parquet, _] = GEO_FORMATS;
    match bytes {
        _ if bytes.starts_with(flatgeobuf) => Some(flatgeobuf::parse(bytes)),
        _ if bytes.starts_with(geopackage) => Some(geopackage::parse(bytes, options)),
        // A text may begin so; a table ends so, too.
        _ if bytes.starts_with(parquet) && bytes.ends_with(parquet) => {
            Some(parquet::parse(bytes, options))
        }
        _ => None,
    }
}

#[cfg(feature = "formats")]
fn binary_layer(path: &Path, bytes: &[u8], options: &ReadOptions) -> Option<Result<Layer, Fault>> {
    if bytes.starts_with(b"\x93NUMPY") {
        return Some(npy::parse(bytes, options));
    }
    if bytes.starts_with(shapefile::MAGIC) {
        return Some(shapefile::parse(path, bytes));
    }
    if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r\n") {
        return Some(mesh::ply(bytes));
    }
    wkb::is_one(bytes).then(|| wkb::parse(bytes))
}

/// `None` for GeoJSON and tables.
#[cfg(feature = "formats")]
fn text_layer(path: &Path, text: &str, options: &ReadOptions) -> Option<Result<Layer, Fault>> {
    let start = text.trim_start_matches(is_before_text);
    match start.as_bytes() {
        [b'{', ..] if topojson::is_one(start) => return Some(topojson::parse(start, options)),
        [b'{', ..] => return None,
        [b'[', ..] if rings::is_one(start) => return Some(rings::parse(start)),
        [b'<', ..] => return Some(gpx::parse(start)),
        _ if options.columns.is_some() => return None,
        _ => {}
    }
    if wkt::is_one(start) {
        return Some(wkt::parse(text));
    }
    if mesh::is_off(start) {
        return Some(mesh::off(text));
    }
    if ends(path, "obj") || mesh::is_obj(text) {
        return Some(mesh::obj(text));
    }
    if ends(path, "node") || ends(path, "poly") {
        return Some(triangle::parse(path, text));
    }
    let solid = start.get(..6).is_some_and(|it| it.eq_ignore_ascii_case("solid "));
    (solid && text.contains("facet"))
        .then(|| Err(Fault::new("this is STL, a body in space; give points x,y, or OBJ")))
}
