//! `umm greedy measure` in a folder whose rounds are damaged.

use std::path::Path;
use std::process::Output;

use crate::support::command;

fn measure(folder: &Path, more: &str) -> Output {
    let line = "greedy measure -n 8,16 --engine paper,fast --repetitions 7 -o m";
    // So that the machine is the same in every run.
    command(folder, &format!("{line} {more}")).env("CUDA_VISIBLE_DEVICES", "").output().unwrap()
}

#[test]
fn damaged_rounds_can_be_set_aside_and_are_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = folder.path().join("m/greedy_rounds.csv");
    assert!(measure(folder.path(), "").status.success());
    let whole = std::fs::read_to_string(&rounds).unwrap();
    let times = std::fs::read(folder.path().join("m/greedy.csv")).unwrap();

    let damaged = whole.replacen(",square,", ",square;", 1);
    std::fs::write(&rounds, &damaged).unwrap();
    let output = measure(folder.path(), "");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("m/greedy_rounds.csv:2: 5 fields; the header has 6"), "{message}");
    assert!(message.contains("or give --force to set this file aside"), "{message}");
    assert_eq!(std::fs::read_to_string(&rounds).unwrap(), damaged);

    assert!(measure(folder.path(), "--force").status.success());
    let aside = folder.path().join("m/greedy_rounds.csv.damaged");
    assert_eq!(std::fs::read_to_string(aside).unwrap(), damaged);
    assert_eq!(std::fs::read_to_string(&rounds).unwrap(), whole);

    // What is missing is counted again, without a new time.
    let cut: Vec<&str> = whole.lines().filter(|it| !it.starts_with("16,")).collect();
    std::fs::write(&rounds, cut.join("\n") + "\n").unwrap();
    assert!(measure(folder.path(), "").status.success());
    assert_eq!(std::fs::read_to_string(&rounds).unwrap(), whole);
    assert_eq!(std::fs::read(folder.path().join("m/greedy.csv")).unwrap(), times);
}
