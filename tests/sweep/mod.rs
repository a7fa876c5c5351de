//! `umm sweep`: the same table whatever happens on the way.

mod shards;

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use memory_machine::algorithms::catalogue;
use memory_machine::diagnostic::Source;
use memory_machine::language::{self, program::Program};
use memory_machine::sample::Sample;
use memory_machine::sweep::{LogError, Points, SweepLog, SweepSpec};
use tempfile::TempDir;

use crate::support::{command, fails, succeeds, umm};

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

fn samples(text: &str) -> Vec<Sample> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect::<Result<_, _>>().unwrap()
}

fn prefix_sums() -> Arc<Program> {
    let text = catalogue::find("prefix_sums").unwrap().text.to_owned();
    let source = Source { name: "prefix_sums.alg".to_owned(), text };
    Arc::new(language::load(source).unwrap())
}

/// Waits until the sweep has written something more than its first line.
fn wait_for_rows(child: &mut Child, partial: &Path, longer_than: u64) {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() && started.elapsed() < Duration::from_secs(60) {
        if fs::metadata(partial).is_ok_and(|it| it.len() > longer_than) {
            return;
        }
        sleep(Duration::from_millis(1));
    }
}

/// 896 points, some of which depend on values and are slow.
const GRID: &str = "sweep permute,umm_opt --set n=16..40+8 -p 1..64*2 -l 1..4 -m umm,dmm \
                    --mode sync,async --phases";

#[test]
fn killed_at_any_moment_it_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(folder.path(), &format!("{GRID} -o whole.csv"));
    let whole = read(&folder, "whole.csv");
    assert!(!folder.path().join("whole.csv.partial").exists());

    let partial = folder.path().join("killed.csv.partial");
    let (mut kills, mut length) = (0, 0);
    for round in crate::some(0_u64..8, 3) {
        let mut child = command(folder.path(), &format!("{GRID} -o killed.csv"))
            .env("RAYON_NUM_THREADS", (1 + round % 3).to_string())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_for_rows(&mut child, &partial, length);
        sleep(Duration::from_millis(round * round * 3 % 17));
        child.kill().unwrap();
        let killed = !child.wait().unwrap().success();
        if !killed {
            break;
        }
        kills += 1;
        // What was written stays, and at most the last point is torn.
        let now = fs::metadata(&partial).unwrap().len();
        assert!(now + 4096 > length, "{now} bytes after {length}");
        length = now;
        if round % 2 == 1 {
            fs::OpenOptions::new().write(true).open(&partial).unwrap().set_len(now - 7).unwrap();
            length = now - 7;
        }
    }
    assert!(kills > 0, "the sweep was too fast to be killed");
    if partial.exists() {
        succeeds(folder.path(), &format!("{GRID} -o killed.csv"));
    }
    assert_eq!(read(&folder, "killed.csv"), whole);
    assert!(!partial.exists());
}

