//! What both quickhulls have in common: the two halves of the problem, and the sign of a turn.

use super::reference::finish;
use super::{IndexedPoint, left_turns, ring};
use crate::points::{Point, orientation};

/// The relative error below which the sign in [`outside`] is uncertain: (3 + 16 ε) ε with ε = 2^−53
/// (Shewchuk 1997).
pub(super) const UNCERTAIN: f64 = 3.330_669_073_875_471_6e-16;

/// How far `p` lies on the right of the line from `l` to `r`, times the length of `l r`. The sign is
/// exact, the size rounded.
pub(super) fn outside(l: Point, r: Point, p: Point) -> f64 {
    let left = (r.x - l.x) * (p.y - l.y);
    let right = (r.y - l.y) * (p.x - l.x);
    let distance = right - left;
    if distance.abs() > UNCERTAIN * (left.abs() + right.abs()) {
        distance
    } else {
        -orientation(l, r, p)
    }
}

/// The vertices are found in two halves, each a chain that runs counter-clockwise.
#[derive(Clone, Copy)]
pub(super) enum Half {
    /// From the leftmost to the rightmost point.
    Lower,
    /// Back.
    Upper,
}

impl Half {
    /// Whether the chain meets `a` before `b`. Of points with the same x, those with the smaller y
    /// count as further left, and so vertical edges need no care.
    pub(super) fn is_before(self, a: Point, b: Point) -> bool {
        let (a, b) = match self {
            Self::Lower => (a, b),
            Self::Upper => (b, a),
        };
        (a.x < b.x) | ((a.x == b.x) & (a.y < b.y)) // without a branch
    }
}

/// What a quickhull makes of a half: points of the chain in their order, all its vertices among
/// them unless some are `left`.
pub(super) struct Chain {
    pub(super) found: Vec<IndexedPoint>,
    pub(super) left: Vec<IndexedPoint>,
}

/// Rounds after which a quickhull gives up on `n` points. Random points on a circle, all of them
/// vertices, take about log₂ n; but there are inputs of which each round finds one vertex and drops
/// nothing.
pub(super) fn most_rounds(n: usize) -> u32 {
    2 * n.max(1).ilog2() + 8
}

/// The hull, where `half` finds the chain from one of the two `ends` of all sites to the other.
///
/// Sizes of distances are rounded, so a chain may have points that are no vertices: a last scan
/// drops them. What is left, if anything, is sorted.
pub(super) fn solve(
    ends: Option<[IndexedPoint; 2]>,
    half: impl Fn(Half, [IndexedPoint; 2]) -> Chain,
) -> Vec<u32> {
    let Some([min, max]) = ends else { return vec![] };
    if min.point == max.point {
        return vec![min.index];
    }
    let lower = half(Half::Lower, [min, max]);
    let upper = half(Half::Upper, [max, min]);
    if lower.left.is_empty() && upper.left.is_empty() {
        let [lower, upper] = [lower, upper].map(|chain| left_turns(chain.found.into_iter()));
        return ring(&lower, &upper);
    }
    finish([lower.found, lower.left, upper.found, upper.left].concat())
}
