//! Files of the feature `geo-formats`, as other libraries write them.

use std::sync::Arc;

use flatgeobuf::geozero::{ColumnValue, GeomProcessor, GeozeroGeometry, PropertyProcessor, error};
use flatgeobuf::{ColumnType, FgbCrs, FgbWriter, FgbWriterOptions, GeometryType};
use memory_machine_geometry::layer::{CoordinateUnit, Missing, Part, ReadOptions};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::damage::damage;
use crate::layer::{parse, read, refused, vertices};

/// A square with a hole, closed.
const RINGS: [[[f64; 2]; 4]; 2] = [
    [[0.0, 0.0], [8.0, 0.0], [0.0, 8.0], [0.0, 0.0]],
    [[1.0, 1.0], [1.0, 2.0], [2.0, 1.0], [1.0, 1.0]],
];

fn wkb() -> Vec<u8> {
    let mut bytes = [&[1_u8][..], &3_u32.to_le_bytes(), &2_u32.to_le_bytes()].concat();
    for ring in RINGS {
        bytes.extend(4_u32.to_le_bytes());
        bytes.extend(ring.as_flattened().iter().flat_map(|it| it.to_le_bytes()));
    }
    bytes
}

struct Shape;

impl GeozeroGeometry for Shape {
    fn process_geom<P: GeomProcessor>(&self, to: &mut P) -> error::Result<()> {
        to.polygon_begin(true, 2, 0)?;
        for (rank, ring) in RINGS.iter().enumerate() {
            to.linestring_begin(false, 4, rank)?;
            for (place, [x, y]) in ring.iter().enumerate() {
                to.xy(*x, *y, place)?;
            }
            to.linestring_end(false, rank)?;
        }
        to.polygon_end(true, 0)
    }
}

fn flatgeobuf(write_index: bool) -> Vec<u8> {
    let crs = FgbCrs { code: 4326, ..FgbCrs::default() };
    let options = FgbWriterOptions { write_index, crs, ..FgbWriterOptions::default() };
    let mut file = FgbWriter::create_with_options("a", GeometryType::Polygon, options).unwrap();
    file.add_column("name", ColumnType::String, |_, _| {});
    file.add_column("rank", ColumnType::Long, |_, _| {});
    file.add_feature_geom(Shape, |it| {
        it.property(0, "name", &ColumnValue::String("ä")).unwrap();
        it.property(1, "rank", &ColumnValue::Long(7)).unwrap();
    })
    .unwrap();
    let mut bytes = vec![];
    file.write(&mut bytes).unwrap();
    bytes
}

fn geopackage(more: &str) -> Vec<u8> {
    let mut db = rusqlite::Connection::open_in_memory().unwrap();
    let system = "CREATE TABLE gpkg_spatial_ref_sys (srs_id INT, organization TEXT,
        organization_coordsys_id INT, definition TEXT);
      INSERT INTO gpkg_spatial_ref_sys VALUES (9, 'NONE', 0, 'PROJCS[\"a\",UNIT[\"metre\",1]]');
      CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INT);
      INSERT INTO gpkg_geometry_columns VALUES ('fields', 'shape', 9);
      CREATE TABLE fields (name TEXT, rank INT, shape BLOB);";
    db.execute_batch(&format!("{system}{more}")).unwrap();
    // Without an envelope, the first byte of a word last.
    let shape = [b"GP\0\x01\x09\0\0\0", &wkb()[..]].concat();
    db.execute("INSERT INTO fields VALUES ('ä', 7, ?), ('nowhere', 8, NULL)", [&shape]).unwrap();
    db.serialize("main").unwrap().to_vec()
}

fn geoparquet(about: &str) -> Vec<u8> {
    let schema = "message a { required binary name (UTF8); required binary shape; }";
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(vec![KeyValue::new("geo".into(), about.to_owned())]));
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut bytes = vec![];
    let mut file =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties.build())).unwrap();
    let mut rows = file.next_row_group().unwrap();
    for value in [ByteArray::from("ä"), ByteArray::from(wkb())] {
        let mut column = rows.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&[value], None, None).unwrap();
        column.close().unwrap();
    }
    rows.close().unwrap();
    file.close().unwrap();
    bytes
}

