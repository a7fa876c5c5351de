//! Lines that are accepted before anything else.

use std::collections::VecDeque;

use super::{Mesh, NONE};
use crate::points::orientation;

impl Mesh<'_> {
    /// Accepts lines of which no two conflict, and that pass through no vertex, and keeps the
    /// triangulation constrained Delaunay.
    pub(in super::super) fn insert(&mut self, lines: &[[u32; 2]]) {
        self.at = vec![NONE; self.sites.places.len() + 1];
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
    pub(in super::super) fn fill(&mut self, bounds: &[[u32; 2]]) {
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
        let [a, b] = line.map(|end| self.sites.places[end as usize]);
        let mut crossed = self.crossed(line);
        while let Some(edge) = crossed.pop_front() {
            let h = 2 * edge;
            let [r, p] = [h, h ^ 1].map(|h| self.to(self.next(h)));
            let [s, t, at_r, at_p] = [self.half(h).origin, self.to(h), r, p]
                .map(|vertex| self.sites.places[vertex as usize]);
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
        let [a, b] = [from, to].map(|end| self.sites.places[end as usize]);
        let is_ahead = |&h: &u32| {
            let [p, r] = [h, self.counter_clockwise(h)].map(|h| self.to(h) as usize);
            let places = self.sites.places.get(p).zip(self.sites.places.get(r));
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
            let is_left = orientation(a, b, self.sites.places[apex as usize]) > 0.0;
            h = if is_left { beyond } else { self.next(beyond) };
            crossed.push_back(h / 2);
        }
    }
}
