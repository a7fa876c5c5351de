//! Files of points, lines and polygons, as they come: a reader a format, chosen by content.
//!
//! | module | reads |
//! |---|---|
//! | `bytes` | files and standard input; UTF-8, UTF-16, Latin-1 |
//! | `compression` | gzip, zip; with the feature `geo-formats` zstd |
//! | `table` | CSV and its dialects, `.xyz` |
//! | `npy` | arrays of NumPy, `.npy` and `.npz` |
//! | `geojson`, `topojson`, `rings` | GeoJSON, GeoJSONSeq; TopoJSON; bare arrays of positions |
//! | `wkt`, `wkb` | well-known text and binary, with an SRID or without |
//! | `mesh`, `triangle` | OBJ, PLY, OFF; `.node` and `.poly` |
//! | `gpx`, `shapefile`, `dbf` | GPX; a shapefile |
//! | `flatgeobuf`, `geopackage`, `parquet` | with the feature `geo-formats`: FlatGeobuf, GeoPackage, (Geo)Parquet |
//!
//! What is not read is named, with what to do. Without the feature `formats`, as on the page, tables and
//! GeoJSON are read.

mod bytes;
#[cfg(feature = "formats")]
mod compression;
#[cfg(feature = "formats")]
mod dbf;
#[cfg(feature = "geo-formats")]
mod flatgeobuf;
mod format;
mod geojson;
#[cfg(feature = "geo-formats")]
mod geopackage;
#[cfg(feature = "formats")]
mod gpx;
#[cfg(feature = "formats")]
mod mesh;
#[cfg(feature = "formats")]
mod npy;
#[cfg(feature = "geo-formats")]
mod parquet;
#[cfg(feature = "formats")]
mod rings;
#[cfg(feature = "formats")]
mod shapefile;
mod table;
#[cfg(feature = "formats")]
mod text_numbers;
#[cfg(feature = "formats")]
mod topojson;
#[cfg(feature = "formats")]
mod triangle;
mod unit;
#[cfg(feature = "formats")]
mod wkb;
#[cfg(feature = "formats")]
mod wkt;

use std::path::Path;

use serde_json::{Map, Value};
use thiserror::Error;

pub use self::table::{Missing, Rows};
pub use self::unit::CoordinateUnit;
use crate::input::InputError;
use crate::points::{Point, PointsFlaw, check};
use memory_machine_core::host::files::path_text;

/// A file from which no layer can be read.
#[derive(Debug, Error)]
pub enum LayerError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// What is wrong with it, and what to do.
    #[error("{place}: {what}")]
    Fault {
        /// The file, with its line where that is known.
        place: String,
        /// The fault and the remedy.
        what: String,
    },
}

/// What a reader knows of a fault: the line, where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    line: Option<usize>,
    what: String,
}

impl Fault {
    fn new(what: impl Into<String>) -> Self {
        Self { line: None, what: what.into() }
    }

    fn at(line: usize, what: impl Into<String>) -> Self {
        Self { line: Some(line), what: what.into() }
    }

    fn of(self, path: &Path) -> LayerError {
        let path = path_text(path);
        let place = self.line.map_or_else(|| path.clone(), |line| format!("{path}:{line}"));
        LayerError::Fault { place, what: self.what }
    }
}

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The columns of x and y in a table: their names, or their numbers from 1.
    pub columns: Option<[String; 2]>,
    /// What becomes of a row without a coordinate.
    pub missing: Missing,
    /// Which of several: the object of a TopoJSON, the array of an `.npz`, the file in a zip.
    pub member: Option<String>,
    /// Whether a third column without a name is refused, where notes are not printed.
    pub is_strict: bool,
}

/// One piece of a feature.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Points, in the order of the file.
    Points(Vec<Point>),
    /// A line through points.
    Line(Vec<Point>),
    /// Rings: the outline, then the holes.
    Polygon(Vec<Vec<Point>>),
    /// Vertices, and polygons as rings of their numbers.
    Mesh {
        /// Numbered as the file has them.
        vertices: Vec<Point>,
        /// Of each polygon, its rings.
        polygons: Vec<Vec<Vec<u32>>>,
    },
}

/// Something with a shape and properties.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Feature {
    /// What the file says of it.
    pub properties: Map<String, Value>,
    /// Its pieces; none of a null geometry.
    pub parts: Vec<Part>,
}

/// A polygon of a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerPolygon {
    /// The number of its feature.
    pub feature: usize,
    /// The outline, then the holes.
    pub rings: Vec<Vec<Point>>,
    /// Of the vertices of all its [open] rings, their numbers among those of the layer.
    pub numbers: Vec<u32>,
}

/// All that a file holds.
#[derive(Debug, Clone, Default)]
pub struct Layer {
    /// In the order of the file.
    pub features: Vec<Feature>,
    /// With its article, as messages name it.
    pub format: &'static str,
    /// What was inferred, skipped or left out.
    pub notes: Vec<String>,
    /// What one unit of the coordinates is.
    pub unit: CoordinateUnit,
    /// Of a table, the line of each point.
    pub rows: Option<Rows>,
    /// How the file calls its reference system.
    pub crs: Option<String>,
}

