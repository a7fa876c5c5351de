//! `umm plot pipeline`: points, their hull, the hull triangulated optimally, all of them greedily.

use super::{MOST_VERTICES, Plot};
use crate::algorithms::points::{self, Point};
use crate::algorithms::polygon::{Polygon, chords};
use crate::algorithms::{greedy, hull, opt};
use crate::chart::Scene;
use crate::chart::points::{Pipeline, pipeline};
use crate::cli::Failure;
use crate::cli::point_set::{Loaded, title};

/// Points of a picture; more would be a page of ink.
const MOST_POINTS: usize = 1_000_000;
/// Memory a point, about.
const BYTES: u64 = 300;

pub(super) fn scene(plot: &Plot) -> Result<Scene, Failure> {
    let [path] = &plot.samples[..] else {
        return Err(Failure::input("name one file of points, CSV or GeoJSON, or random"));
    };
    let Loaded { points, drawn } = plot.random.load(path, BYTES)?;
    let points = points::distinct(&points).points;
    if points.len() > MOST_POINTS {
        return Err(Failure::input(format_args!(
            "{} points, and at most {MOST_POINTS} are drawn here; use `umm hull --draw` or `umm \
             greedy --draw`",
            points.len()
        )));
    }
    let hull = hull::cpu(&points, true);
    if hull.len() > MOST_VERTICES {
        return Err(Failure::input(format_args!(
            "the hull has {} vertices, and at most {MOST_VERTICES} are triangulated here; give \
             fewer points, or others than on a circle",
            hull.len()
        )));
    }
    let (chords, weight) = triangulated(hull.iter().map(|&it| points[it as usize]).collect())?;
    let edges = greedy::fast::triangulate(&points);
    let name = match (&plot.title, drawn) {
        (Some(title), _) => title.clone(),
        (None, drawn) => title(path, drawn),
    };
    let (points, hull, chords, edges) = (&points[..], &hull[..], &chords[..], &edges[..]);
    pipeline(Pipeline { name: &name, points, hull, chords, weight, edges }, plot.theme())
        .map_err(Failure::input)
}

/// The chords of an optimal triangulation of a convex polygon and their total length; none of fewer
/// than four vertices.
fn triangulated(corners: Vec<Point>) -> Result<(Vec<opt::Chord>, f64), Failure> {
    if corners.len() < 4 {
        return Ok((vec![], 0.0));
    }
    let polygon = Polygon::new(corners).map_err(Failure::input)?;
    let weights = chords::weights::<f64>(&polygon).map_err(Failure::input)?;
    let table = opt::solve(&weights, &|_| ());
    let chords = opt::triangulation::recover_from(&weights, |a, b| table.get(a, b));
    Ok((chords.map_err(Failure::run)?, table.get(0, polygon.n() - 1)))
}
