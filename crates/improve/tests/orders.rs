//! Steps that are taken because somebody asks for them, exclusive scans, and searches that go on where an
//! earlier one stopped.

mod common;

use std::cell::Cell;
use std::collections::BTreeMap;

use memory_machine_core::language::program::Program;
use memory_machine_core::machine::{Dmms, Machine, MachineKind, Mode};
use memory_machine_core::run::Limits;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::units::{Latency, Threads, Width};
use memory_machine_improve::check::{Certificate, verify};
use memory_machine_improve::memo::Memo;
use memory_machine_improve::search::{Company, Ladder, NamedStep, Reach, SearchError, search};
use memory_machine_improve::time::Setting;

use self::common::{PRODUCT, load, proved, same_at, ways};

/// With every size from none to more than a round.
fn proved_everywhere(rule: &str, text: &str) -> Vec<(String, String)> {
    let all = [1, 2, 5, 8, 9, 31, 33].map(|n| proved(rule, text, n));
    all.into_iter().last().unwrap_or_default()
}

#[test]
fn a_loop_comes_to_be_cut_into_strips() {
    let text = "algorithm sums(n)\ninput a[n, n] : f32\noutput b[n] : f32\n\n\
                for i ← 1 to n-1 do in parallel\n  s ← 0\n  for j ← i to n-1 do\n    \
                s ← s + a[i, j]\n  b[i] ← s\n";
    let found = proved_everywhere("strip-mining", text);
    let has = |it: &str| found.iter().any(|own| own.1.contains(it));
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(has("for I ← 0 to (n - 2) / 32 do in parallel\n  for u ← 0 to 31 do in parallel\n"));
    assert!(has("    if 32 × I + u + 1 < n then\n"), "{found:?}");
    assert!(has("    for u ← 0 to min(8, n - 8 × J - i) - 1 do\n"), "{found:?}");
    // One that leaves something out is none.
    let mut changed = ways("strip-mining", text).remove(0).1.remove(0);
    changed.after = changed.after.replace("/ 32", "/ 33");
    assert!(verify(&changed).is_err());
}

#[test]
fn iterations_come_to_be_written_out() {
    let text = "algorithm sums(n)\ninput a[n, n] : f32\noutput b[n] : f32\n\n\
                for i ← 0 to n-1 do in parallel\n  s ← 0\n  for j ← i to n-1 do\n    \
                s ← s + a[i, j] × a[j, i]\n  b[i] ← s\n";
    let found = proved_everywhere("unrolling", text);
    assert_eq!(found.len(), 3, "{found:?}");
    let own = "  for J ← 0 to max(0, n - 1 - i + 1) / 2 - 1 do\n    \
               s ← s + a[i, i + 2 × J] × a[i + 2 × J, i]\n    \
               s ← s + a[i, i + 2 × J + 1] × a[i + 2 × J + 1, i]\n  \
               for j ← i + 2 × (max(0, n - 1 - i + 1) / 2) to n - 1 do\n";
    assert!(found.iter().any(|it| it.1.contains(own)), "{found:?}");
    // All of a loop of few, and none left over where the number divides it.
    let few = proved("unrolling", &text.replace("j ← i to n-1", "j ← 0 to 3"), 9);
    assert!(few[0].1.contains("s ← s + a[i, 3] × a[3, i]") && !few[0].1.contains("for j"));
    assert!(few[2].1.contains("for J ← 0 to 1 do") && !few[2].1.contains("for j"), "{few:?}");
    for (old, new) in [
        // The variable's own value has its type, which a number in its place may not have.
        ("s + a", "s + f32(j) × a"),
        ("    s ← s", "    if a[i, j] > 2 then break\n    s ← s"),
        // A bound that changes on the way.
        ("to n-1 do\n    s", "to m do\n    m ← j\n    s"),
    ] {
        let text = text.replace("  s ← 0", "  s ← 0\n  m ← n - 1").replace(old, new);
        let is_inner = |it: &(String, Vec<Certificate>)| it.0.contains("`j`");
        assert_eq!(ways("unrolling", &text).into_iter().filter(is_inner).count(), 0, "{new}");
    }
    let mut changed = ways("unrolling", text).remove(0).1.remove(0);
    changed.after = changed.after.replacen("J + 1", "J + 2", 1);
    assert!(verify(&changed).is_err());
}

#[test]
fn rows_of_a_shared_array_come_to_be_turned() {
    let text = include_str!("../../../docs/listings/transpose_unpadded.alg");
    let text = text.replace("shared s[t, t]", "shared s[32, 32]");
    let found = proved("diagonal", &text, 64);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].1.matches(") mod 32] ←").count(), 1, "{}", found[0].1);
    assert_eq!(found[0].1.matches(") mod 32]").count(), 2, "{}", found[0].1);
    assert_eq!(proved("diagonal", &text.replace("[32, 32]", "[32, 33]"), 64), []);
    let mut changed = ways("diagonal", &text).remove(0).1.remove(0);
    changed.after = changed.after.replacen("mod 32", "mod 31", 1);
    let refusal = verify(&changed).expect_err("it is not proved").to_string();
    assert!(refusal.contains("more than the places"), "{refusal}");
}

