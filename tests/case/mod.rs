//! A case, and that every face of the program says the same of it.

mod limits;
mod result;

use std::fs;
use std::path::Path;

use memory_machine::case::Case;
use memory_machine::machine::Machine;
use memory_machine::measure::listings;
use memory_machine::models;
use memory_machine::predict::{LaunchOptions, ReuseCache, Work};
use memory_machine::run::layout::Arrangement;
use memory_machine::units::Threads;
use tempfile::TempDir;

use crate::support::{command, fails, json, succeeds};

/// Where each input's thread reads depends on the input, so that a warp touches many address groups
/// although the arrangement is column-wise.
const GATHER: &str = "algorithm gather(n)\ninput p[n] : i32\noutput b[n] : i32\n\n\
                      for i ← 0 to n-1 do\n  b[i] ← p[p[i] mod n]\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("gather.alg"), GATHER).unwrap();
    folder
}

/// The stages or time units of a sweep's only row.
fn swept(folder: &Path, flags: &str, column: &str) -> u64 {
    succeeds(folder, &format!("sweep gather.alg {flags} -o rows.csv --force"));
    let mut rows = csv::Reader::from_path(folder.join("rows.csv")).unwrap();
    let place = rows.headers().unwrap().iter().position(|it| it == column).unwrap();
    rows.records().next().unwrap().unwrap()[place].parse().unwrap()
}

#[test]
fn every_face_fills_all_inputs_of_a_bulk_run() {
    let folder = folder();
    let folder = folder.path();
    let flags = "--set n=32 --bulk column -p 4096";
    let case = Case::parse("gather.alg", GATHER).unwrap().set("n", 32);
    let case = case.threads(4096).unwrap().bulk(Arrangement::ColumnWise);
    let total = case.time().unwrap().total();
    assert_eq!(total.stages, 91_522);
    let time = u64::try_from(total.time_units.0).unwrap();

    let run = json(folder, &format!("run gather.alg {flags} --json"));
    assert_eq!((run["stages"].as_u64(), run["time_units"].as_u64()), (Some(91_522), Some(time)));
    let run = json(folder, &format!("run gather.alg {flags} --time-only --json"));
    assert_eq!(run["stages"], 91_522);
    assert_eq!(swept(folder, flags, "stages"), 91_522);
    let bounds = json(folder, &format!("bounds gather.alg {flags} --json"));
    assert_eq!(bounds["points"][0]["time_units"].as_u64(), Some(time));
    let trace = succeeds(folder, &format!("trace gather.alg {flags} -o -"));
    fs::write(folder.join("gather.trace"), trace).unwrap();
    assert_eq!(json(folder, "replay gather.trace --json")["time_units"].as_u64(), Some(time));

    // A prediction counts on the model's machine.
    let model = models::find("h200").unwrap();
    let machine = model.calibration.as_ref().unwrap();
    let manner = LaunchOptions { launch: None, prefetch: 1 };
    let on_model = case.clone().on(Machine { width: case.machine.width, ..model.machine() });
    let work = Work::of(&on_model, manner, machine, &mut ReuseCache::default()).unwrap();
    let time = on_model.time().unwrap().total().time_units.0 as f64;
    let units = work.time_units.unwrap();
    assert!((units - time).abs() < 1e-9 * time, "{units} {time}");
    let predicted = json(folder, &format!("predict gather.alg {flags} --model h200 --json"));
    let plain = predicted["plain_s"].as_f64().unwrap();
    let wanted = memory_machine::predict::plain(&work, machine).unwrap();
    assert!((plain - wanted).abs() < 1e-12, "{plain} {wanted}");
}

