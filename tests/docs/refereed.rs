//! The page of refereed theorems: the command of each row gives its verdict.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::support::{folder, page, root, succeeds, umm};

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

/// What a listing of the page leaves in an array, of these inputs, for several numbers of threads.
fn outcome(listing: &str, n: usize, inputs: &[(&str, &[i64])], output: &str) -> Vec<i64> {
    let texts: Vec<(String, String)> = inputs
        .iter()
        .map(|(name, values)| {
            let lines: Vec<String> = values.iter().map(i64::to_string).collect();
            (format!("{name}.csv"), lines.join("\n"))
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|it| (&*it.0, &*it.1)).collect();
    let here = folder(&files);
    let at = here.path().display();
    let given: String =
        inputs.iter().map(|(name, _)| format!(" --input {name}={at}/{name}.csv")).collect();
    let results = [1, 3, 64].map(|threads| {
        let path = format!("{at}/result-{threads}.csv");
        let line = format!(
            "run docs/listings/{listing}.alg --set n={n} -p {threads}{given} --output {output}={path}"
        );
        succeeds(root(), &line);
        std::fs::read_to_string(path).unwrap()
    });
    assert!(results.iter().all(|it| *it == results[0]), "{listing}: {results:?}");
    results[0]
        .split([',', '\n'])
        .filter(|it| !it.is_empty())
        .map(|it| it.parse().unwrap())
        .collect()
}

#[test]
fn listings_compute_what_the_page_says() {
    for n in [1, 2, 5, 8] {
        let values: Vec<i64> = (0..n * n).map(|it| (it * it % 11) as i64 - 4).collect();
        let sums: Vec<i64> = (0..n * n)
            .map(|at| {
                let cells = (0..n * n).filter(|it| it / n <= at / n && it % n <= at % n);
                cells.map(|it| values[it]).sum()
            })
            .collect();
        assert_eq!(outcome("sat", n, &[("a", &values)], "a"), sums);

        let (a, b) = (&values[..n], &values[n * n - n..]);
        let series = a.iter().zip(b).scan(0, |x, (a, b)| {
            *x = a * *x + b;
            Some(*x)
        });
        let series: Vec<i64> = series.collect();
        assert_eq!(outcome("recurrence", n, &[("a", a), ("b", b)], "x"), series);

        let list: Vec<i64> = (0..n).map(|it| ((it * 3 + 1) % n) as i64).collect();
        let mut ranks = vec![0; n];
        for (place, element) in list.iter().enumerate() {
            ranks[*element as usize] = (n - 1 - place) as i64;
        }
        assert_eq!(outcome("list_rank", n, &[("p", &list)], "rank"), ranks);
    }
    for line in
        ["rank_tree.alg --set n=9", "merge.alg --set n=9 --input a=sorted --input b=sorted:3"]
    {
        let text = succeeds(root(), &format!("run docs/listings/{line}"));
        assert!(text.contains("verified: the result agrees with `ensures`"), "{text}");
    }
}
