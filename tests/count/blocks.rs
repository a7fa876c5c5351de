//! Loops on DMMs: counting against executing every block with its values.

use std::fmt::Write;

use memory_machine::case::Case;
use memory_machine::count::{CountError, count};
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::machine::{Clock, Counts, Machine, Mode};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, given};
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::units::Threads;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::machine::hmm::hmm;
use crate::run::generate::Choices;

struct Generator<'a> {
    choices: Choices<'a>,
    text: String,
    depth: usize,
    /// What may be read here: variables of the loops around, and scalars.
    scope: Vec<String>,
    in_nest: bool,
    names: usize,
}

/// A listing whose addresses do not depend on memory, nearly always inside their arrays.
fn listing(bytes: &[u8]) -> String {
    let text = "\
algorithm random(n, m)
inout a[n] : i64
inout g[n, m + 2] : i64
output h[9 × n] : i64

";
    let mut it = Generator {
        choices: Choices::new(bytes),
        text: text.to_owned(),
        depth: 0,
        scope: vec!["n".to_owned(), "m".to_owned()],
        in_nest: false,
        names: 0,
    };
    for _ in 0..=it.choices.below(2) {
        match it.choices.below(3) {
            0 => {
                let to = it.choices.of(&["2", "m", "n / 3"]);
                it.line(&format!("for z ← 0 to {to} do"));
                it.inside("z", Generator::blocks);
            }
            _ => it.blocks(),
        }
    }
    it.text
}

