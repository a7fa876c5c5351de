//! Random listings: the graph, the depth without it, and the simulated time.

use memory_machine::language::program::{ArrayId, Program};
use memory_machine::language::syntax::Type;
use memory_machine::machine::{MachineKind, Mode};
use memory_machine::run::execute;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, encode};
use memory_machine::run::pram::Pram;
use memory_machine::theory::depth::depth;
use memory_machine::theory::graph::graph;
use memory_machine::units::Width;
use proptest::prelude::*;

use super::{ALL, limits, load, machine, sound, time};
use crate::run::generate::listing;

/// Where arrays lie on a machine of width 4, and small numbers in those that are given.
pub fn prepare(program: &Program, n: i64, seed: u64) -> (Layout, Memory) {
    let value = |name: &str| Some(if name == "n" { n } else { 2 });
    let layout = Layout::new(program, value, Width::new(4).unwrap(), None).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    for (index, array) in program.arrays.iter().enumerate() {
        if array.role.is_given() {
            let small = if array.element == Type::Bool { 2 } else { 5 };
            let numbers: Vec<f64> = (0..layout.regions[index].cells)
                .map(|cell| ((cell * 7 + seed) % small) as f64)
                .collect();
            let bits = encode(array.element, &numbers).unwrap();
            memory.fill(&layout, ArrayId(index), 0, &bits);
        }
    }
    (layout, memory)
}

proptest! {
    #![proptest_config(crate::cases(200))]

    #[test]
    fn graph_depth_and_time(
        bytes in prop::collection::vec(any::<u8>(), 1..160),
        n in 1_i64..5,
        seed in 0_u64..1000,
        parallel: bool,
    ) {
        let text = listing(&bytes, parallel);
        let program = load(&text);
        let fresh = || prepare(&program, n, seed);
        let (layout, mut memory) = fresh();
        let Ok(depth) = depth(&program, &layout, &mut memory, limits(ALL)) else { return Ok(()) };
        let graph = graph(&program, &layout, &mut fresh().1, limits(ALL), usize::MAX).unwrap();
        sound(&graph);
        prop_assert_eq!(graph.node_weights().map(|it| it.depth).max().unwrap_or(0), depth);

        // Where iterations race, threads do not wait for one another asynchronously.
        let mut pram = Pram::new(&program);
        execute(&program, &layout, &mut fresh().1, limits(ALL), &mut pram).unwrap();
        let races = !pram.finish().1.is_empty();
        for kind in [MachineKind::Umm, MachineKind::Dmm] {
            for mode in [Mode::Sync, Mode::Async] {
                if mode == Mode::Async && races {
                    continue;
                }
                let at = (machine(kind, 4, 7), mode, 1 << 20);
                let time = time(&program, &layout, &mut fresh().1, at);
                prop_assert!(u128::from(depth) * 7 <= time, "{} · 7 > {}\n{}", depth, time, text);
            }
        }
    }
}
