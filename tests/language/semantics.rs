//! What statements do: arithmetic, races, and where they look at memory's values.

use memory_machine::language::oblivious::{Origin, first_dependence};
use memory_machine::run::pram::{Pram, PramClass};

use super::statements::{execution, load, output, refused};

#[test]
fn powers_group_to_the_right_and_before_signs() {
    assert_eq!(
        output("o[0] ← 2^3^2\no[1] ← -2^2\no[2] ← 2^-1.0\no[3] ← 2 × 3^2")[..4],
        [512.0, -4.0, 0.5, 18.0]
    );
}

#[test]
fn arithmetic_is_as_the_page_says() {
    for (expression, wanted) in [
        ("7 / 2", 3.0),
        ("-7 / 2", -4.0),
        ("7 / -2", -4.0),
        ("-7 mod 2", 1.0),
        ("7 mod -2", -1.0),
        ("-7 mod 3 + 0", 2.0),
        ("7.0 / 2", 3.5),
        ("2 + 3 × 4", 14.0),
        ("10 - 3 - 2", 5.0),
        ("1 << 3 | 1", 9.0),
        ("6 & 3 xor 1", 3.0),
        ("-8 >> 1", -4.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1.5)", 3.0),
        ("abs(-3)", 3.0),
        ("sqrt(2.25)", 1.5),
        ("if not 1 = 2 and 2 < 3 then 1 else 0", 1.0),
        ("if true or 1 / 0 = 1 then 1 else 0", 1.0),
        ("if false and 1 / 0 = 1 then 1 else 0", 0.0),
        ("~0", -1.0),
        ("⌊7 / 2⌋", 3.0),
        ("⌈7 / 2⌉", 4.0),
        ("⌈-7 / 2⌉", -3.0),
        ("⌈(n + 2) / 3⌉ + ⌈n⌉", 6.0),
        ("if ¬ (1 == 2) ∧ 2 <> 3 ∨ false then 1 else 0", 1.0),
        ("i64(2.9)", 2.0),
        ("i32(x[0] + 2147483647 + 1)", -2147483648.0),
        ("i64(u[0] - 1)", 4294967295.0),
    ] {
        let filled = format!("for i ← 0 to 3 do o[i] ← f32({expression})");
        assert_eq!(output(&filled)[0], wanted as f32, "{expression}");
    }
}

fn pram(statements: &str) -> (PramClass, usize) {
    let program = load(statements).unwrap();
    let mut pram = Pram::new(&program);
    execution(statements, &mut pram, &program);
    let (class, races) = pram.finish();
    (class, races.len())
}

#[test]
fn pram_classes_and_races() {
    let one = "for i ← 0 to n-1 do in parallel\n  ";
    let two = "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    ";
    for (statement, class, races) in [
        (format!("{one}o[i] ← a[i]"), PramClass::Erew, 0),
        (format!("{one}o[i] ← a[n-1-i]"), PramClass::Erew, 0),
        (format!("{one}o[i] ← a[0]"), PramClass::Crew, 0),
        (format!("{one}o[0] ← 1"), PramClass::CrcwCommon, 0),
        (format!("{one}o[0] ← i"), PramClass::CrcwArbitrary, 0),
        (format!("{two}o[i] ← j"), PramClass::CrcwArbitrary, 0),
        (format!("{two}o[i] ← i"), PramClass::CrcwCommon, 0),
        (format!("{one}a[i] ← a[i] + 1"), PramClass::Erew, 0),
        (format!("{one}a[i] ← a[(i+1) mod n]"), PramClass::Erew, 1),
        (format!("{one}if i > 0 then a[i] ← a[i-1]"), PramClass::Erew, 1),
        (format!("{one}a[0] ← a[0] + 1"), PramClass::CrcwCommon, 1),
        (format!("{one}if i = 0 then o[0] ← 1 else o[i - i/3 - 1] ← 2"), PramClass::CrcwCommon, 1),
        ("for i ← 0 to n-1 do\n  a[0] ← a[0] + 1".to_owned(), PramClass::Erew, 0),
    ] {
        let (found, count) = pram(&statement);
        assert_eq!(count, races, "{statement}");
        if races == 0 {
            assert_eq!(found, class, "{statement}");
        }
    }
}

#[test]
fn a_race_names_both_iterations() {
    let statements = "for i ← 0 to n-2 do in parallel\n  a[i] ← a[i+1]";
    let program = load(statements).unwrap();
    let mut pram = Pram::new(&program);
    execution(statements, &mut pram, &program);
    let (_, races) = pram.finish();
    let [race] = races.as_slice() else { panic!("{races:?}") };
    let iterations: Vec<_> = race.accesses.iter().map(|it| it.iteration[0].clone()).collect();
    let [(_, writer), (_, reader)] = iterations.as_slice() else { panic!() };
    assert_eq!((*writer, race.address), (reader + 1, *writer as u64));
}