#[test]
fn inputs_matter_wherever_a_listing_is_timed() {
    let folder = folder();
    let folder = folder.path();
    // Every thread reads word 0, or each its own.
    fs::write(folder.join("zeros.csv"), "0\n".repeat(8)).unwrap();
    fs::write(folder.join("apart.csv"), "0\n1\n2\n3\n4\n5\n6\n7\n").unwrap();
    let text = "algorithm gather(n)\ninput p[n] : i32\noutput b[n] : i32\n\n\
                for i ← 0 to n-1 do in parallel\n  b[i] ← p[p[i] × 9]\n";
    let wide = text.replace("input p[n]", "input p[9*n]").replace("p[i] ×", "p[i] mod 8 ×");
    fs::write(folder.join("wide.alg"), wide).unwrap();
    let numbers =
        |of: &dyn Fn(usize) -> usize| (0..72).map(|i| format!("{}\n", of(i))).collect::<String>();
    fs::write(folder.join("zeros.csv"), numbers(&|_| 0)).unwrap();
    fs::write(folder.join("apart.csv"), numbers(&|i| i)).unwrap();
    for (input, stages) in [("zeros", 2 + 2 + 2), ("apart", 2 + 8 + 2)] {
        let flags = format!("--set n=8 -p 8 -w 4 -l 3 --input p={input}.csv");
        let time = json(folder, &format!("run wide.alg {flags} --json"));
        assert_eq!(time["stages"], stages, "{input}");
        let units = time["time_units"].as_u64().unwrap();
        let bounds = json(folder, &format!("bounds wide.alg {flags} --json"));
        assert_eq!(bounds["points"][0]["time_units"].as_u64(), Some(units));
        succeeds(folder, &format!("sweep wide.alg {flags} -o {input}-rows.csv"));
        let rows = fs::read_to_string(folder.join(format!("{input}-rows.csv"))).unwrap();
        assert!(rows.contains(&format!(",{stages},{units},")), "{rows}");
    }
    let spec = "algorithm = \"wide.alg\"\nset.n = 8\nthreads = 8\nwidth = 4\nlatency = 3\n\
                input.p = \"apart.csv\"\n";
    fs::write(folder.join("spec.toml"), spec).unwrap();
    succeeds(folder, "sweep spec.toml -o spec.csv");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("spec.csv"), read("apart-rows.csv"));
    let message = fails(folder, "sweep wide.alg --set n=8 --input q=apart.csv -o no.csv");
    assert!(message.contains("no algorithm of this sweep takes an input `q`"), "{message}");
    let message = fails(folder, "bounds wide.alg --set n=9 --input p=apart.csv");
    assert!(
        message.contains("apart.csv: has 72 × 1 numbers") && message.contains("p[81]"),
        "{message}"
    );
    // Where all inputs are alike, all threads stay side by side.
    let predict = |input: &str| {
        let flags = format!("--set n=72 --bulk column -p 4096 --model h200 --input p={input}");
        json(folder, &format!("predict gather.alg {flags} --json"))["plain_s"].as_f64().unwrap()
    };
    assert!(predict("random") > 1.01 * predict("zeros.csv"));
}

#[test]
fn loops_end_wherever_a_listing_is_timed() {
    let folder = folder();
    let endless = "algorithm f(n)\ninout a[n] : i32\n\nwhile a[0] > -1 do\n  a[0] ← 1\n";
    fs::write(folder.path().join("endless.alg"), endless).unwrap();
    for command in [
        "run endless.alg --set n=4",
        "bounds endless.alg --set n=4",
        "complexity endless.alg --set n=4..64*2",
        "sweep endless.alg --set n=4 -o out.csv",
        "predict endless.alg --set n=4 --bulk row -p 4 --model h200",
        "check endless.alg --set n=4",
        "graph endless.alg --set n=4",
    ] {
        let message = fails(folder.path(), &format!("{command} --while-limit 1000"));
        assert!(
            message.contains("endless.alg:4") && message.contains("1000"),
            "{command}: {message}"
        );
    }
}

