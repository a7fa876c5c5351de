//! Optimal polygon triangulation: the paper's tables on the page, and charts of engines.

use std::fmt::Write;
use std::path::Path;

use memory_machine::algorithms::opt::relaxations;
use memory_machine::chart::Theme;
use memory_machine::chart::measurement::{Chart, Figure, MeasurementSource, Predictions, figures};
use memory_machine::measure::OPT;
use memory_machine::measure::folder::Folder;
use memory_machine::measure::opt::{PLAN, vertices};
use memory_machine::report::page;
use roxmltree::{Document, ParsingOptions};

use super::synthetic;
use crate::support::{fails, root, umm};

const CHARTS: [Chart; 5] =
    [Chart::OptTime, Chart::OptRate, Chart::OptShare, Chart::OptSpeedup, Chart::OptBatch];

/// Relaxations a second of the synthetic ceiling; the tiled engine makes half of them.
const CEILING: f64 = 2e13;

/// The plain loop takes 4,000 times as long as the tiled engine and has no time for n = 4096; the
/// CPU engine takes 10 times as long; the plan 8 times.
fn write_engines(folder: &Path) {
    let mut rows = synthetic::Rows::new(0.0);
    let tiled = |n: u64| relaxations(n) as f64 / CEILING * 2.0;
    rows.add(("opt_natural_ceiling_f32", ""), None, None, "gpu", 1e12 / CEILING);
    rows.add(("opt_ceiling_i32", ""), None, None, "gpu", 2e12 / CEILING);
    for n in [1024, 2048, 4096] {
        let set = format!("n={n}");
        rows.add(("opt_tiled_f32", &set), None, None, "gpu", tiled(n));
        rows.add(("opt_tiled_i32", &set), None, None, "gpu", 4.0 * tiled(n));
        rows.add(("opt_cpu_f32", &set), None, None, "cpu", 10.0 * tiled(n));
        if n < 4096 {
            rows.add(("opt_plain_f32", &set), None, None, "cpu", 4000.0 * tiled(n));
        }
    }
    for p in [1024, 4096] {
        rows.add(("opt_small_f32", "n=8"), None, Some(p), "gpu", 56e-12 * p as f64);
    }
    rows.write(&folder.join(OPT));
}

fn write_tables(folder: &Path) {
    let tuned = folder.join("opt");
    std::fs::create_dir_all(&tuned).unwrap();
    let head = "algorithm,set,time_s,device,source\n";
    let mut table_1 = head.to_owned();
    for (name, blocks) in [
        ("tb_naive", &[1][..]),
        ("tb_sliding", &[1]),
        ("bb_naive", &[1, 2]),
        ("bb_mirroring", &[1]),
    ] {
        for (b, t) in blocks.iter().flat_map(|b| [32, 64].map(|t| (b, t))) {
            let b = if name.starts_with("bb") { format!("b={b} ") } else { String::new() };
            let source = if t == 64 { "sum over timed stages" } else { "" };
            writeln!(table_1, "opt_{name},{b}n=8192 t={t},1.2345,a GPU,{source}").unwrap();
        }
    }
    std::fs::write(tuned.join("table-1.csv"), table_1).unwrap();
    let table_2 = "n,tb_first_stage,tb_last_stage,bb_first_stage,bb_last_stage\n\
                   1024,0,99,100,1022\n8192,,,0,8190\n";
    std::fs::write(tuned.join("table-2.csv"), table_2).unwrap();
    let plan = 8.0 * relaxations(1024) as f64 / CEILING * 2.0;
    let table_3 = format!("{head}opt_combined,n=1024,{plan},a GPU,\n");
    std::fs::write(tuned.join("table-3.csv"), table_3).unwrap();
}

fn whole() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    synthetic::write(folder.path(), 0.0);
    write_engines(folder.path());
    write_tables(folder.path());
    folder
}

