//! Sum and prefix-sums by trees: O(n/w + nl/p + l log n), with the constants.

use super::{Bound, BoundKind, Instance};

/// The bounds of the shipped listings of sum and prefix-sums.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    let bound = match point.shipped {
        Some("sum") => sum(point),
        Some("prefix_sums_parallel") => prefix_sums(point),
        _ => None,
    };
    bound.into_iter().collect()
}

/// Upper bound of nests whose iterations sum to `work` at most, `levels` of them: with `N`
/// iterations a nest has `N/p + 1` rounds at most, and `N/w` warps and one more a round. If one
/// iteration's accesses are `steps`, and a warp takes at most `stages` for all of them, then the
/// time is at most `stages·work/w + (work/p + levels)·(stages + steps·(l − 1))`.
fn nests(point: &Instance<'_>, work: u128, levels: u128, stages: u128, steps: u128) -> u128 {
    let (p, w, l) = (point.threads(), point.width(), point.latency());
    let a_round = stages + steps * (l - 1);
    // All over one denominator: rounded once, and down.
    (stages * work * p + work * a_round * w) / (p * w) + levels * a_round
}

/// Sum of n numbers: the halves' sizes add up to n − 1, one number being left, in ⌈log₂ n⌉ levels.
/// Each level reads two stretches of neighbours and writes one.
fn sum(point: &Instance<'_>) -> Option<Bound> {
    let n = point.parameter("n")?;
    let levels = n.next_power_of_two().ilog2().into();
    let stages = 3 * point.stages_of_neighbours();
    Some(Bound {
        name: "sum",
        source: "Nakano 2012 (IPDPSW), parallel sum",
        assumptions: "",
        kind: BoundKind::Upper,
        phase: None,
        value: nests(point, n.saturating_sub(1), levels, stages, 3),
        formula: if point.is_umm() {
            "6(n−1)/w + ((n−1)/p + ⌈log₂ n⌉)·(6 + 3(l − 1))"
        } else {
            "3(n−1)/w + ((n−1)/p + ⌈log₂ n⌉)·(3 + 3(l − 1))"
        },
    })
}

/// Prefix-sums of n numbers. The levels' sizes ⌊n/2⌋, ⌊n/4⌋, … add up to n − 1 at most, and there
/// are ⌊log₂ n⌋ of them. Each has three nests of at most its size:
///
/// - up reads every second word twice and writes neighbours,
/// - down to odd places reads neighbours and writes every second word,
/// - down to even places reads neighbours, reads and writes every second word.
///
/// A warp's w words with stride 2 lie in 2w − 1 neighbouring words: three address groups, or two
/// words of a bank, at most. So a warp takes at most (3+3+2) + (2+3) + (2+3+3) = 21 stages on the
/// UMM, (2+2+1) + (1+2) + (1+2+2) = 13 on the DMM, for 8 steps.
fn prefix_sums(point: &Instance<'_>) -> Option<Bound> {
    let n = point.parameter("n")?;
    let stages = if point.is_umm() { 21 } else { 13 };
    Some(Bound {
        name: "prefix-sums",
        source: "Nakano 2012 (ICA3PP), prefix-sums",
        assumptions: "",
        kind: BoundKind::Upper,
        phase: None,
        value: nests(point, n.saturating_sub(1), n.checked_ilog2()?.into(), stages, 8),
        formula: if point.is_umm() {
            "21(n−1)/w + ((n−1)/p + ⌊log₂ n⌋)·(21 + 8(l − 1))"
        } else {
            "13(n−1)/w + ((n−1)/p + ⌊log₂ n⌋)·(13 + 8(l − 1))"
        },
    })
}
