//! Derived bounds against counted times.

use memory_machine::case::claim::{UnitCost, course};
use memory_machine::case::{Case, CaseCache};
use memory_machine::machine::{MachineKind, Mode};
use memory_machine::run::layout::Arrangement;
use memory_machine::theory::{BoundKind, violations};
use memory_machine::units::{Latency, Threads, Width};
use proptest::prelude::*;
use rayon::prelude::*;

use super::claims::case;
use super::nests;

/// A condition that is no inequality of the halved number says nothing of where it stops.
#[test]
fn a_square_in_a_condition_is_not_taken_for_a_line() {
    let text = "algorithm root(n)\noutput b[n] : f32\n\nh ← n\nwhile h × h + h > 100 do\n\
                \u{20} for i ← 0 to h-1 do in parallel\n    b[i] ← 1\n  h ← h / 2\n";
    let case = Case::parse("root", text).unwrap_or_else(|it| panic!("{it}"));
    let bounded = case.derive(&|_| false);
    assert!(!bounded.derived.missing.is_empty());
    for n in [5, 40, 90, 500] {
        holds(&bounded, &on(&case, n, [64, 4, 5]));
    }
}

/// Loops that are empty by more than one iteration take no time off.
#[test]
fn empty_loops_with_steps_are_no_less_than_nothing() {
    let text = "algorithm empty(n, m)\noutput c[n + 9] : i32\n\nfor i ← 0 to 0 step m do\n\
                \u{20} for j ← 6 to i step 3 do\n    c[j] ← 1\nc[0] ← 1\n";
    let case = Case::parse("empty", text).unwrap_or_else(|it| panic!("{it}"));
    let bounded = case.derive(&|_| false);
    for m in [1, 2, 5] {
        assert!(holds(&bounded, &on(&case.clone().set("m", m), 8, [4, 4, 5])).is_some());
    }
}

/// Threads whose numbers begin apart are not in step with their neighbours.
#[test]
fn loops_of_threads_that_begin_apart_tell_nothing_of_neighbours() {
    for (from, condition, next) in [
        ("i", "k > 0", "k - 1"),
        ("i + 1", "k > 1", "k / 2"),
        ("i + 1", "k < n", "2 × k"),
        ("n", "k > 1", "k / 2"),
    ] {
        for cell in ["i + n × k", "4 × i", "k"] {
            let text = format!(
                "algorithm own(n)\noutput b[9 × n × n + 99] : i32\n\n\
                 for i ← 0 to n-1 do in parallel\n  k ← {from}\n  while {condition} do\n    \
                 b[{cell}] ← 1\n    k ← {next}\n"
            );
            let mut case = Case::parse("own", &text).unwrap_or_else(|it| panic!("{it}"));
            for kind in [MachineKind::Umm, MachineKind::Dmm] {
                case.machine.kind = kind;
                let bounded = case.derive(&|_| true);
                for n in [8, 32, 64] {
                    for machine in [[64, 32, 1], [8, 4, 1], [64, 4, 9]] {
                        holds(&bounded, &on(&case, n, machine));
                    }
                }
            }
        }
    }
}

/// Inputs whose addresses depend on data may meet in a stage.
#[test]
fn rows_of_inputs_meet_where_addresses_depend_on_data() {
    let text = "algorithm meet(n)\ninout a[4 × n] : i32\ninput b[n] : i32 from random(0, 3)\n\n\
                a[b[0]] ← 1\n";
    for kind in [MachineKind::Umm, MachineKind::Dmm] {
        let case = Case::parse("meet", text).unwrap_or_else(|it| panic!("{it}"));
        let mut case = case.bulk(Arrangement::RowWise);
        case.machine.kind = kind;
        let bounded = case.derive(&|_| false);
        for n in [1, 4, 8] {
            for machine in [[8, 4, 1], [16, 8, 3]] {
                holds(&bounded, &on(&case, n, machine));
            }
        }
    }
}

/// Threads that part at a condition on data take the steps of both arms.
#[test]
fn semi_oblivious_listings_have_bounds_in_bulk() {
    let text = "algorithm arms(n)\ninput a[n] : i32\noutput b[n] : i32\n\nfor i ← 0 to n-1 do\n\
                \u{20} if a[i] > 50 then b[i] ← 1 else b[i] ← a[0] + 2\n";
    for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
        let case = Case::parse("arms", text).unwrap_or_else(|it| panic!("{it}")).bulk(arrangement);
        let bounded = case.derive(&|_| false);
        assert!(bounded.derived.missing.is_empty());
        for n in [1, 8, 30] {
            assert!(holds(&bounded, &on(&case, n, [64, 4, 5])).is_some());
        }
    }
}

