//! The greedy triangulation from a constrained Delaunay triangulation, without all n² lines.
//!
//! The engine keeps CDT(E), a constrained Delaunay triangulation of the points with the lines E
//! accepted so far as constraints. A line is *admissible* if it conflicts with none of E. An *ear*
//! is two lines `ca`, `cb` of E with no other of E between them, less than half a turn apart, such
//! that triangle `abc` has no point inside or on side `ab`; that side closes it.
//!
//! **Lemma.** Let `ab` be the least admissible line that is not in E. Then `ab` is an edge of
//! CDT(E), or it closes an ear with a corner `c` of at least 90°.
//!
//! *Proof.* No point `p` lies between `a` and `b`: the line `ap` is shorter, so it is in E or
//! conflicts with a line of E, and either way `ab` conflicts with a line of E. Say that `ab` sees a
//! point if a segment to it from within `ab` crosses no line of E. If `ab` sees no point in the closed
//! disk of which it is a diameter, then a circle separates it from all that it sees, and it is in
//! every CDT(E). Else let it see `v` in the disk, from `x`. The shortest paths from `a` and from `b`
//! to `v` that pass around the same points as `axv` and `bxv` bound, with `ab`, a pseudo-triangle
//! with nothing inside, and all its corners are in the disk, which is convex. Cut it into triangles;
//! that at `ab` has a corner `c` of at least 90°, as it is in the disk, nothing inside, and sides
//! that conflict with no line of E. They are shorter than `ab`, so they are in E; and a line of E
//! between them would cross `ab`. ∎
//!
//! So the candidates are the edges of the Delaunay triangulation, sorted once, and in a heap the
//! few lines that come later: sides that close an ear, and free edges (those of CDT(E) not in E) that
//! such a side makes. The least candidate is accepted if it is an edge of CDT(E), or if it still
//! closes its ear: then all edges that it crosses come from `c`; they are flipped away and Lawson
//! flips restore CDT(E). Otherwise it is not admissible and never will be.
//!
//! **An ear can wait** while a free edge `ce` between its sides is shorter than `ab`: as `ce` is
//! admissible, `ab` is not the least. If `ce` is accepted, it splits the ear; if it is flipped away,
//! for a side that crosses it, the ear is looked at again. And an ear without free edges needs no
//! candidate: `ab` is in CDT(E), and stays there until it is accepted or is crossed by an accepted
//! line, since a constraint takes away no other Delaunay edge.
//!
//! For points without much structure there are `O(n)` candidates and flips, hence `O(n log n)` time;
//! memory is about 230 bytes a point, whatever their layout. A side that crosses many edges between one
//! vertex and a chain of accepted edges moves them all by one flip ([`fan`](constrained_delaunay)), so that
//! points ∛k along two axes, which took n²/8 flips, take `O(n)`. At worst a side still crosses `O(n)`
//! edges again and again, or ears are looked at `O(n)` times over `O(n)` free edges: `O(n² log n)`. An
//! edge that is flipped again has one candidate, its latest.

mod candidate;
mod certainty;
mod constrained;
mod constrained_delaunay;
mod delaunay;
pub mod plane_partition;
mod sites;

use std::time::Instant;

use rayon::prelude::*;

pub use self::constrained::{
    Triangles, constrained_delaunay, constrained_greedy, triangles_between,
};

use self::candidate::{Candidate, CandidateKind, Candidates};
use self::constrained_delaunay::Mesh;
use self::sites::Sites;
use super::line::Line;
use crate::points::{Point, lexicographic, orientation};

/// The edges of the greedy triangulation of distinct points that `points::check` passes, in the
/// order of acceptance, `[i, j]` with i < j.
pub fn triangulate(points: &[Point]) -> Vec<[u32; 2]> {
    run(points, &|_| ()).edges
}

