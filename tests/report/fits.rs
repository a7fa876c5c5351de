//! `umm fit` finds what the synthetic times were made of.

use serde_json::Value;

use super::synthetic;
use crate::support::{fails, root, umm};

fn fits(noise: f64) -> (tempfile::TempDir, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(folder.path(), noise);
    let output = umm(folder.path(), &["fit", ".", "--json", "--csv", "fits.csv"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    (folder, json["fits"].as_array().unwrap().clone())
}

#[test]
fn intervals_contain_what_the_times_were_made_of() {
    let (folder, fits) = fits(0.05);
    assert_eq!(fits.len(), 6);
    let mut held = 0;
    for fit in &fits {
        let subject = &fit["subject"];
        let factor = if subject["name"] == "opt" { 6.0 } else { 1.0 };
        let (a, b) = match (subject["processor"].as_str(), subject["bulk"].as_str()) {
            (Some("cpu"), _) => synthetic::CPU,
            (_, Some("row")) => synthetic::ROW,
            _ => synthetic::COLUMN,
        };
        for (name, truth) in [("fixed_s", a), ("per_input_s", factor * b)] {
            let at = |end: &str| fit[name][end].as_f64().unwrap();
            held += i32::from(at("low") <= truth && truth <= at("high"));
            let wide = at("high") - at("low");
            assert!((at("coefficient") - truth).abs() <= wide, "{name} {truth}: {fit:#}");
        }
        assert!(fit["mape"].as_f64().unwrap() < 0.05 && fit["r2"].as_f64().unwrap() > 0.99);
        assert_eq!(fit["points"], if subject["processor"] == "cpu" { 13 } else { 17 });
        // The GTX Titan's lines are of GPU runs.
        let published = fit["published"].as_array().unwrap();
        assert_eq!(published.len(), usize::from(subject["processor"] == "gpu"), "{fit:#}");
    }
    // Of 12 intervals of 95 % confidence; that they hold it so often is a test of `fit::line`.
    assert!(held >= 10, "{held}");
    let table = std::fs::read_to_string(folder.path().join("fits.csv")).unwrap();
    assert_eq!(table.lines().count(), 7);
}

#[test]
fn a_person_reads_units() {
    let (folder, _) = fits(0.0);
    let output = umm(folder.path(), &["fit", "."]);
    let text = String::from_utf8(output.stdout).unwrap();
    let row = text.lines().find(|it| it.contains("prefix_sums") && it.contains("column")).unwrap();
    for part in ["8 µs", "250 ps", "0.0 %"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    // In a note beneath, where the table would be wider than a hundred columns.
    let note = row.split_whitespace().last().unwrap();
    let lines = text.lines().skip_while(|it| !it.trim_start().starts_with(&format!("{note} ")));
    let note = lines.take(2).collect::<Vec<_>>().join(" ");
    let words = note.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("published: gtx-titan: 14 µs + 1.35 ns·p"), "{text}");
}

#[test]
fn what_cannot_be_fitted_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    assert!(fails(folder.path(), &["fit", "."]).contains("./device.json: cannot read it"));
    synthetic::write_device(folder.path(), &synthetic::device());
    assert!(fails(folder.path(), &["fit", "."]).contains("three numbers of inputs"));
}

/// The two times that Tani et al. state are those of their lines.
#[test]
fn what_a_paper_states_stands_beside_its_lines() {
    let here = root();
    let titan = "models/measurements/tani-gtx-titan";
    let output = umm(here, &["fit", titan, "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["device"], "GeForce GTX Titan");
    assert_eq!((&json["stated"], json["fits"].as_array().unwrap().len()), (&true.into(), 0));
    let points = json["points"].as_array().unwrap();
    assert_eq!(points.len(), 2);
    for point in points {
        let line = &point["published"][0];
        let inputs = point["subject"]["threads"].as_f64().unwrap();
        let at = line["fixed_s"].as_f64().unwrap() + line["per_input_s"].as_f64().unwrap() * inputs;
        let stated = point["time_s"].as_f64().unwrap();
        assert!((at - stated).abs() < 1e-3 * stated, "{point:#}");
    }
    let text = String::from_utf8(umm(here, &["fit", titan]).stdout).unwrap();
    for part in ["there is no device.json", "67.9 ms", "gtx-titan: 37 µs + 8.09 ns·p"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let other = "models/measurements/shoemaker-bg9";
    assert!(fails(here, &["fit", other]).contains("no file states the time of a bulk run"));
}

/// Three stated times or more make a line.
#[test]
fn what_a_paper_states_is_fitted_where_it_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = [1, 2, 4].map(|p| format!("opt,n=8,{p}000,column,{p}e-3,Mine\n")).concat();
    let table = format!("algorithm,set,threads,bulk,time_s,device\n{rows}");
    std::fs::write(folder.path().join("stated.csv"), table).unwrap();
    let output = umm(folder.path(), &["fit", ".", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let slope = json["fits"][0]["per_input_s"]["coefficient"].as_f64().unwrap();
    assert!((slope - 1e-6).abs() < 1e-12, "{slope}");
}
