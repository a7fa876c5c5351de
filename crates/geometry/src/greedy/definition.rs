//! The greedy triangulation as it is defined.

use super::conflict::conflict;
use super::line::Line;
use crate::points::Point;

/// The edges of the greedy triangulation of distinct points, in the order of acceptance: of all
/// lines, in order, those that conflict with none accepted before. `O(n³)` time, `O(n²)` memory: to
/// test other engines with.
pub fn triangulate(points: &[Point]) -> Vec<[u32; 2]> {
    let n = points.len() as u32;
    let mut lines: Vec<Line> =
        (0..n).flat_map(|i| (i + 1..n).map(move |j| Line::new(points, [i, j]))).collect();
    lines.sort_by(|a, b| a.compare(b, points));
    let mut edges: Vec<[u32; 2]> = vec![];
    for line in lines {
        if edges.iter().all(|&edge| !conflict(points, edge, line.ends)) {
            edges.push(line.ends);
        }
    }
    edges
}
