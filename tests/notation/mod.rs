//! Listings as textbooks, papers and programs print them: read without declarations, run, and compared
//! with what `reference.py` computes; and as the language prints them, read again.

mod odd;
mod pages;
mod semantics;
mod silence;

use std::fs;
use std::path::PathBuf;

use memory_machine::diagnostic::Source;
use memory_machine::language::{self, AsPrinted, Semantics};
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::{Memory, encode, number};
use memory_machine::run::{Limits, NoopObserver, execute};
use memory_machine::units::{Threads, Width};

use crate::support::root;

/// A line of `cases.txt`.
#[derive(Clone)]
struct Case {
    name: String,
    /// What is set, given and expected: the word, the name, and numbers.
    parts: Vec<(String, String, Vec<String>)>,
}

fn folder() -> PathBuf {
    root().join("tests/notation")
}

fn cases() -> Vec<Case> {
    let text = fs::read_to_string(folder().join("cases.txt")).unwrap();
    let case = |line: &str| {
        let mut parts = line.split(" | ");
        let name = parts.next().unwrap().to_owned();
        let part = |it: &str| {
            let (kind, rest) = it.split_once(' ').unwrap();
            let (name, values) = rest.split_once('=').unwrap();
            let values = values.split_whitespace().map(str::to_owned).collect();
            (kind.to_owned(), name.to_owned(), values)
        };
        Case { name, parts: parts.map(part).collect() }
    };
    text.lines().map(case).collect()
}

/// The texts of `listings.txt`, each beneath a line `==== NAME`.
fn listing(name: &str) -> String {
    let text = fs::read_to_string(folder().join("listings.txt")).unwrap();
    let begin = text.split_once(&format!("==== {name}\n")).expect(name).1;
    begin.split("\n==== ").next().unwrap().to_owned() + "\n"
}

/// Runs a text with the sizes and inputs of a case; says what is wrong with the result.
fn run(case: &Case, text: String, is_again: bool) -> Result<String, String> {
    let of = |kind: &'static str| case.parts.iter().filter(move |it| it.0 == kind);
    let value = |name: &str| of("set").find(|it| it.1 == name).map(|it| it.2[0].parse().unwrap());
    // Of a PRAM's listing, what its loops mean goes beyond the text.
    let is_pram = of("semantics").next().is_some();
    let semantics = if is_pram { Semantics::Pram } else { Semantics::Threads };
    let reals = of("real").map(|it| (it.1.clone(), it.2[0].parse().unwrap()));
    let declared = of("declare").map(|it| format!("{} : {}", it.1, it.2[0]).parse().unwrap());
    let (reals, declared): (Vec<_>, Vec<_>) = (reals.collect(), declared.collect());
    // What the language prints declares its arrays itself.
    let declared = if is_again { &[][..] } else { &declared };
    let printed = AsPrinted { semantics, reals: &reals, declared, ..AsPrinted::default() };
    let program = language::load_in(Source { name: case.name.clone(), text }, printed, value);
    let program = program.map_err(|error| error.to_string())?;
    let plain = program.reading.plain.clone().unwrap_or_default();
    let wrong = |error: String| format!("{error}\n{plain}");
    let layout = Layout::new(&program, value, Width::new(4).unwrap(), None);
    let layout = layout.map_err(|error| wrong(error.to_string()))?;
    let mut memory = Memory::new(&layout).map_err(|error| wrong(format!("{error:?}")))?;
    for (_, name, numbers) in of("in") {
        let id = program.array_named(name).ok_or_else(|| wrong(format!("no array {name}")))?;
        let numbers: Vec<f64> = numbers.iter().map(|it| it.parse().unwrap()).collect();
        if numbers.len() as u64 != layout.regions[id.0].cells {
            return Err(wrong(format!("{name} has {} cells", layout.regions[id.0].cells)));
        }
        let bits = encode(program.arrays[id.0].element, &numbers);
        memory.fill(&layout, id, 0, &bits.map_err(|error| wrong(format!("{error:?}")))?);
    }
    let limits = Limits::new(Threads::new(64).unwrap(), 10_000);
    execute(&program, &layout, &mut memory, limits, &mut NoopObserver)
        .map_err(|error| wrong(error.to_string()))?;
    for (_, name, numbers) in of("out") {
        let id = program.array_named(name).ok_or_else(|| wrong(format!("no array {name}")))?;
        let element = program.arrays[id.0].element;
        let cells = memory.cells(&layout, id, 0).map(|it| it.map(|it| number(element, it)));
        let found: Vec<Option<f64>> = cells.collect();
        let wanted: Vec<Option<f64>> = numbers.iter().map(|it| it.parse().ok()).collect();
        let equal = |(found, wanted): (&Option<f64>, &Option<f64>)| match (found, wanted) {
            (Some(found), Some(wanted)) => (found - wanted).abs() <= 1e-5 * wanted.abs().max(1.0),
            (found, None) => found.is_none(),
            (None, Some(_)) => false,
        };
        let compared = found.iter().zip(&wanted).zip(numbers);
        let is_right = compared.filter(|(_, it)| *it != "?").all(|(pair, _)| equal(pair));
        if found.len() != wanted.len() || !is_right {
            return Err(wrong(format!("{name}: {found:?} instead of {wanted:?}")));
        }
    }
    Ok(plain)
}

/// Every listing runs with its sizes and inputs alone, and gives what Python gives; so does what the
/// language prints of it, which is then a listing as it stands.
#[test]
fn listings_as_printed_run_with_sizes_alone() {
    let (mut wrong, mut all) = (vec![], 0);
    for case in cases() {
        all += 1;
        let once = run(&case, listing(&case.name), false);
        let again =
            once.and_then(|plain| run(&case, plain.clone(), true).map(|second| (plain, second)));
        match again {
            Ok((_, second)) if second.is_empty() || case.name.starts_with("synchronous-") => {}
            Ok((plain, second)) => {
                wrong.push(format!("{}: {plain} is printed as {second}", case.name))
            }
            Err(error) => wrong.push(format!("{}: {error}", case.name)),
        }
    }
    println!("{} of {all} run with sizes alone", all - wrong.len());
    assert!(wrong.is_empty(), "{} of {all} do not:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Pastes with pieces left out, doubled and exchanged are read or refused, and nothing else.
#[test]
fn mutated_pastes_are_read_or_refused() {
    let texts: Vec<String> = cases().iter().map(|it| listing(&it.name)).collect();
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let tried = if crate::is_thorough() { 20_000 } else { 400 };
    for _ in 0..tried {
        let mut letters: Vec<char> = texts[next(texts.len())].chars().collect();
        let other: Vec<char> = texts[next(texts.len())].chars().collect();
        for _ in 0..=next(4) {
            let (from, length) = (next(letters.len()), 1 + next(12));
            let to = (from + length).min(letters.len());
            let piece = next(other.len());
            let piece = &other[piece..(piece + next(9)).min(other.len())];
            match next(3) {
                0 => drop(letters.drain(from..to)),
                1 => drop(letters.splice(from..to, piece.iter().copied())),
                _ => drop(letters.splice(from..from, piece.iter().copied())),
            }
        }
        let text: String = letters.into_iter().collect();
        let read = language::load(Source { name: "paste".to_owned(), text });
        drop(read.map_err(|error| error.to_string()));
    }
}
