//! Random machines and traces of every kind.

use memory_machine::machine::{Machine, MachineKind};
use memory_machine::trace::{AccessKind, Event, Piece, Step, StridedRun, Trace};
use memory_machine::units::{Address, Latency, Threads, Width};
use proptest::prelude::*;

pub fn machine_of(kind: MachineKind, width: u64, latency: u64) -> Machine {
    Machine { kind, width: Width::new(width).unwrap(), latency: Latency::new(latency).unwrap() }
}

pub fn machine() -> impl Strategy<Value = Machine> {
    let kind = prop_oneof![Just(MachineKind::Umm), Just(MachineKind::Dmm)];
    // Narrow machines have many warps, which is where schedules get intricate.
    let width = prop_oneof![1_u64..6, 1_u64..40];
    (kind, width, 1_u64..30).prop_map(|(kind, width, latency)| machine_of(kind, width, latency))
}

fn run() -> impl Strategy<Value = Piece> {
    let stride = prop_oneof![
        3 => -2_i64..=2,
        3 => -45_i64..=45,
        1 => -2000_i64..=2000,
    ];
    let count = prop_oneof![2 => Just(1_u64), 3 => 1_u64..6, 3 => 1_u64..100];
    (0_u64..150, stride, count).prop_map(|(lowest, stride, count)| {
        let climb = if stride < 0 { stride.unsigned_abs() * (count - 1) } else { 0 };
        Piece::Run(StridedRun { base: Address(lowest + climb), stride, count })
    })
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        4 => run(),
        1 => (1_u64..60).prop_map(Piece::Idle),
    ]
}

/// Cuts pieces off after `threads` threads.
fn cut(pieces: Vec<Piece>, threads: u64) -> Vec<Piece> {
    let mut left = threads;
    let mut kept = Vec::new();
    for mut piece in pieces {
        let (Piece::Idle(count) | Piece::Run(StridedRun { count, .. })) = &mut piece;
        *count = left.min(*count);
        left -= *count;
        if *count > 0 {
            kept.push(piece);
        }
    }
    kept
}

/// One address or none for each thread.
fn explicit() -> impl Strategy<Value = Vec<Piece>> {
    let thread = prop_oneof![6 => (0_u64..90).prop_map(Some), 1 => Just(None)];
    prop::collection::vec(thread, 0..100).prop_map(|threads| {
        let mut step = Step::new(AccessKind::Read);
        for thread in threads {
            match thread {
                Some(address) => step.push(Address(address)),
                None => step.push_idle(1),
            }
        }
        step.pieces
    })
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    prop_oneof![
        5 => prop::collection::vec(piece(), 0..8),
        2 => prop::collection::vec(piece(), 8..24),
        2 => explicit(),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let kind = prop_oneof![Just(AccessKind::Read), Just(AccessKind::Write)];
    prop_oneof![
        6 => (kind, pieces()).prop_map(|(kind, pieces)| Event::Step(Step { pieces, ..Step::new(kind) })),
        1 => Just(Event::Barrier),
    ]
}

/// Whole machines in step, as in a bulk run, now and then with a step in which some warps idle.
pub fn in_turn() -> impl Strategy<Value = (Machine, Trace)> {
    let whole = (0_u64..200, prop_oneof![Just(0_i64), Just(1), 2_i64..9, 10_i64..40]);
    let step = prop_oneof![
        12 => whole.prop_map(|(base, stride)| Err((base, stride))),
        1 => pieces().prop_map(Ok),
    ];
    (machine(), 1_u64..14, prop::collection::vec(step, 0..13)).prop_map(
        |(machine, warps, steps)| {
            let threads = warps * machine.width.get();
            let events = steps.into_iter().map(|step| {
                let pieces = match step {
                    Ok(pieces) => cut(pieces, threads),
                    Err((base, stride)) => {
                        vec![Piece::Run(StridedRun { base: Address(base), stride, count: threads })]
                    }
                };
                Event::Step(Step { pieces, ..Step::new(AccessKind::Read) })
            });
            let events = events.collect();
            (machine, Trace { threads: Threads::new(threads).unwrap(), events })
        },
    )
}

pub fn trace() -> impl Strategy<Value = Trace> {
    (1_u64..110, prop::collection::vec(event(), 0..13)).prop_map(|(threads, mut events)| {
        for event in &mut events {
            if let Event::Step(step) = event {
                step.pieces = cut(std::mem::take(&mut step.pieces), threads);
            }
        }
        let threads = Threads::new(threads).unwrap();
        Trace { threads, events }
    })
}
