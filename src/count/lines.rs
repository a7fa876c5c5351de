//! Piecewise linear functions of a row's number: how the bounds of an inner loop, and with them
//! the rows of a nest, change from one value of the loop around to the next.

use super::form::Form;
use crate::language::program::ScalarId;
use crate::language::syntax::BinaryOp;

/// `start + slope · (t − from)` for `from ≤ t`, up to where the next line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) from: u64,
    pub(super) start: i64,
    pub(super) slope: i64,
}

impl Piece {
    pub(super) fn at(self, t: u64) -> Option<i64> {
        let passed = i64::try_from(t - self.from).ok()?;
        self.start.checked_add(self.slope.checked_mul(passed)?)
    }
}

/// Lines by ascending `from`, the first from 0 on, for `t < count`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) count: u64,
    pub(super) lines: Vec<Piece>,
}

impl Lines {
    pub(super) fn new(count: u64, start: i64, slope: i64) -> Self {
        Self { count, lines: vec![Piece { from: 0, start, slope }] }
    }

    /// `form` while `variable` grows by `step` from the value that `scalars` gives it, `count`
    /// values; `None` if that is not piecewise linear, or overflows.
    pub(super) fn of(
        form: &Form,
        variable: ScalarId,
        step: i64,
        count: u64,
        scalars: &impl Fn(ScalarId) -> i64,
    ) -> Option<Self> {
        if let Some(slope) = form.slope(variable) {
            return Some(Self::new(count, form.value(scalars)?, slope.checked_mul(step)?));
        }
        let Form::Operation(op, parts) = form else { return None };
        let [left, right] =
            parts.each_ref().map(|part| Self::of(part, variable, step, count, scalars));
        left?.combine(*op, &right?)
    }

    /// The sum, difference, minimum or maximum of two functions.
    pub(super) fn combine(&self, op: BinaryOp, other: &Self) -> Option<Self> {
        let mut lines: Vec<Piece> = vec![];
        for (from, to, a, b) in self.common(other)? {
            let mut push = |from, start, slope| lines.push(Piece { from, start, slope });
            match op {
                BinaryOp::Add => {
                    push(from, a.start.checked_add(b.start)?, a.slope.checked_add(b.slope)?);
                }
                BinaryOp::Subtract => {
                    push(from, a.start.checked_sub(b.start)?, a.slope.checked_sub(b.slope)?);
                }
                BinaryOp::Min | BinaryOp::Max => {
                    let smaller = op == BinaryOp::Min;
                    let takes_first = |t: u64| Some((a.at(t)? <= b.at(t)?) == smaller);
                    let first = takes_first(from)?;
                    let line = |is_first: bool| if is_first { a } else { b };
                    push(from, line(first).start, line(first).slope);
                    if takes_first(to - 1)? != first {
                        // The difference is monotonous: it changes its sign once.
                        let (mut low, mut high) = (from, to - 1);
                        while high - low > 1 {
                            let middle = low + (high - low) / 2;
                            let same = takes_first(middle)? == first;
                            *(if same { &mut low } else { &mut high }) = middle;
                        }
                        push(high, line(!first).at(high)?, line(!first).slope);
                    }
                }
                _ => return None,
            }
        }
        Some(Self { count: self.count, lines })
    }

    /// The sum over all `t`, of a function that is nowhere negative.
    pub(super) fn sum(&self) -> Option<u128> {
        let ends = self.lines.iter().skip(1).map(|line| line.from).chain([self.count]);
        self.lines.iter().zip(ends).try_fold(0, |sum: u128, (line, end)| {
            let first = u64::try_from(line.start).ok()?;
            let last = u64::try_from(line.at(end - 1)?).ok()?;
            let rows = u128::from(end - line.from);
            Some(sum + rows * (u128::from(first) + u128::from(last)) / 2)
        })
    }

    /// Stretches `from..to` on which both are one line each, with these lines from `from` on.
    pub(super) fn common(&self, other: &Self) -> Option<Vec<(u64, u64, Piece, Piece)>> {
        let mut cuts: Vec<u64> =
            self.lines.iter().chain(&other.lines).map(|line| line.from).collect();
        cuts.push(self.count);
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2)
            .map(|cut| {
                let [from, to] = [cut[0], cut[1]];
                let line = |lines: &[Piece]| {
                    let line = *lines.iter().rev().find(|line| line.from <= from)?;
                    Some(Piece { from, start: line.at(from)?, slope: line.slope })
                };
                Some((from, to, line(&self.lines)?, line(&other.lines)?))
            })
            .collect()
    }
}
