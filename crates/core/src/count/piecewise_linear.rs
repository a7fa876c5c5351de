//! Piecewise linear functions of a row's number, or of an iteration's number in a row: how the bounds
//! of an inner loop, and with them the rows of a nest, change from one value of the loop around to
//! the next, and what a form is along a row.

use super::form::Form;
use super::iteration_row::{IterationRow, Value};
use crate::language::syntax::BinaryOp;

/// More lines are not kept: then the loop is executed.
const MOST_LINES: usize = 1 << 20;

/// `start + slope · (t − from)` for `from ≤ t`, up to where the next line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LinePiece {
    pub(super) from: u64,
    pub(super) start: i64,
    pub(super) slope: i64,
}

impl LinePiece {
    pub(super) fn at(self, t: u64) -> Option<i64> {
        let passed = i64::try_from(t - self.from).ok()?;
        self.start.checked_add(self.slope.checked_mul(passed)?)
    }
}

/// Lines by ascending `from`, the first from 0 on, for `t < count`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) count: u64,
    pub(super) lines: Vec<LinePiece>,
}

impl Value for Lines {
    fn affine(along: &IterationRow<'_>, first: i64, slope: i64) -> Option<Self> {
        Some(Self::new(along.count, first, slope))
    }

    fn combine(&self, op: BinaryOp, other: &Self) -> Option<Self> {
        let mut lines = Self { count: self.count, lines: vec![] };
        for (from, to, a, b) in self.common(other) {
            let (a, b) = (a?, b?);
            match op {
                BinaryOp::Add => {
                    lines.push(
                        from,
                        a.start.checked_add(b.start)?,
                        a.slope.checked_add(b.slope)?,
                    )?;
                }
                BinaryOp::Subtract => {
                    lines.push(
                        from,
                        a.start.checked_sub(b.start)?,
                        a.slope.checked_sub(b.slope)?,
                    )?;
                }
                BinaryOp::Min | BinaryOp::Max => {
                    let smaller = op == BinaryOp::Min;
                    let takes_first = |t: u64| Some((a.at(t)? <= b.at(t)?) == smaller);
                    let first = takes_first(from)?;
                    let line = |is_first: bool| if is_first { a } else { b };
                    lines.push(from, line(first).start, line(first).slope)?;
                    if takes_first(to - 1)? != first {
                        // The difference is monotonous: it changes its sign once.
                        let (mut low, mut high) = (from, to - 1);
                        while high - low > 1 {
                            let middle = low + (high - low) / 2;
                            let same = takes_first(middle)? == first;
                            *(if same { &mut low } else { &mut high }) = middle;
                        }
                        lines.push(high, line(!first).at(high)?, line(!first).slope)?;
                    }
                }
                _ => return None,
            }
        }
        Some(lines)
    }

    fn times(&self, factor: i64) -> Option<Self> {
        let scaled = self.lines.iter().map(|line| {
            let (start, slope) = (line.start.checked_mul(factor)?, line.slope.checked_mul(factor)?);
            Some(LinePiece { from: line.from, start, slope })
        });
        Some(Self { count: self.count, lines: scaled.collect::<Option<_>>()? })
    }

    /// With slope = q · divisor + r, r as near to 0 as can be, the quotient is q · t + ⌊(start + r ·
    /// t) / divisor⌋: a line of slope q wherever the second part stays the same.
    fn divide(&self, divisor: i64) -> Option<Self> {
        let mut quotients = Self { count: self.count, lines: vec![] };
        let divisor = i128::from(divisor);
        for (line, end) in self.with_ends() {
            // All values are numbers of a run, which do not wrap.
            line.at(end - 1)?;
            let (start, slope) = (i128::from(line.start), i128::from(line.slope));
            let mut q = slope.div_euclid(divisor);
            if 2 * slope.rem_euclid(divisor) > divisor {
                q += 1;
            }
            let r = slope - q * divisor;
            let mut passed = 0;
            let all = i128::from(end - line.from);
            while passed < all {
                let quotient = (start + r * passed).div_euclid(divisor);
                let from = line.from + passed as u64;
                quotients.push(from, i64::try_from(quotient + q * passed).ok()?, q as i64)?;
                passed = match r {
                    0 => all,
                    1.. => ((quotient + 1) * divisor - start - 1).div_euclid(r) + 1,
                    _ => (start - quotient * divisor).div_euclid(-r) + 1,
                };
            }
        }
        Some(quotients)
    }
}

impl Lines {
    pub(super) fn new(count: u64, start: i64, slope: i64) -> Self {
        Self { count, lines: vec![LinePiece { from: 0, start, slope }] }
    }

    /// `form` along a row; `None` if that is not piecewise linear, or of too many lines, or overflows.
    pub(super) fn of(form: &Form, along: &IterationRow<'_>) -> Option<Self> {
        along.evaluate(form)
    }

    /// From `from` on it is this line; the last one may just go on.
    fn push(&mut self, from: u64, start: i64, slope: i64) -> Option<()> {
        let goes_on =
            |last: &LinePiece| last.slope == slope && last.at(from).is_some_and(|at| at == start);
        if !self.lines.last().is_some_and(goes_on) {
            self.lines.push(LinePiece { from, start, slope });
        }
        (self.lines.len() <= MOST_LINES).then_some(())
    }

    /// Each line and where it ends.
    pub(super) fn with_ends(&self) -> impl Iterator<Item = (LinePiece, u64)> {
        let ends = self.lines.iter().skip(1).map(|line| line.from).chain([self.count]);
        self.lines.iter().copied().zip(ends)
    }

    /// The sum over all `t`, of a function that is nowhere negative.
    pub(super) fn sum(&self) -> Option<u128> {
        self.with_ends().try_fold(0, |sum: u128, (line, end)| {
            let first = u64::try_from(line.start).ok()?;
            let last = u64::try_from(line.at(end - 1)?).ok()?;
            let rows = u128::from(end - line.from);
            Some(sum + rows * (u128::from(first) + u128::from(last)) / 2)
        })
    }

    /// Stretches `from..to` on which both are one line each, with these lines from `from` on; `None`
    /// for one that overflows there.
    pub(super) fn common(
        &self,
        other: &Self,
    ) -> impl Iterator<Item = (u64, u64, Option<LinePiece>, Option<LinePiece>)> {
        let (mut ours, mut theirs) = (self.with_ends().peekable(), other.with_ends().peekable());
        let mut from = 0;
        std::iter::from_fn(move || {
            let (&(a, a_end), &(b, b_end)) = (ours.peek()?, theirs.peek()?);
            let (begin, to) = (from, a_end.min(b_end));
            from = to;
            if a_end == to {
                ours.next();
            }
            if b_end == to {
                theirs.next();
            }
            let line = |line: LinePiece| {
                Some(LinePiece { from: begin, start: line.at(begin)?, slope: line.slope })
            };
            Some((begin, to, line(a), line(b)))
        })
    }
}
