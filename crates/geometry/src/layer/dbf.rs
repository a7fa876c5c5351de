//! What stands beside the shapes of a shapefile: a table of dBASE with a record for each, its encoding and
//! its reference system.

use std::path::Path;

use serde_json::{Map, Value};

use super::{CoordinateUnit, bytes};
use memory_machine_core::host::files;

/// Bytes of the header before the fields, and of each field.
const UNIT: usize = 32;

/// A column.
struct Field {
    name: String,
    kind: u8,
    width: usize,
}

/// The records beside a `.shp`; `None` where there are none that can be read.
pub(super) fn beside(path: &Path) -> Option<Vec<Map<String, Value>>> {
    let encoding = text(path, "cpg").unwrap_or_default().trim().to_uppercase();
    let is_utf8 = matches!(&*encoding, "" | "UTF-8" | "UTF8" | "65001");
    records(&companion(path, "dbf")?, is_utf8)
}

/// What the `.prj` beside a `.shp` says.
pub(super) fn unit(path: &Path) -> CoordinateUnit {
    text(path, "prj").map_or(CoordinateUnit::Unknown, |it| CoordinateUnit::of_definition(&it))
}

/// The file of the same name with another ending, in small or in large letters.
fn companion(path: &Path, ending: &str) -> Option<Vec<u8>> {
    let endings = [ending.to_owned(), ending.to_uppercase()];
    let file = |it| files::open(&path.with_extension(it), files::DATA).ok();
    let mut found = vec![];
    bytes::grow(endings.iter().find_map(file)?, &mut found).ok()?;
    Some(found)
}

fn text(path: &Path, ending: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&companion(path, ending)?).into_owned())
}

fn records(bytes: &[u8], is_utf8: bool) -> Option<Vec<Map<String, Value>>> {
    let word = |at: usize| Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    let (begin, width) = (word(8)?, word(10)?);
    let letters = |it: &[u8]| match std::str::from_utf8(it) {
        Ok(text) if is_utf8 || it.is_ascii() => text.to_owned(),
        _ => it.iter().map(|&it| char::from(it)).collect(),
    };
    let head = bytes.get(UNIT..begin)?;
    let fields = head.chunks_exact(UNIT).take_while(|it| it[0] != b'\r').map(|it| Field {
        name: letters(it[..11].split(|&it| it == 0).next().unwrap_or_default()),
        kind: it[11],
        width: it[16].into(),
    });
    let fields: Vec<Field> = fields.collect();
    if width == 0 || fields.iter().map(|it| it.width).sum::<usize>() + 1 > width {
        return None;
    }
    let record = |record: &[u8]| {
        // The first byte says whether it is deleted.
        let mut at = 1;
        let mut properties = Map::new();
        for Field { name, kind, width } in &fields {
            let text = letters(&record[at..at + width]);
            at += width;
            properties.insert(name.clone(), value(*kind, text.trim_matches(['\0', ' '])));
        }
        properties
    };
    Some(bytes.get(begin..)?.chunks_exact(width).map(record).collect())
}

fn value(kind: u8, text: &str) -> Value {
    match kind {
        b'N' | b'F' => match text.parse::<i64>() {
            Ok(whole) => whole.into(),
            Err(_) => text.parse::<f64>().map_or(Value::Null, Value::from),
        },
        b'L' => match text {
            "T" | "t" | "Y" | "y" => true.into(),
            "F" | "f" | "N" | "n" => false.into(),
            _ => Value::Null,
        },
        _ if text.is_empty() => Value::Null,
        _ => text.into(),
    }
}
