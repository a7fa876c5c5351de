//! The house: which room may import which, and what is spelled in one place.

mod circles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every room of the core, the engines and the library, and after it the rooms that it may import:
/// data flows from left to right, so none of them imports it.
const ROOMS: &[(&str, &[&str])] = &[
    ("word", &[]),
    ("units", &[]),
    ("host", &[]),
    ("input", &["host"]),
    ("matrix", &["input"]),
    ("points", &["input", "word"]),
    ("opt", &["input", "matrix"]),
    ("polygon", &["input", "opt", "points"]),
    ("greedy", &["points"]),
    ("hull", &["points"]),
    ("grid", &[]),
    ("trace", &["units"]),
    ("diagnostic", &[]),
    ("language", &["diagnostic", "trace"]),
    ("machine", &["trace", "units", "word"]),
    ("run", &["diagnostic", "host", "language", "trace", "units", "word"]),
    ("count", &["diagnostic", "language", "machine", "run", "trace", "units"]),
    ("steps", &["language", "machine", "run", "trace", "units"]),
    ("theory", &["diagnostic", "language", "machine", "run", "trace", "units"]),
    ("algorithms", &["host", "language", "word"]),
    ("emission", &["algorithms", "diagnostic", "language", "run", "trace", "word"]),
    ("fit", &[]),
    ("sample", &["machine", "word"]),
    (
        "case",
        &[
            "algorithms",
            "count",
            "diagnostic",
            "fit",
            "host",
            "language",
            "machine",
            "run",
            "sample",
            "theory",
            "trace",
            "units",
            "word",
        ],
    ),
    (
        "sweep",
        &[
            "case",
            "diagnostic",
            "grid",
            "host",
            "language",
            "machine",
            "run",
            "sample",
            "units",
            "word",
        ],
    ),
    (
        "measurement",
        &[
            "algorithms",
            "case",
            "diagnostic",
            "emission",
            "grid",
            "host",
            "language",
            "machine",
            "run",
            "sample",
            "units",
            "word",
        ],
    ),
    ("models", &["diagnostic", "machine", "measurement", "run", "sample", "units"]),
    ("sass", &[]),
    (
        "fidelity",
        &[
            "case",
            "diagnostic",
            "emission",
            "fit",
            "language",
            "machine",
            "measurement",
            "models",
            "run",
            "sass",
            "trace",
            "units",
            "word",
        ],
    ),
    (
        "chart",
        &[
            "algorithms",
            "diagnostic",
            "fit",
            "language",
            "machine",
            "measurement",
            "models",
            "run",
            "sample",
            "steps",
            "theory",
            "trace",
            "units",
            "word",
        ],
    ),
    (
        "report",
        &[
            "algorithms",
            "chart",
            "diagnostic",
            "fit",
            "measurement",
            "models",
            "run",
            "sample",
            "theory",
        ],
    ),
    (
        "cuda",
        &[
            "algorithms",
            "case",
            "diagnostic",
            "emission",
            "language",
            "machine",
            "measurement",
            "run",
            "sample",
            "units",
            "word",
        ],
    ),
    ("ranks", &["algorithms"]),
];

/// Rooms that nothing imports, and that may import everything.
const FACES: &[&str] = &["cli", "main", "lib"];

/// Of the core, the engines and the library.
const SOURCES: [&str; 5] = ["core/src", "engines/src", "sass/src", "theory/src", "src"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<(PathBuf, String)> {
    sources_of(SOURCES.iter())
}

fn sources_of<'a>(folders: impl Iterator<Item = &'a &'static str>) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                // Tests at the end of a file may use what they like.
                let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                found.push((path, text.to_owned()));
            }
        }
    }
    let mut found = vec![];
    for folder in folders {
        walk(&root().join(folder), &mut found);
    }
    found
}

