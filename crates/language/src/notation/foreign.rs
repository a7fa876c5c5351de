//! What no listing has: kernels, records, complex numbers.

use crate::diagnostic::{Diagnostic, Span};

/// Words, what they begin, and what to write instead.
const FOREIGN: [(&[&str], &str, &str); 2] = [
    (
        &["__global__", "blockIdx", "threadIdx", "get_global_id", "__kernel", "@cuda.jit"],
        "a kernel for a GPU: what one thread does",
        "`umm kernel FILE` takes it as it stands; as a listing, which is what all threads do together, write `for i ← 0 to n-1 do in parallel` around the body, with i in place of the thread's number",
    ),
    (
        &[
            "double complex",
            "float complex",
            "complex double",
            "complex float",
            "_Complex",
            "cuComplex",
            "complex<",
        ],
        "complex numbers",
        "write two arrays, one of the real and one of the imaginary parts",
    ),
];

/// The first thing that no listing has.
pub(super) fn foreign(text: &str) -> Option<Diagnostic> {
    let words = FOREIGN.iter().flat_map(|(words, what, help)| {
        words.iter().filter_map(|it| Some((text.find(it)?, it.len(), *what, *help)))
    });
    let complex =
        ("complex numbers", "write two arrays, one of the real and one of the imaginary parts");
    let record = (
        "an element that has parts",
        "write an array for each part, as in `key[i]` for `A[i].key`",
    );
    let lines = text.lines().filter_map(|line| {
        let start = line.as_ptr().addr() - text.as_ptr().addr();
        let code = line.trim_start();
        let indent = line.len() - code.len();
        let lower = code.to_ascii_lowercase();
        let of_fortran = ["complex,", "complex ::", "complex(", "complex*", "double complex"];
        if of_fortran.iter().any(|it| lower.starts_with(it)) {
            return Some((start + indent, "complex".len(), complex.0, complex.1));
        }
        part(line).map(|(at, length)| (start + at, length, record.0, record.1))
    });
    let tasks = (
        "a task beside its caller",
        "leave out `spawn` and `sync`, which gives the same values, or write a loop in parallel over calls that have no `spawn` themselves",
    );
    let task = task(text).map(|at| (at, "spawn".len(), tasks.0, tasks.1));
    let (at, length, what, help) = words.chain(lines).chain(task).min_by_key(|it| it.0)?;
    Some(Diagnostic::new(Span::new(at, at + length), what).help(help))
}

/// The first `spawn` of a text that has a `sync`, too.
fn task(text: &str) -> Option<usize> {
    let is_sync = |line: &str| {
        let line = line.trim_start_matches(|it: char| it.is_ascii_digit() || it.is_whitespace());
        line.trim_end().eq_ignore_ascii_case("sync")
    };
    let at = text.find("spawn ").filter(|_| text.lines().any(is_sync))?;
    let begins = text[..at].chars().next_back().is_none_or(|it| !it.is_alphanumeric());
    begins.then_some(at)
}

/// `].key`, which is no method of an array.
fn part(line: &str) -> Option<(usize, usize)> {
    let code = line.split("//").next().unwrap_or_default();
    let code = code.split(['#', '%', '▷']).next().unwrap_or_default();
    code.match_indices("].").find_map(|(at, _)| {
        let behind = &code[at + 2..];
        let letters = behind
            .find(|it: char| !it.is_ascii_alphanumeric() && it != '_')
            .unwrap_or(behind.len());
        let name = &behind[..letters];
        let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic());
        let is_method = behind[letters..].starts_with('(')
            || ["length", "size", "shape", "rows", "cols", "columns", "T"].contains(&name);
        (is_name && !is_method).then_some((at + 2, letters))
    })
}