fn parquet_table(names: [&str; 2]) -> Vec<u8> {
    let [x, y] = names;
    let schema = format!("message a {{ required double {x}; required double {y}; }}");
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut bytes = vec![];
    let mut file = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut rows = file.next_row_group().unwrap();
    for values in [[1.5, f64::NAN, 3.0], [-4.0, 5.0, 6.0]] {
        let mut column = rows.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&values, None, None).unwrap();
        column.close().unwrap();
    }
    rows.close().unwrap();
    file.close().unwrap();
    bytes
}

const WKB: &str = r#"{"primary_column": "shape", "columns": {"shape": {"encoding": "WKB"}}}"#;

#[test]
fn features_of_other_libraries() {
    let files = [
        ("a.fgb", flatgeobuf(true), CoordinateUnit::Degrees),
        ("b.fgb", flatgeobuf(false), CoordinateUnit::Degrees),
        ("a.gpkg", geopackage(""), CoordinateUnit::Metres),
        ("a.parquet", geoparquet(WKB), CoordinateUnit::Degrees),
    ];
    let rings =
        RINGS.map(|it| it.map(|[x, y]| memory_machine_geometry::points::Point { x, y }).into());
    for (name, bytes, unit) in files {
        let layer = read(name, &bytes).unwrap();
        assert_eq!(layer.features.len(), 1, "{name}");
        assert_eq!(layer.features[0].parts, [Part::Polygon(rings.to_vec())], "{name}");
        assert_eq!(layer.features[0].properties["name"], "ä", "{name}");
        assert_eq!(layer.unit, unit, "{name}");
    }
    let layer = read("a.gpkg", geopackage("")).unwrap();
    assert_eq!(layer.features[0].properties["rank"], 7);
    assert_eq!(layer.notes, ["features without geometry are left out: 1"]);
}

#[test]
fn tables_of_parquet_and_packed_ones() {
    let table = parquet_table(["lon", "lat"]);
    refused("p.parquet", &table, "row 1 of this Parquet table has no coordinate");
    let skip = ReadOptions { missing: Missing::Skip, ..ReadOptions::default() };
    let layer = parse("p.parquet", &table, &skip).unwrap();
    assert_eq!(vertices(&layer), [[1.5, -4.0], [3.0, 6.0]]);
    assert_eq!(layer.unit, CoordinateUnit::Degrees);
    refused("p.parquet", parquet_table(["a", "b"]), "the columns `a` and `b` could be x and y");
    let packed = zstd::encode_all(&b"1,2\n3,4\n"[..], 3).unwrap();
    assert_eq!(vertices(&read("p.csv.zst", &packed).unwrap()), [[1.0, 2.0], [3.0, 4.0]]);
    refused("p.csv.zst", &packed[..packed.len() - 3], "this zstd file cannot be unpacked");
}

#[test]
fn what_cannot_be_read_is_named() {
    let native = WKB.replace("WKB", "polygon");
    refused("a.parquet", geoparquet(&native), "its shapes are encoded as polygon");
    let two = "INSERT INTO gpkg_geometry_columns VALUES ('roads', 'shape', 9);";
    refused("a.gpkg", geopackage(two), "holds fields, roads; choose one by --member NAME");
    refused("a.gpkg", geopackage("DROP TABLE gpkg_geometry_columns;"), "but no GeoPackage");
    refused("a.fgb", &flatgeobuf(true)[..40], "the header of this FlatGeobuf is broken");
}

/// Every file of this size whose bytes are changed gives a layer or an error.
#[test]
fn damaged_files_do_no_harm() {
    let packed = zstd::encode_all(&b"1,2\n3,4\n"[..], 3).unwrap();
    let seeds = [
        ("p.fgb", flatgeobuf(true)),
        ("p.gpkg", geopackage("")),
        ("p.parquet", geoparquet(WKB)),
        ("p.parquet", parquet_table(["x", "y"])),
        ("p.zst", packed),
    ];
    damage(seeds.each_ref().map(|(name, seed)| (*name, &seed[..])), 12_000);
}
