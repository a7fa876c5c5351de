//! When two lines cannot both be in a triangulation.

use crate::points::{Point, lexicographic, orientation, segments_meet};

/// Whether lines `[i, j]` and `[k, l]` between distinct points share any point other than one
/// common end: they cross, touch or overlap, or one passes through an end of the other. Exact.
///
/// The paper's `conflicts` (Shoemaker, appendix) leaves out lines with a common end; two of them
/// conflict if they run the same way.
pub fn conflict(points: &[Point], [i, j]: [u32; 2], [k, l]: [u32; 2]) -> bool {
    let at = |end: u32| points[end as usize];
    match [i, j].iter().position(|&end| end == k || end == l) {
        Some(common) => {
            let (from, to) = if common == 0 { (i, j) } else { (j, i) };
            let other = if from == k { l } else { k };
            run_alike(at(from), at(to), at(other))
        }
        None => segments_meet(at(i), at(j), at(k), at(l)),
    }
}

/// Whether `b` and `c` lie in the same direction from `a`.
fn run_alike(a: Point, b: Point, c: Point) -> bool {
    lexicographic(a, b) == lexicographic(a, c) && orientation(a, b, c) == 0.0
}
