//! Which edges of the greedy triangulation of some points are those of more points.
//!
//! Let S' be the points of S in a box, T' and T the greedy triangulations of S' and of S. Go through
//! T' from the least edge on, and call `u` *certain* if
//!
//! 1. no point outside the box is within |u| of `u`, and
//! 2. every line between points in the box that crosses `u` and is less is crossed by a certain edge
//!    that is less still.
//!
//! **Lemma.** Certain edges are in T.
//!
//! *Proof.* Else some line of T conflicts with a certain edge greater than itself; let `f` be the
//! least, and `u` its edge. No point lies within either, so that they cross. By 1, `f` has both ends
//! in the box, as it is no longer than `u` and meets it. By 2, a certain edge `t` less than `f` crosses
//! it. It is not in T, which has `f`; so a line of T less than `t` conflicts with it, and `f` was not
//! the least. ∎
//!
//! In T', every such line is crossed by a lesser edge. That edge meets a line no longer than `u` that
//! meets `u`, so it is within |u| of `u`: where there is no uncertain edge so near, 2 holds, and
//! nothing more is looked at.

use std::collections::HashSet;

use super::candidate::edges;
use super::constrained_delaunay::Mesh;
use super::sites::Sites;
use crate::greedy::line::Line;
use crate::points::{Point, length, orientation};

/// What lies between two corners, its sides included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rectangle {
    pub(super) low: Point,
    pub(super) high: Point,
}

impl Rectangle {
    /// Around some points.
    pub(super) fn around(points: impl IntoIterator<Item = Point>) -> Self {
        let none = Self {
            low: Point { x: f64::INFINITY, y: f64::INFINITY },
            high: Point { x: f64::NEG_INFINITY, y: f64::NEG_INFINITY },
        };
        points.into_iter().fold(none, |Self { low, high }, p| Self {
            low: Point { x: low.x.min(p.x), y: low.y.min(p.y) },
            high: Point { x: high.x.max(p.x), y: high.y.max(p.y) },
        })
    }

    pub(super) fn has(&self, p: Point) -> bool {
        (self.low.x..=self.high.x).contains(&p.x) && (self.low.y..=self.high.y).contains(&p.y)
    }

    /// Whatever lies within a distance, and a little more.
    pub(super) fn widened(&self, by: f64) -> Self {
        Self {
            low: Point { x: self.low.x - by, y: self.low.y - by },
            high: Point { x: self.high.x + by, y: self.high.y + by },
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }

    /// The longer side.
    fn side(&self) -> f64 {
        (self.high.x - self.low.x).max(self.high.y - self.low.y)
    }
}

/// Of each edge of the greedy triangulation of all points in a box, whether it is certain. The box is
/// infinite on sides beyond which there are no points.
pub(super) fn certain(sites: &Sites, mesh: &Mesh, inside: Rectangle) -> Vec<bool> {
    let mut certain = vec![false; mesh.edges() as usize];
    let mut doubts = UncertainEdges::new(Rectangle::around(sites.places.iter().copied()));
    for candidate in edges(sites, mesh, |_| true).iter().rev() {
        let ends = candidate.line.ends;
        // At least the length, and what comparisons of rounded lengths may hide.
        let reach = length(&sites.places, ends) * (1.0 + 1e-9);
        let edge = Rectangle::around(ends.map(|end| sites.places[end as usize]));
        let near = edge.widened(reach);
        let is_far = inside.has(near.low) && inside.has(near.high);
        let is_certain = is_far
            && (!doubts.are_in(near, reach)
                || Neighbourhood { sites, mesh, certain: &certain }.stands(candidate.half, near));
        if is_certain {
            certain[candidate.half as usize / 2] = true;
        } else {
            doubts.add(edge, length(&sites.places, ends));
        }
    }
    certain
}

/// A triangulation of which lesser edges are known to be certain or not.
struct Neighbourhood<'a> {
    sites: &'a Sites,
    mesh: &'a Mesh<'a>,
    certain: &'a [bool],
}

/// Edges near one that are looked at, at most: one that has more is uncertain.
const MOST: usize = 500;

