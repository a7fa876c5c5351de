//! Reading points from a CSV or GeoJSON file.

use std::path::{Path, PathBuf};

use geojson::{Feature, GeoJson, Geometry, GeometryValue, Position};
use thiserror::Error;

use super::header::{self, HeaderError};
use super::{Point, PointsFlaw, check};
use crate::input::{self, InputError};
use memory_machine_core::host::files::path_text;

/// A file from which no points can be read.
#[derive(Debug, Error)]
pub enum PointsReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file is no CSV.
    #[error("{}: {source}", path_text(path))]
    Csv {
        /// The file.
        path: PathBuf,
        /// What the CSV reader says.
        source: csv::Error,
    },
    /// A line that has not two fields, below no header that says which to take.
    #[error(
        "{}:{line}: {found} columns, but a point has two; write x,y with a comma between, or name the columns in a header: {}",
        path_text(path),
        header::NAMES
    )]
    Columns {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Its fields.
        found: usize,
    },
    /// A line that ends before a column that the header names.
    #[error(
        "{}:{line}: {found} columns, but the header names column {needed}; write all of them",
        path_text(path)
    )]
    Short {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Its fields.
        found: usize,
        /// The column, from 1.
        needed: usize,
    },
    /// A header that does not say where x and y are.
    #[error("{}:{line}: {source}", path_text(path))]
    Header {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Why not.
        source: HeaderError,
    },
    /// A first line that numbers columns, as pandas does.
    #[error(
        "{}:{line}: `0,1` above coordinates with decimals numbers the columns, as pandas does; remove the line (to_csv(…, header=False)), or write 0.0,1.0 if it is a point",
        path_text(path)
    )]
    Numbered {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// A field that is no finite number.
    #[error(
        "{}:{line}: column {column}: '{field}' is not a finite number; write a coordinate such as 12.5",
        path_text(path)
    )]
    Coordinate {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// Its text.
        field: String,
    },
    /// A text that is no GeoJSON.
    #[error("{}: no GeoJSON: {source}; {remedy}", path_text(path))]
    GeoJson {
        /// The file.
        path: PathBuf,
        /// What the GeoJSON reader says.
        source: geojson::Error,
        /// What to write instead.
        remedy: &'static str,
    },
    /// A position without x and y.
    #[error("{}: position {position} has {found} coordinate(s); write x and y", path_text(path))]
    Position {
        /// The file.
        path: PathBuf,
        /// From 1, in the order of the file.
        position: usize,
        /// Its coordinates.
        found: usize,
    },
    /// GeoJSON of something else.
    #[error(
        "{}: holds {found}; give Points or MultiPoints, bare, in Features or in a FeatureCollection",
        path_text(path)
    )]
    NotPoints {
        /// The file.
        path: PathBuf,
        /// What the file has instead.
        found: String,
    },
    /// `place` is the file and, in a CSV file, the line of the point at fault.
    #[error("{place}: {flaw}")]
    Flaw {
        /// The file with its line, as in `points.csv:7`.
        place: String,
        /// Why the points cannot be computed with.
        flaw: PointsFlaw,
    },
}

const REMEDY: &str = "write one point x,y a line, or GeoJSON Points";

/// Reads points, numbered from 0 in the order of the file.
///
/// A file that begins with `{` is GeoJSON: a Point, a MultiPoint, a GeometryCollection of such, a
/// Feature with one, or a FeatureCollection of such Features; altitudes are ignored. Any other file
/// is CSV. If its first line names columns as `header` has it, those are read and others ignored;
/// else there are two columns, x and y, without a header.
///
/// # Errors
/// [`PointsReadError`] names the file, where known the line and column, the fault and what to do.
pub fn read(path: &Path) -> Result<Vec<Point>, PointsReadError> {
    let text = input::load(path, REMEDY)?;
    let (points, lines) = if text.trim_start().starts_with('{') {
        let mut positions = vec![];
        collect(document(path, &text, REMEDY)?, &mut positions)
            .map_err(|found| PointsReadError::NotPoints { path: path.into(), found })?;
        let number = |(rank, position)| point(path, rank, position);
        (positions.iter().enumerate().map(number).collect::<Result<_, _>>()?, vec![])
    } else {
        csv_points(path, &text)?
    };
    match check(&points) {
        Ok(()) => Ok(points),
        Err(flaw) => {
            let line = match flaw {
                PointsFlaw::NotFinite { point, .. } | PointsFlaw::OutOfRange { point, .. } => {
                    lines.get(point)
                }
                PointsFlaw::Empty | PointsFlaw::TooMany { .. } => None,
            };
            let path = path_text(path);
            let place = line.map_or_else(|| path.to_string(), |line| format!("{path}:{line}"));
            Err(PointsReadError::Flaw { place, flaw })
        }
    }
}

