//! The shipped listings with loops on DMMs: right, without races, and as fast as the papers say.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;

use memory_machine::algorithms::catalogue::ON_DMMS;
use memory_machine::algorithms::random::{Distribution, numbers};
use memory_machine::algorithms::schedule::schedule;
use memory_machine::case::{Case, CaseCache, Inputs, Verdict};
use memory_machine::language;
use memory_machine::language::program::ArrayId;
use memory_machine::machine::{Clock, Counts, Machine, Mode};
use memory_machine::run::Tracer;
use memory_machine::run::memory::Memory;
use memory_machine::run::pram::Pram;
use memory_machine::theory::{BoundKind, violations};

use crate::machine::hmm::hmm;
use crate::support::on_dmms::{EXPECTED, WARPS, congested};

fn case(name: &str, set: &[(&str, i64)]) -> Case {
    set.iter().fold(Case::load(name).unwrap(), |case, &(it, value)| case.set(it, value))
}

/// The same with a source for an array.
fn given(case: Case, array: &str, source: impl Into<OsString>) -> Case {
    let given = [(array.to_owned(), source.into())];
    Case { inputs: Inputs::read(&case.program, &given, 1).unwrap(), ..case }
}

/// What a case takes and what memory holds after it; its result must be right. Its bounds are derived
/// anew, which takes longest.
fn run(case: &Case) -> (Counts, Memory) {
    run_known(case, crate::is_thorough().then(CaseCache::default).as_ref())
}

/// The same with what is known of cases that differ in n and d alone, as deriving bounds takes longest;
/// without it, the bounds are not looked at.
pub(super) fn run_known(case: &Case, known: Option<&CaseCache>) -> (Counts, Memory) {
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let mut tracer = Tracer::new(&case.program, Clock::new(case.machine, case.mode, case.threads));
    case.execute(&layout, &mut memory, &mut tracer).unwrap();
    assert_eq!(case.verify(&layout, &memory).unwrap(), Verdict::Right, "{case}");
    let counts: Counts = tracer.sink.finish().into_iter().sum();
    let timed = case.time().unwrap();
    assert_eq!(counts, timed.total(), "{case}: without values");
    let bounds = known.map_or_else(Vec::new, |it| it.bounds(case, &timed));
    assert_eq!(violations(&case.program, &timed.counts, &bounds), [], "{case}");
    (counts, memory)
}

/// The time that theory says of a run, exactly; `None` if it only bounds it.
fn exact(case: &Case) -> Option<u128> {
    let bounds = CaseCache::default().bounds(case, &case.time().unwrap());
    bounds.iter().find(|it| it.kind == BoundKind::Exact).map(|it| it.value)
}

/// A shipped listing by its name, with parameters' values, on a machine: what it takes.
fn shipped(name: &str, set: &[(&str, i64)], machine: Machine, mode: Mode) -> Counts {
    run(&Case { mode, ..case(name, set).on(machine) }).0
}

/// Parameters of a listing for n, a tile of t and q threads; other tiles are as wide.
fn sizes(name: &str, n: i64, t: i64, q: i64) -> Vec<(&'static str, i64)> {
    let (n, t) = match name {
        "permute_offline" => ((n as u64).next_multiple_of(t as u64) as i64, t),
        // A table of one vertex has no cell.
        "opt_hmm" | "opt_tiled" => (n.max(2), t),
        _ => (n, t),
    };
    let names = &Case::load(name).unwrap().program.parameters;
    let all = [("n", n), ("t", t), ("q", q), ("b", 5), ("m", 2), ("v", 2), ("w", t)];
    all.into_iter().filter(|it| names.iter().any(|name| name.name == it.0)).collect()
}

/// With sizes of tiles and blocks that divide nothing; and the listings as printed.
#[test]
fn shipped_listings_on_dmms_are_right() {
    for entry in ON_DMMS {
        let listing = language::parse(entry.text).unwrap();
        let printed = listing.to_string();
        assert_eq!(language::parse(&printed).unwrap().to_string(), printed, "{}", entry.name);
        for (t, q) in [(4, 6), (5, 1), (3, 64)] {
            let is_bounded = t == 4 && crate::is_thorough();
            let known = [(); 2].map(|()| is_bounded.then(CaseCache::default));
            for n in crate::some([17, 1, 7, 2], 2) {
                let set = sizes(entry.name, n, t, q);
                for dmms in [[1, 1, 1], [3, 2, 2]] {
                    let case = case(entry.name, &set).on(hmm(4, 9, dmms));
                    let counts = |mode, known| run_known(&Case { mode, ..case.clone() }, known).0;
                    let sync = counts(Mode::Sync, known[0].as_ref());
                    let asynchronous = counts(Mode::Async, known[1].as_ref());
                    assert!(asynchronous.time_units <= sync.time_units, "{} {set:?}", entry.name);
                }
            }
        }
    }
}

