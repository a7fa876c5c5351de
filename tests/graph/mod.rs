//! Dependence graphs and their depths: against formulas, against each other, against the machine.

mod command;
mod on_dmms;
pub mod random;

use memory_machine::algorithms::catalogue::{self, CATALOGUE, Entry};
use memory_machine::diagnostic::Source;
use memory_machine::language::{self, program::Program};
use memory_machine::machine::{Clock, Counts, Machine, MachineKind, Mode};
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::run::memory::{self, Memory};
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::theory::depth::{DepthGrowth, depth, depth_growth};
use memory_machine::theory::graph::{DependenceKind, Dependences, critical_path, graph};
use memory_machine::units::{Latency, Threads, Width};
use petgraph::visit::EdgeRef;

pub fn load(text: &str) -> Program {
    let source = Source { name: "test.alg".into(), text: text.to_owned() };
    language::load(source).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn shipped(name: &str) -> Program {
    load(catalogue::find(name).unwrap().text)
}

pub fn limits(threads: u64) -> Limits {
    Limits::new(Threads::new(threads).unwrap(), 1000)
}

/// One thread an iteration.
pub const ALL: u64 = u64::MAX;

/// Layout and memory; arrays given hold a permutation of 0 … cells − 1, which is valid as data and
/// as indices.
fn prepare(program: &Program, n: i64, width: u64, bulk: Option<Bulk>) -> (Layout, Memory) {
    let value = |name: &str| (name == "n").then_some(n);
    let layout = Layout::new(program, value, Width::new(width).unwrap(), bulk).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    for array in memory::given(program) {
        let cells = layout.regions[array.0].cells;
        let numbers: Vec<f64> = (0..cells).map(|cell| (cells - 1 - cell) as f64).collect();
        let bits = memory::encode(program.arrays[array.0].element, &numbers).unwrap();
        for input in 0..bulk.map_or(1, |bulk| bulk.inputs) {
            memory.fill(&layout, array, input, &bits);
        }
    }
    (layout, memory)
}

fn depth_of(program: &Program, n: i64) -> u64 {
    let (layout, mut memory) = prepare(program, n, 4, None);
    depth(program, &layout, &mut memory, limits(ALL)).unwrap()
}

fn graph_of(program: &Program, n: i64) -> Dependences {
    let (layout, mut memory) = prepare(program, n, 4, None);
    graph(program, &layout, &mut memory, limits(ALL), usize::MAX).unwrap()
}

/// Whatever a dependence graph is of.
pub fn sound(graph: &Dependences) {
    assert!(!petgraph::algo::is_cyclic_directed(graph));
    for edge in graph.edge_references() {
        let (from, to) = (&graph[edge.source()], &graph[edge.target()]);
        assert!(edge.source() < edge.target() && from.step < to.step);
        assert!(from.depth < to.depth);
        if *edge.weight() == DependenceKind::Memory {
            assert_eq!(from.address, to.address);
        }
    }
    let path = critical_path(graph);
    let deepest = graph.node_weights().map(|it| it.depth).max().unwrap_or(0);
    assert_eq!(path.len() as u64, deepest);
    for pair in path.windows(2) {
        assert!(graph.contains_edge(pair[0], pair[1]));
    }
}

/// The depths by hand. D(s) is the depth of the last write of M[i, i+s]; D(0) = 1, the write of 0.
///
/// - opt: M[i, i+s] is written once, after reads of M at all smaller lengths: D(s) = D(s−1) + 2, so
///   D(n−2) = 2(n−2) + 1.
/// - `dp_opt`: M[i, i+s] is read and written s times in Loop C, each time after the last; the first
///   time needs M at length s−1; then once in Loop D: D(s) = D(s−1) + 2s + 2, so
///   D(s) = s² + 3s + 1, and D(n−2) = n² − n − 1.
/// - `umm_opt`: in stage s, Loop C copies a cell of length s−1 to b (+2), Loop E reads that and
///   writes M[i, i+s] (+2), Loop F reads and writes it (+2); Loop D, which needs the same cell of
///   length s−1 uncopied, is done by then, and earlier stages are, too: D(s) = D(s−1) + 6, so
///   D(n−2) = 6(n−2) + 1.
/// - `matrix_chain`: as opt, of n + 1 vertices: 2(n−1) + 1.
/// - lcs: a cell of a diagonal is written after reads of the diagonal before; the last is diagonal
///   2n, and the border is diagonal 1: 2(2n−1) + 1.
/// - sum: each of the ⌈log₂ n⌉ rounds reads a[0] and writes it.
/// - `prefix_sums_parallel`: with L = ⌊log₂ n⌋ levels, going up writes each level from the one below
///   (+2 each, 2L); going down writes the level below from each but the lowest (2(L−1)), and then b.
/// - `prefix_sums`: all sums are in a register; each b[i] is read, then written.
fn by_hand(name: &str, n: u64) -> Option<u64> {
    let (floor, ceiling) = (u64::from(n.ilog2()), u64::from(n.next_power_of_two().ilog2()));
    Some(match name {
        "prefix_sums" | "matrix_multiply" | "transpose" | "permute" => 2,
        "sequential_access" => 1,
        "sum" => 2 * ceiling,
        "prefix_sums_parallel" => 4 * floor,
        "matrix_chain" => 2 * n - 1,
        "lcs" => 4 * n - 1,
        "opt" | "opt_tb_naive" | "opt_tb_sliding" => 2 * n - 3,
        "opt_bb_naive" | "opt_bb_mirroring" => 14 * n - 27,
        "dp_opt" => n * n - n - 1,
        "umm_opt" => 6 * n - 11,
        _ => return None,
    })
}

/// Those with a formula above.
fn with_formula() -> impl Iterator<Item = &'static Entry> {
    CATALOGUE.iter().filter(|entry| by_hand(entry.name, 2).is_some())
}

