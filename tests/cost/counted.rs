//! What is counted without execution is what executing costs.

use memory_machine::cost::{
    Cost, CostMachine, CountedCost, Device, Owner, PramVariant, Spawn, operations_with_peaks,
};
use memory_machine::count::{count, count_cost};
use memory_machine::language::program::Program;
use memory_machine::machine::{Machine, Mode};
use memory_machine::run::layout::Layout;
use memory_machine::units::{Latency, Width};
use proptest::prelude::*;

use super::{bsp, cost};
use crate::graph::random::prepare;
use crate::graph::{limits, load};
use crate::run::generate::listing;
use crate::support::{json, root};

/// What is counted of it, if that can be.
fn counted(
    program: &Program,
    layout: &Layout,
    threads: u64,
    machine: &CostMachine,
) -> Option<Cost> {
    let memory = Machine::umm(Width::at_least_one(4), Latency::at_least_one(2));
    let limits = limits(threads);
    count(program, layout, memory, Mode::Sync, limits).ok()?;
    count_cost(program, layout, machine, memory, limits)
}

/// All machines of which loops are counted.
fn counting() -> Vec<CostMachine> {
    use CountedCost::{Accesses, Both, Operations};
    use PramVariant::{Arbitrary, Common, Crew, Erew};
    let span = |counted, spawn| CostMachine::WorkSpan { counted, spawn };
    let pram = |variant, counted| CostMachine::Pram { variant, counted };
    let peaks = operations_with_peaks().map(|it| (it, 1e9)).collect();
    let device = Device { name: "a".to_owned(), peaks, bandwidth: 1e9 };
    let owners = [Owner::Block, Owner::Cyclic, Owner::BlockCyclic(2)];
    let spans = [Accesses, Operations, Both].map(|it| span(it, Spawn::Log));
    let prams = [(Erew, Both), (Crew, Operations), (Common, Both), (Arbitrary, Accesses)];
    let prams = prams.map(|(variant, counted)| pram(variant, counted));
    let others = [CostMachine::Roofline(device)];
    owners.into_iter().map(bsp).chain(spans).chain(prams).chain(others).collect()
}

proptest! {
    #![proptest_config(crate::cases(200))]

    #[test]
    fn counted_equals_executed(
        bytes in prop::collection::vec(any::<u8>(), 1..160),
        n in 1_i64..5,
        seed in 0_u64..1000,
        parallel: bool,
        threads in 1_u64..8,
    ) {
        let program = load(&listing(&bytes, parallel));
        for machine in counting() {
            let (layout, memory) = prepare(&program, n, seed);
            let Some(counted) = counted(&program, &layout, threads, &machine) else { continue };
            if let Some(executed) = cost(&program, &layout, memory, threads, &machine) {
                prop_assert_eq!(counted, executed, "{:?}", machine);
            }
        }
    }
}

/// Shapes that papers use: boxes, triangles, bands, loops in threads, nests in loops, serial loops.
#[test]
fn shapes_of_papers_are_counted() {
    let bodies = [
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    b[i, j] ← a[j, i] × 2",
        "for i ← 0 to n-1 do in parallel\n  for j ← i+1 to n-1 do in parallel\n    b[i, j] ← a[i, j] + a[j, i]",
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    s ← 0\n    for k ← 0 to n-1 do\n      s ← s + a[i, k] × a[k, j]\n    b[i, j] ← s",
        "for i ← 0 to n-1 do in parallel\n  s ← 0\n  for k ← 0 to i do\n    s ← s + a[i, k] × 3\n  b[i, 0] ← s",
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    if j ≥ i - 1 and j ≤ i + 1 then b[i, j] ← -a[i, j]",
        "for r ← 1 to n-1 do\n  for i ← 0 to n-1-r do in parallel\n    s ← 0\n    for k ← i to i+r-1 do\n      s ← s + a[i, k] × a[k+1, i+r]\n    b[i, i+r] ← s",
        "for i ← 0 to n-1 do\n  for j ← i downto 0 by 2 do\n    b[i, j] ← a[i, j] mod 3",
        "for i ← n-1 downto 1 by 2 do in parallel\n  for k ← 0 to n-1 by 3 do\n    if k < i then b[i, k] ← max(a[i, k], a[i-1, k])",
        "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    s ← 0\n    if a[i, j] > 2 then s ← 1\n    b[i, j] ← s",
    ];
    for body in bodies {
        let head = "algorithm shape(n)\ninput a[n, n] : i64\noutput b[n, n] : i64\n\n";
        let program = load(&format!("{head}{body}\n"));
        for (n, threads) in [(1, 1), (5, 3), (9, 4), (16, 64)] {
            for machine in counting() {
                let (layout, memory) = prepare(&program, n, 1);
                let counted = counted(&program, &layout, threads, &machine);
                let executed = cost(&program, &layout, memory, threads, &machine);
                // Where threads may meet at a word, or run a loop unlike, the PRAM hears each step.
                let is_free = match &machine {
                    CostMachine::Pram { variant, .. } => {
                        *variant == PramVariant::Arbitrary && !body.contains("for k ← 0 to i do")
                    }
                    _ => true,
                };
                assert!(counted.is_some() || !is_free, "{machine:?}: {body}");
                if let (Some(counted), Some(executed)) = (counted, executed) {
                    assert_eq!(counted, executed, "n = {n}, p = {threads}, {machine:?}: {body}");
                }
            }
        }
    }
}

/// 10⁹ accesses and more, as users ask for them: the closed forms of work and span hold.
#[test]
fn large_sizes_are_counted_at_once() {
    let at = root();
    let run = |words: &str| json(at, &format!("run {words} --time-only --json"));
    let n: u64 = 4096;
    let product = "matrix_multiply --set n=4096 -p 65536";
    let span = run(&format!("{product} -m work-span --cost accesses"));
    assert_eq!(
        (&span["work"], &span["span"]),
        (&(2 * n * n * n + n * n).into(), &(2 * n + 1).into())
    );
    assert_eq!(span["counted"], true);
    let pram = run(&format!("{product} -m pram --cost accesses"));
    assert_eq!(pram["time_units"], n * n / 65536 * (2 * n + 1));
    let roofline = run(&format!("{product} -m roofline --bandwidth 2e12"));
    assert_eq!(roofline["bytes"], 3 * 4 * n * n);
    assert_eq!(roofline["operations"], 2 * n * n * n);
    // Eight processors of eight rows of 64 of each round: all of b but the own eighth, n·n/8 words each.
    let bsp = run("matrix_multiply --set n=512 -p 262144 -m bsp");
    assert_eq!(bsp["h"], 512 * 512 / 8 * 7);
    let executed = json(at, "run matrix_multiply --set n=16 -m work-span --json");
    assert_eq!(executed["counted"], false);
}