#[test]
fn no_shipped_listing_on_dmms_has_races() {
    for entry in ON_DMMS {
        let case =
            case(entry.name, &sizes(entry.name, 13, 4, 5)).of_pram().on(hmm(1, 1, [1, 1, 1]));
        let layout = case.layout().unwrap();
        let mut memory = case.memory(&layout).unwrap();
        let mut pram = Pram::new(&case.program);
        case.execute(&layout, &mut memory, &mut pram).unwrap();
        assert_eq!(pram.finish().1, [], "{}", entry.name);
    }
}

/// Kasagi, Nakano, Ito 2014: 2n/w + 2n/(dw) + 2l − 2 for n words through shared memory.
#[test]
fn transpose_takes_what_the_paper_says() {
    for (side, w, d, l) in [(16_u64, 4, 4, 5), (32, 8, 2, 100), (32, 4, 8, 1), (64, 8, 16, 7)] {
        let n = side * side;
        let blocks = (side / w) * (side / w);
        let machine = hmm(w, l, [d, 1, blocks / d]);
        let takes = u128::from(2 * n / w + 2 * n / (d * w) + 2 * l - 2);
        let set = [("n", side as i64), ("t", w as i64), ("q", (w * w) as i64)];
        assert_eq!(exact(&case("transpose_padded", &set).on(machine)), Some(takes));
        let counts = shipped("transpose_diagonal", &set, machine, Mode::Sync);
        assert_eq!(counts.time_units.0, takes, "n = {n}, w = {w}, d = {d}, l = {l}");
        assert_eq!(counts.shared.stages, u128::from(2 * n / w));
        // Rows of w + 1 words have as few conflicts.
        assert_eq!(shipped("transpose_padded", &set, machine, Mode::Sync).time_units.0, takes);
        assert!(shipped("transpose_diagonal", &set, machine, Mode::Async).time_units.0 <= takes);
        // Shifts of rows are read from global and from shared memory besides; no access conflicts.
        let shifted = shipped("transpose_rap", &set, machine, Mode::Sync);
        assert_eq!(shifted.shared.stages, shifted.shared.dispatches);
    }
}

/// D_w(P) + 2n/w + 3l − 3 for the conventional permutation, on global memory alone.
#[test]
fn the_conventional_permutation_takes_what_the_paper_says() {
    for (n, q, w, d, l) in [(64_u64, 16, 4, 2, 9), (256, 32, 8, 4, 1), (128, 16, 16, 8, 50)] {
        let case = case("permute_hmm", &[("n", n as i64), ("q", q as i64)]);
        let case = given(case.on(hmm(w, l, [d, 1, n / q / d])), "p", "permutation:7");
        let (counts, memory) = run(&case);
        let layout = case.layout().unwrap();
        let p: Vec<u64> = memory.cells(&layout, ArrayId(1), 0).map(Option::unwrap).collect();
        let groups =
            |warp: &[u64]| warp.iter().map(|p| p / w).collect::<BTreeSet<_>>().len() as u64;
        let written: u64 = p.chunks(w as usize).map(groups).sum();
        let takes = u128::from(written + 2 * n / w + 3 * l - 3);
        assert_eq!(counts.time_units.0, takes);
    }
}

/// 16n/w + 16n/(dw) + 16l − 16 for whatever permutation of n words.
#[test]
fn the_offline_permutation_takes_what_the_paper_says() {
    let sizes = [
        (8_u64, 2_u64, 4_u64, 9_u64),
        (16, 4, 2, 1),
        (12, 3, 4, 30),
        (32, 4, 8, 100),
        (64, 8, 16, 7),
    ];
    for (side, w, d, l) in sizes {
        let n = side * side;
        let blocks = side.max(side / w * (side / w));
        let machine = hmm(w, l, [d, 1, blocks / d]);
        let takes = u128::from(16 * n / w + 16 * n / (d * w) + 16 * l - 16);
        let q = side.max(w * w);
        let set = [("n", side as i64), ("w", w as i64), ("q", q as i64)];
        for seed in 1..4 {
            let case =
                given(case("permute_offline", &set).on(machine), "s", format!("random:{seed}"));
            let (counts, _) = run(&case);
            assert_eq!(counts.time_units.0, takes, "n = {n}, w = {w}, d = {d}, l = {l}");
            assert_eq!(exact(&case), Some(takes));
            assert!(run(&Case { mode: Mode::Async, ..case }).0.time_units.0 <= takes);
        }
    }
}

