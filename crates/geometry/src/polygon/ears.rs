//! Some triangulation of a simple polygon, as a map to look through the polygon with.

use std::collections::VecDeque;

use super::{Point, Polygon, orientation};

/// No half-edge: what lies beyond a polygon edge.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// The `n − 2` triangles of a triangulation, counter-clockwise, as half-edges: triangle `t` has
/// half-edges `3t`, `3t + 1`, `3t + 2`, each running from its own corner to the next one's.
pub(super) struct EarTriangles {
    /// The vertex from which each half-edge runs.
    pub(super) corner: Vec<u32>,
    /// The half-edge that runs the other way in the neighbouring triangle, or [`OUTSIDE`].
    pub(super) twin: Vec<u32>,
    /// For each vertex, the half-edge that leaves it along the boundary, counter-clockwise.
    pub(super) boundary: Vec<u32>,
}

/// The half-edge after `half` in its triangle.
pub(super) const fn after(half: u32) -> u32 {
    if half % 3 == 2 { half - 2 } else { half + 1 }
}

/// The half-edge before `half` in its triangle.
pub(super) const fn before(half: u32) -> u32 {
    if half.is_multiple_of(3) { half + 2 } else { half - 1 }
}

/// What is left of the polygon, counter-clockwise, as a doubly linked list.
struct PolygonRing<'a> {
    vertices: &'a [Point],
    next: Vec<usize>,
    previous: Vec<usize>,
    /// The half-edge of a cut-off triangle that faces the edge from each vertex to the next.
    facing: Vec<u32>,
}

/// Cuts off one ear after another (Meisters 1975).
///
/// Cutting an ear changes at most whether its two neighbours are ears, so each cut leads to two
/// more tests of `O(n)`: `O(n²)` time in all.
pub(super) fn triangulate(polygon: &Polygon) -> EarTriangles {
    let n = polygon.n();
    let mut next: Vec<usize> = (0..n).map(|v| (v + 1) % n).collect();
    let mut previous: Vec<usize> = (0..n).map(|v| (v + n - 1) % n).collect();
    if !polygon.is_counter_clockwise() {
        std::mem::swap(&mut next, &mut previous);
    }
    let mut rest =
        PolygonRing { vertices: polygon.vertices(), next, previous, facing: vec![OUTSIDE; n] };
    let mut mesh = EarTriangles {
        corner: Vec::with_capacity(3 * (n - 2)),
        twin: Vec::with_capacity(3 * (n - 2)),
        boundary: vec![OUTSIDE; n],
    };
    let mut candidates: VecDeque<usize> = (0..n).collect();
    let mut cut = vec![false; n];
    for _ in 3..n {
        let ear = loop {
            let v = candidates
                .pop_front()
                .expect("a simple polygon of more than three vertices has two ears");
            if !cut[v] && rest.is_ear(v) {
                break v;
            }
        };
        cut[ear] = true;
        let base = mesh.add(&rest, ear);
        let (u, w) = (rest.previous[ear], rest.next[ear]);
        rest.next[u] = w;
        rest.previous[w] = u;
        rest.facing[u] = base;
        candidates.extend([u, w]);
    }
    if let Some(last) = cut.iter().position(|&cut| !cut) {
        let base = mesh.add(&rest, last);
        mesh.join(base, rest.facing[rest.next[last]], rest.next[last]);
    }
    mesh
}

impl EarTriangles {
    /// Adds the triangle of `v` and its neighbours, joined along both edges at `v`; returns the
    /// half-edge opposite `v`.
    fn add(&mut self, rest: &PolygonRing, v: usize) -> u32 {
        let (u, w) = (rest.previous[v], rest.next[v]);
        let first = index(self.corner.len());
        self.corner.extend([index(u), index(v), index(w)]);
        self.twin.extend([OUTSIDE; 3]);
        self.join(first, rest.facing[u], u);
        self.join(first + 1, rest.facing[v], v);
        first + 2
    }

    /// Joins `half`, which leaves vertex `v`, to what it faces.
    fn join(&mut self, half: u32, facing: u32, v: usize) {
        self.twin[half as usize] = facing;
        if facing == OUTSIDE {
            self.boundary[v] = half;
        } else {
            self.twin[facing as usize] = half;
        }
    }
}

impl PolygonRing<'_> {
    /// Whether `v` is a strictly convex corner whose triangle holds no other vertex, not even on
    /// its border.
    fn is_ear(&self, v: usize) -> bool {
        let (before, after) = (self.previous[v], self.next[v]);
        let [a, b, c] = [before, v, after].map(|i| self.vertices[i]);
        if orientation(a, b, c) <= 0.0 {
            return false;
        }
        let (left, right) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
        let (low, high) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        let mut other = self.next[after];
        while other != before {
            let p = self.vertices[other];
            if (left..=right).contains(&p.x)
                && (low..=high).contains(&p.y)
                && orientation(a, b, p) >= 0.0
                && orientation(b, c, p) >= 0.0
                && orientation(c, a, p) >= 0.0
            {
                return false;
            }
            other = self.next[other];
        }
        true
    }
}

/// Vertices and half-edges are kept in 32 bits: [`super::chords::MOST_VERTICES`] sees to it.
fn index(i: usize) -> u32 {
    i as u32
}
