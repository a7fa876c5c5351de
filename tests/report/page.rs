//! `umm report` writes one page that needs nothing beside itself.

use std::path::Path;

use memory_machine::chart::measured::{Prediction, Predictions};
use memory_machine::measurement::folder::Folder;
use memory_machine::models::published;
use memory_machine::report::fidelity::{Ablation, Accuracy};
use memory_machine::report::{FidelityTables, page};
use roxmltree::{Document, ParsingOptions};

use super::{fails, synthetic, umm};

const SECTIONS: [&str; 7] =
    ["machine", "method", "microbenchmarks", "bulk", "algorithms", "fidelity", "times"];

/// The page is well-formed, has all sections, fetches nothing.
fn check(page: &str) {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(page, options).unwrap();
    let ids: Vec<&str> = document.descendants().filter_map(|it| it.attribute("id")).collect();
    assert_eq!(ids, SECTIONS);
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "//", "<script", "@import", "url(", "src="] {
        assert!(!outside.contains(word), "{word}");
    }
    assert!(!page.contains("NaN"));
    for link in document.descendants().filter_map(|it| it.attribute("href")) {
        assert!(SECTIONS.contains(&link.strip_prefix('#').unwrap()), "{link}");
    }
}

fn written(folder: &Path, arguments: &[&str]) -> String {
    let output = umm(folder, arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    std::fs::read_to_string(folder.join("report.html")).unwrap()
}

#[test]
fn a_whole_folder_makes_a_whole_page() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(folder.path(), 0.05);
    let page = written(folder.path(), &["report", "."]);
    check(&page);
    assert!(!page.contains("Nothing in this folder shows this"));
    assert!(page.contains("Synthetic &#60;device&#62; &#38; test"), "names are escaped");
    assert!(page.contains("No predictions are held"));
    // Two of bulk runs, the ratio, four of microbenchmarks, three of algorithms; light and dark.
    assert_eq!(page.matches("<svg").count(), 20);
    // Nothing half written is left.
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 4);
}

#[test]
fn sections_without_data_say_so() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write_device(folder.path(), &synthetic::device());
    let mut rows = synthetic::Rows::new(0.0);
    rows.add(("sum", "n=64"), None, Some(32), "gpu", 1e-6);
    rows.write(&folder.path().join("algorithms.csv"));
    let page = written(folder.path(), &["report", "."]);
    check(&page);
    assert_eq!(page.matches("Nothing in this folder shows this").count(), 6);
    assert!(page.contains("No bulk run has three numbers of inputs"));
}

#[test]
fn fidelity_is_told_where_there_is_any() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(folder.path(), 0.05);
    let folder = Folder::read(folder.path()).unwrap();
    let calibrated = || "calibrated".to_owned();
    let off = folder.algorithms.iter().map(|it| {
        let prediction = Prediction { model: calibrated(), time_s: 1.1 * it.median_s() };
        (it.subject.clone(), vec![prediction])
    });
    let (points, mape) = (folder.algorithms.len(), 0.1);
    let tables = FidelityTables {
        accuracies: vec![Accuracy {
            model: calibrated(),
            algorithm: "opt".to_owned(),
            points,
            mape,
            worst: 0.125,
        }],
        ablations: vec![
            Ablation { without: String::new(), points, mape },
            Ablation { without: "launch".to_owned(), points, mape: 0.345 },
        ],
        predictions: Predictions(off.collect()),
    };
    let page = page(&folder, &published(), Some(&tables)).unwrap();
    check(&page);
    for part in ["10.0 %", "12.5 %", "34.5 %", "Predicted against measured", "off by 10.0 %"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn the_latest_folder_is_the_default() {
    let root = tempfile::tempdir().unwrap();
    let none = fails(root.path(), &["report"]);
    assert!(none.contains("models/measurements: no folder DEVICE/DAY"), "{none}");
    for (device, day) in [("z", "2000-01-01"), ("a", "2000-02-01"), ("a", "2000-01-15")] {
        let folder = root.path().join("models/measurements").join(device).join(day);
        std::fs::create_dir_all(&folder).unwrap();
        synthetic::write(&folder, 0.0);
        let dated =
            memory_machine::measurement::Device { date: day.to_owned(), ..synthetic::device() };
        synthetic::write_device(&folder, &dated);
    }
    assert!(written(root.path(), &["report"]).contains("test, 2000-02-01"));
}

#[test]
fn what_cannot_be_reported_leaves_the_old_page() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("report.html"), "old").unwrap();
    assert!(fails(at, &["report", "."]).contains("device.json: cannot read it"));
    synthetic::write_device(at, &synthetic::device());
    assert!(fails(at, &["report", "."]).contains("no times are in this folder"));
    std::fs::write(at.join("algorithms.csv"), "name,set\nopt,n=8\n").unwrap();
    assert!(fails(at, &["report", "."]).contains("algorithms.csv"));
    std::fs::write(at.join("device.json"), "{").unwrap();
    assert!(fails(at, &["report", "."]).contains("device.json:1:"));
    assert_eq!(std::fs::read_to_string(at.join("report.html")).unwrap(), "old");
    synthetic::write(at, 0.0);
    assert!(fails(at, &["report", ".", "-o", "none/report.html"]).contains("no such folder"));
}
