//! Row-wise, column-wise and sliding arrangements; banks and address groups.

use std::collections::HashSet;

use memory_machine::language::program::ArrayId;
use memory_machine::machine::MachineKind;
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::units::Width;

use super::{counts, kernel, load};

/// As printed (Tani et al. 2014, Section IV), for arrays of (n−1) × (n−1).
fn printed(n: u64, i: u64, j: u64, k: u64) -> u64 {
    (n - 1).pow(2) * i + (n - 1) * j + k
}

fn right(n: u64, p: u64, i: u64, j: u64, k: u64) -> u64 {
    ((n - 1) * i + j) * p + k
}

#[test]
fn printed_column_wise_addresses_collide() {
    // Cell (i, j+1) of input 0 and cell (i, j) of input n − 1.
    for n in 3..10 {
        assert_eq!(printed(n, 0, 1, 0), printed(n, 0, 0, n - 1));
        assert_eq!(printed(n, 1, 2, 0), printed(n, 1, 1, n - 1));
    }
    // With p inputs, no two cells collide if and only if p < n; only p = n − 1 leaves no gaps.
    for n in 3..8 {
        for p in 1..12 {
            let cells = (n - 1) * (n - 1) * p;
            let all = |address: &dyn Fn(u64, u64, u64) -> u64| -> HashSet<u64> {
                let side = 0..n - 1;
                side.clone()
                    .flat_map(|i| side.clone().map(move |j| (i, j)))
                    .flat_map(|(i, j)| (0..p).map(move |k| (i, j, k)))
                    .map(|(i, j, k)| address(i, j, k))
                    .collect()
            };
            let as_printed = all(&|i, j, k| printed(n, i, j, k));
            assert_eq!(as_printed.len() as u64 == cells, p < n, "n = {n}, p = {p}");
            assert_eq!(as_printed == (0..cells).collect(), p == n - 1, "n = {n}, p = {p}");
            assert_eq!(all(&|i, j, k| right(n, p, i, j, k)), (0..cells).collect());
        }
    }
}

#[test]
fn column_wise_layout_has_the_right_addresses() {
    let (n, p) = (7_u64, 12_u64);
    let program = load("algorithm square(n)\ninout M[n-1, n-1] : f32\n\nM[0, 0] ← 0\n");
    let bulk = Bulk { inputs: p, arrangement: Arrangement::ColumnWise };
    let layout =
        Layout::new(&program, |_| Some(n as i64), Width::new(4).unwrap(), Some(bulk)).unwrap();
    for i in 0..n - 1 {
        for j in 0..n - 1 {
            for k in 0..p {
                let address = layout.address(ArrayId(0), (n - 1) * i + j, k).0;
                assert_eq!(address, right(n, p, i, j, k));
            }
        }
    }
}

#[test]
fn column_wise_accesses_meet_in_one_address_group_and_in_no_bank() {
    let distinct = |addresses: &[u64], f: &dyn Fn(u64) -> u64| {
        addresses.iter().map(|&address| f(address)).collect::<HashSet<_>>().len() as u64
    };
    let w = 32;
    let column: Vec<u64> = (0..w).map(|k| right(8, w, 2, 3, k)).collect();
    assert_eq!(distinct(&column, &|a| a / w), 1, "address groups");
    assert_eq!(distinct(&column, &|a| a % w), w, "banks");
    let row =
        |n: u64| -> Vec<u64> { (0..w).map(|k| (n - 1).pow(2) * k + (n - 1) * 2 + 3).collect() };
    for n in [8, 9] {
        assert_eq!(distinct(&row(n), &|a| a / w), w, "address groups");
    }
    assert_eq!(distinct(&row(8), &|a| a % w), w, "49 is prime to 32: distinct banks");
    assert_eq!(distinct(&row(9), &|a| a % w), 1, "32 divides 64: the same bank");
}

#[test]
fn column_wise_time_grows_with_the_latency() {
    let bulk = Bulk { inputs: 64, arrangement: Arrangement::ColumnWise };
    let (w, p) = (32, 64);
    let listing = kernel("prefix_sums");
    for n in [1, 16, 33] {
        let t = 2 * n as u128;
        for l in [1, 10, 1000] {
            let all = counts(&listing, n, MachineKind::Umm, (w, l, p), Some(bulk));
            let time = all[0].1.time_units.0;
            assert_eq!(time, (u128::from(p / w) + u128::from(l) - 1) * t);
        }
        // O(pt/w + t) would not depend on l.
    }
}

#[test]
fn row_wise_inputs_of_at_least_w_words_lie_in_distinct_address_groups() {
    // n need not be a multiple of w.
    let groups = |n: u64, w: u64| (0..16).map(|j| j * n / w).collect::<HashSet<_>>().len();
    for w in 1..20 {
        for n in 1..40 {
            assert_eq!(groups(n, w) == 16, n >= w, "n = {n}, w = {w}");
        }
    }
}

#[test]
fn sliding_arrangement_needs_one_row_less() {
    for n in 2..10_i64 {
        let cells = || (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
        assert!(cells().any(|(i, j)| i - j + n == n), "printed: row n of rows 0 … n − 1");
        let rows: HashSet<i64> = cells().map(|(i, j)| i - j + n - 1).collect();
        assert_eq!(rows, (0..n).collect());
    }
}
