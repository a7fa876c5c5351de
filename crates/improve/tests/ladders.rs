//! From textbook listings to what is known to be better: which steps are found, and which are refused.

mod common;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use memory_machine_core::language::program::Program;
use memory_machine_core::machine::{Dmms, Machine, MachineKind, Mode};
use memory_machine_core::run::Limits;
use memory_machine_core::run::layout::{Arrangement, Layout};
use memory_machine_core::units::{Latency, Threads, Width};
use memory_machine_improve::check::verify;
use memory_machine_improve::memo::Memo;
use memory_machine_improve::search::{Company, Ladder, Reach, search};
use memory_machine_improve::time::Setting;

use self::common::{PRODUCT, load, proved, same_at};

struct Place {
    n: i64,
    has_dmms: bool,
    bulk: Option<Arrangement>,
    reassociates: bool,
    layouts: bool,
}

const UMM: Place =
    Place { n: 32, has_dmms: false, bulk: None, reassociates: false, layouts: false };
const HMM: Place = Place { n: 48, has_dmms: true, ..UMM };

fn ladder(text: &str, place: &Place) -> Ladder {
    let program = load(text);
    let (width, latency) = (Width::at_least_one(32), Latency::at_least_one(100));
    let dmms = Dmms { number: 16, resident: 2, ..Dmms::ONE };
    let machine = match place.has_dmms {
        true => Machine { kind: MachineKind::hierarchical(dmms), width, latency },
        false => Machine::umm(width, latency),
    };
    let values = BTreeMap::from([("n".to_owned(), place.n)]);
    let limits = Limits::new(Threads::at_least_one(1024), 1 << 20);
    let given = |_: &Program, _: &Layout| Err("it is oblivious".to_owned());
    let (mode, bulk) = (Mode::Sync, place.bulk);
    let setting =
        Setting { values: &values, machine, mode, limits, bulk, given: &given, launch: 0 };
    let reach = Reach {
        steps: 3,
        beam: 2,
        reassociates: place.reassociates,
        layouts: place.layouts,
        launch: 0,
    };
    let ladder = search(&program, &setting, reach, Company::none(&Memo::default()))
        .unwrap_or_else(|it| panic!("{it}"));
    for step in ladder.rungs.iter().filter_map(|it| it.step.as_ref()) {
        assert!(step.runs > 0, "{step:?}");
        for certificate in &step.certificates {
            assert_eq!(verify(certificate), Ok(()), "{certificate:?}");
        }
    }
    for pair in ladder.rungs.windows(2) {
        assert!(pair[0].listing != pair[1].listing || pair[0].bulk != pair[1].bulk);
    }
    ladder
}

/// The rules of the steps, and the last listing.
fn rules(ladder: &Ladder) -> (Vec<&str>, &str) {
    let steps = ladder.rungs.iter().filter_map(|it| it.step.as_ref());
    let rules = steps.map(|it| it.certificates[0].rule.as_str()).collect();
    (rules, ladder.rungs.last().map_or("", |it| &it.listing))
}

/// By how much the last rung is faster than the first.
fn gain(ladder: &Ladder) -> u128 {
    let time =
        |it: Option<&memory_machine_improve::search::Rung>| it.map_or(1, |it| it.time.time_units);
    time(ladder.rungs.first()) / time(ladder.rungs.last())
}

#[test]
fn a_product_comes_to_tiles_in_shared_memory() {
    let ladder = ladder(PRODUCT, &HMM);
    let (rules, listing) = rules(&ladder);
    assert_eq!(rules, ["parallel", "tile"]);
    for part in ["shared a_tile[", "shared b_tile[", "register s : f32"] {
        assert!(listing.contains(part), "{listing}");
    }
    assert!(gain(&ladder) > 1000, "{}", gain(&ladder));
}

#[test]
fn a_transpose_comes_to_padded_tiles() {
    for cell in ["b[i, j] ← a[j, i]", "b[j, i] ← a[i, j]"] {
        let text = format!(
            "algorithm turn(n)\ninput a[n, n] : f32\noutput b[n, n] : f32\n\n\
             for i ← 0 to n-1 do\n  for j ← 0 to n-1 do\n    {cell}\n"
        );
        let ladder = ladder(&text, &HMM);
        let (rules, listing) = rules(&ladder);
        assert_eq!(rules, ["parallel", "tile"], "{listing}");
        assert!(listing.contains("shared a_tile["), "{listing}");
    }
}

