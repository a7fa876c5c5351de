//! A constrained Delaunay triangulation that changes by flips, in flat arrays.

use std::collections::VecDeque;

use robust::Coord;

use crate::points::{Point, orientation};

/// No half-edge.
const NONE: u32 = u32::MAX;

/// A half-edge: an edge as seen from one end. The other half of `h` is `h ^ 1`.
#[derive(Clone, Copy)]
pub(super) struct Half {
    /// The vertex from which it runs.
    pub(super) origin: u32,
    /// The next around its triangle, counter-clockwise.
    pub(super) next: u32,
    /// Of an accepted edge: the accepted edge that follows around the origin, counter-clockwise.
    /// Of a free one: none.
    after: u32,
    /// Of an accepted edge: the accepted edge that follows clockwise. Of a free one: the first edge
    /// of the ear that waits for this edge to go, if one does.
    before: u32,
}

impl Half {
    pub(super) const fn new(origin: u32, next: u32) -> Self {
        Self { origin, next, after: NONE, before: NONE }
    }
}

/// A triangulation of the whole plane: outside, every edge of the hull has a triangle with one more
/// vertex, at infinity, so that every face is a triangle.
///
/// Edges are *free* or *accepted*. The accepted edges around a vertex form a ring, so that the
/// neighbour of one is known without a walk over the free ones between. A flip gives the number of a
/// free edge to another edge; an accepted edge keeps its number.
pub(super) struct Mesh<'s> {
    /// Where the vertices lie; the one at infinity, the last, is not among them.
    places: &'s [Point],
    halves: Vec<Half>,
    /// A half-edge that runs from each vertex, while lines are [inserted](Self::insert).
    at: Vec<u32>,
    flips: u64,
}

impl<'s> Mesh<'s> {
    /// Of halves whose edges are all free.
    pub(super) const fn new(places: &'s [Point], halves: Vec<Half>) -> Self {
        Self { places, halves, at: Vec::new(), flips: 0 }
    }

    /// Number of edges, with those to infinity.
    pub(super) const fn edges(&self) -> u32 {
        self.halves.len() as u32 / 2
    }

    /// Flips made so far.
    pub(super) const fn flips(&self) -> u64 {
        self.flips
    }

    fn half(&self, h: u32) -> &Half {
        &self.halves[h as usize]
    }

    /// The vertices from which and to which `h` runs.
    pub(super) fn ends(&self, h: u32) -> [u32; 2] {
        [self.half(h).origin, self.to(h)]
    }

    pub(super) fn to(&self, h: u32) -> u32 {
        self.half(h ^ 1).origin
    }

    fn target(&self, h: u32) -> Point {
        self.places[self.to(h) as usize]
    }

    /// Whether no end is at infinity.
    pub(super) fn is_finite(&self, h: u32) -> bool {
        self.ends(h).iter().all(|&end| (end as usize) < self.places.len())
    }

    pub(super) fn next(&self, h: u32) -> u32 {
        self.half(h).next
    }

    /// The next counter-clockwise around the origin.
    pub(super) fn counter_clockwise(&self, h: u32) -> u32 {
        self.next(self.next(h)) ^ 1
    }

    /// The next clockwise around the origin.
    fn clockwise(&self, h: u32) -> u32 {
        self.next(h ^ 1)
    }

    pub(super) fn is_accepted(&self, h: u32) -> bool {
        self.half(h).after != NONE
    }

    /// The accepted edge that follows the accepted `h` counter-clockwise around its origin.
    pub(super) fn after(&self, h: u32) -> u32 {
        self.half(h).after
    }

    /// The accepted edge that follows the accepted `h` clockwise around its origin.
    pub(super) fn before(&self, h: u32) -> u32 {
        self.half(h).before
    }

    /// Remembers that the ear of accepted edge `first` and the one after it, between which the free
    /// edge `h` is, waits for `h` to go.
    pub(super) fn wait(&mut self, first: u32, h: u32) {
        self.halves[h as usize].before = first;
    }

    /// Accepts a free edge: it enters the rings at both ends.
    pub(super) fn accept(&mut self, h: u32) {
        for h in [h, h ^ 1] {
            let [before, after] = self.gap(h).unwrap_or([h, h]);
            let half = &mut self.halves[h as usize];
            (half.before, half.after) = (before, after);
            self.halves[before as usize].after = h;
            self.halves[after as usize].before = h;
        }
    }