/// Whether derived bounds hold for a run; its upper bound over its lower one.
pub(super) fn holds(
    bounded: &memory_machine::case::claim::DerivedBounds,
    case: &Case,
) -> Option<f64> {
    let timed = case.time().ok()?;
    let time = timed.total().time_units.0;
    let bounds = bounded.at(case, &timed.layout);
    for bound in &bounds {
        assert!(bound.holds(time), "{case}: {time} {bound:?}\n{}", case.program.source.text);
    }
    let of = |kind| bounds.iter().find(|it| it.kind == kind).map(|it| it.value as f64);
    of(BoundKind::Upper)
        .zip(of(BoundKind::Lower).filter(|it| *it > 0.0))
        .map(|(upper, lower)| upper / lower)
}

pub(super) fn on(case: &Case, n: i64, [p, w, l]: [u64; 3]) -> Case {
    let mut case = case.clone().set("n", n);
    case.threads = Threads::new(p).unwrap();
    case.machine.width = Width::new(w).unwrap();
    case.machine.latency = Latency::new(l).unwrap();
    case
}

/// Shipped listings that are affine: bounds hold for sizes of every kind, and lie within a factor of
/// each other that is 8 at most in the median.
#[test]
fn derived_bounds_hold_for_shipped_listings() {
    let listings = [
        "umm_opt",
        "umm_opt dmm",
        "umm_opt async",
        "sum",
        "sum dmm",
        "sum async",
        "transpose",
        "transpose dmm",
        "matrix_multiply",
        "matrix_multiply dmm",
        "prefix_sums_parallel",
        "prefix_sums_parallel async",
        "sequential_access",
        "opt_tb_sliding",
        "opt_tb_naive",
        "opt_bb_naive",
        "opt_bb_mirroring",
        "dp_opt",
        "opt row",
        "opt column",
        "opt row dmm",
        "prefix_sums row",
        "prefix_sums column",
        "prefix_sums column dmm",
        "permute",
    ];
    let listings: Vec<_> = crate::some(listings, 3).collect();
    let medians: Vec<f64> = listings
        .par_iter()
        .map(|listing| {
            let case = case(listing);
            let bounded = case.derive(&|_| false);
            let mut ratios = vec![];
            for n in [1, 2, 5, 40] {
                for p in [1, 64, 100_000] {
                    for w in [1, 32, 100] {
                        for l in [1, 100] {
                            ratios.extend(holds(&bounded, &on(&case, n, [p, w, l])));
                        }
                    }
                }
            }
            ratios.sort_by(f64::total_cmp);
            let median = ratios[ratios.len() / 2];
            println!("{listing}: {median:.2}");
            median
        })
        .collect();
    let mut sorted = medians;
    sorted.sort_by(f64::total_cmp);
    assert!(sorted[sorted.len() / 2] <= 8.0, "{sorted:?}");
}

/// Rows ask for one word each, neighbouring rows for neighbours: a warp may lie in two address groups.
#[test]
fn rows_of_equal_addresses_turn_inside_warps() {
    let text = "algorithm rows(n)\noutput b[n] : f32\n\nfor i ← 0 to n - 3 do in parallel\n  \
                for j ← 0 to n - i do in parallel\n    b[2 + i] ← 1\n";
    let case = Case::parse("rows", text).unwrap();
    let bounded = case.derive(&|_| true);
    for n in 3..20 {
        for machine in [[25, 3, 1], [7, 2, 5], [100, 32, 3]] {
            holds(&bounded, &on(&case, n, machine));
        }
    }
}

/// Points of a random listing that are held against all bounds that are known of them.
const POINTS: usize = 12;

