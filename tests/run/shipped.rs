//! The shipped listings: results against their references, and times that theory knows exactly.

mod bulk;

use memory_machine::algorithms::catalogue::{self, CATALOGUE, Entry};
use memory_machine::algorithms::opt::paper;
use memory_machine::algorithms::random;
use memory_machine::algorithms::reference::{Expected, Given};
use memory_machine::diagnostic::Source;
use memory_machine::language::{self, program::Program};
use memory_machine::machine::{Clock, Counts, Machine, MachineKind, Mode, time};
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::run::memory::{self, Memory};
use memory_machine::run::pram::Pram;
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::trace::text;
use memory_machine::units::{Latency, Threads, Width};

pub(super) fn entry(name: &str) -> &'static Entry {
    catalogue::find(name).unwrap()
}

pub(super) fn program(entry: &Entry) -> Program {
    let source = Source { name: entry.name.into(), text: entry.text.into() };
    language::load(source).unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn machine(kind: MachineKind, width: u64, latency: u64) -> Machine {
    Machine { kind, width: Width::new(width).unwrap(), latency: Latency::new(latency).unwrap() }
}

/// What to run: parameters beside `n`, threads or inputs.
#[derive(Clone, Copy)]
struct Case<'a> {
    name: &'a str,
    sizes: &'a [(&'a str, i64)],
    threads: u64,
    arrangement: Option<Arrangement>,
    machine: Machine,
    mode: Mode,
}

/// Runs a case on random inputs, checks every result, and returns each phase's name and counts.
fn run(case: Case<'_>) -> Vec<(String, Counts)> {
    let entry = entry(case.name);
    let program = program(entry);
    let bulk = case.arrangement.map(|arrangement| Bulk { inputs: case.threads, arrangement });
    let value = |name: &str| case.sizes.iter().find(|(it, _)| *it == name).map(|&(_, it)| it);
    let layout = Layout::new(&program, value, case.machine.width, bulk).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    let inputs = bulk.map_or(1, |bulk| bulk.inputs);
    let mut given = vec![];
    for input in 0..inputs {
        let mut numbers = vec![];
        for id in memory::given(&program) {
            let array = &program.arrays[id.0];
            let cells = layout.regions[id.0].cells as usize;
            let seed = 97 * input + id.0 as u64;
            let distribution = random::distribution(&program, array);
            let values = random::numbers(distribution, cells, seed).collect::<Vec<_>>();
            let bits = memory::encode(array.element, &values).unwrap();
            memory.fill(&layout, id, input, &bits);
            numbers.push(values);
        }
        given.push(numbers);
    }
    let threads = Threads::new(case.threads).unwrap();
    let mut tracer = Tracer::new(&program, Clock::new(case.machine, case.mode, threads));
    let limits = Limits::new(threads, 1000);
    execute(&program, &layout, &mut memory, limits, &mut tracer)
        .unwrap_or_else(|error| panic!("{error}"));
    for (input, given) in (0..).zip(&given) {
        agrees(entry, &program, &layout, &memory, input, given);
    }
    let mut counts = tracer.sink.finish();
    counts.resize(program.phases.len(), Counts::default());
    program.phases.iter().cloned().zip(counts).collect()
}

/// Panics where a result differs from the reference.
pub(super) fn agrees(
    entry: &Entry,
    program: &Program,
    layout: &Layout,
    memory: &Memory,
    input: u64,
    given: &[Vec<f64>],
) {
    let numbers: Vec<&dyn Given> = given.iter().map(|it| it as &dyn Given).collect();
    for expected in (entry.reference)(&layout.parameters, &numbers).unwrap() {
        let array = program.array_named(expected.array).unwrap();
        let element = program.arrays[array.0].element;
        let found = memory.values(layout, array, input);
        let found = found.iter().map(|bits| bits.map(|bits| memory::number(element, bits)));
        let name = expected.array;
        let difference = expected.first_difference(found);
        assert_eq!(difference, None, "{}: {name} of {input}\n{given:?}", entry.name);
    }
}

