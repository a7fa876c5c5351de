//! Predictions of measured points as a table, which charts read in place of predicting again.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::plausibility::{self, Checked, Implausible};
use super::{MeasurementError, Subject, Timing, read};
use memory_machine_case::sample::Settings;
use memory_machine_core::run::layout::Arrangement;

/// A point with what `umm compare --csv` says of it; further columns are left alone. Tables of
/// version 0.1 call `calibrated_s` `extended_s`: they are read, too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PredictedRow {
    /// As [`Subject::name`].
    pub name: String,
    /// As [`Subject::set`].
    pub set: Settings,
    /// As [`Subject::bulk`].
    pub bulk: Option<Arrangement>,
    /// As [`Subject::threads`].
    pub threads: Option<u64>,
    /// As [`Subject::launch`].
    pub launch: Option<String>,
    /// As [`Subject::prefetch`].
    #[serde(rename = "ahead")]
    pub prefetch: u64,
    /// The median of the repetitions, in seconds.
    pub measured_s: f64,
    /// What the calibrated machine predicts.
    #[serde(alias = "extended_s")]
    pub calibrated_s: f64,
    /// What the plain memory machine predicts; 0 where its time unit was not calibrated,
    /// or its time units were not counted.
    pub plain_s: f64,
}

impl PredictedRow {
    /// The names of the columns, in order.
    pub const COLUMNS: [&'static str; 9] = [
        "name",
        "set",
        "bulk",
        "threads",
        "launch",
        "ahead",
        "measured_s",
        "calibrated_s",
        "plain_s",
    ];

    /// Whether it is of this subject, on one GPU.
    fn is_of(&self, subject: &Subject) -> bool {
        let Subject { name, set, bulk, threads, launch, prefetch, .. } = subject;
        let of = (name, set, bulk, threads, launch, prefetch);
        !subject.is_cpu()
            && subject.devices == 1
            && of
                == (&self.name, &self.set, &self.bulk, &self.threads, &self.launch, &self.prefetch)
    }
}

impl Checked for PredictedRow {
    fn check(&self) -> Result<(), Implausible> {
        plausibility::settings(&self.set)?;
        plausibility::seconds("measured_s", self.measured_s)?;
        plausibility::seconds("calibrated_s", self.calibrated_s)
    }
}

/// The rows of a table that are of points of `timings`, by point. Others are of what was not measured
/// there, or is measured no more.
///
/// # Errors
/// As [`read`](super::read()); a row whose time is not what was measured: it is of another folder.
pub fn predicted(
    path: &Path,
    timings: &[Timing],
) -> Result<BTreeMap<Subject, PredictedRow>, MeasurementError> {
    let mut found = BTreeMap::new();
    for (row, line) in read::<PredictedRow>(path)?.into_iter().zip(2..) {
        let Some(timing) = timings.iter().find(|it| row.is_of(&it.subject)) else { continue };
        let measured_s = timing.median_s();
        if (row.measured_s - measured_s).abs() > 1e-6 * measured_s {
            return Err(MeasurementError::Malformed {
                path: path.into(),
                line,
                reason: format!(
                    "`measured_s` is {:e}, but {} took {measured_s:e} s in the folder of the chart",
                    row.measured_s, timing.subject
                ),
            });
        }
        found.insert(timing.subject.clone(), row);
    }
    Ok(found)
}