/// Reads a file, or standard input for `-`, whatever it holds.
///
/// # Errors
/// [`LayerError`] names the file, where known the line, the fault and what to do.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Layer, LayerError> {
    let bytes = bytes::load(path)?;
    let mut notes = vec![];
    let mut layer =
        format::parse(path, bytes, options, &mut notes).map_err(|fault| fault.of(path))?;
    notes.append(&mut layer.notes);
    layer.notes = notes;
    layer.settle_unit();
    Ok(layer)
}

/// The points of a file, as [`read`] and [`Layer::points`] have them, without options.
///
/// # Errors
/// [`LayerError`]
pub fn points(path: &Path) -> Result<Vec<Point>, LayerError> {
    read(path, &ReadOptions::default())?.points(path)
}

impl Part {
    /// Its vertices, in the order of the file.
    fn vertices(&self) -> Box<dyn Iterator<Item = Point> + '_> {
        match self {
            Self::Points(points) | Self::Line(points) => Box::new(points.iter().copied()),
            // A ring ends where it begins.
            Self::Polygon(rings) => Box::new(rings.iter().flat_map(|it| open(it)).copied()),
            Self::Mesh { vertices, .. } => Box::new(vertices.iter().copied()),
        }
    }
}

/// A ring without the copy of its first vertex at its end.
pub fn open(ring: &[Point]) -> &[Point] {
    match ring {
        [first, .., last] if first == last => &ring[..ring.len() - 1],
        _ => ring,
    }
}

impl Layer {
    /// One feature without properties.
    #[cfg(feature = "formats")]
    fn of_part(format: &'static str, part: Part) -> Self {
        let feature = Feature { parts: vec![part], ..Feature::default() };
        Self { features: vec![feature], format, ..Self::default() }
    }

    /// Features, without those that have no shape, which a note counts.
    #[cfg(feature = "geo-formats")]
    fn of_features(
        format: &'static str,
        mut features: Vec<Feature>,
        unit: CoordinateUnit,
        crs: Option<String>,
    ) -> Self {
        let all = features.len();
        features.retain(|it| !it.parts.is_empty());
        let notes = match all - features.len() {
            0 => vec![],
            empty => vec![format!("features without geometry are left out: {empty}")],
        };
        Self { features, format, notes, unit, crs, ..Self::default() }
    }

    /// The vertices of whatever it holds, in the order of the file, as `points::check` allows them.
    ///
    /// # Errors
    /// [`LayerError`] if there are none, or one cannot be computed with.
    pub fn points(mut self, path: &Path) -> Result<Vec<Point>, LayerError> {
        let points = match &mut self.features[..] {
            // The usual file is large: its points are moved, not copied.
            [Feature { parts, .. }] if matches!(parts[..], [Part::Points(_)]) => {
                match parts.pop() {
                    Some(Part::Points(points)) => points,
                    _ => vec![],
                }
            }
            _ => self.vertices().collect(),
        };
        let Err(flaw) = check(&points) else { return Ok(points) };
        let line = match flaw {
            PointsFlaw::NotFinite { point, .. } | PointsFlaw::OutOfRange { point, .. } => {
                self.rows.as_ref().map(|rows| rows.line(point))
            }
            PointsFlaw::Empty | PointsFlaw::TooMany { .. } => None,
        };
        Err(Fault { line, what: flaw.to_string() }.of(path))
    }

    /// All vertices, in the order of the file.
    pub fn vertices(&self) -> impl Iterator<Item = Point> + '_ {
        self.features.iter().flat_map(|it| &it.parts).flat_map(Part::vertices)
    }

    /// All polygons. A list of vertices, and a closed line, are rings.
    pub fn polygons(&self) -> Vec<LayerPolygon> {
        let mut found = vec![];
        let mut before = 0;
        for (feature, it) in self.features.iter().enumerate() {
            for part in &it.parts {
                self.polygons_of(part, feature, before, &mut found);
                before += part.vertices().count() as u32;
            }
        }
        found
    }

    /// Of one part, whose vertices are numbered from `before` on.
    fn polygons_of(&self, part: &Part, feature: usize, before: u32, found: &mut Vec<LayerPolygon>) {
        let mut add = |rings: Vec<Vec<Point>>| {
            let vertices: usize = rings.iter().map(|it| open(it).len()).sum();
            let numbers = (before..).take(vertices).collect();
            found.push(LayerPolygon { feature, rings, numbers });
        };
        match part {
            Part::Polygon(rings) => add(rings.clone()),
            Part::Line(line) if line.len() > 3 && line.first() == line.last() => {
                add(vec![line.clone()]);
            }
            Part::Points(points) if self.format != "GeoJSON" && self.format != "WKT" => {
                add(vec![points.clone()]);
            }
            Part::Mesh { vertices, polygons } => found.extend(polygons.iter().map(|rings| {
                let ring = |it: &Vec<u32>| it.iter().map(|&v| vertices[v as usize]).collect();
                let numbers = rings.iter().flatten().map(|it| before + it).collect();
                LayerPolygon { feature, rings: rings.iter().map(ring).collect(), numbers }
            })),
            Part::Points(_) | Part::Line(_) => {}
        }
    }

    /// Degrees stay degrees only if every coordinate can be one.
    fn settle_unit(&mut self) {
        if self.unit == CoordinateUnit::Degrees
            && !self.vertices().all(|it| it.x.abs() <= 360.0 && it.y.abs() <= 90.0)
        {
            self.unit = CoordinateUnit::Unknown;
        }
    }
}