fn charts(folder: &Folder, chart: Chart) -> Vec<Figure> {
    let predictions = Predictions::default();
    figures(chart, MeasurementSource { folder, published: &[], predictions: &predictions })
}

/// The rows of the page's tables in this section, cell by cell.
fn cells(page: &str) -> Vec<Vec<String>> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(page, options).unwrap();
    let rows = document.descendants().filter(|it| it.has_tag_name("tr"));
    let cell = |it: roxmltree::Node| it.text().unwrap_or_default().replace('\u{202f}', "");
    rows.map(|it| it.children().filter(roxmltree::Node::is_element).map(cell).collect()).collect()
}

#[test]
fn the_page_has_the_papers_tables() {
    let folder = whole();
    let page = page(&Folder::read(folder.path()).unwrap(), &[], Err("nobody asked")).unwrap();
    let cells = cells(&page);
    let row = |first: &str, second: &str| {
        let found = cells.iter().find(|it| it[0] == first && it[1].contains(second));
        found.unwrap_or_else(|| panic!("no row {first}, {second}")).clone()
    };
    // Table 1, as measured and as published.
    assert_eq!(row("sliding", "s")[1..4], ["1.23 s", "~ 1.23 s", ""]);
    assert_eq!(row("sliding, GTX 680", "16.9 s")[2], "13.9 s");
    assert_eq!(row("mirroring, b = 1", "1.23")[1], "1.23 s");
    assert_eq!(row("mirroring, b = 8, GTX 680", "13 s")[6], "53.5 s");
    // Table 2.
    assert_eq!(row("1024", "0 … 99")[1..], ["0 … 99", "100 … 1022", "0 … 43", "44 … 1022"]);
    assert_eq!(row("8192", "none")[1..], ["none", "0 … 8190", "0 … 923", "924 … 8190"]);
    // Table 3: 178 433 024 relaxations at 10¹³ a second.
    let times = ["71.4 ms", "178 µs", "143 µs", "17.8 µs", "71.4 µs", "", "2.4 s", "22 ms"];
    assert_eq!(row("1024", "71.4 ms")[1..], times);
    assert_eq!(row("4096", "")[1..4], ["", "11.4 ms", ""]);
    // Speed-ups over what was measured alone.
    let gains = ["400×", "500×", "4000×", "1.25×", "10×", "8×"];
    let row = row("1024", "178433024");
    assert_eq!(row[2..8], gains);
    assert_eq!(row[8..], ["10 T/s", "50.0 %"]);
    // Of all the GPU's points the synthetic rows say so: tiled, small, ceilings.
    assert!(page.contains("of 10 points were compared"));
    assert!(page.contains("all CPU cores"));
}

#[test]
fn charts_say_what_was_measured() {
    let folder = Folder::read(whole().path()).unwrap();
    let text = |chart| charts(&folder, chart).pop().unwrap().text;
    let time = text(Chart::OptTime);
    for part in ["1024 vertices", "the plain loop on one core 71.4 ms", "143 µs", "publish 22 ms"]
    {
        assert!(time.contains(part), "{part}: {time}");
    }
    let rate = text(Chart::OptRate);
    assert!(rate.contains("10¹³, by the tiled engine in f32"), "{rate}");
    assert!(rate.contains("alone, the GPU makes 10¹³ in i32 and 2·10¹³ in f32"), "{rate}");
    let share = text(Chart::OptShare);
    assert!(share.contains("In i32 25 % for n = 1024"), "{share}");
    assert!(share.contains("50 % for n = 2048 and 50 % for n = 4096"), "{share}");
    let speedup = text(Chart::OptSpeedup);
    for part in
        ["the plain loop on one core is 4\u{202f}000×", "the CPU engine on all cores is 10×"]
    {
        assert!(speedup.contains(part), "{part}: {speedup}");
    }
    // Beside the bulk runs of the listing.
    let batch = text(Chart::OptBatch);
    assert!(batch.contains("10¹² (shared memory)") && batch.contains("(column-wise)"), "{batch}");
    for figure in CHARTS.into_iter().flat_map(|it| charts(&folder, it)) {
        for theme in [Theme::Light, Theme::Dark] {
            let svg = figure.scene(theme.into(), None).svg();
            assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN"), "{}", figure.title);
        }
    }
}

