//! Algorithm 1 of Srikanth et al., the sequential iterative quickhull, corrected.

use super::quickhull_chains::{Chain, Half, most_rounds, outside, solve};
use super::{IndexedPoint, ends};
use crate::points::Point;

/// The hull by the paper's Algorithm 1, on one thread: in each round every point computes its
/// distance from the edge that its label names, the farthest point of each label joins the hull, and
/// points that are not outside their edge are dropped.
///
/// `O(n log n)` time: after 2 log₂ n + 8 rounds, what is left is sorted.
pub fn sequential(points: &[Point]) -> Vec<u32> {
    let sites: Vec<IndexedPoint> =
        points.iter().zip(0..).map(|(&point, index)| IndexedPoint { point, index }).collect();
    solve(ends(sites.iter().copied()), |half, ends| quickhull(half, ends, sites.clone()))
}

/// The chain of the points `p` outside the line between its ends. Names are the paper's.
fn quickhull(half: Half, ends: [IndexedPoint; 2], mut p: Vec<IndexedPoint>) -> Chain {
    let mut ans = ends.to_vec();
    let mut label = vec![0_usize; p.len()];
    let mut dist = vec![0.0; p.len()];
    for _ in 0..most_rounds(p.len()) {
        for i in 0..p.len() {
            let (l, r) = (ans[label[i]], ans[label[i] + 1]);
            dist[i] = outside(l.point, r.point, p[i].point);
        }
        // The farthest point of each label that is outside its edge.
        let mut max: Vec<Option<usize>> = vec![None; ans.len() - 1];
        for i in 0..p.len() {
            let max = &mut max[label[i]];
            if dist[i] > max.map_or(0.0, |farthest| dist[farthest]) {
                *max = Some(i);
            }
        }
        // Before the edge of label l, state[l] points join the hull.
        let mut state = vec![0; max.len()];
        let mut next = vec![ans[0]];
        for l in 0..max.len() {
            state[l] = next.len() - 1 - l;
            next.extend(max[l].map(|i| p[i]));
            next.push(ans[l + 1]);
        }
        // What is outside is kept; it lies before or after the farthest point of its label.
        let mut kept = 0;
        for i in 0..p.len() {
            if dist[i] > 0.0 {
                let l = label[i] + state[label[i]];
                let is_before = half.is_before(p[i].point, next[l + 1].point);
                (p[kept], label[kept]) = (p[i], if is_before { l } else { l + 1 });
                kept += 1;
            }
        }
        p.truncate(kept);
        ans = next;
        if p.is_empty() {
            break;
        }
    }
    Chain { found: ans, left: p }
}
