//! Theorems against simulated times, and formulas fitted to them.

mod blocks;
mod certificates;
mod claims;
mod complexity;
mod derivation;
mod holds;
mod measures;
mod nests;
mod premises;
mod racuda;
mod recursion;

use memory_machine::algorithms::catalogue;
use memory_machine::algorithms::random::{self, Distribution};
use memory_machine::count::{CountError, count};
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::language::program::Program;
use memory_machine::machine::{Clock, Counts, Machine, MachineKind, Mode};
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::run::memory::{Memory, encode, given};
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::theory::profile::Profile;
use memory_machine::theory::{Bound, BoundKind, Instance, bounds, violations};
use memory_machine::units::{Latency, Threads, Width};
use rayon::prelude::*;

const WHILE: u64 = 1 << 20;

fn load(name: &str, text: &str) -> Program {
    let source = Source { name: name.to_owned(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|error| panic!("{error}"))
}

fn shipped(name: &str) -> Program {
    load(name, catalogue::find(name).unwrap().text)
}

/// Machines to try: widths, latencies, numbers of threads.
struct Machines<'a> {
    widths: &'a [u64],
    latencies: &'a [u64],
    threads: &'a [u64],
}

/// What is run on them.
struct Family<'a> {
    program: &'a Program,
    shipped: Option<&'a str>,
    sizes: &'a [&'a [(&'a str, i64)]],
    arrangement: Option<Arrangement>,
    kind: MachineKind,
    mode: Mode,
}

/// A point that was judged.
struct Judged {
    bounds: Vec<Bound>,
    counts: Vec<Counts>,
}

impl Judged {
    fn has(&self, kind: BoundKind) -> bool {
        self.bounds.iter().any(|it| it.kind == kind)
    }
}

fn layout(program: &Program, sizes: &[(&str, i64)], width: u64, bulk: Option<Bulk>) -> Layout {
    let value = |name: &str| sizes.iter().find(|(it, _)| *it == name).map(|&(_, value)| value);
    Layout::new(program, value, Width::new(width).unwrap(), bulk).unwrap()
}

/// Judges every point; panics at the first bound that does not hold.
fn judge(family: &Family<'_>, machines: &Machines<'_>) -> Vec<Judged> {
    let per_size = |sizes: &&[(&str, i64)]| {
        let plain = layout(family.program, sizes, 1, None);
        // None where the listing cannot run without values.
        let profile = Profile::of(family.program, &plain, Limits::new(Threads::ONE, WHILE)).ok();
        let of_width = |&width| {
            machines.latencies.iter().flat_map(move |&latency| {
                machines.threads.iter().map(move |&threads| (width, latency, threads))
            })
        };
        let all = machines.widths.iter().flat_map(of_width);
        crate::some(all, 12)
            .map(|it| point(family, sizes, profile.as_ref(), it))
            .collect::<Vec<_>>()
    };
    family.sizes.par_iter().flat_map_iter(per_size).collect()
}

fn point(
    family: &Family<'_>,
    sizes: &[(&str, i64)],
    profile: Option<&Profile>,
    (width, latency, threads): (u64, u64, u64),
) -> Judged {
    let &Family { program, shipped, arrangement, kind, mode, .. } = family;
    let bulk = arrangement.map(|arrangement| Bulk { inputs: threads, arrangement });
    let layout = layout(program, sizes, width, bulk);
    let machine = Machine {
        kind,
        width: Width::new(width).unwrap(),
        latency: Latency::new(latency).unwrap(),
    };
    let limits = Limits::new(Threads::new(threads).unwrap(), WHILE);
    let (counts, profile) = match count(program, &layout, machine, mode, limits) {
        Ok(counted) => {
            assert!(profile.is_some(), "{} is counted, but has no profile", program.name);
            (counted.counts, profile.filter(|_| bulk.is_none()))
        }
        Err(CountError::DependsOnMemory(_)) => (run(program, &layout, machine, mode, limits), None),
        Err(error) => panic!("{error}"),
    };
    let total: Counts = counts.iter().copied().sum();
    let point = Instance {
        program,
        shipped,
        layout: &layout,
        machine,
        mode,
        threads,
        accesses: total.accesses,
        shared: total.shared,
        profile,
        steps: None,
        depth: None,
        wait: None,
    };
    let bounds = bounds(&point);
    let broken = violations(program, &counts, &bounds);
    let name = &program.name;
    assert!(
        broken.is_empty(),
        "{name} {sizes:?} {arrangement:?} {machine:?} {mode:?} p={threads}: {broken:#?}"
    );
    Judged { bounds, counts }
}

fn run(
    program: &Program,
    layout: &Layout,
    machine: Machine,
    mode: Mode,
    limits: Limits,
) -> Vec<Counts> {
    let mut memory = Memory::new(layout).unwrap();
    for array in given(program) {
        let element = program.arrays[array.0].element;
        let cells = layout.regions[array.0].cells as usize;
        let numbers = random::numbers(Distribution::Permutation, cells, 7).collect::<Vec<_>>();
        memory.fill(layout, array, 0, &encode(element, &numbers).unwrap());
    }
    let mut tracer = Tracer::new(program, Clock::new(machine, mode, limits.threads));
    execute(program, layout, &mut memory, limits, &mut tracer).unwrap();
    let mut counts = tracer.sink.finish();
    counts.resize(program.phases.len(), Counts::default());
    counts
}
