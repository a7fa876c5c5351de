//! Whether what anybody found is right: triangulations, Delaunay triangulations, hulls, by exact
//! predicates, with a witness where not.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use robust::{Coord, incircle};
use thiserror::Error;

use crate::greedy::verify::{TriangulationFlaw, planar};
use crate::points::{Point, distinct, lexicographic, orientation};

/// Why a result is wrong; points are numbered from 0, as they are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ResultFlaw {
    /// A number of no point.
    #[error("row {row} names point {point}, but there are {n}, numbered from 0")]
    NoPoint {
        /// The row, from 0.
        row: usize,
        /// What it names.
        point: u32,
        /// Points that there are.
        n: usize,
    },
    /// Edges that are no triangulation.
    #[error(transparent)]
    Triangulation(#[from] TriangulationFlaw),
    /// A triangle that is no face: others lie in it, or its corners are on one line.
    #[error("triangle {triangle:?} is no face: other triangles or points lie in it")]
    NoFace {
        /// As given.
        triangle: [u32; 3],
    },
    /// A triangle that stands there twice.
    #[error("triangle {triangle:?} stands there twice")]
    Twice {
        /// As given.
        triangle: [u32; 3],
    },
    /// A face that is missing.
    #[error("triangle {triangle:?} is missing: its sides are there")]
    Missing {
        /// Its corners, counter-clockwise.
        triangle: [u32; 3],
    },
    /// A triangle with a point in its circle.
    #[error("the circle through triangle {triangle:?} has point {point} inside: not Delaunay")]
    Circle {
        /// Its corners, counter-clockwise.
        triangle: [u32; 3],
        /// The point.
        point: u32,
    },
    /// Three vertices of a hull that do not turn left.
    #[error("vertices {corner:?} of the hull do not turn left")]
    Turn {
        /// As given.
        corner: [u32; 3],
    },
    /// A hull that goes around more than once.
    #[error("the hull goes around more than once, at vertex {vertex}")]
    Round {
        /// Where it does.
        vertex: u32,
    },
    /// A point beyond an edge of a hull.
    #[error("point {point} lies outside the edge from {from} to {to}")]
    Outside {
        /// The point.
        point: u32,
        /// Where the edge begins.
        from: u32,
        /// Where it ends.
        to: u32,
    },
    /// A hull of points on one line that is not its two ends.
    #[error("the hull is that of points on one line: give their ends, {first} and {last}")]
    Line {
        /// One end.
        first: u32,
        /// The other.
        last: u32,
    },
}

/// Points without copies, and a result in their numbers, whichever copy it named.
///
/// # Errors
/// [`ResultFlaw::NoPoint`]
pub fn without_copies<const K: usize>(
    points: &[Point],
    rows: &[[u32; K]],
) -> Result<(Vec<Point>, Vec<[u32; K]>), ResultFlaw> {
    for (row, numbers) in rows.iter().enumerate() {
        named(row, numbers, points.len())?;
    }
    let key = |p: &Point| [p.x + 0.0, p.y + 0.0].map(f64::to_bits);
    let once = distinct(points).points;
    let place: HashMap<[u64; 2], u32> = once.iter().map(key).zip(0..).collect();
    let rows = rows.iter().map(|row| row.map(|it| place[&key(&points[it as usize])])).collect();
    Ok((once, rows))
}

fn named(row: usize, numbers: &[u32], n: usize) -> Result<(), ResultFlaw> {
    match numbers.iter().find(|it| **it as usize >= n) {
        Some(&point) => Err(ResultFlaw::NoPoint { row, point, n }),
        None => Ok(()),
    }
}

/// Proves that edges, in any order and direction, triangulate distinct points; returns the triangles.
/// `O(n log n)` time.
///
/// # Errors
/// A [`ResultFlaw`]; of several, any.
pub fn edges(points: &[Point], edges: &[[u32; 2]]) -> Result<Vec<[u32; 3]>, ResultFlaw> {
    for (row, edge) in edges.iter().enumerate() {
        named(row, edge, points.len())?;
    }
    let edges: Vec<[u32; 2]> = edges.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
    Ok(planar(points, &edges)?)
}

