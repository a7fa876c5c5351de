//! All rounds of a nest at once, by the block of rows: where rows change linearly, the stages that
//! they take repeat, and are counted for two periods only.
//!
//! A *block* is a number of consecutive rows of which each begins a fixed distance after the one
//! before, and is longer by a fixed number of threads. Whether the warps of a row take one stage
//! more or less depends on where, modulo `w`, its addresses and its threads begin; modulo `w`,
//! both repeat after at most `2w` rows. In each further period a row has the same number of full
//! warps more than in the last, so the stages of the periods are an arithmetic progression.

use super::Setting;
use super::form::Scalars;
use super::iteration_row::{IterationRow, Value};
use super::piecewise_linear::Lines;
use super::streams::{NestCounts, Stream};
use super::work::{NestForm, NotAffine};
use crate::language::syntax::BinaryOp;
use crate::machine::StageCounter;
use crate::run::odometer::Wheel;
use crate::trace::StridedRun;
use crate::units::Address;

/// Periods are looked for up to this width: products of a few numbers below it stay in range, and
/// few blocks have more than two periods of wider warps.
const WIDEST: u64 = 1 << 16;

/// The stages of each stream, as if rounds did not cut warps: they do not where `p` is a multiple
/// of `w`, or all iterations are one round. `None` if the nest's bounds are not piecewise linear.
pub(super) fn count(
    nest: &NestForm,
    streams: &[Stream],
    setting: &Setting<'_>,
    scalars: &mut Scalars,
) -> Result<Option<NestCounts>, NotAffine> {
    let counters = streams.iter().map(|_| StreamCounter::new(setting)).collect();
    let mut whole = RowBlocks { nest, streams, scalars, counters, iterations: 0 };
    if whole.loops(0)?.is_none() {
        return Ok(None);
    }
    let iterations = whole.iterations;
    Ok(Some(NestCounts {
        iterations,
        rounds: iterations.div_ceil(setting.threads.get().into()),
        warps: iterations.div_ceil(setting.machine.width.get().into()),
        stages: whole.counters.into_iter().map(StreamCounter::finish).collect(),
    }))
}

struct RowBlocks<'a> {
    nest: &'a NestForm,
    streams: &'a [Stream],
    scalars: &'a mut Scalars,
    counters: Vec<StreamCounter>,
    iterations: u128,
}

