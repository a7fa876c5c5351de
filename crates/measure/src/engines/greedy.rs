//! Engines of greedy triangulation.

use std::time::Instant;

use super::{EngineError, repeat};
use crate::greedy::{GreedyEngine, GreedyRepetition, GreedyRound, GreedySubject};
use memory_machine_geometry::greedy::paper::{self, TooMany};
use memory_machine_geometry::greedy::{fast, verify};
use memory_machine_geometry::points::{Point, distinct, random};

/// What an engine finds.
#[derive(Debug, Clone, PartialEq)]
pub struct GreedyRun {
    /// In the order in which they are accepted.
    pub edges: Vec<[u32; 2]>,
    /// Of the paper's algorithm, in seconds: generation, sort, triangulation.
    pub steps: Option<[f64; 3]>,
    /// From points in memory to edges in memory.
    pub time_s: f64,
}

/// The edges of distinct points by an engine of the CPU: the paper's algorithm for
/// [`GreedyEngine::Paper`], else the fast one. `progress` is called for new edges.
///
/// # Errors
/// Too many points for the paper's algorithm.
pub fn run_on_cpu(
    engine: GreedyEngine,
    points: &[Point],
    progress: &dyn Fn(u64),
) -> Result<GreedyRun, TooMany> {
    let started = Instant::now();
    let (edges, steps) = match engine {
        GreedyEngine::Paper => {
            let run = paper::run(points, |_| progress(1))?;
            (run.edges, Some([run.generate_s, run.sort_s, run.triangulate_s]))
        }
        _ => (fast::run(points, progress).edges, None),
    };
    Ok(GreedyRun { edges, steps, time_s: started.elapsed().as_secs_f64() })
}

/// Random points with the edges that all engines must find.
#[derive(Debug, Clone)]
pub struct GreedyInput {
    /// Distinct.
    pub points: Vec<Point>,
    /// Those of the engine fast, checked by count, planarity and order.
    pub edges: Vec<[u32; 2]>,
    /// Tests of the paper's algorithm, once they are counted.
    pub tests: Option<u64>,
}

impl GreedyInput {
    /// The points of a subject.
    ///
    /// # Errors
    /// The engine fast finds no greedy triangulation.
    pub fn new(subject: &GreedySubject) -> Result<Self, String> {
        let GreedySubject { distribution, n, seed, .. } = *subject;
        let points = distinct(&random::points(distribution, n as usize, seed)).points;
        let edges = fast::triangulate(&points);
        verify::triangulation(&points, &edges)
            .map_err(|fault| format!("{n} points of {distribution}: {fault}"))?;
        Ok(Self { points, edges, tests: None })
    }

    /// The repetitions of a subject by `run`, whose edges are compared first; `tests` counts those
    /// of the paper's algorithm.
    ///
    /// # Errors
    /// As `run` and `tests`; other edges than [`Self::edges`].
    pub fn measure<E>(
        &mut self,
        subject: &GreedySubject,
        repetitions: u32,
        run: impl Fn(&[Point]) -> Result<GreedyRun, E>,
        tests: impl FnOnce(&Self) -> Result<Option<u64>, E>,
    ) -> Result<Vec<GreedyRepetition>, EngineError<E>> {
        let engine = subject.engine;
        let first = run(&self.points)?;
        if let Some(difference) = difference(&first.edges, &self.edges) {
            return Err(EngineError::Differs(format!(
                "{difference}; this is a mistake of the engine {engine}: please report it"
            )));
        }
        let tests = tests(self)?;
        self.tests = tests.or(self.tests);
        let samples = repeat(first, |it| it.time_s, repetitions, || run(&self.points))?;
        let row = |(repetition, it): (u64, GreedyRun)| GreedyRepetition {
            engine,
            n: subject.n,
            distribution: subject.distribution,
            seed: subject.seed,
            blocks: subject.blocks,
            threads: subject.threads,
            edges: it.edges.len() as u64,
            rounds: it.steps.map(|_| it.edges.len() as u64),
            tests,
            generate_s: it.steps.map(|it| it[0]),
            sort_s: it.steps.map(|it| it[1]),
            triangulate_s: it.steps.map(|it| it[2]),
            time_s: it.time_s,
            repetition,
            verified: if engine == GreedyEngine::Fast { "checked" } else { "all" }.to_owned(),
        };
        Ok((0..).zip(samples).map(row).collect())
    }
}

/// Rows of a run in greedy_rounds.csv, about.
const ROUNDS_SHOWN: usize = 200;

/// Runs the paper's algorithm to count its tests, and how many lines are left in about 200 of the
/// rounds, more closely spaced among the first.
///
/// # Errors
/// Too many points.
pub fn count_rounds(
    subject: &GreedySubject,
    points: &[Point],
) -> Result<(u64, Vec<GreedyRound>), TooMany> {
    let mut alive = vec![paper::lines(points.len())];
    let run = paper::run(points, |round| {
        alive.push(alive[alive.len() - 1] - 1 - round.eliminated);
    })?;
    let row = |round: usize| GreedyRound {
        n: subject.n,
        distribution: subject.distribution,
        seed: subject.seed,
        rounds: run.edges.len() as u64,
        round: round as u64,
        alive: alive[round],
    };
    Ok((run.tests, spaced(alive.len()).into_iter().map(row).collect()))
}

/// Places below `n`, of which the quotients are alike as far as they are whole numbers.
fn spaced(n: usize) -> Vec<usize> {
    let power = |i: usize| (n as f64).powf(i as f64 / ROUNDS_SHOWN as f64) as usize - 1;
    let mut places: Vec<usize> = (0..ROUNDS_SHOWN).map(power).chain([n - 1]).collect();
    places.dedup();
    places
}

/// The first edge in which two triangulations differ.
fn difference(found: &[[u32; 2]], wanted: &[[u32; 2]]) -> Option<String> {
    let at = found.iter().zip(wanted).position(|(a, b)| a != b);
    match at {
        Some(at) => Some(format!("edge {at} is {:?}, and should be {:?}", found[at], wanted[at])),
        None if found.len() != wanted.len() => {
            Some(format!("{} edges, and should be {}", found.len(), wanted.len()))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory_machine_geometry::points::random::PointDistribution;

    const SUBJECT: GreedySubject = GreedySubject {
        engine: GreedyEngine::Paper,
        distribution: PointDistribution::Square,
        n: 20,
        seed: 1,
        blocks: None,
        threads: None,
    };

    #[test]
    fn an_engine_that_errs_is_not_timed() {
        let mut input = GreedyInput::new(&SUBJECT).unwrap();
        let run = |points: &[Point]| run_on_cpu(GreedyEngine::Paper, points, &|_| ());
        let rows = input.measure(&SUBJECT, 7, run, |_| Ok(None)).unwrap();
        assert_eq!((rows.len(), rows[0].edges), (7, input.edges.len() as u64));
        let wrong = |points: &[Point]| {
            run(points).map(|mut run| {
                run.edges.swap(0, 1);
                run
            })
        };
        let error = input.measure(&SUBJECT, 7, wrong, |_| Ok(None)).unwrap_err().to_string();
        assert!(error.starts_with("edge 0 is "), "{error}");
    }

    #[test]
    fn lines_become_fewer_to_the_last_round() {
        let input = GreedyInput::new(&SUBJECT).unwrap();
        let (tests, rounds) = count_rounds(&SUBJECT, &input.points).unwrap();
        assert!(tests > 0 && rounds.is_sorted_by(|a, b| a.alive > b.alive));
        assert_eq!((rounds[0].alive, rounds[rounds.len() - 1].alive), (190, 0));
    }
}
