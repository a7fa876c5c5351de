//! GeoPackage (OGC 12-128): the features of a table of an SQLite database.

use std::io::Read;

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use serde_json::{Map, Value};

use super::{CoordinateUnit, Fault, Feature, Layer, ReadOptions, wkb};

/// A table of features.
struct Table {
    name: String,
    /// The column of shapes.
    column: String,
    srs: i64,
}

/// Reads the features of the only table, or of the one that is named.
pub(super) fn parse(bytes: &[u8], options: &ReadOptions) -> Result<Layer, Fault> {
    let broken = |it: rusqlite::Error| {
        Fault::new(format!("this GeoPackage cannot be read: {it}; write it anew, as by ogr2ogr"))
    };
    let db = open(bytes).map_err(broken)?;
    let table = table(&db, options)?;
    let features = features(&db, &table, broken)?;
    let (unit, crs) = system(&db, table.srs);
    Ok(Layer::of_features("a GeoPackage", features, unit, crs))
}

/// The database in memory, in which nothing of its own is run.
fn open(bytes: &[u8]) -> rusqlite::Result<Connection> {
    let mut db = Connection::open_in_memory()?;
    // A database with a log beside it, which memory has not, would be refused for two of its bytes.
    let (head, rest) = bytes.split_at(18.min(bytes.len()));
    let whole = head.chain(&[1, 1][..]).chain(rest.get(2..).unwrap_or(&[]));
    db.deserialize_read_exact("main", whole, bytes.len(), true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    let most = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
    db.set_limit(Limit::SQLITE_LIMIT_LENGTH, most)?;
    Ok(db)
}

fn table(db: &Connection, options: &ReadOptions) -> Result<Table, Fault> {
    let rows = || -> rusqlite::Result<Vec<Table>> {
        let mut query =
            db.prepare("SELECT table_name, column_name, srs_id FROM gpkg_geometry_columns")?;
        let found = query.query_map([], |row| {
            Ok(Table { name: row.get(0)?, column: row.get(1)?, srs: row.get(2)? })
        })?;
        found.collect()
    };
    let mut found = rows().map_err(|it| {
        Fault::new(format!("this is an SQLite database but no GeoPackage: {it}; save it as CSV"))
    })?;
    if let Some(member) = &options.member {
        found.retain(|it| it.name == *member);
    }
    let names: Vec<&str> = found.iter().map(|it| &*it.name).collect();
    match (&names[..], &options.member) {
        ([_], _) => Ok(found.swap_remove(0)),
        ([], Some(member)) => {
            Err(Fault::new(format!("this GeoPackage has no features `{member}`; name what it has")))
        }
        ([], None) => Err(Fault::new("this GeoPackage has no features; name one that has")),
        _ => Err(Fault::new(format!(
            "this GeoPackage holds {}; choose one by --member NAME",
            names.join(", ")
        ))),
    }
}

fn features(
    db: &Connection,
    table: &Table,
    broken: impl Fn(rusqlite::Error) -> Fault,
) -> Result<Vec<Feature>, Fault> {
    let name = table.name.replace('"', "\"\"");
    let mut query = db.prepare(&format!("SELECT * FROM \"{name}\"")).map_err(&broken)?;
    let columns = columns(db, &table.name).map_err(&broken)?;
    let shapes = columns.iter().position(|it| it.eq_ignore_ascii_case(&table.column));
    let shapes = shapes.ok_or_else(|| {
        Fault::new(format!(
            "its table {} has no column {}; write it anew",
            table.name, table.column
        ))
    })?;
    let mut rows = query.query([]).map_err(&broken)?;
    let mut features = vec![];
    while let Some(row) = rows.next().map_err(&broken)? {
        let parts = match row.get_ref(shapes).map_err(&broken)? {
            ValueRef::Blob(bytes) => shape(bytes).map_or_else(
                || {
                    Err(Fault::new(format!(
                        "feature {} has no shape of GeoPackage",
                        features.len()
                    )))
                },
                wkb::parts,
            )?,
            _ => vec![],
        };
        features.push(Feature { properties: properties(row, &columns, shapes), parts });
    }
    Ok(features)
}

/// The names of a table's columns; those that a broken file has need not be UTF-8.
fn columns(db: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut query = db.prepare("SELECT name FROM pragma_table_info(?)")?;
    let names = query.query_map([table], |row| {
        Ok(match row.get_ref(0)? {
            ValueRef::Text(it) => String::from_utf8_lossy(it).into_owned(),
            _ => String::new(),
        })
    })?;
    names.collect()
}

/// The well-known binary behind the header of a shape.
fn shape(bytes: &[u8]) -> Option<&[u8]> {
    let [b'G', b'P', _, flags, ..] = bytes else { return None };
    let envelope = match flags >> 1 & 7 {
        0 => 0,
        1 => 32,
        2 | 3 => 48,
        4 => 64,
        _ => return None,
    };
    bytes.get(8 + envelope..)
}

fn properties(row: &Row, columns: &[String], shapes: usize) -> Map<String, Value> {
    let mut properties = Map::new();
    for (rank, name) in columns.iter().enumerate().filter(|it| it.0 != shapes) {
        let value = match row.get_ref(rank) {
            Ok(ValueRef::Integer(it)) => it.into(),
            Ok(ValueRef::Real(it)) => it.into(),
            Ok(ValueRef::Text(it)) => String::from_utf8_lossy(it).into(),
            _ => Value::Null,
        };
        properties.insert(name.clone(), value);
    }
    properties
}

/// What the reference system of this number is.
fn system(db: &Connection, srs: i64) -> (CoordinateUnit, Option<String>) {
    let query = "SELECT organization, organization_coordsys_id, definition \
                 FROM gpkg_spatial_ref_sys WHERE srs_id = ?";
    let found = db.query_row(query, [srs], |row| {
        let (organization, code, definition): (String, i64, String) =
            (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok((organization.eq_ignore_ascii_case("epsg").then_some(code), definition))
    });
    let (code, definition) = found.unwrap_or((None, String::new()));
    CoordinateUnit::of_system(code, &definition)
}