impl Generator<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.depth);
    }

    /// Inside a loop of this variable.
    fn inside(&mut self, variable: &str, write: impl FnOnce(&mut Self)) {
        let scope = self.scope.len();
        self.scope.push(variable.to_owned());
        self.depth += 1;
        write(self);
        self.depth -= 1;
        self.scope.truncate(scope);
    }

    fn name(&mut self, kind: &str) -> String {
        self.names += 1;
        format!("{kind}{}", self.names)
    }

    fn blocks(&mut self) {
        let (depth, scope) = (self.depth, self.scope.clone());
        let q = self.choices.of(&["m", "1", "m + 3", "7"]);
        let loops = 1 + self.choices.below(3);
        for inner in 0..loops {
            let variable = self.name("b");
            let outer = self.scope.last().cloned().unwrap_or_default();
            let (from, to) = match self.choices.below(if inner == 0 { 4 } else { 6 }) {
                0 => ("0".to_owned(), "n / m".to_owned()),
                1 => ("1".to_owned(), "5".to_owned()),
                2 => ("0".to_owned(), if inner == 0 { "n" } else { "2" }.to_owned()),
                3 => ("m".to_owned(), "m + 1".to_owned()),
                4 => (outer, "3".to_owned()),
                _ => ("0".to_owned(), format!("{outer} / 2")),
            };
            let with =
                if inner + 1 == loops { format!(" with {q} threads") } else { String::new() };
            self.line(&format!("for {variable} ← {from} to {to} do in parallel on DMMs{with}"));
            self.depth += 1;
            self.scope.push(variable);
        }
        for array in ["shared s[m + 1] : i64", "shared t[3, m] : i64"] {
            self.line(array);
        }
        let registers = self.choices.below(3);
        if registers > 0 {
            self.line("register r[2] : i64");
            let variable = self.scope.last().cloned().unwrap_or_default();
            let some = format!("if i × 2 ≠ {variable} then r[({variable} + i) mod 2] ← i");
            // Now and then some threads have no value in some of their registers.
            let fill = match self.choices.below(12) {
                0..8 => &["r[0] ← i", "r[1] ← a[0]"][..],
                8 => &["r[1] ← i"],
                _ => &[&*some],
            };
            self.line(&format!("for i ← 0 to {q} - 1 do in parallel"));
            self.depth += 1;
            fill.iter().for_each(|line| self.line(line));
            self.depth -= 1;
        }
        for (loops, cell) in [("for i ← 0 to m do in parallel", "s[i]"), ("", "t[i, j]")] {
            if loops.is_empty() {
                self.line("for i ← 0 to 2 do in parallel");
                self.depth += 1;
            }
            self.line(if loops.is_empty() { "for j ← 0 to m-1 do in parallel" } else { loops });
            self.depth += 1;
            self.line(&format!("{cell} ← 1"));
            self.depth -= 1 + usize::from(loops.is_empty());
        }
        self.scope.push("u".to_owned());
        let value = self.integer(2);
        self.line(&format!("u ← {}", value.replace('u', "m")));
        self.body(4, registers > 0);
        (self.depth, self.scope) = (depth, scope);
    }

    fn body(&mut self, most: usize, registers: bool) {
        for _ in 0..=self.choices.below(most) {
            self.statement(registers);
        }
    }

    fn statement(&mut self, registers: bool) {
        let deep = self.depth > 8;
        match self.choices.below(if deep { 4 } else { 12 }) {
            0..=2 => self.store(registers),
            3 if !self.in_nest => {
                let value = self.integer(2);
                self.line(&format!("u ← {value} mod 50"));
            }
            3 => {
                let name = self.name("x");
                let value = self.integer(2);
                self.line(&format!("{name} ← {value}"));
                self.scope.push(name);
            }
            4 | 5 => {
                let condition = self.condition();
                self.line(&format!("if {condition} then"));
                self.deeper(2, registers);
                if self.choices.below(3) == 0 {
                    self.line("else");
                    self.deeper(2, registers);
                }
            }
            6 | 7 => {
                let (head, variable) = self.head();
                self.line(&format!("{head} do"));
                self.inside(&variable, |it| it.body(2, registers));
            }
            8 => {
                let counter = self.name("w");
                let start = self.integer(1);
                self.line(&format!("{counter} ← {start} mod 4"));
                self.line(&format!("while {counter} > 0 do"));
                self.inside(&counter.clone(), |it| {
                    it.body(2, registers);
                    it.line(&format!("{counter} ← {counter} - 1"));
                });
            }
            9 if !self.in_nest => {
                let name = format!("L{}:", self.choices.below(3));
                self.line(&name);
                self.deeper(2, registers);
            }
            10 if self.in_nest || self.choices.below(4) == 0 => {
                let (name, element) = (self.name("y"), self.element(registers));
                self.line(&format!("{name} ← {element}"));
                let right = self.index("n");
                self.line(&format!("if {name} > 3 then {name} ← {name} + 2"));
                self.line(&format!("a[{right}] ← {name}"));
            }
            _ if self.in_nest => self.store(registers),
            _ => self.nest(registers),
        }
    }

    fn deeper(&mut self, most: usize, registers: bool) {
        let scope = self.scope.len();
        self.depth += 1;
        self.body(most, registers);
        self.depth -= 1;
        self.scope.truncate(scope);
    }

    /// A loop's head and variable.
    fn head(&mut self) -> (String, String) {
        let variable = self.name("v");
        let around = self.scope[self.choices.below(self.scope.len())].clone();
        let (from, to) = match self.choices.below(8) {
            0 => ("1".to_owned(), "2".to_owned()),
            1 => ("0".to_owned(), format!("min(m, n - {around} × 3) - 1")),
            2 => (around.clone(), format!("{around} + 3")),
            3 => ("0".to_owned(), format!("{around} mod 4")),
            4 => ("u mod 3".to_owned(), "m".to_owned()),
            5 => (format!("max(m - {around}, 0)"), format!("{around} / 2")),
            _ => ("0".to_owned(), "m - 1".to_owned()),
        };
        let head = match self.choices.below(6) {
            0 => format!("for {variable} ← {from} to {to} step 2"),
            1 => format!("for {variable} ← {to} downto {from}"),
            _ => format!("for {variable} ← {from} to {to}"),
        };
        (head, variable)
    }

    fn nest(&mut self, registers: bool) {
        let (depth, scope) = (self.depth, self.scope.clone());
        for _ in 0..=self.choices.below(2) {
            let (head, variable) = self.head();
            self.line(&format!("{head} do in parallel"));
            self.depth += 1;
            self.scope.push(variable);
        }
        self.in_nest = true;
        self.body(3, registers);
        self.in_nest = false;
        (self.depth, self.scope) = (depth, scope);
    }

    fn store(&mut self, registers: bool) {
        let (value, cell) = (self.element(registers), self.element(registers));
        if self.choices.below(3) == 0 {
            let (value, index) = (self.integer(1), self.integer(2));
            self.line(&format!("if {index} ≥ 0 and {index} < 9 × n then"));
            self.line(&format!("  h[{index}] ← {value}"));
        }
        self.line(&format!("{cell} ← {value} + 1"));
    }

    fn element(&mut self, registers: bool) -> String {
        match self.choices.below(if registers { 7 } else { 6 }) {
            0 | 1 => format!("a[{}]", self.index("n")),
            2 => format!("g[{}, {}]", self.index("n"), self.index("(m + 2)")),
            3 => format!("t[{}, {}]", self.index("3"), self.index("m")),
            4 | 5 => format!("s[{}]", self.index("(m + 1)")),
            _ => format!("r[{}]", self.index("2")),
        }
    }

    fn index(&mut self, extent: &str) -> String {
        let index = self.integer(2);
        match self.choices.below(24) {
            23 => index,
            1..6 => format!("min(max({index}, 0), {extent} - 1)"),
            _ => format!("{index} mod {extent}"),
        }
    }

    fn condition(&mut self) -> String {
        let sign = self.choices.of(&["<", "≥", "=", "≠", "≤", ">"]);
        let (left, right) = (self.integer(2), self.integer(1));
        match self.choices.below(5) {
            0 => format!("({left} {sign} {right} or {right} mod 3 = 1)"),
            1 => format!("({left} mod 5 {sign} 2 and {right} < 9)"),
            _ => format!("{left} {sign} {right}"),
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.exhausted() {
            return match self.choices.below(5) {
                0 => format!("{}", self.choices.below(6)),
                1 => self.scope[self.choices.below(self.scope.len())].clone(),
                _ => self.scope.last().cloned().unwrap_or_default(),
            };
        }
        let left = self.integer(depth - 1);
        match self.choices.below(12) {
            0..=2 => format!("({left} + {})", self.integer(depth - 1)),
            3 => format!("({left} - {})", self.integer(depth - 1)),
            4 | 5 => format!("{left} × {}", self.choices.of(&["2", "m", "n", "5", "-3"])),
            6 => format!("({left} / {})", self.choices.of(&["2", "m", "3"])),
            7 => format!("({left} mod {})", self.choices.of(&["2", "m", "3"])),
            8 => format!("min({left}, {})", self.integer(depth - 1)),
            9 => format!("({left} << 1 >> 2)"),
            10 => {
                let (right, other) = (self.integer(depth - 1), self.integer(depth - 1));
                format!("(if {left} > {right} then {right} else {other})")
            }
            _ => left,
        }
    }
}

