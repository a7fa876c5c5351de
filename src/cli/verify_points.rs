//! `umm verify-points`

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::support::Failure;
use super::support::files;
use super::support::layer_options::{LayerOptions, tell};
use super::support::numbers::grouped;
use crate::algorithms::matrix::Matrix;
use crate::algorithms::npy;
use crate::algorithms::points::Point;
use crate::algorithms::verify::{self, ResultFlaw};
use crate::host::files::{ends, path_text};

/// Check a triangulation or a hull of points, whoever made it
///
/// By exact predicates, in O(n log n): edges or triangles, in any order, cut the convex hull of all
/// points into triangles, none of which overlap; with --delaunay, no circle of one has a point
/// inside; a hull is strictly convex, counter-clockwise, and has all points. What is wrong has a
/// witness. Points are numbered from 0.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm verify-points tests/data/layers/kite.csv --triangles tests/data/layers/kite-triangles.csv
  umm verify-points tests/data/layers/kite.csv --hull tests/data/layers/kite-hull.csv --json")]
#[command(group(clap::ArgGroup::new("what").required(true).args(["edges", "triangles", "hull"])))]
pub(super) struct VerifyPoints {
    /// Points, as for `umm hull`
    points: PathBuf,
    /// Edges: two numbers of points a line, other columns after them (.csv, .npy)
    #[arg(long, value_name = "FILE")]
    edges: Option<PathBuf>,
    /// Triangles: three numbers of points a line (.csv, .npy)
    #[arg(long, value_name = "FILE")]
    triangles: Option<PathBuf>,
    /// The hull's vertices: a number of a point a line (.csv, .npy)
    #[arg(long, value_name = "FILE")]
    hull: Option<PathBuf>,
    /// Check that the triangulation is Delaunay, too
    #[arg(long, conflicts_with = "hull")]
    delaunay: bool,
    #[command(flatten)]
    layer: LayerOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    points: usize,
    /// Rows of the result.
    rows: usize,
    what: &'static str,
    is_right: bool,
    witness: Option<String>,
}

impl VerifyPoints {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let layer = self.layer.read(&self.points)?;
        tell(&layer.notes, self.json);
        let points = layer.points(&self.points).map_err(Failure::input)?;
        let (rows, what, done) = if let Some(path) = &self.edges {
            let edges = numbers::<2>(path)?;
            let found = verify::without_copies(&points, &edges)
                .and_then(|(points, edges)| Ok((verify::edges(&points, &edges)?, points)));
            (edges.len(), "edges", self.and_delaunay(found))
        } else if let Some(path) = &self.triangles {
            let triangles = numbers::<3>(path)?;
            let found = verify::without_copies(&points, &triangles)
                .and_then(|(points, rows)| Ok((verify::triangles(&points, &rows)?, points)));
            (triangles.len(), "triangles", self.and_delaunay(found))
        } else {
            let path = self.hull.as_deref().unwrap_or(Path::new("-"));
            let vertices = numbers::<1>(path)?;
            (vertices.len(), "vertices", verify::hull(&points, vertices.as_flattened()))
        };
        let witness = done.err().map(|it| it.to_string());
        let report =
            Report { points: points.len(), rows, what, is_right: witness.is_none(), witness };
        if self.json {
            files::print_json(&report)?;
        } else if report.is_right {
            let claim = match what {
                "vertices" => "the convex hull",
                _ if self.delaunay => "a Delaunay triangulation",
                _ => "a triangulation",
            };
            let (n, rows) = (grouped(report.points as u128), grouped(rows as u128));
            files::print(&format!("right: {rows} {what} are {claim} of {n} points\n"))?;
        }
        match report.witness {
            None => Ok(()),
            Some(witness) => Err(Failure::run(format_args!("wrong: {witness}"))),
        }
    }

    fn and_delaunay(&self, found: Result<Found, ResultFlaw>) -> Result<(), ResultFlaw> {
        let (triangles, points) = found?;
        if self.delaunay { verify::delaunay(&points, &triangles) } else { Ok(()) }
    }
}

/// Triangles, and the points that they name.
type Found = (Vec<[u32; 3]>, Vec<Point>);

/// Rows of numbers of points, below a header or not; columns after them are not read.
fn numbers<const K: usize>(path: &Path) -> Result<Vec<[u32; K]>, Failure> {
    if ends(path, "npy") {
        let number = |it: &str| it.parse::<u32>().map_err(|_| NO_NUMBER.to_owned());
        let matrix = npy::read(path, number).map_err(Failure::input)?;
        return rows(path, &matrix, 0);
    }
    // A header is no number, and so is any length that stands in a later column.
    let field = |it: &str| Ok(it.parse::<u32>().ok());
    let matrix = Matrix::read(path, field).map_err(Failure::input)?;
    let has_header =
        matrix.rows > 0 && matrix.numbers.iter().take(matrix.columns).all(Option::is_none);
    let first = usize::from(has_header);
    let wanted = matrix.columns.min(K);
    for row in first..matrix.rows {
        let fields = &matrix.numbers[row * matrix.columns..][..wanted];
        if fields.iter().any(Option::is_none) {
            let line = matrix.line(row);
            return Err(Failure::input(format_args!(
                "{}:{line}: a field {NO_NUMBER}",
                path_text(path)
            )));
        }
    }
    let plain = Matrix::new(
        matrix.columns,
        matrix.numbers.into_iter().map(Option::unwrap_or_default).collect(),
    );
    rows(path, &plain, first)
}

const NO_NUMBER: &str = "is no number of a point; write a whole number from 0";

fn rows<const K: usize>(
    path: &Path,
    matrix: &Matrix<u32>,
    first: usize,
) -> Result<Vec<[u32; K]>, Failure> {
    if matrix.columns < K {
        return Err(Failure::input(format_args!(
            "{}: {} columns, but {K} are needed; write the numbers of {K} points a line",
            path_text(path),
            matrix.columns
        )));
    }
    let row = |it: &[u32]| std::array::from_fn(|k| it[k]);
    Ok(matrix.numbers.chunks_exact(matrix.columns).skip(first).map(row).collect())
}
