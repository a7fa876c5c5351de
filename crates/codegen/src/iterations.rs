//! How many iterations a parallel loop has, as the host must know before it launches it.

use super::iteration_order::{IterationOrder, RowLength};
use memory_machine_core::language::program::{Expr, LoopRange, ScalarId};
use memory_machine_core::run::layout;
use memory_machine_core::run::odometer::{Odometer, Wheel};

/// Whether each thread of a nest counts all rows to find its iterations, so that no more threads
/// should be launched than the device holds.
pub fn is_walked(ranges: &[LoopRange]) -> bool {
    matches!(IterationOrder::of(ranges), IterationOrder::Walk)
}

/// The number of a nest's iterations for given parameters and outer scalars; `None` where bounds
/// read memory or overflow. `O(1)` but for walks, which take `O(rows)`.
pub fn iterations(
    ranges: &[LoopRange],
    parameters: &[i64],
    scalars: &dyn Fn(ScalarId) -> Option<i64>,
) -> Option<u64> {
    let value = |expr: &Expr, known: &dyn Fn(ScalarId) -> Option<i64>| {
        layout::integer(expr, parameters, known)
    };
    let length = |range: &LoopRange| i64::try_from(wheel(range, parameters, scalars)?.count).ok();
    let total = match IterationOrder::of(ranges) {
        IterationOrder::Box => {
            ranges.iter().try_fold(1_i64, |product, range| product.checked_mul(length(range)?))?
        }
        IterationOrder::Rows(lines) => {
            let outer = &ranges[0];
            let rows = length(outer)?;
            let first = value(&outer.from, scalars)?;
            let known = |it| if it == outer.variable { Some(first) } else { scalars(it) };
            let start = |line: &RowLength| {
                Some(value(line.upper, &known)? - value(line.lower, &known)? + 1)
            };
            let (line, next) = (&lines[0], lines.get(1));
            match next {
                None => series(line.slope, start(line)?, 0, rows)?,
                Some(next) => {
                    let (a, b) = (start(line)?, start(next)?);
                    let turn = layout::floor_divide(b - a, line.slope - next.slope)? + 1;
                    let turn = turn.clamp(0, rows);
                    series(line.slope, a, 0, turn)? + series(next.slope, b, turn, rows)?
                }
            }
        }
        IterationOrder::Walk => walk(ranges, parameters, scalars)?,
    };
    u64::try_from(total).ok()
}

/// The values of a loop; `None` too where their difference, which the device computes, overflows.
fn wheel(
    range: &LoopRange,
    parameters: &[i64],
    scalars: &dyn Fn(ScalarId) -> Option<i64>,
) -> Option<Wheel> {
    let value = |expr| layout::integer(expr, parameters, scalars);
    let (from, to) = (value(&range.from)?, value(&range.to)?);
    let step = range.step.as_ref().map_or(Some(1), value).filter(|&step| step >= 1)?;
    let wheel = Wheel::new(from, to, step, range.downward);
    (wheel.count == 0 || i64::try_from(from.abs_diff(to)).is_ok()).then_some(wheel)
}

fn walk(
    ranges: &[LoopRange],
    parameters: &[i64],
    scalars: &dyn Fn(ScalarId) -> Option<i64>,
) -> Option<i64> {
    let begin = |outer: &[Wheel]| {
        let known = |scalar| {
            let variable = ranges.iter().zip(outer).find(|(it, _)| it.variable == scalar);
            variable.map_or_else(|| scalars(scalar), |(_, wheel)| Some(wheel.value))
        };
        wheel(&ranges[outer.len()], parameters, &known).ok_or(())
    };
    let mut rows = Odometer::new(ranges.len(), begin).ok()?;
    let mut total = 0_u64;
    while let Some((&row, _)) = rows.row() {
        total = total.checked_add(row.count)?;
        rows.pass(row.count, begin).ok()?;
    }
    i64::try_from(total).ok()
}

/// `Σ max(0, length + slope · k)` over `from ≤ k < to`.
fn series(slope: i64, length: i64, mut from: i64, mut to: i64) -> Option<i64> {
    match slope {
        0 if length <= 0 => return Some(0),
        0 => {}
        1.. => from = from.max(-layout::floor_divide(length, slope)?),
        _ => to = to.min(layout::floor_divide(length, -slope)? + 1),
    }
    if to <= from {
        return Some(0);
    }
    let ends = i128::from(length) * 2 + i128::from(slope) * i128::from(from + to - 1);
    i64::try_from(i128::from(to - from) * ends / 2).ok()
}
