//! The shapes of a shapefile (ESRI 1998, *Shapefile Technical Description*), with what stands beside them.

use std::path::Path;

use super::{Fault, Feature, Layer, Part, dbf};
use crate::points::Point;

/// The first bytes of a `.shp`.
pub(super) const MAGIC: &[u8] = b"\0\0\x27\x0a";
/// Bytes of the header of the file.
const HEADER: usize = 100;

/// Reads all shapes, with the records of the `.dbf` in the same order.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Layer, Fault> {
    let mut records = dbf::beside(path);
    let (mut features, mut empty, mut at) = (vec![], 0, HEADER);
    while let Some(head) = bytes.get(at..).and_then(|it| it.first_chunk::<8>()) {
        // In words of two bytes, the first byte first.
        let words = u32::from_be_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let end = (at + 8).saturating_add(words.saturating_mul(2));
        let record = bytes.get(at + 8..end);
        let record = record.ok_or_else(|| broken(features.len() + empty))?;
        let parts = shape(record).ok_or_else(|| broken(features.len() + empty))??;
        match parts.is_empty() {
            true => empty += 1,
            false => {
                let record = records.as_mut().and_then(|it| it.get_mut(features.len() + empty));
                let properties = record.map(std::mem::take).unwrap_or_default();
                features.push(Feature { properties, parts });
            }
        }
        at = end;
    }
    let mut notes = vec![];
    if records.is_none() {
        notes.push("no .dbf stands beside it, so that shapes have no names".to_owned());
    }
    if empty > 0 {
        notes.push(format!("{empty} shapes without geometry are left out"));
    }
    Ok(Layer { features, format: "a shapefile", notes, unit: dbf::unit(path), ..Layer::default() })
}

fn broken(record: usize) -> Fault {
    Fault::new(format!("shape {record} of this shapefile is cut off; write the file anew"))
}

fn integer(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(i32::from_le_bytes(*word)).ok()
}

fn points(bytes: &[u8], at: usize, count: usize) -> Option<Vec<Point>> {
    let end = at.checked_add(count.checked_mul(16)?)?;
    let (pairs, _) = bytes.get(at..end)?.as_chunks::<16>();
    let number = |it: &[u8]| it.first_chunk().map_or(f64::NAN, |it| f64::from_le_bytes(*it));
    Some(pairs.iter().map(|it| Point { x: number(it), y: number(&it[8..]) }).collect())
}

/// The parts of one record; the outer `None` if it ends too soon.
fn shape(record: &[u8]) -> Option<Result<Vec<Part>, Fault>> {
    let kind = integer(record, 0)?;
    let parts = match kind {
        0 => vec![],
        1 | 11 | 21 => vec![Part::Points(points(record, 4, 1)?)],
        8 | 18 | 28 => vec![Part::Points(points(record, 40, integer(record, 36)?)?)],
        3 | 13 | 23 => lines(record)?.into_iter().map(Part::Line).collect(),
        5 | 15 | 25 => polygons(lines(record)?),
        other => {
            return Some(Err(Fault::new(format!(
                "shapes of type {other} are not read; convert it, as by: ogr2ogr out.geojson FILE"
            ))));
        }
    };
    Some(Ok(parts))
}

fn lines(record: &[u8]) -> Option<Vec<Vec<Point>>> {
    let (count, total) = (integer(record, 36)?, integer(record, 40)?);
    let first = 44_usize.checked_add(count.checked_mul(4)?)?;
    let all = points(record, first, total)?;
    let mut starts: Vec<usize> =
        (0..count).map(|it| integer(record, 44 + 4 * it)).collect::<Option<_>>()?;
    starts.push(total);
    starts.windows(2).map(|it| all.get(it[0]..it[1]).map(<[Point]>::to_vec)).collect()
}

/// Rings that run clockwise are outlines; holes follow the outline they lie in, or are sorted by
/// the reader of the polygons, for which rings count by the even-odd rule.
fn polygons(rings: Vec<Vec<Point>>) -> Vec<Part> {
    let area = |ring: &[Point]| -> f64 {
        ring.windows(2).map(|it| it[0].x * it[1].y - it[1].x * it[0].y).sum()
    };
    let outlines = rings.iter().filter(|it| area(it) < 0.0).count();
    if outlines == rings.len() {
        return rings.into_iter().map(|it| Part::Polygon(vec![it])).collect();
    }
    if rings.is_empty() { vec![] } else { vec![Part::Polygon(rings)] }
}
