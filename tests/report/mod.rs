//! What is said of a folder of measurements: fits, charts, the page.

mod charts;
mod fits;
mod impossible;
mod opt;
mod page;
mod points;
mod synthetic;

use std::path::Path;
use std::process::{Command, Output};

fn umm(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_umm"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

/// The message of a mistake: exit code 2.
fn fails(folder: &Path, arguments: &[&str]) -> String {
    let output = umm(folder, arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.starts_with("error: "), "{message}");
    message
}
