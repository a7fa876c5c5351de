//! Greedy triangulation (Shoemaker, *Greedy Triangulation via GPU*, Section V): how many lines it
//! has, how many conflict tests it takes and how many operations, as published and as they are.
//!
//! Points are random, uniform in a square; n of them have `L = n(n − 1)/2` lines. Rounds count from
//! 1; a round accepts the smallest line left and tests those that are left after it.

use std::f64::consts::{LN_2, PI, SQRT_2};

use serde::Serialize;

use super::{Bound, Instance};

/// Of the shipped listing: one thread reads the flag of each line once, as the paper's kernel
/// `find_new_small` does on one block of one thread.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    let (Some("greedy"), Some(n)) = (point.shipped, point.parameter("n")) else { return vec![] };
    vec![Bound {
        name: "greedy search",
        source: "proven here",
        assumptions: "",
        kind: point.exact(),
        phase: Some("find_new_small".to_owned()),
        value: n * n.saturating_sub(1) / 2 * point.latency(),
        formula: "n(n − 1)/2·l",
    }]
}

/// What is expected of n points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Expectation {
    /// Points.
    pub n: u64,
    /// A<sub>n</sub> as published.
    pub edges_published: f64,
    /// Expected edges of a triangulation: 3n − 3 less the hull's vertices.
    pub edges: f64,
    /// C<sub>n</sub> as published.
    pub tests_published: f64,
    /// The paper's sum with the right number of edges.
    pub tests_even: f64,
    /// By [`alive`].
    pub tests: f64,
    /// N<sub>n</sub> as published.
    pub operations_published: f64,
    /// By [`operations_per_test`] and the tests above.
    pub operations: f64,
}

/// Everything here for one `n ≥ 1`, in the time of [`hull_vertices`].
pub fn expectation(n: u64) -> Expectation {
    let tests = tests(n);
    Expectation {
        n,
        edges_published: edges_published(n),
        edges: edges(n),
        tests_published: tests_even(n, edges_published(n)),
        tests_even: tests_even(n, edges(n)),
        tests,
        operations_published: operations_published(n),
        operations: tests * operations_per_test(n) + find_new_small(n, edges(n)),
    }
}

/// `L`, the lines between n points.
pub fn lines(n: u64) -> f64 {
    let n = n as f64;
    n * (n - 1.0) / 2.0
}

/// Expected vertices of the convex hull of n ≥ 2 points: `8/3 · (Σ_{k ≤ n} (1 − 2^−k)/k − 1/(n·2^n))`,
/// from the expected area of the hull of n − 1 (Buchta 1984, *Zufallspolygone in konvexen
/// Vielecken*; Efron 1965, *The convex hull of a random set of points*). For large n it is
/// `8/3 · (ln n + γ − ln 2)` (Rényi and Sulanke 1963), which is taken from 2¹⁶ on, where the harmonic
/// number's next term, 1/(2n), is left. `O(min(n, 2¹⁶))` time.
pub fn hull_vertices(n: u64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    if n > 1 << 16 {
        let n = n as f64;
        return 8.0 / 3.0 * (n.ln() + EULER + 0.5 / n - LN_2);
    }
    let power = |k: u64| (-(k as f64)).exp2();
    let sum: f64 = (1..=n).map(|k| (1.0 - power(k)) / k as f64).sum();
    8.0 / 3.0 * (sum - power(n) / n as f64)
}

/// Expected edges of a triangulation, `3n − 3 − h` with the expected `h`: A<sub>n</sub> as it is.
pub fn edges(n: u64) -> f64 {
    3.0 * n as f64 - 3.0 - hull_vertices(n)
}

/// A<sub>n</sub> as published, a quadratic through means of five runs; too large from n = 64 on, as
/// the points repeat (`docs/errata.md`).
pub fn edges_published(n: u64) -> f64 {
    let n = n as f64;
    2.01931e-3 * n * n + 2.7221 * n + 5.27957
}

/// C<sub>n</sub>, the conflict tests if each round eliminates as many lines: the paper's
/// `Σ_{i ≤ A} (L − (i − 1)(L − A)/A − 1)`, which is `(A² + A(L − 3) + L)/2` as it says.
///
/// Accepted lines are tested again in every later round, as the paper's GPU program does. One that
/// takes them out, like its serial program, makes `A(A − 1)/2` tests less.
pub fn tests_even(n: u64, edges: f64) -> f64 {
    (edges * edges + edges * (lines(n) - 3.0) + lines(n)) / 2.0
}