/// No reference lets a wrong word pass, whatever the numbers.
#[test]
fn a_wrong_word_is_found() {
    for entry in CATALOGUE {
        let program = program(entry);
        let value = |name: &str| {
            let known = program.parameters.iter().find(|it| it.name == name);
            known.and_then(|it| it.default).or(Some(6))
        };
        let layout = Layout::new(&program, value, Width::new(1).unwrap(), None).unwrap();
        let numbers = memory::given(&program).map(|id| {
            let cells = layout.regions[id.0].cells as usize;
            let distribution = random::distribution(&program, &program.arrays[id.0]);
            random::numbers(distribution, cells, 5).collect::<Vec<_>>()
        });
        let numbers: Vec<_> = numbers.collect();
        let given: Vec<&dyn Given> = numbers.iter().map(|it| it as &dyn Given).collect();
        for expected in (entry.reference)(&layout.parameters, &given).unwrap() {
            let Expected { array, values, tolerance, certain } = expected;
            assert!(certain, "{}", entry.name);
            let values: Vec<Option<f64>> = values.collect();
            let difference = |found: Vec<Option<f64>>| {
                let values = Box::new(values.iter().copied());
                Expected { array, values, tolerance, certain }.first_difference(found)
            };
            assert_eq!(difference(values.clone()), None);
            for (cell, wanted) in values.iter().enumerate() {
                let Some(wanted) = *wanted else { continue };
                let further = 2.0 * tolerance + 1e-6 * (1.0 + wanted.abs());
                let other = if wanted.is_finite() { wanted + further } else { 0.0 };
                for wrong in [Some(other), Some(f64::NAN), None] {
                    let mut found = values.clone();
                    found[cell] = wrong;
                    let difference = difference(found).unwrap();
                    assert_eq!((difference.0, difference.2), (cell, wanted), "{}", entry.name);
                }
            }
        }
    }
}

/// Three points on a line, which f64 does not see: the listing is not to blame.
#[test]
fn points_that_round_are_not_judged() {
    for name in ["greedy", "quickhull"] {
        let entry = entry(name);
        let given = |numbers: [f64; 4]| vec![numbers.to_vec(), numbers.to_vec()];
        let certain = |numbers| {
            let given = given(numbers);
            let given: Vec<&dyn Given> = given.iter().map(|it| it as &dyn Given).collect();
            let all = (entry.reference)(&[4], &given).unwrap();
            all.iter().all(|it| it.certain)
        };
        assert!(certain([0.0, 1.0, 33_554_432.0, -3.0]), "{name}");
        assert!(certain([0.5, 2_f64.powi(-24), 1.0, 0.0]), "{name}");
        assert!(
            certain([3.0 * 2_f64.powi(-100), 0.0, 2_f64.powi(-100), 1.0 * 2_f64.powi(-76)]),
            "{name}"
        );
        assert!(!certain([0.1, 0.2, 0.3, 0.4]), "{name}");
        assert!(!certain([1.0, 33_554_433.0, 2.0, 3.0]), "{name}");
    }
}

fn total(phases: &[(String, Counts)]) -> Counts {
    phases.iter().map(|(_, counts)| *counts).sum()
}