#[test]
fn a_matrix_times_a_vector_comes_to_tiles_in_both_orientations() {
    for cell in ["a[i, j]", "a[j, i]"] {
        let text = format!(
            "algorithm times(n)\ninput a[n, n] : f32\ninput x[n] : f32\noutput y[n] : f32\n\n\
             for i ← 0 to n-1 do\n  s ← 0\n  for j ← 0 to n-1 do\n    s ← s + {cell} × x[j]\n  y[i] ← s\n"
        );
        let ladder = ladder(&text, &HMM);
        let (rules, listing) = rules(&ladder);
        assert_eq!(rules, ["parallel", "tile"], "{listing}");
    }
}

#[test]
fn a_sum_comes_to_a_tree_where_the_order_may_change() {
    let text = |element: &str| {
        format!(
            "algorithm total(n)\ninput a[n] : {element}\noutput t[1] : {element}\n\n\
             s ← 0\nfor i ← 0 to n-1 do\n  s ← s + a[i]\nt[0] ← s\n"
        )
    };
    let large = Place { n: 4096, ..HMM };
    let found = ladder(&text("i32"), &large);
    assert_eq!(rules(&found).0, ["reduction"]);
    same_at(&load(&text("i32")), &load(rules(&found).1), 9000);
    // The last block stores the sum, so that nothing is left for one thread of the machine.
    let all = proved("reduction", &text("i32"), 9000);
    let on_dmms: Vec<_> = all.iter().filter(|it| it.0.contains("on DMMs")).collect();
    assert_eq!(on_dmms.len(), 6);
    let end = "  own ← s + part_all[0]\n  t[0] ← own\n";
    assert!(on_dmms.iter().all(|it| it.1.ends_with(end)), "{}", on_dmms[0].1);
    // Not if somebody asks for the scalar afterwards.
    let asked = text("i32") + "t[0] ← t[0] + s\nif s > 3 then t[0] ← 1\n";
    let all = proved("reduction", &asked, 900);
    assert!(all.iter().all(|it| it.1.contains("\ns ← s + part[0]\n")), "{}", all[3].1);
    let refused = ladder(&text("f32"), &large);
    assert_eq!(rules(&refused).0, [""; 0]);
    assert!(refused.refused[0].reason.contains("--reassociate"), "{:?}", refused.refused);
    let allowed = Place { reassociates: true, ..large };
    let ladder = ladder(&text("f32"), &allowed);
    assert_eq!(rules(&ladder).0, ["reduction"]);
    assert!(ladder.rungs[1].step.as_ref().is_some_and(|it| it.why.contains("γₙ")));
}

#[test]
fn prefix_sums_come_to_a_scan_by_blocks() {
    let text = |element: &str, from: &str| {
        format!(
            "algorithm sums(n)\ninput a[n] : {element}\ninout b[n] : {element}\n\noutput t[1] : {element}\n\n\
             r ← b[0]\nfor i ← {from} to n-1 do\n  r ← r + a[i] × b[i]\n  b[i] ← r\nt[0] ← r\n"
        )
    };
    let large = Place { n: 9000, ..HMM };
    for from in ["0", "3"] {
        let found = ladder(&text("i32", from), &large);
        assert_eq!(rules(&found).0, ["scan"], "{}", rules(&found).1);
        same_at(&load(&text("i32", from)), &load(rules(&found).1), 9000);
    }
    // A sum that nobody asks for is not read back, since no host could.
    let alone = text("i32", "0").replace("t[0] ← r\n", "");
    let found = proved("scan", &alone, 9000);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|it| !it.1.contains("if 0 ≤")), "{}", found[0].1);
    let refused = ladder(&text("f32", "0"), &large);
    assert_eq!(rules(&refused).0, [""; 0]);
    let allowed = Place { reassociates: true, ..large };
    assert_eq!(rules(&ladder(&text("f32", "0"), &allowed)).0, ["scan"]);
    // Another cell of the array that is stored, or of the scalar: no scan.
    for other in ["b[n - 1 - i]", "r"] {
        let text = text("i32", "1").replace("× b[i]", &format!("× {other}"));
        assert_eq!(rules(&ladder(&text, &large)).0, [""; 0], "{other}");
    }
}

