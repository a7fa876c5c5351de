//! Files of polygons and weights, good and bad.

use std::fmt::Display;
use std::path::Path;

use memory_machine::algorithms::matrix::Matrix;
use memory_machine::algorithms::opt::paper;
use memory_machine::algorithms::polygon::{self, Point, Polygon};

use crate::support::data;

/// What reading a file of this text says, with the folder left out of paths.
pub fn attempt<T, E: Display>(
    name: &str,
    text: impl AsRef<[u8]>,
    read: impl Fn(&Path) -> Result<T, E>,
) -> Result<T, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let prefix = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
    read(&path).map_err(|error| error.to_string().replace(&prefix, ""))
}

fn csv(text: &str) -> Result<Polygon, String> {
    attempt("p.csv", text, polygon::read)
}

fn geojson(text: &str) -> Result<Polygon, String> {
    attempt("p.geojson", text, polygon::read)
}

pub fn says<T>(result: Result<T, String>, expected: &str) {
    let Err(error) = result else {
        panic!("accepted; expected: {expected}");
    };
    assert!(error.contains(expected), "{error}\nexpected: {expected}");
    assert!(error.contains("; "), "no remedy: {error}");
}

#[test]
fn committed_files() {
    let convex = polygon::read(&data("convex-12.csv")).unwrap();
    assert_eq!(convex.n(), 12);
    let concave = polygon::read(&data("concave-16.csv")).unwrap();
    assert_eq!(concave.n(), 16);
    let paper = Matrix::read_csv(&data("paper-8-gon-weights.csv")).unwrap();
    let weights = paper::weights();
    for (i, j) in (0..8).flat_map(|i| (i + 1..8).map(move |j| (i, j))) {
        assert_eq!(paper.numbers[i * 8 + j], f64::from(weights.get(i, j)));
    }
}

#[test]
fn csv_forms() {
    let triangle = csv("0,0\n4,0\n0,3\n").unwrap();
    assert_eq!(triangle.vertices()[1], Point { x: 4.0, y: 0.0 });
    for same in [
        "x,y\n0,0\n4,0\n0,3",
        "\u{feff}lon,lat\r\n0,0\r\n\r\n 4 , 0\r\n0e0,3.0\r\n0,0\r\n",
        "\n\n\"0\",0\n4,0\n0,3\n\n",
        "name,LAT,lon\na,0,0\nb,0,4\nc,3,0",
    ] {
        assert_eq!(csv(same).unwrap().vertices(), triangle.vertices(), "{same:?}");
    }
}

#[test]
fn csv_faults() {
    says(csv(""), "p.csv: the file is empty");
    says(csv("\n  \n"), "p.csv: the file is empty");
    says(csv("x,y\n"), "p.csv: 0 distinct vertices");
    says(csv("0,0\n1,1\n0,0\n"), "p.csv: 2 distinct vertices");
    says(csv("0,0\n\n4,0,1\n0,3"), "p.csv:3: 3 columns");
    says(csv("0\n4\n0"), "p.csv:1: 1 columns");
    says(csv("0,0\n4,nan\n0,3"), "p.csv:2: column 2: 'nan'");
    says(csv("0,0\n-inf,4\n0,3"), "p.csv:2: column 1: '-inf'");
    says(csv("0,0\n4,\n0,3"), "p.csv:2: column 2: ''");
    says(csv("0,y\n4,1\n0,3"), "p.csv:1: column 2: 'y'");
    says(csv("0,0\n4,0\n0,3\n4,0\n"), "p.csv:4: vertices 1 and 3 are the same point");
    says(csv("x,y\n0,0\n4,4\n4,0\n0,4\n"), "p.csv:4: edges 0 (from vertex 0) and 2");
    says(csv("0,0\n1,1\n2,2\n"), "area is zero");
    says(csv("0,0\n1e200,0\n0,1\n"), "p.csv:2: vertex 1 has coordinate 1e200, outside");
    says(attempt("p.csv", b"0,0\n\xff,1\n", polygon::read), "p.csv:2: column 1: 'ÿ'");
    let missing = polygon::read(Path::new("no/such/file.csv")).unwrap_err();
    assert!(missing.to_string().starts_with("no/such/file.csv: cannot read"));
}

const TRIANGLE: &str = r#"{"type": "Polygon", "coordinates": [[[0,0],[4,0,9],[0,3],[0,0]]]}"#;

fn feature(geometry: &str) -> String {
    format!(r#"{{"type": "Feature", "properties": null, "geometry": {geometry}}}"#)
}

fn collection(features: &[String]) -> String {
    let features = features.join(",");
    format!(r#"{{"type": "FeatureCollection", "features": [{features}]}}"#)
}

#[test]
fn geojson_forms() {
    let triangle = csv("0,0\n4,0\n0,3\n").unwrap();
    for text in [TRIANGLE.into(), feature(TRIANGLE), collection(&[feature(TRIANGLE)])] {
        let found = geojson(&text).unwrap();
        assert_eq!(found.vertices(), triangle.vertices());
        // GeoJSON has degrees, a table of numbers says nothing.
        assert!(found.is_geographic() && !triangle.is_geographic());
    }
    // No degrees: metres, as older files have them.
    let metres = TRIANGLE.replace("[4,0,9]", "[400000,0]").replace("[0,3]", "[0,5600000]");
    assert!(!geojson(&metres).unwrap().is_geographic());
}

#[test]
fn geojson_faults() {
    says(geojson("{"), "p.geojson: no GeoJSON");
    says(geojson("{\"type\": \"Polygon\",\n\"coordinates\": [[[1,\"a\"]]]}"), "line 2 column");
    says(
        geojson(r#"{"type": "Polygon", "coordinates": [[[0,0],[1]]]}"#),
        "p.geojson: position 1 has 1 coordinate(s)",
    );
    says(geojson(r#"{"type": "Polygon", "coordinates": []}"#), "0 distinct vertices");
    says(
        geojson(r#"{"type": "Polygon", "coordinates": [[[0,0],[4,0],[0,3]],[[1,1],[2,1],[1,2]]]}"#),
        "p.geojson: the polygon has 1 hole(s)",
    );
    says(geojson(r#"{"type": "MultiPolygon", "coordinates": []}"#), "holds no polygon");
    says(geojson(&feature("null")), "holds no polygon");
    says(geojson(&collection(&[])), "holds no polygon");
    says(geojson(&collection(&[feature(TRIANGLE), feature(TRIANGLE)])), "holds 2 features");
    says(
        geojson(r#"{"type": "Polygon", "coordinates": [[[0,0],[4,4],[4,0],[0,4],[0,0]]]}"#),
        "p.geojson: edges 0 (from vertex 0) and 2",
    );
}

#[test]
fn matrix_forms_and_faults() {
    let csv = |text: &str| attempt("c.csv", text, Matrix::read_csv);
    let matrix = csv("\u{feff}1e3, -0.1\r\n\r\ninf,3.5\r\n").unwrap();
    assert_eq!((matrix.rows, matrix.columns), (2, 2));
    assert_eq!(matrix.numbers, [1e3, -0.1, f64::INFINITY, 3.5]);
    assert!(matrix.fits(&[2, 2]) && !matrix.fits(&[4]) && matrix.fits(&[2, 1, 2]));
    says(csv("1,2\n3\n"), "c.csv:2: 1 column(s), but the rows above have 2");
    says(csv("1,2\n3,x\n"), "c.csv:2: column 2: 'x' is not a number");
    says(csv("nan\n"), "c.csv:1: column 1: 'nan' is not a number");
    says(csv(""), "c.csv: the file is empty");
}
