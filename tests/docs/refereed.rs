//! The page of refereed theorems: the command of each row gives its verdict.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::support::{page, root, umm};

/// The arguments of a line; blanks between apostrophes part none.
fn words(line: &str) -> Vec<&str> {
    let mut words = vec![];
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

/// What stands in bold before the rest of a verdict.
fn kind(verdict: &str) -> &str {
    verdict.split("**").nth(1).unwrap_or_else(|| panic!("{verdict}"))
}

/// Claims get their verdicts; other commands print what the verdict quotes.
fn check(command: &str, verdict: &str) {
    let line = command.trim_matches('`').strip_prefix("umm ").unwrap();
    let output = umm(root(), &words(line));
    let text = String::from_utf8_lossy(&output.stdout);
    if line.starts_with("complexity ") {
        let (code, word) = match kind(verdict) {
            "PROVED" => (0, "PROVED:"),
            "REFUTED" => (1, "REFUTED:"),
            "OPEN" => (3, "NOT PROVED:"),
            other => panic!("{line}: {other}"),
        };
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
        assert!(text.starts_with(word), "{line}: {text}");
    } else {
        assert!(output.status.success(), "{line}: {output:?}");
        for quoted in verdict.split('`').skip(1).step_by(2) {
            assert!(text.contains(quoted), "{line}: `{quoted}` is not in {text}");
        }
    }
}

#[test]
fn theorems_get_their_verdicts() {
    let page = page("docs/refereed.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|it| it.contains("| `umm "))
        .map(|it| it.split('|').map(str::trim).collect())
        .collect();
    let of = |wanted: &str| rows.iter().filter(|it| kind(it[4]) == wanted).count();
    let papers: BTreeSet<&str> = rows.iter().map(|it| it[1]).collect();
    let counts = format!(
        "{} statements of {} papers: {} proved, {} counted, {} refuted, {} open",
        rows.len(),
        papers.len(),
        of("PROVED"),
        of("COUNTED"),
        of("REFUTED"),
        of("OPEN")
    );
    assert!(page.contains(&counts), "{counts}");
    for paper in papers {
        assert_eq!(page.matches(&format!("\n| {paper} | ")).count(), rows_of(&rows, paper) + 1);
    }
    rows.par_iter().for_each(|row| check(row[3], row[4]));
}

fn rows_of(rows: &[Vec<&str>], paper: &str) -> usize {
    rows.iter().filter(|it| it[1] == paper).count()
}
