//! Steps that are kept: their times and values are those of the run, from wherever they begin.

use std::collections::HashMap;

use memory_machine::case::Case;
use memory_machine::machine::{Dmms, Machine, MachineKind, Mode, WarpAccess};
use memory_machine::run::layout::{Arrangement, Layout};
use memory_machine::run::memory::Memory;
use memory_machine::steps::{StepRecorder, Steps};
use memory_machine::trace::AccessKind;
use memory_machine::units::{Address, Latency, TimeUnits, Width};

const ALL: [u64; 2] = [1 << 20; 2];

fn machine(kind: MachineKind) -> Machine {
    Machine { kind, width: Width::at_least_one(4), latency: Latency::at_least_one(5) }
}

fn hmm() -> MachineKind {
    MachineKind::Hmm(Dmms { number: 2, latency: Latency::at_least_one(2), resident: 1 })
}

fn cases() -> Vec<Case> {
    let load = |name: &str, n: i64| {
        Case::load(name).unwrap().set("n", n).threads(8).unwrap().on(machine(MachineKind::Umm))
    };
    let both = |it: Case| [it.clone(), it.on(machine(MachineKind::Dmm))];
    let mut cases = vec![
        load("prefix_sums", 6).bulk(Arrangement::RowWise),
        load("prefix_sums", 6).bulk(Arrangement::ColumnWise),
        load("sum_hmm", 16).set("b", 2).set("q", 4).on(machine(hmm())),
        load("transpose_padded", 6).set("t", 3).set("q", 8).on(machine(hmm())),
    ];
    cases.extend(["umm_opt", "permute", "sum"].into_iter().flat_map(|it| both(load(it, 9))));
    let sync = cases.clone();
    cases.extend(sync.into_iter().map(|it| Case { mode: Mode::Async, ..it }));
    cases
}

fn recorded(case: &Case, from: u128, limits: [u64; 2]) -> (Steps, Layout, Memory) {
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let before = memory.clone();
    let run = (case.machine, case.mode, case.threads);
    let given = (&*case.program, &layout, &before);
    let mut recorder = StepRecorder::new(given, run, TimeUnits(from), limits);
    let run = case.execute(&layout, &mut memory, &mut recorder);
    let steps = recorder.finish();
    assert_eq!(run.is_ok(), steps.is_to_the_end);
    (steps, layout, memory)
}

/// Time, step, warp and what is asked for, of the accesses from a time unit on.
fn told(case: &Case, layout: &Layout, steps: &Steps, from: u128) -> Vec<String> {
    let tell = |it: &WarpAccess| {
        let requests: Vec<_> = steps.requests(&case.program, layout, it).collect();
        let start = steps.start + it.start;
        format!("{start:?} {} {:?} {} {requests:?}", steps.before + it.step, it.block, it.warp)
    };
    let pipeline = steps.pipeline(|it, _, _| (steps.start + it.start).0 >= from);
    pipeline.accesses.iter().map(tell).collect()
}

#[test]
fn steps_take_the_time_of_the_run_and_leave_its_memory() {
    for case in cases() {
        let (steps, _, memory) = recorded(&case, 0, ALL);
        let (timed, pipeline) = (case.time().unwrap(), steps.pipeline(|_, _, _| true));
        assert_eq!(pipeline.time, timed.total().time_units, "{case}");
        let stages: usize = pipeline.accesses.iter().map(|it| it.stages.len()).sum();
        assert_eq!(stages as u128, timed.total().stages, "{case}");
        let words = steps.memory(TimeUnits(u128::MAX)).unwrap();
        for (id, region) in timed.layout.regions.iter().enumerate() {
            if case.program.arrays[id].role.is_local() {
                continue;
            }
            let array = case.program.array_named(&case.program.arrays[id].name).unwrap();
            let found = words[region.base.0 as usize..].iter().copied();
            let all: Vec<_> = memory.words(&timed.layout, array).collect();
            assert_eq!(found.take(all.len()).collect::<Vec<_>>(), all, "{case}");
        }
    }
}

/// A write is made in the time unit in which its stage is the pipeline's last.
#[test]
fn memory_holds_a_write_when_its_stage_is_complete() {
    for case in cases().into_iter().filter(|it| it.machine.kind.dmms().is_none()) {
        let (steps, ..) = recorded(&case, 0, ALL);
        let pipeline = steps.pipeline(|_, _, _| true);
        let made = |access: &WarpAccess, address: Address| {
            let stage = access.stages.iter().position(|it| it.contains(&address)).unwrap();
            access.start.0 + stage as u128 + u128::from(case.machine.latency.get())
        };
        let mut last = HashMap::new();
        for access in pipeline.accesses.iter().filter(|it| it.kind == AccessKind::Write) {
            for &address in access.stages.iter().flatten() {
                last.entry(address).or_insert_with(Vec::new).push(made(access, address));
            }
        }
        assert!(!last.is_empty(), "{case}");
        let at = |time: u128, address: Address| {
            steps.memory(TimeUnits(time)).unwrap()[address.0 as usize]
        };
        for (address, times) in last.into_iter().take(20) {
            // Before its first write nothing, or what was given; nothing changes but by a write.
            let (first, last) = (times[0], times[times.len() - 1]);
            assert_eq!(at(first - 1, address), at(0, address), "{case} {address:?}");
            assert_eq!(at(last, address), at(u128::MAX, address), "{case} {address:?}");
            if at(0, address).is_none() {
                assert!(at(first, address).is_some(), "{case} {address:?}");
            }
        }
    }
}

#[test]
fn steps_from_the_middle_are_those_from_the_start() {
    for case in cases() {
        let (whole, layout, _) = recorded(&case, 0, ALL);
        let total = whole.pipeline(|_, _, _| false).time.0;
        for from in [1, total / 3, total / 2, total - 1] {
            let (part, ..) = recorded(&case, from, ALL);
            assert!(part.start.0 <= from, "{case}");
            assert_eq!(
                told(&case, &layout, &part, from),
                told(&case, &layout, &whole, from),
                "{case} from {from}"
            );
            let at = TimeUnits(from - part.start.0);
            assert_eq!(part.memory(at), whole.memory(TimeUnits(from)), "{case} from {from}");
        }
    }
}

#[test]
fn no_more_is_kept_than_is_asked_for() {
    let case = Case::load("umm_opt").unwrap().set("n", 40);
    let (few, ..) = recorded(&case, 0, [100, 1 << 20]);
    assert!(!few.is_to_the_end);
    let (none, ..) = recorded(&case, 1 << 30, [1 << 20, 100]);
    assert!(!none.is_to_the_end && none.start.0 < 1 << 30);
}
