//! Counting the time of listings without values: thread accesses a second. All but the last line
//! on one core.
//!
//! `explicit`: random addresses replayed one by one, in the same run: what every other line is
//! compared with.

use std::hint::black_box;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use memory_machine::algorithms::catalogue;
use memory_machine::count::count;
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::program::Program;
use memory_machine::machine::MachineKind::{self, Dmm, Hmm, Umm};
use memory_machine::machine::{Counts, Dmms, Machine, Mode, Synchronous};
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::run::{Limits, WHILE_ITERATIONS};
use memory_machine::trace::{AccessKind, Phase, Sink, Step};
use memory_machine::units::{Address, Latency, Threads, Width};
use rand::{RngExt, SeedableRng};
use rayon::{ThreadPool, ThreadPoolBuilder};

#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    algorithm: &'static str,
    size: (&'static str, i64),
    kind: MachineKind,
    width: u64,
    threads: u64,
    mode: Mode,
    bulk: Option<Arrangement>,
}

const BASE: Case = Case {
    name: "umm_opt/n=8192",
    algorithm: "umm_opt",
    size: ("n", 8192),
    kind: Umm,
    width: 32,
    threads: 65536,
    mode: Mode::Sync,
    bulk: None,
};

const BULK: Case =
    Case { name: "opt", algorithm: "opt", size: ("n", 512), threads: 1 << 20, ..BASE };

const PRODUCT: Case = Case {
    name: "matrix_multiply_hmm/n=4096",
    algorithm: "matrix_multiply_hmm",
    size: ("n", 4096),
    kind: Hmm(Dmms { number: 132, ..Dmms::ONE }),
    ..BASE
};

const BITONIC: Case = Case { name: "bitonic/k=24", algorithm: "bitonic", size: ("k", 24), ..BASE };

const CASES: [Case; 13] = [
    BASE,
    Case { name: "umm_opt/n=8192/dmm", kind: Dmm, ..BASE },
    Case { name: "umm_opt/n=8191", size: ("n", 8191), ..BASE },
    Case { name: "umm_opt/n=8192/w=24", width: 24, ..BASE },
    Case { name: "umm_opt/n=8192/p=1000", threads: 1000, ..BASE },
    Case {
        name: "umm_opt/n=1024/p=4096/async",
        size: ("n", 1024),
        threads: 4096,
        mode: Mode::Async,
        ..BASE
    },
    Case { name: "opt/n=512/p=1048576/column", bulk: Some(Arrangement::ColumnWise), ..BULK },
    Case { name: "opt/n=512/p=1048576/row", bulk: Some(Arrangement::RowWise), ..BULK },
    BITONIC,
    Case { name: "bitonic/k=24/p=32", threads: 32, ..BITONIC },
    PRODUCT,
    Case { name: "matrix_multiply_hmm/n=4100", size: ("n", 4100), ..PRODUCT },
    Case {
        name: "transpose_padded/n=16384",
        algorithm: "transpose_padded",
        size: ("n", 16384),
        ..PRODUCT
    },
];

impl Case {
    fn machine(&self) -> Machine {
        Machine {
            kind: self.kind,
            width: Width::new(self.width).expect("positive"),
            latency: Latency::new(400).expect("positive"),
        }
    }

    fn program(&self) -> Program {
        let text = catalogue::find(self.algorithm).expect("shipped").text.to_owned();
        language::load(Source { name: self.algorithm.to_owned(), text }).expect("well-formed")
    }

    fn count(&self, program: &Program) -> Counts {
        let machine = self.machine();
        let bulk = self.bulk.map(|arrangement| Bulk { inputs: self.threads, arrangement });
        let value = |name: &str| (name == self.size.0).then_some(self.size.1);
        let layout = Layout::new(program, value, machine.width, bulk).expect("fits");
        let threads = Threads::new(self.threads).expect("positive");
        let limits = Limits::new(threads, WHILE_ITERATIONS);
        let counted = count(program, &layout, machine, self.mode, limits).expect("counts");
        assert!(counted.executed.is_empty(), "{} was executed", self.name);
        counted.counts.into_iter().sum()
    }

    fn measure(&self, group: &mut BenchmarkGroup<'_, WallTime>, name: &str, pool: &ThreadPool) {
        let program = self.program();
        let accesses = pool.install(|| self.count(&program)).accesses;
        group.throughput(Throughput::Elements(u64::try_from(accesses).expect("fits")));
        group.bench_function(name, |bencher| {
            bencher.iter(|| pool.install(|| black_box(self.count(&program))));
        });
    }
}

fn pool(cores: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(cores).build().expect("starts")
}

/// Random addresses, 16 steps of 2¹⁴ threads.
fn explicit(group: &mut BenchmarkGroup<'_, WallTime>) {
    let mut random = ChaCha8Rng::seed_from_u64(2013);
    let steps: Vec<Step> = (0..16)
        .map(|_| {
            let mut step = Step::new(AccessKind::Read);
            for _ in 0..1 << 14 {
                step.push(Address(random.random_range(0..1 << 30)));
            }
            step
        })
        .collect();
    let mut clock = Synchronous::new(BASE.machine());
    group.throughput(Throughput::Elements(16 << 14));
    group.bench_function("explicit", |bencher| {
        bencher.iter(|| {
            for step in black_box(&steps) {
                clock.step(Phase(0), step);
            }
        });
    });
    black_box(clock.finish());
}

fn time_only(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("time_only");
    group.sample_size(10);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    explicit(&mut group);
    let one = pool(1);
    for case in CASES {
        case.measure(&mut group, case.name, &one);
    }
    BASE.measure(&mut group, "umm_opt/n=8192/all-cores", &pool(0));
    group.finish();
}

criterion_group!(benches, time_only);
criterion_main!(benches);
