//! Predictions of a folder's measured points.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::Failure;
use super::model::calibration;
use super::prediction::machine_code;
use super::progress::Bar;
use crate::case::LoadError;
use crate::measure::Timing;
use crate::measure::listings::ListingError;
use crate::models::Model;
use crate::predict::compare::CompareError;
use crate::predict::{CompareOptions, Comparison, Compile, Extension};
use crate::run::{WHILE_ITERATIONS, WorkLimit};

/// The last question without inputs of its own, and its answer: a gallery asks for each picture of
/// predictions, in two themes, and an answer takes half a minute.
static LAST: Mutex<Option<(String, Arc<Comparison>)>> = Mutex::new(None);

/// How programs are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings<'a> {
    /// What arrays hold at first.
    pub(crate) inputs: &'a [(String, OsString)],
    /// More iterations of a loop that is executed count as endless.
    pub(crate) while_iterations: u64,
    /// What an execution may take.
    pub(crate) work: WorkLimit,
    /// Whether compiled code is counted where it can be, in place of the listing.
    pub(crate) is_compiled: bool,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self {
            inputs: &[],
            while_iterations: WHILE_ITERATIONS,
            work: WorkLimit::NONE,
            is_compiled: false,
        }
    }
}

/// Those of `points` of one GPU with their predictions, in order; listings are `folder`'s.
pub(crate) fn compared(
    folder: &Path,
    points: &[&Timing],
    model: &Model,
    without: &[Extension],
    settings: Settings<'_>,
) -> Result<Arc<Comparison>, Failure> {
    let question = format!("{:?}", (folder, points, model, without, settings));
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, answer)) = last.as_ref().filter(|it| it.0 == question) {
        return Ok(answer.clone());
    }
    let machine = calibration(model)?;
    let of_one_gpu = |it: &&&Timing| !it.subject.is_cpu() && it.subject.devices == 1;
    let bar = Bar::new(points.iter().filter(of_one_gpu).count() as u64, "points");
    let compile: Option<Compile<'_>> = settings.is_compiled.then_some(&machine_code);
    let done = |points: u64| bar.add(points);
    let Settings { inputs, while_iterations, work, .. } = settings;
    let options = CompareOptions { without, inputs, while_iterations, work, compile, done: &done };
    let comparison = Arc::new(Comparison::new(folder, points, model, machine, options)?);
    comparison.left_out.iter().for_each(|it| eprintln!("left out: {it}"));
    if inputs.is_empty() {
        *last = Some((question, comparison.clone()));
    }
    Ok(comparison)
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::Case { subject, error } => {
                Self::from(error).after(&format!("at the measured point {subject}"))
            }
            CompareError::Listing {
                subject,
                error: ListingError::Load(LoadError::Unknown(name)),
            } => Self::input(format_args!(
                "{subject}: no shipped listing is called `{name}`, and the folder has neither \
                 listings/{name}-….alg nor a row of it in listings.csv; measure it again, so that \
                 its text is kept"
            )),
            CompareError::Listing { error: ListingError::Load(error), .. } => error.into(),
            CompareError::Listing { error, .. } => Self::input(error),
        }
    }
}
