//! Points of the plane: drawing them at random, and comparing them exactly.
//!
//! ```
//! use std::cmp::Ordering;
//!
//! use memory_machine_geometry::points::{Point, compare_lengths, distinct, orientation};
//!
//! let [a, b, c] = [(0.0, 0.0), (3.0, 4.0), (5.0, 0.0)].map(|(x, y)| Point { x, y });
//! assert!(orientation(a, c, b) > 0.0);
//! assert_eq!(compare_lengths([a, b], [a, c]), Ordering::Equal);
//! assert_eq!(distinct(&[c, a, c]).index, [0, 1]);
//! ```

mod order;
pub mod random;
mod segments;

use std::cmp::Ordering;

use rayon::prelude::*;
use robust::{Coord, orient2d};
use thiserror::Error;

pub use order::compare_lengths;
pub use segments::segments_meet;

/// A point of the plane; the unit is the input's own.
#[derive(Debug, Clone, Copy, PartialEq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)] // as a GPU's double2
pub struct Point {
    /// To the right; of geographic points, the longitude.
    pub x: f64,
    /// Upwards; of geographic points, the latitude.
    pub y: f64,
}

/// The least magnitude, 2^−142, of a coordinate that is not 0: no product of four differences of
/// coordinates loses bits to underflow (Shewchuk 1997, *Adaptive precision floating-point
/// arithmetic and fast robust geometric predicates*).
pub const LEAST: f64 = f64::from_bits((1023 - 142) << 52);

/// The greatest magnitude, 2^201, of a coordinate: no product of four differences overflows.
pub const MOST: f64 = f64::from_bits((1023 + 201) << 52);

/// Why points, numbered from 0, cannot be computed with.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum PointsFlaw {
    /// There are none.
    #[error("no points; give at least one")]
    Empty,
    /// More than 32 bits can number.
    #[error("{n} points, but they are numbered in 32 bits; give fewer than 2^32 = 4294967296")]
    TooMany {
        /// As many as were given.
        n: usize,
    },
    /// A coordinate that is infinite or no number.
    #[error("point {point} has coordinate {value}; write a finite number")]
    NotFinite {
        /// Its number, from 0.
        point: usize,
        /// The coordinate.
        value: f64,
    },
    /// A magnitude for which predicates would not be exact.
    #[error(
        "point {point} has coordinate {value:e}, outside 2^-142 … 2^201 (1.8e-43 … 3.2e60), where \
         comparisons are exact; rescale the points"
    )]
    OutOfRange {
        /// Its number, from 0.
        point: usize,
        /// The coordinate.
        value: f64,
    },
}

/// Checks that there are from 1 to 2^32 − 1 points and that every coordinate is 0 or of a magnitude
/// from [`LEAST`] to [`MOST`], so that all predicates are exact. `O(n)` time, in parallel.
///
/// # Errors
/// [`PointsFlaw`] names the first point at fault.
pub fn check(points: &[Point]) -> Result<(), PointsFlaw> {
    match points.len() {
        0 => return Err(PointsFlaw::Empty),
        n if u32::try_from(n).is_err() => return Err(PointsFlaw::TooMany { n }),
        _ => {}
    }
    let safe = |c: f64| c == 0.0 || (LEAST..=MOST).contains(&c.abs());
    let Some(point) = points.par_iter().position_first(|p| !(safe(p.x) && safe(p.y))) else {
        return Ok(());
    };
    let Point { x, y } = points[point];
    let value = if safe(x) { y } else { x };
    Err(match value.is_finite() {
        true => PointsFlaw::OutOfRange { point, value },
        false => PointsFlaw::NotFinite { point, value },
    })
}

/// Positive if `a`, `b`, `c` turn left, negative if right, 0 if they lie on one line; exact.
pub fn orientation(a: Point, b: Point, c: Point) -> f64 {
    let coord = |p: Point| Coord { x: p.x, y: p.y };
    orient2d(coord(a), coord(b), coord(c))
}

/// By `x`, then by `y`; −0 equals 0.
pub fn lexicographic(a: Point, b: Point) -> Ordering {
    // Finite coordinates only; `total_cmp` would part 0 from −0.
    (a.x, a.y).partial_cmp(&(b.x, b.y)).unwrap_or(Ordering::Equal)
}

/// The length of an edge between two of `points`, rounded.
pub fn length(points: &[Point], [i, j]: [u32; 2]) -> f64 {
    let [p, q] = [i, j].map(|it| points[it as usize]);
    (p.x - q.x).hypot(p.y - q.y)
}

/// The sum of edges' lengths, in their order; 0 of none, where `sum` gives −0.
pub fn total_length(points: &[Point], edges: &[[u32; 2]]) -> f64 {
    edges.iter().fold(0.0, |total, &edge| total + length(points, edge))
}

/// Points without their copies.
#[derive(Debug, Clone, PartialEq)]
pub struct Distinct {
    /// In the order of the input.
    pub points: Vec<Point>,
    /// `points[i]` is point `index[i]` of the input, the first of its copies.
    pub index: Vec<u32>,
}

/// Keeps, of repeated points, the one of smallest index; −0 equals 0. `O(n log n)` time, in
/// parallel.
///
/// # Panics
/// If there are 2^32 points or more, which [`check`] refuses.
pub fn distinct(points: &[Point]) -> Distinct {
    assert!(u32::try_from(points.len()).is_ok(), "points are numbered in 32 bits");
    let mut sorted: Vec<(Point, u32)> =
        points.par_iter().enumerate().map(|(i, &p)| (p, i as u32)).collect();
    sorted.par_sort_unstable_by(|(p, i), (q, j)| lexicographic(*p, *q).then(i.cmp(j)));
    sorted.dedup_by_key(|(p, _)| *p);
    let mut index: Vec<u32> = sorted.into_iter().map(|(_, i)| i).collect();
    index.par_sort_unstable();
    Distinct { points: index.iter().map(|&i| points[i as usize]).collect(), index }
}
