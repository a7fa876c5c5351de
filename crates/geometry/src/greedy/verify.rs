//! Whether edges are the greedy triangulation of points: a check that knows nothing of how they were
//! found.

use std::cmp::Ordering;

use rayon::prelude::*;
use thiserror::Error;

use super::conflict::conflict;
use super::line::Line;
use crate::points::{Point, lexicographic, orientation};

/// Why edges are no greedy triangulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TriangulationFlaw {
    /// A pair that is no line between two of the points.
    #[error("edge {edge:?} is no pair of points i < j")]
    NoLine {
        /// As given.
        edge: [u32; 2],
    },
    /// Two neighbours in the list that are out of order, or equal.
    #[error("edge {edge:?} does not come after {previous:?}")]
    Order {
        /// Comes first in the list.
        previous: [u32; 2],
        /// Comes right after it.
        edge: [u32; 2],
    },
    /// All points lie on one line, and an edge passes through one of them.
    #[error("edge {edge:?} joins points on one line that are no neighbours")]
    Gap {
        /// As given.
        edge: [u32; 2],
    },
    /// Too many or too few edges.
    #[error("{found} edges, not {expected}")]
    Count {
        /// As many as were given.
        found: usize,
        /// As many as every triangulation has.
        expected: usize,
    },
    /// A point that no edge ends at.
    #[error("point {point} has no edge")]
    Isolated {
        /// Its number.
        point: u32,
    },
    /// Two edges from one point, one of which covers the other.
    #[error("edges {first:?} and {second:?} run the same way from their common end")]
    Overlap {
        /// One of them.
        first: [u32; 2],
        /// The other.
        second: [u32; 2],
    },
    /// A side of an edge that is neither in a triangle nor outside the hull.
    #[error(
        "on the left from {from} to {to}, there is neither a triangle nor the outside of the hull"
    )]
    Face {
        /// Where the directed edge begins.
        from: u32,
        /// Where it ends.
        to: u32,
    },
    /// An edge that the greedy triangulation would not have: an earlier line crosses it alone.
    #[error("edge {edge:?} could be exchanged for the earlier line {earlier:?}")]
    Diagonal {
        /// As given.
        edge: [u32; 2],
        /// The other diagonal of its two triangles, which is shorter.
        earlier: [u32; 2],
    },
    /// Two edges that cross or overlap.
    #[error("edges {first:?} and {second:?} conflict")]
    Conflict {
        /// As given.
        first: [u32; 2],
        /// As given.
        second: [u32; 2],
    },
    /// A line that could be added, though there are no more edges.
    #[error("line {line:?} is missing: it conflicts with no earlier edge")]
    Missing {
        /// As points i < j.
        line: [u32; 2],
    },
}

/// Proves that edges are a triangulation of distinct points, in the order in which a greedy one has
/// them, with exact predicates. In detail: edges are distinct and sorted by (length², i, j); no two
/// conflict; none can be added; there are 3n − 3 − h of them, h of the n points being on the hull
/// (n − 1 if all points lie on one line); and no edge can be exchanged for an earlier line with
/// which it crosses in the quadrilateral of its two triangles. The last is necessary for a greedy
/// triangulation, not sufficient: [`greedy`] is the whole proof.
///
/// `O(n log n)` time, in parallel.
///
/// That no two conflict follows from local facts (Mehlhorn et al. 1999, *Checking geometric programs
/// or verification of geometric structures*): around each point, edges are sorted by angle, and none
/// coincide; every face is a triangle that turns left, but one, which runs once around a convex
/// polygon. Then the faces around each point cover a neighbourhood of it once, and so all of them
/// together the polygon, once.
///
/// # Errors
/// A [`TriangulationFlaw`]; of several, any.
pub fn triangulation(points: &[Point], edges: &[[u32; 2]]) -> Result<(), TriangulationFlaw> {
    order(points, edges)?;
    let [a, b] = match points {
        [a, b, ..] => [*a, *b],
        _ => return count(edges.len(), 0),
    };
    if points.par_iter().all(|&point| orientation(a, b, point) == 0.0) {
        return path(points, edges);
    }
    let fan = HalfEdges::new(points, edges)?;
    let hull = fan.faces()?;
    count(edges.len(), 3 * points.len() - 3 - hull)?;
    fan.diagonals()
}

