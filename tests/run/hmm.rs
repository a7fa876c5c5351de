//! Loops on DMMs: the execution of all blocks in step against the plain interpreter, which runs block
//! after block; and the time of the execution against the time of its trace.

mod listing;

use std::collections::{BTreeMap, BTreeSet};

use memory_machine::case::Case;
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::program::{ArrayId, Program};
use memory_machine::machine::{Clock, Counts, Machine, MachineKind, Mode, time};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::run::pram::{Pram, RacingAccess};
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::trace::{self, BlockEvent, BlockLoop, Trace};
use memory_machine::units::{Threads, Width};
use proptest::prelude::*;

pub use self::listing::listing;
use super::oracle::{Event, OfBlock, Oracle, Value};
use crate::machine::hmm::{check, hmm};
use crate::machine::oracle::addresses;
use crate::machine::traces::machine_of;

fn load(text: &str) -> Program {
    let source = Source { name: "random.alg".into(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn memory(layout: &Layout) -> Memory {
    let mut memory = Memory::new(layout).unwrap();
    for array in 0..2 {
        let cells = 0..layout.regions[array].cells;
        let values: Vec<u64> = cells.map(|it| (it * it + 3 * it) % 11).collect();
        memory.fill(layout, ArrayId(array), 0, &values);
    }
    memory
}

/// What each block does, as the interpreter has it, from a trace whose blocks went in step.
fn of_blocks(found: &BlockLoop) -> BTreeMap<u64, Vec<(u64, &BlockEvent)>> {
    let mut blocks: BTreeMap<u64, Vec<_>> = BTreeMap::new();
    for (at, event) in &found.events {
        blocks.entry(at.block).or_default().push((at.number, event));
    }
    blocks
}

fn agrees(found: &BlockLoop, threads: u64, expected: &[Vec<OfBlock>]) -> Result<(), TestCaseError> {
    prop_assert_eq!(found.threads.get(), threads);
    let paths: BTreeSet<&Vec<u64>> = (expected.iter().flatten())
        .filter_map(|it| if let OfBlock::Step(path, ..) = it { Some(path) } else { None })
        .collect();
    let numbers: BTreeMap<&Vec<u64>, u64> = paths.into_iter().zip(0..).collect();
    let blocks = of_blocks(found);
    for (block, expected) in (0..).zip(expected) {
        let found = blocks.get(&block).map_or(&[][..], Vec::as_slice);
        let found: Vec<_> = (found.iter())
            .map(|(number, event)| match event {
                BlockEvent::Barrier => None,
                BlockEvent::Step(space, step) => {
                    let all = addresses(step, threads as usize).into_iter().enumerate();
                    let all: Vec<_> = all.filter_map(|(i, it)| Some((i, it?))).collect();
                    Some((*number, *space, step.kind, all))
                }
            })
            .collect();
        let expected: Vec<_> = (expected.iter())
            .map(|event| match event {
                OfBlock::Barrier => None,
                OfBlock::Step(path, space, kind, all) => {
                    Some((numbers[path], *space, *kind, all.clone()))
                }
            })
            .collect();
        prop_assert_eq!(found, expected, "block {}", block);
    }
    Ok(())
}

fn agree(
    text: &str,
    sizes: [i64; 2],
    w: u64,
    p: u64,
    l: u64,
    dmms: [u64; 3],
) -> Result<bool, TestCaseError> {
    let program = load(text);
    let value = |name: &str| Some(if name == "n" { sizes[0] } else { sizes[1] });
    let layout = Layout::new(&program, value, Width::new(w).unwrap(), None).unwrap();
    let threads = Threads::new(p).unwrap();
    let limits = Limits::new(threads, 1000);

    let mut values = memory(&layout);
    let mut tracer = Tracer::new(&program, Trace::new(threads));
    let found = execute(&program, &layout, &mut values, limits, &mut tracer);
    let mut oracle = Oracle::new(&program, &sizes, w, p as usize, None);
    for (index, array) in program.global_arrays().enumerate() {
        for (cell, bits) in (0..).zip(memory(&layout).values(&layout, ArrayId(index), 0)) {
            let address = oracle.address(index, cell, 0) as usize;
            oracle.memory[address] = bits.map(|bits| Value::from_bits(array.element, bits));
        }
    }
    let expected = oracle.run();
    prop_assert_eq!(found.is_ok(), expected.is_ok(), "{:?}", found);
    if expected.is_err() {
        return Ok(false);
    }
    let trace = tracer.sink;
    prop_assert_eq!(trace.events.len(), oracle.events.len());
    for (found, expected) in trace.events.iter().zip(&oracle.events) {
        match (found, expected) {
            (trace::Event::Blocks(found), Event::Blocks(threads, expected)) => {
                agrees(found, *threads, expected)?;
            }
            (trace::Event::Barrier, Event::Barrier) => {}
            (trace::Event::Step(step), Event::Step(kind, all)) => {
                let found = addresses(step, p as usize).into_iter().enumerate();
                let found: Vec<_> = found.filter_map(|(i, it)| Some((i, it?))).collect();
                prop_assert_eq!((step.kind, &found), (*kind, all));
            }
            _ => prop_assert!(false, "{:?} is not {:?}", found, expected),
        }
    }
    for index in 0..program.global_arrays().count() {
        let found = values.values(&layout, ArrayId(index), 0);
        let expected = (0..layout.regions[index].cells)
            .map(|cell| oracle.memory[oracle.address(index, cell, 0) as usize].map(Value::bits));
        prop_assert_eq!(found, expected.collect::<Vec<_>>());
    }

    let machine = hmm(w, l, dmms);
    check(machine, &trace)?;
    for mode in [Mode::Sync, Mode::Async] {
        let mut again = memory(&layout);
        let mut tracer = Tracer::new(&program, Clock::new(machine, mode, threads));
        execute(&program, &layout, &mut again, limits, &mut tracer).unwrap();
        let total: Counts = tracer.sink.finish().into_iter().sum();
        prop_assert_eq!(total, time(machine, mode, &trace), "{:?}", mode);
    }
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..crate::cases(1_500) })]

    #[test]
    fn execution_equals_the_plain_interpreter(
        bytes in prop::collection::vec(any::<u8>(), 0..160),
        sizes in [1_i64..7, 1_i64..6],
        (w, p, l) in (1_u64..6, 1_u64..9, 1_u64..20),
        dmms in [1_u64..4, 1_u64..5, 1_u64..3],
    ) {
        let text = listing(&bytes);
        let went = agree(&text, sizes, w, p, l, dmms);
        prop_assert!(went.is_ok(), "{}\n{}", went.unwrap_err(), text);
    }
}

