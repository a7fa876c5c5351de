//! Of warps or blocks that differ the longest are waited for: expected from the few that were looked at.

use std::f64::consts::{EULER_GAMMA, PI};

use memory_machine_sass::ExecutionCounts;

/// The part that counts of what the longest is expected to take longer than the mean: in the end it has
/// more of the multiprocessor to itself.
const TAIL_WEIGHT: f64 = 0.8;

/// This many tell whether there is a bound that none goes beyond.
const MIN_SAMPLES_FOR_BOUND: usize = 8;

/// What the mean of `all` does, with its part of what the longest of each wave of `at_once` and those of
/// the busiest multiprocessor do more: as is expected, or as was seen of some, or at the `ends`.
pub(super) fn add_tail(
    sampled: &[ExecutionCounts],
    ends: &[ExecutionCounts],
    at_once: f64,
    all: f64,
    multiprocessors: f64,
) -> ExecutionCounts {
    let (mean, above) = ExecutionCounts::mean_and_above(sampled);
    let (wave, each) = (at_once / all, (all / multiprocessors).max(1.0));
    let cycles = sampled.iter().map(|it| it.cycles).collect();
    let reach = (reach(cycles, all) - mean.cycles) / (above.cycles - mean.cycles);
    let longest = (TAIL_WEIGHT * greatest(at_once)).min(reach);
    // Blocks that follow others go where these are done first.
    let busiest = match wave < 1.0 {
        true => longest / each,
        false => (greatest(multiprocessors.min(all)) / each.sqrt()).min(reach),
    };
    let expected = mean.with_tail(&above, longest * wave, busiest);
    let most = ExecutionCounts::most_of(sampled).most(&ExecutionCounts::most_of(ends));
    expected.most(&mean.with_tail(&most, wave, 1.0 / each.ceil()))
}

/// What the greatest of this many would be at most, some of which were seen in order: if those that are
/// greater than three quarters of these fall off exponentially, and so not beyond a bound that several
/// have come to. Of few that only rise or fall, the ends tell.
fn reach(mut seen: Vec<f64>, of: f64) -> f64 {
    let only_goes_one_way = seen.is_sorted() || seen.is_sorted_by(|a, b| a >= b);
    seen.sort_by(f64::total_cmp);
    let greatest = seen.last().copied().unwrap_or(0.0);
    let all = seen.len() as f64;
    if only_goes_one_way || all >= of {
        return greatest;
    }
    if seen.len() < MIN_SAMPLES_FOR_BOUND {
        return f64::INFINITY;
    }
    let (rest, top) = seen.split_at(seen.len() - seen.len() / 4);
    let excess = top.iter().map(|it| it - rest[rest.len() - 1]).sum::<f64>() / top.len() as f64;
    greatest + excess * (of / all).ln()
}

/// By how many standard deviations the greatest of this many normal numbers is expected above their mean
/// (Cramér 1946, §28.6).
fn greatest(of: f64) -> f64 {
    if of <= 1.0 {
        return 0.0;
    }
    let root = (2.0 * of.ln()).sqrt();
    root + (EULER_GAMMA - (of.ln().ln() + (4.0 * PI).ln()) / 2.0) / root
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Harter 1961, Expected values of normal order statistics.
    #[test]
    fn the_greatest_is_as_far_off_as_tables_say() {
        assert_eq!(greatest(1.0), 0.0);
        for (of, expected) in [(10.0, 1.53875), (100.0, 2.50759), (400.0, 2.96818)] {
            assert!((greatest(of) - expected).abs() < 0.1, "{of}: {}", greatest(of));
        }
    }

    fn taking(cycles: &[f64]) -> Vec<ExecutionCounts> {
        cycles
            .iter()
            .map(|it| ExecutionCounts { cycles: *it, ..ExecutionCounts::default() })
            .collect()
    }

    #[test]
    fn the_longest_of_all_takes_longer_than_those_that_were_seen() {
        let seen = taking(&[10.0, 12.0, 9.0, 11.0, 13.0, 8.0, 10.5, 11.5]);
        let of = |all: f64| add_tail(&seen, &[], all, all, 132.0).cycles;
        // All were seen: the longest of them.
        assert_eq!(of(8.0), 13.0);
        assert!(13.0 < of(100.0) && of(100.0) < of(1000.0), "{} {}", of(100.0), of(1000.0));
        // Of a hundred waves only the last one has such a one that is waited for.
        let waves = add_tail(&seen, &[], 1000.0, 100_000.0, 132.0).cycles;
        assert!((waves - 10.625) * 99.0 < of(1000.0) - 10.625, "{waves}");
    }

    #[test]
    fn trends_and_bounds_are_not_exceeded() {
        let trend = taking(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let of = |seen: &[ExecutionCounts], ends: &[ExecutionCounts]| {
            add_tail(seen, ends, 1e3, 1e3, 132.0).cycles
        };
        assert_eq!(of(&trend, &[]), 8.0);
        assert_eq!(of(&trend, &taking(&[0.5, 8.5])), 8.5);
        let bound = taking(&[1.0, 50.0, 1.0, 50.0, 2.0, 50.0, 1.0, 50.0, 3.0, 50.0]);
        assert_eq!(of(&bound, &[]), 50.0);
    }
}
