//! Parquet: tables of points, and features as GeoParquet has them.

use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::{ColumnChunkMetaData, FileMetaData, RowGroupMetaData};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::Field;
use ::parquet::schema::types::Type;
use bytes::Bytes;
use serde_json::Value;

use super::{CoordinateUnit, Fault, Feature, Layer, Missing, Part, ReadOptions, table, wkb};
use crate::points::Point;

/// Reads a table.
pub(super) fn parse(bytes: &[u8], options: &ReadOptions) -> Result<Layer, Fault> {
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).map_err(broken)?;
    // The library takes it for granted.
    let columns = reader.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns);
    let lies_inside = |it: &ColumnChunkMetaData| {
        let begin = it.dictionary_page_offset().unwrap_or_else(|| it.data_page_offset());
        let end = begin.checked_add(it.compressed_size()).and_then(|it| usize::try_from(it).ok());
        begin >= 0 && it.compressed_size() >= 0 && end.is_some_and(|it| it <= bytes.len())
    };
    if !columns.clone().all(lies_inside) {
        return Err(Fault::new(
            "this Parquet table has columns outside of the file; write it anew",
        ));
    }
    match geometry(reader.metadata().file_metadata())? {
        Some(geometry) => features(&reader, &geometry),
        None => points(&reader, options),
    }
}

fn broken(why: ParquetError) -> Fault {
    Fault::new(format!("this Parquet table cannot be read: {why}; write it anew, packed by zstd"))
}

/// The column of shapes, with what GeoParquet says of it.
struct Geometry {
    column: String,
    about: Value,
}

fn geometry(metadata: &FileMetaData) -> Result<Option<Geometry>, Fault> {
    let about = metadata.key_value_metadata().into_iter().flatten();
    let Some(text) = about.filter(|it| it.key == "geo").find_map(|it| it.value.as_deref()) else {
        return Ok(None);
    };
    let refused = || Fault::new("its metadata `geo` are none of GeoParquet; write it anew");
    let mut about: Value = serde_json::from_str(text).map_err(|_| refused())?;
    let column = about["primary_column"].as_str().ok_or_else(refused)?.to_owned();
    let about = about["columns"][&column].take();
    match about["encoding"].as_str() {
        Some("WKB") => Ok(Some(Geometry { column, about })),
        Some(other) => Err(Fault::new(format!(
            "its shapes are encoded as {other}, which is not read; write them as WKB"
        ))),
        None => Err(refused()),
    }
}

fn features(reader: &SerializedFileReader<Bytes>, geometry: &Geometry) -> Result<Layer, Fault> {
    let mut features = vec![];
    for row in reader.get_row_iter(None).map_err(broken)? {
        let mut feature = Feature::default();
        for (name, field) in row.map_err(broken)?.into_columns() {
            match field {
                Field::Bytes(shape) if name == geometry.column => {
                    feature.parts = wkb::parts(shape.data())?;
                }
                field => {
                    if let Some(value) = value(field) {
                        feature.properties.insert(name, value);
                    }
                }
            }
        }
        features.push(feature);
    }
    let (unit, crs) = system(geometry.about.get("crs"));
    Ok(Layer::of_features("GeoParquet", features, unit, crs))
}

/// A plain value; nothing of lists, groups and binary ones.
fn value(field: Field) -> Option<Value> {
    Some(match field {
        Field::Null => Value::Null,
        Field::Bool(it) => it.into(),
        Field::Byte(it) => it.into(),
        Field::Short(it) => it.into(),
        Field::Int(it) => it.into(),
        Field::Long(it) => it.into(),
        Field::UByte(it) => it.into(),
        Field::UShort(it) => it.into(),
        Field::UInt(it) => it.into(),
        Field::ULong(it) => it.into(),
        Field::Float(it) => it.into(),
        Field::Double(it) => it.into(),
        Field::Str(it) => it.into(),
        Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) | Field::Bytes(_) => {
            return None;
        }
        other => other.to_string().into(),
    })
}

/// Of PROJJSON: longitude and latitude where nothing is said, nothing where null is.
fn system(crs: Option<&Value>) -> (CoordinateUnit, Option<String>) {
    let Some(crs) = crs else { return (CoordinateUnit::Degrees, None) };
    let is_epsg = crs["id"]["authority"] == "EPSG";
    let code = crs["id"]["code"].as_i64().filter(|_| is_epsg);
    let (unit, name) = CoordinateUnit::of_system(code, "");
    let unit = match (unit, crs["type"].as_str()) {
        (CoordinateUnit::Unknown, Some("GeographicCRS")) => CoordinateUnit::Degrees,
        (CoordinateUnit::Unknown, Some("ProjectedCRS"))
            if crs["coordinate_system"]["axis"][0]["unit"] == "metre" =>
        {
            CoordinateUnit::Metres
        }
        (unit, _) => unit,
    };
    (unit, name)
}

/// A table of numbers with columns x and y.
fn points(reader: &SerializedFileReader<Bytes>, options: &ReadOptions) -> Result<Layer, Fault> {
    let schema = reader.metadata().file_metadata().schema();
    let names: Vec<String> = schema.get_fields().iter().map(|it| it.name().to_owned()).collect();
    let (columns, unit) =
        table::named_columns(&names, options.columns.as_ref()).map_err(Fault::new)?;
    let wanted = columns.map(|it| schema.get_fields()[it].clone());
    let projection = Type::group_type_builder(schema.name()).with_fields(wanted.to_vec()).build();
    let rows = reader.get_row_iter(Some(projection.map_err(broken)?)).map_err(broken)?;
    let (mut points, mut skipped) = (vec![], 0);
    for (rank, row) in rows.enumerate() {
        let row = row.map_err(broken)?;
        let at = |column: usize| {
            let mut fields = row.get_column_iter();
            fields.find(|it| *it.0 == names[column]).and_then(|it| number(it.1))
        };
        match (at(columns[0]), at(columns[1])) {
            (Some(x), Some(y)) => points.push(Point { x, y }),
            _ if options.missing == Missing::Skip => skipped += 1,
            _ => {
                return Err(Fault::new(format!(
                    "row {rank} of this Parquet table has no coordinate; leave such rows out by \
                     --missing skip"
                )));
            }
        }
    }
    let [x, y] = columns.map(|it| &*names[it]);
    let mut notes =
        vec![format!("{} rows are points; x is column `{x}`, y is `{y}`", points.len())];
    if skipped > 0 {
        notes.push(format!("{skipped} rows without a coordinate are left out"));
    }
    let part = Part::Points(points);
    Ok(Layer { notes, unit, ..Layer::of_part("a Parquet table", part) })
}

/// A finite number.
fn number(field: &Field) -> Option<f64> {
    let number = match field {
        Field::Float(it) => (*it).into(),
        Field::Double(it) => *it,
        Field::Byte(it) => (*it).into(),
        Field::Short(it) => (*it).into(),
        Field::Int(it) => (*it).into(),
        Field::UByte(it) => (*it).into(),
        Field::UShort(it) => (*it).into(),
        Field::UInt(it) => (*it).into(),
        Field::Long(it) if it.unsigned_abs() <= 1 << 53 => *it as f64,
        Field::ULong(it) if *it <= 1 << 53 => *it as f64,
        _ => return None,
    };
    Some(number).filter(|it| it.is_finite())
}
