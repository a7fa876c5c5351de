//! How often each branch of the paper's conflict test is taken (Shoemaker, appendix and Section V),
//! where the paper takes all for equally likely.
//!
//! ```text
//! conflicts        not share_endpoint and intersects
//! share_endpoint   up to four times is_equal: of two x, and then of two y
//! intersects       o1 ≠ o2 and o3 ≠ o4, or up to four times o = 0 and lies_on
//! lies_on          up to four times a coordinate against a maximum or a minimum
//! ```
//!
//! Conditions joined by `and` and `or` are computed as far as they are needed, as in CUDA C.

use std::iter::Sum;
use std::ops::Add;

use serde::Serialize;

use super::conflict::conflict;
use super::paper::{self, TooMany};
use crate::points::{Point, orientation};

/// Counts of all conflict tests of a triangulation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Branches {
    /// Calls of `conflicts`.
    pub tests: u64,
    /// Calls of `is_equal`.
    pub equality_tests: u64,
    /// Of these, those whose points have one x, so that y is compared.
    pub same_x: u64,
    /// Tests of lines that share an end, which go no further.
    pub sharing: u64,
    /// Tests in which o1 ≠ o2.
    pub apart: u64,
    /// Tests in which o3 ≠ o4, too: the lines cross, or an end of one lies on the other.
    pub crossing: u64,
    /// Comparisons of an orientation with 0.
    pub zero_tests: u64,
    /// Calls of `lies_on`.
    pub on_line: u64,
    /// Comparisons of a coordinate that these make.
    pub extents: u64,
    /// Tests that end with one of these calls true.
    pub touching: u64,
}

impl Branches {
    /// Operations that these tests take as the paper counts: 9 for an orientation; 1 for a
    /// comparison, for `not` and for `and`; of `lies_on` also 1 for each maximum or minimum; none
    /// for the `and` of `is_equal` and of `lies_on`, and for `or`.
    pub const fn operations(&self) -> u64 {
        let share_endpoint = self.equality_tests + self.same_x;
        let intersects = (4 * 9 + 1) * (self.tests - self.sharing) + 2 * self.apart;
        self.tests + share_endpoint + intersects + self.zero_tests + self.on_line + 2 * self.extents
    }

    /// F<sub>n</sub> as it is: [operations](Self::operations) of a test on average; NaN of none.
    pub fn operations_per_test(&self) -> f64 {
        self.operations() as f64 / self.tests as f64
    }

    /// The paper's test of two lines, counted; whether they conflict by it.
    fn conflicts(&mut self, points: &[Point], i: [u32; 2], j: [u32; 2]) -> bool {
        self.tests += 1;
        let [ip, iq, jp, jq] = [i[0], i[1], j[0], j[1]].map(|end| points[end as usize]);
        if [(ip, jp), (ip, jq), (iq, jp), (iq, jq)].into_iter().any(|(p, q)| self.is_equal(p, q)) {
            self.sharing += 1;
            return false;
        }
        let turn = |p, q, r| orientation(p, q, r).total_cmp(&0.0);
        let turns = [turn(ip, iq, jp), turn(ip, iq, jq), turn(jp, jq, ip), turn(jp, jq, iq)];
        let [o1, o2, o3, o4] = turns;
        if o1 != o2 {
            self.apart += 1;
            if o3 != o4 {
                self.crossing += 1;
                return true;
            }
        }
        let ends = [(ip, jp, iq), (ip, jq, iq), (jp, ip, jq), (jp, iq, jq)];
        let touching = turns.into_iter().zip(ends).any(|(turn, (p, q, r))| {
            self.zero_tests += 1;
            turn.is_eq() && self.lies_on(p, q, r)
        });
        self.touching += u64::from(touching);
        touching
    }

    fn is_equal(&mut self, p: Point, q: Point) -> bool {
        self.equality_tests += 1;
        self.same_x += u64::from(p.x == q.x);
        p == q
    }

    /// Whether q is between p and r, which lie on one line.
    fn lies_on(&mut self, p: Point, q: Point, r: Point) -> bool {
        self.on_line += 1;
        let within =
            [q.x <= p.x.max(r.x), q.x >= p.x.min(r.x), q.y <= p.y.max(r.y), q.y >= p.y.min(r.y)];
        let true_ones = within.iter().take_while(|it| **it).count();
        self.extents += within.len().min(true_ones + 1) as u64;
        true_ones == within.len()
    }
}

impl Add for Branches {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            equality_tests: self.equality_tests + other.equality_tests,
            same_x: self.same_x + other.same_x,
            sharing: self.sharing + other.sharing,
            apart: self.apart + other.apart,
            crossing: self.crossing + other.crossing,
            zero_tests: self.zero_tests + other.zero_tests,
            on_line: self.on_line + other.on_line,
            extents: self.extents + other.extents,
            touching: self.touching + other.touching,
        }
    }
}

impl Sum for Branches {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// The branches of all tests that [`paper::run`] makes of distinct points: of each accepted line
/// with each line left after it. `O(n³)` tests.
///
/// # Errors
/// [`TooMany`] above [`paper::MOST_POINTS`].
pub fn count(points: &[Point]) -> Result<Branches, TooMany> {
    let mut branches = Branches::default();
    let test = |line, other| {
        // Of lines from one end that run the same way the paper's test says that they do not.
        branches.conflicts(points, line, other) || conflict(points, line, other)
    };
    paper::run_with(points, test, |_| ())?;
    Ok(branches)
}
