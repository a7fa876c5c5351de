//! The Delaunay triangulation to start from, by divide and conquer (Guibas and Stolfi 1985,
//! *Primitives for the manipulation of general subdivisions and the computation of Voronoi
//! diagrams*), with cuts by turns across `x` and across `y` (Dwyer 1987).
//!
//! Whatever the points, `O(n log n)` predicates; all are exact. The two sides of a cut are
//! triangulated in parallel: a part of k points owns the places of 3k edges, and a planar graph has
//! fewer. What is near in the plane so is near in memory.

use std::cmp::Ordering;

use rayon::join;

use super::constrained_delaunay::{self, incircle};
use super::sites::Sites;
use crate::points::{Point, lexicographic, orientation};

/// A half-edge; the other half of `h` is `h ^ 1`. `previous` and `next` are around the face on its
/// left.
#[derive(Clone, Copy)]
struct Half {
    origin: u32,
    next: u32,
    previous: u32,
}

/// A point and its number in the input.
#[derive(Clone, Copy)]
struct Site {
    place: Point,
    index: u32,
}

/// The Delaunay triangulation of distinct points as halves of a [`constrained_delaunay::Mesh`], or `None` if all
/// points lie on one line.
pub(super) fn delaunay(points: &[Point]) -> Option<(Sites, Vec<constrained_delaunay::Half>)> {
    let n = points.len();
    if n < 3 {
        return None;
    }
    let mut sites: Vec<Site> =
        points.iter().zip(0..).map(|(&place, index)| Site { place, index }).collect();
    let mut halves = vec![Half { origin: 0, next: 0, previous: 0 }; 6 * n];
    let part = PartialTriangulation::new(&mut sites, &mut halves, 0, Axis::X);
    let (outer, free) = (part.outer, part.free);
    if free.len() + n - 1 == 3 * n {
        return None; // a path
    }
    let mut finished: Vec<constrained_delaunay::Half> =
        halves.iter().map(|half| constrained_delaunay::Half::new(half.origin, half.next)).collect();
    // Outside, clockwise around the hull: v_k → v_k+1, v_k+1 → infinity, infinity → v_k. There is
    // room for edges to infinity: of 3n places, 3n − 3 − h are taken.
    let infinity = n as u32;
    let (mut edge, mut spoke) = (outer, 2 * free[0]);
    let first = spoke;
    let mut rest = free[1..].iter();
    loop {
        let next = halves[edge as usize].next;
        let next_spoke = if next == outer { first } else { 2 * rest.next()? };
        finished[edge as usize].next = next_spoke;
        finished[next_spoke as usize] =
            constrained_delaunay::Half::new(halves[next as usize].origin, spoke ^ 1);
        finished[spoke as usize ^ 1] = constrained_delaunay::Half::new(infinity, edge);
        (edge, spoke) = (next, next_spoke);
        if edge == outer {
            break;
        }
    }
    // The places of three edges are left.
    for &edge in rest {
        for half in [2 * edge, 2 * edge + 1] {
            finished[half as usize] = constrained_delaunay::Half::new(infinity, half);
        }
    }
    let places = sites.iter().map(|site| site.place).collect();
    let index = sites.iter().map(|site| site.index).collect();
    Some((Sites { places, index }, finished))
}

/// Across what points are cut in two.
#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
}

impl Axis {
    const fn other(self) -> Self {
        match self {
            Self::X => Self::Y,
            Self::Y => Self::X,
        }
    }

    /// From left to right, then upwards; or so after a quarter turn clockwise, with y for x.
    fn compare(self, a: Point, b: Point) -> Ordering {
        match self {
            Self::X => lexicographic(a, b),
            Self::Y => lexicographic(Point { x: a.y, y: -a.x }, Point { x: b.y, y: -b.x }),
        }
    }
}