/// What came of a listing: whether it ran, and how many loops had to be executed to count it.
fn verdict(
    text: &str,
    sizes: [i64; 2],
    machine: Machine,
    mode: Mode,
) -> Result<(bool, usize), TestCaseError> {
    let source = Source { name: "random.alg".to_owned(), text: text.to_owned() };
    let program = match language::load(source) {
        Ok(program) => program,
        Err(error) => return Err(TestCaseError::fail(format!("{error}"))),
    };
    let value = |name: &str| Some(if name == "n" { sizes[0] } else { sizes[1] });
    let layout = Layout::new(&program, value, machine.width, None).unwrap();
    let limits = Limits { threads: Threads::new(5).unwrap(), while_iterations: 1000 };
    let counted = match count(&program, &layout, machine, mode, limits) {
        Err(CountError::DependsOnMemory(it)) => panic!("{} depends on memory", it.what),
        Err(CountError::Run(error)) => Err(error.to_string()),
        Ok(counted) => Ok(counted),
    };
    let mut memory = Memory::new(&layout).unwrap();
    for array in given(&program) {
        let cells = layout.regions[array.0].cells;
        memory.fill(&layout, array, 0, &(0..cells).map(|it| it * 7 % 11).collect::<Vec<_>>());
    }
    let mut tracer = Tracer::new(&program, Clock::new(machine, mode, limits.threads));
    let run = execute(&program, &layout, &mut memory, limits, &mut tracer);
    match (run, counted) {
        (Ok(_), Ok(counted)) => {
            let mut counts = tracer.sink.finish();
            counts.resize(program.phases.len(), Counts::default());
            prop_assert_eq!(counted.counts, counts);
            Ok((true, counted.executed.len()))
        }
        (Ok(_), Err(error)) => Err(TestCaseError::fail(format!("not counted: {error}"))),
        (Err(run), counted) => {
            let counted = counted.map(|it| it.counts);
            prop_assert_eq!(counted, Err(run.to_string()));
            Ok((false, 0))
        }
    }
}