    /// The accepted edges between which, counter-clockwise around its origin, the free edge `h` is.
    /// `None` if there is none.
    ///
    /// Walks both ways at once, so that it costs the smaller part of the gap: to accept d edges at
    /// one vertex takes `O(d log d)`, in whatever order they come.
    fn gap(&self, h: u32) -> Option<[u32; 2]> {
        let (mut left, mut right) = (h, h);
        loop {
            left = self.counter_clockwise(left);
            if self.is_accepted(left) {
                return Some([self.before(left), left]);
            }
            right = self.clockwise(right);
            if self.is_accepted(right) {
                return Some([right, self.after(right)]);
            }
            if left == h || right == h {
                return None;
            }
        }
    }

    /// Closes the ear of two accepted edges around a vertex `c`, of which `last` follows `first` by
    /// less than half a turn, by the edge from the far end of `first` to that of `last`: flips the
    /// free edges between them until it is there, and returns its half. Returns `None`, and changes
    /// nothing, if a vertex lies inside the triangle or on the new side, or the triangle is a face.
    ///
    /// `came` becomes the other edges that were made; `freed`, the first edges of the ears that
    /// waited for an edge that went.
    ///
    /// `O(k)` for `k` free edges between.
    pub(super) fn close(
        &mut self,
        [first, last]: [u32; 2],
        came: &mut Vec<u32>,
        freed: &mut Vec<u32>,
    ) -> Option<u32> {
        let (a, b) = (self.target(first), self.target(last));
        let mut h = self.counter_clockwise(first);
        while h != last {
            if orientation(a, self.target(h), b) <= 0.0 {
                return None;
            }
            h = self.counter_clockwise(h);
        }
        came.clear();
        freed.clear();
        // As in Graham's scan over the far ends: one that bulges is cut off by a flip of its edge.
        // None stays, as all lie beyond the new side.
        let mut h = self.counter_clockwise(first);
        while h != last {
            let [before, after] = [self.clockwise(h), self.counter_clockwise(h)];
            if orientation(self.target(before), self.target(h), self.target(after)) <= 0.0 {
                h = after;
                continue;
            }
            for half in [h, h ^ 1] {
                let waiting = std::mem::replace(&mut self.halves[half as usize].before, NONE);
                if waiting != NONE {
                    freed.push(waiting);
                }
            }
            self.flip(h);
            came.push(h / 2);
            h = if before == first { after } else { before };
        }
        came.pop().map(|side| 2 * side)
    }

    /// Makes the triangulation constrained Delaunay again, where only the edges that `came` may
    /// offend: every free edge shall have a circle through its ends with no vertex inside that it
    /// sees past the accepted edges (Lawson). Adds to `came` what it flips.
    pub(super) fn restore(&mut self, came: &mut Vec<u32>) {
        let mut suspects = came.clone();
        while let Some(edge) = suspects.pop() {
            let h = 2 * edge;
            if self.is_accepted(h) || !self.offends(h) {
                continue;
            }
            let sides = [h, h ^ 1].map(|h| [self.next(h), self.next(self.next(h))]);
            self.flip(h);
            came.push(edge);
            suspects.extend(sides.as_flattened().iter().map(|side| side / 2));
        }
        came.sort_unstable();
        came.dedup();
    }

    /// Whether the circle through one triangle at the free edge `h` has the apex of the other inside.
    fn offends(&self, h: u32) -> bool {
        let apex = |h| self.to(self.next(h));
        let [from, to] = self.ends(h);
        let corners = [from, to, apex(h), apex(h ^ 1)];
        // An edge of the hull has an apex at infinity.
        let inside = corners.iter().all(|&corner| (corner as usize) < self.places.len());
        inside && {
            let [a, b, c, d] = corners.map(|corner| self.places[corner as usize]);
            incircle(a, b, c, d)
        }
    }

    /// Accepts lines of which no two conflict, and that pass through no vertex, and keeps the
    /// triangulation constrained Delaunay.
    pub(super) fn insert(&mut self, lines: &[[u32; 2]]) {
        self.at = vec![NONE; self.places.len() + 1];
        for (half, h) in self.halves.iter().zip(0..) {
            self.at[half.origin as usize] = h;
        }
        for &line in lines {
            let mut came = vec![];
            let h = self.between(line).unwrap_or_else(|| self.cut(line, &mut came));
            self.accept(h);
            self.restore(&mut came);
        }
    }

    /// Accepts whatever free edges are in the faces, bounded by accepted edges, on the left of some
    /// of them: these are closed.
    pub(super) fn fill(&mut self, bounds: &[[u32; 2]]) {
        let mut around: Vec<u32> = bounds.iter().filter_map(|&it| self.between(it)).collect();
        while let Some(h) = around.pop() {
            for side in [self.next(h), self.next(self.next(h))] {
                if !self.is_accepted(side) && self.is_finite(side) {
                    self.accept(side);
                    around.push(side ^ 1);
                }
            }
        }
    }