/// The points of a CSV file, and the line of each.
pub(crate) fn csv_points(
    path: &Path,
    text: &str,
) -> Result<(Vec<Point>, Vec<usize>), PointsReadError> {
    let mut named = None;
    // The line of a first record `0,1`, below which stand no other whole numbers so far.
    let mut numbered = None;
    let (mut points, mut lines) = (vec![], vec![]);
    for (rank, record) in input::records(text).enumerate() {
        let record = record.map_err(|source| PointsReadError::Csv { path: path.into(), source })?;
        let (line, fields) = (record.line, &record.fields);
        if rank == 0 {
            named = header::columns(fields).map_err(|source| PointsReadError::Header {
                path: path.into(),
                line,
                source,
            })?;
            if named.is_some() {
                continue;
            }
            numbered = (fields == ["0", "1"].as_slice()).then_some(line);
        } else if let Some(line) = numbered
            && fields.iter().any(|it| it.contains(['.', 'e', 'E']))
        {
            return Err(PointsReadError::Numbered { path: path.into(), line });
        }
        let found = fields.len();
        let [x, y] = match named {
            Some([x, y]) if x.max(y) >= found => {
                let needed = x.max(y) + 1;
                return Err(PointsReadError::Short { path: path.into(), line, found, needed });
            }
            Some(columns) => columns,
            None if found != 2 => {
                return Err(PointsReadError::Columns { path: path.into(), line, found });
            }
            None => [0, 1],
        };
        let coordinate = |column: usize| match fields[column].parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => {
                let field = fields[column].to_owned();
                Err(PointsReadError::Coordinate {
                    path: path.into(),
                    line,
                    column: column + 1,
                    field,
                })
            }
        };
        points.push(Point { x: coordinate(x)?, y: coordinate(y)? });
        lines.push(line);
    }
    Ok((points, lines))
}

/// `remedy` tells what the file should hold.
pub(crate) fn document(
    path: &Path,
    text: &str,
    remedy: &'static str,
) -> Result<GeoJson, PointsReadError> {
    text.parse().map_err(|source| PointsReadError::GeoJson { path: path.into(), source, remedy })
}

/// A position, `rank`-th of its file, without its altitude.
pub(crate) fn point(
    path: &Path,
    rank: usize,
    position: &Position,
) -> Result<Point, PointsReadError> {
    match *position.as_slice() {
        [x, y, ..] => Ok(Point { x, y }),
        ref few => {
            let found = few.len();
            Err(PointsReadError::Position { path: path.into(), position: rank, found })
        }
    }
}

pub(crate) fn geometry_of(feature: Feature) -> Result<Geometry, String> {
    feature.geometry.ok_or_else(|| "a Feature without geometry".into())
}

/// The positions of all points of a document, or what else it holds.
fn collect(document: GeoJson, positions: &mut Vec<Position>) -> Result<(), String> {
    match document {
        GeoJson::Geometry(geometry) => collect_geometry(geometry, positions),
        GeoJson::Feature(feature) => collect_geometry(geometry_of(feature)?, positions),
        GeoJson::FeatureCollection(collection) => collection
            .features
            .into_iter()
            .try_for_each(|feature| collect_geometry(geometry_of(feature)?, positions)),
    }
}

fn collect_geometry(geometry: Geometry, positions: &mut Vec<Position>) -> Result<(), String> {
    match geometry.value {
        GeometryValue::Point { coordinates } => positions.push(coordinates),
        GeometryValue::MultiPoint { coordinates } => positions.extend(coordinates),
        GeometryValue::GeometryCollection { geometries } => {
            return geometries.into_iter().try_for_each(|it| collect_geometry(it, positions));
        }
        other => return Err(format!("a {}", other.type_name())),
    }
    Ok(())
}
