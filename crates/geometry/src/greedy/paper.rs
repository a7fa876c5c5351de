//! The greedy triangulation as Shoemaker's *Greedy triangulation via GPU* has it: all lines, sorted,
//! and then by rounds the least line left, which eliminates all that conflict with it.
//!
//! What differs from the paper: predicates and lengths are exact, ties are broken by the numbers of
//! the ends, and lines from a common end that run the same way conflict. So the result has exactly
//! 3n − 3 − h edges, where the paper reports 4874 for n = 1024.

use std::time::Instant;

use thiserror::Error;

use super::conflict::conflict;
use super::line::Line;
use crate::points::Point;

/// The most points: their lines take 2.3 GB.
pub const MOST_POINTS: usize = 1 << 14;

/// Bytes for each of the n(n − 1)/2 lines, with its flag.
pub const BYTES_PER_LINE: usize = size_of::<Line>() + size_of::<bool>();

/// More points than the paper's algorithm is run for: it keeps all their lines in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{n} points have {} lines, which take {:.1} GB; give at most {MOST_POINTS} points, or choose \
     the fast engine",
    lines(*n),
    lines(*n) as f64 * BYTES_PER_LINE as f64 / 1e9
)]
pub struct TooMany {
    /// Points given; they have n(n − 1)/2 lines.
    pub n: usize,
}

/// What was found, and what it took.
#[derive(Debug, Clone, Default)]
pub struct PaperTriangulation {
    /// In the order of acceptance, `[i, j]` with i < j; one a round.
    pub edges: Vec<[u32; 2]>,
    /// Seconds to make all lines.
    pub generate_s: f64,
    /// Seconds to sort the lines by length.
    pub sort_s: f64,
    /// Seconds of all rounds.
    pub triangulate_s: f64,
    /// Conflict tests of all rounds.
    pub tests: u64,
}

/// What one round did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// The line that was accepted.
    pub line: [u32; 2],
    /// Conflict tests: one with each line that was left after it.
    pub tests: u64,
    /// Lines eliminated, the paper's g(n, round).
    pub eliminated: u64,
}

/// Number of lines between n points.
pub const fn lines(n: usize) -> u64 {
    n as u64 * (n as u64).saturating_sub(1) / 2
}

/// The edges of the greedy triangulation of distinct points that `points::check` passes, in the
/// order of acceptance. `O(n²)` memory, [`BYTES_PER_LINE`] a line; `O(n³)` conflict tests.
///
/// # Errors
/// [`TooMany`] above [`MOST_POINTS`].
pub fn triangulate(points: &[Point]) -> Result<Vec<[u32; 2]>, TooMany> {
    Ok(run(points, |_| ())?.edges)
}

/// As [`triangulate`]; `each_round` is called at the end of every round.
///
/// # Errors
/// [`TooMany`] above [`MOST_POINTS`].
pub fn run(points: &[Point], each_round: impl FnMut(Round)) -> Result<PaperTriangulation, TooMany> {
    run_with(points, |line, other| conflict(points, line, other), each_round)
}

/// As [`run`], with whatever tests whether two lines conflict.
pub(super) fn run_with(
    points: &[Point],
    mut conflicts: impl FnMut([u32; 2], [u32; 2]) -> bool,
    mut each_round: impl FnMut(Round),
) -> Result<PaperTriangulation, TooMany> {
    share(points, Share::WHOLE, &mut conflicts, |mine| mine, &mut each_round)
}

/// A share of all lines: every `of`-th, from number `number` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// From 0.
    pub number: usize,
    /// How many shares there are.
    pub of: usize,
}

impl Share {
    /// All lines.
    pub const WHOLE: Self = Self { number: 0, of: 1 };
}

/// As [`run`], by one of several that have a share each. `smallest` receives the smallest line left of
/// this share, `None` for none, and gives the [`smallest`] of all shares, once all have given theirs.
/// `each_round` receives this share's tests.
///
/// # Errors
/// [`TooMany`] where a share has more lines than [`MOST_POINTS`] have in all.
pub fn run_share(
    points: &[Point],
    of: Share,
    smallest: impl FnMut(Option<[u32; 2]>) -> Option<[u32; 2]>,
    mut each_round: impl FnMut(Round),
) -> Result<PaperTriangulation, TooMany> {
    share(points, of, &mut |line, other| conflict(points, line, other), smallest, &mut each_round)
}

/// The first of some lines, in the order of acceptance.
pub fn smallest(points: &[Point], lines: impl IntoIterator<Item = [u32; 2]>) -> Option<[u32; 2]> {
    let lines = lines.into_iter().map(|ends| Line::new(points, ends));
    lines.min_by(|a, b| a.compare(b, points)).map(|it| it.ends)
}

fn share(
    points: &[Point],
    of: Share,
    conflicts: &mut impl FnMut([u32; 2], [u32; 2]) -> bool,
    mut smallest_of_all: impl FnMut(Option<[u32; 2]>) -> Option<[u32; 2]>,
    each_round: &mut impl FnMut(Round),
) -> Result<PaperTriangulation, TooMany> {
    if lines(points.len()).div_ceil(of.of as u64) > lines(MOST_POINTS) {
        return Err(TooMany { n: points.len() });
    }
    let mut run = PaperTriangulation::default();
    let started = Instant::now();
    let mut lines = generate(points, of);
    run.generate_s = started.elapsed().as_secs_f64();

    let started = Instant::now();
    lines.sort_unstable_by(|a, b| a.compare(b, points));
    run.sort_s = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let mut alive = vec![true; lines.len()];
    let mut smallest = 0;
    loop {
        let mine = lines.get(smallest).map(|it| it.ends);
        let Some(line) = smallest_of_all(mine) else { break };
        smallest += usize::from(mine == Some(line));
        let round = eliminate(line, &lines[smallest..], &mut alive[smallest..], conflicts);
        run.edges.push(round.line);
        run.tests += round.tests;
        each_round(round);
        smallest = find_new_small(smallest, &alive);
    }
    run.triangulate_s = started.elapsed().as_secs_f64();
    Ok(run)
}

fn generate(points: &[Point], share: Share) -> Vec<Line> {
    let n = points.len() as u32;
    let mut all = Vec::with_capacity((lines(points.len()) as usize).div_ceil(share.of));
    // Lines that are skipped at the begin of a row.
    let mut skipped = share.number;
    for i in 0..n {
        let row = (n - i - 1) as usize;
        let mine = (i + 1..n).skip(skipped).step_by(share.of);
        all.extend(mine.map(|j| Line::new(points, [i, j])));
        skipped = match row.checked_sub(skipped) {
            None => skipped - row,
            Some(rest) => (share.of - rest % share.of) % share.of,
        };
    }
    all
}

/// The paper's kernel `triangulate`: of the lines after the smallest, those that conflict with it
/// die.
fn eliminate(
    line: [u32; 2],
    after: &[Line],
    alive: &mut [bool],
    conflicts: &mut impl FnMut([u32; 2], [u32; 2]) -> bool,
) -> Round {
    let mut round = Round { line, tests: 0, eliminated: 0 };
    for (other, alive) in after.iter().zip(alive) {
        if *alive {
            round.tests += 1;
            if conflicts(line, other.ends) {
                *alive = false;
                round.eliminated += 1;
            }
        }
    }
    round
}

/// The next line that is alive, from this one on, or the number of lines.
fn find_new_small(mut smallest: usize, alive: &[bool]) -> usize {
    while smallest < alive.len() && !alive[smallest] {
        smallest += 1;
    }
    smallest
}
