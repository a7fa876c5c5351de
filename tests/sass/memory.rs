//! What goes on to memory, of which the last-level cache keeps single sectors.

use memory_machine::sass::{ExecutionCounts, L2MissModel, Timing};

use super::TIMING;
use super::timing::timed_on;

/// All that a block accesses for the first time comes from memory, and stays.
const NEW: L2MissModel = L2MissModel::First { part: 1.0, written_part: 1.0, groups: f64::INFINITY };

/// A last-level cache of so many address groups.
fn keeping(groups: f64) -> Timing {
    Timing { l1_groups: 1e-3, l2_misses: L2MissModel::Groups(groups), ..TIMING }
}

fn counts(timing: &Timing, body: &str) -> ExecutionCounts {
    timed_on(timing, body, 1).0
}

/// The second sector of an address group comes from memory as the first did, as long as nothing read it;
/// memory moves both for the price of one.
#[test]
#[ignore = "needs NVRTC"]
fn a_sector_is_not_there_because_its_group_is() {
    let read = |second: u32| {
        let body =
            format!("unsigned *q = a + 32 * t, x = rd(q); x = rd(q + {second} + x); wr(a, x);");
        counts(&keeping(1e6), &body)
    };
    let (same, pair, other) = (read(1), read(8), read(16));
    assert!(pair.cycles - same.cycles > 0.8 * (TIMING.dram - TIMING.l2[0]), "{pair:?}");
    assert_eq!(pair.dram_pairs, same.dram_pairs);
    assert_eq!(other.dram_pairs, same.dram_pairs + 32.0);
}

/// Measured on an H100: a store to a group that is under way from memory keeps the last-level cache from
/// serving, the longer the more such stores there are.
#[test]
#[ignore = "needs NVRTC"]
fn a_store_behind_a_read_that_memory_serves_holds_others_up() {
    let cycles = |timing: &Timing, store: &str| {
        let body =
            format!("unsigned *q = a + 64 * t, x = rd(q); {store} x = rd(q + 32 + x); wr(a, x);");
        counts(timing, &body).cycles
    };
    let (behind, beside) = ("wr(q + 1, t);", "wr(q + 4096, t);");
    let timing = |warps| Timing { warps, ..keeping(1e6) };
    let more = |store: &str| cycles(&timing(100.0), store) - cycles(&timing(50.0), store);
    assert!((more(behind) - 3.7 * 32.0 * 50.0).abs() < 1.0, "{}", more(behind));
    assert_eq!(more(beside), 0.0);
    // What the last-level cache has is there soon.
    let cached = Timing { l2_misses: L2MissModel::CACHED, warps: 100.0, ..TIMING };
    assert!(cycles(&cached, behind) - cycles(&cached, beside) < TIMING.l2[1]);
}

/// Consecutive words that begin within a sector: what they leave of pairs the next warp takes.
#[test]
#[ignore = "needs NVRTC"]
fn a_run_of_words_takes_its_share_of_pairs() {
    let all = Timing { l2_misses: NEW, ..TIMING };
    let pairs = |body: &str| counts(&all, body).dram_pairs;
    assert_eq!(pairs("wr(a, rd(p + 3));"), 2.5);
    assert_eq!(pairs("wr(a, rd(a + 3 * t));"), 6.0);
    assert_eq!(pairs("wr(a, rd(a + 16 * t));"), 32.0);
}

/// A block's warps complete each other's sectors before these leave.
#[test]
#[ignore = "needs NVRTC"]
fn what_a_block_completes_is_not_written_in_part() {
    let all = Timing { l2_misses: NEW, ..TIMING };
    let of = |warps: u64| timed_on(&all, "wr(p + 3, t);", warps).0;
    let (one, four) = (of(1), of(4));
    // The first sector and the last one have gaps.
    assert_eq!((one.dram_part_pairs, four.dram_part_pairs), (2.0, 2.0));
    assert_eq!(four.dram_written_pairs, 8.0);
    assert_eq!((one.written_part_sectors, four.written_part_sectors), (2.0, 8.0));
}