#[test]
fn folders_keep_the_listings_that_are_not_shipped() {
    let folder = folder();
    let folder = folder.path();
    let measured = folder.join("measured");
    fs::create_dir(&measured).unwrap();
    let shipped =
        crate::support::root().join("models/measurements/nvidia-h200/2026-11-21/device.json");
    fs::copy(shipped, measured.join("device.json")).unwrap();
    let header = "name,set,bulk,threads,launch,ahead,processor,devices,regime,bytes,verified,seed,repetition,time_s\n";
    let row = "gather,n=32,column,4096,plain,1,gpu,1,cache,1048576,all,1,0,0.0000081\n";
    fs::write(measured.join("algorithms.csv"), format!("{header}{row}")).unwrap();
    let compare = "compare measured --model h200";
    let message = fails(folder, compare);
    let place = "no shipped listing is called `gather`, and the folder has neither";
    assert!(message.contains(place), "{message}");

    let program = |text: &str| Case::parse("gather.alg", text).unwrap().program;
    listings::keep(&measured, &program(GATHER), false).unwrap();
    let compared = json(folder, &format!("{compare} --json"));
    assert_eq!(
        (compared["points"].as_u64(), &compared["algorithms"][0]["name"]),
        (Some(1), &"gather".into())
    );
    let time =
        json(folder, "predict gather.alg --set n=32 --bulk column -p 4096 --model h200 --json");
    let wanted = (time["prediction"]["time_s"].as_f64().unwrap() / 0.0000081 - 1.0).abs();
    assert!((compared["mape"].as_f64().unwrap() - wanted).abs() < 1e-9, "{compared}");

    // An input is read once, however many points have it.
    let more = row.replace("4096", "64");
    fs::write(measured.join("algorithms.csv"), format!("{header}{row}{more}")).unwrap();
    fs::write(folder.join("zeros.csv"), "0\n".repeat(32)).unwrap();
    let zeros = fs::File::open(folder.join("zeros.csv")).unwrap();
    let line = "compare measured --model h200 --input p=-";
    let output = command(folder, line).stdin(zeros).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    // A listing whose text was changed since is not what was measured.
    let kept = fs::read_dir(measured.join("listings")).unwrap().next().unwrap().unwrap().path();
    fs::write(&kept, GATHER.replace("mod n", "mod 3")).unwrap();
    let message = fails(folder, compare);
    assert!(message.contains("this is not the text that was measured"), "{message}");
    fs::write(&kept, GATHER).unwrap();

    // The same again is fine; other words under the same name are not, once there are times.
    listings::keep(&measured, &program(GATHER), true).unwrap();
    let other = GATHER.replace("mod n", "mod 2");
    let error = listings::keep(&measured, &program(&other), true).unwrap_err().to_string();
    assert!(error.contains("another listing called `gather`"), "{error}");
    listings::keep(&measured, &program(&other), false).unwrap();
    assert_eq!(fs::read_dir(measured.join("listings")).unwrap().count(), 1);
    let shipped = Case::load("sum").unwrap().program;
    listings::keep(&measured, &shipped, true).unwrap();
    let mine = program("algorithm sum(n)\ninput a[n] : f32\noutput b[n] : f32\n\nb[0] ← a[0]\n");
    assert!(listings::keep(&measured, &mine, true).is_err(), "the times are the shipped sum's");
}

