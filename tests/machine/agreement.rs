//! Counting and both clocks, against plain counting on random traces.

use memory_machine::machine::{Machine, MachineKind, Mode, StageCounter, schedule, time};
use memory_machine::trace::{AccessKind, Event, Piece, Step, StridedRun, Trace};
use memory_machine::units::{Address, TimeUnits};
use proptest::prelude::*;

use super::{oracle, traces};

/// The stages of every warp, 0 for those not visited.
fn counted(machine: Machine, step: &Step, threads: usize) -> Vec<u64> {
    let mut all = vec![0; threads.div_ceil(machine.width.get() as usize)];
    StageCounter::new(machine).visit(step, |warps| {
        let range = warps.first as usize..(warps.first + warps.count) as usize;
        assert!(all[range.clone()].iter().all(|&k| k == 0));
        all[range].fill(warps.stages);
    });
    all
}

/// `pieces`, each cut in two again and again where `cuts` says.
fn chopped(pieces: &[Piece], cuts: &[u64]) -> Vec<Piece> {
    let mut cuts = cuts.iter().cycle();
    let mut chopped = Vec::new();
    for &piece in pieces {
        let (Piece::Idle(mut left) | Piece::Run(StridedRun { count: mut left, .. })) = piece;
        let mut done = 0;
        while left > 0 {
            let count = cuts.next().map_or(left, |&cut| cut.min(left));
            chopped.push(match piece {
                Piece::Idle(_) => Piece::Idle(count),
                Piece::Run(run) => Piece::Run(StridedRun {
                    base: Address((run.base.0 as i64 + run.stride * done as i64) as u64),
                    stride: if count == 1 { 0 } else { run.stride },
                    count,
                }),
            });
            done += count;
            left -= count;
        }
    }
    chopped
}

fn pushed(addresses: &[Option<u64>]) -> Step {
    let mut step = Step::new(AccessKind::Read);
    for address in addresses {
        match address {
            Some(address) => step.push(Address(*address)),
            None => step.push_idle(1),
        }
    }
    step
}

fn steps(trace: &Trace) -> impl Iterator<Item = &Step> {
    trace.events.iter().filter_map(|event| match event {
        Event::Step(step) => Some(step),
        Event::Barrier | Event::Blocks(_) => None,
    })
}

proptest! {
    #![proptest_config(crate::cases(4_000))]

    #[test]
    fn runs_count_like_their_addresses_however_they_are_chopped(
        machine in traces::machine(),
        trace in traces::trace(),
        cuts in prop::collection::vec(1_u64..50, 1..6),
    ) {
        let threads = trace.threads.get() as usize;
        for step in steps(&trace) {
            let addresses = oracle::addresses(step, threads);
            let plain = oracle::stages(machine, &addresses);
            prop_assert_eq!(&counted(machine, step, threads), &plain);
            prop_assert_eq!(&counted(machine, &pushed(&addresses), threads), &plain);
            for cuts in [&cuts[..], &[1]] {
                let chopped = Step { pieces: chopped(&step.pieces, cuts), ..Step::new(step.kind) };
                prop_assert_eq!(&counted(machine, &chopped, threads), &plain);
            }
        }
    }

    #[test]
    fn synchronous_time_is_the_formula(machine in traces::machine(), trace in traces::trace()) {
        let counts = time(machine, Mode::Sync, &trace);
        prop_assert_eq!(counts.time_units, TimeUnits(oracle::synchronous(machine, &trace)));
        let threads = trace.threads.get() as usize;
        let (mut accesses, mut dispatches, mut stages) = (0, 0, 0);
        for step in steps(&trace) {
            let addresses = oracle::addresses(step, threads);
            let warps = oracle::stages(machine, &addresses);
            accesses += addresses.iter().flatten().count() as u128;
            dispatches += warps.iter().filter(|&&k| k > 0).count() as u128;
            stages += u128::from(warps.iter().sum::<u64>());
        }
        prop_assert_eq!(counts.accesses, accesses);
        prop_assert_eq!(counts.dispatches, dispatches);
        prop_assert_eq!(counts.stages, stages);
    }

    #[test]
    fn a_synchronous_schedule_fills_each_step_without_gaps(
        machine in traces::machine(),
        trace in traces::trace(),
    ) {
        let latency = u128::from(machine.latency.get());
        let (mut event, mut entrance) = (0, 0);
        for dispatch in schedule(machine, Mode::Sync, &trace) {
            if dispatch.step != event && entrance > 0 {
                entrance += latency - 1;
            }
            event = dispatch.step;
            prop_assert_eq!(dispatch.start.0, entrance);
            entrance += u128::from(dispatch.stages);
        }
        let last = if entrance == 0 { 0 } else { entrance + latency - 1 };
        prop_assert_eq!(time(machine, Mode::Sync, &trace).time_units.0, last);
    }
}

#[test]
fn wide_warps_count_like_their_addresses() {
    // Runs longer than the tallies' first size, and widths around theirs.
    for kind in [MachineKind::Umm, MachineKind::Dmm] {
        for width in [255, 256, 257, 1000, 4096] {
            let machine = traces::machine_of(kind, width, 1);
            for strides in [[1, 3, -1, 2], [width as i64, 1, 0, 7], [width as i64 + 6, 999, 5, 0]] {
                let mut step = Step::new(AccessKind::Read);
                for (i, stride) in (0..).zip(strides) {
                    let (base, count) = (Address(10_000_000 + 77 * i), 700 + 31 * i);
                    step.pieces.push(Piece::Run(StridedRun { base, stride, count }));
                }
                let threads = 4000;
                let plain = oracle::stages(machine, &oracle::addresses(&step, threads));
                assert_eq!(counted(machine, &step, threads), plain, "{machine:?} {strides:?}");
            }
        }
    }
}
