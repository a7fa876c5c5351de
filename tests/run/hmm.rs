//! Loops on DMMs: the execution of all blocks in step against the plain interpreter, which runs block
//! after block; and the time of the execution against the time of its trace.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

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

use super::generate::Choices;
use super::oracle::{Event, OfBlock, Oracle, Value};
use crate::machine::hmm::{check, hmm};
use crate::machine::oracle::addresses;
use crate::machine::traces::machine_of;

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    depth: usize,
    variables: Vec<String>,
    in_nest: bool,
    counters: usize,
}

/// A whole listing, of which no block accesses what another writes.
pub fn listing(bytes: &[u8]) -> String {
    let mut it = Generator {
        choices: Choices::new(bytes),
        text: "\
algorithm random(n, m)
input a[n] : i64
inout g[64, m] : i64
output h[n] : i64

k ← 1
for i ← 0 to n-1 do in parallel
  h[i] ← a[i] + i
"
        .to_owned(),
        depth: 0,
        variables: vec![],
        in_nest: false,
        counters: 0,
    };
    for _ in 0..=it.choices.below(2) {
        it.blocks();
        it.line("k ← k + h[k mod n]");
    }
    it.text
}

impl Generator<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
    }

    fn blocks(&mut self) {
        let q = self.choices.of(&["1", "m", "m + 2", "7"]);
        let outer = self.choices.of(&["0", "n", "4", "k mod 5", "a[k mod n] mod 6", "-1"]);
        if self.choices.below(2) == 0 {
            self.line(&format!("for b ← 0 to {outer} do in parallel on DMMs with {q} threads"));
            self.depth += 1;
            self.head(q, "b");
        } else {
            let inner = self.choices.of(&["0", "1", "2", "b - 1"]);
            self.line(&format!("for b ← 0 to {outer} do in parallel on DMMs"));
            self.line(&format!("  for c ← 0 to {inner} do in parallel on DMMs with {q} threads"));
            self.depth += 2;
            self.head(q, "b × 7 + c");
        }
        self.body(5);
        self.depth = 0;
    }

    fn head(&mut self, q: &str, number: &str) {
        for line in [
            "shared s[m + 1] : i64",
            "shared t[3, m] : i64",
            "register r[2] : i64",
            "register z : i64",
            &format!("u ← {number}"),
            "x ← u mod 3",
            "y ← 2",
        ] {
            self.line(line);
        }
        let fill = [
            format!("for i ← 0 to {q} - 1 do in parallel\n  r[0] ← i\n  r[1] ← u\n  z ← a[i mod n]\n"),
            "for i ← 0 to m do in parallel\n  s[i] ← i + u\n".to_owned(),
            "for i ← 0 to 2 do in parallel\n  for j ← 0 to m-1 do in parallel\n    t[i, j] ← i × j\n"
                .to_owned(),
        ];
        for text in fill {
            if self.choices.below(30) != 29 {
                text.lines().for_each(|line| self.line(line));
            }
        }
    }

    fn body(&mut self, most: usize) {
        for _ in 0..=self.choices.below(most) {
            self.statement();
        }
    }

    fn deeper(&mut self, most: usize) {
        self.depth += 1;
        self.body(most);
        self.depth -= 1;
    }

    fn statement(&mut self) {
        match self.choices.below(if self.depth > 6 { 4 } else { 12 }) {
            0..=2 => self.store(),
            3 => {
                let (name, value) = (if self.in_nest { "v" } else { "x" }, self.integer(2));
                self.line(&format!("{name} ← {value} mod 100"));
            }
            4 | 5 => {
                let condition = self.condition();
                self.line(&format!("if {condition} then"));
                self.deeper(2);
                if self.choices.below(2) == 1 {
                    self.line("else");
                    self.deeper(2);
                }
            }
            6 => self.loop_of("", 3, true),
            7 => {
                let counter = format!("w{}", self.counters);
                self.counters += 1;
                let start = self.integer(1);
                self.line(&format!("{counter} ← {start} mod 4"));
                let condition = self.condition();
                self.line(&format!("while {counter} > 0 and {condition} do"));
                self.deeper(2);
                self.depth += 1;
                self.line(&format!("{counter} ← {counter} - 1"));
                self.depth -= 1;
            }
            8 => {
                let name = format!("L{}:", self.choices.below(3));
                if self.in_nest {
                    self.store();
                } else {
                    self.line(&name);
                    self.deeper(2);
                }
            }
            _ if self.in_nest => self.store(),
            _ => self.nest(),
        }
    }

    fn loop_of(&mut self, parallel: &str, most: usize, may_read: bool) {
        let variable = format!("v{}", self.variables.len());
        let to = match self.choices.below(5) {
            0 => "m".to_owned(),
            1 => "x mod 5".to_owned(),
            2 if may_read => {
                format!("{} mod 4", self.element())
            }
            3 => "y + 5".to_owned(),
            _ => "2".to_owned(),
        };
        let from = self.choices.of(&["0", "1", "u mod 2"]);
        let step = self.choices.of(&["", "", " step 2"]);
        self.line(&format!("for {variable} ← {from} to {to}{step} do{parallel}"));
        self.variables.push(variable);
        if most > 0 {
            self.deeper(most);
            self.variables.pop();
        }
    }

    fn nest(&mut self) {
        let (depth, outer) = (self.depth, self.variables.clone());
        let loops = 1 + self.choices.below(2);
        for inner in 0..loops {
            self.loop_of(" in parallel", 0, inner == 0);
            self.depth += 1;
        }
        self.in_nest = true;
        self.line(&format!("v ← v{} + x", outer.len()));
        self.body(4);
        self.in_nest = false;
        (self.depth, self.variables) = (depth, outer);
    }

    fn store(&mut self) {
        let value = self.integer(2);
        let target = match self.choices.below(6) {
            0 => "z".to_owned(),
            1 => format!("r[{} mod 2]", self.integer(1)),
            2 => format!("g[u, {} mod m]", self.integer(1)),
            3 => format!("t[{} mod 3, {} mod m]", self.integer(0), self.integer(1)),
            _ => format!("s[{} mod (m + 1)]", self.integer(1)),
        };
        self.line(&format!("{target} ← {value} mod 1000"));
    }

    fn element(&mut self) -> String {
        match self.choices.below(7) {
            0 => "z".to_owned(),
            1 => format!("r[{} mod 2]", self.integer(0)),
            2 => format!("g[u, {} mod m]", self.integer(0)),
            3 => format!("t[{} mod 3, {} mod m]", self.integer(0), self.integer(0)),
            4 => format!("a[{} mod n]", self.integer(0)),
            _ => format!("s[{} mod (m + 1)]", self.integer(0)),
        }
    }

    fn condition(&mut self) -> String {
        let sign = self.choices.of(&["<", "≥", "=", "≠"]);
        let (left, right) = (self.integer(1), self.integer(1));
        match self.choices.below(4) {
            0 => format!("({left} mod 2 {sign} 1 or {} > 3)", self.element()),
            1 => format!("({left} {sign} {right} and {} < 5)", self.element()),
            _ => format!("{left} mod 3 {sign} {right} mod 3"),
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.exhausted() {
            return match self.choices.below(8) {
                0 => "n".to_owned(),
                1 => "k".to_owned(),
                2 => "x".to_owned(),
                3 => "u".to_owned(),
                4 if self.in_nest => "v".to_owned(),
                5 => format!("{}", self.choices.below(5)),
                _ => self.variables.last().cloned().unwrap_or_else(|| "b".to_owned()),
            };
        }
        match self.choices.below(6) {
            0..=2 => self.element(),
            3 => {
                let sign = self.choices.of(&["+", "-", "×"]);
                format!("({} {sign} {})", self.integer(depth - 1), self.integer(depth - 1))
            }
            4 => {
                let condition = self.condition();
                let (then, otherwise) = (self.integer(depth - 1), self.integer(depth - 1));
                format!("(if {condition} then {then} else {otherwise})")
            }
            _ => self.integer(0),
        }
    }
}

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
    let limits = Limits { threads, while_iterations: 1000 };

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
