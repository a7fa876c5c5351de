//! A constrained Delaunay triangulation that changes by flips, in flat arrays.

mod fan;
mod insertion;

use robust::Coord;

use self::fan::Fan;
use super::sites::Sites;
use crate::points::{Point, orientation};

/// No half-edge.
const NONE: u32 = u32::MAX;
/// So many free edges are looked through for fans when they are crossed.
const MANY: usize = 8;

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
    /// The vertices; the one at infinity, the last, is not among them.
    sites: &'s Sites,
    halves: Vec<Half>,
    fans: Vec<Fan>,
    /// Places among the fans that are free.
    free_fans: Vec<u32>,
    /// Of a wall in a fan: the one before it.
    back: Vec<u32>,
    /// The base of the fan whose first or last wall a half-edge is.
    owner: Vec<u32>,
    /// Numbers of edges that are given to none.
    spare: Vec<u32>,
    /// Edges that came, and bases whose fan changed.
    pub(super) changed: Vec<u32>,
    /// The first edges of ears that waited for an edge that went.
    pub(super) freed: Vec<u32>,
    /// A half-edge that runs from each vertex, while lines are [inserted](Self::insert).
    at: Vec<u32>,
    flips: u64,
}

impl<'s> Mesh<'s> {
    /// Of halves whose edges are all free.
    pub(super) const fn new(sites: &'s Sites, halves: Vec<Half>) -> Self {
        Self {
            sites,
            halves,
            fans: Vec::new(),
            free_fans: Vec::new(),
            back: Vec::new(),
            owner: Vec::new(),
            spare: Vec::new(),
            changed: Vec::new(),
            freed: Vec::new(),
            at: Vec::new(),
            flips: 0,
        }
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
        self.sites.places[self.to(h) as usize]
    }

    /// Whether no end is at infinity.
    pub(super) fn is_finite(&self, h: u32) -> bool {
        self.ends(h).iter().all(|&end| (end as usize) < self.sites.places.len())
    }

    pub(super) fn next(&self, h: u32) -> u32 {
        self.half(h).next
    }

    /// The next counter-clockwise around the origin.
    pub(super) fn counter_clockwise(&self, h: u32) -> u32 {
        match self.fan_at(h) {
            Some((base, fan)) if fan.first == h => self.next(self.next(base)) ^ 1,
            _ => self.wall(self.next(self.next(h)) ^ 1),
        }
    }

    /// The next clockwise around the origin.
    fn clockwise(&self, h: u32) -> u32 {
        match self.fan_at(h ^ 1) {
            Some((base, fan)) if fan.last == h ^ 1 => self.next(base),
            _ => self.wall(self.next(h ^ 1)),
        }
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
    /// `came` becomes the other edges that were made.
    ///
    /// `O(k)` for `k` free edges and fans between.
    pub(super) fn close(&mut self, [first, last]: [u32; 2], came: &mut Vec<u32>) -> Option<u32> {
        let (a, b) = (self.target(first), self.target(last));
        let ends = [first, last].map(|it| self.to(it));
        let mut between = vec![];
        let mut h = first;
        loop {
            if !self.is_beyond(self.next(h), ends) {
                return None;
            }
            h = self.counter_clockwise(h);
            if h == last {
                break;
            }
            if orientation(a, self.target(h), b) <= 0.0 {
                return None;
            }
            between.push(h);
        }
        came.clear();
        if between.len() >= MANY {
            for free in between {
                self.absorb(free, true);
            }
        }
        // As in Graham's scan over the far ends: one that bulges is cut off by a flip of its edge.
        // None stays, as all lie beyond the new side.
        let mut h = self.counter_clockwise(first);
        while h != last {
            let [p, at, r] = [self.apex(h ^ 1), self.to(h), self.apex(h)]
                .map(|vertex| self.sites.places[vertex as usize]);
            if orientation(p, at, r) <= 0.0 {
                h = self.counter_clockwise(h);
                continue;
            }
            let fan = self.expose(h);
            let [before, after] = [self.clockwise(h), self.counter_clockwise(h)];
            self.free_waiting(h);
            self.flip(h);
            if let Some(base) = fan {
                self.settle(base);
            }
            came.push(h / 2);
            h = if before == first { after } else { before };
        }
        came.pop().map(|side| 2 * side)
    }

    /// Makes ears that wait for a free edge look again.
    fn free_waiting(&mut self, h: u32) {
        for half in [h, h ^ 1] {
            let waiting = std::mem::replace(&mut self.halves[half as usize].before, NONE);
            if waiting != NONE {
                self.freed.push(waiting);
            }
        }
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
            for h in [h, h ^ 1] {
                let next = self.next(h);
                if self.is_fan(next) {
                    self.peel(next, true);
                } else if self.is_fan(self.next(next)) {
                    self.peel(self.next(next), false);
                }
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
        let [from, to] = self.ends(h);
        let corners = [from, to, self.apex(h), self.apex(h ^ 1)];
        // An edge of the hull has an apex at infinity.
        let inside = corners.iter().all(|&corner| (corner as usize) < self.sites.places.len());
        inside && {
            let [a, b, c, d] = corners.map(|corner| self.sites.places[corner as usize]);
            incircle(a, b, c, d)
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