/// A polygon of one vertex has no cell M[1, n−1].
fn smallest(name: &str) -> i64 {
    if name.contains("opt") { 2 } else { 1 }
}

#[test]
fn depths_follow_their_formulas() {
    for entry in with_formula() {
        let program = shipped(entry.name);
        for n in crate::some(smallest(entry.name)..=64, 7) {
            let expected = by_hand(entry.name, n.cast_unsigned()).unwrap();
            assert_eq!(depth_of(&program, n), expected, "{} n = {n}", entry.name);
        }
    }
}

#[test]
fn graphs_are_sound_and_as_deep() {
    for entry in with_formula() {
        let program = shipped(entry.name);
        for n in crate::some((smallest(entry.name)..=20).chain([33, 64]), 3) {
            let graph = graph_of(&program, n);
            sound(&graph);
            let deepest = graph.node_weights().map(|it| it.depth).max().unwrap_or(0);
            assert_eq!(
                Some(deepest),
                by_hand(entry.name, n.cast_unsigned()),
                "{} n = {n}",
                entry.name
            );
        }
    }
}

#[test]
fn fitted_formulas() {
    for (name, formula) in [
        ("prefix_sums", "2"),
        ("opt", "2·n − 3"),
        ("dp_opt", "n² − n − 1"),
        ("umm_opt", "6·n − 11"),
        ("sum", "2·⌈log₂ n⌉"),
        ("prefix_sums_parallel", "4·⌊log₂ n⌋"),
    ] {
        let program = shipped(name);
        let prepare =
            |n| Ok::<_, Box<memory_machine::diagnostic::Located>>(prepare(&program, n, 4, None));
        let DepthGrowth { samples, growth } =
            depth_growth(&program, 2..=33, limits(ALL), prepare).unwrap();
        assert_eq!(samples.len(), 32);
        assert_eq!(growth.map(|it| it.to_string()).as_deref(), Some(formula), "{name}");
    }
}

pub fn time(
    program: &Program,
    layout: &Layout,
    memory: &mut Memory,
    (machine, mode, threads): (Machine, Mode, u64),
) -> u128 {
    let limits = limits(threads);
    let mut tracer = Tracer::new(program, Clock::new(machine, mode, limits.threads));
    execute(program, layout, memory, limits, &mut tracer).unwrap();
    tracer.sink.finish().into_iter().sum::<Counts>().time_units.0
}

pub fn machine(kind: MachineKind, width: u64, latency: u64) -> Machine {
    Machine { kind, width: Width::new(width).unwrap(), latency: Latency::new(latency).unwrap() }
}

/// No machine is faster than the chain of dependences, whatever its number of threads.
#[test]
fn depth_times_latency_bounds_the_time() {
    for entry in with_formula() {
        let program = shipped(entry.name);
        for n in [smallest(entry.name), 3, 7, 16] {
            let bound = by_hand(entry.name, n.cast_unsigned()).unwrap();
            for kind in [MachineKind::Umm, MachineKind::Dmm] {
                for mode in [Mode::Sync, Mode::Async] {
                    for (width, latency, threads) in [(4, 5, 8), (1, 1, 1), (32, 100, 1 << 20)] {
                        let (layout, mut memory) = prepare(&program, n, width, None);
                        let at = (machine(kind, width, latency), mode, threads);
                        let time = time(&program, &layout, &mut memory, at);
                        let bound = u128::from(bound * latency);
                        assert!(bound <= time, "{} n = {n} {at:?}: {bound} > {time}", entry.name);
                    }
                }
            }
        }
    }
}

