//! `umm` as its users call it, in a folder.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The command of a line, words apart by blanks.
pub fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_umm"));
    command.current_dir(folder).args(line.split_whitespace());
    command
}

pub fn umm(folder: &Path, line: &str) -> Output {
    command(folder, line).output().unwrap()
}

/// What it prints.
pub fn succeeds(folder: &Path, line: &str) -> String {
    let output = umm(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub fn json(folder: &Path, line: &str) -> Value {
    serde_json::from_str(&succeeds(folder, line)).unwrap()
}

/// The message of a mistake: exit code 2.
pub fn fails(folder: &Path, line: &str) -> String {
    let output = umm(folder, line);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}: {message}");
    message
}
