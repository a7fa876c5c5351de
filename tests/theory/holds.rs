//! Every bound of every shipped listing, over grids of more than 500 points each, and formulas of them.

use memory_machine::algorithms::catalogue::CATALOGUE;
use memory_machine::theory::growth::terms;
use memory_machine::theory::optimal;

use super::*;

const MACHINES: Machines<'static> = Machines {
    widths: &[1, 3, 4, 32],
    latencies: &[1, 2, 7, 100],
    threads: &[1, 3, 8, 33, 60, 64, 96, 1000],
};

type Sizes = &'static [&'static [(&'static str, i64)]];

/// Those of listings that are in a paper with bounds, `None` for the others.
fn papers_sizes(name: &str) -> Option<Sizes> {
    Some(match name {
        "sequential_access" => &[
            &[("n", 1)],
            &[("n", 65), ("f", 3), ("skip", 5)],
            &[("n", 96)],
            &[("n", 100), ("f", 99)],
            &[("n", 333), ("f", 0)],
        ],
        "lcs" | "transpose" => {
            &[&[("n", 3)], &[("n", 4)], &[("n", 8)], &[("n", 11)], &[("n", 12)], &[("n", 32)]]
        }
        "umm_opt" | "matrix_chain" | "matrix_multiply" => {
            &[&[("n", 3)], &[("n", 4)], &[("n", 8)], &[("n", 11)], &[("n", 12)], &[("n", 16)]]
        }
        name if name.contains("opt") => {
            &[&[("n", 3)], &[("n", 5)], &[("n", 8)], &[("n", 13)], &[("n", 16)]]
        }
        "greedy" => &[&[("n", 1)], &[("n", 2)], &[("n", 5)], &[("n", 7)], &[("n", 9)]],
        "quickhull" => &[&[("n", 1)], &[("n", 3)], &[("n", 16)], &[("n", 33)], &[("n", 64)]],
        "prefix_sums" | "sum" | "prefix_sums_parallel" | "permute" => {
            &[&[("n", 2)], &[("n", 7)], &[("n", 64)], &[("n", 65)], &[("n", 320)]]
        }
        _ => return None,
    })
}

fn sizes(name: &str) -> Sizes {
    papers_sizes(name).unwrap()
}

/// Each listing with its number of points, and of those at which a time is predicted exactly.
#[test]
fn for_listings_of_papers() {
    for entry in CATALOGUE.iter().filter(|it| papers_sizes(it.name).is_some()) {
        let program = shipped(entry.name);
        for kind in [MachineKind::Umm, MachineKind::Dmm] {
            for mode in [Mode::Sync, Mode::Async] {
                let (shipped, sizes) = (Some(entry.name), sizes(entry.name));
                let family =
                    Family { program: &program, shipped, sizes, arrangement: None, kind, mode };
                let judged = judge(&family, &MACHINES);
                let points = judged.len();
                assert!(points >= crate::share(500, 12), "{}: {points} points", entry.name);
                assert!(judged.iter().all(|it| it.has(BoundKind::Lower)), "{}", entry.name);
                let bounded = |it: &Judged| it.has(BoundKind::Upper) || it.has(BoundKind::Exact);
                assert!(judged.iter().all(bounded), "{}", entry.name);
                let exact = judged.iter().filter(|it| it.has(BoundKind::Exact)).count();
                let expected = match entry.name {
                    "sequential_access" | "transpose" | "matrix_multiply" | "greedy" => {
                        mode == Mode::Sync
                    }
                    "prefix_sums" | "opt" | "dp_opt" => true,
                    _ => false,
                };
                assert_eq!(exact > 0, expected, "{} {mode:?}", entry.name);
            }
        }
    }
}

/// Theorem 2 and its corollaries, also where w does not divide p or the arrays' sizes.
#[test]
fn for_bulk_runs() {
    for name in ["prefix_sums", "opt", "dp_opt"] {
        let program = shipped(name);
        for kind in [MachineKind::Umm, MachineKind::Dmm] {
            for mode in [Mode::Sync, Mode::Async] {
                for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
                    let (shipped, arrangement) = (Some(name), Some(arrangement));
                    let sizes = sizes(name);
                    let family =
                        Family { program: &program, shipped, sizes, arrangement, kind, mode };
                    let judged = judge(&family, &MACHINES);
                    assert!(judged.len() >= crate::share(500, 12));
                    let exact = judged.iter().filter(|it| it.has(BoundKind::Exact)).count();
                    assert_eq!(exact > 0, mode == Mode::Sync, "{name}");
                }
            }
        }
    }
}

/// A listing of nobody's: guards, inner loops of different lengths, a sequential part.
#[test]
fn for_a_listing_of_ones_own() {
    let text = "\
algorithm ragged(n)
input a[n, n] : f32
output b[n, n] : f32
output d[n] : f32

first:
  for i ← 0 to n-1 do in parallel
    for j ← 0 to n-1 do in parallel
      if (i + 2×j) mod 3 = 0 then b[j, i] ← a[i, j] else b[j, i] ← a[j, i] + a[i, 0]
second:
  for i ← 0 to n-1 do in parallel
    s ← 0
    for k ← 0 to i do
      s ← s + a[i, k]
    for k ← i to n-1 do
      s ← s + a[k, i]
    d[i] ← s
last:
  for i ← 1 to n-1 do
    d[i] ← d[i] + d[i-1]
";
    let program = load("ragged.alg", text);
    let sizes: Sizes = &[&[("n", 1)], &[("n", 5)], &[("n", 16)], &[("n", 33)]];
    for kind in [MachineKind::Umm, MachineKind::Dmm] {
        for mode in [Mode::Sync, Mode::Async] {
            let family =
                Family { program: &program, shipped: None, sizes, arrangement: None, kind, mode };
            let judged = judge(&family, &MACHINES);
            assert!(judged.len() >= crate::share(500, 12));
            assert!(judged.iter().all(|it| it.counts.len() == 3));
        }
    }
}

/// Table I as formulas against the listing's own accesses.
#[test]
fn table_one_is_what_the_listing_accesses() {
    let program = shipped("umm_opt");
    for n in 2..=32 {
        let layout = layout(&program, &[("n", n)], 1, None);
        let run = Profile::of(&program, &layout, Limits::new(Threads::ONE, WHILE)).unwrap();
        let table = optimal::table_one(&program, n as u64).unwrap();
        assert_eq!(table, run, "n = {n}");
    }
}

/// Terms that a listing's time may grow by.
fn growth(name: &str, bulk: Option<Arrangement>) -> Vec<String> {
    terms(&shipped(name), "n", bulk)
}

#[test]
fn terms_of_growth_of_shipped_listings() {
    let umm_opt = growth("umm_opt", None);
    for term in ["n^3/w", "n^3*l/p", "n*l"] {
        assert!(umm_opt.iter().any(|it| it == term), "{umm_opt:?}");
    }
    assert_eq!(growth("sum", None), ["n/w", "n*l/p", "1*l", "1*log2(n)*l"]);
    let bulk = growth("prefix_sums", Some(Arrangement::RowWise));
    assert_eq!(bulk, ["n*p", "n*l", "1*p", "1*l"]);
}
