//! What is wrong with the rings of a polygon, all at once, and how they are mended.

use std::collections::HashMap;

use thiserror::Error;

use super::Point;
use crate::points::{self, lexicographic, orientation, segments_meet};

/// More faults than these are counted, not listed.
pub const MOST_LISTED: usize = 20;

/// A fault of the rings of a polygon, which are numbered from 0, as their vertices are.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RingFault {
    /// Fewer than three vertices at different places.
    #[error("ring {ring} has {found} distinct vertices; a ring has three at least")]
    TooFew {
        /// The ring.
        ring: usize,
        /// Its distinct vertices.
        found: usize,
    },
    /// A coordinate that cannot be computed with.
    #[error("ring {ring}, vertex {vertex}: ({x}, {y}) cannot be computed with; rescale it")]
    Coordinate {
        /// The ring.
        ring: usize,
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        x: f64,
        /// Upwards.
        y: f64,
    },
    /// Two edges that cross, or that have a piece in common.
    #[error("{first} and {second} {how} at ({x}, {y})")]
    Edges {
        /// One of them.
        first: RingEdge,
        /// The other.
        second: RingEdge,
        /// What they do.
        how: &'static str,
        /// Where, rounded.
        x: f64,
        /// Upwards.
        y: f64,
    },
    /// Nothing is inside the rings.
    #[error("the rings enclose nothing; add a vertex off the line")]
    NoArea,
}

/// The edge from a vertex of a ring to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("edge {vertex} of ring {ring}")]
pub struct RingEdge {
    /// The ring.
    pub ring: usize,
    /// The vertex from which it runs.
    pub vertex: usize,
}

/// An edge between two of the distinct points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wall {
    pub(super) ends: [u32; 2],
    pub(super) edge: RingEdge,
}

/// The distinct points of rings, and the edges between them.
#[derive(Debug, Clone, Default)]
pub(super) struct Walls {
    pub(super) points: Vec<Point>,
    /// Of each point, its place among all vertices of the rings, in their order.
    pub(super) source: Vec<u32>,
    pub(super) walls: Vec<Wall>,
    /// Equal vertices after one another that became one.
    pub(super) merged: usize,
}

fn key(point: Point) -> [u64; 2] {
    // −0 is 0.
    [point.x + 0.0, point.y + 0.0].map(f64::to_bits)
}

impl Walls {
    /// Of rings that may repeat their first vertex at the end.
    pub(super) fn of(rings: &[Vec<Point>], faults: &mut Vec<RingFault>) -> Self {
        let mut all = Self::default();
        let mut index = HashMap::new();
        let mut before = 0;
        for (ring, vertices) in rings.iter().enumerate() {
            let vertices = crate::layer::open(vertices);
            let mut corners: Vec<(u32, usize)> = vec![];
            for (vertex, &point) in vertices.iter().enumerate() {
                if points::check(&[point]).is_err() {
                    let Point { x, y } = point;
                    faults.push(RingFault::Coordinate { ring, vertex, x, y });
                    continue;
                }
                let next = all.points.len() as u32;
                let number = *index.entry(key(point)).or_insert(next);
                if number == next {
                    all.points.push(point);
                    all.source.push((before + vertex) as u32);
                }
                match corners.last() {
                    Some(&(last, _)) if last == number => all.merged += 1,
                    _ => corners.push((number, vertex)),
                }
            }
            while corners.len() > 1
                && corners.first().map(|it| it.0) == corners.last().map(|it| it.0)
            {
                corners.pop();
                all.merged += 1;
            }
            let mut distinct: Vec<u32> = corners.iter().map(|it| it.0).collect();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() < 3 {
                faults.push(RingFault::TooFew { ring, found: distinct.len() });
            } else {
                for (rank, &(from, vertex)) in corners.iter().enumerate() {
                    let to = corners[(rank + 1) % corners.len()].0;
                    all.walls.push(Wall { ends: [from, to], edge: RingEdge { ring, vertex } });
                }
            }
            before += vertices.len();
        }
        all
    }

    fn at(&self, end: u32) -> Point {
        self.points[end as usize]
    }

    /// Pairs of walls whose boxes meet, found from left to right.
    fn pairs(&self, mut visit: impl FnMut(usize, usize)) {
        struct Span {
            wall: usize,
            low: Point,
            high: Point,
        }
        let span = |(wall, it): (usize, &Wall)| {
            let [a, b] = it.ends.map(|end| self.at(end));
            Span {
                wall,
                low: Point { x: a.x.min(b.x), y: a.y.min(b.y) },
                high: Point { x: a.x.max(b.x), y: a.y.max(b.y) },
            }
        };
        let mut spans: Vec<Span> = self.walls.iter().enumerate().map(span).collect();
        spans.sort_by(|e, f| lexicographic(e.low, f.low));
        for (rank, e) in spans.iter().enumerate() {
            let began = spans[rank + 1..].iter().take_while(|f| f.low.x <= e.high.x);
            for f in began.filter(|f| f.low.y <= e.high.y && e.low.y <= f.high.y) {
                visit(e.wall, f.wall);
            }
        }
    }

