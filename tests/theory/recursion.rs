//! Listings with recursion: bounds for all sizes, against times of programs that are unfolded for one.

use std::fmt::Write as _;

use chacha20::ChaCha8Rng;
use memory_machine::case::claim::{ClaimVerdict, DerivedBounds, ParsedClaim};
use memory_machine::case::{Case, CaseCache};
use memory_machine::machine::MachineKind;
use memory_machine::run::layout::Arrangement;
use memory_machine::theory::BoundKind;
use memory_machine::units::{Latency, Threads, Width};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};

use super::derivation::holds;

const LISTINGS: &str = include_str!("kinds.txt");

fn parse(text: &str) -> Case {
    Case::parse("recursion", text).unwrap_or_else(|it| panic!("{it}\n{text}"))
}

fn verdict(case: &Case, claim: &str) -> ClaimVerdict {
    let claim = ParsedClaim::parse(claim).unwrap_or_else(|it| panic!("{claim}: {it}"));
    case.verdict(&claim).unwrap_or_else(|it| panic!("{it}")).verdict
}

fn on(case: &Case, size: (&str, i64), [p, w, l]: [u64; 3]) -> Case {
    let mut case = case.clone().set(size.0, size.1);
    case.threads = Threads::new(p).unwrap();
    case.machine.width = Width::new(w).unwrap();
    case.machine.latency = Latency::new(l).unwrap();
    case
}

/// Holds bounds against the times of some sizes and machines; the largest quotient of the two bounds.
fn quotient(bounded: &DerivedBounds, case: &Case, name: &str, sizes: &[i64]) -> f64 {
    let mut most = 0.0_f64;
    for size in sizes {
        for machine in [[1, 1, 1], [64, 4, 5], [8, 32, 100], [1000, 3, 2]] {
            let found = holds(bounded, &on(case, (name, *size), machine));
            most = most.max(found.unwrap_or(0.0));
        }
    }
    most
}

/// Each listing has its claims behind its name, with verdicts, and bounds that hold.
#[test]
fn recursive_listings_are_bounded_for_all_sizes() {
    for listing in LISTINGS.split("== ").skip(1) {
        let (head, text) = listing.split_once('\n').unwrap();
        let Some((name, claims)) = head.split_once(": ") else { continue };
        let parameter = name.split(' ').nth(1).unwrap();
        let case = parse(text);
        for claim in claims.split(", ") {
            let (claim, wanted) = claim.rsplit_once(' ').unwrap();
            let wanted = match wanted {
                "p" => ClaimVerdict::Proved,
                "r" => ClaimVerdict::Refuted,
                _ => ClaimVerdict::Open,
            };
            assert_eq!(verdict(&case, claim.trim_matches('\'')), wanted, "{name}: {claim}");
        }
        let bounded = case.derive(&|_| false);
        let sizes = [1, 2, 3, 4, 5, 6, 7, 9, 12, 13, 16, 17, 31, 33, 64, 100];
        quotient(
            &bounded,
            &case,
            parameter,
            crate::some(&sizes, 5).copied().collect::<Vec<_>>().as_slice(),
        );
        assert_eq!(
            bounded.derived.missing.is_empty(),
            !name.starts_with("nothing_given"),
            "{name}"
        );
    }
}

/// What is divided into powers of two is counted exactly, but for conditions on data.
#[test]
fn shipped_recursions_are_exact() {
    for (name, claim, most) in [
        ("merge_sort", "Θ(k·2^k·l)", 4.0),
        ("transpose_recursive", "Θ(2^(2·k)·l)", 1.0),
        ("matrix_multiply_recursive", "Θ(8^k·l)", 1.0),
        ("fft_recursive", "Θ(k·2^k·l)", 1.0),
        ("strassen_recursive", "Θ(7^k·l)", 1.0),
    ] {
        let case = Case::load(name).unwrap();
        assert_eq!(verdict(&case, claim), ClaimVerdict::Proved, "{name}");
        // What holds for the default alone is not proved.
        assert_eq!(verdict(&case, "k·l"), ClaimVerdict::Refuted, "{name}");
        let bounded = case.derive(&|_| false);
        let sizes = if name.contains("k") { [1, 3, 5] } else { [2, 3, 4] };
        assert!(quotient(&bounded, &case, "k", &[1, 2]) >= 0.0);
        let found = quotient(&bounded, &case, "k", &sizes[1..]);
        assert!(found > 0.0 && found <= most, "{name}: {found}");
    }
}

/// A step of all inputs is one of a thread's.
#[test]
fn recursions_are_bounded_in_bulk() {
    for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
        let case = Case::load("fft_recursive").unwrap().bulk(arrangement);
        let bounded = case.derive(&|_| false);
        assert!(bounded.derived.missing.is_empty());
        for k in [1, 3] {
            for machine in [[64, 4, 5], [7, 8, 1]] {
                holds(&bounded, &on(&case, ("k", k), machine));
            }
        }
    }
}

