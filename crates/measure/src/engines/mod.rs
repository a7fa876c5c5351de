//! Engines of greedy triangulation and of convex hulls: run on the CPU, and measured wherever they
//! run, each verified before it is timed.

pub mod greedy;
pub mod hull;

use thiserror::Error;

use super::{FEWEST, LONG};

/// Why an engine has no times.
#[derive(Debug, Error)]
pub enum EngineError<E> {
    /// It does not run.
    #[error(transparent)]
    Run(E),
    /// What it finds is not what another engine finds: in what they differ.
    #[error("{0}")]
    Differs(String),
}

impl<E> From<E> for EngineError<E> {
    fn from(error: E) -> Self {
        Self::Run(error)
    }
}

/// Runs again until there are enough repetitions. The first run, which warmed up, counts only if it
/// takes so long that it is not repeated.
fn repeat<T, E>(
    first: T,
    time_s: impl Fn(&T) -> f64,
    repetitions: u32,
    run: impl Fn() -> Result<T, E>,
) -> Result<Vec<T>, E> {
    match time_s(&first) {
        time if time >= LONG => Ok(vec![first]),
        time if time > 1.0 => (0..FEWEST).map(|_| run()).collect(),
        _ => (0..repetitions).map(|_| run()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_are_repeated_less() {
        let run = || Ok::<f64, ()>(0.0);
        let number = |first| repeat(first, |it| *it, 11, run).unwrap().len();
        assert_eq!([0.5, 2.0, LONG].map(number), [11, 7, 1]);
    }
}
