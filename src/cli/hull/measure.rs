//! `umm hull measure`

use std::collections::HashSet;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Instant;

use clap::Args;

use super::engine::EngineOption;
use crate::algorithms::hull;
use crate::algorithms::points::{Point, random};
use crate::cli::gpu::DeviceOptions;
use crate::cli::gpu::record::{append, bar, described, lost, repeat};
use crate::cli::point_set::{DistributionOption, fits_memory};
use crate::cli::{Failure, files};
use crate::cuda;
use crate::grid::Grid;
use crate::measurement::hull::{Run, Subject};
use crate::measurement::{HULL, Log};

/// Measure engines on random points, repetition by repetition
///
/// The vertices of every engine are compared with those of the engine cpu before it is timed, and
/// those of the engine cpu with those of the engine workers. Each repetition is a row of DIR/hull.csv,
/// with the machine described in DIR/device.json. Points are saved as they are finished: the same
/// command goes on where it was interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm hull measure -o measured                                every engine, to 2^27 points; on a GPU, too
  umm hull measure -n 65536..16777216*4 --engine sequential,cpu -o measured
  umm hull measure -n 16777216 --engine workers --workers 1..64*2 --distribution disk -o measured")]
pub(in crate::cli) struct Measure {
    /// Points, as in 65536..134217728*2
    #[arg(short, value_name = "LIST", default_value = "65536..134217728*2")]
    n: Grid,
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "sequential,workers,cpu,gpu,gpu-paper"
    )]
    engine: Vec<EngineOption>,
    /// Workers of the engines workers and cpu, each with SIMD and without [default: powers of two up
    /// to the number of cores, and that]
    #[arg(long, value_name = "LIST")]
    workers: Option<Grid>,
    /// How points are spread
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST", default_value = "square")]
    distribution: Vec<DistributionOption>,
    /// Repetitions of every point, 7 to 1000; 7 of those that take over a second, 1 over 20 seconds
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(7..=1000))]
    repetitions: u32,
    /// Seed of random points
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    device: DeviceOptions,
    /// The folder to write into
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

/// What one run gave.
struct Sample {
    vertices: Vec<u32>,
    time_s: f64,
    /// On a GPU: points left by the first pass, the pass itself, and rounds.
    first_pass_s: Option<f64>,
    survivors: Option<u64>,
    rounds: Option<u64>,
}

/// Points with their hull.
struct Input {
    points: Vec<Point>,
    vertices: Vec<u32>,
}

impl Measure {
    pub(in crate::cli) fn run(&self) -> Result<(), Failure> {
        self.check()?;
        let on_gpu = self.engine.iter().any(|it| it.is_on_gpu());
        let (gpu, _) = described(&self.output, self.device, on_gpu)?;
        let engine = match &gpu {
            Some(gpu) if on_gpu => Some(cuda::hull::Hull::new(gpu)?),
            _ => None,
        };
        let mut log = Log::open(&self.output.join(HULL)).map_err(Failure::input)?;
        let subjects = self.subjects();
        let bar = bar(subjects.len());
        let (mut measured, mut input): (usize, Option<(DistributionOption, u64, Input)>) =
            (0, None);
        for (spread, engine_option, subject) in &subjects {
            bar.inc(1);
            if log.is_done(subject) {
                continue;
            }
            // Engines of the same points follow one another.
            let (.., input) = match &mut input {
                Some(it) if (it.0, it.1) == (*spread, subject.n) => it,
                other => {
                    // The points before go first: both may not fit the memory.
                    *other = None;
                    other.insert((*spread, subject.n, self.input(*spread, subject.n)))
                }
            };
            let rows = self.rows(*engine_option, subject, input, engine.as_ref());
            let rows = rows.map_err(|failure| lost(&log, subject, failure))?;
            append(&mut log, &rows)?;
            measured += 1;
        }
        bar.finish_and_clear();
        files::print(&format!(
            "{}: {measured} points measured, {} were there\n",
            self.output.display(),
            subjects.len() - measured
        ))
    }

