//! Reading a polygon from a CSV or GeoJSON file.

use std::path::{Path, PathBuf};

use geojson::{Feature, GeoJson, Geometry, GeometryValue};
use thiserror::Error;

use super::super::input::{self, InputError};
use super::{Flaw, Point, Polygon};

/// A file from which no simple polygon can be read.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{}: {source}", path.display())]
    Csv { path: PathBuf, source: csv::Error },
    #[error("{}:{line}: {found} columns, but a vertex has two; write x,y with a comma between", path.display())]
    Columns { path: PathBuf, line: usize, found: usize },
    #[error("{}:{line}: column {column}: '{field}' is not a finite number; write a coordinate such as 12.5", path.display())]
    Coordinate { path: PathBuf, line: usize, column: usize, field: String },
    #[error("{}: no GeoJSON: {source}; write a GeoJSON Polygon, or one vertex x,y a line", path.display())]
    GeoJson { path: PathBuf, source: geojson::Error },
    #[error("{}: holds {found}; give a Polygon, a Feature with a Polygon, or a FeatureCollection with exactly one", path.display())]
    NotOnePolygon { path: PathBuf, found: String },
    #[error("{}: the polygon has {holes} hole(s), which a triangulation without new vertices cannot keep; remove all rings but the first", path.display())]
    Holes { path: PathBuf, holes: usize },
    #[error("{}: vertex {vertex} has {found} coordinate(s); write x and y", path.display())]
    Position { path: PathBuf, vertex: usize, found: usize },
    /// `place` is the file and, in a CSV file, the line of the last vertex at fault.
    #[error("{place}: {flaw}")]
    Flaw { place: String, flaw: Flaw },
}

/// Reads a simple polygon.
///
/// A file that begins with `{` is GeoJSON: a Polygon, a Feature with one, or a FeatureCollection
/// with exactly one; altitudes are ignored. Any other file is CSV: one vertex `x,y` a line, after
/// an optional header line. The ring may repeat its first vertex at the end, and may run either
/// way; vertices are numbered from 0 in the order of the file.
///
/// # Errors
/// [`ReadError`] names the file, where known the line and column, the fault and what to do.
pub fn read(path: &Path) -> Result<Polygon, ReadError> {
    let text = input::load(path, "write one vertex x,y a line, or a GeoJSON Polygon")?;
    if text.trim_start().starts_with('{') {
        let ring = geojson_ring(path, &text)?;
        Polygon::new(ring)
            .map_err(|flaw| ReadError::Flaw { place: path.display().to_string(), flaw })
    } else {
        let (ring, lines) = csv_ring(path, &text)?;
        Polygon::new(ring).map_err(|flaw| ReadError::Flaw {
            place: match flaw.last_vertex().and_then(|vertex| lines.get(vertex)) {
                Some(line) => format!("{}:{line}", path.display()),
                None => path.display().to_string(),
            },
            flaw,
        })
    }
}

impl Flaw {
    const fn last_vertex(&self) -> Option<usize> {
        match *self {
            Self::NotFinite { vertex, .. } | Self::OutOfRange { vertex, .. } => Some(vertex),
            Self::Repeated { second, .. } | Self::Crossing { second, .. } => Some(second),
            Self::TooFew { .. } | Self::NoArea => None,
        }
    }
}

/// The vertices of a CSV file, and the line of each.
fn csv_ring(path: &Path, text: &str) -> Result<(Vec<Point>, Vec<usize>), ReadError> {
    let records =
        input::records(text).map_err(|source| ReadError::Csv { path: path.into(), source })?;
    let (mut ring, mut lines) = (Vec::new(), Vec::new());
    for (rank, record) in records.iter().enumerate() {
        let line = record.line;
        let fields: Vec<&str> = record.fields.iter().collect();
        let &[x, y] = fields.as_slice() else {
            return Err(ReadError::Columns { path: path.into(), line, found: fields.len() });
        };
        if rank == 0 && [x, y].iter().all(|field| field.parse::<f64>().is_err()) {
            continue; // the header
        }
        let coordinate = |column: usize, field: &str| match field.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(ReadError::Coordinate {
                path: path.into(),
                line,
                column,
                field: field.to_owned(),
            }),
        };
        ring.push(Point { x: coordinate(1, x)?, y: coordinate(2, y)? });
        lines.push(line);
    }
    Ok((ring, lines))
}

fn geojson_ring(path: &Path, text: &str) -> Result<Vec<Point>, ReadError> {
    let document: GeoJson =
        text.parse().map_err(|source| ReadError::GeoJson { path: path.into(), source })?;
    let mut rings = one_polygon(document)
        .map_err(|found| ReadError::NotOnePolygon { path: path.into(), found })?;
    if rings.len() > 1 {
        return Err(ReadError::Holes { path: path.into(), holes: rings.len() - 1 });
    }
    let ring = rings.pop().unwrap_or_default();
    ring.iter()
        .enumerate()
        .map(|(vertex, position)| match *position.as_slice() {
            [x, y, ..] => Ok(Point { x, y }),
            ref few => Err(ReadError::Position { path: path.into(), vertex, found: few.len() }),
        })
        .collect()
}

/// The rings of the document's only polygon, or what the document holds instead.
fn one_polygon(document: GeoJson) -> Result<geojson::PolygonType, String> {
    let geometry = match document {
        GeoJson::Geometry(geometry) => geometry,
        GeoJson::Feature(feature) => geometry_of(feature)?,
        GeoJson::FeatureCollection(collection) => {
            let mut features = collection.features;
            match (features.pop(), features.len()) {
                (Some(feature), 0) => geometry_of(feature)?,
                (None, _) => return Err("no features".into()),
                (Some(_), others) => return Err(format!("{} features", others + 1)),
            }
        }
    };
    match geometry.value {
        GeometryValue::Polygon { coordinates } => Ok(coordinates),
        other => Err(format!("a {}", other.type_name())),
    }
}

fn geometry_of(feature: Feature) -> Result<Geometry, String> {
    feature.geometry.ok_or_else(|| "a Feature without geometry".into())
}
