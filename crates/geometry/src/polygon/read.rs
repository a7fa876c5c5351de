//! One simple polygon from a file.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Polygon, PolygonFlaw};
use crate::layer::{self, CoordinateUnit, Layer, LayerError, ReadOptions};
use memory_machine_core::host::files::path_text;

/// A file from which no simple polygon can be read.
#[derive(Debug, Error)]
pub enum PolygonReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Layer(#[from] LayerError),
    /// Something else, or several polygons.
    #[error(
        "{}: holds {found}, but one polygon is needed here; give a file with exactly one",
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
        "{}: the polygon has {holes} hole(s), where one ring is needed; remove all rings but the first",
        path_text(path)
    )]
    Holes {
        /// The file.
        path: PathBuf,
        /// Rings but for the first.
        holes: usize,
    },
    /// `place` is the file and, in a table, the line of the last vertex at fault.
    #[error("{place}: {flaw}")]
    Flaw {
        /// The file with its line, as in `outline.csv:7`.
        place: String,
        /// Why the ring is no simple polygon.
        flaw: PolygonFlaw,
    },
}

/// Reads the only polygon of a file, as [`layer::read`] has it, without holes. Points in a table are
/// the vertices of a ring, and so is a closed line. The ring may repeat its first vertex at the end,
/// and may run either way; vertices are numbered from 0 in the order of the file.
///
/// # Errors
/// [`PolygonReadError`] names the file, where known the line and column, the fault and what to do.
pub fn read(path: &Path) -> Result<Polygon, PolygonReadError> {
    let options = ReadOptions { is_strict: true, ..ReadOptions::default() };
    let layer = layer::read(path, &options)?;
    match layer.features.len() {
        0 | 1 => only(path, &layer),
        several => {
            let found = format!("{several} features");
            Err(PolygonReadError::NotOnePolygon { path: path.into(), found })
        }
    }
}

/// The only polygon of a layer.
///
/// # Errors
/// As [`read`].
pub fn only(path: &Path, layer: &Layer) -> Result<Polygon, PolygonReadError> {
    let mut rings = match &layer.polygons()[..] {
        [only] => only.rings.clone(),
        found => {
            let found = match found.len() {
                0 => "no polygon".to_owned(),
                several => format!("{several} polygons"),
            };
            return Err(PolygonReadError::NotOnePolygon { path: path.into(), found });
        }
    };
    if rings.len() > 1 {
        return Err(PolygonReadError::Holes { path: path.into(), holes: rings.len() - 1 });
    }
    let polygon = Polygon::new(rings.pop().unwrap_or_default());
    let polygon = polygon.map_err(|flaw| {
        let line = layer.rows.as_ref().zip(flaw.last_vertex()).map(|(rows, it)| rows.line(it));
        let path = path_text(path);
        let place = line.map_or_else(|| path.clone(), |line| format!("{path}:{line}"));
        PolygonReadError::Flaw { place, flaw }
    })?;
    Ok(if layer.unit == CoordinateUnit::Degrees { polygon.geographic() } else { polygon })
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
