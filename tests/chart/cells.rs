//! Which cells a loop reads and writes: Figures 10 to 12 of Nakano (2013) from runs of the listing.

use std::collections::BTreeMap;

use memory_machine::case::Case;
use memory_machine::run::cells::{Cells, Use};
use memory_machine::trace::Phase;

const READ: Use = Use { read: true, written: false };
const UPDATED: Use = Use { read: true, written: true };

type Table = BTreeMap<(i64, i64), Use>;

/// The cells of M and of b that stage r uses.
fn used(n: i64, r: i64, phases: &[&str], i: Option<i64>) -> (Table, Vec<i64>) {
    let case = Case::load("umm_opt").unwrap().set("n", n).of_pram();
    let program = &*case.program;
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let phase = |name: &&str| program.phases.iter().position(|it| it == name).unwrap() as u32;
    let phases: Vec<Phase> = phases.iter().map(|it| Phase(phase(it))).collect();
    let mut cells = Cells::new(program, &layout, &phases, r as u64, i.map(|it| ("i", it)));
    case.execute(&layout, &mut memory, &mut cells).unwrap();
    let of = |name: &str| {
        let id = program.array_named(name).unwrap();
        cells.uses.iter().filter(move |it| it.0.0 == id).map(|(it, used)| (it.1 as i64, *used))
    };
    assert!(of("b").all(|it| it.1 == READ) && of("c").next().is_none());
    (
        of("M").map(|(cell, used)| ((cell / n, cell % n), used)).collect(),
        of("b").map(|it| it.0).collect(),
    )
}

#[test]
fn figures_10_to_12_of_nakano() {
    for n in [5, 12, 13] {
        for r in 1..=n - 2 {
            // Figure 10: diagonals r to 2r − 1 from those before r; of these, cells of which no sum
            // is left out.
            let (found, _) = used(n, r, &["D", "E"], None);
            for i in 1..n {
                for j in i..n {
                    let updated = (r..2 * r).contains(&(j - i));
                    let is_used = found.get(&(i, j)).copied();
                    assert_eq!(is_used == Some(UPDATED), updated, "n = {n}, r = {r}: {i}, {j}");
                    assert!(updated || is_used.is_none_or(|it| it == READ && j - i < r));
                }
            }
            for i in 1..n - r {
                let last = (n - 1).min(i + 2 * r - 1);
                let row = (i + r..=last).map(|j| ((i, j), UPDATED));
                // Figure 11: row i from its cell of diagonal r − 1 and row i + r.
                let (found, b) = used(n, r, &["D"], Some(i));
                let below = (i + r..=last).map(|j| ((i + r, j), READ));
                let expected = row.clone().chain([((i, i + r - 1), READ)]).chain(below);
                assert_eq!((found, b), (expected.collect(), vec![]), "n = {n}, r = {r}, i = {i}");
                // Figure 12: row i from its cells before, and diagonal r − 1, which b has.
                let (found, b) = used(n, r, &["E"], Some(i));
                let before = (i + r..=last).map(|j| ((i, j - r), READ));
                let diagonal = (i + r..=last).map(|j| j - r + 1).collect();
                assert_eq!((found, b), (row.chain(before).collect(), diagonal));
            }
        }
    }
}
