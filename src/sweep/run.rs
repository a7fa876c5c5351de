//! The points of a sweep timed, on all cores.

use std::io;
use std::sync::{Mutex, PoisonError};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use thiserror::Error;

use super::{Points, SweepLog};
use crate::case::{Case, CaseError};
use crate::sample::Sample;

/// Why a sweep ends before its last point. What was timed stands in its log.
#[derive(Debug, Error)]
pub enum SweepError {
    /// A point that cannot be timed, and why.
    #[error("{0}: {1}")]
    Point(Box<Case>, CaseError),
    /// The log cannot be written.
    #[error("{0}")]
    Log(#[from] io::Error),
}

/// The rows of a point: one, and with `phases` one more for each phase.
///
/// # Errors
/// [`SweepError::Point`].
pub fn rows(case: Case, phases: bool) -> Result<Vec<Sample>, SweepError> {
    let rows = if phases { case.samples() } else { case.sample().map(|row| vec![row]) };
    rows.map_err(|error| SweepError::Point(Box::new(case), error))
}

/// Times the points that the log lacks, on all cores; `progress` is called for each.
///
/// # Errors
/// [`SweepError`].
pub fn run(
    points: &Points<'_>,
    phases: bool,
    log: SweepLog,
    progress: &(dyn Fn() + Sync),
) -> Result<SweepLog, SweepError> {
    let missing = log.missing(points);
    let log = Mutex::new(log);
    missing.into_par_iter().try_for_each(|index| {
        let rows = rows(points.get(index), phases)?;
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.append(index, &rows)?;
        progress();
        Ok::<(), SweepError>(())
    })?;
    Ok(log.into_inner().unwrap_or_else(PoisonError::into_inner))
}
