//! The interval DP of OPT: relaxations a second of the plain triple loop and of the CPU engine, and
//! the most that additions and minima in registers reach, in one run.
//!
//! `elements` are relaxations. All engines run on all threads, but for the plain loop.

use std::hint::black_box;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use memory_machine::algorithms::opt::matrix_chain::MatrixChain;
use memory_machine::algorithms::opt::simd::{Simd, SimdJob, SimdLevel};
use memory_machine::algorithms::opt::{
    Problem, Weight, Weights, reference, relaxations, solve, solve_at,
};
use rand::{RngExt, SeedableRng};

/// `rounds` relaxations of each of `accumulators` vectors, from registers alone.
struct InRegisters<'a, T> {
    rounds: u64,
    result: &'a mut T,
    relaxations: &'a mut u64,
}

impl<T: Weight> SimdJob<T> for InRegisters<'_, T> {
    #[inline(always)]
    fn run<S: Simd<T>>(self, simd: S) {
        // As many chains as keep two ports busy while each waits for a sum and a minimum.
        const N: usize = 12;
        let step = simd.splat(black_box(T::ZERO));
        let mut least = [simd.splat(black_box(T::ZERO)); N];
        for _ in 0..self.rounds {
            for i in 0..N {
                // From its neighbour, so that nothing can be left out.
                least[i] = simd.least(least[i], simd.plus(least[(i + 1) % N], step));
            }
        }
        let all = least.into_iter().reduce(|a, b| simd.least(a, b));
        *self.result = all.map_or(T::ZERO, |all| simd.lane(all, 0));
        *self.relaxations = self.rounds * (N * S::LANES) as u64;
    }
}

/// The same on each of some threads; relaxations of all.
fn in_registers<T: Weight>(level: SimdLevel, threads: usize, rounds: u64) -> u64 {
    let one = || {
        let (mut result, mut relaxations) = (T::ZERO, 0);
        T::run(level, InRegisters { rounds, result: &mut result, relaxations: &mut relaxations });
        black_box(result);
        relaxations
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(one)).collect();
        one() + others.into_iter().map(|it| it.join().expect("no panic")).sum::<u64>()
    })
}

fn ceiling<T: Weight>(group: &mut BenchmarkGroup<WallTime>) {
    const ROUNDS: u64 = 5_000_000;
    let all = rayon::current_num_threads();
    for level in SimdLevel::available() {
        for threads in if all == 1 { vec![1] } else { vec![1, all] } {
            group.throughput(Throughput::Elements(in_registers::<T>(level, threads, ROUNDS)));
            let name = format!("registers-{}-{}-threads-{threads}", T::NAME, level.name());
            group.bench_function(name, |bencher| {
                bencher.iter(|| in_registers::<T>(level, threads, ROUNDS));
            });
        }
    }
}

/// The same weights, whole numbers below 4096, for every type.
fn weights<T: Weight>(n: usize, from: fn(u16) -> T) -> Weights<T> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    Weights::from_chords(n, |_, _| from(rng.random_range(0..4096)))
}

fn engine<T: Weight>(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    level: SimdLevel,
    problem: &impl Problem<T>,
) {
    let n = problem.n() as u64;
    group.throughput(Throughput::Elements(u64::try_from(relaxations(n)).expect("small")));
    group.bench_function(BenchmarkId::new(name, n), |bencher| {
        bencher.iter(|| solve_at(level, problem, &|_| ()));
    });
}

fn opt(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("opt");
    group.sample_size(10).warm_up_time(Duration::from_secs(1));
    ceiling::<f32>(&mut group);
    ceiling::<f64>(&mut group);
    ceiling::<i32>(&mut group);

    let fastest = SimdLevel::fastest();
    let c = weights(2048, f32::from);
    assert_eq!(solve(&c, &|_| ()).square(), reference::solve(&c));
    for n in [256, 512, 1024, 2048, 4096, 8192] {
        engine(&mut group, "f32", fastest, &weights(n, f32::from));
    }
    for level in SimdLevel::available() {
        engine(&mut group, level.name(), level, &c);
    }
    engine(&mut group, "f64", fastest, &weights(2048, f64::from));
    engine(&mut group, "i32", fastest, &weights(2048, i32::from));
    let chain: Vec<u64> = (0..2048).map(|i| 1 + i * 7919 % 1000).collect();
    engine(&mut group, "matrix-chain", fastest, &MatrixChain::new(&chain).expect("exact"));

    group.throughput(Throughput::Elements(u64::try_from(relaxations(2048)).expect("small")));
    group.bench_function(BenchmarkId::new("plain-loop", 2048), |bencher| {
        bencher.iter(|| reference::table(c.n(), c.as_slice()));
    });
    group.finish();
}

criterion_group!(benches, opt);
criterion_main!(benches);
