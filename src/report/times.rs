//! Medians and spreads, and how they came about.

use std::collections::BTreeMap;

use crate::chart::{bytes, seconds};
use crate::measurement::{Spread, Timing};

/// The points of an algorithm or microbenchmark.
pub(super) struct Times {
    pub(super) name: String,
    pub(super) rows: Vec<Row>,
}

pub(super) struct Row {
    pub(super) set: String,
    pub(super) manner: String,
    pub(super) threads: String,
    pub(super) bytes: String,
    pub(super) regime: String,
    pub(super) verified: String,
    pub(super) repetitions: usize,
    pub(super) median: String,
    pub(super) lower: String,
    pub(super) upper: String,
}

pub(super) fn times(points: &[Timing]) -> Vec<Times> {
    let mut names: BTreeMap<&str, Vec<Row>> = BTreeMap::new();
    for point in points {
        let subject = &point.subject;
        let Spread { median, low, high } = point.time_s();
        names.entry(&subject.name).or_default().push(Row {
            set: subject.set.to_string(),
            manner: subject.manner(),
            threads: subject.threads.map_or_else(String::new, |it| it.to_string()),
            bytes: bytes(subject.bytes as f64),
            regime: subject.regime.clone(),
            verified: point.first().verified.clone(),
            repetitions: point.times().len(),
            median: seconds(median),
            lower: seconds(low),
            upper: seconds(high),
        });
    }
    names.into_iter().map(|(name, rows)| Times { name: name.to_owned(), rows }).collect()
}

/// How often each was repeated, what was verified, and in which regimes the points lie.
pub(super) fn method(points: &[&Timing]) -> String {
    let repetitions = points.iter().map(|it| it.times().len());
    let (Some(fewest), Some(most)) = (repetitions.clone().min(), repetitions.max()) else {
        return "Nothing was measured.".to_owned();
    };
    let times = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
    let count = |is: &dyn Fn(&Timing) -> bool| points.iter().filter(|it| is(it)).count();
    let verified = |word: &str| count(&|it| it.first().verified == word);
    let regime = |word: &str| count(&|it| it.subject.regime == word);
    format!(
        "There are {} points, each repeated {times} times. Before timing, all outputs of {} points \
         and a sample of the outputs of {} were compared with a run on the CPU; {} were not \
         compared. {} points hold more data than the last-level cache, {} fit in it.",
        points.len(),
        verified("all"),
        verified("sample"),
        verified("none"),
        regime("memory"),
        regime("cache"),
    )
}
