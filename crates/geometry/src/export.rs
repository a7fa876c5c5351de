//! Triangles, lines and rings as files for other programs.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value};

use crate::points::Point;
use memory_machine_core::host::files::ends;

/// Formats of triangles, by the ending of a file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TriangleFormat {
    /// Numbers of points, a triangle a line.
    Csv,
    /// An array of n × 3 numbers of points.
    Npy,
    /// Polygons with their properties, area and perimeter.
    GeoJson,
    /// A polygon a line.
    Wkt,
    /// Vertices and faces, with z = 0.
    Obj,
    /// The same as text of PLY.
    Ply,
    /// The same as OFF.
    Off,
    /// Facets, as text.
    Stl,
    /// Vertices and segments, for Triangle.
    Poly,
}

/// For messages.
pub const TRIANGLE_ENDINGS: &str = ".csv, .npy, .geojson, .wkt, .obj, .ply, .off, .stl or .poly";

impl TriangleFormat {
    /// By the ending of a name; standard output, `-`, takes CSV.
    pub fn of(path: &Path) -> Option<Self> {
        let known = [
            ("csv", Self::Csv),
            ("npy", Self::Npy),
            ("geojson", Self::GeoJson),
            ("json", Self::GeoJson),
            ("wkt", Self::Wkt),
            ("obj", Self::Obj),
            ("ply", Self::Ply),
            ("off", Self::Off),
            ("stl", Self::Stl),
            ("poly", Self::Poly),
        ];
        if path == "-" {
            return Some(Self::Csv);
        }
        known.into_iter().find(|(ending, _)| ends(path, ending)).map(|it| it.1)
    }
}

/// Triangles that belong together.
#[derive(Debug, Clone, Default)]
pub struct TriangleGroup {
    /// What is written beside each of them.
    pub properties: Map<String, Value>,
    /// Numbers of points, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
}

/// Triangles between points.
#[derive(Debug, Clone, Copy)]
pub struct TriangleSet<'a> {
    /// That the triangles name by number.
    pub points: &'a [Point],
    /// One for each feature.
    pub groups: &'a [TriangleGroup],
    /// The reference system of the points, if it is known.
    pub crs: Option<&'a str>,
}

impl TriangleSet<'_> {
    fn triangles(&self) -> impl Iterator<Item = &[u32; 3]> {
        self.groups.iter().flat_map(|it| &it.triangles)
    }

    fn at(&self, triangle: [u32; 3]) -> [Point; 3] {
        triangle.map(|it| self.points[it as usize])
    }

    /// Writes all triangles.
    ///
    /// # Errors
    /// Those of `file`.
    pub fn write(&self, format: TriangleFormat, file: &mut dyn Write) -> io::Result<()> {
        match format {
            TriangleFormat::Csv => self.csv(file),
            TriangleFormat::Npy => self.npy(file),
            TriangleFormat::GeoJson => self.geojson(file),
            TriangleFormat::Wkt => self.triangles().try_for_each(|&it| {
                let [a, b, c] = self.at(it).map(|p| format!("{} {}", p.x, p.y));
                writeln!(file, "POLYGON (({a}, {b}, {c}, {a}))")
            }),
            TriangleFormat::Obj => {
                for Point { x, y } in self.points {
                    writeln!(file, "v {x} {y} 0")?;
                }
                self.triangles().try_for_each(|it| {
                    let [a, b, c] = it.map(|it| it + 1);
                    writeln!(file, "f {a} {b} {c}")
                })
            }
            TriangleFormat::Ply => {
                let (n, faces) = (self.points.len(), self.triangles().count());
                writeln!(
                    file,
                    "ply\nformat ascii 1.0\nelement vertex {n}\nproperty double x\n\
                     property double y\nproperty double z\nelement face {faces}\n\
                     property list uchar int vertex_indices\nend_header"
                )?;
                self.body(file)
            }
            TriangleFormat::Off => {
                writeln!(file, "OFF\n{} {} 0", self.points.len(), self.triangles().count())?;
                self.body(file)
            }
            TriangleFormat::Stl => {
                writeln!(file, "solid triangles")?;
                for &triangle in self.triangles() {
                    writeln!(file, "facet normal 0 0 1\n  outer loop")?;
                    for Point { x, y } in self.at(triangle) {
                        writeln!(file, "    vertex {x} {y} 0")?;
                    }
                    writeln!(file, "  endloop\nendfacet")?;
                }
                writeln!(file, "endsolid triangles")
            }
            TriangleFormat::Poly => self.poly(file),
        }
    }

    fn csv(&self, file: &mut dyn Write) -> io::Result<()> {
        if self.groups.len() < 2 {
            writeln!(file, "a,b,c")?;
            return self.triangles().try_for_each(|[a, b, c]| writeln!(file, "{a},{b},{c}"));
        }
        writeln!(file, "a,b,c,feature")?;
        for (feature, group) in self.groups.iter().enumerate() {
            for [a, b, c] in &group.triangles {
                writeln!(file, "{a},{b},{c},{feature}")?;
            }
        }
        Ok(())
    }

    fn npy(&self, file: &mut dyn Write) -> io::Result<()> {
        let n = self.triangles().count();
        let mut header = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({n}, 3), }}");
        // The data begins at a multiple of 64 bytes.
        while !(header.len() + 11).is_multiple_of(64) {
            header.push(' ');
        }
        header.push('\n');
        file.write_all(b"\x93NUMPY\x01\0")?;
        file.write_all(&(header.len() as u16).to_le_bytes())?;
        file.write_all(header.as_bytes())?;
        self.triangles().flatten().try_for_each(|&it| file.write_all(&i64::from(it).to_le_bytes()))
    }

    fn geojson(&self, file: &mut dyn Write) -> io::Result<()> {
        begin_collection(file, self.crs)?;
        let mut separator = "";
        for group in self.groups {
            for &triangle in &group.triangles {
                let corners = self.at(triangle);
                let mut properties = group.properties.clone();
                let side = |k: usize| {
                    let (p, q) = (corners[k], corners[(k + 1) % 3]);
                    (p.x - q.x).hypot(p.y - q.y)
                };
                let [a, b, c] = corners;
                let area = ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2.0;
                properties.insert("area".to_owned(), area.into());
                properties.insert("perimeter".to_owned(), (side(0) + side(1) + side(2)).into());
                let ring = positions(&[a, b, c, a]);
                write!(file, "{separator}")?;
                feature(file, &properties, "Polygon", &format!("[{ring}]"))?;
                separator = ",\n";
            }
        }
        writeln!(file, "\n]}}")
    }

    /// Vertices and faces, as PLY and OFF have them.
    fn body(&self, file: &mut dyn Write) -> io::Result<()> {
        for Point { x, y } in self.points {
            writeln!(file, "{x} {y} 0")?;
        }
        self.triangles().try_for_each(|[a, b, c]| writeln!(file, "3 {a} {b} {c}"))
    }

    fn poly(&self, file: &mut dyn Write) -> io::Result<()> {
        let mut edges: Vec<[u32; 2]> = self
            .triangles()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        writeln!(file, "{} 2 0 0", self.points.len())?;
        for (number, Point { x, y }) in self.points.iter().enumerate() {
            writeln!(file, "{number} {x} {y}")?;
        }
        writeln!(file, "{} 0", edges.len())?;
        for (number, [a, b]) in edges.iter().enumerate() {
            writeln!(file, "{number} {a} {b}")?;
        }
        writeln!(file, "0")
    }
}

