//! Files of points, good and bad.

use memory_machine::algorithms::layer;
use memory_machine::algorithms::points::Point;

use crate::polygon::reading::{attempt, says};

fn csv(text: &str) -> Result<Vec<Point>, String> {
    attempt("p.csv", text, layer::points)
}

fn geojson(text: &str) -> Result<Vec<Point>, String> {
    attempt("p.geojson", text, layer::points)
}

#[test]
fn csv_forms() {
    let expected = [Point { x: 4.0, y: 0.0 }, Point { x: -1.0, y: 2.5 }, Point { x: 4.0, y: 0.0 }];
    for same in [
        "4,0\n-1,2.5\n4,0\n",
        "\u{feff}easting,northing\r\n4,0\r\n\r\n -1 , 2.5\r\n4e0,0\r\n",
        "x,y\n4,0\n-1,2.5\n4,0",
        "name,Y,x,z\na,0,4,7\nb,2.5,-1\nc,-0,4,8,9\n",
        "Lat,Lon\n0,4\n2.5,-1\n0,4",
        "latitude,id,LONGITUDE\n0,1,4\n2.5,2,-1\n0,3,4",
        "lng,lat\n4,0\n-1,2.5\n4,0",
        "lat,lon,x,y\nn,n,4,0\nn,n,-1,2.5\nn,n,4,0",
        "lat,long\n0,4\n2.5,-1\n0,4",
        "latitude_deg,elevation_ft,longitude_deg\n0,9,4\n2.5,9,-1\n0,9,4",
        "Latitude (°),Longitude (°)\n0,4\n2.5,-1\n0,4",
        "northing,easting\n0,4\n2.5,-1\n0,4",
        "id,North [m],East [m]\n1,0,4\n2,2.5,-1\n3,0,4",
        "y,x\n0,4\n2.5,-1\n0,4",
        "x_m,y_m\n4,0\n-1,2.5\n4,0",
    ] {
        assert_eq!(csv(same).unwrap(), expected, "{same:?}");
    }
}

/// `to_csv` of pandas numbers columns that have no names.
#[test]
fn a_header_of_numbers_is_no_point() {
    assert_eq!(csv("0,1\n0.5,0.25\n").unwrap(), [Point { x: 0.5, y: 0.25 }]);
    assert_eq!(csv("\n0,1\n5,7\n5e-1,2\n").unwrap().len(), 2);
    for points in ["0,1\n5,7\n", "0.0,1.0\n0.5,0.25\n", "0,1\n", "x,y\n0,1\n0.5,2\n"] {
        assert!(csv(points).is_ok(), "{points}");
    }
}

#[test]
fn csv_faults() {
    says(csv(""), "p.csv: the file is empty");
    says(csv("x,y\n"), "p.csv: no points");
    says(csv("0\n4\n"), "p.csv:1: 1 columns");
    says(csv("id,a,b\n1,2,3\n"), "p.csv:1: 3 columns");
    says(csv("\na,b\n1,2\n"), "p.csv:2: the columns `a` and `b` could be x and y either way; call");
    says(csv("lat,y\n1,2\n"), "p.csv:1: the columns `lat` and `y` could be");
    says(csv("x_min,y_min\n1,2\n"), "p.csv:1: the columns `x_min` and `y_min` could be");
    says(csv("lon,lat,lng\n1,2,3\n"), "p.csv:1: the columns `lon` and `lng` both name the same");
    says(csv("x_m,y_m,x_ft\n1,2,3\n"), "p.csv:1: the columns `x_m` and `x_ft` both name");
    says(csv("0,0\n\n4,0,1\n"), "p.csv:3: 3 columns");
    says(csv("lat,id,lon\n0,1,4\n\n0,2\n"), "p.csv:4: 2 columns, but the header names column 3");
    says(csv("lat,id,lon\n0,1,4\n0,2,east\n"), "p.csv:3: column 3: 'east'");
    says(csv("0,0\n4,nan\n"), "p.csv:2: column 2: 'nan'");
    says(csv("0,0\ninf,4\n"), "p.csv:2: column 1: 'inf'");
    says(csv("1e999,0\n"), "p.csv:1: column 1: '1e999'");
    says(csv("0,y\n4,1\n"), "p.csv:1: column 2: 'y'");
    says(csv("x,y\n0,0\n\n1e-50,0\n"), "p.csv:4: point 1 has coordinate 1e-50, outside");
    says(attempt("p.csv", b"0,0\n\xff,1\n", layer::points), "p.csv:2: column 1: 'ÿ'");
}

fn feature(geometry: &str) -> String {
    format!(r#"{{"type": "Feature", "properties": null, "geometry": {geometry}}}"#)
}

fn collection(features: &[String]) -> String {
    format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(","))
}

#[test]
fn geojson_forms() {
    let [first, second] = [Point { x: 4.0, y: 0.0 }, Point { x: -1.0, y: 2.5 }];
    let point = r#"{"type": "Point", "coordinates": [4, 0, 100]}"#;
    let points = r#"{"type": "MultiPoint", "coordinates": [[-1, 2.5], [4, 0]]}"#;
    let both = format!(r#"{{"type": "GeometryCollection", "geometries": [{point}, {points}]}}"#);
    assert_eq!(geojson(point).unwrap(), [first]);
    assert_eq!(geojson(&feature(points)).unwrap(), [second, first]);
    assert_eq!(geojson(&both).unwrap(), [first, second, first]);
    let mixed = collection(&[feature(points), feature(point), feature(&both)]);
    assert_eq!(geojson(&mixed).unwrap(), [second, first, first, first, second, first]);
}

#[test]
fn geojson_faults() {
    says(geojson("{"), "p.geojson: no GeoJSON");
    says(geojson(r#"{"type": "MultiPoint", "coordinates": [[0,0],[1]]}"#), "position 1 has 1");
    says(geojson(r#"{"type": "MultiPoint", "coordinates": []}"#), "p.geojson: no points");
    says(geojson(&collection(&[])), "p.geojson: no points");
    says(geojson(&feature("null")), "p.geojson: no points");
    says(
        geojson(r#"{"type": "Point", "coordinates": [0, 1e100]}"#),
        "point 0 has coordinate 1e100",
    );
}