proptest! {
    #![proptest_config(crate::cases(60))]

    /// All of `umm bounds`, on listings with symbolic steps, loops that halve and count, and addresses and
    /// conditions that depend on data, run in parallel or in bulk.
    #[test]
    fn all_bounds_hold_for_random_listings(
        seed: u64,
        arrangement in prop::option::of(prop::bool::ANY),
        runs in prop::collection::vec(
            ([1..12_i64, 1..5_i64], [1..40_u64, 1..20_u64, 1..30_u64]),
            POINTS,
        ),
        asynchronous: bool,
        dmm: bool,
    ) {
        let text = nests::with_all(seed, arrangement.is_some());
        let mut case = Case::parse("random", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        case.mode = if asynchronous { Mode::Async } else { Mode::Sync };
        case.machine.kind = if dmm { MachineKind::Dmm } else { MachineKind::Umm };
        if let Some(by_rows) = arrangement {
            case = case.bulk(if by_rows { Arrangement::RowWise } else { Arrangement::ColumnWise });
        }
        let known = CaseCache::default();
        for ([n, m], machine) in runs {
            let case = on(&case, n, machine).set("m", m);
            let timed = case.time().unwrap_or_else(|it| panic!("{case}: {it}\n{text}"));
            let broken = violations(&case.program, &timed.counts, &known.bounds(&case, &timed));
            prop_assert!(broken.is_empty(), "{case}: {broken:?}\n{text}");
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(100))]

    /// Bounds that are derived from a random listing hold for all sizes.
    #[test]
    fn derived_bounds_hold_for_random_listings(
        seed: u64,
        runs in prop::collection::vec((1..14_i64, [1..40_u64, 1..20_u64, 1..30_u64]), 6),
        asynchronous: bool,
        dmm: bool,
    ) {
        let text = nests::listing(seed);
        let mut case = Case::parse("random", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        case.mode = if asynchronous { Mode::Async } else { Mode::Sync };
        case.machine.kind = if dmm { MachineKind::Dmm } else { MachineKind::Umm };
        let bounded = case.derive(&|_| true);
        for (n, machine) in runs {
            holds(&bounded, &on(&case, n, machine));
        }
    }
}

/// Every figure of a machine of courses of random listings lies within its bounds, whatever lines and
/// caches are.
#[test]
fn bounds_in_units_hold_for_random_listings() {
    let many = crate::drawn(200, 10);
    let [plain, others]: [fn(u64) -> String; 2] =
        [nests::listing, |seed| nests::with_all(seed, false)];
    let found: usize = (0..many as u64)
        .into_par_iter()
        .map(|seed| {
            let listings = [(plain(seed), 0), (others(seed), 1), (nests::on_dmms(seed), 2)];
            listings.iter().map(|(text, kind)| holds_in_units(text, *kind)).sum::<usize>()
        })
        .sum();
    assert!(found > many * 40, "{found} runs of {many} listings have an upper bound");
}

/// The figures that lie within an upper bound of a listing; of the second kind there is m, of the third
/// loops on DMMs.
fn holds_in_units(text: &str, kind: usize) -> usize {
    use UnitCost as U;
    let case = Case::parse("random", text).unwrap_or_else(|it| panic!("{it}\n{text}"));
    let all = [
        U::Time,
        U::Work,
        U::Span,
        U::Transfers,
        U::Misses,
        U::Blocks,
        U::Chunks,
        U::Supersteps,
        U::LocalWork,
        U::Rounds,
        U::Operations,
        U::Bytes,
    ];
    let mut found = 0;
    for unit in all {
        let bounded = case.derive_in_units(&|_| false, Some(unit));
        if kind == 2 && !matches!(unit, U::Blocks | U::Chunks) {
            assert!(bounded.is_err(), "{text}");
            continue;
        }
        let bounded = bounded.unwrap_or_else(|it| panic!("{it}\n{text}"));
        for (n, p, line, cache) in
            [(3, 2, 4, 16), (9, 64, 8, 1024), (12, 5, 2, 64), (5, 7, 1, 7), (14, 3, 3, 12)]
        {
            let (machine, key) = course(unit, line, cache);
            let run = on(&case, n, [p, 4, 9]);
            let run = if kind == 1 { run.set("m", 1 + n % 4) } else { run };
            let run = run.for_cost(&machine).unwrap();
            let layout = run.layout().unwrap();
            let mut memory = run.memory(&layout).unwrap();
            let Ok(it) = run.cost(&machine, &layout, &mut memory) else { continue };
            let cost = it.cost.count(key).unwrap();
            let bounds = bounded.at(&run, &layout);
            for bound in &bounds {
                assert!(bound.holds(cost), "{run} {key}: {cost} {bound:?}\n{text}");
            }
            found += usize::from(bounds.iter().any(|it| it.kind == BoundKind::Upper));
        }
    }
    found
}