/// Inputs of a bulk run do not need one another.
#[test]
fn a_bulk_run_is_as_deep_as_one_input() {
    for name in ["prefix_sums", "opt", "dp_opt"] {
        let program = shipped(name);
        for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
            let (layout, mut memory) =
                prepare(&program, 9, 4, Some(Bulk { inputs: 5, arrangement }));
            let bulk = graph(&program, &layout, &mut memory, limits(ALL), usize::MAX).unwrap();
            sound(&bulk);
            let one = graph_of(&program, 9);
            assert_eq!(bulk.node_count(), 5 * one.node_count());
            assert_eq!(bulk.edge_count(), 5 * one.edge_count());
            assert!(
                bulk.edge_references()
                    .all(|it| bulk[it.source()].thread == bulk[it.target()].thread)
            );
            let depth = bulk.node_weights().map(|it| it.depth).max();
            assert_eq!(depth, by_hand(name, 9));
        }
    }
}

/// The edges of a listing of few accesses, as (from, to, why), accesses numbered in order.
fn edges(body: &str) -> Vec<(usize, usize, DependenceKind)> {
    let program = load(&format!("algorithm t(n)\ninout a[n] : i64\noutput b[n] : i64\n\n{body}"));
    let graph = graph_of(&program, 4);
    sound(&graph);
    let mut edges: Vec<_> = graph
        .edge_references()
        .map(|it| (it.source().index(), it.target().index(), *it.weight()))
        .collect();
    edges.sort();
    edges
}

#[test]
fn reasons_of_small_listings() {
    use DependenceKind::{Address, Condition, Memory, Value};
    // a holds 3, 2, 1, 0.
    assert_eq!(edges("r ← a[0]\nr ← r + a[1]\nb[0] ← r\n"), [(0, 2, Value), (1, 2, Value)]);
    assert_eq!(edges("b[0] ← 1\nb[0] ← 2\nr ← b[0]\n"), [(1, 2, Memory)]);
    assert_eq!(edges("r ← a[0]\nb[r] ← 7\n"), [(0, 1, Address)]);
    assert_eq!(edges("r ← a[a[3]]\nb[0] ← r\n"), [(0, 1, Address), (1, 2, Value)]);
    assert_eq!(edges("if a[0] > 2 then b[0] ← 1\n"), [(0, 1, Condition)]);
    assert_eq!(edges("if a[0] > 2 then r ← 1 else r ← 2\nb[0] ← r\n"), [(0, 1, Value)]);
    // Not taken, yet the outcome was decided by comparing.
    let select = "s ← a[0]\nr ← a[1]\nif s < r then s ← r\nb[0] ← s\n";
    assert_eq!(edges(select), [(0, 2, Value), (1, 2, Value)]);
    assert_eq!(edges("b[0] ← min(a[0], a[1])\n"), [(0, 2, Value), (1, 2, Value)]);
    assert_eq!(edges("b[0] ← if a[0] > 2 then 1 else a[1]\n"), [(0, 1, Value)]);
    // What comes after the condition happens in any case.
    assert_eq!(edges("if a[0] > 2 then r ← 1\nb[0] ← 1\n"), []);
    // Each test of a loop decides on the next; its count depends on all of them.
    let scan = "k ← 0\nwhile a[k] > 1 do\n  k ← k + 1\nb[k] ← 9\n";
    assert_eq!(
        edges(scan),
        [
            (0, 1, Condition),
            (0, 2, Condition),
            (0, 3, Address),
            (1, 2, Condition),
            (1, 3, Address),
            (2, 3, Address),
        ]
    );
    // Bounds decide on iterations, also of parallel loops.
    assert_eq!(edges("for i ← 1 to a[2] do\n  b[0] ← 1\n"), [(0, 1, Condition)]);
    let nest = "for i ← 1 to a[2] do in parallel\n  b[i] ← i\n";
    assert_eq!(edges(nest), [(0, 1, Value)]);
    let captured = "r ← a[0]\nfor i ← 0 to 1 do in parallel\n  b[i] ← r\n";
    assert_eq!(edges(captured), [(0, 1, Value), (0, 2, Value)]);
}

#[test]
fn a_graph_too_large_is_refused() {
    let program = shipped("opt");
    let (layout, mut memory) = prepare(&program, 16, 4, None);
    let error = graph(&program, &layout, &mut memory, limits(ALL), 100).unwrap_err();
    assert!(error.to_string().contains("more than 100 accesses and dependences"));
}
