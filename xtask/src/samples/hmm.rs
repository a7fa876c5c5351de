//! The samples of `plots/data/hmm_*.csv`.

use memory_machine::case::Case;
use memory_machine::sample::Sample;

use super::on_dmms::{EXPECTED, Q, WARPS, case, congested, machine, sample, theorem_three};
use super::{doubling, write_table};
use crate::Failure;

pub fn write() -> Result<(), Failure> {
    listings_over_machines()?;
    congestion()?;
    sum()?;
    opt_over_n()
}

/// Over d for w = 32, and over w for d = 16.
fn scale(file: &str, names: &[&str], n: u64) -> Result<(), Failure> {
    let over = |points: Vec<(u64, u64)>| -> Vec<Sample> {
        let of = |name: &&str| -> Vec<Sample> {
            points.iter().map(|&(w, d)| sample(&case(name, n, w, d))).collect()
        };
        names.iter().flat_map(of).collect()
    };
    write_table(
        &format!("hmm_{file}_d.csv"),
        &over(doubling(1, 128, 2).map(|d| (32, d)).collect()),
    )?;
    write_table(&format!("hmm_{file}_w.csv"), &over(doubling(4, 128, 2).map(|w| (w, 16)).collect()))
}

fn listings_over_machines() -> Result<(), Failure> {
    scale("sat", &["sat_2r2w", "sat_2r1w", "sat_1r1w"], 1024)?;
    let transposes = ["transpose", "transpose_padded", "transpose_diagonal", "transpose_rap"];
    scale("transpose", &transposes, 512)?;
    scale("opt", &["opt_hmm", "umm_opt"], 2048)
}

/// The writes of random accesses, what theory expects of them, and rows and columns, which are free
/// of conflicts.
fn congestion() -> Result<(), Failure> {
    let mut rows = vec![];
    for (w, expected) in EXPECTED {
        let row = Sample { width: Some(w), ..Sample::default() };
        let dispatches = Some(WARPS.into());
        rows.push(Sample {
            algorithm: "random accesses".to_owned(),
            machine: Some("dmm".to_owned()),
            stages: Some(congested(w)),
            dispatches,
            ..row.clone()
        });
        rows.push(Sample {
            algorithm: "expected".to_owned(),
            source: Some("most of w balls in one of w bins: on average".to_owned()),
            stages: Some((expected * WARPS as f64).round() as u128),
            dispatches,
            ..row
        });
        rows.push(sample(&case("transpose_rap", 256, w, 16)));
    }
    write_table("hmm_rap.csv", &rows)
}

/// As many blocks as the largest machine has DMMs.
fn sum() -> Result<(), Failure> {
    let mut rows = vec![];
    for d in doubling(1, 256, 2) {
        for l in doubling(1, 16_384, 4) {
            let case = Case::load("sum_hmm").unwrap().set("n", 1 << 16).set("b", 256);
            let case = case.set("q", Q as i64).on(machine(32, l, d, 1));
            rows.push(sample(&case.threads(d * Q).unwrap()));
        }
    }
    write_table("hmm_sum.csv", &rows)
}

fn opt_over_n() -> Result<(), Failure> {
    let mut rows = vec![];
    for n in doubling(16, 8192, 2) {
        rows.push(sample(&case("opt_hmm", n, 32, 32)));
        let case = case("umm_opt", n, 32, 32);
        rows.push(Sample { lower_bound: Some(theorem_three(&case) as f64), ..sample(&case) });
    }
    write_table("hmm_opt_n.csv", &rows)
}
