//! How far predictions are off, for the page.

use serde::Serialize;

use crate::chart::measured::Predictions;

/// What the page says of predictions.
#[derive(Debug, Clone, Default)]
pub struct FidelityTables {
    /// By model, then algorithm.
    pub accuracies: Vec<Accuracy>,
    /// The whole model first.
    pub ablations: Vec<Ablation>,
    /// Drawn beside what was measured.
    pub predictions: Predictions,
}

/// The mean relative error of a model on an algorithm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Accuracy {
    /// As [`crate::chart::measured::Prediction::model`].
    pub model: String,
    /// The listing's name.
    pub algorithm: String,
    /// How many were compared.
    pub points: usize,
    /// The mean of |predicted − measured| / measured.
    pub mape: f64,
    /// The largest of them.
    pub worst: f64,
}

impl Accuracy {
    pub(super) fn row(&self) -> [String; 5] {
        let (model, algorithm) = (self.model.clone(), self.algorithm.clone());
        [model, algorithm, self.points.to_string(), percent(self.mape), percent(self.worst)]
    }
}

/// The mean relative error on all algorithms if an extension of the model is left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ablation {
    /// What is left out; empty for the whole model.
    pub without: String,
    /// How many were compared.
    pub points: usize,
    /// The mean of |predicted − measured| / measured.
    pub mape: f64,
}

impl Ablation {
    pub(super) fn row(&self) -> [String; 3] {
        let without = if self.without.is_empty() { "nothing" } else { &self.without };
        [without.to_owned(), self.points.to_string(), percent(self.mape)]
    }
}

/// A part of one as per cent.
pub(super) fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}
