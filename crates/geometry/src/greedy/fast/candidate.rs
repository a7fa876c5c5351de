//! Lines that may be the next to accept.

use rayon::prelude::*;

use super::super::line::Line;
use super::constrained_delaunay::Mesh;
use super::sites::Sites;

#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// Between vertices of the mesh.
    pub(super) line: Line,
    pub(super) half: u32,
    pub(super) kind: CandidateKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CandidateKind {
    /// The line is edge `half`.
    Edge,
    /// The line closes the ear of `half` and the accepted edge after it, from their far ends.
    Ear,
    /// The line is the least free edge of the fan whose base is `half`.
    Fan,
}

/// All candidates, the least first.
pub(super) struct Candidates<'s> {
    sites: &'s Sites,
    /// Edges of the Delaunay triangulation, the least last.
    first: Vec<Candidate>,
    /// Those that came later: a binary heap, the least at its top. At most one of each half-edge, so that
    /// an edge that is flipped again and again does not leave a candidate each time.
    later: Vec<Candidate>,
    /// The place of each half-edge in the heap; `NONE` if it has none.
    places: Vec<u32>,
}

/// No place in the heap.
const NONE: u32 = u32::MAX;

impl<'s> Candidates<'s> {
    /// Begins with all free edges of a mesh. `O(n log n)` time, in parallel.
    pub(super) fn new(sites: &'s Sites, mesh: &Mesh) -> Self {
        let free = |half: u32| !mesh.is_accepted(half);
        let places = vec![NONE; 2 * mesh.edges() as usize];
        Self { sites, first: edges(sites, mesh, free), later: vec![], places }
    }

    /// Adds a candidate in place of the one of the same half-edge. `O(log n)` time.
    pub(super) fn push(&mut self, candidate: Candidate) {
        let place = match self.places[candidate.half as usize] {
            NONE => {
                self.later.push(candidate);
                self.later.len() - 1
            }
            place => {
                self.later[place as usize] = candidate;
                place as usize
            }
        };
        let place = self.rise(place);
        self.sink(place);
    }

    pub(super) fn pop(&mut self) -> Option<Candidate> {
        let is_later = match (self.later.first(), self.first.last()) {
            (Some(later), Some(first)) => self.sites.compare(&later.line, &first.line).is_lt(),
            (later, _) => later.is_some(),
        };
        if !is_later {
            return self.first.pop();
        }
        let least = self.later.swap_remove(0);
        self.places[least.half as usize] = NONE;
        if !self.later.is_empty() {
            self.sink(0);
        }
        Some(least)
    }

    fn is_less(&self, a: usize, b: usize) -> bool {
        self.sites.compare(&self.later[a].line, &self.later[b].line).is_lt()
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.later.swap(a, b);
        self.places[self.later[a].half as usize] = a as u32;
        self.places[self.later[b].half as usize] = b as u32;
    }

    /// Moves a candidate up past greater ones; returns its place.
    fn rise(&mut self, mut place: usize) -> usize {
        while place > 0 && self.is_less(place, (place - 1) / 2) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        place
    }

    /// Moves a candidate down past lesser ones, and notes its place.
    fn sink(&mut self, mut place: usize) {
        loop {
            self.places[self.later[place].half as usize] = place as u32;
            let below = 2 * place + 1..(2 * place + 3).min(self.later.len());
            let least = below.reduce(|a, b| if self.is_less(b, a) { b } else { a });
            let Some(least) = least.filter(|&it| self.is_less(it, place)) else { return };
            self.swap(place, least);
            place = least;
        }
    }
}

/// Those finite edges of a mesh that `are_wanted`, the least last. `O(n log n)` time, in parallel.
pub(super) fn edges(
    sites: &Sites,
    mesh: &Mesh,
    are_wanted: impl Fn(u32) -> bool + Sync,
) -> Vec<Candidate> {
    let mut edges: Vec<Candidate> = (0..mesh.edges())
        .into_par_iter()
        .map(|edge| 2 * edge)
        .filter(|&half| mesh.is_finite(half) && are_wanted(half))
        .map(|half| {
            let line = Line::new(&sites.places, mesh.ends(half));
            Candidate { line, half, kind: CandidateKind::Edge }
        })
        .collect();
    edges.par_sort_unstable_by(|a, b| sites.compare(&b.line, &a.line));
    edges
}