/// Proves that edges, in any order, are a triangulation of distinct points, as [`triangulation`] does
/// without what is greedy about it, and returns its triangles, counter-clockwise.
///
/// # Errors
/// A [`TriangulationFlaw`]; of several, any.
pub fn planar(points: &[Point], edges: &[[u32; 2]]) -> Result<Vec<[u32; 3]>, TriangulationFlaw> {
    let is_line = |&[i, j]: &[u32; 2]| i < j && (j as usize) < points.len();
    if let Some(&edge) = edges.iter().find(|edge| !is_line(edge)) {
        return Err(TriangulationFlaw::NoLine { edge });
    }
    let on_line = match points {
        [a, b, ..] => points.par_iter().all(|&point| orientation(*a, *b, point) == 0.0),
        _ => true,
    };
    if on_line {
        path(points, edges)?;
        return Ok(vec![]);
    }
    let fan = HalfEdges::new(points, edges)?;
    let hull = fan.faces()?;
    count(edges.len(), 3 * points.len() - 3 - hull)?;
    let corners = |half: u32| {
        let [second, third] = [fan.next(half), fan.next(fan.next(half))];
        let is_first = half < second && half < third && fan.is_triangle(half);
        is_first.then(|| [half, second, third].map(|it| fan.from(it)))
    };
    Ok((0..fan.next.len() as u32).filter_map(corners).collect())
}

/// Proves that edges are the greedy triangulation, by its definition: they are sorted, no two
/// conflict, and every other line conflicts with an edge before it. `O(n³)` conflict tests.
///
/// # Errors
/// A [`TriangulationFlaw`]; of several, any.
pub fn greedy(points: &[Point], edges: &[[u32; 2]]) -> Result<(), TriangulationFlaw> {
    order(points, edges)?;
    for (rank, &second) in edges.iter().enumerate() {
        if let Some(&first) = edges[..rank].iter().find(|&&it| conflict(points, it, second)) {
            return Err(TriangulationFlaw::Conflict { first, second });
        }
    }
    let n = points.len() as u32;
    let edges: Vec<Line> = edges.iter().map(|&edge| Line::new(points, edge)).collect();
    (0..n).into_par_iter().try_for_each(|i| {
        (i + 1..n).map(|j| Line::new(points, [i, j])).try_for_each(|line| {
            let is_before = |edge: &&Line| edge.compare(&line, points).is_lt();
            let mut before = edges.iter().take_while(is_before);
            let explained = before.any(|edge| conflict(points, edge.ends, line.ends))
                || edges.binary_search_by(|edge| edge.compare(&line, points)).is_ok();
            if explained { Ok(()) } else { Err(TriangulationFlaw::Missing { line: line.ends }) }
        })
    })
}

fn count(found: usize, expected: usize) -> Result<(), TriangulationFlaw> {
    if found == expected { Ok(()) } else { Err(TriangulationFlaw::Count { found, expected }) }
}

/// Edges are lines, each after the one before.
fn order(points: &[Point], edges: &[[u32; 2]]) -> Result<(), TriangulationFlaw> {
    let is_line = |&[i, j]: &[u32; 2]| i < j && (j as usize) < points.len();
    if let Some(&edge) = edges.par_iter().find_first(|edge| !is_line(edge)) {
        return Err(TriangulationFlaw::NoLine { edge });
    }
    let rises = |pair: &&[[u32; 2]]| {
        let [a, b] = [pair[0], pair[1]].map(|edge| Line::new(points, edge));
        a.compare(&b, points).is_lt()
    };
    match edges.par_windows(2).find_first(|pair| !rises(pair)) {
        Some(pair) => Err(TriangulationFlaw::Order { previous: pair[0], edge: pair[1] }),
        None => Ok(()),
    }
}

/// Edges, which are distinct, are the gaps between points on one line.
fn path(points: &[Point], edges: &[[u32; 2]]) -> Result<(), TriangulationFlaw> {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.par_sort_unstable_by(|&a, &b| lexicographic(points[a as usize], points[b as usize]));
    let mut rank = vec![0_u32; points.len()];
    for (&point, place) in order.iter().zip(0..) {
        rank[point as usize] = place;
    }
    let is_gap = |[i, j]: [u32; 2]| rank[i as usize].abs_diff(rank[j as usize]) == 1;
    match edges.iter().find(|&&edge| !is_gap(edge)) {
        Some(&edge) => Err(TriangulationFlaw::Gap { edge }),
        None => count(edges.len(), points.len().saturating_sub(1)),
    }
}

/// Half-edges, two an edge, each from one of its ends; `h` and `h ^ 1` are halves of one.
struct HalfEdges<'a> {
    points: &'a [Point],
    edges: &'a [[u32; 2]],
    /// The next half-edge around the face on the left.
    next: Vec<u32>,
}

