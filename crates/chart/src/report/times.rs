//! Medians and spreads, and how they came about.

use std::collections::BTreeMap;

use super::table::{Table, parameters};
use crate::{bytes, grouped, seconds};
use memory_machine_measure::{Spread, Timing};

/// A table for each algorithm or microbenchmark.
pub(super) fn times(points: &[Timing]) -> Vec<Table> {
    let mut names: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    for point in points {
        let subject = &point.subject;
        let Spread { median, low, high } = point.time_s();
        names.entry(&subject.name).or_default().push(vec![
            Some(parameters(&subject.set)).filter(|it| !it.is_empty()).unwrap_or("none".to_owned()),
            subject.execution(),
            subject.regime.clone(),
            point.first().verified.clone(),
            subject.threads.map_or_else(String::new, grouped),
            bytes(subject.bytes as f64),
            point.times().len().to_string(),
            seconds(median),
            format!("{} … {}", seconds(low), seconds(high)),
        ]);
    }
    let head = [
        "parameters",
        "execution",
        "regime",
        "verified",
        "p",
        "bytes",
        "repetitions",
        "median",
        "quartiles",
    ];
    let table = |(name, rows)| Table::new(format!("All times of {name}"), &head, rows).worded(4);
    names.into_iter().map(table).collect()
}

/// The least and the most of these, as in `7 to 11`.
pub(super) fn from_to(counts: impl Iterator<Item = usize> + Clone) -> String {
    let (fewest, most) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
    if fewest == most { most.to_string() } else { format!("{fewest} to {most}") }
}

/// How often each was repeated, what was verified, and in which regimes the points lie.
pub(super) fn method(points: &[&Timing]) -> String {
    let repetitions = points.iter().map(|it| it.times().len());
    if points.is_empty() {
        return String::new();
    }
    let times = from_to(repetitions);
    let count =
        |is: &dyn Fn(&Timing) -> bool| grouped(points.iter().filter(|it| is(it)).count() as u64);
    let verified = |word: &str| count(&|it| it.first().verified == word);
    let regime = |word: &str| count(&|it| it.subject.regime == word);
    format!(
        "There are {} points, each repeated {times} times. Before timing, all outputs of {} points \
         and a sample of the outputs of {} were compared with a run on the CPU; {} were not \
         compared. {} points hold more data than the last-level cache, {} fit in it.",
        grouped(points.len() as u64),
        verified("all"),
        verified("sample"),
        verified("none"),
        regime("memory"),
        regime("cache"),
    )
}
