//! Values that no measurement has, in every file of a folder.

use memory_machine::measure::folder::Folder;
use memory_machine::measure::{Device, GREEDY, HULL, OPT};
use roxmltree::{Document, ParsingOptions};

use super::synthetic;
use crate::support::{fails, root, umm};

const SHIPPED: &str = "models/measurements/nvidia-h200/2026-11-21";

/// The first rows of a shipped file, in its first row the named columns as given.
fn changed(file: &str, columns: &[(&str, &str)]) -> String {
    let path = root().join(SHIPPED).join(file);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let mut writer = csv::Writer::from_writer(vec![]);
    writer.write_record(&header).unwrap();
    for (rank, row) in reader.records().take(8).enumerate() {
        let row = row.unwrap();
        writer
            .write_record(header.iter().zip(&row).map(|(name, field)| {
                let given = columns.iter().find(|it| rank == 0 && it.0 == name);
                given.map_or(field, |it| it.1)
            }))
            .unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn folder(file: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write_device(folder.path(), &synthetic::device());
    let path = folder.path().join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    folder
}

#[test]
fn they_are_refused_with_file_and_line() {
    let (huge, least, most) = ("18446744073709551615", "5e-324", "1e308");
    for (file, column, values) in [
        (HULL, "n", &["0", huge][..]),
        (HULL, "first_pass_s", &["0", "-1", "inf", "NaN", least, most]),
        (HULL, "vertices", &["0"]),
        (HULL, "time_s", &["0", "-0.5", "nan", least, most]),
        (GREEDY, "n", &["0", huge]),
        (GREEDY, "time_s", &["0", "inf", least, most]),
        (GREEDY, "sort_s", &["0", "-inf", most]),
        ("greedy_rounds.csv", "n", &["0", "1"]),
        ("greedy_rounds.csv", "rounds", &["0"]),
        ("greedy_rounds.csv", "alive", &[huge]),
        ("algorithms.csv", "time_s", &["0", "inf", least, most]),
        ("algorithms.csv", "threads", &["0", huge]),
        ("microbenchmarks.csv", "time_s", &["0", "NaN", least, most]),
        ("microbenchmarks.csv", "ahead", &["0"]),
        (OPT, "time_s", &["-1", least, most]),
        ("opt/table-1.csv", "time_s", &["", "0", "inf", least, most]),
        ("opt/table-3.csv", "time_s", &["", "0", "inf", least, most]),
        ("opt/table-2.csv", "n", &["0", huge]),
    ] {
        for value in values {
            let folder = folder(file, &changed(file, &[(column, value)]));
            let error = Folder::read(folder.path()).unwrap_err().to_string();
            let place = format!("{file}:2: `{column}` is ");
            assert!(error.contains(&place), "{column} = {value}: {error}");
        }
    }
    for file in ["algorithms.csv", OPT] {
        let set = format!("n={}", i64::MAX);
        let folder = folder(file, &changed(file, &[("set", &set)]));
        let error = Folder::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains(":2: `n` is 9223372036854775807; it is from"), "{error}");
    }
    for device in [
        Device { memory_clock_hz: -1.0, ..synthetic::device() },
        Device { clock_hz: 1e308, ..synthetic::device() },
        Device { memory_bytes: u64::MAX, ..synthetic::device() },
    ] {
        let folder = folder(HULL, &changed(HULL, &[]));
        synthetic::write_device(folder.path(), &device);
        let error = Folder::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("device.json: `"), "{error}");
    }
    let folder = folder(HULL, &changed(HULL, &[("first_pass_s", "0")]));
    for line in
        [&["report", "."][..], &["plot", "measured", ".", "--chart", "hull-rate", "-o", "p.svg"]]
    {
        assert!(fails(folder.path(), line).contains("hull.csv:2: `first_pass_s` is 0.0; it is"));
    }
}

/// The extremes that are possible make a page, and no number in it is none.
#[test]
fn extremes_are_reported() {
    let extremes = ["1e-15", "1e10"];
    for (file, columns) in [
        (HULL, ["time_s", "first_pass_s"]),
        (GREEDY, ["time_s", "triangulate_s"]),
        ("algorithms.csv", ["time_s", ""]),
        ("microbenchmarks.csv", ["time_s", ""]),
        (OPT, ["time_s", ""]),
    ] {
        for value in extremes {
            let set = columns.map(|it| (it, value));
            let sized = match file {
                HULL | GREEDY => ("n", "4294967295"),
                _ => ("set", "n=4398046511104"),
            };
            let folder = folder(file, &changed(file, &[&set[..], &[sized]].concat()));
            // Of a host without a GPU.
            let none = Device { memory_clock_hz: 0.0, clock_hz: 0.0, ..synthetic::device() };
            synthetic::write_device(folder.path(), &none);
            let output = umm(folder.path(), &["report", "."]);
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{file} {value}: {message}");
            let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
            let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
            let page = Document::parse_with_options(&page, options).unwrap();
            for text in page.descendants().filter_map(|it| it.text()) {
                let numbers = text.split(|it: char| !it.is_alphanumeric());
                let none = numbers.filter(|it| ["NaN", "inf"].contains(it)).count();
                assert_eq!(none, 0, "{file} {value}: {text}");
            }
        }
    }
}

#[test]
fn names_with_control_characters_make_a_page() {
    let folder = folder(HULL, &changed(HULL, &[("distribution", "disk")]));
    let name = "H200\u{1b}]0;x\u{7}\u{202e}".to_owned();
    synthetic::write_device(folder.path(), &Device { name, ..synthetic::device() });
    assert!(umm(folder.path(), &["report", "."]).status.success());
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(&page, options).unwrap();
    assert!(!page.contains(memory_machine::diagnostic::is_hidden));
    assert!(page.contains(r"H200\u{1b}]0;x\u{7}\u{202e}"));
}
