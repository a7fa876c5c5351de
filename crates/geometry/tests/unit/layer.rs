//! A small file of each format, and what is refused.

use std::io::Write;

use memory_machine_geometry::layer::{self, CoordinateUnit, Layer, Missing, ReadOptions};
use memory_machine_geometry::points::Point;

pub(crate) fn parse(
    name: &str,
    content: impl AsRef<[u8]>,
    options: &ReadOptions,
) -> Result<Layer, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    layer::read(&path, options).map_err(|it| it.to_string())
}

pub(crate) fn read(name: &str, content: impl AsRef<[u8]>) -> Result<Layer, String> {
    parse(name, content, &ReadOptions::default())
}

pub(crate) fn vertices(layer: &Layer) -> Vec<[f64; 2]> {
    layer.vertices().map(|Point { x, y }| [x, y]).collect()
}

pub(crate) fn refused(name: &str, content: impl AsRef<[u8]>, expected: &str) {
    let error = read(name, content).err().unwrap_or_else(|| panic!("accepted: {expected}"));
    assert!(error.contains(expected), "{error}\nexpected: {expected}");
    assert!(error.contains("; "), "no remedy: {error}");
}

const THREE: [[f64; 2]; 3] = [[4.0, 0.0], [-1.0, 2.5], [0.5, 7.0]];

#[test]
fn dialects() {
    for same in [
        "4\t0\n-1\t2.5\n.5\t7\n",
        "4;0\n-1;2,5\n0,5;7\n",
        "x;y\n4,0;0,0\n-1,0;2,5\n0,5;7\n",
        "4|0\n-1|2.5\n0.5|7",
        "  4   0\n -1 2.5\n0.5  7\n",
        "4, 0\n-1, 2.5\n0.5, 7\n",
        "# made by hand\n4,0\n\n-1,2.5 \n# more\n0.5,7\n",
        "# x y\n4 0\n-1 2.5\n0.5 7\n",
        "# lat lon\n0 4\n2.5 -1\n7 0.5\n",
        "4,0,9\n-1,2.5,9\n0.5,7,9\n",
        "0,1\n4,0\n-1,2.5\n0.5,7\n",
        ",0,1\n0,4,0\n1,-1,2\n2,0.5,7\n".replace("-1,2\n", "-1,2.5\n").as_str(),
        ",x,y\n0,4,0\n1,-1,2.5\n2,0.5,7\n",
        "POINT_X,POINT_Y\n4,0\n-1,2.5\n0.5,7",
        "id,x_coord,y_coord\na,4,0\nb,-1,2.5\nc,0.5,7",
        "Lon.,Lat.\n4,0\n-1,2.5\n0.5,7",
        "decimalLatitude,decimalLongitude\n0,4\n2.5,-1\n7,0.5",
        "geo_lat,geo_lon\n0,4\n2.5,-1\n7,0.5",
        "N,E\n0,4\n2.5,-1\n7,0.5",
        "name,x,y\n\"a, b\",4,0\n\"c\nd\",-1,2.5\ne,0.5,7",
        "\"x\",\"y\"\n\"4\",\"0\"\n\"-1\",\"2.5\"\n\"0.5\",\"7\"",
        "(4, 0)\n(-1, 2.5)\n(0.5, 7)\n",
        "[4, 0],\n[-1, 2.5],\n[0.5, 7]\n",
        "4,0\r-1,2.5\r0.5,7\r",
        "\u{feff}x,y\r\n4,0\r\n-1,2.5\r\n0.5,7\r\n",
    ] {
        let layer = read("p.csv", same).unwrap_or_else(|it| panic!("{it}: {same:?}"));
        assert_eq!(vertices(&layer), THREE, "{same:?}");
    }
}

#[test]
fn encodings() {
    let text = "städte,x,y\nä,4,0\nb,-1,2.5\nc,0.5,7\n";
    let latin: Vec<u8> = text.chars().map(|it| it as u8).collect();
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = [b"\xff\xfe", &little[..]].concat();
    for bytes in [text.as_bytes(), &latin, &little, &big, &marked] {
        assert_eq!(vertices(&read("p.csv", bytes).unwrap()), THREE);
    }
    assert_eq!(read("p.csv", &latin).unwrap().notes[0], "not UTF-8: read as Latin-1");
}

