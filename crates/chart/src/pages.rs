//! Points, and all that is made of them, computed and drawn.

use super::ChartError;
use super::points::{Triangulations, pipeline};
use super::scene::Scene;
use super::theme::Theme;
use memory_machine_geometry::points::{Point, distinct};
use memory_machine_geometry::polygon::{Polygon, chords};
use memory_machine_geometry::{greedy, hull, opt};

/// Corners of a hull; more take their time, of which `umm opt solve` tells.
const MOST_VERTICES: usize = 4096;
/// Points of a picture; more would be a page of ink.
const MOST_POINTS: usize = 1_000_000;

/// The page of [`pipeline`] of points: their convex hull, its optimal triangulation, and their greedy
/// one.
///
/// # Errors
/// [`ChartError`] without points, with too many, or if coordinates cannot be compared exactly.
pub fn triangulate(points: &[Point], name: &str, theme: Theme) -> Result<Scene, ChartError> {
    let all = points.len();
    let points = distinct(points).points;
    if points.len() > MOST_POINTS {
        return Err(ChartError::Data(format!(
            "{} points, and at most {MOST_POINTS} are drawn here; use `umm hull --draw` or `umm \
             greedy --draw`",
            points.len()
        )));
    }
    let hull = hull::cpu(&points, true);
    if hull.len() > MOST_VERTICES {
        return Err(ChartError::Data(format!(
            "the hull has {} vertices, and at most {MOST_VERTICES} are triangulated here; give \
             fewer points, or others than on a circle",
            hull.len()
        )));
    }
    let (chords, weight) = triangulated(hull.iter().map(|&it| points[it as usize]).collect())?;
    let edges = greedy::fast::triangulate(&points);
    let (repeated, points) = (all - points.len(), &points[..]);
    let (hull, chords, edges) = (&hull[..], &chords[..], &edges[..]);
    pipeline(Triangulations { name, points, repeated, hull, chords, weight, edges }, theme)
}

fn drawing_error(error: impl std::fmt::Display) -> ChartError {
    ChartError::Data(error.to_string())
}

/// The chords of an optimal triangulation of a convex polygon and their total length; none of fewer
/// than four vertices.
fn triangulated(corners: Vec<Point>) -> Result<(Vec<opt::Chord>, f64), ChartError> {
    if corners.len() < 4 {
        return Ok((vec![], 0.0));
    }
    let polygon = Polygon::new(corners).map_err(drawing_error)?;
    let weights = chords::weights::<f64>(&polygon).map_err(drawing_error)?;
    let table = opt::solve(&weights, &|_| ());
    let chords = opt::triangulation::recover_from(&weights, |a, b| table.get(a, b));
    Ok((chords.map_err(drawing_error)?, table.get(0, polygon.n() - 1)))
}
