//! FlatGeobuf: a header, an index that is stepped over, and one feature after the other.

use ::flatgeobuf::packed_r_tree::PackedRTree;
use ::flatgeobuf::{
    ColumnType, Feature as Record, Geometry, GeometryType, Header, size_prefixed_root_as_feature,
    size_prefixed_root_as_header,
};
use serde_json::{Map, Value};

use super::{CoordinateUnit, Fault, Feature, Layer, Part};
use crate::points::Point;

/// Bytes of the mark at the beginning.
const MARK: usize = 8;

/// Reads all features.
pub(super) fn parse(bytes: &[u8]) -> Result<Layer, Fault> {
    let broken = |feature: usize| {
        Fault::new(format!("feature {feature} of this FlatGeobuf is broken; write the file anew"))
    };
    let head = buffer(bytes, MARK);
    let header = head.and_then(|it| size_prefixed_root_as_header(it).ok());
    let index = header.as_ref().and_then(|it| index(it, bytes.len()));
    let (Some(head), Some(header), Some(index)) = (head, header, index) else {
        return Err(Fault::new("the header of this FlatGeobuf is broken; write the file anew"));
    };
    let mut at = MARK + head.len() + index;
    let mut features = vec![];
    while at < bytes.len() {
        let record = buffer(bytes, at).ok_or_else(|| broken(features.len()))?;
        at += record.len();
        let record = size_prefixed_root_as_feature(record).map_err(|_| broken(features.len()))?;
        let mut parts = vec![];
        if let Some(geometry) = record.geometry() {
            add_parts(geometry, header.geometry_type(), &mut parts)
                .ok_or_else(|| broken(features.len()))??;
        }
        let properties = properties(&header, &record).ok_or_else(|| broken(features.len()))?;
        features.push(Feature { properties, parts });
    }
    let (unit, crs) = header.crs().map_or((CoordinateUnit::Unknown, None), |it| {
        CoordinateUnit::of_system(Some(it.code().into()), it.wkt().unwrap_or(""))
    });
    Ok(Layer::of_features("a FlatGeobuf", features, unit, crs))
}

/// What begins here by its size.
fn buffer(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    let size = u32::from_le_bytes(*rest.first_chunk()?) as usize;
    // One that has no root is not looked at.
    rest.get(..size.checked_add(4)?).filter(|it| it.len() >= 12)
}

/// Bytes of the index.
fn index(header: &Header, most: usize) -> Option<usize> {
    let (count, node) = (header.features_count(), header.index_node_size());
    if count == 0 || node == 0 {
        return Some(0);
    }
    let count = usize::try_from(count).ok().filter(|it| *it <= most)?;
    (node > 1).then(|| PackedRTree::index_size(count, node)).filter(|it| *it <= most)
}

/// Adds the pieces of a geometry; the outer `None` if it is broken. What it is stands with it, or in the
/// header alone.
fn add_parts(
    geometry: Geometry,
    kind: GeometryType,
    parts: &mut Vec<Part>,
) -> Option<Result<(), Fault>> {
    let own = geometry.type_();
    let kind = if own == GeometryType::Unknown { kind } else { own };
    let numbers: Vec<f64> = geometry.xy().map_or_else(Vec::new, |it| it.iter().collect());
    let (pairs, _) = numbers.as_chunks::<2>();
    let points: Vec<Point> = pairs.iter().map(|&[x, y]| Point { x, y }).collect();
    let pieces = || match geometry.ends() {
        Some(ends) if !ends.is_empty() => {
            let ends: Vec<usize> =
                [0].into_iter().chain(ends.iter().map(|it| it as usize)).collect();
            ends.windows(2).map(|it| Some(points.get(it[0]..it[1])?.to_vec())).collect()
        }
        _ => Some(vec![points.clone()]),
    };
    match kind {
        _ if points.is_empty() && geometry.parts().is_none() => {}
        GeometryType::Point | GeometryType::MultiPoint => parts.push(Part::Points(points)),
        GeometryType::LineString => parts.push(Part::Line(points)),
        GeometryType::MultiLineString => parts.extend(pieces()?.into_iter().map(Part::Line)),
        GeometryType::Polygon | GeometryType::Triangle => parts.push(Part::Polygon(pieces()?)),
        GeometryType::MultiPolygon | GeometryType::GeometryCollection => {
            let inner = match kind {
                GeometryType::MultiPolygon => GeometryType::Polygon,
                _ => GeometryType::Unknown,
            };
            for part in geometry.parts()?.iter() {
                if let Err(fault) = add_parts(part, inner, parts)? {
                    return Some(Err(fault));
                }
            }
        }
        other => {
            return Some(Err(Fault::new(format!(
                "geometries of type {} are not read; convert it, as by: ogr2ogr -nlt \
                 CONVERT_TO_LINEAR out.geojson FILE",
                other.variant_name().unwrap_or("?")
            ))));
        }
    }
    Some(Ok(()))
}

/// Of a feature, its columns by name; `None` if they are broken.
fn properties(header: &Header, record: &Record) -> Option<Map<String, Value>> {
    let mut properties = Map::new();
    let columns = record.columns().or_else(|| header.columns());
    let mut rest = record.properties().map_or(&[][..], |it| it.bytes());
    while let [a, b, behind @ ..] = rest {
        let rank = usize::from(u16::from_le_bytes([*a, *b]));
        let column = columns.filter(|it| rank < it.len())?.get(rank);
        let (value, width) = value(column.type_(), behind)?;
        properties.insert(column.name().to_owned(), value);
        rest = &behind[width..];
    }
    Some(properties)
}

/// A value, and how many bytes it takes.
fn value(kind: ColumnType, bytes: &[u8]) -> Option<(Value, usize)> {
    fn first<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
        bytes.first_chunk().copied()
    }
    let sized = || {
        let size = u32::from_le_bytes(first(bytes)?) as usize;
        Some((bytes.get(4..)?.get(..size)?, 4 + size))
    };
    Some(match kind {
        ColumnType::Byte => (i8::from_le_bytes(first(bytes)?).into(), 1),
        ColumnType::UByte => (u8::from_le_bytes(first(bytes)?).into(), 1),
        ColumnType::Bool => ((first::<1>(bytes)? != [0]).into(), 1),
        ColumnType::Short => (i16::from_le_bytes(first(bytes)?).into(), 2),
        ColumnType::UShort => (u16::from_le_bytes(first(bytes)?).into(), 2),
        ColumnType::Int => (i32::from_le_bytes(first(bytes)?).into(), 4),
        ColumnType::UInt => (u32::from_le_bytes(first(bytes)?).into(), 4),
        ColumnType::Long => (i64::from_le_bytes(first(bytes)?).into(), 8),
        ColumnType::ULong => (u64::from_le_bytes(first(bytes)?).into(), 8),
        ColumnType::Float => (f32::from_le_bytes(first(bytes)?).into(), 4),
        ColumnType::Double => (f64::from_le_bytes(first(bytes)?).into(), 8),
        ColumnType::Binary => (Value::Null, sized()?.1),
        _ => {
            let (text, width) = sized()?;
            (String::from_utf8_lossy(text).into(), width)
        }
    })
}
