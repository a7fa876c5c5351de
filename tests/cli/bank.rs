//! The bank of exercises: what it has, and that exactly right answers are taken.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use memory_machine::case::Case;
use memory_machine::grade::bank::{self, ExerciseKind};
use memory_machine::keyword::Keyword;

use crate::support::{fails, folder, succeeds, umm};

#[test]
fn a_hundred_exercises_on_all_machines_take_their_own_answers() {
    let items = bank::items();
    assert!(items.len() >= 100, "{}", items.len());
    let names: BTreeSet<String> = items.iter().map(bank::Item::name).collect();
    assert_eq!(names.len(), items.len());
    for (_, word, _) in memory_machine::cost::CostKind::WORDS {
        // LogGP is LogP, and MPC's words depend on what a listing holds.
        let is_there = names.iter().any(|it| it.ends_with(&format!("/{word}")));
        assert!(is_there || ["loggp", "mpc"].contains(word), "{word}");
    }
    let seeds = if std::env::var_os("UMM_THOROUGH").is_some() { 0..40 } else { 0..3 };
    for item in &items {
        let mut texts = BTreeSet::new();
        for seed in seeds.clone() {
            let name = item.name();
            let posed = item.pose(seed).unwrap_or_else(|why| panic!("{name}, seed {seed}: {why}"));
            assert_eq!(posed.judge(&posed.answer), None, "{name}, seed {seed}: {}", posed.answer);
            assert!(!posed.hint.is_empty(), "{name}");
            assert_eq!(item.pose(seed).unwrap().text, posed.text);
            for wrong in wrong_answers(item.kind(), &posed) {
                assert!(posed.judge(&wrong).is_some(), "{name}, seed {seed}: {wrong}");
            }
            texts.insert(posed.text);
        }
        let has_numbers =
            !matches!(item.kind(), ExerciseKind::Bound | ExerciseKind::Repair | ExerciseKind::Race);
        assert!(
            !has_numbers || texts.len() > 1 || item.kind() == ExerciseKind::Faster,
            "{}",
            item.name()
        );
    }
}

fn wrong_answers(kind: ExerciseKind, posed: &bank::Exercise) -> Vec<String> {
    let mut wrong = vec![String::new(), "☃".to_owned()];
    match kind {
        ExerciseKind::Bound => wrong.extend(["O(1)", "O(n^9*l^9)"].map(str::to_owned)),
        // How it begins is wrong, or too slow.
        ExerciseKind::Faster | ExerciseKind::Repair => wrong.extend(posed.listing.clone()),
        ExerciseKind::Choose => wrong.push("0".to_owned()),
        _ => wrong.push("999999999".to_owned()),
    }
    wrong
}

/// Whatever is right counts, not only the answer that the bank has.
#[test]
fn other_right_answers_are_taken() {
    let pose = |name: &str| bank::find(name).unwrap().pose(5).unwrap();
    let race = pose("race/neighbour/pram");
    assert_eq!(["line 7", "7", "8"].map(|it| race.judge(it).is_none()), [true; 3]);
    assert!(race.judge("6").is_some());
    let bound = pose("bound/sum/umm");
    assert_eq!(bound.judge("Θ(n/w + n*l/p + l*log2(n))"), None);
    assert_eq!(bound.judge("O(l*log2(n) + n*l/p + 3*n/w)"), None);
    let faster = pose("faster/neighbours/umm");
    let other = "algorithm mine(n)\ninput a[n + 2] : i64\noutput b[n] : i64\nfor k ← 0 to n-1 do in parallel\n  \
                 b[k] ← a[k+2] + (a[k+1] + a[k])\n";
    assert_eq!(faster.judge(other), None);
    let repaired = pose("repair/minimum/umm");
    let table = "algorithm mine(n)\ninput a[n] : i64\noutput m[1] : i64\nm[0] ← 0\n";
    assert!(repaired.judge(table).unwrap().contains("is not what it should be"));
    let endless = "algorithm mine(n)\ninput a[n] : i64\noutput m[1] : i64\nh ← 1\nwhile h > 0 do\n  h ← 1\nm[0] ← 1\n";
    assert!(repaired.judge(endless).is_some());
    // As many threads as are fast enough.
    let choose = pose("choose/sum/umm");
    let setting = choose.setting.unwrap();
    let most = choose.answer.parse::<u64>().unwrap();
    let case = Case::load("sum").unwrap().set("n", setting.n);
    assert!(case.threads(most).is_ok() && choose.judge("1").is_some());
}

#[test]
fn the_bank_is_an_assignment_and_a_bank_of_moodle() {
    let whole = umm(std::path::Path::new("."), "grade --bank").stdout;
    let whole = String::from_utf8(whole).unwrap();
    let items = bank::items();
    assert_eq!(whole.matches("[[exercise]]").count(), items.len());
    let asked = [
        "small/arrangement/umm",
        "small/steps/dmm",
        "conflict/transpose/umm",
        "predict/sum/bsp",
        "repair/copy/umm",
        "bound/sum/umm",
    ];
    let mut text = "title = \"Some\"\nseed = 7\n".to_owned();
    for item in asked {
        assert!(whole.contains(item), "{item}");
        write!(text, "[[exercise]]\nitem = \"{item}\"\npoints = 2\n").unwrap();
    }
    let folder = folder(&[("whole.toml", &whole), ("some.toml", &text)]);
    let statement = succeeds(folder.path(), "grade some.toml --student ada");
    assert!(statement.contains("small/steps/dmm (2 points): On a synchronous DMM"), "{statement}");
    let seed = bank::own_seed(7, "Some", "ada");
    let mut answers = String::new();
    for item in asked {
        let posed = bank::find(item).unwrap().pose(seed).unwrap();
        assert!(statement.contains(&posed.text), "{item}");
        match posed.asks_for_a_listing() {
            true => write!(answers, "{item} = \"\"\"\n{}\"\"\"\n", posed.answer).unwrap(),
            false => writeln!(answers, "{item} = {}", posed.answer).unwrap(),
        }
    }
    fs::write(folder.path().join("ada.txt"), answers).unwrap();
    let marks = succeeds(folder.path(), "grade some.toml ada.txt");
    assert!(marks.starts_with("ada.txt: 12 of 12 points"), "{marks}");
    let moodle = succeeds(folder.path(), "grade some.toml --format moodle --variants 3");
    let moodle = roxmltree::Document::parse(&moodle).unwrap();
    let kinds: Vec<&str> = { moodle.root_element().children() }
        .filter_map(|it| it.attribute("type"))
        .filter(|it| *it != "category")
        .collect();
    for kind in ["numerical", "shortanswer", "essay"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    fs::write(folder.path().join("bad.toml"), text.replace("sum/bsp", "sum/nosuch")).unwrap();
    let message = fails(folder.path(), "grade bad.toml ada.txt");
    assert!(message.contains("bad.toml:") && message.contains("umm grade --bank"), "{message}");
}
