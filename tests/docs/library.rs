//! The page on the library against the library.

use std::collections::BTreeMap;

use memory_machine::algorithms::catalogue::{self, Entry};
use memory_machine::case::{Case, Verdict};
use memory_machine::language::oblivious::obliviousness;
use memory_machine::machine::{Dmms, MachineKind};
use memory_machine::run::NoopObserver;
use memory_machine::run::layout::Arrangement;
use memory_machine::run::pram::Pram;

use crate::support::{page, root, umm};

/// A row of the page's tables, and its heading.
struct Row {
    topic: String,
    source: String,
    oblivious: String,
    pram: String,
    time: String,
    command: String,
}

/// The rows, by listing.
fn rows() -> BTreeMap<String, Row> {
    let mut topic = String::new();
    let mut rows = BTreeMap::new();
    for line in page("docs/library.md").lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            topic = heading.to_lowercase().replace(' ', "-");
        }
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [name, source, oblivious, pram, time, command] = cells[..] else { continue };
        let Some(name) = name.strip_prefix('`').and_then(|it| it.strip_suffix('`')) else {
            continue;
        };
        let [source, oblivious, pram, time, command] =
            [source, oblivious, pram, time, command.trim_matches('`')].map(str::to_owned);
        let row = Row { topic: topic.clone(), source, oblivious, pram, time, command };
        assert!(rows.insert(name.to_owned(), row).is_none(), "{name} has two rows");
    }
    rows
}

/// The case that `umm run` makes of a row's command.
fn case(entry: &Entry, command: &str) -> Case {
    let mut words = command.split(' ');
    assert_eq!(
        [words.next(), words.next(), words.next()],
        [Some("umm"), Some("run"), Some(entry.name)]
    );
    let mut case = Case::load(entry.name).unwrap();
    while let Some(flag) = words.next() {
        let value = words.next().expect("each flag has a value");
        case = match flag {
            "--set" => {
                let (name, value) = value.split_once('=').unwrap();
                case.set(name, value.parse().unwrap())
            }
            "-m" => case,
            "-d" => {
                let kind = MachineKind::Hmm(Dmms { number: value.parse().unwrap(), ..Dmms::ONE });
                let machine = memory_machine::machine::Machine { kind, ..case.machine };
                case.on(machine)
            }
            "-p" => case.threads(value.parse().unwrap()).unwrap(),
            "--bulk" => case.bulk(Arrangement::ColumnWise),
            _ => panic!("{command}: {flag}"),
        };
    }
    case
}

/// Each listing has a row, what it says is so, and its command ends in `verified`.
#[test]
fn the_page_on_the_library_has_every_listing() {
    let mut rows = rows();
    for entry in catalogue::by_topic() {
        let row = rows.remove(entry.name).unwrap_or_else(|| panic!("{} has no row", entry.name));
        let name = entry.name;
        assert_eq!(
            [row.topic.as_str(), row.source.as_str()],
            [entry.topic, entry.source()],
            "{name}"
        );
        let case = case(entry, &row.command);
        assert_eq!(row.oblivious, obliviousness(&case.program).answer(), "{name}");
        let layout = case.layout().unwrap();
        let mut memory = case.memory(&layout).unwrap();
        case.execute(&layout, &mut memory, &mut NoopObserver).unwrap();
        assert_eq!(case.verify(&layout, &memory).unwrap(), Verdict::Right, "{}", row.command);
        if case.machine.kind.dmms().is_none() {
            let case = case.of_pram();
            let layout = case.layout().unwrap();
            let mut memory = case.memory(&layout).unwrap();
            let mut pram = Pram::new(&case.program);
            case.execute(&layout, &mut memory, &mut pram).unwrap();
            let (class, races) = pram.finish();
            assert_eq!(races, [], "{name}");
            let is_parallel = case.program.first_parallel_loop().is_some();
            let class = serde_json::to_value(class).unwrap();
            let class = class.as_str().filter(|_| is_parallel).unwrap_or("sequential");
            assert_eq!(row.pram, class, "{name}");
        }
    }
    assert!(rows.is_empty(), "no listings: {:?}", rows.keys());
}

#[test]
fn console_sessions_of_the_page_on_the_library() {
    trycmd::TestCases::new().case("docs/library.md");
}

/// Of a few listings, as deriving takes its time.
#[test]
fn times_on_the_page_on_the_library_are_derived() {
    let rows = rows();
    for name in ["compact", "transpose", "rank_sort", "edit_distance", "cyk", "lu", "prim", "kmp"] {
        let output = umm(root(), &format!("bounds {name} --derive"));
        let text = String::from_utf8(output.stdout).unwrap();
        let time = text.lines().find_map(|line| line.split_once("each part = ")).map(|it| it.1);
        // The page says it of the listing's own numbers.
        let time = time.map(|it| it.split_once(" for ").map_or(it, |it| it.0));
        assert_eq!(rows[name].time, time.unwrap_or("–"), "{name}");
    }
}
