//! The straight lines of a folder's bulk runs, beside those that are published.

use serde::Serialize;

use memory_machine_fit::{FittedLine, line};
use memory_machine_measure::curve::{Axis, Curve, curves};
use memory_machine_measure::models::PublishedFit;
use memory_machine_measure::{Subject, Timing};

/// A line through the medians of a bulk run's curve.
#[derive(Debug, Clone, Serialize)]
pub struct CurveFit {
    /// What the points have in common: no number of threads.
    pub subject: Subject,
    /// The fewest inputs of the curve.
    pub inputs_from: u64,
    /// The most inputs of the curve.
    pub inputs_to: u64,
    /// The fitted line, in seconds.
    #[serde(flatten)]
    pub line: FittedLine,
    /// Lines that papers publish for the same algorithm, parameters and arrangement.
    pub published: Vec<PublishedFit>,
}

/// A bulk run's time beside the lines that are published for it.
#[derive(Debug, Clone, Serialize)]
pub struct FitComparison {
    /// What was run.
    pub subject: Subject,
    /// Its median.
    pub time_s: f64,
    /// Lines that papers publish for the same algorithm, parameters and arrangement.
    pub published: Vec<PublishedFit>,
}

/// Points that too few others lie on a curve with for a line.
pub fn beside(points: &[Timing], published: &[PublishedFit]) -> Vec<FitComparison> {
    let of = |it: &Timing| FitComparison {
        subject: it.subject.clone(),
        time_s: it.median_s(),
        published: published.iter().filter(|line| line.is_of(&it.subject)).cloned().collect(),
    };
    points.iter().map(of).collect()
}

/// A line for each bulk curve with three numbers of inputs or more.
pub fn fits(points: &[Timing], published: &[PublishedFit]) -> Vec<CurveFit> {
    let fitted = |curve: &Curve| {
        let medians = curve.medians();
        let (first, last) = (medians.first()?, medians.last()?);
        let alike = |it: &&PublishedFit| it.is_of(&curve.subject);
        Some(CurveFit {
            line: line(&medians).ok()?,
            subject: curve.subject.clone(),
            inputs_from: first.0 as u64,
            inputs_to: last.0 as u64,
            published: published.iter().filter(alike).cloned().collect(),
        })
    };
    let bulk = points.iter().filter(|it| it.subject.is_bulk());
    curves(bulk, &Axis::Inputs).iter().filter_map(fitted).collect()
}
