//! Rows of CSV files as repetitions of what was measured.

use std::collections::BTreeMap;
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Checked;
use memory_machine_core::keyword::Keyword;

/// What solves a problem and is timed; rows, charts and the command line call it by its word.
pub trait Engine: Keyword {
    /// Whether it needs a GPU.
    fn is_on_gpu(self) -> bool;
}

/// One repetition.
pub trait Row: Checked + Serialize + DeserializeOwned {
    /// What all repetitions of a point have in common.
    type Subject: Clone + Ord + Hash;

    /// What it is a repetition of.
    fn subject(&self) -> Self::Subject;

    /// Seconds that it took.
    fn time_s(&self) -> f64;
}

/// The median of some values and their lower and upper quartile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean of the middle two of an even number.
    pub median: f64,
    /// The lower quartile.
    pub low: f64,
    /// The upper quartile.
    pub high: f64,
}

impl Spread {
    /// Of ascending values, at least one.
    pub fn of_sorted(values: &[f64]) -> Self {
        let last = values.len() - 1;
        let at = |part: f64| values[(last as f64 * part).round() as usize];
        let median = f64::midpoint(values[last / 2], values[values.len() / 2]);
        Self { median, low: at(0.25), high: at(0.75) }
    }
}

/// All repetitions of a subject, at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct Repetitions<R: Row> {
    /// What they have in common.
    pub subject: R::Subject,
    rows: Vec<R>,
    /// Seconds, ascending.
    times: Vec<f64>,
}

impl<R: Row> Repetitions<R> {
    /// What the repetitions have in common stands in each.
    pub fn first(&self) -> &R {
        &self.rows[0]
    }

    /// How many there are.
    pub const fn repetitions(&self) -> usize {
        self.rows.len()
    }

    /// Seconds of every repetition, ascending.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The spread of the repetitions' seconds.
    pub fn time_s(&self) -> Spread {
        Spread::of_sorted(&self.times)
    }

    /// The median of the repetitions' seconds.
    pub fn median_s(&self) -> f64 {
        self.time_s().median
    }

    /// The spread of another column, if every repetition has it.
    pub fn spread(&self, of: impl Fn(&R) -> Option<f64>) -> Option<Spread> {
        Some(Spread::of_sorted(&self.sorted(of)?))
    }

    /// The least and the greatest of another column, if every repetition has it.
    pub fn range(&self, of: impl Fn(&R) -> Option<f64>) -> Option<(f64, f64)> {
        let values = self.sorted(of)?;
        Some((values[0], values[values.len() - 1]))
    }

    fn sorted(&self, of: impl Fn(&R) -> Option<f64>) -> Option<Vec<f64>> {
        let mut values = self.rows.iter().map(of).collect::<Option<Vec<f64>>>()?;
        values.sort_by(f64::total_cmp);
        Some(values)
    }
}

/// Repetitions by subject, in the subjects' order. Without repetitions there is no point.
pub fn repetitions<R: Row>(rows: Vec<R>) -> Vec<Repetitions<R>> {
    let mut all: BTreeMap<R::Subject, Vec<R>> = BTreeMap::new();
    for row in rows {
        all.entry(row.subject()).or_default().push(row);
    }
    let point = |(subject, rows): (R::Subject, Vec<R>)| {
        let mut times: Vec<f64> = rows.iter().map(Row::time_s).collect();
        times.sort_by(f64::total_cmp);
        Repetitions { subject, rows, times }
    };
    all.into_iter().map(point).collect()
}