/// A table that is printed leaves nothing behind, whether or not it comes to its end.
#[test]
fn a_sweep_to_standard_output_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let table = succeeds(folder.path(), "sweep sum --set n=4 -p 1 -o -");
    assert_eq!(table.lines().count(), 2, "{table}");
    fails(folder.path(), "sweep gcd.alg --set n=4 -o -");
    let endless = "algorithm endless(n)\noutput b[n] : i64\n\ni ← 0\nwhile i ≥ 0 do\n  b[0] ← i\n";
    fs::write(folder.path().join("endless.alg"), endless).unwrap();
    fails(folder.path(), "sweep endless.alg --set n=4 -o - --while-limit 10");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn torn_anywhere_it_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let line = "sweep prefix_sums --set n=4,8 -p 1..8 --bulk row,column --phases -w 4 -l 5";
    succeeds(folder.path(), &format!("{line} -o whole.csv"));
    let whole = read(&folder, "whole.csv");

    let spec = "algorithm = 'prefix_sums'\nset.n = '4,8'\nthreads = '1..8'\nbulk = 'row,column'\n\
                phases = true\nwidth = 4\nlatency = 5";
    let spec =
        SweepSpec::parse(Source { name: "spec.toml".to_owned(), text: spec.to_owned() }).unwrap();
    let programs = [prefix_sums()];
    let points = Points::new(&spec, &programs).unwrap();
    let path = folder.path().join("torn.csv.partial");
    drop(SweepLog::open(&path, &spec, &programs, &points, false).unwrap());
    let header = read(&folder, "torn.csv.partial");
    assert_eq!(header.lines().count(), 1);
    // The file as it stands just before the end: the first line, then rows.
    let go_on = |log: &mut SweepLog| {
        for index in (0..points.len()).filter(|&it| !log.is_done(it)).collect::<Vec<_>>() {
            log.append(index, &points.get(index).samples().unwrap()).unwrap();
        }
    };
    // A process that another test has just begun holds the lock for a moment, before it executes.
    let reopen = || {
        loop {
            match SweepLog::open(&path, &spec, &programs, &points, false) {
                Err(LogError::Busy) => sleep(Duration::from_millis(10)),
                other => return other,
            }
        }
    };
    go_on(&mut reopen().unwrap());
    let complete = read(&folder, "torn.csv.partial");
    let lengths = (0..header.len()).step_by(17).chain((header.len()..=complete.len()).step_by(61));
    for length in crate::some(lengths, 3) {
        fs::write(&path, &complete[..length]).unwrap();
        succeeds(folder.path(), &format!("{line} -o torn.csv --force"));
        assert_eq!(read(&folder, "torn.csv"), whole, "{length}");
    }

    // A byte that is not as it was written.
    for at in crate::some(header.len()..complete.len(), 7) {
        let mut damaged = complete.clone().into_bytes();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        let mut log = reopen().unwrap();
        let lost = (0..points.len()).filter(|&it| !log.is_done(it)).count();
        assert!((1..=2).contains(&lost), "{at}: {lost} points are done again");
        go_on(&mut log);
        let mut table = vec![];
        log.finish(&points, &mut table).unwrap();
        assert_eq!(String::from_utf8(table).unwrap(), whole, "{at}");
    }
    // A row that stands twice, as after a torn write, is no other row.
    let begins = header.len();
    let row =
        complete[begins..].find('\n').map(|length| &complete[begins..=begins + length]).unwrap();
    fs::write(&path, header.clone() + row + &complete[begins..]).unwrap();
    let mut table = vec![];
    let mut log = reopen().unwrap();
    go_on(&mut log);
    log.finish(&points, &mut table).unwrap();
    assert_eq!(String::from_utf8(table).unwrap(), whole);
}

#[test]
fn cores_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let mut tables = vec![];
    for threads in ["1", "2", "7"] {
        let line = "sweep permute,sum,transpose --set n=8,32 -p 16,64 -w 4,8 -l 3 -m umm,dmm -o out.csv --force";
        let output = command(folder.path(), line).env("RAYON_NUM_THREADS", threads).output();
        assert!(output.unwrap().status.success());
        tables.push(read(&folder, "out.csv"));
    }
    assert_eq!(tables[0], tables[1]);
    assert_eq!(tables[0], tables[2]);
}

#[test]
fn rows_are_those_of_single_runs() {
    let folder = tempfile::tempdir().unwrap();
    succeeds(
        folder.path(),
        "sweep permute,umm_opt --set n=12,16 -p 8,32 -w 4 -l 5 --mode async --seed 3 --phases -o out.csv",
    );
    let rows = samples(&read(&folder, "out.csv"));
    assert_eq!(rows.len(), 4 * 2 + 4 * 7);
    let mut first_phase = 0;
    for (at, row) in rows.iter().enumerate() {
        let (algorithm, set, p) = (&row.algorithm, row.set.to_string(), row.threads.unwrap());
        let line =
            format!("run {algorithm} --set {set} -p {p} -w 4 -l 5 --mode async --seed 3 --json");
        let run: serde_json::Value =
            serde_json::from_slice(&umm(folder.path(), &line).stdout).unwrap();
        let of_run = match &row.phase {
            None => {
                first_phase = at + 1;
                &run
            }
            Some(phase) => {
                let it = &run["phases"][at - first_phase];
                assert_eq!(it["name"], phase.as_str());
                it
            }
        };
        assert_eq!(u128::from(of_run["time_units"].as_u64().unwrap()), row.time_units.unwrap());
        assert_eq!(u128::from(of_run["stages"].as_u64().unwrap()), row.stages.unwrap());
        assert_eq!((row.seed, row.version.as_deref()), (Some(3), Some(env!("CARGO_PKG_VERSION"))));
    }
}

