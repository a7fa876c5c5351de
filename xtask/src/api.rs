//! The public items of the library, as `cargo doc` lists them: what a version may not lose unseen.

use std::fs;

use clap::Args;

use crate::{Failure, root, target};

/// Compare the library's public items with xtask/api.txt; `cargo doc --no-deps` comes first.
///
/// An item that is lost or renamed breaks programs that use it, so that the version's second number
/// changes, and the changelog says what to write instead.
#[derive(Debug, Args)]
pub struct Api {
    /// Write xtask/api.txt anew.
    #[arg(long)]
    bless: bool,
}

/// A line for each item, its kind and its path, in the order of the alphabet.
fn items() -> Result<String, Failure> {
    let path = target().join("doc/memory_machine/all.html");
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut items: Vec<String> = page
        .split("<li><a href=\"")
        .filter_map(|it| it.split_once(".html\""))
        .filter_map(|(place, _)| {
            let (folder, file) = place.rsplit_once('/').unwrap_or(("", place));
            let (kind, name) = file.split_once('.')?;
            let path: Vec<&str> =
                folder.split('/').filter(|it| !it.is_empty()).chain([name]).collect();
            Some(format!("{} {kind}\n", path.join("::")))
        })
        .collect();
    items.sort();
    if items.is_empty() {
        return Err(format!("{} lists no item", path.display()).into());
    }
    Ok(items.concat())
}

impl Api {
    pub fn run(self) -> Result<(), Failure> {
        let (path, found) = (root().join("xtask/api.txt"), items()?);
        if self.bless {
            fs::write(path, found)?;
            return Ok(());
        }
        let kept = fs::read_to_string(path)?;
        let without = |one: &str, other: &str, sign: char| -> String {
            let other: Vec<&str> = other.lines().collect();
            let lines = one.lines().filter(|it| !other.contains(it));
            lines.map(|it| format!("{sign} {it}\n")).collect()
        };
        let changes = without(&kept, &found, '-') + &without(&found, &kept, '+');
        if changes.is_empty() {
            println!("{} public items, as before", found.lines().count());
            return Ok(());
        }
        Err(format!("public items have changed:\n{changes}cargo xtask api --bless keeps them")
            .into())
    }
}
