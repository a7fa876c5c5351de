//! Executing listings with their values: thread accesses a second, one core; timed alone, and with the
//! watch for races that `umm run` has.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use memory_machine::case::Case;
use memory_machine::machine::{Clock, Counts};
use memory_machine::run::Tracer;
use memory_machine::run::race::Races;

/// Runs a listing on random inputs; gives its counts.
fn timed(name: &str, n: i64, watched: bool) -> Counts {
    let case = Case::load(name).expect("shipped").set("n", n);
    let layout = case.layout().expect("sizes");
    let mut memory = case.memory(&layout).expect("room");
    let clock = Clock::new(case.machine, case.mode, case.threads);
    let mut tracer = Tracer::new(&case.program, clock);
    if watched {
        let mut observers = (tracer, Races::new(&case.program, &layout));
        case.execute(&layout, &mut memory, &mut observers).expect("runs");
        tracer = observers.0;
    } else {
        case.execute(&layout, &mut memory, &mut tracer).expect("runs");
    }
    tracer.sink.finish().into_iter().sum()
}

fn execute(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("execute");
    group.sample_size(10);
    for (name, n) in
        [("umm_opt", 256), ("dp_opt", 128), ("opt", 128), ("sum", 1 << 22), ("transpose", 1024)]
    {
        let accesses = u64::try_from(timed(name, n, false).accesses).expect("small");
        group.throughput(Throughput::Elements(accesses));
        for (what, watched) in [("alone", false), ("races", true)] {
            group.bench_function(BenchmarkId::new(format!("{name}_{what}"), n), |bencher| {
                bencher.iter(|| timed(name, n, watched));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, execute);
criterion_main!(benches);