#[test]
fn closed_forms_of_bulk_runs() {
    let spec = "algorithm = 'prefix_sums'\nset = { n = '32..256*2' }\nthreads = '32..1048576*2'\n\
                latency = [1, 100]\nbulk = 'row,column'";
    let spec =
        SweepSpec::parse(Source { name: "spec.toml".to_owned(), text: spec.to_owned() }).unwrap();
    let programs = [prefix_sums()];
    let points = Points::new(&spec, &programs).unwrap();
    points.check().unwrap();
    assert_eq!(points.len(), 4 * 16 * 2 * 2);
    for index in 0..points.len() {
        let row = points.get(index).sample().unwrap();
        let (t, p) = (2 * row.set.0["n"] as u128, u128::from(row.threads.unwrap()));
        let l = u128::from(row.latency.unwrap());
        let stages = if row.bulk.as_deref() == Some("row") { p } else { p / 32 };
        assert_eq!(row.time_units, Some((stages + l - 1) * t), "{row:?}");
    }
}

#[test]
fn a_file_says_the_same_as_flags() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "algorithm = [\"prefix_sums\", \"opt\"]\nset.n = [8, 64]\nthreads = \"64..256*2\"\n\
                width = 4\nlatency = [10, 20]\nmachine = \"umm\"\nmode = \"sync\"\n\
                bulk = [\"row\", \"column\"]\nseed = 2\nphases = false\nwhile_limit = 1000\n";
    fs::write(folder.path().join("spec.toml"), spec).unwrap();
    succeeds(folder.path(), "sweep spec.toml --latency 5,6 -o file.csv");
    succeeds(
        folder.path(),
        "sweep prefix_sums,opt --set n=8,64 -p 64,128,256 -w 4 -l 5,6 --bulk row,column --seed 2 -o flags.csv",
    );
    let table = read(&folder, "file.csv");
    assert_eq!(table, read(&folder, "flags.csv"));
    assert_eq!(samples(&table).len(), 2 * 2 * 3 * 2 * 2);
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("out.csv"), "mine").unwrap();
    let message = fails(folder.path(), "sweep sum --set n=8 -o out.csv");
    assert!(message.contains("--force"), "{message}");
    assert_eq!(read(&folder, "out.csv"), "mine");

    fs::write(folder.path().join("other.csv.partial"), "mine too").unwrap();
    let message = fails(folder.path(), "sweep sum --set n=8 -o other.csv");
    assert!(message.contains("another -o"), "{message}");
    assert_eq!(read(&folder, "other.csv.partial"), "mine too");
    succeeds(folder.path(), "sweep sum --set n=8 -o other.csv --force");
    assert_eq!(samples(&read(&folder, "other.csv")).len(), 1);
}

#[test]
fn a_changed_listing_is_another_sweep() {
    let folder = tempfile::tempdir().unwrap();
    let listing = |what: &str| {
        format!("algorithm mine(n)\noutput o[n] : f32\n\nfor i ← 0 to n-1 do\n  o[{what}] ← 0\n")
    };
    let path = folder.path().join("mine.alg");
    fs::write(&path, listing("i + i / 9")).unwrap();
    // n = 10 fails when it runs; what was finished stays.
    let message = fails(folder.path(), "sweep mine.alg --set n=4..10 -o out.csv");
    assert!(message.contains("mine --set n=10 -m umm"), "{message}");
    assert!(folder.path().join("out.csv.partial").exists());
    fs::write(&path, listing("i")).unwrap();
    let message = fails(folder.path(), "sweep mine.alg --set n=4..10 -o out.csv");
    assert!(message.contains("another version"), "{message}");
    succeeds(folder.path(), "sweep mine.alg --set n=4..10 -o out.csv --force");
    assert_eq!(samples(&read(&folder, "out.csv")).len(), 7);
}
