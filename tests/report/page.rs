//! `umm report` writes one page that needs nothing beside itself.

use std::collections::BTreeSet;
use std::path::Path;

use memory_machine::chart::measurement::{PredictedTime, Predictions};
use memory_machine::measure::folder::Folder;
use memory_machine::models::published;
use memory_machine::report::fidelity::{Ablation, Accuracy};
use memory_machine::report::{FidelityTables, page};
use roxmltree::{Document, Node, ParsingOptions};

use super::synthetic;
use crate::support::{fails, root, umm};

const SECTIONS: [&str; 11] = [
    "machine",
    "method",
    "microbenchmarks",
    "bulk",
    "algorithms",
    "opt",
    "greedy",
    "hull",
    "fidelity",
    "left-out",
    "times",
];
const NONE: Result<&FidelityTables, &str> = Err("nobody asked");

/// The page is well-formed, has its sections in order, fetches nothing; its names are unique, its links lead
/// somewhere, and all that is not text is described.
fn check(page: &str) {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(page, options).unwrap();
    let all = |name: &'static str| document.descendants().filter(move |it| it.has_tag_name(name));
    let words = |it: Node| -> String { it.descendants().filter_map(|it| it.text()).collect() };
    let sections: Vec<&str> = all("section").filter_map(|it| it.attribute("id")).collect();
    let in_order = SECTIONS.into_iter().filter(|it| sections.contains(it));
    assert_eq!(sections, in_order.collect::<Vec<_>>());
    assert_eq!(all("main").count(), 1);
    let ids: Vec<&str> = document.descendants().filter_map(|it| it.attribute("id")).collect();
    let headings = ["h1", "h2", "h3", "h4"];
    let headings: Vec<String> = headings.into_iter().flat_map(all).map(words).collect();
    let captions: Vec<String> = all("caption").map(words).collect();
    for names in [ids.iter().map(|it| (*it).to_owned()).collect(), headings, captions] {
        let unique: BTreeSet<&String> = names.iter().collect();
        assert_eq!(unique.len(), names.len(), "{names:?}");
    }
    assert_eq!(all("caption").count(), all("table").count());
    assert!(all("th").all(|it| it.has_attribute("scope") && !words(it).is_empty()));
    let svg = || document.descendants().filter(|it| it.tag_name().name() == "svg");
    for picture in svg() {
        let said = |name: &str| picture.children().any(|it| it.tag_name().name() == name);
        assert!(said("title") && said("desc") && picture.attribute("role") == Some("img"));
    }
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "//", "<script", "@import", "url(", "src="] {
        assert!(!outside.contains(word), "{word}");
    }
    assert!(!page.contains("NaN") && !page.contains('`') && !page.contains(" 1 stretches"));
    // Every colour of a picture is defined, once for a light page and once for a dark one.
    let colours = page.split("var(--c").skip(1).map(|it| it.split(')').next().unwrap());
    for colour in colours.collect::<BTreeSet<_>>() {
        assert_eq!(page.matches(&format!("--c{colour}:")).count(), 2, "{colour}");
    }
    for link in document.descendants().filter_map(|it| it.attribute("href")) {
        assert!(ids.contains(&link.strip_prefix('#').unwrap()), "{link}");
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
    assert!(page.contains("Synthetic &#60;device&#62; &#38; test"), "names are escaped");
    assert!(page.contains("No prediction is held against a time: no calibrated machine"));
    // Two panels of two bulk runs, the ratio, four of microbenchmarks, three of algorithms.
    assert_eq!(page.matches("<svg").count(), 12);
    assert!(page.contains("Column-wise bulk runs are up to "), "the first finding");
    assert_eq!(page.matches("aria-label=\"Where this is shown").count(), 5);
    assert!(page.contains("No convex hull was measured in this folder."));
    // Nothing half written is left.
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 4);
}

#[test]
fn sections_without_data_are_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write_device(folder.path(), &synthetic::device());
    let mut rows = synthetic::Rows::new(0.0);
    rows.add(("sum", "n=64"), None, Some(32), "gpu", 1e-6);
    rows.write(&folder.path().join("algorithms.csv"));
    let page = written(folder.path(), &["report", "."]);
    check(&page);
    let titles: Vec<&str> = page.split("-title\">").skip(2).step_by(2).collect();
    let titles: Vec<&str> = titles.iter().map(|it| it.split('<').next().unwrap()).collect();
    let wanted = ["Machine", "Method", "Each algorithm", "What was not compared, and why"];
    assert_eq!(titles, wanted.into_iter().chain(["All times"]).collect::<Vec<_>>());
    assert!(page.contains("stands beside nothing: no such bulk run is in this folder"));
    for what in ["microbenchmark", "engine of optimal polygon triangulation", "convex hull"] {
        assert!(page.contains(&format!("No {what} was measured in this folder.")), "{what}");
    }
}

#[test]
fn fidelity_is_told_where_there_is_any() {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(folder.path(), 0.05);
    let folder = Folder::read(folder.path()).unwrap();
    let calibrated = || "calibrated".to_owned();
    let off = folder.algorithms.iter().map(|it| {
        let prediction = PredictedTime { model: calibrated(), time_s: 1.1 * it.median_s() };
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
    let page = page(&folder, &published(), Ok(&tables)).unwrap();
    check(&page);
    for part in [
        "10.0 %",
        "12.5 %",
        "34.5 %",
        "Predicted against measured",
        "10.0 % off in the mean, bias +10\u{a0}%",
        "are off by 10.0 % in the mean over",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

/// The largest folder that is shipped makes a page that opens at once: below a million bytes.
#[test]
fn the_shipped_folder_makes_a_small_page() {
    let root = root().join("models/measurements/nvidia-h200");
    let folder = Folder::read(&root.join("2026-11-21")).unwrap();
    let page = page(&folder, &published(), NONE).unwrap();
    check(&page);
    assert!(page.len() < 900_000, "{} bytes", page.len());
    assert_eq!(page.matches("aria-label=\"Where this is shown").count(), 5);
    for id in ["opt", "greedy", "hull"] {
        assert!(page.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    assert!(page.contains("no bound in f64"), "a share of the ceiling above 1 is explained");
}

/// A folder without engines opens with what its microbenchmarks say.
#[test]
fn latencies_are_findings() {
    let root = root().join("models/measurements/nvidia-h200");
    let folder = Folder::read(&root.join("2026-11-22")).unwrap();
    let page = page(&folder, &published(), NONE).unwrap();
    for text in [
        "A load that waits for the one before takes 39.6 cycles within 4 KiB and 632 within 362 MiB.",
        "A warp waits 29 cycles for shared memory, and 91 where 32 of its words meet in a bank.",
    ] {
        assert!(page.contains(text), "{text}: {}", &page[..5000]);
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
        let dated = memory_machine::measure::Device { date: day.to_owned(), ..synthetic::device() };
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
