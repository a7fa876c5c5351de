//! A command reads a listing once. What comes through a pipe can be read no second time, so that
//! every command here would find it empty.

use crate::support::{folder, reads};

const SUMS: &str = "algorithm sums(n)\ninput b[n] : i32\noutput s[n] : i32\n\nr ← 0\nfor i ← 0 to n-1 do\n  \
                    r ← r + b[i]\n  s[i] ← r\n";

#[test]
fn a_listing_is_read_once() {
    let folder = folder(&[]);
    for line in [
        "run - --set n=8 --json",
        "run - --set n=8 --time-only",
        "check -",
        "check - --set n=8 --json",
        "trace - --set n=8 -o trace.txt",
        "bounds - --derive",
        "bounds - --set n=8,16",
        "bounds - --set n=8,16 --bulk column --json",
        "complexity - --bound n*l --json",
        "complexity - --set n=8..64*2",
        "complexity - --set n=8..64*2 --bound n*l --terms n*l,n --json",
        "predict - --set n=8 --bulk column --model h200 --listing",
        "predict - --set n=8 --bulk column --model h200 --json",
        "sweep - --set n=8,16 -o rows.csv",
        "graph - --set n=8",
        "cuda - --bulk column",
    ] {
        let output = reads(folder.path(), line, SUMS);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {message}");
    }
}
