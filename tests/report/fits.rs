//! `umm fit` finds what the synthetic times were made of.

use serde_json::Value;

use super::{fails, synthetic, umm};

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
    for part in ["8 µs", "250 ps", "0.0 %", "gtx-titan: 14 µs + 1.35 ns·p"] {
        assert!(row.contains(part), "{part}: {row}");
    }
}

#[test]
fn what_cannot_be_fitted_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    assert!(fails(folder.path(), &["fit", "."]).contains("./device.json: cannot read it"));
    synthetic::write_device(folder.path(), &synthetic::device());
    assert!(fails(folder.path(), &["fit", "."]).contains("three numbers of inputs"));
}
