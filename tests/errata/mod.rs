//! The errata of `docs/errata.md`: what the papers print, run; and what is right, run.

mod arithmetic;
mod arrangements;
mod greedy;
mod loops;
mod quickhull;
mod racuda;
mod recurrence;
mod table_one;

use memory_machine::algorithms::catalogue;
use memory_machine::algorithms::opt::paper;
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::program::{Nest, Program};
use memory_machine::machine::{Clock, Counts, Machine, MachineKind, Mode};
use memory_machine::run::layout::{Bulk, Layout};
use memory_machine::run::memory::{Memory, encode, given};
use memory_machine::run::{Accesses, Limits, Observer, Tracer, execute};
use memory_machine::trace::AccessKind;
use memory_machine::units::{Latency, Threads, Width};

fn kernel(name: &str) -> String {
    catalogue::find(name).unwrap().text.to_owned()
}

/// A listing with some text replaced, each text standing in it exactly once.
fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "`{from}` in\n{text}");
        text.replace(from, to)
    })
}

fn load(text: &str) -> Program {
    let source = Source { name: "listing.alg".to_owned(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|error| panic!("{error}"))
}

/// The layout for `n`, and memory with every given array full of ones; the papers' weights where
/// they fit.
fn prepare(program: &Program, n: i64, width: u64, bulk: Option<Bulk>) -> (Layout, Memory) {
    let width = Width::new(width).unwrap();
    let layout = Layout::new(program, |name| (name == "n").then_some(n), width, bulk).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    for array in given(program) {
        let cells = layout.regions[array.0].cells as usize;
        let weights: Vec<f64> =
            paper::weights().as_slice().iter().map(|&weight| weight.into()).collect();
        let numbers = if cells == weights.len() { weights } else { vec![1.0; cells] };
        let bits = encode(program.arrays[array.0].element, &numbers).unwrap();
        for input in 0..bulk.map_or(1, |bulk| bulk.inputs) {
            memory.fill(&layout, array, input, &bits);
        }
    }
    (layout, memory)
}

/// Counts by phase, synchronous.
fn counts(
    text: &str,
    n: i64,
    kind: MachineKind,
    (width, latency, threads): (u64, u64, u64),
    bulk: Option<Bulk>,
) -> Vec<(String, Counts)> {
    let program = load(text);
    let (layout, mut memory) = prepare(&program, n, width, bulk);
    let machine = Machine {
        kind,
        width: Width::new(width).unwrap(),
        latency: Latency::new(latency).unwrap(),
    };
    let threads = Threads::new(threads).unwrap();
    let mut tracer = Tracer::new(&program, Clock::new(machine, Mode::Sync, threads));
    let limits = Limits::new(threads, 1 << 20);
    execute(&program, &layout, &mut memory, limits, &mut tracer).unwrap();
    program.phases.iter().cloned().zip(tracer.sink.finish()).collect()
}

/// One sequential memory access: what a place of the listing asks for in one parallel loop.
struct Sequence {
    phase: String,
    kind: AccessKind,
    /// As the listing writes it; of a write, the array's name alone.
    site: String,
    addresses: Vec<u64>,
}

impl Sequence {
    /// Pairs of neighbouring requests whose addresses differ by 2 or more (Nakano 2013, Section II).
    fn fragmentation(&self) -> usize {
        self.addresses.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) >= 2).count()
    }
}

struct Sequences<'a> {
    program: &'a Program,
    found: Vec<Sequence>,
}

impl Observer for Sequences<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = &self.program.sites[accesses.site.0];
        let mut addresses = vec![];
        accesses.active.for_each(|lane| addresses.push(accesses.addresses[lane]));
        self.found.push(Sequence {
            phase: self.program.phases[site.phase.0 as usize].clone(),
            kind: site.kind,
            site: self.program.source.text[site.span.start..site.span.end].to_owned(),
            addresses,
        });
    }

    fn enter_nest(&mut self, _: &Nest) {}

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}

/// Every sequence of requests of a listing, with one thread for each iteration.
fn sequences(text: &str, n: i64) -> Vec<Sequence> {
    let program = load(text);
    let (layout, mut memory) = prepare(&program, n, 1, None);
    let mut sequences = Sequences { program: &program, found: vec![] };
    let threads = Threads::new(u64::MAX).unwrap();
    let limits = Limits::new(threads, 1 << 20);
    execute(&program, &layout, &mut memory, limits, &mut sequences).unwrap();
    sequences.found
}
