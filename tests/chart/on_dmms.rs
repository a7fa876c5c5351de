//! The samples of `plots/data/hmm_*.csv`, made anew by
//! `cargo test --release --test main chart::on_dmms -- --ignored`, and what docs/hmm.md says of them.

use memory_machine::case::{Case, CaseCache};
use memory_machine::machine::Machine;
use memory_machine::sample::Sample;

use super::data::{doubling, write};
use crate::machine::hmm::hmm;
use crate::run::on_dmms::{EXPECTED, WARPS, congested};

const Q: u64 = 256;
const RESIDENT: u64 = 4;

fn machine(w: u64, d: u64) -> Machine {
    hmm(w, 400, [d, 1, RESIDENT])
}

/// A listing of n × n in tiles of w × w and blocks of 256 threads; one without blocks has as many
/// threads as run at once on the DMMs.
fn case(name: &str, n: u64, w: u64, d: u64) -> Case {
    let case = Case::load(name).unwrap().set("n", n as i64).on(machine(w, d));
    let case = case.threads(d * RESIDENT * Q).unwrap();
    match case.program.first_loop_on_dmms() {
        Some(_) => case.set("t", w as i64).set("q", Q as i64),
        None => case,
    }
}

/// Of the plain transposition, by rows: its other phases do the same in other ways.
fn sample(case: &Case) -> Sample {
    if case.program.name == "transpose" {
        let rows = case.samples().unwrap();
        return rows.into_iter().find(|it| it.phase.as_deref() == Some("row")).unwrap();
    }
    case.sample().unwrap()
}

/// Over d for w = 32, and over w for d = 16.
fn scale(file: &str, names: &[&str], n: u64) {
    let over = |points: Vec<(u64, u64)>| -> Vec<Sample> {
        let of = |name: &&str| -> Vec<Sample> {
            points.iter().map(|&(w, d)| sample(&case(name, n, w, d))).collect()
        };
        names.iter().flat_map(of).collect()
    };
    write(&format!("hmm_{file}_d.csv"), &over(doubling(1, 128, 2).map(|d| (32, d)).collect()));
    write(&format!("hmm_{file}_w.csv"), &over(doubling(4, 128, 2).map(|w| (w, 16)).collect()));
}

#[test]
#[ignore = "writes plots/data"]
fn listings_over_machines() {
    scale("sat", &["sat_2r2w", "sat_2r1w", "sat_1r1w"], 1024);
    let transposes = ["transpose", "transpose_padded", "transpose_diagonal", "transpose_rap"];
    scale("transpose", &transposes, 512);
    scale("opt", &["opt_hmm", "umm_opt"], 2048);
}

/// The writes of random accesses, what theory expects of them, and rows and columns, which are free
/// of conflicts.
#[test]
#[ignore = "writes plots/data"]
fn congestion() {
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
    write("hmm_rap.csv", &rows);
}

/// As many blocks as the largest machine has DMMs.
#[test]
#[ignore = "writes plots/data"]
fn sum() {
    let mut rows = vec![];
    for d in doubling(1, 256, 2) {
        for l in doubling(1, 16_384, 4) {
            let case = Case::load("sum_hmm").unwrap().set("n", 1 << 16).set("b", 256);
            let case = case.set("q", Q as i64).on(hmm(32, l, [d, 1, 1]));
            rows.push(sample(&case.threads(d * Q).unwrap()));
        }
    }
    write("hmm_sum.csv", &rows);
}

/// Nakano 2013, Theorem 3, of a run of `umm_opt`.
fn theorem_three(case: &Case) -> u128 {
    let bounds = CaseCache::default().bounds(case, &case.time().unwrap());
    bounds.iter().find(|it| it.source.ends_with("Theorem 3")).unwrap().value
}

#[test]
#[ignore = "writes plots/data"]
fn opt_over_n() {
    let mut rows = vec![];
    for n in doubling(16, 8192, 2) {
        rows.push(sample(&case("opt_hmm", n, 32, 32)));
        let case = case("umm_opt", n, 32, 32);
        rows.push(Sample { lower_bound: Some(theorem_three(&case) as f64), ..sample(&case) });
    }
    write("hmm_opt_n.csv", &rows);
}

/// Whatever the latency, tiles in shared memory win from n = 3 on, and from there on they take less
/// than Theorem 3 says of any machine that keeps the table in global memory.
#[test]
fn tiles_win_from_three_vertices_on() {
    for l in [1, 10, 400] {
        let at = |name, n| {
            let case = case(name, n, 32, 32);
            case.on(hmm(32, l, [32, 1, RESIDENT]))
        };
        let time = |case: &Case| case.sample().unwrap().time_units.unwrap();
        assert!(time(&at("opt_hmm", 2)) > time(&at("umm_opt", 2)));
        for n in (3..40).chain([64, 100, 256]) {
            assert!(time(&at("opt_hmm", n)) < time(&at("umm_opt", n)), "n = {n}, l = {l}");
        }
    }
    for n in [3, 30, 256, 1000] {
        let of_umm = case("umm_opt", n, 32, 32);
        assert!(sample(&case("opt_hmm", n, 32, 32)).time_units < Some(theorem_three(&of_umm)));
    }
}

/// The page's table of global stages · w² / n³.
#[test]
fn global_stages_of_tiles_are_those_of_the_page() {
    let page = crate::support::page("docs/hmm.md");
    let widths = [8, 16, 32, 64];
    for n in doubling(256, 4096, 2) {
        let cell = |w: u64| {
            let it = sample(&case("opt_hmm", n, w, w));
            let stages = it.stages.unwrap() - it.shared_stages.unwrap();
            let part = stages as f64 * (w * w) as f64 / (n as f64).powi(3);
            format!(" {part:.2} |")
        };
        let row = format!("| {n} |{}", widths.map(cell).concat());
        assert!(page.contains(&row), "docs/hmm.md lacks {row}");
    }
}
