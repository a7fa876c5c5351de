//! Mutated inputs of every kind through the whole command line, in process.
//!
//! `cargo test` runs a bounded number; by hand, a long run:
//!
//! ```sh
//! cargo test --release --test fuzz -- listings=1000000 files=100000 seed=7
//! cargo test --release --test fuzz -- only=points files=100000 workers=8
//! ```
//!
//! A worker is this program again, under a limit of memory and with its output in a file, so that
//! what aborts it is seen from outside and what it prints is read. Every case follows from the seed,
//! its kind and its number; those that fail are kept in `target/fuzz`.
//!
//! The files of `tests/fuzz/corpus/KIND` are tried first, as they are, with every command of their kind,
//! and are mutated like the shipped ones: a file that failed once is copied there when it is mended.

#[path = "../support/bad.rs"]
#[allow(dead_code, reason = "the files themselves are for tests of the command")]
mod bad;
mod judge;
mod kinds;
mod mutate;
mod seeds;
mod worker;

use std::fs::{self, File, OpenOptions};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};

use kinds::{KINDS, Kind};
use memory_machine::cli::CappedAllocator;

#[global_allocator]
static ALLOCATOR: CappedAllocator = CappedAllocator;

/// How much is tried, as `NAME=VALUE` on the command line.
struct Plan {
    listings: u64,
    files: u64,
    seed: u64,
    workers: usize,
    only: Option<String>,
}

impl Plan {
    fn new(words: &[String]) -> Option<Self> {
        let mut plan = Self { listings: 400, files: 40, seed: 1, workers: 2, only: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            // Flags of `cargo test` are meant for other binaries, and a filter leaves this one out.
            if word.starts_with("--") {
                if ["--skip", "--format", "--test-threads"].contains(&word.as_str()) {
                    words.next();
                }
                continue;
            }
            let (name, value) = word.split_once('=')?;
            match name {
                "listings" => plan.listings = value.parse().ok()?,
                "files" => plan.files = value.parse().ok()?,
                "seed" => plan.seed = value.parse().ok()?,
                "workers" => plan.workers = value.parse().ok()?,
                "only" => plan.only = Some(value.to_owned()),
                _ => return None,
            }
        }
        Some(plan)
    }

    fn cases(&self, kind: &Kind) -> u64 {
        let wanted = self.only.as_deref().is_none_or(|only| only == kind.name);
        let mutated = if kind.name == "listing" { self.listings } else { self.files };
        if wanted { kind.corpus_cases() + mutated } else { 0 }
    }
}

/// Cases that one process tries, if none ends it.
const CHUNK: u64 = 2000;

/// Bytes of address space that a worker may take, in KiB as `ulimit -v` has it.
const MEMORY_KIB: u64 = 6 << 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, rest @ ..] = &words[..]
        && first == "--worker"
    {
        worker::run(rest);
        return ExitCode::SUCCESS;
    }
    let Some(plan) = Plan::new(&words) else {
        println!("fuzz: skipped; it takes listings=N files=N seed=N workers=N only=KIND");
        return ExitCode::SUCCESS;
    };
    let chunks = KINDS.iter().enumerate().flat_map(|(number, kind)| {
        let cases = plan.cases(kind);
        let starts = (0..cases).step_by(CHUNK as usize);
        starts.map(move |start| (number, start..cases.min(start + CHUNK)))
    });
    let queue = Mutex::new(chunks);
    let worker = || {
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        std::iter::from_fn(next).map(|(kind, cases)| explore(kind, cases, plan.seed)).sum::<u64>()
    };
    let failures: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|it| it.join().unwrap_or(1)).sum()
    });
    let tried: u64 = KINDS.iter().map(|kind| plan.cases(kind)).sum();
    println!("fuzz: seed {}: {} passed, {failures} failed", plan.seed, tried - failures);
    if failures > 0 {
        println!("fuzz: what failed is kept in {}", worker::kept().display());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Cases of one kind, by its number; how many of them failed.
fn explore(number: usize, mut cases: Range<u64>, seed: u64) -> u64 {
    let kind = &KINDS[number];
    let mut failures = 0;
    while !cases.is_empty() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = |name: &str| append(&folder.path().join(name));
        let limited = format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\"");
        let status = Command::new("sh")
            .args(["-c", &limited])
            .arg(std::env::current_exe().expect("this program's path"))
            .arg("--worker")
            .args([
                number.to_string(),
                seed.to_string(),
                cases.start.to_string(),
                cases.end.to_string(),
            ])
            .arg(folder.path())
            .stdin(std::process::Stdio::null())
            .stdout(output(worker::STDOUT))
            .stderr(output(worker::STDERR))
            .env("RUST_BACKTRACE", "0")
            .status()
            .expect("a worker");
        let told = fs::read_to_string(folder.path().join(worker::REPORT)).unwrap_or_default();
        let mut last = cases.start;
        for line in told.lines() {
            match line.split_once(' ') {
                Some(("at", case)) => last = case.parse().unwrap_or(last),
                Some(("failed", why)) => {
                    failures += 1;
                    println!("fuzz: {} case {last}: {why}", kind.name);
                }
                _ => {}
            }
        }
        if status.success() {
            cases.start = cases.end;
        } else if status.code() == Some(2) {
            // Refused for want of memory, as `umm` would be.
            cases.start = last + 1;
        } else {
            // What ended the process is kept: its folder is as the case left it.
            failures += 1;
            let stderr = fs::read(folder.path().join(worker::STDERR)).unwrap_or_default();
            let stderr = String::from_utf8_lossy(&stderr);
            let tail = stderr.lines().last().unwrap_or_default().escape_debug();
            println!("fuzz: {} case {last}: {status}: {tail}", kind.name);
            worker::keep(folder.path(), kind.name, last);
            cases.start = last + 1;
        }
    }
    failures
}

/// A file whose writes go to its end, however often it is emptied.
fn append(path: &Path) -> File {
    OpenOptions::new().create(true).append(true).open(path).expect("a file in a temporary folder")
}