impl RowBlocks<'_> {
    /// Runs the loops from `depth` on for the present values of those around.
    fn loops(&mut self, depth: usize) -> Result<Option<()>, NotAffine> {
        let range = &self.nest.ranges[depth];
        let wheel = range.wheel(self.scalars, self.nest.span)?;
        let last = self.nest.ranges.len() - 1;
        self.scalars[range.variable.0] = wheel.value;
        if depth == last {
            // A single loop: one row.
            let count = Lines::new(1, wheel.count.cast_signed(), 0);
            return self.block(&Lines::new(1, wheel.value, 0), &count, wheel.step, 0);
        }
        if depth + 1 == last {
            return self.rows(wheel);
        }
        for index in 0..wheel.count {
            self.scalars[range.variable.0] = wheel.value + wheel.step * index.cast_signed();
            if self.loops(depth + 1)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// The two innermost loops.
    fn rows(&mut self, outer: Wheel) -> Result<Option<()>, NotAffine> {
        if outer.count == 0 {
            return Ok(Some(()));
        }
        let [.., around, inner] = &self.nest.ranges[..] else { return Ok(None) };
        let (variable, rows) = (around.variable, outer.count);
        let (scalars, first, step) = (&*self.scalars, outer.value, outer.step);
        let along = IterationRow { scalars, variable, first, step, count: rows };
        let lines = |form| Lines::of(form, &along);
        let counts = |from: &Lines, to: &Lines| {
            let (low, high) = if inner.downward { (to, from) } else { (from, to) };
            let difference = high.combine(BinaryOp::Subtract, low)?;
            difference
                .combine(BinaryOp::Add, &Lines::new(rows, 1, 0))?
                .combine(BinaryOp::Max, &Lines::new(rows, 0, 0))
        };
        if inner.step.as_constant() != Some(1) {
            return Ok(None);
        }
        let (Some(from), Some(to)) = (lines(&inner.from), lines(&inner.to)) else {
            return Ok(None);
        };
        let Some(count) = counts(&from, &to) else { return Ok(None) };
        let step = if inner.downward { -1 } else { 1 };
        self.block(&from, &count, step, outer.step)
    }

    /// Rows whose innermost loops begin at `from` and iterate `count` times, by `step`; the loop
    /// around advances by `outer_step`.
    fn block(
        &mut self,
        from: &Lines,
        count: &Lines,
        step: i64,
        outer_step: i64,
    ) -> Result<Option<()>, NotAffine> {
        let overflow = NotAffine::overflow(self.nest.span);
        let last = self.nest.ranges.len() - 1;
        let more = count.sum().and_then(|it| self.iterations.checked_add(it));
        self.iterations = more.ok_or(NotAffine::too_large(self.nest.span))?;
        for (number, stream) in self.streams.iter().enumerate() {
            let mut base = stream.constant;
            let (mut advance, innermost) = (0, stream.slopes[last]);
            for (dimension, range) in self.nest.ranges[..last].iter().enumerate() {
                let slope = stream.slopes[dimension];
                let value = self.scalars[range.variable.0];
                base =
                    slope.checked_mul(value).and_then(|it| base.checked_add(it)).ok_or(overflow)?;
                if dimension + 1 == last {
                    advance = slope.checked_mul(outer_step).ok_or(overflow)?;
                }
            }
            let mut cells = Lines::new(from.count, base, advance);
            let scaled = from.times(innermost).ok_or(overflow)?;
            cells = cells.combine(BinaryOp::Add, &scaled).ok_or(overflow)?;
            let stride = innermost.checked_mul(step).ok_or(overflow)?;
            for (start, end, cell, count) in cells.common(count) {
                let (cell, count) = (cell.ok_or(overflow)?, count.ok_or(overflow)?);
                let block = RowBlock {
                    rows: end - start,
                    cell: cell.start,
                    advance: cell.slope,
                    count: count.start,
                    growth: count.slope,
                    stride,
                };
                block.check(stream).ok_or(stream.otherwise)?;
                if !stream.phases.is_empty() {
                    self.counters[number].block(&block, stream.region.0);
                }
            }
        }
        Ok(Some(()))
    }
}

/// Row `t` is `count + growth·t` threads, the first at cell `cell + advance·t`, each next one
/// `stride` further.
#[derive(Clone, Copy)]
struct RowBlock {
    rows: u64,
    cell: i64,
    advance: i64,
    count: i64,
    growth: i64,
    stride: i64,
}

impl RowBlock {
    fn count(&self, t: u64) -> u64 {
        (self.count + self.growth * t.cast_signed()).max(0).cast_unsigned()
    }

    fn cell(&self, t: u64) -> i64 {
        self.cell + self.advance * t.cast_signed()
    }

    /// Whether all cells, and those of the stream's likes, are inside the array.
    fn check(&self, stream: &Stream) -> Option<()> {
        for t in [0, self.rows - 1] {
            let count = self.count(t);
            if count == 0 {
                continue;
            }
            let first = i128::from(self.cell) + i128::from(self.advance) * i128::from(t);
            let last = first + i128::from(self.stride) * i128::from(count - 1);
            let lowest = first.min(last) + i128::from(stream.spread.0);
            let highest = first.max(last) + i128::from(stream.spread.1);
            if lowest < 0 || highest >= i128::from(stream.region.1) {
                return None;
            }
        }
        Some(())
    }

    /// From the last address of row `t` to the first of row `t + 1`, as `constant + slope·t`.
    fn distance(&self) -> (i128, i128) {
        let [advance, stride] = [self.advance, self.stride].map(i128::from);
        let [count, growth] = [self.count, self.growth].map(i128::from);
        (advance - stride * (count - 1), -stride * growth)
    }

    /// The smallest number of rows, at most `most`, after which everything repeats modulo `w`:
    /// where a row's addresses begin, how long it is, and at which thread of a warp it begins.
    /// `width` is at most [`WIDEST`].
    fn period(&self, width: u64, most: u64) -> Option<u64> {
        let w = i64::try_from(width).ok()?;
        let [advance, count, growth] =
            [self.advance, self.count, self.growth].map(|it| it.rem_euclid(w));
        let repeats = |period: i64| {
            advance * period % w == 0
                && growth * period % w == 0
                && (period * count + growth * (period * (period - 1) / 2 % w)) % w == 0
        };
        let most = i64::try_from(most).unwrap_or(i64::MAX).min(2 * w);
        (1..=most).find(|&period| 2 * w % period == 0 && repeats(period)).map(i64::cast_unsigned)
    }
}

/// Counts the stages of one stream.
struct StreamCounter {
    stages: StageCounter,
    width: u64,
    total: u128,
}

impl StreamCounter {
    fn new(setting: &Setting<'_>) -> Self {
        let width = setting.machine.width.get();
        Self { stages: StageCounter::new(setting.machine), width, total: 0 }
    }

    fn finish(mut self) -> u128 {
        let total = &mut self.total;
        self.stages.end(&mut |warps| *total += u128::from(warps.count) * u128::from(warps.stages));
        self.total
    }

    fn block(&mut self, block: &RowBlock, base: u64) {
        if self.width > WIDEST {
            return self.rows(block, base, 0, block.rows);
        }
        let mut t = 0;
        for cut in self.cuts(block) {
            if cut > t && self.repeats(block, t) {
                t = self.periods(block, base, t, cut);
            }
            self.rows(block, base, t, cut);
            t = cut;
        }
    }

    /// Rows `from..to`, one by one.
    fn rows(&mut self, block: &RowBlock, base: u64, from: u64, to: u64) {
        let total = &mut self.total;
        for t in from..to {
            let count = block.count(t);
            if count > 0 {
                let base = Address(base.wrapping_add_signed(block.cell(t)));
                let run = StridedRun { base, stride: block.stride, count };
                self.stages.run(run, &mut |warps| {
                    *total += u128::from(warps.count) * u128::from(warps.stages);
                });
            }
        }
    }

    /// Whole periods from row `t` on, as many as end before row `end`; returns the row after them.
    fn periods(&mut self, block: &RowBlock, base: u64, mut t: u64, end: u64) -> u64 {
        let Some(period) = block.period(self.width, (end - t - 1) / 4) else { return t };
        // After one row, the present warp's threads are of the row before, as in every period.
        self.rows(block, base, t, t + 1);
        t += 1;
        let mut taken = [0; 2];
        for taken in &mut taken {
            let before = self.total;
            self.rows(block, base, t, t + period);
            *taken = (self.total - before).cast_signed();
            t += period;
        }
        let more = (end - t) / period;
        let periods = i128::from(more);
        let further = periods * taken[1] + (taken[1] - taken[0]) * (periods * (periods + 1) / 2);
        self.total += further.cast_unsigned();
        t += more * period;
        // The present warp's threads are now the last ones of the last row passed over.
        let filled = self.stages.filled();
        let first = block.count(t - 1) - filled;
        let cell = block.cell(t - 1) + block.stride * first.cast_signed();
        let base = Address(base.wrapping_add_signed(cell));
        let run = StridedRun { base, stride: block.stride, count: filled };
        self.stages.replace((filled > 0).then_some(run).into_iter());
        t
    }

    /// Rows nearer to each other than this may share an address group, in a warp that both meet.
    fn reach(&self, block: &RowBlock) -> i128 {
        2 * i128::from(self.width) * (i128::from(block.stride.unsigned_abs()) + 1)
    }

    /// Whether rows from `t` up to the next cut repeat: each is at least a warp long, and what the
    /// end of one shares with the beginning of the next is nothing, or always the same.
    fn repeats(&self, block: &RowBlock, t: u64) -> bool {
        let (constant, slope) = block.distance();
        let distance = constant + slope * i128::from(t);
        block.count(t) >= self.width && (slope == 0 || distance.abs() > self.reach(block))
    }

    /// Where [`Self::repeats`] may change, and the block's end.
    fn cuts(&self, block: &RowBlock) -> Vec<u64> {
        let rows = i128::from(block.rows);
        let (constant, slope) = block.distance();
        let reach = self.reach(block);
        let width = i128::from(self.width);
        // First t at which each of these linear functions has passed zero.
        let lines = [
            (i128::from(block.count) - width, i128::from(block.growth)),
            (constant - reach, slope),
            (constant + reach, slope),
        ];
        let mut cuts: Vec<u64> = vec![block.rows];
        for (start, slope) in lines {
            if slope != 0 {
                let zero = (-start).div_euclid(slope);
                // Both sides of the zero, whichever way the inequality goes.
                cuts.extend([zero, zero + 1, zero + 2].map(|t| t.clamp(0, rows) as u64));
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }
}
