//! Points that differ in one number alone.

use std::collections::BTreeMap;

use super::{Subject, Timing};
use memory_machine_core::run::layout::Arrangement;

/// The number in which the points of a curve differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Axis {
    /// Threads p; of a bulk run, its inputs.
    Inputs,
    /// A parameter of the algorithm.
    Parameter(String),
}

impl Axis {
    /// The number of a subject; `None` if it has no such one.
    pub fn value(&self, subject: &Subject) -> Option<f64> {
        match self {
            Self::Inputs => subject.threads.map(|it| it as f64),
            Self::Parameter(name) => subject.set.0.get(name).map(|&it| it as f64),
        }
    }
}

/// Points over an axis, on which their values are positive and increase.
#[derive(Debug, Clone)]
pub struct Curve<'a> {
    /// What the points have in common; regime and bytes, which follow the size, are left empty.
    pub subject: Subject,
    /// By ascending number on the axis.
    pub points: Vec<(f64, &'a Timing)>,
}

impl Curve<'_> {
    /// Median seconds over the axis.
    pub fn medians(&self) -> Vec<(f64, f64)> {
        self.points.iter().map(|(x, point)| (*x, point.median_s())).collect()
    }

    /// The point with exactly this number on the axis.
    pub fn at(&self, x: f64) -> Option<&Timing> {
        self.points.iter().find(|it| it.0 == x).map(|it| it.1)
    }
}

/// The curves that `points` make; a point without a positive value on the axis is in none.
pub fn curves<'a>(points: impl IntoIterator<Item = &'a Timing>, axis: &Axis) -> Vec<Curve<'a>> {
    let mut curves: BTreeMap<Subject, Vec<(f64, &Timing)>> = BTreeMap::new();
    for point in points {
        let mut subject = point.subject.clone();
        let Some(x) = axis.value(&subject).filter(|it| *it > 0.0) else { continue };
        match axis {
            Axis::Inputs => subject.threads = None,
            Axis::Parameter(name) => {
                subject.set.0.remove(name);
            }
        }
        (subject.regime, subject.bytes) = (String::new(), 0);
        curves.entry(subject).or_default().push((x, point));
    }
    let sorted = curves.into_iter().map(|(subject, mut points)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Curve { subject, points }
    });
    sorted.collect()
}

impl Subject {
    /// Whether one core of the host ran it, rather than a GPU.
    pub fn is_cpu(&self) -> bool {
        self.processor == "cpu"
    }

    /// Whether it is a bulk run, on a GPU or on one core of a CPU.
    pub fn is_bulk(&self) -> bool {
        self.bulk.is_some() || self.is_cpu()
    }

    /// Where and how it ran: `row-wise`, `column-wise, graph, 8 GPUs`, `one CPU core`.
    pub fn execution(&self) -> String {
        if self.is_cpu() {
            // Row-wise, input after input, is how a CPU does it.
            let by_columns = self.bulk == Some(Arrangement::ColumnWise);
            return if by_columns { "one CPU core, column-wise" } else { "one CPU core" }
                .to_owned();
        }
        let bulk = self.bulk.map(|it| it.name().to_owned());
        let words: Vec<String> = bulk.into_iter().chain(self.variant()).collect();
        if words.is_empty() { "GPU".to_owned() } else { words.join(", ") }
    }

    /// What is unusual about the run: `graph`, `8 GPUs`, both. None if it is one GPU's plain launch.
    pub fn variant(&self) -> Option<String> {
        let launch = self.launch.clone().filter(|it| it != "plain");
        let devices = (self.devices > 1).then(|| format!("{} GPUs", self.devices));
        let prefetch = (self.prefetch > 1).then(|| "reads ahead".to_owned());
        let words: Vec<String> = launch.into_iter().chain(prefetch).chain(devices).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Name and parameters: `opt n=8`.
    pub fn what(&self) -> String {
        format!("{} {}", self.name, self.set).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Repetition, repetitions};
    use super::*;
    use memory_machine_core::run::layout::Arrangement::{ColumnWise, RowWise};

    fn row(set: &str, threads: Option<u64>, bulk: Arrangement, time_s: f64) -> Repetition {
        Repetition {
            name: "opt".to_owned(),
            set: set.parse().unwrap(),
            bulk: Some(bulk),
            threads,
            launch: Some("plain".to_owned()),
            prefetch: 1,
            processor: "gpu".to_owned(),
            devices: 1,
            regime: if threads > Some(64) { "memory" } else { "cache" }.to_owned(),
            bytes: 8 * threads.unwrap_or(0),
            verified: "all".to_owned(),
            seed: 1,
            repetition: 0,
            time_s,
        }
    }

    #[test]
    fn a_curve_has_all_sizes_of_one_execution() {
        let rows = [
            row("n=8", Some(4096), RowWise, 3.0),
            row("n=8", Some(64), RowWise, 1.0),
            row("n=8", Some(64), ColumnWise, 0.5),
            row("n=16", Some(64), RowWise, 2.0),
            row("n=16", None, RowWise, 2.0),
        ];
        let points = repetitions(rows.to_vec());
        let over_inputs = curves(&points, &Axis::Inputs);
        let shown: Vec<_> = over_inputs
            .iter()
            .map(|it| (it.subject.what(), it.subject.execution(), it.medians()))
            .collect();
        let of = |what: &str, execution: &str, medians: &[(f64, f64)]| {
            (what.to_owned(), execution.to_owned(), medians.to_vec())
        };
        assert_eq!(
            shown,
            [
                of("opt n=8", "column-wise", &[(64.0, 0.5)]),
                of("opt n=8", "row-wise", &[(64.0, 1.0), (4096.0, 3.0)]),
                of("opt n=16", "row-wise", &[(64.0, 2.0)]),
            ]
        );
        let over_n = curves(&points, &Axis::Parameter("n".to_owned()));
        let both = over_n.iter().find(|it| it.points.len() == 2).unwrap();
        assert_eq!(
            (both.subject.what(), both.medians()),
            ("opt".to_owned(), vec![(8.0, 1.0), (16.0, 2.0)])
        );
    }
}