fn room_of(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap();
    let inside = SOURCES.iter().find_map(|it| path.strip_prefix(it).ok()).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

fn imports(text: &str) -> BTreeSet<String> {
    let name = |rest: &str| {
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    let text = text.replace("memory_machine_core::", "crate::");
    text.split("crate::").skip(1).map(name).filter(|it| !it.is_empty()).collect()
}

#[test]
fn no_room_imports_what_is_right_of_it() {
    for (path, text) in sources() {
        let room = room_of(&path);
        if FACES.contains(&room.as_str()) {
            continue;
        }
        let known = ROOMS.iter().position(|it| it.0 == room);
        let known = known.unwrap_or_else(|| panic!("{room} is no room of this table"));
        let (_, allowed) = ROOMS[known];
        for import in imports(&text).iter().filter(|it| **it != room) {
            assert!(allowed.contains(&import.as_str()), "{}: imports {import}", path.display());
            let left = ROOMS[..known].iter().any(|it| it.0 == import);
            assert!(left, "{}: {import} is right of {room}", path.display());
        }
    }
}

/// Beside the library: nothing imports them, and their rooms are their own.
const MEMBERS: [&str; 2] = ["python/src", "web/src"];

/// The kinds are made by [`memory_machine::machine`]'s constructors and words, wherever one is needed.
#[test]
fn the_kinds_of_machine_are_named_in_one_room() {
    let mut named_at_home = false;
    for (path, text) in sources_of(SOURCES.iter().chain(&MEMBERS)) {
        let is_at_home = path.starts_with(root().join("core/src/machine"));
        let names = |line: &&str| !line.trim_start().starts_with("//") && names_a_kind(line);
        match text.lines().find(names) {
            Some(_) if is_at_home => named_at_home = true,
            Some(line) => panic!("{}: names a kind of machine: {line}", path.display()),
            None => {}
        }
    }
    // Were the kinds called otherwise, the search above would find none anywhere.
    assert!(named_at_home);
}

/// Whether a variant is named, or all of them are brought into scope.
fn names_a_kind(line: &str) -> bool {
    let kinds = line.split("MachineKind::").skip(1);
    kinds.map(|it| it.trim_start_matches('{')).any(|it| {
        let first = it.trim_start().chars().next();
        first.is_some_and(|first| first.is_uppercase() || first == '*')
    })
}

#[test]
fn a_kind_that_is_named_is_found() {
    for line in [
        "let kind = MachineKind::Hmm(Dmms::ONE);",
        "use crate::machine::MachineKind::{Dmm, Umm};",
        "use crate::machine::MachineKind::*;",
        "matches!(kind, MachineKind::Umm)",
    ] {
        assert!(names_a_kind(line), "{line}");
    }
    for line in ["MachineKind::hierarchical(dmms)", "word::<MachineKind>()", "kind: MachineKind,"] {
        assert!(!names_a_kind(line), "{line}");
    }
}

/// What depends on the kind of machine stands in one file, and what makes requests conflict in another:
/// a machine is added there, and as a TOML file in `models`. (`tests/machine/toy.rs` adds one from
/// outside.)
#[test]
fn the_kinds_of_machine_are_told_apart_in_one_room() {
    for (path, text) in sources() {
        let room = room_of(&path);
        if path.ends_with("machine/kind.rs") || path.ends_with("machine/conflict.rs") {
            continue;
        }
        for word in ["== MachineKind::", "!= MachineKind::", "let MachineKind::"] {
            assert!(!text.contains(word), "{}: has {word}", path.display());
        }
        for word in ["Umm =>", "Dmm =>", "\"umm\" =>", "\"dmm\" =>", "\"dmm\""] {
            let is_example = room == "cli" && text.contains("\"dmm\",");
            assert!(!text.contains(word) || is_example, "{}: has {word}", path.display());
        }
        if room != "run" && room != "machine" {
            for word in
                ["Some(\"row\")", "Some(\"column\")", "\"async\"", "RowWise => \"", "\"row-wise\""]
            {
                assert!(!text.contains(word), "{}: has {word}", path.display());
            }
        }
    }
}
