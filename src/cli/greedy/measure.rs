//! `umm greedy measure`

use std::path::{Path, PathBuf};

use clap::Args;

use crate::algorithms::greedy::paper;
use crate::algorithms::points::Point;
use crate::cli::support::campaign::{Campaign, LastInput, PointFailure, Tally, bar};
use crate::cli::support::options::{ANY, whole, word_or_auto};
use crate::cli::support::point_set::{Distributions, GREEDY_BYTES, fits_memory};
use crate::cli::support::{Failure, files};
use crate::gpu::greedy;
use crate::gpu::measure::greedy::run;
use crate::grid::Grid;
use crate::host::files::path_text;
use crate::measure::engines::greedy::{GreedyInput, GreedyRun, count_rounds};
use crate::measure::greedy::{
    GreedyEngine, GreedyRepetition, GreedyRound, GreedySubject, read_rounds,
};
use crate::measure::{GREEDY, ROUNDS};

/// Measure engines on random points, repetition by repetition
///
/// The edges of every engine are compared with those of the engine fast, in their order, before it is
/// timed; and those of the engine fast are checked by count, planarity and order. Each repetition is a
/// row of DIR/greedy.csv, with the machine described in DIR/device.json; the engine paper also counts
/// the lines that are left, round by round, into DIR/greedy_rounds.csv. Points are saved as they are
/// finished: the same command goes on where it was interrupted. Points that do not fit the GPU's
/// memory are refused and named.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm greedy measure -o measured                              the paper's grid, on a GPU
  umm greedy measure -n 724,1024 --engine paper,fast -o measured
  umm greedy measure -n 1024..1048576*4 --engine fast --distribution square,clusters -o measured")]
pub(in crate::cli) struct Measure {
    /// Points, as in 1024..8192*2
    #[arg(short, value_name = "GRID", default_value = "724,1024,1448,2048,2896,4096,5792,8192")]
    n: Grid,
    #[arg(
        long,
        value_parser = word_or_auto(GreedyEngine::Fast, "Fast"),
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "gpu,paper,fast"
    )]
    engine: Vec<GreedyEngine>,
    /// Blocks of the engine gpu
    #[arg(long, value_name = "GRID", default_value = "256,512,1024")]
    blocks: Grid,
    /// Threads of a block of the engine gpu
    #[arg(long, value_name = "GRID", default_value = "128,256,512,1024")]
    threads: Grid,
    /// Points up to which the engine paper is measured; it is left out of larger ones
    #[arg(long, value_name = "N", default_value_t = 2896, value_parser = whole::<usize>(ANY))]
    most: usize,
    #[command(flatten)]
    spreads: Distributions,
    #[command(flatten)]
    campaign: Campaign,
    /// Set a greedy_rounds.csv that cannot be read aside, as greedy_rounds.csv.damaged, and count
    /// its rounds again
    #[arg(long)]
    force: bool,
}

/// The rows of greedy_rounds.csv.
struct Rounds {
    path: PathBuf,
    rows: Vec<GreedyRound>,
}

impl Rounds {
    /// Reads the folder's file. One that cannot be read is set aside by `force`.
    fn open(folder: &Path, force: bool) -> Result<Self, Failure> {
        let path = folder.join(ROUNDS);
        let rows = match read_rounds(&path) {
            Ok(rows) => rows,
            Err(_) if force => {
                let aside = path.with_extension("csv.damaged");
                std::fs::rename(&path, &aside).map_err(|error| {
                    Failure::input(format_args!("{}: {error}", path_text(&aside)))
                })?;
                vec![]
            }
            Err(error) => {
                return Err(Failure::input(format_args!(
                    "{error}; or give --force to set this file aside and count all rounds again"
                )));
            }
        };
        Ok(Self { path, rows })
    }

    fn are_of(row: &GreedyRound, subject: &GreedySubject) -> bool {
        (row.n, row.seed, row.distribution) == (subject.n, subject.seed, subject.distribution)
    }

    /// Whether those that the measuring of a subject counts are there.
    fn are_done(&self, subject: &GreedySubject) -> bool {
        subject.engine != GreedyEngine::Paper
            || self.rows.iter().any(|it| Self::are_of(it, subject))
    }

    /// Counts the tests of the paper's algorithm, and writes how many lines are left in its rounds.
    fn count(&mut self, subject: &GreedySubject, points: &[Point]) -> Result<u64, Failure> {
        let (tests, rounds) = count_rounds(subject, points).map_err(Failure::run)?;
        self.rows.retain(|it| !Self::are_of(it, subject));
        self.rows.extend(rounds);
        files::update(&self.path, |file| {
            let mut writer = csv::Writer::from_writer(file);
            self.rows.iter().try_for_each(|row| writer.serialize(row))?;
            writer.flush()
        })?;
        Ok(tests)
    }
}