/// The page of a folder without any of this says so, and all else is the same.
#[test]
fn other_sections_stay_as_they_are() {
    let folder = whole();
    let at = folder.path();
    let of = || page(&Folder::read(at).unwrap(), &[], Err("nobody asked")).unwrap();
    let with = of();
    std::fs::remove_file(at.join(OPT)).unwrap();
    std::fs::remove_dir_all(at.join("opt")).unwrap();
    let without = of();
    let part = |page: &str, from: &str, to: &str| {
        let places = [from, to].map(|id| page.find(&format!("<section id=\"{id}\"")).unwrap());
        page[places[0]..places[1]].to_owned()
    };
    let before = |page: &str, next: &str| part(page, "machine", next);
    assert_eq!(before(&with, "opt"), before(&without, "left-out"));
    assert_eq!(without.matches("riangulation").count(), 2, "no engine, no greedy triangulation");
}

#[test]
fn parts_of_a_folder_make_what_they_can() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    synthetic::write_device(at, &synthetic::device());
    write_tables(at);
    assert!(umm(at, &["report", "."]).status.success());
    let read = Folder::read(at).unwrap();
    let drawn = CHARTS.map(|it| charts(&read, it).len());
    assert_eq!(drawn, [1, 1, 0, 0, 0], "the plan has times, and nothing to be held against");
    std::fs::remove_dir_all(at.join("opt")).unwrap();
    let mut rows = synthetic::Rows::new(0.0);
    rows.add(("opt_natural_ceiling_f32", ""), None, None, "gpu", 0.05);
    rows.write(&at.join(OPT));
    assert!(umm(at, &["report", "."]).status.success());
    let read = Folder::read(at).unwrap();
    assert_eq!(CHARTS.map(|it| charts(&read, it).len()), [0; 5]);
}

#[test]
fn the_command_draws_and_answers() {
    let folder = whole();
    let plot = |more: &[&'static str]| [&["plot", "measured", "."][..], more].concat();
    let batch = plot(&["--chart", "opt-batch", "--of", "n=8", "-o", "batch.svg"]);
    assert!(umm(folder.path(), &batch).status.success());
    let other = plot(&["--chart", "opt-batch", "--of", "n=9", "-o", "never.svg"]);
    assert!(fails(folder.path(), &other).contains("choose one with --of: 'n=8'"));
    let heat = ["plot", "heat", "opt/table-1.csv", "--of", "n=8192", "-o", "heat.svg"];
    assert!(umm(folder.path(), &heat).status.success());
    let table = folder.path().join("opt/table-3.csv");
    std::fs::write(table, "algorithm,set,time_s\nopt_combined,n=8,-1\n").unwrap();
    let message = fails(folder.path(), &["report", "."]);
    assert!(message.contains("table-3.csv:2: `time_s` is -1.0; it is from"), "{message}");
}

/// Of every folder that is shipped: a tuned plan takes no longer than any single method.
#[test]
fn plans_are_as_fast_as_the_best_method() {
    let root = root().join("models/measurements/nvidia-h200");
    let tuned = Folder::read(&root.join("2026-11-21")).unwrap().opt.tuned;
    let plans = tuned.curve(PLAN);
    assert_eq!(
        plans.iter().map(|it| it.0).collect::<Vec<_>>(),
        (7..16).map(|it| 1 << it).collect::<Vec<_>>()
    );
    for (n, time) in plans {
        let ways =
            tuned.variants.iter().filter(|it| vertices(&it.set) == Some(n) && it.source.is_none());
        let best = ways.filter_map(|it| it.time_s).fold(f64::INFINITY, f64::min);
        assert!(time <= best, "n = {n}: {time} s, and {best} s by one method");
    }
}