#[test]
fn tables_say_what_they_were_read_as() {
    let notes = |text: &str| read("p.csv", text).unwrap().notes;
    assert!(notes("4,0\n1,2\n").is_empty());
    assert_eq!(notes("x,y\n4,0\n1,2\n"), ["2 rows are points; x is column `x`, y is `y`"]);
    assert_eq!(notes("0,1\n4.5,0\n"), ["1 rows are points; x is column `0`, y is `1`"]);
    assert!(notes("0,1\n4,0\n")[0].contains("0,1, is taken for a point"));
    let layer = read("p.csv", "lon,lat\n4,0\n").unwrap();
    assert_eq!(layer.unit, CoordinateUnit::Degrees);
    assert_eq!(read("p.csv", "lon,lat\n400,0\n").unwrap().unit, CoordinateUnit::Unknown);
}

#[test]
fn rows_know_their_line() {
    let text = "# comment\nx,y\n\n4,0\n1,2\n# more\n3,3\n";
    let rows = read("p.csv", text).unwrap().rows.unwrap();
    assert_eq!([0, 1, 2].map(|it| rows.line(it)), [4, 5, 7]);
    // Across the parts that are read in parallel.
    let mut text = "1,2\n".repeat(600_000);
    text += "\n3,x\n";
    refused("p.csv", &text, "p.csv:600002: column 2: 'x' is not a finite number");
    let layer = read("p.csv", "1,2\n".repeat(600_000) + "\n3,4\n").unwrap();
    assert_eq!(layer.rows.unwrap().line(600_000), 600_002);
}

#[test]
fn missing_coordinates_and_chosen_columns() {
    let text = "a,b,c\n1,2,3\n4,,6\n7,8,NA\n9,10,11\n";
    let options = |missing| ReadOptions {
        columns: Some(["c".into(), "2".into()]),
        missing,
        ..ReadOptions::default()
    };
    let layer = parse("p.csv", text, &options(Missing::Skip)).unwrap();
    assert_eq!(vertices(&layer), [[3.0, 2.0], [11.0, 10.0]]);
    assert!(layer.notes.contains(&"2 rows without a coordinate are left out".to_owned()));
    let error = parse("p.csv", text, &options(Missing::Refuse)).unwrap_err();
    assert!(error.contains("p.csv:3: column 2: ''") && error.contains("--missing skip"));
    let none = ReadOptions { columns: Some(["z".into(), "b".into()]), ..ReadOptions::default() };
    assert!(parse("p.csv", text, &none).unwrap_err().contains("no column `z`; there are `a`, `b`"));
}

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn arrays_of_numpy() {
    let header = |kind: &str, order: &str, shape: &str| {
        format!("{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}\n")
    };
    let rows: Vec<f64> = THREE.concat();
    let columns: Vec<f64> = [0, 1].iter().flat_map(|&k| THREE.map(|it| it[k])).collect();
    let f8 = |it: &[f64]| it.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<u8>>();
    let big: Vec<u8> = rows.iter().flat_map(|it| (*it as f32).to_be_bytes()).collect();
    let records: Vec<u8> = THREE
        .iter()
        .flat_map(|it| [&7_u16.to_le_bytes()[..], &f8(&[it[1], it[0]])].concat())
        .collect();
    let record = "[('id', '<u2'), ('y', '<f8'), ('x', '<f8')]";
    for (kind, order, shape, data) in [
        ("'<f8'", "False", "(3, 2)", f8(&rows)),
        ("'<f8'", "True", "(3, 2)", f8(&columns)),
        ("'>f4'", "False", "(3, 2)", big),
        (record, "False", "(3,)", records),
    ] {
        let layer = read("p.npy", npy(&header(kind, order, shape), &data)).unwrap();
        assert_eq!(vertices(&layer), THREE, "{kind} {order}");
    }
    let four = f8(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let turned = read("p.npy", npy(&header("'<f8'", "False", "(2, 4)"), &four)).unwrap();
    assert_eq!(vertices(&turned)[0], [1.0, 5.0]);
    refused("p.npy", npy(&header("'<f8'", "False", "(4, 2)"), &four[1..]), "is cut off");
    refused("p.npy", npy(&header("'<c16'", "False", "(4,)"), &four), "elements of type <c16");
    refused("p.npy", npy(&header("'<f8'", "False", "(8,)"), &four), "the shape [8]");
}

#[test]
fn geojson_whole() {
    let text = r#"{"type": "FeatureCollection", "crs": {"type": "name", "properties":
        {"name": "urn:ogc:def:crs:EPSG::3857"}}, "features": [
        {"type": "Feature", "properties": null, "geometry": null},
        {"type": "Feature", "id": 7, "properties": {"name": "A"}, "geometry": {"type": "MultiPolygon",
          "coordinates": [[[[0,0],[4,0],[4,4],[0,0]],[[2,1],[3,1],[3,2],[2,1]]]]}},
        {"type": "Feature", "properties": {}, "geometry": {"type": "GeometryCollection", "geometries":
          [{"type": "LineString", "coordinates": [[9,9],[8,8]]}]}}]}"#;
    let layer = read("p.geojson", text).unwrap();
    assert_eq!(layer.vertices().count(), 8);
    assert_eq!(layer.unit, CoordinateUnit::Metres);
    assert_eq!(layer.features[0].properties["name"], "A");
    assert_eq!(layer.features[0].properties["id"], 7);
    assert_eq!(layer.notes, ["features without geometry are left out: 1"]);
    assert_eq!(layer.polygons()[0].rings.len(), 2);
    let point = r#"{"type": "Point", "coordinates": [4, 0]}"#;
    let sequence = format!("\u{1e}{point}\n\u{1e}{point}\n");
    assert_eq!(read("p", sequence).unwrap().vertices().count(), 2);
    let lines = read("p", format!("{point}\n{point}\n{point}\n")).unwrap();
    assert_eq!((lines.vertices().count(), lines.unit), (3, CoordinateUnit::Degrees));
}