fn machines(widest: u64) -> impl Strategy<Value = Machine> {
    let sizes = (1..=widest, 1_u64..20, [1_u64..5, 1_u64..5, 1_u64..4]);
    sizes.prop_map(|(width, latency, dmms)| hmm(width, latency, dmms))
}

fn agrees(bytes: &[u8], sizes: [i64; 2], machine: Machine) -> Result<(), TestCaseError> {
    let text = listing(bytes);
    let verdict = verdict(&text, sizes, machine, Mode::Sync);
    prop_assert!(verdict.is_ok(), "{:?}\n{}\n{}", machine, verdict.unwrap_err(), text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..ProptestConfig::with_cases(3_000) })]

    #[test]
    fn counting_blocks_equals_executing_them(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        sizes in [1_i64..14, 1_i64..7],
        machine in machines(8),
    ) {
        agrees(&bytes, sizes, machine)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..ProptestConfig::with_cases(50_000) })]

    #[test]
    #[ignore = "takes minutes: cargo test --release --test main count::blocks -- --ignored"]
    fn counting_many_blocks_equals_executing_them(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        sizes in [1_i64..30, 1_i64..13],
        machine in machines(40),
    ) {
        agrees(&bytes, sizes, machine)?;
    }
}

/// What the properties above prove is worth little if every block were executed after all, or none of
/// them ran to its end.
#[test]
fn most_loops_on_dmms_are_counted() {
    let (mut ran, mut executed) = (0, 0);
    for seed in 0..300 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let bytes: Vec<u8> = (0..120).map(|_| rng.random_range(0..=255)).collect();
        let machine = hmm(4, 7, [2, 3, 2]);
        let (went, how_many) = verdict(&listing(&bytes), [9, 4], machine, Mode::Sync).unwrap();
        ran += usize::from(went);
        executed += how_many;
    }
    assert!(ran > 200 && executed < 8, "{ran} of 300 listings ran, {executed} loops were executed");
}

/// A product of n × n matrices in tiles of 32 × 32, 256 threads to a tile: in each of its n / 32 steps
/// two loads from global memory and two stores, then 2 · 32 loads from shared memory, in four rounds
/// of eight warps; at the end a store. All without conflicts.
#[test]
fn a_large_product_takes_what_its_tiles_say() {
    for (n, [d, shared, resident], l) in [(4096, [132, 1, 1], 400), (1024, [7, 30, 3], 100)] {
        let case = Case::load("matrix_multiply_hmm").unwrap().set("n", n);
        let case = case.on(hmm(32, l, [d, shared, resident]));
        let counted = case.count(&case.layout().unwrap()).unwrap();
        assert!(counted.executed.is_empty());
        let (tiles, n) = ((n as u64 / 32).pow(2), n as u128);
        let wave = |blocks: u64| {
            let global = u128::from(8 * blocks + l - 1);
            let shared = u128::from(8 * blocks.div_ceil(d) + shared - 1);
            n / 32 * 4 * (2 * global + 66 * shared) + 4 * global
        };
        let full = u128::from(tiles / (d * resident)) * wave(d * resident);
        let rest = tiles % (d * resident);
        let time = full + if rest > 0 { wave(rest) } else { 0 };
        let total: Counts = counted.counts.into_iter().sum();
        assert_eq!(total.time_units.0, time);
        assert_eq!(total.shared.accesses, 2 * n.pow(3) + 2 * n.pow(3) / 32);
        assert_eq!(total.global().accesses, 2 * n.pow(3) / 32 + n * n);
    }
}
