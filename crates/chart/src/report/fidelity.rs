//! How far predictions are off, for the page.

use serde::Serialize;

use super::table::Table;
use crate::grouped;
use crate::measurement::{PredictedTime, Predictions};
use memory_machine_measure::Subject;
use memory_machine_predict::compare::{ComparedPoint, model_errors};

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
    /// As [`crate::measurement::PredictedTime::model`].
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
    /// Of compared points.
    pub fn of(points: &[ComparedPoint]) -> Self {
        let models = model_errors(points);
        let accuracies = models.iter().take(2).flat_map(|model| {
            model.algorithms.iter().map(|(algorithm, it)| Accuracy {
                model: model.name.clone(),
                algorithm: algorithm.clone(),
                points: it.points,
                mape: it.mape,
                worst: it.worst_ape,
            })
        });
        let ablations = models.iter().filter(|it| it.name != "plain").map(|it| Ablation {
            without: it.name.strip_prefix("without ").unwrap_or_default().to_owned(),
            points: it.all.points,
            mape: it.all.mape,
        });
        Self {
            accuracies: accuracies.collect(),
            ablations: ablations.collect(),
            predictions: predictions_of(points),
        }
    }

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

/// Predictions of the calibrated and the plain machine, as charts show them: 0, as in tables, is none.
pub fn predictions(points: impl Iterator<Item = (Subject, f64, f64)>) -> Predictions {
    let prediction = |model: &str, time_s| PredictedTime { model: model.to_owned(), time_s };
    let both = |(subject, calibrated_s, plain_s)| {
        (subject, vec![prediction("calibrated", calibrated_s), prediction("plain UMM", plain_s)])
    };
    Predictions(points.map(both).collect())
}

/// Those of compared points.
pub fn predictions_of(points: &[ComparedPoint]) -> Predictions {
    let of = |it: &ComparedPoint| (it.subject.clone(), it.predicted_s, it.plain_s.unwrap_or(0.0));
    predictions(points.iter().map(of))
}

/// A part of one as per cent.
pub(super) fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}
