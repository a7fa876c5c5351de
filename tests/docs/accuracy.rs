//! How far predicted seconds are from measured ones: the figures on the pages are those of the tables
//! of predictions that are committed beside the measurements.

use std::collections::BTreeSet;
use std::path::Path;

use memory_machine::measure;
use memory_machine::measure::predictions::PredictedRow;

use crate::support::{json, page, root};

const PAGE: &str = "docs/predicting-seconds.md";
const HEAD: &str = "| set | GPU | points | listings | mean error | median error |";

/// A table of predictions: whose points they are, and predicted over measured time.
struct Table {
    names: Vec<String>,
    ratios: Vec<f64>,
}

impl Table {
    fn read(path: &Path) -> Self {
        let rows = measure::read::<PredictedRow>(path).unwrap_or_else(|it| panic!("{it}"));
        let ratios = rows.iter().map(|it| it.calibrated_s / it.measured_s).collect();
        Self { names: rows.into_iter().map(|it| it.name).collect(), ratios }
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

/// The row of the tutorial's table, in milliseconds, is what `umm predict` says with `more`.
fn tutorial_predicts(name: &str, more: &str, most: f64) {
    let tutorial = page("docs/tutorial.md");
    let start = format!("| predicted from {name} |");
    let line = tutorial.lines().find_map(|it| it.strip_prefix(&start)).expect(name);
    let cells = line.trim_matches('|').split('|').map(|it| it.trim().strip_suffix(" ms").unwrap());
    for (listing, printed) in ["row_sums", "column_sums"].into_iter().zip(cells) {
        let line =
            format!("predict docs/listings/{listing}.alg --set n=8192 --model h200 --json {more}");
        let report = json(root(), &*line);
        assert_eq!(report["compiled"].as_bool().unwrap(), more.is_empty(), "{listing}");
        let milliseconds = 1e3 * report["prediction"]["time_s"].as_f64().unwrap();
        let apart = (milliseconds / printed.parse::<f64>().unwrap() - 1.0).abs();
        assert!(apart < most, "{listing} of {name}: {printed} ms, now {milliseconds} ms");
    }
}

#[test]
#[ignore = "takes seconds unoptimised"]
fn the_tutorial_predicts_from_listings_what_umm_predicts() {
    tutorial_predicts("the listing", "--listing", 0.01);
}

#[test]
#[ignore = "needs NVRTC"]
fn the_tutorial_predicts_from_compiled_code_what_umm_predicts() {
    tutorial_predicts("compiled code", "", 0.1);
}
