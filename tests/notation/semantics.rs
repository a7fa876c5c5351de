//! `--semantics pram`, as it is typed.

use std::fs;

use crate::support::umm;

const MINIMUM: &str = "for h = 1 to log n do\n  for all i, 1 ≤ i ≤ n / 2^h, in parallel do\n    A[i] := min(A[2i-1], A[2i])\n";

/// With two threads, iterations of a step are done in turn: only a copy of what they read keeps them in step.
#[test]
fn a_listing_of_the_pram_has_no_race_and_says_what_it_copies() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("min.txt"), MINIMUM).unwrap();
    fs::write(folder.path().join("a.csv"), "9,4,7,3,8,5,6,2\n").unwrap();
    let run = |semantics: &str| {
        let words = format!(
            "run min.txt --set n=8 --input A=a.csv -p 2 -w 2 --output A=out.csv --json --semantics {semantics}"
        );
        umm(folder.path(), words.as_str())
    };
    let of_threads = run("threads");
    assert!(!String::from_utf8_lossy(&of_threads.stdout).contains("\"races\":[]"));
    let of_pram = run("pram");
    assert_eq!(of_pram.status.code(), Some(0), "{of_pram:?}");
    assert!(String::from_utf8_lossy(&of_pram.stdout).contains("\"races\":[]"));
    let said = String::from_utf8_lossy(&of_pram.stderr).into_owned();
    assert!(said.contains("each round copies it"), "{said}");
    let out = fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(out.starts_with('2'), "{out}");
    let plain = umm(folder.path(), "check --plain min.txt --semantics pram");
    let plain = String::from_utf8_lossy(&plain.stdout).into_owned();
    assert!(plain.contains("A[i] ← min(A_before_1[2 × i - 1], A_before_1[2 × i])"), "{plain}");
}

/// What a processor does by its own count, while others change what it reads, is not told round by round.
#[test]
fn what_cannot_be_told_round_by_round_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "for all i, 2 ≤ i ≤ n, in parallel do\n  for t = 1 to i do\n    A[i] := A[i-1] + t\n";
    fs::write(folder.path().join("own.txt"), text).unwrap();
    let refused = umm(folder.path(), "check own.txt --semantics pram");
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("own.txt:2:3") && said.contains("its own bounds"), "{said}");
}
