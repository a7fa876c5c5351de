//! The table of what each machine has is what each machine does.

use std::path::Path;

use crate::support::{folder, page, umm};

/// What a machine must be told, as `run` has it and as `sweep` has it, and a figure of it.
fn told(machine: &str) -> (&str, &str, &str) {
    match machine {
        "work-span" => ("", "", "--figure span"),
        "ideal-cache" => ("", "", "--figure misses"),
        "mpc" => ("--space 4", "--rule space=4", "--figure rounds"),
        "roofline" => ("--model h100", "--rule bandwidth=2e12", ""),
        _ => ("", "", ""),
    }
}

/// Whether a command does what it is asked; that a claim is refuted is an answer, too.
fn does(folder: &Path, words: &str) -> bool {
    let output = umm(folder, words);
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => true,
        Some(1) if said.contains("refuted") => true,
        // The refusal has a name and a remedy.
        code => {
            assert_eq!(code, Some(2), "{words}: {said}");
            assert!(["-m ", "-o", "--draw"].iter().any(|it| said.contains(it)), "{words}: {said}");
            false
        }
    }
}

#[test]
fn each_machine_has_what_the_table_says() {
    let readme = page("docs/machines/README.md");
    let (words, python) = (page("web/page/words.js"), page("python/memory_machine/_listing.py"));
    let table = readme.split("## What each machine has").nth(1).unwrap();
    let table = table.lines().skip_while(|it| !it.starts_with("| machine")).skip(2);
    let rows: Vec<Vec<&str>> = table
        .take_while(|it| it.starts_with('|'))
        .map(|it| it.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 14);
    let it = folder(&[]);
    for row in rows {
        let machine = row[0].trim_matches('`');
        let (run, sweep, figure) = told(machine);
        let samples = format!("{machine}.csv");
        let counted =
            umm(it.path(), &format!("run sum --set n=16 -m {machine} {run} --time-only --json"));
        let counted = counted.status.success()
            && !String::from_utf8_lossy(&counted.stdout).contains("\"counted\":false");
        let swept = does(
            it.path(),
            &format!("sweep sum --set n=8..32*2 -m {machine} {sweep} -o {samples}"),
        );
        let drawn = does(it.path(), &format!("plot time {samples} {figure} -o {machine}.svg"));
        assert!(drawn, "{machine}: a chart of what was swept");
        let found = [
            does(it.path(), &format!("run sum --set n=16 -m {machine} {run}")),
            swept,
            counted,
            does(it.path(), &format!("bounds sum --derive -m {machine}")),
            does(it.path(), &format!("complexity sum -m {machine} --bound O(n^3)")),
            does(it.path(), &format!("run sum --set n=16 -m {machine} {run} -o {machine}-own.svg")),
            [format!("{machine}:"), format!("\"{machine}\":")].iter().any(|it| words.contains(it)),
            python.contains(&format!("\"{machine}\"")),
        ];
        let said: Vec<bool> = row[1..].iter().map(|it| *it == "yes").collect();
        assert_eq!(found.to_vec(), said, "{machine}");
    }
}
