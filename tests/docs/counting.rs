//! The worked example of `docs/how-time-is-counted.md` and its picture.

use memory_machine::case::Case;
use memory_machine::count::count;
use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::machine::{Counts, MachineKind, Mode};
use memory_machine::run::Limits;
use memory_machine::run::layout::Layout;
use memory_machine::units::Threads;

use super::{fenced, page};
use crate::machine::traces::machine_of;

#[path = "../../examples/rows_over_warps.rs"]
#[expect(dead_code, reason = "its main prints")]
mod picture;

/// Stages of the first `k` rows.
fn stages(listing: &str, k: i64) -> u128 {
    let source = Source { name: "rows.alg".to_owned(), text: listing.to_owned() };
    let program = language::load(source).unwrap();
    let machine = machine_of(MachineKind::Umm, 4, 5);
    let layout = Layout::new(&program, |_| Some(k), machine.width, None).unwrap();
    let limits = Limits::new(Threads::new(1 << 16).unwrap(), 0);
    let counted = count(&program, &layout, machine, Mode::Sync, limits).unwrap();
    assert!(counted.executed.is_empty());
    counted.counts.into_iter().map(|counts| counts.stages).sum()
}

/// Holds every line of a table against the tool; returns how many there are.
fn table(page: &str, head: &str, listing: &str) -> usize {
    let rows = page.split(head).nth(1).unwrap().lines().skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let mut before = None;
    rows.map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let found = stages(listing, cells[1].parse().unwrap());
        assert_eq!(cells[2], found.to_string(), "{line}");
        let more = before.map_or(String::new(), |before| format!("+ {}", found - before));
        assert_eq!(cells[3], more, "{line}");
        before = Some(found);
    })
    .count()
}

#[test]
fn the_worked_example() {
    let page = page("docs/how-time-is-counted.md");
    let listing = &fenced(&page)[0].text;
    assert_eq!(table(&page, "| k | stages, loop D | more |", listing), 8);
    let loop_a = listing.replace("i+10 to i+19", "i+1 to 47");
    assert_eq!(table(&page, "| k | stages, loop A | more |", &loop_a), 4);
}

#[test]
fn the_picture_is_the_one_that_its_command_draws() {
    assert_eq!(page("plots/rows-over-warps.svg"), picture::svg());
}

/// Of the library, what is counted since remainders, quotients and bits are.
#[test]
fn listings_that_are_counted() {
    let page = page("docs/how-time-is-counted.md");
    let head = "| listing | size | what is not affine | accesses | time units |";
    let rows = page.split(head).nth(1).unwrap().lines().skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let number = rows.map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (size, value) = cells[2].split_once(" = ").unwrap();
        let case = Case::load(cells[1].trim_matches('`')).unwrap();
        let case = case.set(size, value.parse().unwrap()).threads(1 << 16).unwrap();
        let case = Case { machine: machine_of(MachineKind::Umm, 32, 100), ..case };
        let limits = Limits::new(case.threads, 100);
        let layout = case.layout().unwrap();
        let counted = count(&case.program, &layout, case.machine, Mode::Sync, limits).unwrap();
        assert_eq!(counted.executed, [], "{line}");
        let total: Counts = counted.counts.into_iter().sum();
        let found = [total.accesses, total.time_units.0].map(spaced);
        assert_eq!(cells[4..6], found, "{line}");
    });
    assert_eq!(number.count(), 10);
}

/// With a space before each three digits.
fn spaced(number: u128) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|it| std::str::from_utf8(it).unwrap()).collect::<Vec<_>>().join(" ")
}
