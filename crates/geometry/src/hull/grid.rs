//! A filter at the speed of memory: which points lie certainly inside the hull of a few.

use rayon::prelude::*;

use super::simd::{self, Lanes, LanesJob};
use crate::points::Point;

/// Columns of a grid; its table of 16 KiB stays in the first-level cache.
pub const COLUMNS: usize = 512;

/// The points of one job; whole cache lines, and few enough to balance the threads.
const CHUNK: usize = 1 << 14;

/// A convex polygon cut into [`COLUMNS`] columns of equal width.
///
/// Each column has two lines, each through two vertices of the polygon, one on either side of the
/// column: a point in the column that is above one line and below the other lies inside. Lines are
/// kept as `y = a + b·x` in coordinates from an origin, x in columns, and moved inwards by far more
/// than all rounding on the way.
pub struct PolygonColumns {
    /// Where local coordinates begin: the lower chain's first vertex.
    pub origin: Point,
    /// [`COLUMNS`] over the polygon's width; in columns per unit of the coordinates.
    pub columns_per_unit: f64,
    /// `a` and `b` of the lower and of the upper line of each column.
    pub lines: Vec<[f64; 4]>,
}

/// An inward move of a line, relative to the ordinates of its two vertices. A number of columns is
/// off by at most 2^−52 of itself. So the slope, over one column at least, is off by 2^−40 of itself,
/// and the line by less than 2^−38 of the ordinates.
const INWARDS: f64 = 1.0 / (1_u64 << 30) as f64;
/// A vertex counts as left or right of a column if it is this part of a column away from it.
const AWAY: f64 = 1.0 / (1_u64 << 20) as f64;

impl PolygonColumns {
    /// Of the polygon between two chains from left to right, between the abscissas `from` and `to`;
    /// `None` if these are equal. `O(|lower| + |upper|)` time.
    pub fn new([lower, upper]: &[Vec<Point>; 2], from: f64, to: f64) -> Option<Self> {
        let columns_per_unit = COLUMNS as f64 / (to - from);
        if !columns_per_unit.is_finite() {
            return None;
        }
        let origin = Point { x: from, y: lower.first()?.y };
        let local = |chain: &[Point]| -> Vec<Point> {
            let x = |p: &Point| (p.x - origin.x) * columns_per_unit;
            chain.iter().map(|p| Point { x: x(p), y: p.y - origin.y }).collect()
        };
        let (lower, upper) = (local(lower), local(upper));
        let lines = lines(&lower, 1.0).zip(lines(&upper, -1.0));
        let lines = lines.map(|([a, b], [c, d])| [a, b, c, d]).collect();
        Some(Self { origin, columns_per_unit, lines })
    }

    /// The indices of all points but such as are certainly inside the polygon, in order.
    pub(super) fn outside(&self, points: &[Point], simd: bool) -> Vec<u32> {
        let chunks = points.par_chunks(CHUNK).enumerate().map(|(rank, points)| {
            let mut kept = vec![];
            simd::run(
                simd,
                FilterPass { grid: self, points, first: rank * CHUNK, kept: &mut kept },
            );
            kept
        });
        chunks.collect::<Vec<_>>().concat()
    }
}

/// The line of each column: `a` and `b`, through the nearest vertices of `chain`, which runs from
/// left to right, on both sides; moved towards larger ordinates with `inwards` 1, smaller with −1.
fn lines(chain: &[Point], inwards: f64) -> impl Iterator<Item = [f64; 2]> {
    let mut after = 0;
    (0..COLUMNS).map(move |column| {
        let (from, to) = (column as f64 - AWAY, (column + 1) as f64 + AWAY);
        while chain.get(after).is_some_and(|p| p.x <= from) {
            after += 1;
        }
        let before = after.checked_sub(1).map(|it| chain[it]);
        let behind = chain[after..].iter().find(|p| p.x >= to);
        let (Some(p), Some(q)) = (before, behind) else {
            return [inwards * f64::INFINITY, 0.0]; // nothing is certain here
        };
        let slope = (q.y - p.y) / (q.x - p.x);
        let margin = INWARDS * (p.y.abs() + q.y.abs());
        [p.y - slope * p.x + inwards * margin, slope]
    })
}

/// Keeps the points of a chunk that are not certainly inside.
struct FilterPass<'a> {
    grid: &'a PolygonColumns,
    points: &'a [Point],
    first: usize,
    kept: &'a mut Vec<u32>,
}

impl LanesJob for FilterPass<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { grid: PolygonColumns { origin, columns_per_unit, lines }, points, first, kept } =
            self;
        let [origin_x, origin_y, scale] =
            [origin.x, origin.y, *columns_per_unit].map(|it| lanes.splat(it));
        let (begin, end) = (lanes.splat(-AWAY / 2.0), lanes.splat(COLUMNS as f64));
        let all = (1 << L::LANES) - 1;
        let mut groups = points.chunks_exact(L::LANES);
        for (rank, group) in groups.by_ref().enumerate() {
            let [x, y] = lanes.points(group);
            let x = lanes.times(lanes.minus(x, origin_x), scale);
            let y = lanes.minus(y, origin_y);
            let [a, b, c, d] = lanes.rows(lines, lanes.truncated(x));
            let lower = lanes.plus(a, lanes.times(b, x));
            let upper = lanes.plus(c, lanes.times(d, x));
            let inside = lanes.less(begin, x)
                & lanes.less(x, end)
                & lanes.less(lower, y)
                & lanes.less(y, upper);
            let mut outside = !inside & all;
            while outside != 0 {
                let lane = outside.trailing_zeros();
                kept.push((first + rank * L::LANES) as u32 + lane);
                outside &= outside - 1;
            }
        }
        let rest = groups.remainder().len();
        kept.extend((first + points.len() - rest..first + points.len()).map(|i| i as u32));
    }
}
