//! The points of a mesh.

use std::cmp::Ordering;

use super::super::line::Line;
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
