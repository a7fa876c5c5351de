//! The listings on points, where points repeat, lie on lines and have equal distances.

use memory_machine::machine::{Clock, MachineKind, Mode};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, encode, given};
use memory_machine::run::{Limits, Tracer, execute};
use memory_machine::units::{Threads, Width};
use proptest::prelude::*;

use super::shipped::{agrees, entry, machine, program};

fn check(name: &str, points: &[(i32, i32)], threads: u64, kind: MachineKind, mode: Mode) {
    let entry = entry(name);
    let program = program(entry);
    let n = points.len() as i64;
    let width = Width::new(4).unwrap();
    let layout = Layout::new(&program, |it| (it == "n").then_some(n), width, None).unwrap();
    let mut memory = Memory::new(&layout).unwrap();
    let (x, y) = points.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
    let coordinates: [Vec<f64>; 2] = [x, y];
    for (array, numbers) in given(&program).zip(&coordinates) {
        let bits = encode(program.arrays[array.0].element, numbers).unwrap();
        memory.fill(&layout, array, 0, &bits);
    }
    let threads = Threads::new(threads).unwrap();
    let mut tracer = Tracer::new(&program, Clock::new(machine(kind, 4, 5), mode, threads));
    let limits = Limits::new(threads, 10_000);
    execute(&program, &layout, &mut memory, limits, &mut tracer)
        .unwrap_or_else(|error| panic!("{error}"));
    agrees(entry, &program, &layout, &memory, 0, &coordinates);
}

/// Up to 24 points of a grid that may be a line, or a point.
fn points() -> impl Strategy<Value = Vec<(i32, i32)>> {
    let sides = prop::sample::select(vec![(1, 1), (9, 1), (1, 9), (3, 3), (6, 4), (1000, 1000)]);
    sides.prop_flat_map(|(width, height)| {
        prop::collection::vec((-width / 2..=width / 2, 0..height), 1..=24)
    })
}

proptest! {
    #![proptest_config(crate::cases(200))]
    #[test]
    fn any_points(
        points in points(),
        threads in prop::sample::select(vec![1, 3, 32, 1000]),
        kind in prop::sample::select(vec![MachineKind::Umm, MachineKind::Dmm]),
        mode in prop::sample::select(vec![Mode::Sync, Mode::Async]),
    ) {
        for name in ["greedy", "quickhull"] {
            check(name, &points, threads, kind, mode);
        }
    }
}

/// The largest coordinates for which orientation in `f64` is exact, and three points that are
/// almost on a line.
#[test]
fn large_coordinates() {
    let most = (1 << 25) - 1;
    let points =
        [(-most, -most), (most, most), (most, most - 1), (most - 1, most), (0, 0), (1, 0), (1, 1)];
    for name in ["greedy", "quickhull"] {
        check(name, &points, 8, MachineKind::Umm, Mode::Sync);
    }
}