/// Of a validation set's listing a folder keeps the hash; its text is the set's.
#[test]
fn folders_keep_hashes_of_validation_listings() {
    let folder = folder();
    let folder = folder.path();
    let program = Case::load("collatz").unwrap().program;
    let changed = format!("{}\n", program.source.text);
    let other = Case::parse("collatz.alg", &changed).unwrap().program;

    listings::keep(folder, &program, false).unwrap();
    let hashes = fs::read_to_string(folder.join("listings.csv")).unwrap();
    let row = hashes.strip_prefix("name,hash\ncollatz,").unwrap().trim_end();
    assert!(!folder.join("listings").exists(), "its text is in the set");
    assert_eq!(listings::measured(folder, "collatz").unwrap().source.text, program.source.text);
    listings::keep(folder, &program, true).unwrap();
    let error = listings::keep(folder, &other, true).unwrap_err().to_string();
    assert!(error.contains("another listing called `collatz`"), "{error}");

    // Without times the other text takes its place, and the other way round.
    listings::keep(folder, &other, false).unwrap();
    assert_eq!(listings::measured(folder, "collatz").unwrap().source.text, changed);
    assert!(!fs::read_to_string(folder.join("listings.csv")).unwrap().contains("collatz"));
    listings::keep(folder, &program, false).unwrap();
    assert_eq!(fs::read_to_string(folder.join("listings.csv")).unwrap(), hashes);
    assert_eq!(fs::read_dir(folder.join("listings")).unwrap().count(), 0);

    // A folder of an older version has the text itself.
    fs::remove_file(folder.join("listings.csv")).unwrap();
    let error = listings::measured(folder, "collatz").unwrap_err().to_string();
    assert!(error.contains("no shipped listing is called `collatz`"), "{error}");
    let old = folder.join(format!("listings/collatz-{row}.alg"));
    fs::write(&old, &program.source.text).unwrap();
    assert_eq!(listings::measured(folder, "collatz").unwrap().source.text, program.source.text);
    fs::remove_file(old).unwrap();

    // A hash that no set has is no reason to take another text.
    fs::write(folder.join("listings.csv"), "name,hash\ncollatz,0123456789abcdef\n").unwrap();
    let error = listings::measured(folder, "collatz").unwrap_err().to_string();
    let place =
        "listings.csv:2: no listing `collatz` of a validation set has the hash 0123456789abcdef";
    assert!(error.contains(place) && error.ends_with("collatz-0123456789abcdef.alg"), "{error}");
    fs::write(folder.join("listings.csv"), "name\ncollatz\n").unwrap();
    let error = listings::measured(folder, "collatz").unwrap_err().to_string();
    assert!(error.contains("listings.csv:2"), "{error}");
}

#[test]
fn one_use_times_a_listing() {
    let text = "algorithm reverse(n)\ninput a[n] : f32\noutput b[n] : f32\n\n\
                for i ← 0 to n-1 do in parallel\n  b[n-1-i] ← a[i]\n";
    let case = Case::parse("reverse.alg", text).unwrap().set("n", 1024).threads(256).unwrap();
    assert_eq!(case.time().unwrap().total().time_units.0, 4 * 2 * (8 + 100 - 1));
    assert_eq!(case.sample().unwrap().time_units, Some(856));
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    case.execute(&layout, &mut memory, &mut memory_machine::run::NoopObserver).unwrap();
    assert_eq!(case.verify(&layout, &memory).unwrap().is_right(), None);
    let case = Case::load("sum").unwrap().set("n", 64);
    assert_eq!(
        Case { threads: Threads::ONE, ..case }.to_string(),
        "sum --set n=64 -m umm -w 32 -l 100 -p 1 --mode sync"
    );
}

/// A GPU makes numbers by itself as it has them, not those that a listing asks for from a range; and a
/// permutation, but not one for each input of a bulk run.
#[test]
fn what_a_listing_says_of_its_inputs_holds_on_a_gpu() {
    let of = |origin: &str| {
        let text = GATHER.replace("input p[n] : i32", &format!("input p[n] : i32{origin}"));
        let case = Case::parse("gather.alg", &text).unwrap().set("n", 32);
        let p = case.program.array_named("p").unwrap();
        let inputs = &case.inputs;
        let random = [false, true].map(|bulk| inputs.are_all_random(&case.program, bulk));
        (random, inputs.is_permutation(&case.program, p))
    };
    assert_eq!(of(""), ([true, true], false));
    assert_eq!(of(" from permutation"), ([true, false], true));
    assert_eq!(of(" from random(0, 9)"), ([false, false], false));
}

/// What is not affine is executed for the count, and only as long as is allowed.
#[test]
fn counting_ends_where_it_takes_more_than_allowed() {
    let text = "algorithm f(n)\ninout a[n] : i32\nfor i ← 0 to n-1 do in parallel\n  \
                s ← i × i mod 7\n  if s < 3 then a[i × i mod n] ← 1\n";
    let case = Case::parse("test.alg", text).unwrap().set("n", 4096);
    let layout = case.layout().unwrap();
    assert!(case.count_within(&layout, [100, u64::MAX]).unwrap().is_none());
    assert!(case.count_within(&layout, [u64::MAX - 1, 100]).unwrap().is_none());
    let counted = case.count_within(&layout, [1 << 20; 2]).unwrap().unwrap();
    assert!(!counted.executed.is_empty());
    assert_eq!(counted, case.count(&layout).unwrap());
}
