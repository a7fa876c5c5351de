//! The fastest engine: what is certainly inside is dropped at the speed of memory, the rest sorted.

use rayon::prelude::*;

use super::grid::PolygonColumns;
use super::reference::finish;
use super::{IndexedPoint, chains};
use crate::points::{Point, PointsFlaw, check};

/// Fewer points are sorted as they are.
const SMALL: usize = 1 << 12;
/// One of this many points is in the sample.
const STRIDE: usize = 64;
/// Points of the sample by which the borders of the grid are chosen.
const MOST_RANKED: usize = 1 << 12;
/// On either side, one of this many is left outside the grid, so that outliers do not widen it.
const OUTLIERS: usize = 1 << 11;

/// The hull on all cores: the hull of a sample, found in the same way, is cut into columns, one pass
/// drops every point that is certainly inside it, and what is left is filtered again as long as that
/// halves it, and then sorted.
///
/// `simd` filters with the widest vectors that the CPU has. One pass over the points if their hull has
/// few vertices; `O(n log n)` time at worst, the sort in parallel.
pub fn cpu(points: &[Point], simd: bool) -> Vec<u32> {
    let site = |index: u32| IndexedPoint { point: points[index as usize], index };
    finish(candidates(points, simd).into_par_iter().map(site).collect())
}

/// As [`cpu`], of points that nobody has [`check`]ed: most of them are read once. A point that is
/// dropped lies inside the hull of points that are checked, so it is finite and not too large; one
/// that is too small is dropped as safely as any.
///
/// # Errors
/// That of [`check`]. Coordinates that are too small may go unreported where they decide nothing.
pub fn checked(points: &[Point], simd: bool) -> Result<Vec<u32>, PointsFlaw> {
    if points.len() > SMALL && u32::try_from(points.len()).is_ok() {
        let sample = sample(points);
        let grid = check(&sample).ok().and_then(|()| grid(&sample, simd));
        let kept = grid.map(|grid| grid.outside(points, simd)).unwrap_or_default();
        let rest: Vec<Point> = kept.iter().map(|&index| points[index as usize]).collect();
        if check(&rest).is_ok() {
            return Ok(cpu(&rest, simd).into_iter().map(|rank| kept[rank as usize]).collect());
        }
    }
    check(points)?;
    Ok(cpu(points, simd))
}

/// The indices of points among which are all vertices of the hull, the first of their copies.
fn candidates(points: &[Point], simd: bool) -> Vec<u32> {
    let n = points.len();
    let all = || (0..n as u32).collect();
    if n <= SMALL {
        return all();
    }
    let Some(kept) = grid(&sample(points), simd).map(|grid| grid.outside(points, simd)) else {
        return all();
    };
    if kept.len() > n / 2 {
        return kept;
    }
    let rest: Vec<Point> = kept.iter().map(|&index| points[index as usize]).collect();
    candidates(&rest, simd).into_iter().map(|rank| kept[rank as usize]).collect()
}

/// One point of many.
fn sample(points: &[Point]) -> Vec<Point> {
    points.par_iter().step_by(STRIDE).copied().collect()
}

/// The grid of a sample's hull, unless so large a part of the sample are vertices that the same must be
/// feared of all points.
fn grid(sample: &[Point], simd: bool) -> Option<PolygonColumns> {
    let ring: Vec<Point> = cpu(sample, simd).iter().map(|&i| sample[i as usize]).collect();
    if ring.len() > sample.len() / 4 {
        return None;
    }
    let stride = sample.len().div_ceil(MOST_RANKED);
    let mut ranked: Vec<f64> = sample.iter().step_by(stride).map(|p| p.x).collect();
    ranked.sort_unstable_by(f64::total_cmp);
    let outliers = ranked.len() / OUTLIERS;
    PolygonColumns::new(&chains(&ring)?, ranked[outliers], ranked[ranked.len() - 1 - outliers])
}
