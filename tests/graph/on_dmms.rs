//! Dependences of loops on DMMs: both memories, registers that threads keep, both latencies.

use memory_machine::algorithms::catalogue::ON_DMMS;
use memory_machine::case::Case;
use memory_machine::machine::Mode;
use memory_machine::theory::depth::depth;
use memory_machine::theory::graph::{DependenceKind, Dependences, critical_path, graph};
use memory_machine::trace::Space;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use crate::machine::hmm::hmm;

fn graph_of(case: &Case) -> Dependences {
    let case = case.clone().of_pram();
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    graph(&case.program, &layout, &mut memory, case.limits(), usize::MAX).unwrap()
}

/// Global and shared accesses on the longest chain.
fn chain(case: &Case, graph: &Dependences) -> (u128, u128) {
    let path = critical_path(graph);
    let is_shared = |it: &&NodeIndex| graph[**it].space(&case.program) == Space::Shared;
    let shared = path.iter().filter(is_shared).count();
    ((path.len() - shared) as u128, shared as u128)
}

/// No run is shorter than its longest chain takes, however many DMMs there are.
#[test]
fn chains_bound_the_time_of_shipped_listings() {
    // Dependences are not known of atomics, nor of words of a warp.
    let unknown = ["count_keys_hmm", "sum_warps", "prefix_sums_warps"];
    for entry in ON_DMMS.iter().filter(|it| !unknown.contains(&it.name)) {
        let known = |name: &str| match name {
            "n" | "w" => Some(if entry.name == "permute_offline" { 4 } else { 9 }),
            "t" | "m" | "b" | "v" => Some(4),
            "q" => Some(3),
            _ => None,
        };
        let case = Case::load(entry.name).unwrap();
        let names: Vec<String> = case.program.parameters.iter().map(|it| it.name.clone()).collect();
        let sizes = names.iter().filter_map(|it| Some((it, known(it)?)));
        let case = sizes.fold(case, |case, (it, value)| case.set(it, value));
        let graph = graph_of(&case);
        let (global, shared) = chain(&case, &graph);
        let deep = {
            let case = case.clone().of_pram();
            let layout = case.layout().unwrap();
            depth(&case.program, &layout, &mut case.memory(&layout).unwrap(), case.limits())
        };
        assert_eq!(u128::from(deep.unwrap()), global + shared, "{}", entry.name);
        assert!(graph.edge_references().all(|it| it.source() < it.target()), "{}", entry.name);
        for (l, ls) in [(1, 1), (50, 3), (2, 20)] {
            for mode in [Mode::Sync, Mode::Async] {
                let run = Case { mode, ..case.clone().on(hmm(4, l, [64, ls, 8])) };
                let time = run.time().unwrap().total().time_units.0;
                let least = global * u128::from(l) + shared * u128::from(ls);
                assert!(least <= time, "{}: {least} > {time}", entry.name);
            }
        }
    }
}

fn parse(body: &str) -> Case {
    let text = format!("algorithm test(n)\ninput a[n] : i32\noutput b[n] : i32\n\n{body}");
    Case::parse("test.alg", &text).unwrap().set("n", 4)
}

fn edges(graph: &Dependences, why: DependenceKind) -> Vec<(usize, usize)> {
    let of = graph.edge_references().filter(|it| *it.weight() == why);
    of.map(|it| (it.source().index(), it.target().index())).collect()
}

/// Each block writes and reads its own s[0], though they lie at one address.
#[test]
fn blocks_share_no_shared_memory() {
    let case = parse(
        "for k ← 0 to n-1 do in parallel on DMMs with 1 threads\n  shared s[1] : i32\n  \
         s[0] ← a[k]\n  b[k] ← s[0]\n",
    );
    let graph = graph_of(&case);
    assert_eq!((graph.node_count(), chain(&case, &graph)), (16, (2, 2)));
    assert_eq!(edges(&graph, DependenceKind::Memory), [(4, 8), (5, 9), (6, 10), (7, 11)]);
    let blocks: Vec<_> = graph.node_weights().map(|it| it.block).collect();
    assert_eq!(blocks[8..12], [Some(0), Some(1), Some(2), Some(3)]);
}

/// What is written was read three nests before, by way of an array of registers.
#[test]
fn registers_carry_values_from_nest_to_nest() {
    let case = parse(
        "for k ← 0 to 0 do in parallel on DMMs with 2 threads\n  register r[2] : i32\n  \
         for i ← 0 to n-1 do in parallel\n    r[i / 2] ← a[i]\n  \
         for i ← 0 to n-1 do in parallel\n    r[i / 2] ← r[i / 2] + 1\n  \
         for i ← 0 to n-1 do in parallel\n    b[i] ← r[i / 2]\n",
    );
    let graph = graph_of(&case);
    assert_eq!(edges(&graph, DependenceKind::Value), [(0, 4), (1, 5), (2, 6), (3, 7)]);
}

/// Bounds that a block reads decide its own iterations alone.
#[test]
fn bounds_of_a_block_decide_its_iterations() {
    let case = parse(
        "for k ← 0 to 1 do in parallel on DMMs with 2 threads\n  h ← a[k]\n  \
         for i ← 0 to max(0, min(h, 0)) do in parallel\n    b[k] ← 1\n",
    );
    let graph = graph_of(&case);
    assert_eq!(edges(&graph, DependenceKind::Condition), [(0, 2), (1, 3)]);
}