#[test]
fn a_common_subsequence_comes_to_a_wavefront() {
    let text = "\
algorithm common(n)
input a[n] : i32
input b[n] : i32
inout L[n+1, n+1] : i32

for i ← 1 to n do
  for j ← 1 to n do
    e ← if a[i-1] = b[j-1] then 1 else 0
    L[i, j] ← max(L[i-1, j], L[i, j-1], L[i-1, j-1] + e)
";
    let ladder = ladder(text, &UMM);
    assert_eq!(rules(&ladder).0, ["wavefront"]);
    let reasons: Vec<&str> = ladder.refused.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(reasons, ["line 9: a later iteration needs a cell of `L` first"]);
}

#[test]
fn the_inner_loops_of_shortest_paths_come_to_be_parallel() {
    let text = "\
algorithm paths(n)
inout d[n, n] : i32

for k ← 0 to n-1 do
  for i ← 0 to n-1 do
    for j ← 0 to n-1 do
      if i ≠ k and j ≠ k then
        d[i, j] ← min(d[i, j], d[i, k] + d[k, j])
";
    let guarded = ladder(text, &UMM);
    assert_eq!(rules(&guarded).0, ["parallel"]);
    assert!(rules(&guarded).1.contains("for k ← 0 to n - 1 do\n"), "{}", rules(&guarded).1);
    // Without the guard row k and column k are read and written in one round: by diagonals alone each
    // still comes after what it needs.
    let text = text.replace("      if i ≠ k and j ≠ k then\n  ", "");
    let bare = ladder(&text, &UMM);
    assert_eq!(rules(&bare).0, ["wavefront"], "{}", rules(&bare).1);
    let refused = |it: &&str| bare.refused.iter().any(|other| other.reason == **it);
    assert!(refused(&"line 7: a later iteration needs a cell of `d` first"), "{:?}", bare.refused);
}

#[test]
fn the_diagonals_of_optimal_triangulations_come_to_be_parallel() {
    let text = "\
algorithm opt(n)
inout M[n, n] : f32
input c[n, n] : f32

for i ← n-2 downto 1 do
  for j ← i+1 to n-1 do
    s ← +∞
    for k ← i to j-1 do
      r ← M[i, k] + M[k+1, j]
      if r < s then s ← r else s ← s
    M[i, j] ← s + c[i-1, j]
";
    let ladder = ladder(text, &UMM);
    assert_eq!(rules(&ladder).0, ["wavefront"]);
    assert!(rules(&ladder).1.contains("for d ← 1 to n - 2 do\n"), "{}", rules(&ladder).1);
}

/// Where seconds are predicted they decide, and not exact time.
#[test]
fn predicted_seconds_decide_where_they_are_known() {
    let text = "algorithm turn(n)\ninput a[n, n] : f32\noutput b[n, n] : f32\n\n\
                for i ← 0 to n-1 do\n  for j ← 0 to n-1 do\n    b[i, j] ← a[j, i]\n";
    let values = BTreeMap::from([("n".to_owned(), 32)]);
    let limits = Limits::new(Threads::at_least_one(1024), 1 << 20);
    let given = |_: &Program, _: &Layout| Err("it is oblivious".to_owned());
    let machine = Machine::umm(Width::at_least_one(32), Latency::at_least_one(100));
    let mode = Mode::Sync;
    let setting =
        Setting { values: &values, machine, mode, limits, bulk: None, given: &given, launch: 0 };
    let reach = Reach { steps: 1, beam: 2, reassociates: false, layouts: false, launch: 0 };
    let last = |predict: Option<memory_machine_improve::search::Predict<'_>>| {
        let memo = Memo::default();
        let company = Company { predict, ..Company::none(&memo) };
        let found = search(&load(text), &setting, reach, company);
        found.unwrap_or_else(|it| panic!("{it}")).rungs.last().map(|it| it.listing.clone())
    };
    // A machine that likes one parallel loop, and no nest of two.
    let likes = |it: &Program, _| {
        let text = it.listing.to_string();
        Some(if text.matches("in parallel").count() == 1 { 1.0 } else { 2.0 })
    };
    let count = |it: Option<String>| it.unwrap_or_default().matches("in parallel").count();
    assert_eq!(count(last(None)), 2);
    assert_eq!(count(last(Some(&likes))), 1);
}

