//! Which of two segments is longer, exactly and without a square root.

use std::cmp::Ordering;

use super::Point;

/// Compares `|ab|²` with `|cd|²`. Exact for all coordinates that [`super::check`] allows: in `f64`
/// where the rounding errors cannot matter, else in expansions, that is sums of numbers whose bits
/// do not overlap (Shewchuk 1997).
pub fn compare_lengths([a, b]: [Point; 2], [c, d]: [Point; 2]) -> Ordering {
    let square = |p: Point, q: Point| {
        let (x, y) = (q.x - p.x, q.y - p.y);
        x * x + y * y
    };
    let (first, second) = (square(a, b), square(c, d));
    let difference = first - second;
    // With ε = 2^−53, each square is off by at most (1 + ε)^4 − 1 of itself, the difference by ε.
    const BOUND: f64 = 4.0 * f64::EPSILON; // 8 ε
    if difference.abs() > BOUND * (first + second) {
        return difference.total_cmp(&0.0);
    }
    let mut sum = Expansion { terms: [0.0; 24], len: 0 };
    for (p, q, sign) in [(a, b, 1.0), (c, d, -1.0)] {
        for (from, to) in [(p.x, q.x), (p.y, q.y)] {
            let (high, low) = two_sum(to, -from);
            for (factor, other) in [(high, high), (2.0 * high, low), (low, low)] {
                let (product, error) = two_product(factor, other);
                sum.add(sign * error);
                sum.add(sign * product);
            }
        }
    }
    sum.sign()
}

/// `a + b` as a rounded sum and its error, exactly (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    let of_a = sum - of_b;
    (sum, (a - of_a) + (b - of_b))
}

/// `a · b` as a rounded product and its error, exactly if neither over- nor underflows.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

/// The sum of `terms`, from small to large, whose bits do not overlap.
struct Expansion {
    terms: [f64; 24],
    len: usize,
}

impl Expansion {
    /// Shewchuk's Grow-Expansion.
    fn add(&mut self, number: f64) {
        let mut carried = number;
        for term in &mut self.terms[..self.len] {
            (carried, *term) = two_sum(carried, *term);
        }
        self.terms[self.len] = carried;
        self.len += 1;
    }

    /// That of the largest term which is not 0.
    fn sign(&self) -> Ordering {
        let largest = self.terms[..self.len].iter().rfind(|&&term| term != 0.0);
        largest.map_or(Ordering::Equal, |term| term.total_cmp(&0.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Squares of differences of whole numbers below 2^53 fit 110 bits.
    fn by_integers([a, b, c, d]: [(i64, i64); 4]) -> Ordering {
        let square = |p: (i64, i64), q: (i64, i64)| {
            let (x, y) = (i128::from(q.0) - i128::from(p.0), i128::from(q.1) - i128::from(p.1));
            x * x + y * y
        };
        square(a, b).cmp(&square(c, d))
    }

    fn compared(corners: [(i64, i64); 4], scale: f64) -> Ordering {
        let [a, b, c, d] = corners.map(|(x, y)| Point { x: x as f64 * scale, y: y as f64 * scale });
        compare_lengths([a, b], [c, d])
    }

    /// Both ends of the range, and the middle.
    const SCALES: [i32; 3] = [-142, 0, 201 - 53];

    fn coordinate() -> impl Strategy<Value = i64> {
        let most = (1_i64 << 53) - 1;
        prop_oneof![-most..=most, most - 4..=most, -most..=-most + 4, -3..=3_i64]
    }

    proptest! {
        #[test]
        fn as_whole_numbers_have_it(
            corners in prop::array::uniform4((coordinate(), coordinate())),
        ) {
            for scale in SCALES {
                let got = compared(corners, 2_f64.powi(scale));
                prop_assert_eq!(got, by_integers(corners));
            }
        }

        /// Ties, and what is next to a tie: the same segment turned, moved and pushed by a unit.
        #[test]
        fn near_ties(
            (x, y) in (-(1_i64 << 51)..1 << 51, -(1_i64 << 51)..1 << 51),
            (at, off) in ((-(1_i64 << 51)..1 << 51, -(1_i64 << 51)..1 << 51), -1..=1_i64),
            (turns, mirrored) in (0..4, any::<bool>()),
        ) {
            let (mut u, mut v) = if mirrored { (y, x) } else { (x, y) };
            for _ in 0..turns {
                (u, v) = (-v, u);
            }
            let corners = [(0, 0), (x, y), at, (at.0 + u, at.1 + v + off)];
            for scale in SCALES {
                let got = compared(corners, 2_f64.powi(scale));
                prop_assert_eq!(got, by_integers(corners));
            }
            if off == 0 {
                prop_assert_eq!(compared(corners, 1.0), Ordering::Equal);
            }
        }
    }

    #[test]
    fn differences_that_f64_does_not_hold() {
        let p = |x, y| Point { x, y };
        let (tiny, huge) = (super::super::LEAST, super::super::MOST);
        // (2^201 + 2^−142)² against (2^201)²: only the error of the difference tells.
        let longer = [p(-tiny, 0.0), p(huge, 0.0)];
        let shorter = [p(0.0, 0.0), p(huge, 0.0)];
        assert_eq!(compare_lengths(longer, shorter), Ordering::Greater);
        assert_eq!(compare_lengths(shorter, longer), Ordering::Less);
        assert_eq!(compare_lengths(longer, [longer[1], longer[0]]), Ordering::Equal);
        // Neighbours on an axis, tiny² apart.
        let aside = [p(0.0, 0.0), p(huge, tiny)];
        assert_eq!(compare_lengths(aside, shorter), Ordering::Greater);
        assert_eq!(compare_lengths(shorter, [p(0.0, tiny), p(huge, 0.0)]), Ordering::Less);
    }
}
