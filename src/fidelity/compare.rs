//! Predictions against measured times.

use std::collections::BTreeMap;

use serde::Serialize;

use super::predict::{plain, predict};
use super::{Extension, Work};
use crate::measurement::Subject;
use crate::models::Calibration;

/// A measured point with what models say of it.
#[derive(Debug, Clone)]
pub struct Compared {
    pub subject: Subject,
    pub measured_s: f64,
    pub predicted_s: f64,
    pub plain_s: f64,
    /// With each extension left out.
    pub ablated_s: Vec<(Extension, f64)>,
}

impl Compared {
    /// `without` is left out of all predictions.
    pub fn new(
        subject: Subject,
        measured_s: f64,
        work: &Work,
        machine: &Calibration,
        without: &[Extension],
    ) -> Self {
        let seconds = |without: &[Extension]| predict(work, machine, without).time_s;
        let left = Extension::ALL.into_iter().filter(|it| !without.contains(it));
        let ablated = |it: Extension| (it, seconds(&[without, &[it]].concat()));
        Self {
            subject,
            measured_s,
            predicted_s: seconds(without),
            plain_s: plain(work, machine),
            ablated_s: left.map(ablated).collect(),
        }
    }
}

/// How far a model is off: parts of one, and the rank correlation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Errors {
    pub points: usize,
    /// The mean of |predicted − measured| / measured, their median, and the largest.
    pub mape: f64,
    pub median_ape: f64,
    pub worst_ape: f64,
    /// Spearman's, of predicted and measured seconds.
    pub rank_correlation: f64,
}

/// The errors of (predicted, measured) seconds; `None` without any.
pub fn errors(pairs: &[(f64, f64)]) -> Option<Errors> {
    let mut apart: Vec<f64> = pairs.iter().map(|(a, b)| (a / b - 1.0).abs()).collect();
    apart.sort_by(f64::total_cmp);
    let worst_ape = *apart.last()?;
    let (lower, upper) = ((apart.len() - 1) / 2, apart.len() / 2);
    Some(Errors {
        points: apart.len(),
        mape: apart.iter().sum::<f64>() / apart.len() as f64,
        median_ape: f64::midpoint(apart[lower], apart[upper]),
        worst_ape,
        rank_correlation: rank_correlation(pairs),
    })
}

/// Pearson's correlation of the ranks; equal numbers share their mean rank. 0 if all are equal.
fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let predicted = ranks(&pairs.iter().map(|it| it.0).collect::<Vec<_>>());
    let measured = ranks(&pairs.iter().map(|it| it.1).collect::<Vec<_>>());
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let scale = (product(&predicted, &predicted) * product(&measured, &measured)).sqrt();
    if scale > 0.0 { product(&predicted, &measured) / scale } else { 0.0 }
}

fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    let mut ranks = vec![0.0; numbers.len()];
    for equal in order.chunk_by(|a, b| numbers[*a] == numbers[*b]) {
        let below = order.iter().filter(|it| numbers[**it] < numbers[equal[0]]).count();
        for at in equal {
            ranks[*at] = below as f64 + f64::midpoint(1.0, equal.len() as f64);
        }
    }
    ranks
}

/// The errors of one model on all points and on those of each algorithm.
#[derive(Debug, Clone)]
pub struct Model {
    /// `extended`, `plain`, or `without EXTENSION`.
    pub name: String,
    pub all: Errors,
    pub algorithms: BTreeMap<String, Errors>,
}

/// The extended machine, the plain one, and the extended with each extension left out.
pub fn models(points: &[Compared]) -> Vec<Model> {
    let model = |name: &str, seconds: &dyn Fn(&Compared) -> Option<f64>| {
        let pair = |it: &Compared| Some((seconds(it)?, it.measured_s));
        let all: Vec<_> = points.iter().filter_map(pair).collect();
        let mut algorithms: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for it in points {
            algorithms.entry(it.subject.name.clone()).or_default().extend(pair(it));
        }
        let algorithms = algorithms
            .into_iter()
            .filter_map(|(name, pairs)| Some((name, errors(&pairs)?)))
            .collect();
        Some(Model { name: name.to_owned(), all: errors(&all)?, algorithms })
    };
    let without = |extension: Extension| {
        model(&format!("without {extension}"), &|it| {
            it.ablated_s.iter().find(|it| it.0 == extension).map(|it| it.1)
        })
    };
    [model("extended", &|it| Some(it.predicted_s)), model("plain", &|it| Some(it.plain_s))]
        .into_iter()
        .chain(Extension::ALL.map(without))
        .flatten()
        .collect()
}
