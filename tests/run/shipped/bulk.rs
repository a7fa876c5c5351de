//! Bulk runs of shipped listings, and what the papers say of their time.

use memory_machine::machine::{MachineKind, Mode};
use memory_machine::run::layout::Arrangement;

use super::{Case, machine, run, total};

const SIZES: [i64; 8] = [1, 2, 3, 4, 7, 8, 16, 29];

/// Accesses of one run of a sequential listing.
fn accesses(name: &str, n: i64) -> u128 {
    let machine = machine(MachineKind::Umm, 1, 1);
    let sizes = &[("n", n)];
    let mode = Mode::Sync;
    total(&run(Case { name, sizes, threads: 1, arrangement: None, machine, mode })).accesses
}

#[test]
fn bulk_runs_take_the_papers_time() {
    let (mut row_wise, mut column_wise) = (0, 0);
    for (name, sizes) in [("prefix_sums", SIZES), ("opt", [2, 3, 4, 5, 6, 8, 12, 16])] {
        for n in sizes {
            let t = accesses(name, n);
            if name == "prefix_sums" {
                assert_eq!(t, 2 * n as u128);
            }
            for w in [1, 3, 4, 32_u64] {
                for warps in [1, 2, 5] {
                    for l in [1, 2, 5, 100] {
                        let p = w * warps;
                        let (w_, p_, l_) = (u128::from(w), u128::from(p), u128::from(l));
                        let machine = machine(MachineKind::Umm, w, l);
                        let sizes = &[("n", n)];
                        let go = |arrangement| {
                            let arrangement = Some(arrangement);
                            let mode = Mode::Sync;
                            total(&run(Case {
                                name,
                                sizes,
                                threads: p,
                                arrangement,
                                machine,
                                mode,
                            }))
                        };
                        let column = go(Arrangement::ColumnWise);
                        assert_eq!(column.accesses, p_ * t);
                        assert_eq!(column.time_units.0, (p_ / w_ + l_ - 1) * t, "{name} {n} {w}");
                        column_wise += 1;
                        let cells = if name == "opt" { n * n } else { n } as u64;
                        let row = go(Arrangement::RowWise);
                        assert_eq!(row.accesses, p_ * t);
                        if cells.is_multiple_of(w) {
                            assert_eq!(row.time_units.0, (p_ + l_ - 1) * t, "{name} {n} {w}");
                            row_wise += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(row_wise > 200 && column_wise > 700, "{row_wise} {column_wise}");
}

#[test]
fn bulk_runs_column_wise_meet_in_no_bank() {
    for (w, p) in [(4, 8), (32, 64), (3, 9)] {
        let machine = machine(MachineKind::Dmm, w, 7);
        let (sizes, mode) = (&[("n", 8)][..], Mode::Sync);
        let arrangement = Some(Arrangement::ColumnWise);
        let counts =
            total(&run(Case { name: "opt", sizes, threads: p, arrangement, machine, mode }));
        let t = accesses("opt", 8);
        assert_eq!(counts.time_units.0, u128::from(p / w + 6) * t);
    }
}

#[test]
fn bulk_runs_are_right_whatever_p() {
    for name in ["prefix_sums", "opt", "dp_opt"] {
        for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
            for threads in [1, 3, 32, 1000] {
                for n in [2, 3, 7] {
                    let (sizes, mode) = (&[("n", n)][..], Mode::Async);
                    let machine = machine(MachineKind::Dmm, 32, 9);
                    let arrangement = Some(arrangement);
                    run(Case { name, sizes, threads, arrangement, machine, mode });
                }
            }
        }
    }
}
