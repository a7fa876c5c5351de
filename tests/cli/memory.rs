//! Memory: asked for before it is taken, and no more than is said.

use std::process::{Command, Output};

use crate::support::{UMM, command, root};

/// `umm` where a process may have so many MiB.
fn limited(mebibytes: u64, line: &str) -> (Option<i32>, String) {
    let command = format!("ulimit -v {}; exec \"$0\" {line}", mebibytes << 10);
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", &command, UMM]).current_dir(&folder);
    let Output { status, stderr, .. } = shell.output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn what_does_not_fit_is_refused_with_the_number_and_a_remedy() {
    for line in [
        "run sum --set n=2000000000",
        "trace sum --set n=2000000000 -o -",
        "explain sum --set n=2000000000",
        "check sum --set n=2000000000",
        "graph permute --set n=1000000000",
        "predict permute --set n=1000000000 --model h200",
        "run prefix_sums --set n=4 --bulk row -p 500000000",
        "sweep permute --set n=1000000000 -o table.csv",
        "hull random -n 400000000",
        "greedy random -n 40000000",
        "opt solve random -n 40000",
    ] {
        let (code, message) = limited(2000, line);
        assert_eq!(code, Some(2), "{line}: {message}");
        assert!(message.starts_with("error: "), "{line}: {message}");
        assert!(message.contains("GiB of memory, but "), "{line}: {message}");
        assert!(message.contains("choose "), "{line}: {message}");
    }
}

/// What grows as it goes along is refused, too.
#[test]
fn memory_that_ends_during_a_run_ends_in_a_message() {
    let (code, message) = limited(1000, "check sum --set n=20000000");
    assert_eq!(code, Some(2), "{message}");
    assert!(message.starts_with("error: "), "{message}");
    assert!(message.contains("choose smaller sizes"), "{message}");
}

/// Sixteen bytes a word of the arrays, and 160 MiB for the program, unoptimised, and its stacks.
#[test]
fn a_run_takes_sixteen_bytes_a_word() {
    let lines = [
        ("run transpose --set n=1000", 4 * 1000 * 1000),
        ("run sum --set n=8000000", 8_000_000),
        ("run prefix_sums --set n=2000000 -p 1", 2_000_000),
        ("run prefix_sums --set n=64 --bulk column -p 50000", 3_200_000),
        ("run permute --set n=2000000", 6_000_000),
    ];
    for (line, words) in crate::some(lines, 3) {
        let mebibytes = 16 * words / (1 << 20) + 160;
        let (code, message) = limited(mebibytes, line);
        assert_eq!(code, Some(0), "{line} in {mebibytes} MiB: {message}");
    }
}

#[test]
fn a_pool_of_a_hundred_thousand_threads_is_refused() {
    let output =
        command(root(), "hull random").env("RAYON_NUM_THREADS", "100000").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.starts_with("error: RAYON_NUM_THREADS=100000: at most 1024"), "{message}");
}
