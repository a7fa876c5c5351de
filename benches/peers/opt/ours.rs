//! This crate's side of `run`: as `peers.c`, with the same weights.
//!
//! usage: opt_peers N

use std::time::Instant;

use memory_machine::algorithms::opt::{Weights, solve};

fn main() {
    let n = std::env::args().nth(1).and_then(|it| it.parse().ok()).filter(|&n| n >= 3);
    let Some(n) = n else {
        eprintln!("usage: opt_peers N, at least 3");
        std::process::exit(2);
    };
    let mut x = 1_u32;
    let weights = Weights::from_chords(n, |_, _| {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        (x >> 20) as f32
    });
    // The threads start before the clock, on both sides.
    rayon::join(|| (), || ());
    let start = Instant::now();
    let table = solve(&weights, &|_| ());
    let seconds = start.elapsed().as_secs_f64();
    let mut sum = 14_695_981_039_346_656_037_u64;
    for a in 0..n {
        for b in a + 1..n {
            sum = (sum ^ u64::from(table.get(a, b).to_bits())).wrapping_mul(1_099_511_628_211);
        }
    }
    println!("{seconds:.6} {:.0} {sum:016x}", table.get(0, n - 1));
}
