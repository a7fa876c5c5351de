//! One core of the host, for the algorithms whose papers compare with one.

use std::hint::black_box;
use std::time::Instant;

use crate::algorithms::opt;
use crate::cuda::random::{seed_of, word};
use crate::language::syntax::Type;
use crate::measurement::FEWEST;

/// Seconds that one core takes to run an algorithm for `p` inputs of size `n`, one after another,
/// each input's cells side by side: the papers' sequential code. `None` for other algorithms than
/// prefix-sums and OPT.
pub fn times(algorithm: &str, n: u64, p: u64, repetitions: usize, seed: u64) -> Option<Vec<f64>> {
    let n = usize::try_from(n).ok()?;
    let random = |cells: u64| -> Vec<f32> {
        let bits = (0..cells).map(|cell| word(Type::F32, seed_of(seed, 0), cell));
        bits.map(|bits| f32::from_bits(bits as u32)).collect()
    };
    let cells = match algorithm {
        "prefix_sums" => n,
        "opt" => n * n,
        _ => return None,
    };
    let given = random(p * cells as u64);
    let mut result = given.clone();
    let mut run = || {
        if algorithm == "prefix_sums" {
            result.copy_from_slice(&given);
        }
        let begin = Instant::now();
        for (given, result) in given.chunks_exact(cells).zip(result.chunks_exact_mut(cells)) {
            if algorithm == "opt" {
                opt::reference::fill(n, given, result);
            } else {
                let mut sum = 0.0;
                for value in result {
                    sum += *value;
                    *value = sum;
                }
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        black_box(&result);
        seconds
    };
    // The first run warms up.
    let repetitions = if run() > 1.0 { FEWEST as usize } else { repetitions };
    Some((0..repetitions).map(|_| run()).collect())
}

/// Seconds that a run may take about; points that take longer are not measured.
const MOST_SECONDS: f64 = 6.0;
/// Numbers that inputs may have together; more take long to make, and much memory.
const MOST_NUMBERS: f64 = 3e8;

/// Whether a run of that size ends in passable time: a few 10⁸ sums or relaxations a second.
pub fn is_quick(algorithm: &str, n: u64, p: u64) -> bool {
    let (n, p) = (n as f64, p as f64);
    let (numbers, seconds) = match algorithm {
        "prefix_sums" => (n * p, n * p / 0.5e9),
        _ => (n * n * p, (n * n * n / 6.0 + n * n) * p / 0.25e9),
    };
    numbers < MOST_NUMBERS && seconds < MOST_SECONDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_are_64_polygons_of_512_vertices() {
        assert!(is_quick("opt", 512, 64));
        assert!(!is_quick("opt", 512, 256) && !is_quick("opt", 8, 1 << 24));
        assert!(is_quick("prefix_sums", 32, 1 << 22) && !is_quick("prefix_sums", 32, 1 << 24));
        assert_eq!(times("opt", 8, 3, 7, 1).unwrap().len(), 7);
        assert!(times("sum", 8, 3, 7, 1).is_none());
    }
}
