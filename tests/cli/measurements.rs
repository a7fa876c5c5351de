//! Folders that are measured into.

use std::fs;
use std::path::Path;
use std::process::Output;

use memory_machine::measure::hull::HullRepetition;
use memory_machine::measure::{HULL, MeasurementLog, OPT, Repetition};

use crate::support::{self, folder};

/// A machine without a GPU, whatever this one has.
fn without_gpu(folder: &Path, line: &str) -> Output {
    support::command(folder, line).env("CUDA_VISIBLE_DEVICES", "").output().unwrap()
}

fn fails(folder: &Path, line: &str) -> String {
    let output = without_gpu(folder, line);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{line}: {message}");
    message
}

const HULLS: &str = "hull measure -n 10,20 --engine cpu --workers 1 --repetitions 7 -o m";

#[test]
fn two_processes_do_not_measure_into_one_table() {
    let folder = folder(&[]);
    let at = folder.path();
    fs::create_dir(at.join("m")).unwrap();
    let hull = MeasurementLog::<HullRepetition>::open(&at.join("m").join(HULL)).unwrap();
    let opt = MeasurementLog::<Repetition>::open(&at.join("m").join(OPT)).unwrap();
    let lines = [HULLS, "opt measure -n 8 --engine cpu --repetitions 7 -o m"];
    for line in lines {
        let message = fails(at, line);
        assert!(message.contains("another process is measuring into it; wait for it"), "{message}");
    }
    drop((hull, opt));
    for (line, rows) in lines.into_iter().zip([1 + 2 * 2 * 7, 1 + 7]) {
        assert!(without_gpu(at, line).status.success(), "{line}");
        let name = if line == HULLS { HULL } else { OPT };
        let table = fs::read_to_string(at.join("m").join(name)).unwrap();
        assert_eq!(table.lines().count(), rows, "{table}");
    }
}

#[test]
fn sizes_beyond_every_memory_are_refused_by_their_flag() {
    let folder = folder(&[]);
    for (line, flag) in [
        ("opt measure -n 4294967295 --engine cpu -o m", "-n 4294967295: "),
        ("opt measure -n 9223372036854775807 --engine plain -o m", "-n 9223372036854775807: "),
        ("opt measure -n 8 --polygons 4611686018427387904 --engine cpu -o m", "--polygons 46116"),
        ("hull measure -n 4294967296 --engine cpu -o m", "-n 4294967296: "),
        ("greedy measure -n 4294967296 --engine fast -o m", "-n 4294967296: "),
    ] {
        let message = fails(folder.path(), line);
        assert!(message.starts_with(&format!("error: {flag}")), "{line}: {message}");
    }
    assert!(!folder.path().join("m").exists());
}

/// A host has no driver that a message could name.
#[test]
fn a_folder_of_another_machine_is_refused_by_both_names() {
    let folder = folder(&[]);
    let at = folder.path();
    assert!(without_gpu(at, HULLS).status.success());
    let path = at.join("m/device.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut device: serde_json::Value = serde_json::from_str(&text).unwrap();
    if device["driver"] != "" {
        eprintln!("SKIPPED: this machine has a GPU, whose driver is named");
        return;
    }
    let name = device["name"].as_str().unwrap().to_owned();
    device["name"] = "Another machine".into();
    fs::write(&path, device.to_string()).unwrap();
    let message = fails(at, HULLS);
    let wanted = format!("measured on Another machine, but this is {name}; give another -o");
    assert!(message.contains(&wanted), "{message}");
}
