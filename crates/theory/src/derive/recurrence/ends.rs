//! Where a recursion ends, and how often a procedure calls itself before.

use num_traits::{Signed, ToPrimitive};

use crate::derive::call::Call;
use crate::derive::polynomial::{Atom, Polynomial, Size};

/// The least measure for which a guard holds that asks for it to be large.
fn threshold(guard: &Polynomial, measure: Size) -> Option<i64> {
    let (slope, rest) = guard.linear_in(Atom::Size(measure))?;
    let rest = rest.as_constant()?;
    slope.is_positive().then(|| (-rest / slope).ceil().to_integer().to_i64())?
}

/// How often calls are made, and the largest sizes for which none is: at most and at least. A measure that is
/// looked at must be more for each.
pub(super) fn ends(measure: Size, calls: &[Call]) -> Option<([i64; 2], [i64; 2])> {
    let (mut least_calls, mut bounds) = (0, [i64::MAX, 0]);
    let mut most: Vec<(&[(u32, bool)], i64)> = vec![];
    for call in calls {
        let mut count = 0;
        for piece in &call.counts[0] {
            let least = piece.guard.iter().filter_map(|it| threshold(it, measure)).max()?;
            bounds[0] = bounds[0].min(least - 1);
            count += piece.value.as_whole().filter(|it| *it > 0)?;
        }
        most.push((&call.arms, count));
        for piece in &call.counts[1] {
            let least: Option<Vec<i64>> =
                piece.guard.iter().map(|it| threshold(it, measure)).collect();
            if let (Some(least), Some(count)) = (least, piece.value.as_whole()) {
                bounds[1] = bounds[1].max(least.into_iter().max().unwrap_or(1) - 1);
                least_calls += count.max(0);
            }
        }
    }
    bounds[1] = bounds[1].max(bounds[0]);
    let most = most_calls(&most);
    (most > 0).then_some(([most, least_calls], bounds))
}

/// Calls at most, where of each condition one arm is taken.
fn most_calls(calls: &[(&[(u32, bool)], i64)]) -> i64 {
    let mut conditions: Vec<u32> = calls.iter().filter_map(|it| Some(it.0.first()?.0)).collect();
    conditions.dedup();
    let plain: i64 = calls.iter().filter(|it| it.0.is_empty()).map(|it| it.1).sum();
    let arm = |condition: u32, is_then: bool| {
        let inside = calls.iter().filter(|it| it.0.first() == Some(&(condition, is_then)));
        most_calls(&inside.map(|it| (&it.0[1..], it.1)).collect::<Vec<_>>())
    };
    let conditions = conditions.into_iter().map(|it| arm(it, true).max(arm(it, false)));
    plain + conditions.sum::<i64>()
}