/// Nakano 2013, Theorem 1.
#[test]
fn sequential_access_keeps_theorem_1() {
    for (w, l) in [(1, 1), (3, 5), (4, 5), (32, 100)] {
        for (n, f, skip) in [(1, 0, 1), (32, 0, 1), (100, 3, 1), (1000, 7, 5), (999, 40, 33)] {
            for warps in [1, 2, 8_u64] {
                let threads = warps * w;
                let sizes = &[("n", n), ("f", f), ("skip", skip)];
                let machine = machine(MachineKind::Umm, w, l);
                let (arrangement, mode) = (None, Mode::Sync);
                let name = "sequential_access";
                let phases = run(Case { name, sizes, threads, arrangement, machine, mode });
                let rounds = (0..n as u64).step_by(threads as usize);
                let bound: u64 = rounds
                    .map(|first| 2 * (n as u64 - first).min(threads).div_ceil(w) + l - 1)
                    .sum();
                assert_eq!(phases.len(), 2);
                for (phase, counts) in phases {
                    let time = counts.time_units.0;
                    assert!(time <= u128::from(2 * f as u64 + bound), "{phase}: {time} {bound}");
                    assert_eq!(counts.accesses, n as u128);
                    if f == 0 {
                        // Without gaps every warp stays in one group.
                        let rounds = (n as u64).div_ceil(threads);
                        let stages = (n as u64).div_ceil(w);
                        assert_eq!(time, u128::from(stages + rounds * (l - 1)));
                    }
                }
            }
        }
    }
}

#[test]
fn the_papers_pipeline_figure() {
    for (text, kind) in [
        ("threads 8\nR 0 5 2 9 12+1x4\n", MachineKind::Umm),
        // The DMM's figure: W(0) in two stages, W(1) in two; 2 + 2 + 5 − 1 = 8.
        ("threads 8\nR 7 5 15 0 10 11 12 14\n", MachineKind::Dmm),
    ] {
        let counts = time(machine(kind, 4, 5), Mode::Sync, &text::parse(text).unwrap());
        assert_eq!((counts.stages, counts.time_units.0), (4, 8));
    }
}

#[test]
fn one_step_takes_its_stages_and_the_latency() {
    for w in [1, 3, 4, 32] {
        for l in [1, 2, 100] {
            for p in 1..70_u64 {
                let text = format!("threads {p}\nR 0+1x{p}\nB\nW 0+{w}x{p}\n");
                let trace = text::parse(&text).unwrap();
                let umm = time(machine(MachineKind::Umm, w, l), Mode::Sync, &trace);
                let dmm = time(machine(MachineKind::Dmm, w, l), Mode::Sync, &trace);
                let contiguous = u128::from(p.div_ceil(w));
                assert_eq!(umm.stages, contiguous + u128::from(p));
                // Stride w meets in one bank.
                assert_eq!(dmm.stages, contiguous + u128::from(p));
                assert_eq!(umm.time_units.0, umm.stages + 2 * u128::from(l - 1));
                assert_eq!(umm, dmm);
            }
        }
    }
}

/// Nakano 2012, Section IV, for n a multiple of w: by rows and by columns one of two accesses takes
/// w times the stages; by diagonals neither does on the DMM.
#[test]
fn transposes_differ_as_theory_says() {
    for w in [1, 2, 4, 8, 32_u64] {
        for times in [1, 2] {
            let n = w * times;
            let cells = u128::from(n * n);
            for warps in [1, n] {
                let (sizes, threads) = (&[("n", n as i64)][..], w * warps);
                let (name, l) = ("transpose", 5);
                let (arrangement, mode) = (None, Mode::Sync);
                let rounds = cells.div_ceil(u128::from(threads));
                let stages = |kind| {
                    let machine = machine(kind, w, l);
                    let phases = run(Case { name, sizes, threads, arrangement, machine, mode });
                    let names: Vec<_> = phases.iter().map(|(name, _)| name.as_str()).collect();
                    assert_eq!(names, ["row", "column", "diagonal"]);
                    for (_, counts) in &phases {
                        let latency = 2 * rounds * u128::from(l - 1);
                        assert_eq!(counts.time_units.0, counts.stages + latency);
                    }
                    phases.into_iter().map(|(_, counts)| counts.stages).collect::<Vec<_>>()
                };
                let short = cells / u128::from(w);
                assert_eq!(
                    stages(MachineKind::Dmm),
                    [short + cells, cells + short, short + short],
                    "w = {w}, n = {n}, p = {threads}"
                );
                let umm = stages(MachineKind::Umm);
                assert_eq!(umm[..2], [short + cells, cells + short]);
                if times == 1 {
                    // Along a diagonal every word is in a group of its own.
                    assert_eq!(umm[2], 2 * cells);
                }
            }
        }
    }
}