/// A permutation from a file, of sides that are powers of two and others: each number comes where the
/// permutation says, and never two of a warp to one bank.
#[test]
fn schedules_move_each_number_to_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.csv");
    for (side, width) in [(1_usize, 1), (4, 4), (6, 2), (9, 3), (20, 4), (36, 4), (40, 8)] {
        let cells = side * side;
        let random = numbers(Distribution::Permutation, cells, 5).map(|it| it as usize).collect();
        let transpose = (0..cells).map(|e| e % side * side + e / side).collect();
        let to_one_bank = (0..cells).map(|e| (e * width + e * width / cells) % cells).collect();
        let all: [Vec<usize>; 4] = [(0..cells).collect(), random, transpose, to_one_bank];
        for p in all {
            let text = p.iter().fold(String::new(), |mut text, it| {
                writeln!(text, "{it}").unwrap();
                text
            });
            std::fs::write(&path, text).unwrap();
            let mut source = OsString::from("schedule:");
            source.push(&path);
            let set = [("n", side as i64), ("w", width as i64), ("q", 7)];
            let case = given(case("permute_offline", &set), "s", source);
            let case = case.on(hmm(width as u64, 3, [2, 1, 1]));
            let (counts, memory) = run(&case);
            let layout = case.layout().unwrap();
            let array = |name| case.program.array_named(name).unwrap();
            let cells = |name| memory.cells(&layout, array(name), 0).collect::<Vec<_>>();
            let (a, b) = (cells("a"), cells("b"));
            assert!((0..a.len()).all(|e| b[p[e]] == a[e]), "{side} by {width}");
            // Rounds of seven threads are no whole warps, so only groups of w threads are free of
            // conflicts.
            assert!(counts.shared.stages >= counts.shared.dispatches);
            let places: Vec<u32> = p.iter().map(|&it| it as u32).collect();
            for warp in schedule(&places, side, width).chunks(width) {
                let banks: BTreeSet<u32> = warp.iter().map(|it| it % width as u32).collect();
                assert_eq!(banks.len(), width);
            }
        }
    }
}

/// As many accesses to global memory as the algorithms are called after, and a few for each tile; with
/// tiles of w × w none to shared memory that conflicts.
#[test]
fn summed_area_tables_read_and_write_as_often_as_they_are_called() {
    let (n, t) = (64_u32, 8_u32);
    let tiles = (n / t) * (n / t);
    for (name, times) in [("sat_2r2w", 4), ("sat_2r1w", 3), ("sat_1r1w", 2)] {
        let set = [("n", n.into()), ("t", t.into()), ("q", 64)];
        let counts = shipped(name, &set, hmm(8, 20, [4, 1, 2]), Mode::Sync);
        let more = counts.global().accesses - u128::from(times * n * n);
        // Written by each tile and read by the next: a row, a column and a corner, at most thrice.
        assert!(more <= u128::from(tiles * 3 * (2 * t + 1) * 2), "{name}: {more}");
        assert_eq!(more == 0, name == "sat_2r2w");
        assert_eq!(counts.shared.stages, counts.shared.dispatches, "{name}");
    }
}

/// Each pair of tiles (i, k), (k, j) is read once: n³/(3w) words, so O(n³/w²) stages.
#[test]
fn triangulation_reads_each_pair_of_tiles_once() {
    for (tiles, w) in [(1_u128, 4_u128), (4, 4), (9, 4), (5, 8)] {
        let set = [("n", (tiles * w) as i64), ("t", w as i64), ("q", (w * w) as i64)];
        let counts = shipped("opt_hmm", &set, hmm(w as u64, 5, [2, 1, 2]), Mode::Sync);
        let (pairs, triples) =
            (tiles * (tiles - 1) / 2, tiles * (tiles - 1) * tiles.saturating_sub(2) / 6);
        let above = w * (w - 1) / 2;
        let closing = tiles * 2 * above + pairs * (2 * above + 2 * w * w);
        assert_eq!(counts.global().accesses, closing + triples * 2 * w * w);
        assert_eq!(counts.shared.stages, counts.shared.dispatches);
    }
}

/// Nakano, Matsumae, Ito 2014: under RAP, w numbers of distinct rows fall in banks like balls into
/// bins, if they know nothing of the shifts.
#[test]
fn congestion_of_random_accesses_is_what_theory_expects() {
    for (w, expected) in EXPECTED {
        let congestion = congested(w) as f64 / WARPS as f64;
        assert!((congestion - expected).abs() < 0.03, "w = {w}: {congestion}");
    }
}
