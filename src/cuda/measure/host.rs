//! One core of the host, for the algorithms whose papers compare with one.

use std::hint::black_box;
use std::time::Instant;

use crate::algorithms::opt;
use crate::cuda::random::{seed_of, word};
use crate::language::syntax::Type;

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
    let mut times = vec![];
    // The first run warms up.
    for _ in 0..=repetitions {
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
        times.push(begin.elapsed().as_secs_f64());
        black_box(&result);
    }
    times.remove(0);
    Some(times)
}

/// Seconds that a run may take about; points that take longer are not measured.
const MOST_SECONDS: f64 = 0.6;

/// Whether a run of that size ends in passable time: a few 10⁸ sums or relaxations a second.
pub fn is_quick(algorithm: &str, n: u64, p: u64) -> bool {
    let (n, p) = (n as f64, p as f64);
    let seconds = match algorithm {
        "prefix_sums" => n * p / 0.5e9,
        _ => (n * n * n / 6.0 + n * n) * p / 0.25e9,
    };
    seconds < MOST_SECONDS
}