#[test]
fn other_texts() {
    let topology = r#"{"type": "Topology", "transform": {"scale": [0.5, 1], "translate": [10, 0]},
        "arcs": [[[0,0],[8,0],[0,4]],[[8,4],[-8,-4]]],
        "objects": {"a": {"type": "GeometryCollection", "geometries": [
          {"type": "Polygon", "arcs": [[0, 1]], "properties": {"name": "A"}}, {"type": null}]},
          "b": {"type": "LineString", "arcs": [-1]}}}"#;
    let layer = read("p.json", topology).unwrap();
    assert_eq!(vertices(&layer), [[10.0, 0.0], [14.0, 0.0], [14.0, 4.0]]);
    assert_eq!(layer.features[0].properties["name"], "A");
    let other = ReadOptions { member: Some("b".into()), ..ReadOptions::default() };
    let line = parse("p.json", topology, &other).unwrap();
    assert_eq!(vertices(&line)[0], [14.0, 4.0]);

    let wkt = "SRID=4326;POLYGON Z ((0 0 1, 4 0 1, 4 4 1, 0 0 1), (2 1 1, 3 1 1, 3 2 1, 2 1 1))\n\
               multipoint((1 2), (3 4))\nGEOMETRYCOLLECTION(POINT(5 6),LINESTRING(0 0,1 1))";
    let layer = read("p.wkt", wkt).unwrap();
    assert_eq!((layer.features.len(), layer.vertices().count()), (3, 11));
    assert_eq!(layer.unit, CoordinateUnit::Degrees);
    refused("p.wkt", "POINT(1 2)\nPOINT(1)", "p.wkt:2: ')' where a number belongs");

    let rings = read("p.json", "[[[0,0],[4,0],[4,4]],[[2,1],[3,1],[3,2]]]").unwrap();
    assert_eq!(rings.polygons()[0].rings.len(), 2);
    assert_eq!(vertices(&read("p.json", "[[4,0],[-1,2.5],[0.5,7]]").unwrap()), THREE);

    let gpx = r#"<gpx><wpt lat="0" lon="4"/><trk><name>t</name><trkseg><trkpt lat="2.5" lon="-1"/>
        <trkpt lat="7" lon="0.5"/></trkseg></trk></gpx>"#;
    let layer = read("p.gpx", gpx).unwrap();
    assert_eq!((vertices(&layer), layer.unit), (THREE.to_vec(), CoordinateUnit::Degrees));
    refused("p.kml", "<kml/>", "XML of `kml` is not read, but GPX is");
}

