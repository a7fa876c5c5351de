//! Thread accesses replayed per second, one core.
//!
//! `explicit`: random addresses, so that `Step::push` can join at most two of them.
//! `runs`: run-compressed steps; the ratio to `explicit` is what compression is worth.

use std::hint::black_box;

use chacha20::ChaCha8Rng;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use memory_machine::machine::{Asynchronous, Machine, MachineKind, Synchronous};
use memory_machine::trace::{AccessKind, Phase, Piece, Sink, Step, StridedRun};
use memory_machine::units::{Address, Latency, Threads, Width};
use rand::{RngExt, SeedableRng};

const WIDTH: u64 = 32;
const LATENCY: u64 = 300;

fn machine(kind: MachineKind) -> Machine {
    Machine {
        kind,
        width: Width::new(WIDTH).expect("positive"),
        latency: Latency::new(LATENCY).expect("positive"),
    }
}

fn random_steps(threads: u64, addresses: u64) -> Vec<Step> {
    let mut random = ChaCha8Rng::seed_from_u64(2013);
    let step = |_| {
        let mut step = Step::new(AccessKind::Read);
        for _ in 0..threads {
            step.push(Address(random.random_range(0..addresses)));
        }
        step
    };
    (0..16).map(step).collect()
}

/// Rows of a triangle as they follow each other in a flattened nest: run after run, of `length`
/// threads on average, none aligned to a warp.
fn rows(length: u64, stride: i64) -> Vec<Step> {
    let mut random = ChaCha8Rng::seed_from_u64(2017);
    let step = |_| {
        let mut step = Step::new(AccessKind::Read);
        for _ in 0..1000 {
            step.pieces.push(Piece::Run(StridedRun {
                base: Address(random.random_range(0..1 << 30)),
                stride,
                count: random.random_range(1..2 * length),
            }));
        }
        step
    };
    (0..4).map(step).collect()
}

fn whole(threads: u64, stride: i64) -> Vec<Step> {
    let mut step = Step::new(AccessKind::Read);
    step.pieces.push(Piece::Run(StridedRun { base: Address(77), stride, count: threads }));
    vec![step]
}

fn accesses(steps: &[Step]) -> u64 {
    let pieces = steps.iter().flat_map(|step| &step.pieces);
    pieces
        .map(|piece| match piece {
            Piece::Run(run) => run.count,
            Piece::Idle(_) => 0,
        })
        .sum()
}

fn replay(criterion: &mut Criterion, group: &str, cases: &[(&str, Vec<Step>)]) {
    let mut group = criterion.benchmark_group(group);
    for (name, steps) in cases {
        group.throughput(Throughput::Elements(accesses(steps)));
        for kind in [MachineKind::Umm, MachineKind::Dmm] {
            let name = BenchmarkId::new(*name, format!("{kind:?}"));
            let mut clock = Synchronous::new(machine(kind));
            group.bench_with_input(name, steps, |bencher, steps| {
                bencher.iter(|| {
                    for step in black_box(steps) {
                        clock.step(Phase(0), step);
                    }
                });
            });
            black_box(clock.finish());
        }
    }
    group.finish();
}

fn synchronous(criterion: &mut Criterion) {
    let explicit = [
        ("random", random_steps(1 << 14, 1 << 30)),
        ("random-few-addresses", random_steps(1 << 14, 256)),
    ];
    replay(criterion, "synchronous/explicit", &explicit);
    let runs = [
        ("contiguous", whole(1 << 20, 1)),
        ("strided", whole(1 << 20, 1000)),
        ("rows-of-1365", rows(1365, 1)),
        ("rows-of-10", rows(10, 1)),
        ("columns-of-1365", rows(1365, 3000)),
    ];
    replay(criterion, "synchronous/runs", &runs);
}

fn asynchronous(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("asynchronous");
    let (steps, dispatches) = (64, 256);
    group.throughput(Throughput::Elements(steps * dispatches));
    let step = whole(dispatches * WIDTH, 1).remove(0);
    // Twice as many warps as take part: the general case, not all in turn.
    let threads = Threads::new(2 * dispatches * WIDTH).expect("positive");
    group.bench_function("dispatches", |bencher| {
        bencher.iter(|| {
            let mut clock = Asynchronous::new(machine(MachineKind::Umm), threads);
            for _ in 0..steps {
                clock.step(Phase(0), black_box(&step));
            }
            clock.finish()
        });
    });
    group.finish();
}

criterion_group!(benches, synchronous, asynchronous);
criterion_main!(benches);
