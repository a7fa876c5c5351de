//! Reading a polygon from a CSV or GeoJSON file.

use std::path::{Path, PathBuf};

use geojson::{GeoJson, GeometryValue};
use thiserror::Error;

use super::{Point, Polygon, PolygonFlaw};
use crate::input;
use crate::points::{self, csv_points, document, geometry_of, point};
use memory_machine_core::host::files::path_text;

/// A file from which no simple polygon can be read.
#[derive(Debug, Error)]
pub enum PolygonReadError {
    /// The file has no positions, or not such as can be computed with.
    #[error(transparent)]
    Points(#[from] points::PointsReadError),
    /// GeoJSON of something else, or of several polygons.
    #[error(
        "{}: holds {found}; give a Polygon, a Feature with a Polygon, or a FeatureCollection with exactly one",
        path_text(path)
    )]
    NotOnePolygon {
        /// The file.
        path: PathBuf,
        /// What the file has instead.
        found: String,
    },
    /// A polygon with rings inside.
    #[error(
        "{}: the polygon has {holes} hole(s), which a triangulation without new vertices cannot keep; remove all rings but the first",
        path_text(path)
    )]
    Holes {
        /// The file.
        path: PathBuf,
        /// Rings but for the first.
        holes: usize,
    },
    /// `place` is the file and, in a CSV file, the line of the last vertex at fault.
    #[error("{place}: {flaw}")]
    Flaw {
        /// The file with its line, as in `outline.csv:7`.
        place: String,
        /// Why the ring is no simple polygon.
        flaw: PolygonFlaw,
    },
}

const REMEDY: &str = "write one vertex x,y a line, or a GeoJSON Polygon";

/// Reads a simple polygon.
///
/// A file that begins with `{` is GeoJSON: a Polygon, a Feature with one, or a FeatureCollection
/// with exactly one; altitudes are ignored. Any other file is CSV: one vertex a line, its columns as
/// [`points::read`] has them. The ring may repeat its first vertex at the end, and may run either
/// way; vertices are numbered from 0 in the order of the file.
///
/// # Errors
/// [`PolygonReadError`] names the file, where known the line and column, the fault and what to do.
pub fn read(path: &Path) -> Result<Polygon, PolygonReadError> {
    let text = input::load(path, REMEDY).map_err(points::PointsReadError::from)?;
    if text.trim_start().starts_with('{') {
        let ring = geojson_ring(path, &text)?;
        let polygon = Polygon::new(ring).map(Polygon::geographic);
        polygon.map_err(|flaw| PolygonReadError::Flaw { place: path_text(path), flaw })
    } else {
        let (ring, lines) = csv_points(path, &text)?;
        Polygon::new(ring).map_err(|flaw| PolygonReadError::Flaw {
            place: match flaw.last_vertex().and_then(|vertex| lines.get(vertex)) {
                Some(line) => format!("{}:{line}", path_text(path)),
                None => path_text(path),
            },
            flaw,
        })
    }
}

impl PolygonFlaw {
    const fn last_vertex(&self) -> Option<usize> {
        match *self {
            Self::NotFinite { vertex, .. } | Self::OutOfRange { vertex, .. } => Some(vertex),
            Self::Repeated { second, .. } | Self::Crossing { second, .. } => Some(second),
            Self::TooFew { .. } | Self::NoArea => None,
        }
    }
}

fn geojson_ring(path: &Path, text: &str) -> Result<Vec<Point>, PolygonReadError> {
    let mut rings = one_polygon(document(path, text, REMEDY)?)
        .map_err(|found| PolygonReadError::NotOnePolygon { path: path.into(), found })?;
    if rings.len() > 1 {
        return Err(PolygonReadError::Holes { path: path.into(), holes: rings.len() - 1 });
    }
    let ring = rings.pop().unwrap_or_default();
    let vertices = ring.iter().enumerate().map(|(rank, position)| point(path, rank, position));
    Ok(vertices.collect::<Result<_, _>>()?)
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
