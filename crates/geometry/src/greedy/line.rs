//! Lines between points, and the order in which a greedy triangulation takes them.

use std::cmp::Ordering;

use crate::points::{Point, compare_lengths};

/// The line between two points, named by their numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    length: Length,
    pub(super) ends: [u32; 2],
}

impl Line {
    pub(super) fn new(points: &[Point], ends: [u32; 2]) -> Self {
        Self { length: Length::of(ends.map(|end| points[end as usize])), ends }
    }

    /// By length², exactly, among the same points.
    pub(super) fn compare_length(&self, other: &Self, points: &[Point]) -> Ordering {
        let segment = |line: &Self| line.ends.map(|end| points[end as usize]);
        self.length
            .compare(other.length)
            .unwrap_or_else(|| compare_lengths(segment(self), segment(other)))
    }

    /// By (length², i, j), exactly; `ends` of both are `[i, j]`, i < j.
    pub(super) fn compare(&self, other: &Self, points: &[Point]) -> Ordering {
        self.compare_length(other, points).then(self.ends.cmp(&other.ends))
    }

    /// Whether this line is shorter, and rounding does not hide it.
    pub(super) fn is_surely_shorter(&self, other: &Self) -> bool {
        self.length.compare(other.length) == Some(Ordering::Less)
    }
}

/// A squared length in `f64`; negative if it is rounded.
#[derive(Debug, Clone, Copy)]
struct Length(f64);

impl Length {
    fn of([a, b]: [Point; 2]) -> Self {
        let ((x, x_exact), (y, y_exact)) = (difference(b.x, a.x), difference(b.y, a.y));
        let ((xx, xx_exact), (yy, yy_exact)) = (square(x), square(y));
        let (sum, sum_exact) = difference(xx, -yy);
        let exact = x_exact && y_exact && xx_exact && yy_exact && sum_exact;
        Self(if exact { sum } else { -sum })
    }

    /// `None` where rounding may hide which one is longer.
    fn compare(self, other: Self) -> Option<Ordering> {
        let (a, b) = (self.0.abs(), other.0.abs());
        // Either is off by at most (1 + ε)^4 − 1 of itself, ε = 2^−53, and their difference by ε.
        const BOUND: f64 = 4.0 * f64::EPSILON; // 8 ε
        let apart = (a - b).abs() > BOUND * (a + b);
        let exact = self.0 > 0.0 && other.0 > 0.0;
        (apart || exact).then(|| a.total_cmp(&b))
    }
}

/// `a − b` rounded, and whether that is exact (Knuth's two-sum).
fn difference(a: f64, b: f64) -> (f64, bool) {
    let difference = a - b;
    let of_b = a - difference;
    let of_a = difference + of_b;
    (difference, a == of_a && b == of_b)
}

/// `a²` rounded, and whether that is exact: the error of a rounded square does not underflow, for
/// the coordinates that `points::check` allows.
fn square(a: f64) -> (f64, bool) {
    let square = a * a;
    (square, a.mul_add(a, -square) == 0.0)
}