    /// Cuts walls at the points through which they pass; names those that do so to themselves, and
    /// edges that cross. Exact. Points of another ring on an edge are allowed.
    pub(super) fn cut(&mut self, faults: &mut Vec<RingFault>) {
        let mut cuts: Vec<Vec<u32>> = vec![vec![]; self.walls.len()];
        self.pairs(|i, j| {
            let [e, f] = [&self.walls[i], &self.walls[j]];
            let [[a, b], [c, d]] = [e.ends, f.ends];
            let [pa, pb, pc, pd] = [a, b, c, d].map(|end| self.at(end));
            if !segments_meet(pa, pb, pc, pd) {
                return;
            }
            let on = |p: Point, q: Point, r: Point| segments_meet(p, q, r, r);
            let mut touched = None;
            for (wall, ends, (p, q), others) in
                [(i, e.ends, (pa, pb), f.ends), (j, f.ends, (pc, pd), e.ends)]
            {
                for other in others.into_iter().filter(|it| !ends.contains(it)) {
                    if on(p, q, self.at(other)) {
                        cuts[wall].push(other);
                        touched = Some(other);
                    }
                }
            }
            let shared = [a, b].into_iter().find(|it| [c, d].contains(it));
            let is_same = e.edge.ring == f.edge.ring;
            let line = [pa, pb, pc, pd].iter().all(|&it| orientation(pa, pb, it) == 0.0);
            let follows = is_same && (b == c || d == a);
            let (how, at) = match (touched, shared) {
                (Some(_), Some(it)) if follows && line => ("make a spike", self.at(it)),
                (_, Some(_)) if a == d && b == c && is_same => ("make a spike", pb),
                (_, Some(_)) if a.min(b) == c.min(d) && a.max(b) == c.max(d) => {
                    ("are the same", pa)
                }
                (Some(it), _) if line => ("overlap", self.at(it)),
                (Some(it), _) if is_same => ("touch", self.at(it)),
                (Some(_), _) => return,
                (None, Some(it)) => {
                    if !is_same || follows {
                        return;
                    }
                    ("touch", self.at(it))
                }
                (None, None) => ("cross", crossing([pa, pb], [pc, pd])),
            };
            faults.push(RingFault::Edges { first: e.edge, second: f.edge, how, x: at.x, y: at.y });
        });
        self.split(&cuts);
    }

    /// Cuts each wall at some points on it.
    fn split(&mut self, cuts: &[Vec<u32>]) {
        let mut parts = Vec::with_capacity(self.walls.len());
        for (wall, cuts) in self.walls.iter().zip(cuts) {
            let [from, to] = wall.ends.map(|end| self.at(end));
            let mut stops = cuts.clone();
            stops.sort_by(|&p, &q| {
                let order = lexicographic(self.at(p), self.at(q));
                if lexicographic(from, to).is_lt() { order } else { order.reverse() }
            });
            stops.dedup();
            let mut last = wall.ends[0];
            for stop in stops.into_iter().chain([wall.ends[1]]).filter(|it| *it != wall.ends[0]) {
                if stop != last {
                    parts.push(Wall { ends: [last, stop], ..*wall });
                }
                last = stop;
            }
        }
        self.walls = parts;
    }

    /// Cuts walls where they cross, at rounded points, until none do; walls that lie on one another
    /// by pairs vanish, so that what is inside is so by the even-odd rule. Returns how many points
    /// were added.
    pub(super) fn mend(&mut self) -> Option<usize> {
        const ROUNDS: usize = 16;
        let before = self.points.len();
        let mut index: HashMap<[u64; 2], u32> =
            self.points.iter().zip(0..).map(|(&it, number)| (key(it), number)).collect();
        for _ in 0..ROUNDS {
            self.cut(&mut vec![]);
            self.cancel();
            let mut cuts: Vec<Vec<u32>> = vec![vec![]; self.walls.len()];
            let mut found = vec![];
            self.pairs(|i, j| {
                let [e, f] = [self.walls[i].ends, self.walls[j].ends];
                let shares = e.iter().any(|it| f.contains(it));
                let [e, f] = [e, f].map(|ends| ends.map(|end| self.at(end)));
                if !shares && segments_meet(e[0], e[1], f[0], f[1]) {
                    found.push((i, j, crossing(e, f)));
                }
            });
            if found.is_empty() {
                return Some(self.points.len() - before);
            }
            for (i, j, point) in found {
                let next = self.points.len() as u32;
                let number = *index.entry(key(point)).or_insert(next);
                if number == next {
                    self.points.push(point);
                    self.source.push(u32::MAX);
                }
                cuts[i].push(number);
                cuts[j].push(number);
            }
            self.split(&cuts);
        }
        None
    }

    /// Leaves one of walls between the same points if they are odd in number, and none if even.
    fn cancel(&mut self) {
        let mut odd: HashMap<[u32; 2], bool> = HashMap::new();
        let named = |ends: [u32; 2]| [ends[0].min(ends[1]), ends[0].max(ends[1])];
        for wall in &self.walls {
            let it = odd.entry(named(wall.ends)).or_default();
            *it = !*it;
        }
        self.walls.retain(|wall| odd.insert(named(wall.ends), false) == Some(true));
    }
}

/// Where two segments cross, rounded.
fn crossing([a, b]: [Point; 2], [c, d]: [Point; 2]) -> Point {
    let [(x, y), (u, v)] = [(b.x - a.x, b.y - a.y), (d.x - c.x, d.y - c.y)];
    let across = x * v - y * u;
    let share = if across == 0.0 { 0.5 } else { ((c.x - a.x) * v - (c.y - a.y) * u) / across };
    let share = share.clamp(0.0, 1.0);
    Point { x: share.mul_add(x, a.x), y: share.mul_add(y, a.y) }
}
