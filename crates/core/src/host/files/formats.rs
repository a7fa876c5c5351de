//! Formats that are no text, by the bytes that their files begin with.

/// A format, with what to do with a file of it where a text is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinaryFormat {
    /// With its article.
    pub name: &'static str,
    /// What to do.
    pub remedy: &'static str,
    magic: &'static [u8],
}

const CSV: &str = "save it as CSV";
const GEOJSON: &str = "convert it, as by: ogr2ogr out.geojson FILE";
const UNPACK: &str = "unpack it first";

const fn format(magic: &'static [u8], name: &'static str, remedy: &'static str) -> BinaryFormat {
    BinaryFormat { name, remedy, magic }
}

const FORMATS: &[BinaryFormat] = &[
    format(
        b"\x93NUMPY",
        "a NumPy array",
        "save it as text, as by: numpy.savetxt('out.csv', a, delimiter=',')",
    ),
    format(b"\x1f\x8b", "a gzip file", UNPACK),
    format(b"BZh", "a bzip2 file", UNPACK),
    format(b"\xfd7zXZ\0", "an xz file", UNPACK),
    format(b"\x28\xb5\x2f\xfd", "a zstd file", UNPACK),
    format(b"\0\0\x27\x0a", "a shapefile", GEOJSON),
    format(b"SQLite format 3\0", "a GeoPackage or another SQLite database", GEOJSON),
    format(b"PK\x03\x04", "a workbook (.xlsx) or another zip file", CSV),
    format(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a workbook (.xls)", CSV),
    format(b"fgb\x03", "a FlatGeobuf", GEOJSON),
    format(b"PAR1", "a Parquet table", CSV),
    format(b"ARROW1", "an Arrow table", CSV),
    format(b"\x89HDF\r\n\x1a\n", "an HDF5 file", CSV),
    format(b"\x89PNG\r\n\x1a\n", "a PNG picture", "name a text"),
    format(b"\xff\xd8\xff", "a JPEG picture", "name a text"),
    format(b"%PDF-", "a PDF", "name a text"),
    format(b"\x7fELF", "a program", "name a text"),
];

impl BinaryFormat {
    /// The format of a file that begins so, if it is a known one. Those that a text may begin like
    /// count only where no text follows.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let found = FORMATS.iter().find(|it| bytes.starts_with(it.magic))?;
        // The last letters may be cut.
        let is_text = match std::str::from_utf8(bytes) {
            Ok(text) => !text.contains('\0'),
            Err(error) => error.error_len().is_none() && !bytes.contains(&0),
        };
        (!is_text).then_some(*found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_from_texts() {
        let name = |bytes: &[u8]| BinaryFormat::of(bytes).map(|it| it.name);
        assert_eq!(name(b"\x1f\x8b\x08\0"), Some("a gzip file"));
        assert_eq!(name(b"PK\x03\x04\x14\0"), Some("a workbook (.xlsx) or another zip file"));
        // A text may begin with the letters of a format.
        assert_eq!(name("PAR1,x\n1,2\n".as_bytes()), None);
        assert_eq!(name("ä,ö".as_bytes()), None);
    }
}