    /// The edge from one vertex to another, while lines are inserted.
    fn between(&self, [a, b]: [u32; 2]) -> Option<u32> {
        self.around(a).find(|&h| self.to(h) == b)
    }

    /// All that runs from a vertex.
    fn around(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let first = self.at[vertex as usize];
        let next = move |&h: &u32| Some(self.counter_clockwise(h)).filter(|&it| it != first);
        std::iter::successors(Some(first), next)
    }

    /// Flips the edges that a line crosses until it is one (Sloan 1993, *A fast algorithm for
    /// generating constrained Delaunay triangulations*). Adds to `came` what else it made.
    fn cut(&mut self, line: [u32; 2], came: &mut Vec<u32>) -> u32 {
        let [a, b] = line.map(|end| self.places[end as usize]);
        let mut crossed = self.crossed(line);
        while let Some(edge) = crossed.pop_front() {
            let h = 2 * edge;
            let [r, p] = [h, h ^ 1].map(|h| self.to(self.next(h)));
            let [s, t, at_r, at_p] =
                [self.half(h).origin, self.to(h), r, p].map(|vertex| self.places[vertex as usize]);
            if orientation(at_p, at_r, s) <= 0.0 || orientation(at_p, at_r, t) >= 0.0 {
                crossed.push_back(edge); // not convex yet
                continue;
            }
            self.flip(h);
            let is_end = [r, p].map(|vertex| line.contains(&vertex));
            if is_end == [true, true] {
                return h;
            }
            let sides = [at_r, at_p].map(|place| orientation(a, b, place) > 0.0);
            if is_end == [false, false] && sides[0] != sides[1] {
                crossed.push_back(edge);
            } else {
                came.push(edge);
            }
        }
        unreachable!("the last edge that a line crosses becomes that line")
    }

    /// The edges that a line crosses.
    fn crossed(&self, [from, to]: [u32; 2]) -> VecDeque<u32> {
        let [a, b] = [from, to].map(|end| self.places[end as usize]);
        let is_ahead = |&h: &u32| {
            let [p, r] = [h, self.counter_clockwise(h)].map(|h| self.to(h) as usize);
            let places = self.places.get(p).zip(self.places.get(r));
            places.is_some_and(|(&p, &r)| orientation(a, p, b) > 0.0 && orientation(a, b, r) > 0.0)
        };
        let first = self.around(from).find(is_ahead).expect("points have the hull's inside around");
        // From right to left, with what lies before it on its left.
        let mut h = self.next(first);
        let mut crossed = VecDeque::from([h / 2]);
        loop {
            let beyond = self.next(h ^ 1);
            let apex = self.to(beyond);
            if apex == to {
                return crossed;
            }
            let is_left = orientation(a, b, self.places[apex as usize]) > 0.0;
            h = if is_left { beyond } else { self.next(beyond) };
            crossed.push_back(h / 2);
        }
    }

    /// Puts the other diagonal into the convex quadrilateral of the two triangles at the free edge
    /// `h`, turned clockwise: it becomes `p → r` if `h` has `r` on its left and `p` on its right.
    fn flip(&mut self, h: u32) {
        let twin = h ^ 1;
        // From s to t, say: triangles s t r and t s p become s p r and p t r.
        let (t_r, s_p) = (self.next(h), self.next(twin));
        let (r_s, p_t) = (self.next(t_r), self.next(s_p));
        let (p, r) = (self.half(p_t).origin, self.half(r_s).origin);
        for [x, y, z] in [[s_p, h, r_s], [p_t, t_r, twin]] {
            self.halves[x as usize].next = y;
            self.halves[y as usize].next = z;
            self.halves[z as usize].next = x;
        }
        if !self.at.is_empty() {
            let [s, t] = self.ends(h);
            (self.at[s as usize], self.at[t as usize]) = (s_p, t_r);
        }
        self.halves[h as usize].origin = p;
        self.halves[twin as usize].origin = r;
        self.flips += 1;
    }
}

/// Whether `d` lies inside the circle through `a`, `b`, `c`, which turn left; exact.
pub(super) fn incircle(a: Point, b: Point, c: Point, d: Point) -> bool {
    let coord = |Point { x, y }: Point| Coord { x, y };
    robust::incircle(coord(a), coord(b), coord(c), coord(d)) > 0.0
}