fn positions(points: &[Point]) -> String {
    let mut text = "[".to_owned();
    for (rank, Point { x, y }) in points.iter().enumerate() {
        let comma = if rank > 0 { ", " } else { "" };
        let _ = write!(text, "{comma}[{x}, {y}]");
    }
    text + "]"
}

fn begin_collection(file: &mut dyn Write, crs: Option<&str>) -> io::Result<()> {
    let crs = crs.map_or_else(String::new, |name| {
        let name = Value::from(name);
        format!(r#""crs": {{"type": "name", "properties": {{"name": {name}}}}}, "#)
    });
    writeln!(file, r#"{{"type": "FeatureCollection", {crs}"features": ["#)
}

fn feature(
    file: &mut dyn Write,
    properties: &Map<String, Value>,
    kind: &str,
    coordinates: &str,
) -> io::Result<()> {
    let properties = serde_json::to_string(properties)?;
    write!(
        file,
        r#"{{"type": "Feature", "properties": {properties}, "geometry": {{"type": "{kind}", "coordinates": {coordinates}}}}}"#
    )
}

/// A layer of lines between points, each with its properties.
///
/// # Errors
/// Those of `file`.
pub fn lines(
    file: &mut dyn Write,
    lines: impl Iterator<Item = ([Point; 2], Map<String, Value>)>,
    crs: Option<&str>,
) -> io::Result<()> {
    begin_collection(file, crs)?;
    for (rank, (ends, properties)) in lines.enumerate() {
        write!(file, "{}", if rank > 0 { ",\n" } else { "" })?;
        feature(file, &properties, "LineString", &positions(&ends))?;
    }
    writeln!(file, "\n]}}")
}

/// A polygon of one ring, which is closed here: of two vertices a line, of one a point.
///
/// # Errors
/// Those of `file`.
pub fn ring(file: &mut dyn Write, vertices: &[Point], crs: Option<&str>) -> io::Result<()> {
    begin_collection(file, crs)?;
    let (kind, coordinates) = match vertices {
        [] => ("MultiPoint", "[]".to_owned()),
        [only] => ("Point", format!("[{}, {}]", only.x, only.y)),
        [_, _] => ("LineString", positions(vertices)),
        [first, ..] => ("Polygon", format!("[{}]", positions(&[vertices, &[*first]].concat()))),
    };
    feature(file, &Map::new(), kind, &coordinates)?;
    writeln!(file, "\n]}}")
}
