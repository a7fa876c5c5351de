//! What docs/hmm.md says of listings on DMMs.

use memory_machine::case::Case;

use crate::support::on_dmms::{RESIDENT, case, machine, sample, theorem_three};
use crate::support::page;

/// Whatever the latency, tiles in shared memory win from n = 3 on, and from there on they take less
/// than Theorem 3 says of any machine that keeps the table in global memory.
#[test]
fn tiles_win_from_three_vertices_on() {
    for l in [1, 10, 400] {
        let at = |name, n| {
            let case = case(name, n, 32, 32);
            case.on(machine(32, l, 32, RESIDENT))
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
    let page = page("docs/hmm.md");
    let widths = [8, 16, 32, 64];
    for n in crate::some([256, 512, 1024, 2048, 4096], 3) {
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