impl Neighbourhood<'_> {
    /// Whether every line that crosses an edge and is less is crossed by a certain edge that is less
    /// still; what may cross it lies `near`.
    fn stands(&self, edge: u32, near: Rectangle) -> bool {
        let Self { sites, mesh, certain } = *self;
        let places = &sites.places;
        let at = |vertex: u32| places[vertex as usize];
        let line = |half: u32| Line::new(places, mesh.ends(half));
        let Some((edges, vertices)) = self.near(edge, near) else { return false };
        let u = line(edge);
        let [a, b] = u.ends.map(at);
        let on = |left: bool| {
            let vertices = vertices.iter().copied();
            vertices.filter(move |&it| {
                let side = orientation(a, b, at(it));
                if left { side > 0.0 } else { side < 0.0 }
            })
        };
        let mut pairs = on(true).flat_map(|c| on(false).map(move |d| [c, d]));
        pairs.all(|ends| {
            let f = Line::new(places, ends);
            sites.compare(&f, &u).is_gt()
                || !cross(ends.map(at), [a, b])
                || edges.iter().any(|&half| {
                    certain[half as usize / 2]
                        && cross(ends.map(at), mesh.ends(half).map(at))
                        && sites.compare(&line(half), &f).is_lt()
                })
        })
    }

    /// The edges and vertices around an edge, by way of the triangles; `None` if they are many.
    fn near(&self, edge: u32, near: Rectangle) -> Option<(Vec<u32>, Vec<u32>)> {
        let (mut edges, mut vertices) = (vec![], vec![]);
        let (mut seen_edges, mut seen_vertices) = (HashSet::new(), HashSet::new());
        let mut beyond = vec![edge, edge ^ 1];
        while let Some(h) = beyond.pop() {
            let next = self.mesh.next(h);
            let apex = self.mesh.to(next);
            let Some(&place) = self.sites.places.get(apex as usize) else { continue };
            if near.has(place) && seen_vertices.insert(apex) {
                vertices.push(apex);
            }
            for side in [next, self.mesh.next(next)] {
                let place = self.mesh.ends(side).map(|end| self.sites.places[end as usize]);
                if near.meets(&Rectangle::around(place)) && seen_edges.insert(side / 2) {
                    edges.push(side);
                    beyond.push(side ^ 1);
                }
            }
            if edges.len() > MOST {
                return None;
            }
        }
        Some((edges, vertices))
    }
}

/// Whether two segments cross each other within both.
fn cross([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let parted = |a, b, c, d| {
        let (c, d) = (orientation(a, b, c), orientation(a, b, d));
        c > 0.0 && d < 0.0 || c < 0.0 && d > 0.0
    };
    let [one, other] = [[a, b], [c, d]].map(Rectangle::around);
    one.meets(&other) && parted(a, b, c, d) && parted(c, d, a, b)
}

/// Where uncertain edges lie, as squares of a grid for each power of two; edges come from the least on.
struct UncertainEdges {
    /// Level k, with squares of side 2^k.
    squares: HashSet<(i32, i64, i64)>,
    /// The first and the last level. On the first one, 64 bits number the squares.
    levels: [i32; 2],
}

/// The levels from that of an edge to one on which few squares are looked at.
const FEW: i32 = 3;

impl UncertainEdges {
    fn new(all: Rectangle) -> Self {
        let far = [all.low.x, all.low.y, all.high.x, all.high.y].map(f64::abs);
        let first = level(far.into_iter().fold(0.0, f64::max)) - 60;
        Self { squares: HashSet::new(), levels: [first, level(all.side()) + 1 + FEW] }
    }

    /// Adds what lies in a box as wide as an edge of some length.
    fn add(&mut self, place: Rectangle, length: f64) {
        let [first, last] = self.levels;
        for level in level(length).max(first)..=last {
            let mut is_new = false;
            for square in squares(place, level) {
                is_new |= self.squares.insert(square);
            }
            if !is_new {
                return; // nor is it on those above
            }
        }
    }

    /// Whether an edge that was added may meet a box around one of some length.
    fn are_in(&self, place: Rectangle, length: f64) -> bool {
        let [first, last] = self.levels;
        let level = level(length).max(first);
        let on = |level| squares(place, level).any(|it| self.squares.contains(&it));
        on((level + FEW).min(last)) && on(level)
    }
}

/// The power of two above a length; it grows with the length.
const fn level(length: f64) -> i32 {
    (length.to_bits() >> 52) as i32 - 1022
}

fn squares(place: Rectangle, level: i32) -> impl Iterator<Item = (i32, i64, i64)> {
    let scale = f64::from(-level).exp2();
    let number = move |c: f64| (c * scale).floor() as i64;
    let Rectangle { low, high } = place;
    (number(low.y)..=number(high.y))
        .flat_map(move |y| (number(low.x)..=number(high.x)).map(move |x| (level, x, y)))
}