impl Measure {
    pub(in crate::cli) fn run(&self) -> Result<(), Failure> {
        self.check()?;
        let folder = &self.campaign.output;
        let (gpu, _) = self.campaign.open(self.engine.iter().copied())?;
        let kernels = gpu.as_ref().map(greedy::GreedyKernels::new).transpose()?;
        let mut tally = Tally::default();
        let mut table = self.campaign.table(GREEDY, &mut tally)?;
        let mut rounds = Rounds::open(folder, self.force)?;
        let mut last = LastInput::new();
        for subject in bar(&self.subjects()) {
            let (key, make) = ((subject.distribution, subject.n), || {
                GreedyInput::new(subject).map_err(Failure::run)
            });
            if table.log.is_done(subject) && !rounds.are_done(subject) {
                rounds.count(subject, &last.of(key, make)?.points)?;
            }
            table.point(subject, || {
                self.rows(subject, last.of(key, make)?, kernels.as_ref(), &mut rounds)
            })?;
        }
        tally.print(folder)
    }

    fn check(&self) -> Result<(), Failure> {
        let refuse = |text: String| Err(Failure::input(text));
        if let Some(n) = self.n.0.iter().find(|n| **n < 4 || u32::try_from(**n).is_err()) {
            return refuse(format!("-n {n}: give from 4 to {} points", u32::MAX));
        }
        if let Some(engine) = self.engine.iter().find(|it| it.is_over_ranks()) {
            return refuse(format!(
                "--engine {engine}: is not measured here; mpirun -n 4 umm greedy … --engine {engine} \
                 --json tells its seconds"
            ));
        }
        let most = self.n.0.iter().copied().max().unwrap_or(0);
        fits_memory(most as usize, GREEDY_BYTES)?;
        let most = greedy::MOST_POINTS as i64;
        let on_gpu = self.engine.contains(&GreedyEngine::Gpu);
        if let Some(n) = self.n.0.iter().find(|n| on_gpu && **n > most) {
            return refuse(format!(
                "-n {n}: the engine gpu has room for the lines of {most} points; leave it out"
            ));
        }
        if self.most > paper::MOST_POINTS {
            let (given, most) = (self.most, paper::MOST_POINTS);
            return refuse(format!("--most {given}: {most} is the most"));
        }
        for (name, grid, most) in
            [("blocks", &self.blocks, i64::from(i32::MAX)), ("threads", &self.threads, 1024)]
        {
            if let Some(value) = grid.0.iter().find(|it| !(1..=most).contains(*it)) {
                return refuse(format!("--{name} {value}: give from 1 to {most}"));
            }
        }
        Ok(())
    }

    /// All points, those of the same input one after another.
    fn subjects(&self) -> Vec<GreedySubject> {
        self.spreads.subjects(&self.n, |distribution, n| {
            let subject = |engine, blocks, threads| GreedySubject {
                engine,
                distribution,
                n,
                seed: self.campaign.seed,
                blocks,
                threads,
            };
            let of = |&engine: &GreedyEngine| match engine {
                GreedyEngine::Gpu => {
                    let with = |&b: &i64| {
                        let threads = self.threads.0.iter();
                        threads.map(move |&t| subject(engine, Some(b as u32), Some(t as u32)))
                    };
                    self.blocks.0.iter().flat_map(with).collect()
                }
                GreedyEngine::Paper if n as usize > self.most => vec![],
                GreedyEngine::Paper
                | GreedyEngine::Fast
                | GreedyEngine::Mpi
                | GreedyEngine::MpiFast => {
                    vec![subject(engine, None, None)]
                }
            };
            self.engine.iter().flat_map(of).collect()
        })
    }

    fn rows(
        &self,
        subject: &GreedySubject,
        input: &mut GreedyInput,
        gpu: Option<&greedy::GreedyKernels<'_>>,
        rounds: &mut Rounds,
    ) -> Result<Vec<GreedyRepetition>, PointFailure> {
        let engine = subject.engine;
        let shape = subject.blocks.zip(subject.threads);
        let on_gpu = gpu.zip(shape).map(|(gpu, (blocks, threads))| (gpu, blocks, threads));
        let solve = |points: &[Point]| -> Result<GreedyRun, PointFailure> {
            Ok(run(engine, points, on_gpu, &|_| ())?)
        };
        let tests = |input: &GreedyInput| match (engine, gpu) {
            (GreedyEngine::Fast, _) => Ok(None),
            (GreedyEngine::Paper, _) => Ok(Some(rounds.count(subject, &input.points)?)),
            (_, Some(gpu)) if input.tests.is_none() => Ok(Some(gpu.tests(&input.points)?)),
            _ => Ok(input.tests),
        };
        Ok(input.measure(subject, self.campaign.repetitions, solve, tests)?)
    }
}
