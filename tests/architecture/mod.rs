//! The architecture: in which order files and rooms are read, what is spelled in one place, and how long
//! a file or a function may be. Which crate may use which is Cargo's work.

mod circles;
mod crates;
mod kinds;
mod properties;
mod rooms;
mod sizes;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::root;

/// A file of Rust: its path from the root, and its text.
struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// What is before its unit tests, which may use what they like.
    fn code(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default()
    }

    /// Its path with `/` between folders.
    fn name(&self) -> String {
        self.path.to_string_lossy().replace('\\', "/")
    }
}

/// The sources below a folder.
fn sources_of(folder: &str) -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<Source>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push(Source { path: path.strip_prefix(root()).unwrap().to_owned(), text });
            }
        }
    }
    let mut found = vec![];
    walk(&root().join(folder), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The names of the folders in `crates/`.
fn crate_names() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let mut names: Vec<_> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Of the library and all crates beneath it.
fn sources() -> Vec<Source> {
    let folders = crate_names().into_iter().map(|it| format!("crates/{it}/src"));
    folders.chain(["src".to_owned()]).flat_map(|it| sources_of(&it)).collect()
}
