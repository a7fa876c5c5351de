//! Counting against executing, access by access, on random programs.

pub mod blocks;
mod careless;
mod extremes;
mod generate;

use memory_machine::count::{CountError, UncheckedFailure, count};
use memory_machine::diagnostic::Source;
use memory_machine::language::{self, program::Program};
use memory_machine::machine::{Clock, Counts, Machine, Mode};
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::run::memory::{Memory, given};
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::units::Threads;
use proptest::prelude::*;

use crate::machine::traces;

fn load(text: &str) -> Program {
    let source = Source { name: "affine.alg".to_owned(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The counts of a run with values.
fn executed(
    program: &Program,
    layout: &Layout,
    machine: Machine,
    mode: Mode,
    limits: Limits,
) -> Vec<Counts> {
    let mut memory = Memory::new(layout).unwrap();
    for array in given(program) {
        for input in 0..layout.bulk.map_or(1, |bulk| bulk.inputs) {
            memory.fill(layout, array, input, &vec![0; layout.regions[array.0].cells as usize]);
        }
    }
    let mut tracer = Tracer::new(program, Clock::new(machine, mode, limits.threads));
    execute(program, layout, &mut memory, limits, &mut tracer).unwrap_or_else(|it| panic!("{it}"));
    let mut counts = tracer.sink.finish();
    counts.resize(program.phases.len(), Counts::default());
    counts
}

/// Whether both agree; how many loops had to be executed for it.
fn agree(text: &str, machine: Machine, mode: Mode, threads: u64, bulk: Option<Bulk>) -> usize {
    let program = load(text);
    let layout = Layout::new(&program, |_| None, machine.width, bulk).unwrap();
    let limits = Limits::new(Threads::new(threads).unwrap(), 1_000_000);
    let counted = count(&program, &layout, machine, mode, limits).unwrap();
    let executed = executed(&program, &layout, machine, mode, limits);
    assert_eq!(counted.counts, executed, "{machine:?} {mode:?} p = {threads} {bulk:?}\n{text}");
    counted.executed.len()
}

fn parallel(seed: u64, machine: Machine, asynchronous: bool, threads: u64) -> usize {
    let mode = if asynchronous { Mode::Async } else { Mode::Sync };
    agree(&generate::parallel(seed), machine, mode, threads, None)
}

/// Thread numbers of every relation to the width, multiples above all.
fn threads() -> impl Strategy<Value = (u64, u64)> {
    (prop_oneof![2 => Just(0_u64), 1 => 1_u64..20], prop_oneof![1_u64..5, 1_u64..60])
}

fn sequential(seed: u64, machine: Machine, asynchronous: bool, bulk: Option<(bool, u64)>) {
    let mode = if asynchronous { Mode::Async } else { Mode::Sync };
    let bulk = bulk.map(|(row_wise, inputs)| Bulk {
        inputs,
        arrangement: if row_wise { Arrangement::RowWise } else { Arrangement::ColumnWise },
    });
    let threads = bulk.map_or(7, |bulk| bulk.inputs);
    agree(&generate::sequential(seed), machine, mode, threads, bulk);
}

proptest! {
    #![proptest_config(crate::cases(1_500))]

    #[test]
    fn parallel_programs(
        seed: u64,
        machine in traces::machine(),
        asynchronous: bool,
        (rest, warps) in threads(),
    ) {
        parallel(seed, machine, asynchronous, machine.width.get() * warps + rest);
    }

    #[test]
    fn sequential_programs(
        seed: u64,
        machine in traces::machine(),
        asynchronous: bool,
        bulk in prop::option::weighted(0.8, (any::<bool>(), 1_u64..80)),
    ) {
        sequential(seed, machine, asynchronous, bulk);
    }
}

/// What came of a program that may fail: whether it ran, and whether that was known beforehand.
fn verdicts(seed: u64, machine: Machine, mode: Mode, threads: u64) -> (bool, bool) {
    let text = careless::program(seed);
    let source = Source { name: "careless.alg".to_owned(), text: text.clone() };
    // A few make no sense: `x` in two types.
    let Ok(program) = language::load(source) else { return (false, false) };
    let layout = Layout::new(&program, |_| None, machine.width, None).unwrap();
    let limits = Limits::new(Threads::new(threads).unwrap(), 1000);
    let mut memory = Memory::new(&layout).unwrap();
    for array in given(&program) {
        let cells = layout.regions[array.0].cells;
        let values: Vec<u64> = (0..cells).map(|it| (it + seed) % 4).collect();
        memory.fill(&layout, array, 0, &values);
    }
    let counted = match count(&program, &layout, machine, mode, limits) {
        Err(CountError::DependsOnMemory(_)) => return (false, false),
        counted => counted,
    };
    let mut tracer = Tracer::new(&program, Clock::new(machine, mode, limits.threads));
    let run = execute(&program, &layout, &mut memory, limits, &mut tracer);
    let setting = format!("{machine:?} {mode:?} p = {threads}\n{text}");
    match (&run, &counted) {
        (Ok(_), Ok(counted)) => {
            let mut counts = tracer.sink.finish();
            counts.resize(program.phases.len(), Counts::default());
            assert_eq!(counted.counts, counts, "{setting}");
        }
        (Ok(_), Err(error)) => panic!("it runs, but is not counted: {error}\n{setting}"),
        (Err(error), Ok(counted)) => {
            assert_ne!(counted.unchecked, UncheckedFailure::default(), "{error}\n{setting}");
        }
        (Err(_), Err(_)) => {}
    }
    (
        run.is_ok(),
        counted.is_ok_and(|it| it.unchecked == UncheckedFailure::default()) || run.is_err(),
    )
}

proptest! {
    #![proptest_config(crate::cases(2_000))]

    #[test]
    fn what_fails_when_run_fails_when_counted(
        seed: u64,
        machine in traces::machine(),
        asynchronous: bool,
        threads in 1_u64..20,
    ) {
        let mode = if asynchronous { Mode::Async } else { Mode::Sync };
        verdicts(seed, machine, mode, threads);
    }
}

/// The property above is worth little if all programs failed, or none, or none were known to.
#[test]
fn careless_programs_go_either_way() {
    let machine = traces::machine_of(memory_machine::machine::MachineKind::Umm, 4, 5);
    let all: Vec<_> = (0..600).map(|seed| verdicts(seed, machine, Mode::Sync, 4)).collect();
    let number = |wanted| all.iter().filter(|it| **it == wanted).count();
    assert!(number((true, true)) > 60 && number((false, true)) > 60, "{all:?}");
}

#[test]
fn rows_of_different_steps() {
    let nest = "for i ← 0 to 39 do in parallel\n  for j ← 0 to 39 step i+1 do in parallel\n";
    for (body, p) in [("o[j] ← 1", 16), ("o[j] ← 1", 1024), ("if j < i then o[j] ← 1", 48)] {
        let text = format!("algorithm f()\noutput o[40] : f32\n\n{nest}    {body}\n");
        for mode in [Mode::Sync, Mode::Async] {
            let machine = traces::machine_of(memory_machine::machine::MachineKind::Umm, 4, 5);
            assert_eq!(agree(&text, machine, mode, p, None), 0);
        }
    }
}

/// What the properties above prove is worth little if everything were executed after all.
#[test]
fn most_loops_are_counted() {
    let machine = traces::machine_of(memory_machine::machine::MachineKind::Umm, 4, 5);
    let executed: usize = (0..300).map(|seed| parallel(seed, machine, false, 64)).sum();
    assert!(executed < 60, "{executed} loops of 300 programs were executed");
}
