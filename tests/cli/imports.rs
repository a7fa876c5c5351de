//! Subcommands import what they share and the library, and no other subcommand.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    entries.flat_map(|it| if it.is_dir() { sources(&it) } else { vec![it] }).collect()
}

/// What follows each `prefix` in a text, as far as it is a name.
fn names<'a>(text: &'a str, prefix: &str) -> Vec<&'a str> {
    let name = |rest: &'a str| {
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
        &rest[..end]
    };
    text.split(prefix).skip(1).map(name).collect()
}

#[test]
fn no_subcommand_imports_another() {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli");
    let mut imports = 0;
    for path in sources(&cli) {
        let inside = path.strip_prefix(&cli).unwrap();
        if inside == Path::new("mod.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let shared = names(&text, "crate::cli::");
        if inside.starts_with("support") {
            assert_eq!(shared, [""; 0], "{}: imports a subcommand", inside.display());
            continue;
        }
        // Of a file that is a whole subcommand, and of a folder's, `super` is the command line.
        let parts = inside.components().count();
        let is_whole = parts == 1 || parts == 2 && inside.ends_with("mod.rs");
        let above = if is_whole { names(&text, "super::") } else { names(&text, "super::super::") };
        for name in shared.iter().chain(&above).filter(|it| !it.is_empty()) {
            // The tests at a file's end have all that stands above them.
            assert_eq!(*name, "support", "{}: imports {name}", inside.display());
            imports += 1;
        }
    }
    assert!(imports > 100, "{imports} imports of what is shared are too few to be all");
}