#[test]
fn meshes() {
    let vertex = "v 4 0 1\nv -1 2.5 0\nv 0.5 7 0\n";
    let obj = read("p.obj", format!("# cube\n{vertex}f 1/1 2/1 -1/1\n")).unwrap();
    assert_eq!((vertices(&obj), obj.polygons().len()), (THREE.to_vec(), 1));
    refused("p.obj", "v 0 0 0\nf 1 2 3\n", "a face names vertex 1, but there are 1");
    let off = read("p.off", "OFF\n3 1 0\n4 0 0\n-1 2.5 0\n0.5 7 0\n3 0 1 2\n").unwrap();
    assert_eq!((vertices(&off), off.polygons().len()), (THREE.to_vec(), 1));

    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
             property uchar red\nelement face 1\nproperty list uchar int vertex_indices\n\
             end_header\n"
        )
    };
    let ascii = header("ascii") + "4 0 9\n-1 2.5 9\n0.5 7 9\n3 0 1 2\n";
    let mut binary = header("binary_big_endian").into_bytes();
    for [x, y] in THREE {
        binary.extend((x as f32).to_be_bytes());
        binary.extend((y as f32).to_be_bytes());
        binary.push(9);
    }
    binary.push(3);
    binary.extend([0_u32, 1, 2].iter().flat_map(|it| it.to_be_bytes()));
    for ply in [ascii.as_bytes(), &binary] {
        let ply = read("p.ply", ply).unwrap();
        assert_eq!((vertices(&ply), ply.polygons().len()), (THREE.to_vec(), 1));
    }
    refused("p.ply", &binary[..binary.len() - 1], "face 0 is cut off");

    let node = "3 2 0 0\n1 4 0\n2 -1 2.5\n3 0.5 7\n";
    assert_eq!(vertices(&read("p.node", node).unwrap()), THREE);
    let poly = read("p.poly", format!("{node}3 0\n1 1 2\n2 2 3\n3 3 1\n0\n")).unwrap();
    assert_eq!(poly.polygons()[0].rings[0].len(), 3);
}

#[test]
fn binary_geometries() {
    let mut wkb = vec![1];
    wkb.extend((0x2000_0000_u32 | 3).to_le_bytes());
    wkb.extend(3857_u32.to_le_bytes());
    wkb.extend([1_u32, 4].iter().flat_map(|it| it.to_le_bytes()));
    let ring: Vec<f64> = THREE.iter().chain(&THREE[..1]).flatten().copied().collect();
    wkb.extend(ring.iter().flat_map(|it| it.to_le_bytes()));
    let layer = read("p.wkb", &wkb).unwrap();
    assert_eq!((vertices(&layer), layer.unit), (THREE.to_vec(), CoordinateUnit::Metres));
    refused("p.wkb", &wkb[..wkb.len() - 1], "it ends too soon");

    let mut shape = b"\0\0\x27\x0a".to_vec();
    shape.resize(100, 0);
    shape.extend(1_u32.to_be_bytes());
    shape.extend(((48 + 64) / 2_u32).to_be_bytes());
    shape.extend(5_u32.to_le_bytes());
    shape.extend([0; 32]);
    shape.extend([1_u32, 4, 0].iter().flat_map(|it| it.to_le_bytes()));
    shape.extend(ring.iter().flat_map(|it| it.to_le_bytes()));
    assert_eq!(vertices(&read("p.shp", &shape).unwrap()), THREE);
    refused("p.shp", &shape[..shape.len() - 1], "shape 0 of this shapefile is cut off");

    // Beside it, a table of one record with two columns, in Latin-1, and a reference system.
    let column = |name: &[u8], kind: u8, width: u8| {
        let mut column = [0; 32];
        column[..name.len()].copy_from_slice(name);
        (column[11], column[16]) = (kind, width);
        column
    };
    let mut table = [0; 32];
    (table[8], table[10]) = (97, 8);
    let fields = [column(b"NAME", b'C', 4), column(b"RANK", b'N', 3)].concat();
    let table = [&table[..], &fields, b"\r", b" B\xe4u 1.5"].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.shp");
    std::fs::write(&path, &shape).unwrap();
    std::fs::write(path.with_extension("DBF"), table).unwrap();
    std::fs::write(path.with_extension("prj"), "GEOGCS[\"a\",UNIT[\"Degree\",0.017]]").unwrap();
    let layer = layer::read(&path, &ReadOptions::default()).unwrap();
    let properties = serde_json::json!({"NAME": "Bäu", "RANK": 1.5});
    assert_eq!(serde_json::Value::from(layer.features[0].properties.clone()), properties);
    assert_eq!(layer.unit, CoordinateUnit::Degrees);
}

