//! BenchmarkRows of microbenchmarks, looked up by what they have in common.

use thiserror::Error;

use memory_machine_fit::FitError;
use memory_machine_measure::{MICROBENCHMARKS, Subject, Timing};

/// Why rows say nothing of a machine.
#[derive(Debug, Error)]
pub enum CalibrationError {
    #[error(
        "{MICROBENCHMARKS}: {0} is missing; measure it: umm gpu measure microbenchmarks -o DIR"
    )]
    Missing(String),
    #[error(
        "{MICROBENCHMARKS}: {what}: {why}; measure again: umm gpu measure microbenchmarks -o DIR"
    )]
    Unfit { what: &'static str, why: FitError },
}

pub(super) struct BenchmarkRows<'a>(pub(super) &'a [Timing]);

type Result<T> = std::result::Result<T, CalibrationError>;

/// A parameter; 0 where there is none.
pub(super) fn at(subject: &Subject, name: &str) -> f64 {
    subject.set.0.get(name).map_or(0.0, |&it| it as f64)
}

impl<'a> BenchmarkRows<'a> {
    /// All points of a microbenchmark that `is` accepts, with their median seconds; at least one.
    pub(super) fn points(
        &self,
        name: &str,
        is: &dyn Fn(&Subject) -> bool,
    ) -> Result<Vec<(&'a Subject, f64)>> {
        let found: Vec<_> = self
            .0
            .iter()
            .filter(|it| it.subject.name == name && is(&it.subject))
            .map(|it| (&it.subject, it.median_s()))
            .collect();
        if found.is_empty() {
            return Err(CalibrationError::Missing(format!("`{name}`")));
        }
        Ok(found)
    }

    /// The same as a parameter's value, seconds, and the words n, by that value.
    pub(super) fn of(
        &self,
        name: &str,
        is: &dyn Fn(&Subject) -> bool,
        parameter: &str,
    ) -> Result<Vec<(f64, f64, f64)>> {
        let points = self.points(name, is)?;
        let mut found: Vec<_> =
            points.into_iter().map(|(it, time)| (at(it, parameter), time, at(it, "n"))).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(found)
    }

    /// The values that a parameter takes, ascending.
    pub(super) fn values(&self, name: &str, parameter: &str) -> Result<Vec<f64>> {
        let mut values: Vec<f64> =
            self.of(name, &|_| true, parameter)?.into_iter().map(|it| it.0).collect();
        values.dedup();
        Ok(values)
    }

    /// Seconds of a step: launch and start cancel in the difference of the most and fewest steps.
    pub(super) fn step(&self, name: &str, is: &dyn Fn(&Subject) -> bool) -> Result<f64> {
        let all = self.of(name, is, "steps")?;
        let (first, last) = (all[0], all[all.len() - 1]);
        if last.0 <= first.0 || last.1 <= first.1 {
            return Err(CalibrationError::Missing(format!("`{name}` with more steps")));
        }
        Ok((last.1 - first.1) / (last.0 - first.0))
    }

    pub(super) fn most_threads(&self, name: &str) -> Result<u64> {
        let points = self.points(name, &|_| true)?;
        Ok(points.iter().filter_map(|it| it.0.threads).max().unwrap_or(1))
    }

    /// Words that reads of several strides have in common: those of the largest stride.
    pub(super) fn strided_words(&self) -> f64 {
        let widest = self.0.iter().filter(|it| it.subject.name == "read");
        widest
            .max_by(|a, b| at(&a.subject, "stride").total_cmp(&at(&b.subject, "stride")))
            .map_or(0.0, |it| at(&it.subject, "n"))
    }
}
