//! How far predictions are off, for the page.

use serde::Serialize;

use super::table::Table;
use crate::grouped;
use crate::measured::Predictions;

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
    /// As [`crate::measured::PredictedTime::model`].
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
    fn row(&self) -> Vec<String> {
        let (model, algorithm) = (self.model.clone(), self.algorithm.clone());
        let points = grouped(self.points as u64);
        vec![model, algorithm, points, percent(self.mape), percent(self.worst)]
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
    fn row(&self) -> Vec<String> {
        let without = if self.without.is_empty() { "nothing" } else { &self.without };
        vec![without.to_owned(), grouped(self.points as u64), percent(self.mape)]
    }
}

impl FidelityTables {
    /// Those that have rows.
    pub(super) fn tables(&self) -> Vec<Table> {
        let rows = self.accuracies.iter().map(Accuracy::row).collect();
        let head = ["model", "algorithm", "points", "MAPE", "worst"];
        let errors = Table::new("Errors of each model on each algorithm", &head, rows).worded(2);
        let rows = self.ablations.iter().map(Ablation::row).collect();
        let head = ["left out", "points", "MAPE"];
        let worth = Table::new("What each extension of the model is worth", &head, rows)
            .noted("The mean error over all points if it is left out.");
        [errors, worth].into_iter().filter(|it| !it.rows.is_empty()).collect()
    }
}

/// A part of one as per cent.
pub(super) fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}
