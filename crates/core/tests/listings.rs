//! Programs of other languages, read as they are and run, beside what their languages give.

use std::collections::HashMap;

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::{Memory, encode, number};
use memory_machine_core::run::{Limits, NoopObserver, execute};
use memory_machine_core::units::{Threads, Width};

#[path = "listings/c_integers.rs"]
mod c_integers;
#[path = "listings/others.rs"]
mod others;
#[path = "listings/precedence.rs"]
mod precedence;

/// What stands in an array in the end: `f; a 1 2; n 2 -> c` names inputs, values of parameters, and the array.
fn result(text: &str, given: &str, wanted: &str) -> Vec<f64> {
    let given: HashMap<&str, Vec<f64>> = given
        .split(';')
        .filter_map(|it| it.trim().split_once(' '))
        .map(|(name, values)| {
            (name, values.split_whitespace().map(|it| it.parse().unwrap()).collect())
        })
        .collect();
    let value = |name: &str| given.get(name).map(|it| it[0] as i64);
    let source = Source { name: "listing".to_owned(), text: text.to_owned() };
    let program = language::load_for(source, value)
        .unwrap_or_else(|error| panic!("{text}\nis not read:\n{error}"));
    let plain = program.reading.plain.clone().unwrap_or_default();
    let layout = Layout::new(&program, value, Width::new(4).unwrap(), None)
        .unwrap_or_else(|error| panic!("{error}\n{plain}"));
    let mut memory = Memory::new(&layout).unwrap_or_else(|error| panic!("{error:?}\n{plain}"));
    for (name, values) in &given {
        if let Some(id) = program.array_named(name) {
            let bits = encode(program.arrays[id.0].element, values).unwrap();
            memory.fill(&layout, id, 0, &bits);
        }
    }
    let limits = Limits::new(Threads::new(64).unwrap(), 10_000);
    execute(&program, &layout, &mut memory, limits, &mut NoopObserver)
        .unwrap_or_else(|error| panic!("{error}\n{plain}"));
    let id = program.array_named(wanted).unwrap_or_else(|| panic!("no {wanted} in\n{plain}"));
    let element = program.arrays[id.0].element;
    let cells = memory.cells(&layout, id, 0);
    cells.map(|it| it.map_or(f64::NAN, |it| number(element, it))).collect()
}

/// Reads a text, runs it, and compares an array.
#[track_caller]
fn gives(text: &str, given: &str, wanted: &str, values: &[f64]) {
    let found = result(text, given, wanted);
    let plain = language::load(Source { name: "listing".to_owned(), text: text.to_owned() });
    let plain = plain.map(|it| it.reading.plain.unwrap_or_default()).unwrap_or_default();
    assert_eq!(found, values, "{text}\n{plain}");
}

#[track_caller]
fn refused(text: &str) -> String {
    match language::load(Source { name: "listing".to_owned(), text: text.to_owned() }) {
        Ok(program) => panic!("{text}\nis read as\n{}", program.reading.plain.unwrap_or_default()),
        Err(error) => error.to_string(),
    }
}