#[test]
fn what_is_not_read_is_named() {
    if cfg!(not(feature = "geo-formats")) {
        let build = "or build umm with --features geo-formats";
        for (name, head) in [
            ("a Parquet table", &b"PAR1\0\0"[..]),
            ("a GeoPackage", b"SQLite format 3\0"),
            ("a FlatGeobuf", b"fgb\x03fgb\x00\x01"),
            ("a zstd file", b"\x28\xb5\x2f\xfd\x04\0"),
        ] {
            refused("p", head, &format!("this is {name}"));
            refused("p", head, build);
        }
    }
    refused("p.stl", "solid a\nfacet normal 0 0 1\n", "this is STL");
    refused("p.csv", "0,0\n\0,1\n", "p.csv:2: a zero byte");
    refused("p.csv", "a,b\n1,2\n", "--columns X,Y");
    refused("p.csv", "1,2,3,4\n", "choose by --columns X,Y");
}

#[test]
fn packed_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.csv.gz");
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    gzip.write_all(b"4,0\n-1,2.5\n0.5,7\n").unwrap();
    let packed = gzip.finish().unwrap();
    std::fs::write(&path, &packed).unwrap();
    assert_eq!(
        vertices(&memory_machine_geometry::layer::read(&path, &ReadOptions::default()).unwrap()),
        THREE
    );
    std::fs::write(&path, &packed[..packed.len() - 9]).unwrap();
    let error = memory_machine_geometry::layer::read(&path, &ReadOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("this gzip file cannot be unpacked"), "{error}");

    // A member that is stored, not deflated: local header, data, directory, its end.
    let (name, data) = (b"a.csv", b"4,0\n-1,2.5\n0.5,7\n");
    let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    common.extend(crc(data).to_le_bytes());
    common.extend([data.len() as u32; 2].iter().flat_map(|it| it.to_le_bytes()));
    common.extend([name.len() as u8, 0, 0, 0]);
    let mut zip = [b"PK\x03\x04", &common[..], name, data].concat();
    let at = zip.len() as u32;
    let directory = [b"PK\x01\x02\x14\0", &common[..], &[0; 14], name].concat();
    let size = directory.len() as u32;
    zip.extend(directory);
    zip.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    zip.extend([size, at].iter().flat_map(|it| it.to_le_bytes()));
    zip.extend([0, 0]);
    std::fs::write(&path, &zip).unwrap();
    let layer = memory_machine_geometry::layer::read(&path, &ReadOptions::default()).unwrap();
    assert_eq!(
        (vertices(&layer), &*layer.notes[0]),
        (THREE.to_vec(), "read `a.csv` of the zip file")
    );
    let other = ReadOptions { member: Some("b".into()), ..ReadOptions::default() };
    assert!(
        memory_machine_geometry::layer::read(&path, &other)
            .unwrap_err()
            .to_string()
            .contains("has no `b`")
    );
}

fn crc(data: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(data);
    sum.sum()
}

#[test]
fn lines_are_counted_across_blank_ones() {
    refused("p.csv", "\r\n1, 2\r\n\r\n  \r\n3,4\n\n\n5,six", "p.csv:8: ");
}
