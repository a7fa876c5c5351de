//! All integration tests, in one binary.

mod case;
mod chart;
mod cli;
mod command;
mod count;
mod cuda;
mod docs;
mod errata;
mod explain;
mod fidelity;
mod graph;
mod greedy;
mod house;
mod hull;
mod language;
mod machine;
mod models;
mod opt;
mod points;
mod polygon;
mod report;
mod run;
mod sass;
mod sweep;
mod theory;
mod trace;

/// The listings of the papers that any machine runs.
const PAPERS: [&str; 18] = [
    "sequential_access",
    "prefix_sums",
    "opt",
    "dp_opt",
    "umm_opt",
    "opt_tb_naive",
    "opt_tb_sliding",
    "opt_bb_naive",
    "opt_bb_mirroring",
    "matrix_chain",
    "lcs",
    "sum",
    "prefix_sums_parallel",
    "transpose",
    "permute",
    "matrix_multiply",
    "greedy",
    "quickhull",
];

/// How often a property is tried: as often as a test run has time for, or as `PROPTEST_CASES` says.
fn cases(usual: u32) -> proptest::test_runner::Config {
    let mut config = proptest::test_runner::Config::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = usual;
    }
    config
}