#[test]
fn obliviousness() {
    for statements in [
        "r ← a[0]\nif r < a[1] then r ← a[1]\no[0] ← r".replace("then r ← a[1]", "then r ← 2"),
        "s ← 0\nif a[0] < 1 then s ← 1 else s ← 2\no[0] ← s".to_owned(),
        "o[0] ← if a[0] < 1 then 2 else 3".to_owned(),
        "s ← y[0]\ns ← 1\no[s] ← 1".to_owned(),
        "for i ← 0 to n-1 do\n  if i mod 2 = 0 then o[i] ← a[i]".to_owned(),
        "if n > 3 and a[0] < 1 then s ← 1".to_owned(),
        "o[0] ← 1\no[1] ← o[0]".to_owned(),
        "o[0] ← 1\nfor i ← 0 to i64(o[0]) do o[i] ← 1".to_owned(),
        "s ← y[0]\nwhile s > 0 do s ← s - 1".to_owned(),
    ] {
        let program = load(&statements).unwrap_or_else(|error| panic!("{error}\n{statements}"));
        assert_eq!(first_dependence(&program, Origin::Inputs), None, "{statements}");
    }
    for (statements, what) in [
        ("while a[0] > 0 do a[0] ← a[0] - 1", "whether `a` is accessed"),
        ("o[y[0]] ← 1", "the address of `o`"),
        ("o[0] ← a[y[0]]", "the address of `a`"),
        ("for i ← 0 to y[0] do o[i] ← 1", "the address of `o`"),
        ("for i ← 0 to y[0] do o[0] ← 1", "whether `o` is accessed"),
        ("for i ← 0 to 3 step y[0] do o[0] ← 1", "whether `o` is accessed"),
        ("for i ← 0 to y[0] do in parallel\n  o[0] ← 1", "whether `o` is accessed"),
        ("s ← 0\nif q[0] and a[0] < 1 then s ← 1", "whether `a` is accessed"),
        ("s ← 0\nif q[0] or a[0] < 1 then s ← 1", "whether `a` is accessed"),
        ("s ← if q[0] then a[0] else 1", "whether `a` is accessed"),
        ("if q[0] then o[0] ← 1", "whether `o` is accessed"),
        // Through a scalar, an array, a branch, around loops.
        ("s ← y[0]\nr ← s + 1\no[r] ← 1", "the address of `o`"),
        ("s ← 0\nif q[0] then s ← 1\no[s] ← 1", "the address of `o`"),
        ("o[0] ← a[0]\no[i64(o[0])] ← 1", "the address of `o`"),
        ("s ← 0\nfor i ← 0 to 3 do\n  o[s] ← 1\n  s ← y[i]", "the address of `o`"),
        ("s ← 0\nr ← 0\nfor i ← 0 to 3 do\n  o[s] ← 1\n  s ← r\n  r ← y[i]", "the address of `o`"),
        (
            "s ← 1\nwhile s < 9 do\n  o[0] ← 1\n  if q[0] then s ← s + 1 else s ← s + 2",
            "whether `o`",
        ),
        (
            "if q[0] then\n  for i ← 0 to 3 do in parallel\n    s ← 1",
            "whether a parallel loop runs",
        ),
        ("o[next(y[0])] ← 1", "the address of `o`"),
    ] {
        let program = load(statements).unwrap_or_else(|error| panic!("{error}\n{statements}"));
        let found =
            first_dependence(&program, Origin::Inputs).unwrap_or_else(|| panic!("{statements}"));
        assert!(found.what.starts_with(what), "{}\n{statements}", found.what);
    }
}

#[test]
fn the_chain_leads_back_to_the_input() {
    let program = load("s ← y[0]\nr ← s + 1\no[r] ← 1").unwrap();
    let found = first_dependence(&program, Origin::Inputs).unwrap();
    let lines: Vec<&str> = found.chain.iter().map(|&it| program.source.line_text(it)).collect();
    assert_eq!(lines, ["r ← s + 1", "s ← y[0]", "inout y[n] : i64"]);
}

#[test]
fn numbers_are_rounded() {
    refused("o[0] ← ⌈q[0]⌉", "expected a number to round, found bool");
    assert!(load("r := 1\no[0] ⟵ r").is_ok());
}
