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
