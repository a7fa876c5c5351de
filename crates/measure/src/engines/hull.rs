//! Engines of convex hulls.

use std::thread::available_parallelism;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::{EngineError, repeat};
use crate::hull::{HullEngine, HullRepetition, HullSubject};
use memory_machine_geometry::hull;
use memory_machine_geometry::points::{Point, random};

/// What an engine finds.
#[derive(Debug, Clone, PartialEq)]
pub struct HullRun {
    /// As indices of the points.
    pub vertices: Vec<u32>,
    /// From points in the engine's memory to vertices in the host's.
    pub time_s: f64,
    /// Seconds of the first pass on a GPU, and points left by it.
    pub first_pass: Option<(f64, u64)>,
    /// On a GPU.
    pub rounds: Option<u64>,
}

/// An engine of the CPU with its threads.
pub struct CpuHull {
    engine: HullEngine,
    workers: usize,
    simd: bool,
    /// The threads that the engine cpu runs on; the others have their own.
    pool: Option<ThreadPool>,
}

impl CpuHull {
    /// Starts its threads.
    ///
    /// # Errors
    /// The system starts no more.
    pub fn new(
        engine: HullEngine,
        workers: usize,
        simd: bool,
    ) -> Result<Self, ThreadPoolBuildError> {
        let pool = match engine {
            HullEngine::Cpu => Some(ThreadPoolBuilder::new().num_threads(workers).build()?),
            _ => None,
        };
        Ok(Self { engine, workers, simd, pool })
    }

    /// The hull of points.
    pub fn run(&self, points: &[Point]) -> HullRun {
        let Self { workers, simd, .. } = *self;
        let started = Instant::now();
        let vertices = match (self.engine, &self.pool) {
            (HullEngine::Sequential, _) => hull::sequential(points),
            (HullEngine::Workers, _) => hull::workers(points, workers, simd),
            (HullEngine::WorkersPrefetch, _) => hull::workers_prefetch(points, workers, simd),
            (_, Some(pool)) => pool.install(|| hull::cpu(points, simd)),
            _ => hull::cpu(points, simd),
        };
        let time_s = started.elapsed().as_secs_f64();
        HullRun { vertices, time_s, first_pass: None, rounds: None }
    }
}

/// Bytes of the host's memory that a point takes, at most.
pub const fn bytes(engine: HullEngine) -> u64 {
    match engine {
        HullEngine::Sequential => 80,
        _ => 64,
    }
}

/// Cores of the host.
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Random points with their hull.
#[derive(Debug, Clone)]
pub struct HullInput {
    /// Some may be the same.
    pub points: Vec<Point>,
    /// Those of the engine cpu.
    pub vertices: Vec<u32>,
}

impl HullInput {
    /// The points of a subject.
    pub fn new(subject: &HullSubject) -> Self {
        let points = random::points(subject.distribution, subject.n as usize, subject.seed);
        let vertices = hull::cpu(&points, true);
        Self { points, vertices }
    }

    /// The repetitions of a subject by `run`, whose vertices are compared first with those of the
    /// engine cpu; of that engine, with those of the engine workers.
    ///
    /// # Errors
    /// As `run`; other vertices.
    pub fn measure<E>(
        &self,
        subject: &HullSubject,
        repetitions: u32,
        run: impl Fn() -> Result<HullRun, E>,
    ) -> Result<Vec<HullRepetition>, EngineError<E>> {
        let engine = subject.engine;
        let first = run()?;
        // The engine cpu is not held against itself.
        let other = (engine == HullEngine::Cpu).then(|| hull::workers(&self.points, cores(), true));
        if first.vertices != *other.as_ref().unwrap_or(&self.vertices) {
            return Err(EngineError::Differs(format!(
                "the engine {engine} finds other vertices than another engine; this is a mistake of \
                 one of them: please report it"
            )));
        }
        let samples = repeat(first, |it| it.time_s, repetitions, run)?;
        let row = |(repetition, it): (u64, HullRun)| HullRepetition {
            engine,
            n: subject.n,
            distribution: subject.distribution,
            seed: subject.seed,
            workers: subject.workers,
            simd: subject.simd,
            vertices: it.vertices.len() as u64,
            survivors: it.first_pass.map(|it| it.1),
            rounds: it.rounds,
            first_pass_s: it.first_pass.map(|it| it.0),
            time_s: it.time_s,
            repetition,
            verified: "all".to_owned(),
        };
        Ok((0..).zip(samples).map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory_machine_geometry::points::random::PointDistribution;

    #[test]
    fn an_engine_that_errs_is_not_timed() {
        let engine = HullEngine::Sequential;
        let distribution = PointDistribution::Square;
        let subject =
            HullSubject { distribution, engine, n: 50, seed: 1, workers: None, simd: None };
        let input = HullInput::new(&subject);
        let cpu = CpuHull::new(engine, 1, false).unwrap();
        let run = || Ok::<_, ()>(cpu.run(&input.points));
        assert_eq!(input.measure(&subject, 7, run).unwrap().len(), 7);
        let wrong = || {
            let HullRun { mut vertices, .. } = cpu.run(&input.points);
            vertices.pop();
            Ok::<_, ()>(HullRun { vertices, ..cpu.run(&input.points) })
        };
        let error = input.measure(&subject, 7, wrong).unwrap_err();
        assert!(matches!(error, EngineError::Differs(_)));
    }
}
