//! The listings of Ito and Nakano's methods: what their arrangements cost on the UMM.

use memory_machine::algorithms::catalogue;
use memory_machine::count::count;
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::machine::{Counts, Machine, MachineKind, Mode};
use memory_machine::run::Limits;
use memory_machine::run::layout::Layout;
use memory_machine::units::{Latency, Threads, Width};

const W: u64 = 32;

/// Of the phase `sums`, with as many threads as the stages have; BB with t of them a block.
fn sums(name: &str, n: i64, t: i64, l: u64) -> Counts {
    let text = catalogue::find(name).unwrap().text.to_owned();
    let program = language::load(Source { name: name.to_owned(), text }).unwrap();
    let value = |name: &str| Some(if name == "n" { n } else { t });
    let width = Width::new(W).unwrap();
    let layout = Layout::new(&program, value, width, None).unwrap();
    let machine = Machine { kind: MachineKind::Umm, width, latency: Latency::new(l).unwrap() };
    let limits = Limits::new(Threads::new(1 << 20).unwrap(), 100_000);
    let counted = count(&program, &layout, machine, Mode::Sync, limits).unwrap();
    let phase = program.phases.iter().position(|it| it == "sums").unwrap();
    counted.counts[phase]
}

/// Cells, and pairs of cells that are added.
fn work(n: u128) -> (u128, u128) {
    ((n - 1) * (n - 2) / 2, n * (n - 1) * (n - 2) / 6)
}

/// Two reads a pair; a read of c and a write a cell.
#[test]
fn every_method_adds_every_pair_once() {
    for n in [3, 8, 33, 200] {
        let (cells, pairs) = work(n as u128);
        for name in ["opt_tb_naive", "opt_tb_sliding"] {
            assert_eq!(sums(name, n, 1, 1).accesses, 2 * (pairs + cells), "{name} n = {n}");
        }
        for (name, t) in [("opt_bb_naive", 32), ("opt_bb_mirroring", 64)] {
            // A thread's least goes to shared memory.
            let accesses = sums(name, n, t, 1).accesses;
            assert_eq!(accesses, 2 * pairs + t as u128 * cells, "{name} n = {n}");
        }
    }
}

/// TB, naive: a warp's words are n + 1 apart, so that each is in an address group of its own.
#[test]
fn naive_threads_share_no_address_group() {
    for n in [32, 33, 200] {
        let counts = sums("opt_tb_naive", n, 1, 1);
        assert_eq!(counts.stages, counts.accesses, "n = {n}");
    }
}

/// TB, sliding: a warp's words are neighbours, in two address groups at most; BB, mirroring, too.
/// BB, naive, reads a row, which coalesces, and a column, which does not.
#[test]
fn arrangements_coalesce() {
    let n = 256;
    for name in ["opt_tb_sliding", "opt_bb_mirroring"] {
        let counts = sums(name, n, 32, 1);
        assert!(counts.stages <= 2 * counts.dispatches, "{name}: {counts:?}");
    }
    let [naive, mirroring] = ["opt_bb_naive", "opt_bb_mirroring"].map(|name| sums(name, n, 32, 1));
    let (_, pairs) = work(n as u128);
    assert!(naive.stages > pairs && naive.stages < pairs + mirroring.stages, "{naive:?}");
}

/// Time of naive over sliding or mirroring, as docs/opt.md says for l = 400.
#[test]
#[ignore = "takes seconds"]
fn predicted_ratios_for_1024_vertices() {
    let ratio = |naive: &str, other: &str| {
        let time = |name: &str| sums(name, 1024, 256, 400).time_units.0 as f64;
        time(naive) / time(other)
    };
    let pairs = [
        ("opt_bb_naive", "opt_bb_mirroring", 6.745..6.755),
        ("opt_tb_naive", "opt_tb_sliding", 1.755..1.765),
    ];
    for (naive, other, said) in pairs {
        let found = ratio(naive, other);
        assert!(said.contains(&found), "{naive}: {found}");
    }
}

/// Time of phase `sums` of BB(t, 1), naive and mirroring, from its address groups: where w divides n
/// and t, and a stage is one round.
fn blocks(n: u64, t: u64, l: u64) -> [u64; 2] {
    let (mut naive, mut mirroring) = (0, 0);
    for p in 1..=n - 2 {
        let cells = n - 1 - p;
        // Each thread writes its least once, and reads twice in each of p/t rounds.
        let steps = 2 * p.div_ceil(t) + 1;
        let both = cells * t / W + steps * (l - 1);
        // p neighbouring words, by warps that begin `from` words after an address group does.
        let (full, rest) = (p / W, p % W);
        let groups =
            |from: u64| full * (1 + u64::from(from > 0)) + (from + rest).div_ceil(W).min(rest);
        let rows: u64 = (1..=cells).map(|i| groups(i % W)).sum();
        let mirrored: u64 = (1..=cells).map(|i| groups((i + 1) % W)).sum();
        naive += both + rows + cells * p;
        mirroring += both + rows + mirrored;
    }
    [naive, mirroring]
}

/// What docs/opt.md says for l = 400, where counting takes minutes.
#[test]
fn predicted_ratios_for_8192_vertices() {
    for (n, t, l) in [(64, 32, 1), (256, 64, 400)] {
        let counted = ["opt_bb_naive", "opt_bb_mirroring"]
            .map(|name| sums(name, n as i64, t as i64, l).time_units.0 as u64);
        assert_eq!(blocks(n, t, l), counted, "n = {n}");
    }
    let [naive, mirroring] = blocks(8192, 256, 400);
    assert_eq!((naive, mirroring), (97_623_145_962, 11_682_006_762));
}
