//! What every subcommand prints for people, and the files that it leaves: one snapshot each in
//! `tests/cli/printed.txt`, beneath a line `==== NAME`.
//!
//! A snapshot is the command, its output, and a line for each file that is new; commands that make what it
//! reads stand before it. In it `[..]` stands for
//! whatever differs from run to run, and a line `...` for any number of lines. `TRYCMD=overwrite` writes
//! them anew, as it does the sessions of `tests/cli/cases` and of the documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use memory_machine::cli;

use super::examples::stand_ins;
use super::web::has_page;
use crate::support::{command, root};

/// The names of commands that do something, by their words with `-` between.
fn leaves(command: &clap::Command, name: &str, found: &mut BTreeSet<String>) {
    for inner in command.get_subcommands().filter(|it| it.get_name() != "help") {
        let name = [name, inner.get_name()].join("-").trim_start_matches('-').to_owned();
        if !inner.is_subcommand_required_set() {
            found.insert(name.clone());
        }
        leaves(inner, &name, found);
    }
}

fn file() -> PathBuf {
    root().join("tests/cli/printed.txt")
}

/// By the words of their command.
fn snapshots() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(file()).unwrap();
    let parts = format!("\n{text}");
    let parts = parts.split("\n==== ").skip(1).map(|it| it.split_once('\n').unwrap());
    parts.map(|(name, text)| (name.to_owned(), text.trim_end().to_owned() + "\n")).collect()
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect()
}

/// The lines of a snapshot that are commands.
fn commands(snapshot: &str) -> impl Iterator<Item = &str> {
    snapshot.lines().filter(|it| it.starts_with("$ umm "))
}

/// The part of a snapshot that is of one command.
fn print(folder: &Path, line: &str) -> String {
    let before = names(folder);
    let mut command = command(folder, line.strip_prefix("$ umm ").expect("a command"));
    // The same where there is a GPU, NVRTC or a profiler.
    command.envs([("CUDA_VISIBLE_DEVICES", ""), ("LD_LIBRARY_PATH", ""), ("PATH", "")]);
    let output = command.output().unwrap();
    let mut text = format!("{line}\n");
    if let Some(code) = output.status.code().filter(|it| *it != 0) {
        writeln!(text, "? {code}").unwrap();
    }
    text += std::str::from_utf8(&output.stdout).unwrap();
    text += std::str::from_utf8(&output.stderr).unwrap();
    for name in names(folder).difference(&before) {
        writeln!(text, "→ {name}").unwrap();
    }
    text
}

/// Whether a line is one with `[..]` in it.
fn is_line(wanted: &str, found: &str) -> bool {
    match wanted.split_once("[..]") {
        None => wanted == found,
        Some((head, rest)) => {
            let ends = |it: &str| {
                (0..=it.len())
                    .filter(|&at| it.is_char_boundary(at))
                    .any(|at| is_line(rest, &it[at..]))
            };
            found.strip_prefix(head).is_some_and(ends)
        }
    }
}

fn are_lines(wanted: &[&str], found: &[&str]) -> bool {
    match wanted {
        [] => found.is_empty(),
        ["...", rest @ ..] => (0..=found.len()).any(|at| are_lines(rest, &found[at..])),
        [first, rest @ ..] => {
            found.first().is_some_and(|it| is_line(first, it)) && are_lines(rest, &found[1..])
        }
    }
}

/// The lines found, but for those of the same number that stand for them.
fn blessed(wanted: &[&str], found: &[&str]) -> String {
    let line = |(at, found): (usize, &&str)| match wanted.get(at) {
        Some(wanted) if is_line(wanted, found) => format!("{wanted}\n"),
        _ => format!("{found}\n"),
    };
    found.iter().enumerate().map(line).collect()
}

#[test]
fn every_command_prints_its_snapshot() {
    let blesses = std::env::var("TRYCMD").is_ok_and(|it| it == "overwrite");
    let mut snapshots = snapshots();
    for (name, wanted) in &mut snapshots {
        // Where there is a page, it writes it.
        if has_page() && name == "web" {
            continue;
        }
        let folder = stand_ins();
        let found: String = commands(wanted).map(|it| print(folder.path(), it)).collect();
        let [lines, found] = [&*wanted, &found].map(|it| it.lines().collect::<Vec<_>>());
        if are_lines(&lines, &found) {
            continue;
        }
        let text = blessed(&lines, &found);
        assert!(blesses, "{name} is to be (TRYCMD=overwrite writes it):\n{text}");
        *wanted = text;
    }
    if blesses {
        let parts = snapshots.iter().map(|(name, text)| format!("==== {name}\n{text}"));
        std::fs::write(file(), parts.collect::<String>()).unwrap();
    }
}

#[test]
fn every_command_has_a_snapshot() {
    let mut names = BTreeSet::new();
    leaves(&cli::command(), "", &mut names);
    assert!(names.len() > 40, "{names:?}");
    let snapshots = snapshots();
    assert_eq!(snapshots.keys().cloned().collect::<BTreeSet<_>>(), names);
    for (words, text) in snapshots {
        let mut line = commands(&text).last().expect("a command").split(' ').skip(2);
        let mut rest = &words[..];
        // The words of `opt-matrix-chain` are two.
        while !rest.is_empty() {
            let word = line.next().unwrap_or_else(|| panic!("{words} is of another command"));
            rest = rest.strip_prefix(word).unwrap_or_else(|| panic!("{words}: {word}"));
            rest = rest.trim_start_matches('-');
        }
    }
}

#[test]
fn what_differs_is_seen() {
    for (wanted, found, same) in [
        ("a [..] c", "a b c", true),
        ("a [..] c", "a b d", false),
        ("[..]s", "5 µs", true),
        ("a", "a b", false),
        ("x\n...\ny", "x\n1\n2\ny", true),
        ("x\n...\ny", "x\n1\n2\nz", false),
        ("x", "x\ny", false),
    ] {
        let lines = |it: &'static str| it.lines().collect::<Vec<_>>();
        assert_eq!(are_lines(&lines(wanted), &lines(found)), same, "{wanted} {found}");
    }
    assert_eq!(blessed(&["n = 3", "[..] s"], &["n = 4", "2 s", "b"]), "n = 4\n[..] s\nb\n");
}