/// As an H100 does it: a sector that memory had to complete costs as much again when more of it comes, and
/// one that was read before does not.
#[test]
#[ignore = "needs NVRTC"]
fn an_unread_sector_is_fetched_for_the_first_two_writes() {
    let groups = |body: &str| {
        counts(&keeping(1e6), &format!("unsigned *q = a + 32 * t; {body}")).dram_part_groups
    };
    assert_eq!(groups("wr(q, t);"), 32.0);
    assert_eq!(groups("wr(q, t); wr(q + 1, t);"), 64.0);
    assert_eq!(groups("wr(q, t); wr(q + 1, t); wr(q + 2, t);"), 64.0);
    assert_eq!(groups("unsigned x = rd(q); wr(q, x); wr(q + 1, x);"), 32.0);
}

/// Most of a kernel lies behind a condition that only some blocks fulfil.
#[test]
#[ignore = "needs NVRTC"]
fn code_that_no_warp_comes_to_is_told() {
    let reached = |word: u32| {
        let body = format!("if (rd(p) == {word}) {{ wr(p, chain<200>(t)); }}");
        counts(&TIMING, &body).reached_part
    };
    assert!(reached(0) > 0.9, "{}", reached(0));
    assert!(reached(1) < 0.5, "{}", reached(1));
}

/// What a block accesses again is not there if it accessed too much else since, whatever other blocks had
/// fetched before; what it writes in the meantime goes to memory each time.
#[test]
#[ignore = "needs NVRTC"]
fn a_launch_loses_what_its_blocks_do_not_soon_access_again() {
    // 32 groups, so many others, and the same 32 again.
    let turns = |others: u32, access: &str| {
        format!(
            "unsigned *q = a + 32 * t, x = 0;
             {access}
             for (unsigned i = 1; i <= {others}; i++) x += rd(q + 1024 * i + x);
             {access}
             wr(a, x);"
        )
    };
    let of = |part: f64, others: u32, access: &str| {
        let l2_misses = L2MissModel::First { part, written_part: part, groups: 64.0 };
        counts(&Timing { l1_groups: 1e-3, l2_misses, ..TIMING }, &turns(others, access))
    };
    let read = "x += rd(q + x);";
    let again = |part: f64, others: u32| {
        of(part, others, read).dram_pairs - 32.0 * part * f64::from(others + 1)
    };
    assert_eq!(again(0.0, 1), 0.0);
    assert_eq!(again(0.0, 8), 32.0);
    assert_eq!(again(1.0, 1), 0.0);
    assert_eq!(again(1.0, 8), 32.0);
    let write = |others: u32| of(1.0, others, "wr(q, x);").dram_part_pairs;
    assert_eq!((write(1), write(8)), (32.0, 64.0));
}

/// An H100 lets stores wait for those that complete them only as long as their warp reads nothing.
#[test]
#[ignore = "needs NVRTC"]
fn writes_wait_for_no_others_once_a_warp_reads() {
    let written = |between: &str| {
        let body = format!("unsigned x = 0; wr(p + t, t); {between} wr(p + t + 1, x);");
        counts(&TIMING, &body).written_sectors
    };
    assert_eq!((written(""), written("x = rd(a + 4096);")), (8.0, 16.0));
    let measured = include_str!("../../models/measurements/nvidia-h100/2026-11-26/between.csv");
    for row in measured.lines().skip(1) {
        let row: Vec<&str> = row.split(',').collect();
        let number = |at: usize| row[at].parse::<f64>().unwrap();
        let goes_on = number(7) / number(6);
        match (row[0], row[2], number(1)) {
            // Four groups at most, and one after another.
            ("global", "nothing", ..=4.0) => assert!(goes_on < 0.65, "{row:?}"),
            ("global", "same" | "other" | "elsewhere", _) => assert!(goes_on > 0.99, "{row:?}"),
            _ => {}
        }
    }
}