#[test]
fn the_papers_polygon() {
    for name in ["opt", "dp_opt", "umm_opt"] {
        let program = program(entry(name));
        let value = |_: &str| Some(8);
        let layout = Layout::new(&program, value, Width::new(4).unwrap(), None).unwrap();
        let mut memory = Memory::new(&layout).unwrap();
        let c = program.array_named("c").unwrap();
        let weights: Vec<f64> = paper::weights().as_slice().iter().map(|&it| it.into()).collect();
        memory.fill(&layout, c, 0, &memory::encode(program.arrays[c.0].element, &weights).unwrap());
        let limits = Limits::new(Threads::new(16).unwrap(), 10);
        let mut clock = Tracer::new(
            &program,
            Clock::new(machine(MachineKind::Umm, 4, 5), Mode::Sync, limits.threads),
        );
        let answer = execute(&program, &layout, &mut memory, limits, &mut clock).unwrap().unwrap();
        assert_eq!(f32::from_bits(answer as u32), 6.0);
        let m = program.array_named("M").unwrap();
        let table = memory.values(&layout, m, 0);
        for (cell, &wanted) in paper::TABLE.concat().iter().enumerate() {
            let (i, j) = (cell / 8, cell % 8);
            if 1 <= i && i <= j {
                assert_eq!(
                    table[cell].map(|it| f32::from_bits(it as u32)),
                    Some(wanted),
                    "{i} {j}"
                );
            }
        }
    }
}

#[test]
fn asynchronous_runs_are_never_slower() {
    for entry in CATALOGUE {
        let program = program(entry);
        let needed = program.parameters.iter().filter(|it| it.default.is_none());
        let sizes: Vec<(&str, i64)> = needed.map(|it| (it.name.as_str(), 13)).collect();
        for (w, l, threads) in crate::some([(4, 5, 16), (32, 100, 1024), (3, 1, 10)], 3) {
            for kind in [MachineKind::Umm, MachineKind::Dmm] {
                let case = |mode| {
                    let (name, sizes) = (entry.name, &sizes[..]);
                    let machine = machine(kind, w, l);
                    total(&run(Case { name, sizes, threads, arrangement: None, machine, mode }))
                };
                let (sync, asynchronous) = (case(Mode::Sync), case(Mode::Async));
                assert!(asynchronous.time_units <= sync.time_units, "{}", entry.name);
                assert_eq!(asynchronous.stages, sync.stages);
                assert_eq!(asynchronous.dispatches, sync.dispatches);
            }
        }
    }
}

#[test]
fn no_shipped_listing_has_races() {
    for entry in CATALOGUE {
        let program = program(entry);
        let value =
            |name: &str| program.parameters.iter().find(|it| it.name == name)?.default.or(Some(9));
        let layout = Layout::new(&program, value, Width::new(1).unwrap(), None).unwrap();
        let mut memory = Memory::new(&layout).unwrap();
        for id in memory::given(&program) {
            let array = &program.arrays[id.0];
            let cells = layout.regions[id.0].cells as usize;
            let distribution = random::distribution(&program, array);
            let numbers = random::numbers(distribution, cells, 3).collect::<Vec<_>>();
            memory.fill(&layout, id, 0, &memory::encode(array.element, &numbers).unwrap());
        }
        let mut pram = Pram::new(&program);
        let limits = Limits::new(Threads::new(u64::MAX).unwrap(), 1000);
        execute(&program, &layout, &mut memory, limits, &mut pram).unwrap();
        assert_eq!(pram.finish().1, [], "{}", entry.name);
    }
}
