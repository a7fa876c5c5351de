//! What `umm predict` reports: a prediction, what it rests on, and how far it may be off.

use serde::Serialize;

use super::predict::{plain, predict};
use super::prediction::{Bound, Interval, Prediction};
use super::{Extension, Work};
use memory_machine_measure::models::{Calibration, Model};

/// The prediction of one run on one machine, as `umm predict --json` prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PredictionReport<'a> {
    /// Of the listing.
    pub algorithm: &'a str,
    /// Of the machine.
    pub model: &'a str,
    /// Extensions of the plain model that were left out.
    pub without: &'a [Extension],
    /// Seconds, by part.
    pub prediction: Prediction,
    /// What the plain UMM predicts, if its time units were counted.
    pub plain_s: Option<f64>,
    /// What most of the time is spent on.
    pub bound: Bound,
    /// Where measured times of held-out listings lay.
    pub interval: Interval,
    /// Whether compiled code was counted, and not the listing.
    pub compiled: bool,
    /// Why compiled code was not, if it was asked for.
    pub fallback: Option<&'a str>,
    /// Kernels that are launched.
    pub launches: usize,
}

impl<'a> PredictionReport<'a> {
    /// Predicts `work` of the listing `algorithm` on `model`, whose calibration is `machine`.
    pub fn new(
        algorithm: &'a str,
        model: &'a Model,
        work: &'a Work,
        machine: &Calibration,
        without: &'a [Extension],
    ) -> Self {
        let prediction = predict(work, machine, without);
        let compiled = work.is_compiled();
        Self {
            algorithm,
            model: &model.name,
            without,
            prediction,
            plain_s: plain(work, machine),
            bound: prediction.bound(),
            interval: prediction.interval(compiled),
            compiled,
            fallback: work.fallback.as_deref(),
            launches: work.launches(),
        }
    }
}
