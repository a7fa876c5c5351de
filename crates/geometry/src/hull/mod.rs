//! Convex hulls of points of the plane: the iterative quickhull of Srikanth, Reddy, Kothapalli,
//! Govindarajulu and Narayanan (*Parallelizing Two Dimensional Convex Hull on NVIDIA GPU and Cell
//! BE*), corrected, and what is faster.
//!
//! Every engine returns the same: the indices of the vertices, counter-clockwise from the lowest, of
//! those the leftmost point. Only strict vertices count, no points inside an edge; of repeated
//! points, the smallest index. One distinct point is a hull of its own, and points on one line have
//! the two ends. No points have no hull: the result is empty. Coordinates must be such as
//! [`check`](super::points::check) allows; then hulls are exact, for every sign that decides is.
//!
//! ```
//! use memory_machine_geometry::hull;
//! use memory_machine_geometry::points::Point;
//!
//! let corners = [(0.0, 2.0), (1.0, 1.0), (0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (1.0, 0.0)];
//! let points = corners.map(|(x, y)| Point { x, y });
//! assert_eq!(hull::cpu(&points, true), [2, 4, 3, 0]);
//! assert_eq!(hull::sequential(&points), [2, 4, 3, 0]);
//! assert_eq!(hull::workers(&points, 2, true), [2, 4, 3, 0]);
//! ```

mod cpu;
// For the filter on the GPU.
#[doc(hidden)]
pub mod grid;
mod quickhull_chains;
pub mod reference;
mod sequential;
mod simd;
mod workers;

use crate::points::{Point, lexicographic, orientation};

pub use cpu::{checked, cpu};
pub use sequential::sequential;
pub use workers::{workers, workers_prefetch};

/// A point of the input, with its index there.
#[derive(Debug, Clone, Copy)]
pub struct IndexedPoint {
    /// Where it lies.
    pub point: Point,
    /// Its number in the input, from 0.
    pub index: u32,
}

/// A number that orders points as [`lexicographic`] does: by `x`, then by `y`, −0 as 0. It is
/// compared without a branch.
fn place(Point { x, y }: Point) -> u128 {
    // Negative numbers are ordered by their bits the other way round.
    let ordered = |c: f64| match (c + 0.0).to_bits() {
        bits if bits >> 63 == 1 => !bits,
        bits => bits | 1 << 63,
    };
    u128::from(ordered(x)) << 64 | u128::from(ordered(y))
}

/// The first and the last of some sites by [`place`], of repeated points the smallest index.
fn ends(mut sites: impl Iterator<Item = IndexedPoint>) -> Option<[IndexedPoint; 2]> {
    let first = sites.next()?;
    Some(sites.fold([first, first], |[mut min, mut max], site| {
        // Most sites are neither by their x alone.
        if site.point.x <= min.point.x {
            min = std::cmp::min_by_key(min, site, |it| (place(it.point), it.index));
        }
        if site.point.x >= max.point.x {
            max = std::cmp::min_by_key(max, site, |it| (!place(it.point), it.index));
        }
        [min, max]
    }))
}

/// The strict left turns among `sites`, which run around the hull, from one end to the other of the
/// lower or of the upper chain (Andrew 1979). `O(n)` time.
fn left_turns(sites: impl Iterator<Item = IndexedPoint>) -> Vec<IndexedPoint> {
    let mut chain: Vec<IndexedPoint> = vec![];
    for site in sites {
        while let [.., a, b] = chain.as_slice()
            && orientation(a.point, b.point, site.point) <= 0.0
        {
            chain.pop();
        }
        chain.push(site);
    }
    chain
}

/// The vertices in the order that is promised. `lower` runs from the leftmost to the rightmost
/// vertex, `upper` back; of a single point, each has this one.
fn ring(lower: &[IndexedPoint], upper: &[IndexedPoint]) -> Vec<u32> {
    let open = |chain: &[IndexedPoint]| chain[..chain.len().saturating_sub(1)].to_vec();
    let mut vertices = [open(lower), open(upper)].concat();
    if vertices.is_empty() {
        vertices.extend(lower.first());
    }
    let from_below = |p: Point| Point { x: p.y, y: p.x };
    let lowest = (0..vertices.len()).min_by(|&i, &j| {
        lexicographic(from_below(vertices[i].point), from_below(vertices[j].point))
    });
    vertices.rotate_left(lowest.unwrap_or(0));
    vertices.iter().map(|site| site.index).collect()
}

/// The lower and the upper chain of a polygon with strict vertices `ring`, counter-clockwise; each
/// runs from left to right, without vertical edges. `None` if the polygon has no area.
pub fn chains(ring: &[Point]) -> Option<[Vec<Point>; 2]> {
    let n = ring.len();
    if n < 3 {
        return None;
    }
    let order = |&i: &usize, &j: &usize| lexicographic(ring[i], ring[j]);
    let (first, last) = ((0..n).min_by(order)?, (0..n).max_by(order)?);
    let walk = |from: usize, to: usize| -> Vec<Point> {
        (from..=if to < from { to + n } else { to }).map(|at| ring[at % n]).collect()
    };
    let (mut lower, mut upper) = (walk(first, last), walk(last, first));
    upper.reverse();
    if let [.., a, b] = *lower
        && a.x == b.x
    {
        lower.pop();
    }
    if upper[0].x == upper[1].x {
        upper.remove(0);
    }
    Some([lower, upper])
}
