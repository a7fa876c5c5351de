//! Whether a ring of vertices is a simple polygon.

use super::{Point, PolygonFlaw, lexicographic, orientation};
use crate::points::segments_meet;

/// Sums of these stay finite in `f32`, and no product of the exact predicates overflows.
const LARGEST: f64 = 1e30;
/// The last bits of two such numbers still have a product that does not underflow.
const SMALLEST: f64 = 1e-120;

/// Checks the open ring `vertices`, cheapest flaws first.
pub(super) fn check(vertices: &[Point]) -> Result<(), PolygonFlaw> {
    coordinates(vertices)?;
    distinct(vertices)?;
    if vertices.len() < 3 {
        return Err(PolygonFlaw::TooFew { n: vertices.len() });
    }
    let (a, b) = (vertices[0], vertices[1]);
    if vertices.iter().all(|&v| orientation(a, b, v) == 0.0) {
        return Err(PolygonFlaw::NoArea);
    }
    folds(vertices)?;
    crossings(vertices)
}

fn coordinates(vertices: &[Point]) -> Result<(), PolygonFlaw> {
    for (vertex, point) in vertices.iter().enumerate() {
        for value in [point.x, point.y] {
            if !value.is_finite() {
                return Err(PolygonFlaw::NotFinite { vertex, value });
            }
            if value != 0.0 && !(SMALLEST..=LARGEST).contains(&value.abs()) {
                return Err(PolygonFlaw::OutOfRange { vertex, value });
            }
        }
    }
    Ok(())
}

fn distinct(vertices: &[Point]) -> Result<(), PolygonFlaw> {
    let mut sorted: Vec<usize> = (0..vertices.len()).collect();
    sorted.sort_by(|&i, &j| lexicographic(vertices[i], vertices[j]).then(i.cmp(&j)));
    for pair in sorted.windows(2) {
        if vertices[pair[0]] == vertices[pair[1]] {
            return Err(PolygonFlaw::Repeated { first: pair[0], second: pair[1] });
        }
    }
    Ok(())
}

/// Neighbouring edges must not run back over each other.
fn folds(vertices: &[Point]) -> Result<(), PolygonFlaw> {
    let n = vertices.len();
    for first in 0..n {
        let second = (first + 1) % n;
        let (a, b, c) = (vertices[first], vertices[second], vertices[(first + 2) % n]);
        if orientation(a, b, c) == 0.0 && lexicographic(b, a) == lexicographic(b, c) {
            return Err(PolygonFlaw::Crossing { first, second });
        }
    }
    Ok(())
}

/// An edge, with the box around it.
struct Edge {
    index: usize,
    low: Point,
    high: Point,
}

/// Edges that are no neighbours must not meet. Edges are met from left to right, and each is
/// compared with those that begin before it ends.
fn crossings(vertices: &[Point]) -> Result<(), PolygonFlaw> {
    let n = vertices.len();
    let mut edges: Vec<Edge> = (0..n)
        .map(|index| {
            let (a, b) = (vertices[index], vertices[(index + 1) % n]);
            Edge {
                index,
                low: Point { x: a.x.min(b.x), y: a.y.min(b.y) },
                high: Point { x: a.x.max(b.x), y: a.y.max(b.y) },
            }
        })
        .collect();
    edges.sort_by(|e, f| lexicographic(e.low, f.low));
    for (rank, e) in edges.iter().enumerate() {
        let began = edges[rank + 1..].iter().take_while(|f| f.low.x <= e.high.x);
        for f in began.filter(|f| f.low.y <= e.high.y && e.low.y <= f.high.y) {
            let apart = e.index.abs_diff(f.index);
            if apart == 1 || apart == n - 1 {
                continue;
            }
            let [a, b] = [vertices[e.index], vertices[(e.index + 1) % n]];
            let [c, d] = [vertices[f.index], vertices[(f.index + 1) % n]];
            if segments_meet(a, b, c, d) {
                return Err(PolygonFlaw::Crossing {
                    first: e.index.min(f.index),
                    second: e.index.max(f.index),
                });
            }
        }
    }
    Ok(())
}