/// When time is up one prediction more may be made, and the best so far is the result.
#[test]
fn predictions_end_with_the_budget() {
    let values = BTreeMap::from([("n".to_owned(), 16)]);
    let limits = Limits::new(Threads::at_least_one(1024), 1 << 20);
    let given = |_: &Program, _: &Layout| Err("it is oblivious".to_owned());
    let dmms = Dmms { number: 16, resident: 2, ..Dmms::ONE };
    let (width, latency) = (Width::at_least_one(32), Latency::at_least_one(100));
    let machine = Machine { kind: MachineKind::hierarchical(dmms), width, latency };
    let mode = Mode::Sync;
    let setting =
        Setting { values: &values, machine, mode, limits, bulk: None, given: &given, launch: 0 };
    let budget = Duration::from_millis(400);
    let reach = Reach { steps: 9, beam: 9, reassociates: false, layouts: false, launch: 0 };
    let start = Instant::now();
    let is_over = || start.elapsed() > budget;
    let late = std::cell::RefCell::new((0, None::<Instant>));
    // Each listing is predicted to be faster than the one before.
    let slow = |_: &Program, _| {
        let mut late = late.borrow_mut();
        let begin = *late.1.get_or_insert_with(Instant::now);
        late.0 += usize::from(begin.elapsed() > budget);
        std::thread::sleep(Duration::from_millis(60));
        Some(1.0 / begin.elapsed().as_secs_f64())
    };
    let memo = Memo::default();
    let company = Company { is_over: &is_over, predict: Some(&slow), ..Company::none(&memo) };
    let found = search(&load(PRODUCT), &setting, reach, company);
    let found = found.unwrap_or_else(|it| panic!("{it}"));
    assert!(found.is_cut && (found.rungs.len() > 1 || found.tried == 0), "{found:?}");
    assert!(late.borrow().0 <= 1, "{late:?}");
}

#[test]
fn a_bulk_run_comes_to_columns() {
    let text = "algorithm sums(n)\ninout b[n] : f32\n\nr ← 0\nfor i ← 0 to n-1 do\n  r ← r + b[i]\n  b[i] ← r\n";
    let row = Place { bulk: Some(Arrangement::RowWise), ..UMM };
    let ladder = ladder(text, &row);
    assert_eq!(rules(&ladder).0, ["arrangement"]);
    assert_eq!(ladder.rungs[1].bulk, Some("column"));
}

#[test]
fn a_cell_comes_to_be_held_in_a_scalar() {
    let text = PRODUCT
        .replace("    s ← 0\n", "    c[i, j] ← 0\n")
        .replace("      s ← s +", "      c[i, j] ← c[i, j] +")
        .replace("    c[i, j] ← s\n", "");
    let ladder = ladder(&text, &UMM);
    assert!(rules(&ladder).0.contains(&"promotion"), "{:?}", rules(&ladder));
}

/// An index that depends on data may be any, so that nothing is moved past it.
#[test]
fn what_depends_on_data_stays() {
    let text = "\
algorithm scatter(n)
input p[n] : i32
inout a[n] : i32

for i ← 0 to n-1 do
  a[p[i] mod n] ← i
";
    let program = load(text);
    let listing = program.listing.to_string();
    let after = listing.replace("n - 1 do", "n - 1 do in parallel");
    let certificate = memory_machine_improve::check::Certificate {
        rule: "parallel".to_owned(),
        before: listing,
        after,
        proof: memory_machine_improve::check::Proof::Schedule(Default::default()),
    };
    let refusal = verify(&certificate).expect_err("it is not proved");
    assert_eq!(refusal.line, Some(6));
    assert!(refusal.message.contains("depends on data"), "{refusal}");
}

const NORMALIZATION: &str = "\
algorithm normalize(n)
input x[n, n] : i32
output y[n, n] : i32

for i ← 0 to n-1 do
  s ← 0
  for j ← 0 to n-1 do
    s ← s + x[i, j]
  v ← 0
  for j ← 0 to n-1 do
    v ← v + (n × x[i, j] - s) × (n × x[i, j] - s)
  for j ← 0 to n-1 do
    y[i, j] ← (n × x[i, j] - s) × n / (v + 1)
";

#[test]
fn a_normalization_comes_to_a_block_a_row() {
    let text = NORMALIZATION.replacen("n-1 do", "n-1 do in parallel", 1);
    assert_eq!(proved("block", &text, 70).len(), 3);
    let found = ladder(NORMALIZATION, &HMM);
    assert_eq!(rules(&found).0, ["parallel", "block"], "{}", rules(&found).1);
}