/// Lines left after `round` rounds, accepted ones apart; g(n, r) of the paper, the lines that round
/// r eliminates, is `alive(n, r − 1) − alive(n, r) − 1`.
///
/// The pairs of points within d are about `π d² n² / 2`, so the r-th line accepted is about
/// `√(2r / (π n²))` long while few are refused, and the first r together are
/// `(2/3) √(2/π) r^1.5 / n`. Segments of total length Λ in all directions cross one of length s
/// `2 s Λ / π` times on average (Buffon), so that it is left with probability `exp(−κ s)`,
/// `κ = 4/(3π) · √(2/π) · r^1.5 / n`. The mean over s is that over pairs of points of the square.
/// So almost all lines are gone after about `n^(2/3)` rounds, of 3n. The share of lines left is right
/// to 0.1 for n = 64 and 256 (tested).
pub fn alive(n: u64, round: u64) -> f64 {
    let kappa = RATE * (round as f64).powf(1.5) / n as f64;
    lines(n) * mean_over_lengths(|s| (-kappa * s).exp())
}

/// `4/(3π) · √(2/π)`
#[doc(hidden)]
pub const RATE: f64 = 0.338_632_724_982_618_5;

/// Expected conflict tests, each line left tested once a round, without those accepted:
/// `Σ_r alive(n, r)`, as an integral over all rounds
/// `L · Γ(5/3) · E[s^(−2/3)] · (n / RATE)^(2/3)`, about `1.77 n^(8/3)`. `O(1)` time.
pub fn tests(n: u64) -> f64 {
    const GAMMA_5_3: f64 = 0.902_745_292_950_933_6;
    let mean = mean_over_lengths(|s| s.powf(-2.0 / 3.0));
    lines(n) * GAMMA_5_3 * mean * (n as f64 / RATE).powf(2.0 / 3.0)
}

/// The mean of `f(s)` over the distances s of two points of the unit square.
#[doc(hidden)]
pub fn mean_over_lengths(f: impl Fn(f64) -> f64) -> f64 {
    const STEPS: u32 = 2000;
    let step = SQRT_2 / f64::from(STEPS);
    let middles = (0..STEPS).map(|i| (f64::from(i) + 0.5) * step);
    middles.map(|s| f(s) * density(s) * step).sum()
}

/// The density of the distance of two points of the unit square (Ghosh 1951, *Random distances
/// within a rectangle and between two rectangles*).
fn density(s: f64) -> f64 {
    if s <= 1.0 {
        return 2.0 * s * (PI - 4.0 * s + s * s);
    }
    let t = (s * s - 1.0).sqrt();
    2.0 * s * (4.0 * t - (s * s + 2.0 - PI) - 4.0 * t.atan())
}

/// F<sub>n</sub> as published: comparisons and logical operations count as operations.
pub fn operations_per_test_published(n: u64) -> f64 {
    let n = n as f64;
    58.3281 - 428.625 / n + 1255.88 / n.powi(2) - 1654.5 / n.powi(3) + 821.25 / n.powi(4)
}

/// F<sub>n</sub> with its slips corrected (`docs/errata.md`), every branch as likely as the paper
/// has it.
pub fn operations_per_test(n: u64) -> f64 {
    const IS_EQUAL: f64 = 1.5;
    const LIES_ON: f64 = 15.0 / 4.0;
    const ORIENT: f64 = 9.0;
    // That an end of one line is a given end of another line.
    let equal = 1.0 / (n as f64 + 1.0);
    let unequal = 1.0 - equal;
    let share_endpoint: f64 = (0..4).map(|calls| IS_EQUAL * unequal.powi(calls)).sum();
    // o1 ≠ o2 and o3 ≠ o4; then up to four times o = 0 and lies_on.
    let crossing = 4.0 * ORIENT + 3.0;
    let touching = 1.0 + 1.0 + LIES_ON;
    let intersects: f64 = [0.5, 0.25, 0.125, 0.0625, 0.0625]
        .iter()
        .zip(0..)
        .map(|(probability, times)| probability * (crossing + f64::from(times) * touching))
        .sum();
    1.0 + share_endpoint + unequal.powi(4) * intersects
}

/// Operations that keep the index of the smallest line, as published.
fn find_new_small(n: u64, edges: f64) -> f64 {
    3.0 * lines(n) - 2.0 * edges
}

/// N<sub>n</sub> as published: `C F + 3L − 2A`.
pub fn operations_published(n: u64) -> f64 {
    let edges = edges_published(n);
    tests_even(n, edges) * operations_per_test_published(n) + find_new_small(n, edges)
}