impl<'a> HalfEdges<'a> {
    /// Sorts the half-edges around each point by angle.
    fn new(points: &'a [Point], edges: &'a [[u32; 2]]) -> Result<Self, TriangulationFlaw> {
        let fan = Self { points, edges, next: vec![] };
        let mut next = vec![0; 2 * edges.len()];
        let mut around: Vec<u32> = (0..next.len() as u32).collect();
        around.par_sort_unstable_by(|&g, &h| {
            fan.from(g).cmp(&fan.from(h)).then_with(|| fan.compare_angles(g, h))
        });
        let mut point = 0;
        for fan_of_one in around.chunk_by(|&g, &h| fan.from(g) == fan.from(h)) {
            if fan.from(fan_of_one[0]) != point {
                return Err(TriangulationFlaw::Isolated { point });
            }
            point += 1;
            let overlap = |pair: &&[u32]| fan.compare_angles(pair[0], pair[1]).is_eq();
            if let Some(pair) = fan_of_one.windows(2).find(overlap) {
                let [first, second] = [pair[0], pair[1]].map(|half| fan.edges[half as usize / 2]);
                return Err(TriangulationFlaw::Overlap { first, second });
            }
            // Round a face on the left: into the point, and out by the next edge clockwise.
            let last = fan_of_one[fan_of_one.len() - 1];
            let mut clockwise = last;
            for &half in fan_of_one {
                next[half as usize ^ 1] = clockwise;
                clockwise = half;
            }
        }
        if (point as usize) < points.len() {
            return Err(TriangulationFlaw::Isolated { point });
        }
        Ok(Self { next, ..fan })
    }

    fn from(&self, half: u32) -> u32 {
        self.edges[half as usize / 2][half as usize % 2]
    }

    fn next(&self, half: u32) -> u32 {
        self.next[half as usize]
    }

    fn origin(&self, half: u32) -> Point {
        self.points[self.from(half) as usize]
    }

    /// Of half-edges from one point: counter-clockwise, from straight down.
    fn compare_angles(&self, g: u32, h: u32) -> Ordering {
        let [from, a, b] = [g, g ^ 1, h ^ 1].map(|half| self.origin(half));
        // Those to the right first, that is to points which are lexicographically greater.
        let half_turn = |to| lexicographic(from, to).is_gt();
        half_turn(a)
            .cmp(&half_turn(b))
            .then_with(|| 0.0.partial_cmp(&orientation(from, a, b)).unwrap_or(Ordering::Equal))
    }

    /// Whether the face on the left is a triangle that turns left.
    fn is_triangle(&self, half: u32) -> bool {
        let [second, third] = [self.next(half), self.next(self.next(half))];
        let [a, b, c] = [half, second, third].map(|half| self.origin(half));
        self.next(third) == half && orientation(a, b, c) > 0.0
    }

    /// Every face is a triangle that turns left, but one, which runs once around a convex polygon.
    /// Returns the number of its edges.
    fn faces(&self) -> Result<usize, TriangulationFlaw> {
        let outer: Vec<u32> = (0..self.next.len() as u32)
            .into_par_iter()
            .filter(|&half| !self.is_triangle(half))
            .collect();
        let fault =
            |half: u32| TriangulationFlaw::Face { from: self.from(half), to: self.from(half ^ 1) };
        let Some(&first) = outer.first() else {
            return Err(fault(0));
        };
        let (mut half, mut length, mut reversals) = (first, 0, 0);
        loop {
            let next = self.next(half);
            let [a, b, c] = [half, next, next ^ 1].map(|half| self.origin(half));
            let reverses = lexicographic(a, b) != lexicographic(b, c);
            let turn = orientation(a, b, c);
            if turn > 0.0 || turn == 0.0 && reverses || length == outer.len() {
                return Err(fault(half));
            }
            length += 1;
            reversals += usize::from(reverses);
            half = next;
            if half == first {
                break;
            }
        }
        // A convex polygon has one leftmost and one rightmost corner.
        if reversals != 2 || length != outer.len() {
            return Err(fault(first));
        }
        Ok(length)
    }

    /// No edge crosses an earlier line in the convex quadrilateral of its two triangles.
    fn diagonals(&self) -> Result<(), TriangulationFlaw> {
        (0..self.next.len() as u32).into_par_iter().step_by(2).try_for_each(|half| {
            let twin = half ^ 1;
            if !self.is_triangle(half) || !self.is_triangle(twin) {
                return Ok(());
            }
            let [c, d] = [half, twin].map(|half| self.from(self.next(half) ^ 1));
            let edge = self.edges[half as usize / 2];
            let earlier = [c.min(d), c.max(d)];
            let [i, j, c, d] = [edge[0], edge[1], c, d].map(|it| self.points[it as usize]);
            let is_convex = orientation(d, j, c) > 0.0 && orientation(c, i, d) > 0.0;
            let [it, other] = [edge, earlier].map(|ends| Line::new(self.points, ends));
            if is_convex && other.compare(&it, self.points).is_lt() {
                return Err(TriangulationFlaw::Diagonal { edge, earlier });
            }
            Ok(())
        })
    }
}