/// What comes before each, the own one left out: of another array, or in place.
#[test]
fn partial_sums_without_their_last_come_to_a_scan() {
    let head = "algorithm before(n)\ninput a[n] : T\ninout b[n] : T\noutput t[1] : T\n\ns ← b[0]\n\
                for i ← 1 to n-1 do\n";
    let other = "  b[i] ← s\n  s ← s + a[i] × 2\n";
    let in_place = "  x ← b[i]\n  b[i] ← s\n  s ← max(s, x)\n";
    for (body, element) in [(other, "i32"), (other, "u8"), (in_place, "i16")] {
        let text = format!("{head}{body}t[0] ← s\n").replace('T', element);
        let found = [1, 2, 9, 700].map(|n| proved("scan", &text, n));
        let found = found.into_iter().last().unwrap_or_default();
        assert_eq!(found.len(), 2, "{found:?}");
        let wide = text.replace("n-1", "n-1 step 2");
        assert_eq!(ways("scan", &wide).len(), 0);
    }
    // What is joined was stored already, or is asked for elsewhere.
    for (old, new) in [("a[i] × 2", "b[i]"), ("a[i] × 2", "b[0]")] {
        let text = format!("{head}{other}").replace('T', "i32").replace(old, new);
        assert_eq!(ways("scan", &text).len(), 0, "{new}");
    }
    let text = format!("{head}{in_place}").replace('T', "i32");
    let text = text.replace("\nfor", "\nx ← 2\nfor") + "t[0] ← x\n";
    assert_eq!(ways("scan", &text).len(), 0);
    let floats = format!("{head}{other}").replace('T', "f32").replace("× 2", "× 0.5");
    assert!(ways("scan", &floats).iter().all(|it| it.1[0].reassociates()));
}

fn ladder(company: Company<'_>) -> Result<Ladder, SearchError> {
    let (width, latency) = (Width::at_least_one(32), Latency::at_least_one(100));
    let dmms = Dmms { number: 16, resident: 2, ..Dmms::ONE };
    let machine = Machine { kind: MachineKind::hierarchical(dmms), width, latency };
    let values = BTreeMap::from([("n".to_owned(), 24)]);
    let limits = Limits::new(Threads::at_least_one(1024), 1 << 20);
    let given = |_: &Program, _: &Layout| Err("it is oblivious".to_owned());
    let mode = Mode::Sync;
    let setting =
        Setting { values: &values, machine, mode, limits, bulk: None, given: &given, launch: 0 };
    let reach = Reach { steps: 2, beam: 2, reassociates: false, layouts: false, launch: 0 };
    search(&load(PRODUCT), &setting, reach, company)
}

/// Cut anywhere and gone on with, a search finds the same, and asks nothing twice.
#[test]
fn a_search_goes_on_where_it_stopped() {
    let whole = Memo::default();
    let calls = Cell::new(0);
    let seconds = |it: &Program, _| {
        calls.set(calls.get() + 1);
        Some(it.listing.to_string().len() as f64)
    };
    let asked = |memo| Company { predict: Some(&seconds), ..Company::none(memo) };
    let expected = ladder(asked(&whole)).expect("it is found");
    let all = calls.replace(0);
    let memo = Memo::default();
    for most in [1, 4, 9] {
        let tried = Cell::new(0);
        let is_over = || tried.get() >= most;
        let progress = |count| tried.set(count);
        let cut = Company { is_over: &is_over, progress: &progress, ..asked(&memo) };
        assert!(ladder(cut).expect("it is found").is_cut);
    }
    let text = serde_json::to_string(&memo).expect("it is text");
    let memo: Memo = serde_json::from_str(&text).expect("it was written so");
    assert_eq!(ladder(asked(&memo)).expect("it is found"), expected);
    assert_eq!((calls.get(), memo.count()), (all, whole.count()));
    // All is known now.
    calls.set(0);
    assert_eq!(ladder(asked(&memo)).expect("it is found"), expected);
    assert_eq!(calls.get(), 0);
}

#[test]
fn steps_are_taken_in_turn_if_somebody_asks() {
    let memo = Memo::default();
    let named = |rule, form: &str| NamedStep { rule, form: form.to_owned() };
    let rules = ["parallel", "strip-mining", "unrolling"];
    let steps = rules.map(|it| named(it, ""));
    let found = ladder(Company { steps: &steps, ..Company::none(&memo) }).expect("they are taken");
    let taken = found.rungs.iter().filter_map(|it| Some(&*it.step.as_ref()?.certificates[0].rule));
    assert_eq!(taken.collect::<Vec<_>>(), rules);
    for rung in &found.rungs {
        same_at(&load(PRODUCT), &load(&rung.listing), 9);
    }
    // Of several forms that which is named, though another is faster.
    let written = |form: &str| {
        let steps = [named("unrolling", form)];
        ladder(Company { steps: &steps, ..Company::none(&memo) })
    };
    for iterations in [2, 8] {
        let form = format!("write out {iterations} iterations of the loop over k");
        let found = written(&form).expect("it is taken");
        assert_eq!(found.rungs[1].step.as_ref().expect("a step").what.replace('`', ""), form);
    }
    assert!(written("write out 5 iterations of the loop over k").is_err());
    let steps = [named("parallel", ""), named("swizzle", "")];
    let refusal = ladder(Company { steps: &steps, ..Company::none(&memo) });
    let refusal = refusal.expect_err("nothing is shared").to_string();
    assert_eq!(
        refusal,
        "no step `swizzle` is taken: it fits nowhere, or comes out as no listing of this machine"
    );
}
