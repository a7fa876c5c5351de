//! The process in which the cases run.

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chacha20::ChaCha8Rng;
use clap::error::ErrorKind;
use memory_machine::cli;
use memory_machine::diagnostic::visible;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::judge;
use crate::kinds::KINDS;
use crate::{mutate, seeds};

pub const STDOUT: &str = "stdout.log";
pub const STDERR: &str = "stderr.log";
/// A line `at CASE` as each case begins, `failed WHY` for each that fails.
pub const REPORT: &str = "report.log";
/// The command line of the case.
const COMMAND: &str = "command.txt";

/// A case that takes longer hangs; without optimisation all takes longer.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 10 });

/// What the command line made of a case.
pub struct Outcome {
    pub code: u8,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the cases `from..to` of a kind: the arguments are kind, seed, from, to, folder.
pub fn run(words: &[String]) {
    let number = |at: usize| words[at].parse::<u64>().expect("a number");
    let (kind, seed, from, to) = (number(0) as usize, number(1), number(2), number(3));
    let folder = PathBuf::from(&words[4]);
    std::env::set_current_dir(&folder).expect("the folder of the run");
    let (kind_number, kind) = (kind, &KINDS[kind]);
    let root = root();
    let _ = fs::create_dir("m");
    for (to, source) in kind.beside {
        let text = fs::read_to_string(root.join(source)).expect("a shipped file");
        let shorter = seeds::shortened(&text, &mut ChaCha8Rng::seed_from_u64(seed));
        fs::write(to, shorter).expect("a file beside");
    }
    let corpus = kind.corpus();
    let mut texts = kind.seeds();
    texts.extend(corpus.iter().cloned());
    if let Some(command) = kind.made_by {
        call(command);
        texts.push(fs::read_to_string(kind.file).expect("what the command leaves"));
    }
    watch();
    let mut report = fs::File::create(REPORT).expect("a report");
    for case in from..to {
        STARTED.store(now(), Ordering::Relaxed);
        writeln!(report, "at {case}").expect("a report");
        let mixed = seed ^ case.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ((kind_number as u64) << 56);
        let mut rng = ChaCha8Rng::seed_from_u64(mixed);
        let at = usize::try_from(case).expect("a case");
        let (text, (command, twin)) = match corpus.get(at / kind.commands.len()) {
            Some(text) => (text.clone().into_bytes(), &kind.commands[at % kind.commands.len()]),
            None => {
                let seed = seeds::shortened(seeds::choose(&texts, &mut rng), &mut rng);
                let text = mutate::text(&seed, kind.name == "listing", &texts, &mut rng);
                (text, kind.commands.choose(&mut rng).expect("commands"))
            }
        };
        fs::write(kind.file, &text).expect("the case");
        fs::write(COMMAND, command).expect("the command");
        let compiles = rng.random_ratio(1, 20);
        let why = catch_unwind(AssertUnwindSafe(|| {
            let outcome = call(command);
            judge::outcome(&outcome)?;
            judge::outputs(&folder, &text, compiles)?;
            if let Some(twin) = twin {
                let other = call(twin.command);
                judge::outcome(&other)?;
                judge::twins(&outcome, &other, twin.fields)?;
            }
            Ok(())
        }));
        let why: Result<(), String> = why.unwrap_or_else(|_| Err("panicked".to_owned()));
        if let Err(why) = why {
            let why = format!("`umm {command}`: {}", why.escape_debug());
            writeln!(report, "failed {why}").expect("a report");
            keep(&folder, kind.name, case);
        }
        judge::clear(&folder, kind.file);
    }
}

/// The repository: where `cargo` says, else where this was built.
pub fn root() -> PathBuf {
    let said = std::env::var_os("CARGO_MANIFEST_DIR");
    said.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

/// Where what failed is kept.
pub fn kept() -> PathBuf {
    root().join("target/fuzz")
}

/// Keeps a case's files under its kind and number.
pub fn keep(folder: &Path, kind: &str, case: u64) {
    let place = kept().join(format!("{kind}-{case}"));
    let _ = fs::create_dir_all(place.join("m"));
    for part in ["", "m"] {
        for entry in fs::read_dir(folder.join(part)).into_iter().flatten().flatten() {
            if entry.path().is_file() {
                let _ = fs::copy(entry.path(), place.join(part).join(entry.file_name()));
            }
        }
    }
}

/// What `umm` would do, in this process.
fn call(command: &str) -> Outcome {
    for name in [STDOUT, STDERR] {
        fs::write(name, "").expect("an empty log");
    }
    let words = std::iter::once("umm").chain(command.split_whitespace());
    let code = match cli::try_main(words) {
        Ok(Ok(())) => 0,
        Ok(Err(failure)) => {
            eprintln!("{failure}");
            failure.exit_code()
        }
        // A value may be a file, read as the command line is.
        Err(error) if error.kind() == ErrorKind::ValueValidation => {
            eprintln!("{}", visible(&error.render().to_string()));
            2
        }
        Err(error) => panic!("no command of umm: {error}"),
    };
    let _ = std::io::stdout().flush();
    let read = |name: &str| String::from_utf8(fs::read(name).expect("a log"));
    let text = |name: &str| read(name).unwrap_or_else(|_| panic!("{name} is not UTF-8"));
    Outcome { code, stdout: text(STDOUT), stderr: text(STDERR) }
}

/// Milliseconds at which the case began.
static STARTED: AtomicU64 = AtomicU64::new(0);

fn now() -> u64 {
    static ORIGIN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    ORIGIN.elapsed().as_millis() as u64
}

/// Ends the process when a case hangs.
fn watch() {
    STARTED.store(now(), Ordering::Relaxed);
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_millis(200));
            if now() - STARTED.load(Ordering::Relaxed) > LONGEST.as_millis() as u64 {
                eprintln!("a case took more than {LONGEST:?}");
                std::process::abort();
            }
        }
    });
}
