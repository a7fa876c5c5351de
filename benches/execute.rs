//! Executing listings with their values: thread accesses a second, one core.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use memory_machine::algorithms::catalogue;
use memory_machine::algorithms::random::{self, Distribution};
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::machine::{Clock, Counts, Machine, MachineKind, Mode};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{self, Memory};
use memory_machine::run::{self, Limits, Tracer};
use memory_machine::units::{Latency, Threads, Width};

/// Runs an OPT listing for an n-gon of random weights; returns its counts.
fn optimal_triangulation(name: &str, n: i64) -> Counts {
    let text = catalogue::find(name).expect("shipped").text.to_owned();
    let program = language::load(Source { name: name.to_owned(), text }).expect("well-formed");
    let (width, latency) =
        (Width::new(32).expect("positive"), Latency::new(100).expect("positive"));
    let layout = Layout::new(&program, |_| Some(n), width, None).expect("small");
    let mut memory = Memory::new(&layout).expect("small");
    for array in memory::given(&program) {
        let cells = layout.regions[array.0].cells as usize;
        let numbers: Vec<f64> = random::numbers(Distribution::Chords, cells, 1).collect();
        let element = program.arrays[array.0].element;
        memory.fill(&layout, array, 0, &memory::encode(element, &numbers).expect("floats"));
    }
    let machine = Machine { kind: MachineKind::Umm, width, latency };
    let threads = Threads::new(1024).expect("positive");
    let mut tracer = Tracer::new(&program, Clock::new(machine, Mode::Sync, threads));
    let limits = Limits { threads, while_iterations: 0 };
    run::execute(&program, &layout, &mut memory, limits, &mut tracer).expect("runs");
    tracer.sink.finish().into_iter().sum()
}

fn execute(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("execute");
    group.sample_size(10);
    for (name, n) in [("umm_opt", 256), ("dp_opt", 128), ("opt", 128)] {
        let accesses = u64::try_from(optimal_triangulation(name, n).accesses).expect("small");
        group.throughput(Throughput::Elements(accesses));
        group.bench_function(BenchmarkId::new(name, n), |bencher| {
            bencher.iter(|| optimal_triangulation(name, n));
        });
    }
    group.finish();
}

criterion_group!(benches, execute);
criterion_main!(benches);
