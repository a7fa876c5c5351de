//! Every listing of the library that any machine runs, on random inputs of many sizes.

use memory_machine::algorithms::catalogue::CATALOGUE;
use memory_machine::case::{Case, Inputs};
use memory_machine::language::oblivious::{Origin, first_dependence};
use memory_machine::machine::{MachineKind, Mode};
use memory_machine::run::layout::Arrangement;

use super::on_dmms::run_known;
use super::shipped::machine;

/// The first parameter and its values: n or, of listings that take 2^k of something, k.
fn sizes(case: &Case) -> (String, &'static [i64]) {
    let first = &case.program.parameters[0];
    let sizes: &[i64] = match case.program.name.as_str() {
        // A polygon of one vertex has no cell M[1, n−1].
        name if name.contains("opt") => &[2, 3, 4, 5, 6, 9, 13],
        // 2^k − 1 equations, quarters of h × h.
        "cyclic_reduction" | "strassen" => &[1, 2, 3, 4, 5],
        // A level more takes seven times as long.
        "strassen_recursive" | "matrix_multiply_recursive" => &[0, 1, 2, 3, 4],
        _ if first.default.is_some() => &[0, 1, 2, 3, 4, 5],
        _ => &[1, 2, 3, 4, 6, 9, 13],
    };
    (first.name.clone(), sizes)
}

/// At least 20 inputs each, with few threads and many; and the time without values is the time of the
/// run.
#[test]
fn every_listing_is_right_and_counted() {
    for entry in CATALOGUE {
        let case = Case::load(entry.name).unwrap();
        let (name, sizes) = sizes(&case);
        let seeds = 20_u64.div_ceil(sizes.len() as u64);
        for (&size, at) in sizes.iter().zip(0..) {
            for seed in crate::some(1..=seeds, 8) {
                let mode = if seed % 2 == 0 { Mode::Async } else { Mode::Sync };
                let inputs = Inputs::default().with_seed(seed);
                let threads = [1, 3, 8, 1000][(at + seed as usize) % 4];
                let case = case.clone().set(&name, size).threads(threads).unwrap();
                let case = case.on(machine(MachineKind::Umm, 4, 5));
                run_known(&Case { mode, inputs, ..case }, None);
            }
        }
    }
}

/// (p/w + l − 1)·t for what makes t accesses, Tani et al. 2014.
#[test]
fn oblivious_listings_in_bulk_take_the_papers_time() {
    let (p, w, l) = (8, 4, 5);
    let mut listings = 0;
    for entry in CATALOGUE {
        let case = Case::load(entry.name).unwrap().on(machine(MachineKind::Umm, w, l));
        if case.program.first_parallel_loop().is_some() {
            continue;
        }
        let oblivious = first_dependence(&case.program, Origin::Inputs).is_none();
        listings += u32::from(oblivious);
        let (name, sizes) = sizes(&case);
        for &size in crate::some(&sizes[1..5], 3) {
            let case = case.clone().set(&name, size);
            let alone = run_known(&case, None).0;
            let case = case.threads(p).unwrap();
            run_known(&case.clone().bulk(Arrangement::RowWise), None);
            let bulk = run_known(&case.bulk(Arrangement::ColumnWise), None).0;
            if oblivious {
                let time = u128::from(p / w + l - 1) * alone.accesses;
                assert_eq!(bulk.time_units.0, time, "{}, {name} = {size}", entry.name);
            }
        }
    }
    assert!(listings >= 15, "{listings}");
}
