//! What the emitted kernels ask of a GPU's memory, where it is known by hand, and a profile that is
//! held against it.

use std::fmt::Write;

use memory_machine::case::Case;
use memory_machine::predict::counters::{Counter, compare_counters, profile};
use memory_machine::predict::{KernelTraffic, traffic};
use memory_machine::run::layout::Arrangement;
use memory_machine::units::Threads;

use crate::support::{fails, umm};

/// By kernel: requests, sectors and wavefronts, of reads and writes, and what goes on to the caches.
fn counts(case: &Case) -> Vec<[u64; 9]> {
    let of = |it: &KernelTraffic| {
        let all: Vec<u64> = Counter::all().map(|counter| it.of(counter)).collect();
        all.try_into().unwrap()
    };
    traffic(case).unwrap().iter().map(of).collect()
}

fn bulk(arrangement: Arrangement) -> Case {
    let threads = Threads::at_least_one(128);
    Case { threads, ..Case::load("prefix_sums").unwrap().set("n", 16).bulk(arrangement) }
}

#[test]
fn warps_of_a_bulk_run_ask_by_columns_for_four_sectors_by_rows_for_thirty_two() {
    // 4 warps, 16 reads and 16 writes of each; 2 KiB an array and warp.
    let column = [64, 64, 256, 256, 0, 0, 256, 256, 8192];
    assert_eq!(counts(&bulk(Arrangement::ColumnWise)), [column]);
    // 2 sectors a row, which a block reads once and writes 8 times each.
    let row = [64, 64, 2048, 2048, 0, 0, 256, 2048, 8192];
    assert_eq!(counts(&bulk(Arrangement::RowWise)), [row]);
}

#[test]
fn threads_with_four_words_make_one_request_of_them() {
    let text = "algorithm add(n)\ninput a[n] : f32\ninout b[n] : f32\n\
                for i ← 0 to n-1 do in parallel\n  b[i] ← b[i] + a[i]\n";
    let add = |n| Case::parse("add.alg", text).unwrap().set("n", n);
    // 1000 words by 250 threads, 8 warps; 125 sectors an array, whole groups of 64 bytes but one.
    assert_eq!(counts(&add(1000)), [[16, 8, 250, 125, 0, 0, 250, 125, 2 * 63 * 64]]);
    // 1001 are no whole vectors: 32 warps.
    assert_eq!(counts(&add(1001)), [[64, 32, 252, 126, 0, 0, 252, 126, 2 * 63 * 64]]);
}

#[test]
fn padded_tiles_go_by_rows_and_without_a_conflict() {
    let case = Case::load("transpose_padded").unwrap().set("n", 64).with_dmms();
    // 64 × 2 warps of 32 words each way.
    assert_eq!(counts(&case), [[128, 128, 512, 512, 128, 128, 512, 512, 64 * 64 * 4]]);
    let text = "algorithm column(n)\noutput b[n, n] : f32\n\
                for i ← 0 to 0 do in parallel on DMMs with 32 threads\n  shared s[32, 32] : f32\n  \
                for y ← 0 to 31 do in parallel\n    s[y, 0] ← f32(1)\n  \
                for y ← 0 to 31 do in parallel\n    b[0, y] ← s[y, 0]\n";
    let case = Case::parse("column.alg", text).unwrap().set("n", 32).with_dmms();
    // All words of a column lie in one bank.
    assert_eq!(counts(&case), [[0, 1, 0, 4, 32, 32, 0, 4, 0]]);
}

/// A profile of one launch in which a GPU counts twice what the machine does.
fn doubled(case: &Case) -> String {
    let of = &traffic(case).unwrap()[0];
    let mut text = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n".to_owned();
    for counter in Counter::all() {
        let value = 2 * of.of(counter);
        writeln!(text, "\"0\",\"{}(float *)\",\"{}\",\"{value}\"", of.kernel, counter.metric())
            .unwrap();
    }
    text
}

#[test]
fn a_profile_is_held_against_the_machine_kernel_by_kernel() {
    let case = bulk(Arrangement::ColumnWise);
    let held =
        compare_counters(&traffic(&case).unwrap(), &profile(&doubled(&case)).unwrap()).unwrap();
    assert!(held.iter().all(|it| it.measured == 2.0 * it.counted as f64));
    // Nothing twice is still nothing.
    assert_eq!(held.iter().filter(|it| it.is_exact()).count(), 2);
}

#[test]
fn a_saved_profile_needs_no_gpu() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let case = bulk(Arrangement::ColumnWise);
    std::fs::write(folder.join("p.csv"), doubled(&case)).unwrap();
    let command = "gpu count prefix_sums --set n=16 --bulk column -p 128 --from p.csv";
    let output = umm(folder, &format!("{command} --csv c.csv -o c.svg"));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("load_requests          64     128          2.000"), "{text}");
    assert!(text.ends_with("equal to the last unit: 2 of 9 counters\n"), "{text}");
    let table = std::fs::read_to_string(folder.join("c.csv")).unwrap();
    assert!(table.contains("prefix_sums_kernel,1,load_sectors,256,512.0,2.0\n"), "{table}");

    assert!(folder.join("c.svg").exists());

    // Another size has more launches, or other kernels.
    let error = fails(folder, "gpu count sum --set n=16 --from p.csv");
    assert!(error.contains("p.csv: has 0 launches of sum_kernel"), "{error}");
}

/// As an H200 counted it (driver 580.159.04, ncu 2025.3.1).
#[test]
#[ignore = "takes seconds"]
fn a_row_wise_bulk_run_asks_an_h200_for_what_the_machine_counts() {
    let text = include_str!("../data/counters-h200-prefix-row.csv");
    let threads = Threads::at_least_one(65536);
    let case = Case { threads, ..bulk(Arrangement::RowWise).set("n", 64) };
    let held = compare_counters(&traffic(&case).unwrap(), &profile(text).unwrap()).unwrap();
    let of_warps = &held[..6];
    assert!(of_warps.iter().all(|it| it.is_exact()), "{of_warps:?}");
    assert_eq!(of_warps[2].counted, 4_194_304);
}
