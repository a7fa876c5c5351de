//! `umm greedy measure` in a folder whose rounds are damaged.

use std::path::Path;
use std::process::{Command, Output};

fn umm(folder: &Path, more: &str) -> Output {
    let line = "greedy measure -n 8,16 --engine paper,fast --repetitions 7 -o m";
    let mut command = Command::new(env!("CARGO_BIN_EXE_umm"));
    // So that the machine is the same in every run.
    command.env("CUDA_VISIBLE_DEVICES", "");
    command
        .current_dir(folder)
        .args(line.split(' ').chain(more.split_whitespace()))
        .output()
        .unwrap()
}

#[test]
fn damaged_rounds_can_be_set_aside_and_are_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = folder.path().join("m/greedy_rounds.csv");
    assert!(umm(folder.path(), "").status.success());
    let whole = std::fs::read_to_string(&rounds).unwrap();
    let times = std::fs::read(folder.path().join("m/greedy.csv")).unwrap();

    let damaged = whole.replacen(",square,", ",square;", 1);
    std::fs::write(&rounds, &damaged).unwrap();
    let output = umm(folder.path(), "");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("m/greedy_rounds.csv:2: 5 fields; the header has 6"), "{message}");
    assert!(message.contains("or give --force to set this file aside"), "{message}");
    assert_eq!(std::fs::read_to_string(&rounds).unwrap(), damaged);

    assert!(umm(folder.path(), "--force").status.success());
    let aside = folder.path().join("m/greedy_rounds.csv.damaged");
    assert_eq!(std::fs::read_to_string(aside).unwrap(), damaged);
    assert_eq!(std::fs::read_to_string(&rounds).unwrap(), whole);

    // What is missing is counted again, without a new time.
    let cut: Vec<&str> = whole.lines().filter(|it| !it.starts_with("16,")).collect();
    std::fs::write(&rounds, cut.join("\n") + "\n").unwrap();
    assert!(umm(folder.path(), "").status.success());
    assert_eq!(std::fs::read_to_string(&rounds).unwrap(), whole);
    assert_eq!(std::fs::read(folder.path().join("m/greedy.csv")).unwrap(), times);
}