/// The Delaunay triangulation of some of the points.
struct PartialTriangulation<'a> {
    sites: &'a mut [Site],
    /// Those of the edges from `3 · first`.
    halves: &'a mut [Half],
    /// The vertex that is the first of `sites`.
    first: u32,
    /// Edges that are not there.
    free: Vec<u32>,
    /// A half-edge with the outside on its left.
    outer: u32,
}

/// Parts of fewer points are not worth a thread.
const SEQUENTIAL_POINTS: usize = 1 << 12;

impl<'a> PartialTriangulation<'a> {
    /// Triangulates at least two sites, and brings them into the order of the vertices.
    fn new(sites: &'a mut [Site], halves: &'a mut [Half], first: u32, axis: Axis) -> Self {
        let n = sites.len();
        if n <= 3 {
            return Self::leaf(sites, halves, first);
        }
        let middle = n / 2;
        sites.select_nth_unstable_by(middle, |a, b| axis.compare(a.place, b.place));
        let (left_sites, right_sites) = sites.split_at_mut(middle);
        let (left_halves, right_halves) = halves.split_at_mut(6 * middle);
        let next = first + middle as u32;
        let part = |sites, halves, first| {
            let part = PartialTriangulation::new(sites, halves, first, axis.other());
            (part.free, part.outer)
        };
        let ((mut free, left), (others, right)) = if n < SEQUENTIAL_POINTS {
            (part(left_sites, left_halves, first), part(right_sites, right_halves, next))
        } else {
            join(|| part(left_sites, left_halves, first), || part(right_sites, right_halves, next))
        };
        free.extend(others);
        let mut whole = Self { sites, halves, first, free, outer: left };
        whole.outer = whole.merge(left, right, axis);
        whole
    }

    /// Two or three sites.
    fn leaf(sites: &'a mut [Site], halves: &'a mut [Half], first: u32) -> Self {
        sites.sort_unstable_by(|a, b| Axis::X.compare(a.place, b.place));
        let n = sites.len() as u32;
        let free = (3 * first..3 * (first + n)).rev().collect();
        let mut part = Self { sites, halves, first, free, outer: 0 };
        let edge = part.edge(first, first + 1);
        part.outer = edge;
        if n == 3 {
            let second = part.edge(first + 1, first + 2);
            part.link(edge, second);
            part.link(second ^ 1, edge ^ 1);
            let [a, b, c] = [0, 1, 2].map(|i| part.place(first + i));
            let turn = orientation(a, b, c);
            if turn != 0.0 {
                let third = part.connect(second, edge);
                part.outer = if turn > 0.0 { third ^ 1 } else { third };
            }
        }
        part
    }

    /// Joins the triangulations on both sides of a cut, from the lower common tangent of their
    /// hulls to the upper one. Returns the lower one, with the outside on its left.
    ///
    /// `left` and `right` have the outsides of either on their left.
    fn merge(&mut self, left: u32, right: u32, axis: Axis) -> u32 {
        let mut left = self.extreme(left, axis, Ordering::Greater);
        // From the leftmost vertex on the right, the outside on its right.
        let mut right = self.previous(self.extreme(right, axis, Ordering::Less)) ^ 1;
        loop {
            if self.is_left(left, self.from(right)) {
                left = self.next(left);
            } else if self.is_right(right, self.from(left)) {
                right = self.previous(right ^ 1) ^ 1;
            } else {
                break;
            }
        }
        let tangent = self.connect(right ^ 1, left);
        let mut base = tangent;
        loop {
            // Candidates rise from the ends of the base, on its right.
            let mut left = self.previous(base ^ 1) ^ 1;
            if self.is_right(base, self.to(left)) {
                loop {
                    let next = self.previous(left) ^ 1;
                    if !self
                        .is_inside([self.to(base), self.from(base), self.to(left)], self.to(next))
                    {
                        break;
                    }
                    self.remove(left);
                    left = next;
                }
            }
            let mut right = self.next(base ^ 1);
            if self.is_right(base, self.to(right)) {
                loop {
                    let next = self.next(right ^ 1);
                    if !self
                        .is_inside([self.to(base), self.from(base), self.to(right)], self.to(next))
                    {
                        break;
                    }
                    self.remove(right);
                    right = next;
                }
            }
            let [left_rises, right_rises] =
                [left, right].map(|it| self.is_right(base, self.to(it)));
            if !left_rises && !right_rises {
                return tangent;
            }
            let takes_right = !left_rises
                || right_rises
                    && self.is_inside(
                        [self.to(left), self.from(left), self.from(right)],
                        self.to(right),
                    );
            base = if takes_right {
                self.connect(right, base ^ 1)
            } else {
                self.connect(base ^ 1, left ^ 1)
            };
        }
    }

