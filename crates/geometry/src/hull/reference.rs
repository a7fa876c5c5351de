//! Andrew's monotone chain: simple and exact. The other engines end with it, too.

use rayon::prelude::*;

use super::{IndexedPoint, left_turns, place, ring};
use crate::points::Point;

/// The hull, by sorting all points. `O(n log n)` time at worst, the sort in parallel.
pub fn monotone_chain(points: &[Point]) -> Vec<u32> {
    let site = |(index, &point): (usize, &Point)| IndexedPoint { point, index: index as u32 };
    finish(points.iter().enumerate().map(site).collect())
}

/// The hull of `sites`, which come in any order. `O(n log n)` time.
pub fn finish(mut sites: Vec<IndexedPoint>) -> Vec<u32> {
    sites.par_sort_unstable_by_key(|site| place(site.point));
    sites.dedup_by(|copy, kept| {
        let is_copy = copy.point == kept.point;
        if is_copy {
            kept.index = kept.index.min(copy.index);
        }
        is_copy
    });
    let (lower, upper) = rayon::join(
        || left_turns(sites.iter().copied()),
        || left_turns(sites.iter().rev().copied()),
    );
    ring(&lower, &upper)
}