/// Proves that triangles, whichever way they turn, triangulate distinct points. Returns them
/// counter-clockwise. `O(n log n)` time.
///
/// # Errors
/// A [`ResultFlaw`]; of several, any.
pub fn triangles(points: &[Point], triangles: &[[u32; 3]]) -> Result<Vec<[u32; 3]>, ResultFlaw> {
    let mut lines = HashSet::new();
    let mut given: HashMap<[u32; 3], [u32; 3]> = HashMap::new();
    for (row, &triangle) in triangles.iter().enumerate() {
        named(row, &triangle, points.len())?;
        let [a, b, c] = triangle;
        lines.extend([[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]));
        let mut sorted = triangle;
        sorted.sort_unstable();
        if given.insert(sorted, triangle).is_some() {
            return Err(ResultFlaw::Twice { triangle });
        }
    }
    let mut lines: Vec<[u32; 2]> = lines.into_iter().collect();
    lines.sort_unstable();
    let faces = planar(points, &lines)?;
    for &face in &faces {
        let mut sorted = face;
        sorted.sort_unstable();
        if given.remove(&sorted).is_none() {
            return Err(ResultFlaw::Missing { triangle: face });
        }
    }
    match given.into_values().min() {
        Some(triangle) => Err(ResultFlaw::NoFace { triangle }),
        None => Ok(faces),
    }
}

/// Proves that triangles, counter-clockwise and a triangulation, are Delaunay: no circle through one
/// has a corner of a neighbour inside, from which it follows for all points (Delaunay 1934).
///
/// # Errors
/// [`ResultFlaw::Circle`]; of several, any.
pub fn delaunay(points: &[Point], triangles: &[[u32; 3]]) -> Result<(), ResultFlaw> {
    let sides = |&[a, b, c]: &[u32; 3]| [([a, b], c), ([b, c], a), ([c, a], b)];
    let apex: HashMap<[u32; 2], u32> = triangles.iter().flat_map(sides).collect();
    triangles.par_iter().try_for_each(|triangle| {
        for ([a, b], _) in sides(triangle) {
            let Some(&point) = apex.get(&[b, a]) else { continue };
            let at = |it: u32| {
                let Point { x, y } = points[it as usize];
                Coord { x, y }
            };
            let [p, q, r] = triangle.map(at);
            if incircle(p, q, r, at(point)) > 0.0 {
                return Err(ResultFlaw::Circle { triangle: *triangle, point });
            }
        }
        Ok(())
    })
}

/// Proves that vertices are those of the convex hull of points, counter-clockwise from wherever, and
/// no others. `O(n log h)` time.
///
/// # Errors
/// A [`ResultFlaw`]; of several, any.
pub fn hull(points: &[Point], vertices: &[u32]) -> Result<(), ResultFlaw> {
    named(0, vertices, points.len())?;
    let at = |it: u32| points[it as usize];
    let h = vertices.len();
    let all = || 0..points.len() as u32;
    if h < 3 {
        let least = all().min_by(|&a, &b| lexicographic(at(a), at(b))).unwrap_or(0);
        let most = all().max_by(|&a, &b| lexicographic(at(a), at(b))).unwrap_or(0);
        let mut ends: Vec<Point> = vertices.iter().map(|&it| at(it)).collect();
        ends.sort_by(|&a, &b| lexicographic(a, b));
        let off = all().find(|&it| orientation(at(least), at(most), at(it)) != 0.0);
        if let (Some(point), [from, to]) = (off, vertices) {
            return Err(ResultFlaw::Outside { point, from: *from, to: *to });
        }
        let mut expected = vec![at(least), at(most)];
        expected.dedup();
        if ends != expected {
            return Err(ResultFlaw::Line { first: least, last: most });
        }
        return Ok(());
    }
    let mut reversals = 0;
    for rank in 0..h {
        let corner = [0, 1, 2].map(|it| vertices[(rank + it) % h]);
        let [a, b, c] = corner.map(at);
        if orientation(a, b, c) <= 0.0 {
            return Err(ResultFlaw::Turn { corner });
        }
        reversals += usize::from(lexicographic(a, b) != lexicographic(b, c));
        if reversals > 2 {
            return Err(ResultFlaw::Round { vertex: corner[1] });
        }
    }
    // The wedge of the first vertex in which a point lies, by halves; then the edge beyond it.
    let first = at(vertices[0]);
    let outside = |point: u32| {
        let p = at(point);
        let is_left = |it: &u32| orientation(first, at(*it), p) >= 0.0;
        let wedge = vertices[1..].partition_point(is_left).clamp(1, h - 2);
        let edges = [(0, 1), (wedge, wedge + 1), (h - 1, 0)];
        let beyond =
            |&(a, b): &(usize, usize)| orientation(at(vertices[a]), at(vertices[b]), p) < 0.0;
        let (a, b) = edges.into_iter().find(beyond)?;
        Some(ResultFlaw::Outside { point, from: vertices[a], to: vertices[b] })
    };
    match all().into_par_iter().find_map_first(outside) {
        Some(flaw) => Err(flaw),
        None => Ok(()),
    }
}
