//! All integration tests, in one binary.

mod architecture;
mod case;
mod chart;
mod cli;
mod codegen;
mod cost;
mod count;
mod docs;
mod errata;
mod explain;
mod gpu;
mod graph;
mod greedy;
mod hull;
mod kernel;
mod language;
mod machine;
mod models;
mod notation;
mod opt;
mod points;
mod polygon;
mod predict;
mod report;
mod run;
mod sass;
mod support;
mod sweep;
mod theory;
mod trace;

use proptest::test_runner::{Config, FileFailurePersistence};

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

/// Whether all is tried that there is to try, as CI does, or what a change has time for.
fn is_thorough() -> bool {
    std::env::var_os("UMM_THOROUGH").is_some()
}

/// All of it if tests are thorough, else one in so many.
fn some<T>(all: impl IntoIterator<Item = T>, one_in: usize) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if is_thorough() { 1 } else { one_in })
}

/// One in so many of what takes minutes, also as CI has it; all of it with `UMM_THOROUGH=all`.
fn few<T>(all: impl IntoIterator<Item = T>, one_in: usize) -> impl Iterator<Item = T> {
    let takes_all = std::env::var("UMM_THOROUGH").is_ok_and(|it| it == "all");
    all.into_iter().step_by(if takes_all { 1 } else { one_in })
}

/// How many of a generator's are tried: all with `UMM_THOROUGH=all`, one in four if tests are thorough, or
/// what a change has time for. They are the same ones each time, so more of them find no more tomorrow.
fn drawn(all: usize, few: usize) -> usize {
    match std::env::var("UMM_THOROUGH").as_deref() {
        Ok("all") => all,
        Ok(_) => all / 4,
        Err(_) => few,
    }
}

/// A number that all of it come to, and what is left to ask of one in so many.
fn share(of_all: usize, one_in: usize) -> usize {
    if is_thorough() { of_all } else { of_all / one_in }
}

/// How often a property is tried: so often if tests are thorough, or as `PROPTEST_CASES` says. What fails
/// is kept in `tests/regressions`, which is committed, and is tried first from then on.
fn cases(thorough: u32) -> Config {
    let kept = FileFailurePersistence::SourceParallel("tests/regressions");
    let mut config = Config { failure_persistence: Some(Box::new(kept)), ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = if is_thorough() { thorough } else { thorough.div_ceil(10) };
    }
    config
}
