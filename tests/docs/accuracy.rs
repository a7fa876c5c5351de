//! How far predicted seconds are from measured ones: the figures on the pages are those of the tables
//! of predictions that are committed beside the measurements.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::page;

const PAGE: &str = "docs/predicting-seconds.md";
const HEAD: &str = "| set | GPU | points | listings | mean error | median error |";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A table of predictions: whose points they are, and predicted over measured time.
struct Table {
    names: Vec<String>,
    ratios: Vec<f64>,
}

impl Table {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().unwrap().split(',').collect();
        let column = |name: &str| head.iter().position(|it| *it == name).unwrap();
        let (name, measured, predicted) =
            (column("name"), column("measured_s"), column("extended_s"));
        let mut table = Self { names: vec![], ratios: vec![] };
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |it: usize| cells[it].parse::<f64>().unwrap();
            table.names.push(cells[name].to_owned());
            table.ratios.push(number(predicted) / number(measured));
        }
        table
    }

    fn len(&self) -> usize {
        self.ratios.len()
    }

    /// In per cent, ascending.
    fn errors(&self) -> Vec<f64> {
        let mut errors: Vec<f64> = self.ratios.iter().map(|it| 100.0 * (it - 1.0).abs()).collect();
        errors.sort_by(f64::total_cmp);
        errors
    }

    fn mean(&self) -> f64 {
        self.errors().iter().sum::<f64>() / self.len() as f64
    }

    fn median(&self) -> f64 {
        let errors = self.errors();
        f64::midpoint(errors[(self.len() - 1) / 2], errors[self.len() / 2])
    }

    /// The cells of a row on the page, behind the GPU's.
    fn cells(&self) -> Vec<String> {
        let errors = self.errors();
        let listings = self.names.iter().collect::<BTreeSet<_>>().len();
        let logarithms: f64 = self.ratios.iter().map(|it| it.ln()).sum();
        let near = errors.iter().filter(|it| **it <= 15.0).count();
        let twice = self.ratios.iter().filter(|it| (0.5..=2.0).contains(*it)).count();
        vec![
            self.len().to_string(),
            listings.to_string(),
            format!("{:.1} %", self.mean()),
            format!("{:.1} %", self.median()),
            format!("{:.0} %", errors[self.len() - 1]),
            format!("{:.2}", (logarithms / self.len() as f64).exp()),
            format!("{:.0} %", 100.0 * near as f64 / self.len() as f64),
            format!("{twice} of {}", self.len()),
        ]
    }
}

/// The rows of the page's table: the set's name, its cells, and the table that it links to.
fn rows() -> Vec<(String, Vec<String>, Table)> {
    let page = page(PAGE);
    let rows = page.split(HEAD).nth(1).expect("the table of accuracy").lines().skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let (name, link) = cells[0].split_once("](").expect("a link to the predictions");
            let path = root().join("docs").join(link.trim_end_matches(')'));
            let cells = cells[2..].iter().map(|it| (*it).to_owned()).collect();
            (name.trim_start_matches('[').to_owned(), cells, Table::read(&path))
        })
        .collect()
}

/// A mean over the GPUs, of the sets whose name has this word.
fn over_gpus(word: &str, number: fn(&Table) -> f64) -> u32 {
    let numbers: Vec<f64> =
        rows().iter().filter(|it| it.0.contains(word)).map(|it| number(&it.2)).collect();
    assert!(!numbers.is_empty(), "no row of a {word} set");
    (numbers.iter().sum::<f64>() / numbers.len() as f64).round() as u32
}

#[test]
fn the_table_of_accuracy_is_that_of_the_predictions() {
    let rows = rows();
    assert!(rows.len() >= 3);
    for (name, cells, table) in rows {
        assert_eq!(cells, table.cells(), "{name}");
    }
}

/// Whoever gives the figures gives these, in the same words.
#[test]
fn all_pages_give_the_same_accuracy() {
    let (median, mean) =
        (over_gpus("validation", Table::median), over_gpus("validation", Table::mean));
    let expected = format!("median error of {median} % and a mean error of {mean} %");
    let pages = [
        "README.md",
        PAGE,
        "docs/tutorial.md",
        "docs/course/4-hmm/README.md",
        "docs/course/4-hmm/slides.md",
    ];
    for name in pages {
        let text = page(name);
        assert!(text.contains(&expected), "{name} does not say: a {expected}");
        let others = text.replace(&expected, "");
        assert!(!others.contains("median error of"), "{name} gives another accuracy, too");
    }
    let development = over_gpus("development", Table::mean);
    let title = format!("## Predictions of compiled code: a mean error of {development} %\n");
    assert!(page("docs/course/4-hmm/slides.md").contains(&title), "{title}");
}

/// Seconds, and whether they are of compiled code.
fn predicted(listing: &str, more: &[&str]) -> (f64, bool) {
    let path = format!("docs/listings/{listing}.alg");
    let mut umm = Command::new(env!("CARGO_BIN_EXE_umm"));
    umm.current_dir(root())
        .args(["predict", &path, "--set", "n=8192", "--model", "h200", "--json"]);
    let output = umm.args(more).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    (report["prediction"]["time_s"].as_f64().unwrap(), report["compiled"].as_bool().unwrap())
}

#[test]
fn the_tutorial_predicts_what_umm_predicts() {
    if !crate::has_time_for("the tutorial's predictions were not made again") {
        return;
    }
    let tutorial = page("docs/tutorial.md");
    let row = |name: &str| {
        let start = format!("| predicted from {name} |");
        let line = tutorial.lines().find_map(|it| it.strip_prefix(&start)).expect(name);
        let milliseconds =
            line.trim_matches('|').split('|').map(|it| it.trim().strip_suffix(" ms"));
        milliseconds.map(|it| it.unwrap().parse::<f64>().unwrap()).collect::<Vec<_>>()
    };
    let rows = [("the listing", &["--listing"][..], 0.01), ("compiled code", &[], 0.1)];
    for (name, more, most) in rows {
        for (listing, printed) in ["row_sums", "column_sums"].into_iter().zip(row(name)) {
            let (seconds, is_compiled) = predicted(listing, more);
            if name == "compiled code" && !is_compiled {
                assert!(std::env::var_os("UMM_REQUIRE_NVRTC").is_none(), "there is no NVRTC");
                eprintln!("SKIPPED: there is no NVRTC to predict compiled code");
                return;
            }
            let apart = (1e3 * seconds / printed - 1.0).abs();
            assert!(apart < most, "{listing} of {name}: {printed} ms, now {} ms", 1e3 * seconds);
        }
    }
}