    /// The half-edge along the outside, which is on its left, from the vertex that is first or last
    /// along an axis.
    fn extreme(&self, outer: u32, axis: Axis, wanted: Ordering) -> u32 {
        let mut best = outer;
        let mut half = self.next(outer);
        while half != outer {
            let [here, there] = [half, best].map(|half| self.place(self.from(half)));
            if axis.compare(here, there) == wanted {
                best = half;
            }
            half = self.next(half);
        }
        best
    }

    /// A new edge, with nothing at its ends.
    fn edge(&mut self, from: u32, to: u32) -> u32 {
        let edge =
            2 * self.free.pop().expect("a planar graph of k vertices has less than 3k edges");
        for (half, origin) in [(edge, from), (edge ^ 1, to)] {
            *self.half_mut(half) = Half { origin, next: half ^ 1, previous: half ^ 1 };
        }
        edge
    }

    /// A new edge from the far end of `a` to the origin of `b`, so that `a`, it and `b` follow each
    /// other around the face on their left.
    fn connect(&mut self, a: u32, b: u32) -> u32 {
        let edge = self.edge(self.to(a), self.from(b));
        let (after, before) = (self.next(a), self.previous(b));
        self.link(a, edge);
        self.link(edge, b);
        self.link(before, edge ^ 1);
        self.link(edge ^ 1, after);
        edge
    }

    fn remove(&mut self, edge: u32) {
        for half in [edge, edge ^ 1] {
            self.link(self.previous(half), self.next(half ^ 1));
        }
        self.free.push(edge / 2);
    }

    fn link(&mut self, half: u32, next: u32) {
        self.half_mut(half).next = next;
        self.half_mut(next).previous = half;
    }

    fn half(&self, half: u32) -> &Half {
        &self.halves[(half - 6 * self.first) as usize]
    }

    fn half_mut(&mut self, half: u32) -> &mut Half {
        &mut self.halves[(half - 6 * self.first) as usize]
    }

    fn from(&self, half: u32) -> u32 {
        self.half(half).origin
    }

    fn to(&self, half: u32) -> u32 {
        self.half(half ^ 1).origin
    }

    fn next(&self, half: u32) -> u32 {
        self.half(half).next
    }

    fn previous(&self, half: u32) -> u32 {
        self.half(half).previous
    }

    fn place(&self, vertex: u32) -> Point {
        self.sites[(vertex - self.first) as usize].place
    }

    fn is_left(&self, half: u32, vertex: u32) -> bool {
        let [from, to, at] = [self.from(half), self.to(half), vertex].map(|it| self.place(it));
        orientation(from, to, at) > 0.0
    }

    fn is_right(&self, half: u32, vertex: u32) -> bool {
        let [from, to, at] = [self.from(half), self.to(half), vertex].map(|it| self.place(it));
        orientation(from, to, at) < 0.0
    }

    /// Whether a vertex lies inside the circle through three that turn left.
    fn is_inside(&self, circle: [u32; 3], vertex: u32) -> bool {
        let [a, b, c] = circle.map(|it| self.place(it));
        incircle(a, b, c, self.place(vertex))
    }
}