/// What was found, and what it took.
#[derive(Debug, Clone, Default)]
pub struct FastTriangulation {
    /// In the order of acceptance, `[i, j]` with i < j.
    pub edges: Vec<[u32; 2]>,
    /// Seconds for the Delaunay triangulation, on all cores.
    pub delaunay_s: f64,
    /// Seconds to sort its edges, on all cores.
    pub sort_s: f64,
    /// Seconds to accept edges, on one core.
    pub accept_s: f64,
    /// Lines that were candidates.
    pub candidates: u64,
    /// Edges that closed an ear and were not in the Delaunay triangulation until then.
    pub closed: u64,
    /// Flips of edges.
    pub flips: u64,
}

/// As [`triangulate`]; `progress` is called with numbers of edges accepted since the last call.
///
/// # Panics
/// If there are more than 2^29 points: half-edges are numbered in 32 bits.
pub fn run(points: &[Point], progress: &dyn Fn(u64)) -> FastTriangulation {
    let started = Instant::now();
    let Some((sites, halves)) = delaunay::delaunay(points) else {
        return FastTriangulation { edges: path(points), ..FastTriangulation::default() };
    };
    let delaunay_s = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let mut engine = Engine::new(&sites, Mesh::new(&sites, halves));
    let sort_s = started.elapsed().as_secs_f64();

    let started = Instant::now();
    engine.accept_all(progress);
    let (accept_s, flips) = (started.elapsed().as_secs_f64(), engine.mesh.flips());
    FastTriangulation { delaunay_s, sort_s, accept_s, flips, ..engine.run }
}

/// The gaps between points on one line.
fn path(points: &[Point]) -> Vec<[u32; 2]> {
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.par_sort_unstable_by(|&a, &b| lexicographic(points[a as usize], points[b as usize]));
    let mut gaps: Vec<Line> = (order.windows(2))
        .map(|pair| Line::new(points, [pair[0].min(pair[1]), pair[0].max(pair[1])]))
        .collect();
    gaps.par_sort_unstable_by(|a, b| a.compare(b, points));
    gaps.iter().map(|gap| gap.ends).collect()
}

struct Engine<'s> {
    sites: &'s Sites,
    mesh: Mesh<'s>,
    candidates: Candidates<'s>,
    /// The free edges that the last side made.
    came: Vec<u32>,
    run: FastTriangulation,
}

impl<'s> Engine<'s> {
    /// Of a mesh some of whose edges may be accepted.
    fn new(sites: &'s Sites, mesh: Mesh<'s>) -> Self {
        let candidates = Candidates::new(sites, &mesh);
        Self { sites, mesh, candidates, came: vec![], run: FastTriangulation::default() }
    }

    fn accept_all(&mut self, progress: &dyn Fn(u64)) {
        const STRIDE: usize = 1 << 12;
        while let Some(candidate) = self.candidates.pop() {
            self.run.candidates += 1;
            let accepted = match candidate.kind {
                CandidateKind::Edge => self.offer_edge(candidate),
                CandidateKind::Ear => self.offer_ear(candidate),
                CandidateKind::Fan => self.offer_fan(candidate),
            };
            if accepted {
                self.run.edges.push(self.sites.named(candidate.line.ends));
                if self.run.edges.len().is_multiple_of(STRIDE) {
                    progress(STRIDE as u64);
                }
            }
        }
        progress((self.run.edges.len() % STRIDE) as u64);
    }

    /// The same of a mesh some of whose edges were accepted beforehand.
    fn accept_all_beside_accepted(&mut self, progress: &dyn Fn(u64)) {
        for half in 0..2 * self.mesh.edges() {
            if self.mesh.is_accepted(half) {
                self.look_at([half, self.mesh.after(half)]);
            }
        }
        self.accept_all(progress);
    }

    /// Accepts an edge of the triangulation if it is still there and free.
    fn offer_edge(&mut self, Candidate { line, half, .. }: Candidate) -> bool {
        let is_there = self.mesh.ends(half) == line.ends && !self.mesh.is_accepted(half);
        if is_there {
            self.mesh.accept(half);
            self.look_around(half);
        }
        is_there
    }

    /// Accepts the least free edge of a fan, if it still is.
    fn offer_fan(&mut self, Candidate { line, half, .. }: Candidate) -> bool {
        let is_there = self.mesh.is_fan(half) && self.mesh.nearest(half).ends == line.ends;
        if is_there {
            let half = self.mesh.show_nearest(half);
            self.mesh.accept(half);
            self.add_changed();
            self.look_around(half);
            self.look_again();
        }
        is_there
    }

