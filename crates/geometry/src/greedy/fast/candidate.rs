//! Lines that may be the next to accept.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::super::line::Line;
use super::constrained_delaunay::Mesh;
use crate::points::Point;

/// Points as the mesh numbers them.
pub(super) struct Sites {
    /// Where vertex `v` lies.
    pub(super) places: Vec<Point>,
    /// Which point of the input it is.
    pub(super) index: Vec<u32>,
}

impl Sites {
    /// The line between two vertices, `[i, j]`, i < j, in numbers of the input.
    pub(super) fn named(&self, ends: [u32; 2]) -> [u32; 2] {
        let [a, b] = ends.map(|end| self.index[end as usize]);
        [a.min(b), a.max(b)]
    }

    /// By (length², i, j), exactly, with the points' numbers in the input.
    pub(super) fn compare(&self, a: &Line, b: &Line) -> Ordering {
        a.compare_length(b, &self.places).then_with(|| self.named(a.ends).cmp(&self.named(b.ends)))
    }
}

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
}

/// All candidates, the least first.
pub(super) struct Candidates<'s> {
    sites: &'s Sites,
    /// Edges of the Delaunay triangulation, the least last.
    first: Vec<Candidate>,
    /// Those that came later.
    later: BinaryHeap<ReverseCandidate<'s>>,
}

impl<'s> Candidates<'s> {
    /// Begins with all free edges of a mesh. `O(n log n)` time, in parallel.
    pub(super) fn new(sites: &'s Sites, mesh: &Mesh) -> Self {
        let free = |half: u32| !mesh.is_accepted(half);
        Self { sites, first: edges(sites, mesh, free), later: BinaryHeap::new() }
    }

    pub(super) fn push(&mut self, candidate: Candidate) {
        self.later.push(ReverseCandidate { candidate, sites: self.sites });
    }

    pub(super) fn pop(&mut self) -> Option<Candidate> {
        if let Some(later) = self.later.peek()
            && (self.first.last())
                .is_none_or(|it| self.sites.compare(&later.candidate.line, &it.line).is_lt())
        {
            return self.later.pop().map(|later| later.candidate);
        }
        self.first.pop()
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

/// A candidate in the heap, greater if its line is less.
struct ReverseCandidate<'s> {
    candidate: Candidate,
    sites: &'s Sites,
}

impl Ord for ReverseCandidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sites.compare(&other.candidate.line, &self.candidate.line)
    }
}

impl PartialOrd for ReverseCandidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ReverseCandidate<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ReverseCandidate<'_> {}