    fn check(&self) -> Result<(), Failure> {
        if let Some(n) = self.n.0.iter().find(|n| **n < 1 || u32::try_from(**n).is_err()) {
            let most = u32::MAX;
            return Err(Failure::input(format_args!("-n {n}: give from 1 to {most} points")));
        }
        let most = self.n.0.iter().copied().max().unwrap_or(0);
        let bytes = self.engine.iter().map(|it| it.bytes()).max().unwrap_or(0);
        fits_memory(most as usize, bytes)?;
        let workers = self.workers.iter().flat_map(|it| &it.0);
        match workers.copied().find(|it| !(1..=1024).contains(it)) {
            Some(workers) => {
                Err(Failure::input(format_args!("--workers {workers}: give from 1 to 1024")))
            }
            None => Ok(()),
        }
    }

    fn workers(&self) -> Vec<u64> {
        if let Some(given) = &self.workers {
            return given.0.iter().map(|&it| it as u64).collect();
        }
        let cores = cores() as u64;
        let mut powers: Vec<u64> = (0..).map(|it| 1 << it).take_while(|it| *it < cores).collect();
        powers.push(cores);
        powers
    }

    /// All points, those of the same input one after another.
    fn subjects(&self) -> Vec<(DistributionOption, EngineOption, Subject)> {
        let mut subjects = vec![];
        for &spread in &self.distribution {
            for &n in &self.n.0 {
                for engine in self.engine.iter().map(|it| it.resolved()) {
                    let subject = |workers, simd| Subject {
                        distribution: spread.name().to_owned(),
                        engine: engine.name().to_owned(),
                        n: n as u64,
                        seed: self.seed,
                        workers,
                        simd,
                    };
                    if !engine.has_workers() {
                        subjects.push((spread, engine, subject(None, None)));
                        continue;
                    }
                    for workers in self.workers() {
                        for simd in [false, true] {
                            subjects.push((spread, engine, subject(Some(workers), Some(simd))));
                        }
                    }
                }
            }
        }
        let mut seen = HashSet::new();
        subjects.retain(|it| seen.insert(it.2.clone()));
        subjects
    }

    fn input(&self, spread: DistributionOption, n: u64) -> Input {
        let points = random::points(spread.distribution(), n as usize, self.seed);
        let vertices = hull::cpu(&points, true);
        Input { points, vertices }
    }

    fn rows(
        &self,
        engine: EngineOption,
        subject: &Subject,
        Input { points, vertices }: &Input,
        gpu: Option<&cuda::hull::Hull<'_>>,
    ) -> Result<Vec<Run>, Failure> {
        let resident = match gpu {
            Some(gpu) if engine.is_on_gpu() => Some(gpu.load(points)?),
            _ => None,
        };
        let (workers, simd) =
            (subject.workers.unwrap_or(1) as usize, subject.simd.unwrap_or(false));
        let pool = engine.pool(workers)?;
        let run = || -> Result<Sample, Failure> {
            let run = match (engine, &resident) {
                (EngineOption::Gpu, Some(points)) => points.hull()?,
                (EngineOption::GpuPaper, Some(points)) => points.paper()?,
                _ => {
                    let started = Instant::now();
                    let vertices = engine.on_host(points, workers, simd, pool.as_ref());
                    return Ok(Sample {
                        vertices,
                        time_s: started.elapsed().as_secs_f64(),
                        first_pass_s: None,
                        survivors: None,
                        rounds: None,
                    });
                }
            };
            let filtered = engine == EngineOption::Gpu;
            Ok(Sample {
                vertices: run.vertices,
                time_s: run.seconds,
                first_pass_s: filtered.then_some(run.first_pass_s),
                survivors: filtered.then_some(run.survivors),
                rounds: Some(run.rounds.into()),
            })
        };
        let first = run()?;
        // The engine cpu is not held against itself.
        let other = (engine == EngineOption::Cpu).then(|| hull::workers(points, cores(), true));
        if first.vertices != *other.as_ref().unwrap_or(vertices) {
            return Err(Failure::run(format_args!(
                "the engine {} finds other vertices than another engine; this is a mistake of one of \
                 them: please report it",
                subject.engine
            )));
        }
        let samples = repeat(first, |it| it.time_s, self.repetitions, run)?;
        let row = |(repetition, it): (u64, Sample)| Run {
            engine: subject.engine.clone(),
            n: subject.n,
            distribution: subject.distribution.clone(),
            seed: subject.seed,
            workers: subject.workers,
            simd: subject.simd,
            vertices: it.vertices.len() as u64,
            survivors: it.survivors,
            rounds: it.rounds,
            first_pass_s: it.first_pass_s,
            time_s: it.time_s,
            repetition,
            verified: "all".to_owned(),
        };
        Ok((0..).zip(samples).map(row).collect())
    }
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}