/// With a value, a listing is bounded for that value.
#[test]
fn a_size_that_is_given_is_a_number() {
    let case = Case::load("merge_sort").unwrap().set("k", 4);
    let bounded = case.derive(&|_| false);
    assert_eq!(bounded.fixed().collect::<Vec<_>>(), [("k", 4)]);
    let timed = case.time().unwrap();
    let bounds = bounded.at(&case, &timed.layout);
    assert!(bounds.iter().any(|it| it.kind == BoundKind::Upper));
}

/// Cases of many sizes share what was derived for all.
#[test]
fn one_derivation_serves_all_sizes() {
    let known = CaseCache::default();
    for k in [1, 3, 4] {
        let case = Case::load("merge_sort").unwrap().set("k", k);
        let bounds = known.bounds(&case, &case.time().unwrap());
        let derived = bounds.iter().filter(|it| it.name == "derived");
        assert_eq!(derived.count(), 2, "k = {k}");
    }
}

/// A procedure that calls itself with parts of what it is given, and does something before and after.
fn random(seed: u64) -> (String, &'static str) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let is_power = rng.random_range(0..2) == 0;
    let (head, extent, name) = match is_power {
        true => ("k = 3", "1 << k", "k"),
        false => ("n = 9", "n", "n"),
    };
    let ends = rng.random_range(1..6);
    let by = if is_power { 2 } else { rng.random_range(2..4) };
    let ends = ends.max(by - 1);
    let mut text = format!(
        "algorithm random({head})\ninout a[{extent}] : i64\nwork b[{extent}] : i64\n\n\
         procedure go(x[m], y[m])\n"
    );
    let work = |text: &mut String, rng: &mut ChaCha8Rng, indent: &str, last: &str| {
        for _ in 0..rng.random_range(0..3) {
            let order = if rng.random_range(0..2) == 0 { "" } else { " in parallel" };
            let first = rng.random_range(0..2);
            let target = ["x[i] ← y[m - 1 - i] + 1", "y[i] ← 1", "x[i / 2] ← y[i]"];
            let target = target[rng.random_range(0..3)];
            match rng.random_range(0..5) {
                0 => writeln!(text, "{indent}x[0] ← y[m - 1]"),
                1 => writeln!(
                    text,
                    "{indent}for j ← 0 to {last} do\n{indent}  for i ← {first} to j do{order}\n{indent}    {target}"
                ),
                2 => writeln!(
                    text,
                    "{indent}for i ← 0 to {last} do{order}\n{indent}  if y[i] > 40 then {target}"
                ),
                _ => writeln!(text, "{indent}for i ← {first} to {last} do{order}\n{indent}  {target}"),
            }
            .unwrap();
        }
    };
    work(&mut text, &mut rng, "  ", "m - 1");
    writeln!(text, "  if m > {ends} then\n    h ← m / {by}").unwrap();
    work(&mut text, &mut rng, "    ", "h - 1");
    let parts: &[&str] = match (by, is_power) {
        (2, false) => &["0 .. h-1", "h .. m-1"],
        (2, true) => &["0 .. h-1", "h .. m-1", "h / 2 .. h / 2 + h - 1"],
        _ => &["0 .. h-1", "h .. 2*h-1", "m-h .. m-1"],
    };
    for _ in 0..rng.random_range(1..4) {
        let part = parts[rng.random_range(0..parts.len())];
        let call = format!("go(x[{part}], y[{part}])");
        match rng.random_range(0..6) {
            0 => writeln!(text, "    if x[0] > 3 then\n      {call}\n    else\n      x[0] ← 4"),
            1 => writeln!(text, "    if x[0] > 3 then\n      {call}\n    else\n      {call}"),
            _ => writeln!(text, "    {call}"),
        }
        .unwrap();
    }
    work(&mut text, &mut rng, "    ", "m - 1");
    if rng.random_range(0..2) == 0 {
        text += "  else\n    x[m - 1] ← 0\n";
        work(&mut text, &mut rng, "    ", "m - 1");
    }
    text += "\nfor i ← 0 to 3 do\n  b[0] ← i\n";
    writeln!(text, "for i ← 0 to {extent} - 1 do in parallel\n  b[i] ← i\ngo(a, b)").unwrap();
    (text, name)
}

proptest! {
    #![proptest_config(crate::cases(40))]

    /// Bounds of a random recursion hold for all sizes.
    #[test]
    fn bounds_hold_for_random_recursions(
        seed: u64,
        runs in prop::collection::vec((1..40_i64, [1..40_u64, 1..20_u64, 1..30_u64]), 5),
        dmm: bool,
    ) {
        let (text, name) = random(seed);
        let mut case = parse(&text);
        case.machine.kind = if dmm { MachineKind::Dmm } else { MachineKind::Umm };
        let bounded = case.derive(&|_| false);
        prop_assert!(bounded.derived.missing.is_empty(), "{:?}\n{text}", bounded.derived.missing);
        for (size, machine) in runs {
            let size = if name == "k" { size % 6 } else { size };
            holds(&bounded, &on(&case, (name, size.max(1)), machine));
        }
    }
}