/// d = 1, no shared arrays, one block: the UMM. No global access, one block: the DMM.
#[test]
fn an_hmm_of_one_memory_is_that_machine() {
    let body = "  for i ← 0 to n-1 do in parallel
    b[i × 3 mod n] ← a[i] + a[n-1-i]
  for i ← 0 to n/2 do in parallel
    b[i] ← a[i]
";
    let head = "inout a[n] : i64\noutput b[n] : i64\n\n";
    let blocks = format!(
        "algorithm one(n)\n{head}for k ← 0 to 0 do in parallel on DMMs with 12 threads\n{body}"
    );
    let plain = format!("algorithm plain(n)\n{head}L:\n{body}");
    let local = format!(
        "algorithm local(n)\noutput o[1] : i64\n\n\
         for k ← 0 to 0 do in parallel on DMMs with 12 threads\n  shared a[n] : i64\n  shared b[n] : \
         i64\n  for i ← 0 to n-1 do in parallel\n    a[i] ← i\n{body}"
    );
    let filled = format!(
        "algorithm filled(n)\n{head}L:\n  for i ← 0 to n-1 do in parallel\n    a[i] ← i\n{body}"
    );
    let time = |text: &str, n: i64, machine: Machine, mode: Mode| {
        let case = Case::parse("it.alg", text).unwrap().set("n", n).on(machine);
        Case { mode, ..case.threads(12).unwrap() }.time().unwrap().total()
    };
    // In the asynchronous run of blocks the turn outlives a barrier; here it comes to warp 0.
    for (n, mode) in [(24, Mode::Sync), (30, Mode::Sync), (24, Mode::Async)] {
        for (w, l) in [(4, 1), (4, 30), (3, 7)] {
            let umm = machine_of(MachineKind::Umm, w, l);
            let found = time(&blocks, n, hmm(w, l, [1, 1, 1]), mode);
            assert_eq!(found, time(&plain, n, umm, mode), "n = {n}, w = {w}, l = {l}");
            let dmm = machine_of(MachineKind::Dmm, w, l);
            let found = time(&local, n, hmm(w, 100, [1, l, 1]), mode);
            assert_eq!(found.shared.stages, found.stages);
            let expected = time(&filled, n, dmm, mode);
            assert_eq!(found.time_units, expected.time_units, "n = {n}, w = {w}, l = {l}");
        }
    }
}

/// Races inside a block, and between blocks.
#[test]
fn races_of_blocks_are_found() {
    let races = |body: &str| {
        let text = format!(
            "algorithm races(n)\ninout a[n] : i64\n\n\
             for k ← 0 to 1 do in parallel on DMMs with 4 threads\n  shared s[8] : i64\n  for i ← 0 to \
             7 do in parallel\n    s[i] ← i\n{body}"
        );
        let case = Case::parse("races.alg", &text).unwrap().set("n", 8).of_pram();
        let case = case.on(hmm(1, 1, [1, 1, 1]));
        let layout = case.layout().unwrap();
        let mut memory = case.memory(&layout).unwrap();
        let mut pram = Pram::new(&case.program);
        case.execute(&layout, &mut memory, &mut pram).unwrap();
        let races = pram.finish().1;
        let iteration = |it: &RacingAccess| it.iteration.iter().map(|it| it.1).collect();
        let all = races.iter().map(|it| it.accesses.each_ref().map(iteration));
        all.collect::<Vec<[Vec<i64>; 2]>>()
    };
    assert_eq!(races("  for i ← 0 to 6 do in parallel\n    s[i] ← i\n    s[i + 1] ← 2\n").len(), 1);
    assert!(races("  for i ← 0 to 6 do in parallel\n    s[i] ← i\n  s[0] ← s[1]\n").is_empty());
    assert_eq!(races("  a[0] ← k\n"), [[vec![1], vec![0]]]);
    assert!(races("  a[0] ← 5\n").is_empty());
    assert_eq!(races("  a[k] ← k\n  s[0] ← a[0]\n"), [[vec![0], vec![1]]]);
    assert!(
        races("  for i ← 0 to 3 do in parallel\n    a[4×k + i] ← a[4×k + i] + s[i]\n").is_empty()
    );
}
