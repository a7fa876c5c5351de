//! The asynchronous clock against the tick-by-tick simulator, and at its edges.

use memory_machine::machine::{Asynchronous, Counts, Machine, MachineKind, Mode, schedule, time};
use memory_machine::trace::{Event, Phase, Sink, Trace, text};
use memory_machine::units::TimeUnits;
use proptest::prelude::*;

use super::oracle::{self, Happened};
use super::traces::{self, machine_of};

/// `(warp, event, start, stages)` of every dispatch.
fn dispatches(machine: Machine, trace: &Trace) -> Vec<(u64, usize, u128, u64)> {
    schedule(machine, Mode::Async, trace)
        .iter()
        .map(|it| (it.warp, it.step, it.start.0, it.stages))
        .collect()
}

/// Event `i` is counted to phase `i mod 3`.
fn by_phase(machine: Machine, trace: &Trace) -> Vec<Counts> {
    let mut clock = Asynchronous::new(machine, trace.threads);
    for (event, i) in trace.events.iter().zip(0..) {
        match event {
            Event::Step(step) => clock.step(Phase(i % 3), step),
            Event::Barrier | Event::Blocks(_) => clock.barrier(),
        }
    }
    clock.finish()
}

proptest! {
    #![proptest_config(crate::cases(4_000))]

    #[test]
    fn equals_the_tick_by_tick_simulator(
        machine in traces::machine(),
        trace in traces::trace(),
    ) {
        let oracle = oracle::asynchronous(machine, &trace);
        let plain: Vec<_> = oracle
            .iter()
            .map(|it: &Happened| (it.warp as u64, it.event, it.start, it.stages))
            .collect();
        prop_assert_eq!(dispatches(machine, &trace), plain);

        let total = oracle.iter().map(|it| it.complete).max().unwrap_or(0);
        let counts = time(machine, Mode::Async, &trace);
        prop_assert_eq!(counts.time_units.0, total);
        let synchronous = time(machine, Mode::Sync, &trace);
        prop_assert!(counts.time_units <= synchronous.time_units);
        prop_assert_eq!(Counts { time_units: synchronous.time_units, ..counts }, synchronous);

        // Each completion's time since the one before is its phase's.
        let mut phases = [0; 3];
        let mut last = 0;
        for it in &oracle {
            phases[it.event % 3] += it.complete - last;
            last = it.complete;
        }
        let counts = by_phase(machine, &trace);
        for (phase, &plain) in phases.iter().enumerate() {
            prop_assert_eq!(counts.get(phase).map_or(0, |it| it.time_units.0), plain);
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(4_000))]

    /// Nobody listens here, so that equal warps are not looked at one by one.
    #[test]
    fn steps_taken_in_turn_equal_the_tick_by_tick_simulator((machine, trace) in traces::in_turn()) {
        let oracle = oracle::asynchronous(machine, &trace);
        let total = oracle.iter().map(|it| it.complete).max().unwrap_or(0);
        prop_assert_eq!(time(machine, Mode::Async, &trace).time_units.0, total);
        let plain: Vec<_> = oracle
            .iter()
            .map(|it: &Happened| (it.warp as u64, it.event, it.start, it.stages))
            .collect();
        prop_assert_eq!(dispatches(machine, &trace), plain);
    }
}

#[test]
fn the_figure_of_the_papers_takes_eight_time_units() {
    let trace = text::parse("threads 8\nR 0 5 2 9 12+1x4\n").unwrap();
    let machine = machine_of(MachineKind::Umm, 4, 5);
    for mode in [Mode::Sync, Mode::Async] {
        let counts = time(machine, mode, &trace);
        assert_eq!(counts.time_units, TimeUnits(8));
        assert_eq!(counts.stages, 4);
        let starts: Vec<_> = schedule(machine, mode, &trace)
            .iter()
            .map(|it| (it.warp, it.start.0, it.stages))
            .collect();
        assert_eq!(starts, [(0, 0, 3), (1, 3, 1)]);
    }
}

/// W(0) asks twice, and between its accesses W(1) holds the entrance for `held` time units. The
/// second access waits for the completion of the first, at `stages + l − 1` exactly: an entrance
/// that is free one time unit before does not help, one that is free just then does not hinder.
#[test]
fn an_access_is_complete_at_its_time_and_not_before() {
    for latency in 1..=30 {
        let machine = machine_of(MachineKind::Umm, 32, latency);
        for stages in [1, 2, 31, 32] {
            let complete = stages + latency - 1;
            for held in 1..=32 {
                let trace =
                    format!("threads 64\nR 0+32x{stages} -x{} 0+32x{held}\nR 5\n", 32 - stages);
                let trace = text::parse(&trace.replace("-x0 ", "")).unwrap();
                let second = u128::from(complete.max(stages + held));
                assert_eq!(
                    dispatches(machine, &trace),
                    [(0, 0, 0, stages), (1, 0, u128::from(stages), held), (0, 1, second, 1)]
                );
                let total = time(machine, Mode::Async, &trace).time_units.0;
                assert_eq!(total, second + u128::from(latency));
            }
        }
    }
}

#[test]
fn a_barrier_waits_for_the_last_completion_and_starts_again_with_the_first_warp() {
    let machine = machine_of(MachineKind::Dmm, 2, 7);
    // W(1) is dispatched last before the barrier; W(0) is first after it.
    let trace = text::parse("threads 6\nR 0+1x4\nB\nB\nR 0+1x6\n").unwrap();
    let expected = [
        (0, 0, 0, 1),
        (1, 0, 1, 1),
        (0, 3, 8, 1), // W(1) is complete at 1 + 7
        (1, 3, 9, 1),
        (2, 3, 10, 1),
    ];
    assert_eq!(dispatches(machine, &trace), expected);
    assert_eq!(time(machine, Mode::Async, &trace).time_units.0, 17);
    // Without the barrier, W(2) may begin at once.
    let trace = text::parse("threads 6\nR 0+1x4\nR 0+1x6\n").unwrap();
    assert_eq!(dispatches(machine, &trace)[..3], [(0, 0, 0, 1), (1, 0, 1, 1), (2, 1, 2, 1)]);
}

#[test]
fn cost_does_not_grow_with_latency_or_with_idle_threads() {
    let latency = u64::MAX;
    let machine = machine_of(MachineKind::Umm, 4, latency);
    let far = 1_u64 << 62;
    let text = format!("threads {}\nR 0 -x{far} 5\nR 1 -x{far} 5\n", far + 2);
    let trace = text::parse(&text).unwrap();
    let counts = time(machine, Mode::Async, &trace);
    assert_eq!(counts.dispatches, 4);
    assert_eq!(counts.time_units.0, 2 * u128::from(latency) + 1);
}
