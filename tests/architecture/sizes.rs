//! How long a file and a function may be, and how many files there are.

use std::process::Command;

use super::{Source, sources, sources_of};
use crate::support::root;

const MOST_LINES_OF_A_FILE: usize = 400;
const MOST_LINES_OF_A_FUNCTION: usize = 100;
const MOST_TRACKED_FILES: usize = 2_460;

/// All sources of the project.
fn all() -> Vec<Source> {
    let folders = ["benches", "examples", "python/src", "tests", "web/src", "xtask"];
    sources().into_iter().chain(folders.into_iter().flat_map(sources_of)).collect()
}

/// The name in a line that begins a function.
fn function(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub") {
        rest = after.strip_prefix('(').map_or(after, |it| it.split_once(')').map_or("", |it| it.1));
        rest = rest.trim_start();
    }
    for word in ["default ", "const ", "async ", "unsafe ", "extern \"C\" "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    rest.strip_prefix("fn ")?.split(['(', '<']).next()
}

/// The functions of a text that rustfmt has formatted: their names and how many lines they have. One ends
/// with the first line that is indented as its beginning and closes it.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = vec![];
    for (first, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let closes = |it: &&str| {
            let rest = it.strip_prefix(indent).unwrap_or(" ");
            rest.starts_with('}') || rest.starts_with(')') && rest.ends_with(';')
        };
        let ends = line.ends_with('}') || line.ends_with(';');
        let more = if ends {
            Some(0)
        } else {
            lines[first + 1..].iter().position(closes).map(|it| it + 1)
        };
        found.push((name, 1 + more.unwrap_or_else(|| panic!("`{name}` has no end"))));
    }
    found
}

#[test]
fn no_file_is_longer_than_it_may_be() {
    for source in all() {
        let lines = source.text.lines().count();
        assert!(lines <= MOST_LINES_OF_A_FILE, "{} has {lines} lines", source.name());
    }
}

#[test]
fn no_function_is_longer_than_it_may_be() {
    let mut looked = 0;
    for source in all() {
        for (name, lines) in functions(&source.text) {
            let is_short = lines <= MOST_LINES_OF_A_FUNCTION;
            assert!(is_short, "{}: `{name}` has {lines} lines", source.name());
            looked += 1;
        }
    }
    assert!(looked > 3_000, "{looked}");
}

#[test]
fn functions_are_measured() {
    let text = "\
impl A {
    pub(super) const fn short() -> u8 { 1 }

    fn declared(
        &self,
    ) -> u8;

    pub fn long<T>(a: T)
    where
        T: B,
    {
        fn inner() {
            c();
        }
    }
}
";
    let lines = [("short", 1), ("declared", 3), ("long", 8), ("inner", 3)];
    assert_eq!(functions(text), lines);
}

/// The threads of a warp are one number.
#[test]
fn the_warp_is_defined_once() {
    let defines = |it: &Source| it.code().matches("const WARP:").count();
    let found: Vec<_> = sources().iter().map(|it| (it.name(), defines(it))).collect();
    let found: Vec<_> = found.into_iter().filter(|it| it.1 > 0).collect();
    assert_eq!(found, [("crates/core/src/units.rs".to_owned(), 1)]);
}

/// What is checked out is looked through by people; measurements do not grow by a file a run.
#[test]
fn the_tracked_files_can_be_looked_through() {
    let git = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    // A package has no history.
    let Some(listed) = git.ok().filter(|it| it.status.success()) else { return };
    let files = listed.stdout.iter().filter(|it| **it == 0).count();
    assert!(
        files <= MOST_TRACKED_FILES,
        "{files} files are tracked, of at most {MOST_TRACKED_FILES}"
    );
}
