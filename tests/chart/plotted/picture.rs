//! Pictures and the files that they were drawn from, as they are read.

use std::fs;
use std::path::PathBuf;

use roxmltree::Node;

use crate::support::root;

/// A row of a file: its fields by column.
pub(super) struct Row(Vec<(String, String)>);

impl Row {
    pub(super) fn text(&self, column: &str) -> &str {
        self.0.iter().find(|it| it.0 == column).map_or("", |it| &it.1)
    }

    /// A column's number, or a parameter's.
    pub(super) fn number(&self, column: &str) -> Option<f64> {
        let set =
            self.text("set").split(' ').find_map(|it| it.strip_prefix(column)?.strip_prefix('='));
        self.text(column).parse().ok().or_else(|| set?.parse().ok())
    }
}

pub(super) fn rows(file: &str) -> Vec<Row> {
    let path: PathBuf = root().join(file);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let head = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        Row(head.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect())
    };
    reader.records().map(|it| row(it.unwrap())).collect()
}

/// What a number at an axis, or in a cell, says: `2·10⁵`, `50 000`, `1K`, `100 ms`, `3×`, `1/2`.
pub(super) fn value(text: &str) -> Option<f64> {
    let (text, unit) = ["ns", "µs", "ms", "s", "×", "K", "M", "G"]
        .iter()
        .find_map(|it| Some((text.strip_suffix(it)?, *it)))
        .unwrap_or((text, ""));
    let factor = match unit {
        "ns" => 1e-9,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "K" => 1024.0,
        "M" => 1024.0 * 1024.0,
        "G" => 1024.0 * 1024.0 * 1024.0,
        _ => 1.0,
    };
    let text: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    if let Some((above, below)) = text.split_once('/') {
        return Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?);
    }
    let (mantissa, power) = match text.split_once("10").filter(|it| !it.1.is_empty()) {
        Some((before, power)) if power.chars().all(|it| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(it)) =>
        {
            let digit = |it: char| match "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == it)
            {
                Some(at) => at.to_string(),
                None => "-".to_owned(),
            };
            let power: i32 = power.chars().map(digit).collect::<String>().parse().ok()?;
            (before.strip_suffix('·').unwrap_or("1").to_owned(), power)
        }
        _ => (text, 0),
    };
    Some(mantissa.parse::<f64>().ok()? * 10_f64.powi(power) * factor)
}

pub(super) fn at(node: &Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

pub(super) fn points(list: &str) -> Vec<(f64, f64)> {
    let pair = |it: &str| {
        let (x, y) = it.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    list.split_whitespace().map(pair).collect()
}

/// A logarithmic axis, by the first and the last of the numbers beside it.
pub(super) struct Axis {
    first: (f64, f64),
    last: (f64, f64),
}

impl Axis {
    /// Of pixels and values.
    pub(super) fn new(ticks: &[(f64, f64)]) -> Self {
        let by = |one: &&(f64, f64), other: &&(f64, f64)| one.0.total_cmp(&other.0);
        let [first, last] =
            [ticks.iter().min_by(by), ticks.iter().max_by(by)].map(|it| *it.unwrap());
        assert!(last.0 > first.0, "one number at an axis: {ticks:?}");
        Self { first, last }
    }

    pub(super) fn value(&self, pixel: f64) -> f64 {
        let part = (pixel - self.first.0) / (self.last.0 - self.first.0);
        (self.first.1.ln() + part * (self.last.1 / self.first.1).ln()).exp()
    }
}

/// Of axes and of what stands at them.
pub(super) const MUTED: &str = "#5C5E64";

/// A tenth of a pixel, of an axis of many decades.
pub(super) fn near(one: f64, other: f64) -> bool {
    (one / other).ln().abs() < 0.006
}

pub(super) fn picture(name: &str) -> String {
    fs::read_to_string(root().join("plots").join(name).with_extension("svg")).unwrap()
}

#[test]
fn numbers_are_read() {
    for (text, number) in [
        ("2·10⁵", 2e5),
        ("10⁻³", 1e-3),
        ("50\u{2009}000", 5e4),
        ("1K", 1024.0),
        ("100 ms", 0.1),
        ("10 s", 10.0),
        ("3×", 3.0),
        ("1/16", 0.0625),
        ("2.27·10⁹", 2.27e9),
    ] {
        assert!((value(text).unwrap() / number - 1.0).abs() < 1e-9, "{text}: {:?}", value(text));
    }
    assert_eq!(value("row"), None);
}