    /// Accepts the side that closes an ear, if it still does.
    fn offer_ear(&mut self, Candidate { line, half, .. }: Candidate) -> bool {
        let ear = [half, self.mesh.after(half)];
        if ear.map(|half| self.mesh.to(half)) != line.ends {
            return false; // an edge between the two was accepted
        }
        let Some(side) = self.mesh.close(ear, &mut self.came) else {
            return false;
        };
        self.run.closed += 1;
        self.mesh.accept(side);
        self.mesh.restore(&mut self.came);
        self.mesh.changed.append(&mut self.came);
        self.mesh.grow();
        self.add_changed();
        self.look_around(side);
        self.look_again();
        true
    }

    /// Makes the free edges that came candidates, and the least of fans that changed.
    fn add_changed(&mut self) {
        self.mesh.changed.sort_unstable();
        self.mesh.changed.dedup();
        for edge in std::mem::take(&mut self.mesh.changed) {
            let half = 2 * edge;
            let base = [half, half ^ 1].into_iter().find(|&it| self.mesh.is_fan(it));
            let candidate = match base {
                Some(base) => {
                    let line = self.mesh.nearest(base);
                    Candidate { line, half: base, kind: CandidateKind::Fan }
                }
                None if self.mesh.is_accepted(half) => continue,
                None => {
                    let line = Line::new(&self.sites.places, self.mesh.ends(half));
                    Candidate { line, half, kind: CandidateKind::Edge }
                }
            };
            self.candidates.push(candidate);
        }
    }

    /// Looks at the ears that waited for an edge which went.
    fn look_again(&mut self) {
        // An ear waits at one edge after the other, and leaves its number at all of them.
        let mut freed = std::mem::take(&mut self.mesh.freed);
        freed.sort_unstable();
        freed.dedup();
        for first in freed {
            self.look_at([first, self.mesh.after(first)]);
        }
    }

    /// Looks at the four ears of an accepted edge and its neighbours.
    fn look_around(&mut self, half: u32) {
        for half in [half, half ^ 1] {
            self.look_at([self.mesh.before(half), half]);
            self.look_at([half, self.mesh.after(half)]);
        }
    }

    /// Makes the line that closes an ear a candidate, unless it need not be one now.
    fn look_at(&mut self, [first, last]: [u32; 2]) {
        let ([c, a], b) = (self.mesh.ends(first), self.mesh.to(last));
        let places = &self.sites.places;
        let corner = [c, a, b].map(|vertex| places[vertex as usize]);
        if is_surely_acute(corner) || orientation(corner[0], corner[1], corner[2]) <= 0.0 {
            return;
        }
        let line = Line::new(places, [a, b]);
        let (mut half, mut is_free) = (first, true);
        loop {
            let base = self.mesh.next(half);
            if self.mesh.is_fan(base) {
                is_free = false;
                if self.mesh.nearest(base).is_surely_shorter(&line) {
                    self.mesh.wait_for_fan(first, base);
                    return;
                }
            }
            half = self.mesh.counter_clockwise(half);
            if half == last {
                break;
            }
            is_free = false;
            if Line::new(places, self.mesh.ends(half)).is_surely_shorter(&line) {
                self.mesh.wait(first, half);
                return;
            }
        }
        if is_free {
            return;
        }
        self.candidates.push(Candidate { line, half: first, kind: CandidateKind::Ear });
    }
}

/// Whether the angle at `c` is less than 90°, and rounding does not hide it.
fn is_surely_acute([c, a, b]: [Point; 3]) -> bool {
    let x = (a.x - c.x) * (b.x - c.x);
    let y = (a.y - c.y) * (b.y - c.y);
    // Either product is off by at most (1 + ε)^3 − 1 of itself, ε = 2^−53, and the sum by ε.
    const BOUND: f64 = 2.0 * f64::EPSILON; // 4 ε
    x + y > BOUND * 1.0625 * (x.abs() + y.abs())
}
