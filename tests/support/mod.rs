//! What tests of all topics share: `umm` as its users call it, in a folder, and the files of the project.

#[path = "../../xtask/src/samples/on_dmms.rs"]
pub mod on_dmms;

pub mod bad;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The program that is tested.
pub const UMM: &str = env!("CARGO_BIN_EXE_umm");

/// The folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of `tests/data/`.
pub fn data(name: &str) -> PathBuf {
    root().join("tests/data").join(name)
}

/// A page of the project, by its path.
pub fn page(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A temporary folder with files of these names and texts.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The arguments of a command: words, or a line of them apart by blanks.
pub trait Words: std::fmt::Debug {
    fn words(&self) -> Vec<&str>;
}

impl Words for str {
    fn words(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Words for String {
    fn words(&self) -> Vec<&str> {
        self.as_str().words()
    }
}

impl Words for [&str] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Words for Vec<&str> {
    fn words(&self) -> Vec<&str> {
        self.clone()
    }
}

impl<const N: usize> Words for [&str; N] {
    fn words(&self) -> Vec<&str> {
        self.to_vec()
    }
}

pub fn command(folder: &Path, words: &(impl Words + ?Sized)) -> Command {
    let mut command = Command::new(UMM);
    // As in a pipe, whatever terminal the tests are run in.
    command.current_dir(folder).args(words.words()).env_remove("COLUMNS");
    command
}

pub fn umm(folder: &Path, words: &(impl Words + ?Sized)) -> Output {
    command(folder, words).output().unwrap()
}

/// With standard input, which a command that refuses it does not read to its end.
pub fn reads(folder: &Path, words: &(impl Words + ?Sized), input: &str) -> Output {
    let mut command = command(folder, words);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What it prints.
pub fn succeeds(folder: &Path, words: &(impl Words + ?Sized)) -> String {
    let output = umm(folder, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one line of JSON that it prints, without a word beside it.
pub fn json(folder: &Path, words: &(impl Words + ?Sized)) -> Value {
    let output = umm(folder, words);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && message.is_empty(), "{words:?}: {message}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "{words:?}");
    serde_json::from_str(&text).unwrap()
}

/// The message of a mistake: exit code 2.
pub fn fails(folder: &Path, words: &(impl Words + ?Sized)) -> String {
    exits(folder, words, 2)
}

/// The message with which it ends with this exit code.
pub fn exits(folder: &Path, words: &(impl Words + ?Sized), code: i32) -> String {
    let output = umm(folder, words);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {message}");
    assert!(message.starts_with("error: "), "{words:?}: {message}");
    message
}
