//! All pages of the project: their links lead somewhere, and their paragraphs are short.

use std::fs;
use std::path::{Path, PathBuf};

/// Longer paragraphs hide what they say.
const MOST_WORDS: usize = 90;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Markdown under a folder, but for what is built, hidden, or others' text.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap_or("").to_owned();
        let is_built = name.starts_with('.')
            || ["target", "dist", "node_modules"].contains(&name.as_str())
            || path.ends_with("tests/data");
        if path.is_dir() && !is_built {
            collect(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

fn pages() -> Vec<PathBuf> {
    let mut found = vec![];
    collect(root(), &mut found);
    assert!(found.len() > 40, "{found:?}");
    found
}

/// A heading as the part of a link behind `#`.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|it| it.is_alphanumeric() || "-_".contains(*it)).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        for part in text.split("](").skip(1) {
            let link = part.split(')').next().unwrap();
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            links += 1;
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let here = path.parent().unwrap();
            let to = if file.is_empty() { path.clone() } else { here.join(file) };
            assert!(to.exists(), "{}: {link}", path.display());
            if !heading.is_empty() {
                let text = fs::read_to_string(&to).unwrap();
                let headings = text.lines().filter(|it| it.starts_with('#'));
                let anchors: Vec<String> =
                    headings.map(|it| anchor(it.trim_start_matches('#').trim())).collect();
                assert!(anchors.iter().any(|it| it == heading), "{}: {link}", path.display());
            }
        }
    }
    assert!(links > 100, "{links}");
}

/// Whether a line begins a list's item: `- `, `* `, `12. `.
fn begins_an_item(line: &str) -> bool {
    let after_number = line.trim_start_matches(|it: char| it.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || (after_number.len() < line.len() && after_number.starts_with(". "))
}

/// A page's paragraphs, items of lists and cells of tables, each with the line on which it begins.
fn paragraphs(page: &str) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = vec![];
    let mut is_code = false;
    let mut goes_on = false;
    for (number, line) in page.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.is_empty() || line.starts_with("```") || line.starts_with('#') {
            goes_on = false;
        } else if line.starts_with('|') {
            all.extend(line.split('|').map(|cell| (number + 1, cell.to_owned())));
            goes_on = false;
        } else if goes_on && !begins_an_item(line) {
            let text = &mut all.last_mut().unwrap().1;
            text.push(' ');
            text.push_str(line);
        } else {
            all.push((number + 1, line.to_owned()));
            goes_on = true;
        }
    }
    all
}

#[test]
fn paragraphs_are_short() {
    let words = |text: &str| text.split_whitespace().count();
    let mut long = vec![];
    for path in pages().iter().filter(|it| !it.ends_with("CHANGELOG.md")) {
        for (line, text) in paragraphs(&fs::read_to_string(path).unwrap()) {
            let words = words(&text);
            if words > MOST_WORDS {
                long.push(format!("{}:{line}: {words} words", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "more than {MOST_WORDS} words:\n{}", long.join("\n"));
}

#[test]
fn paragraphs_of_a_page() {
    let page =
        "# Title\n\none\ntwo\n- three\n  four\n1. five\n\n```\nsix\n```\n| seven | eight |\n";
    let found: Vec<(usize, String)> =
        paragraphs(page).into_iter().filter(|it| !it.1.is_empty()).collect();
    let expected =
        [(3, "one two"), (5, "- three four"), (7, "1. five"), (12, " seven "), (12, " eight ")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
}
