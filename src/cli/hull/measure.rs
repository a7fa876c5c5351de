//! `umm hull measure`

use clap::Args;

use super::AUTO;
use crate::cli::support::Failure;
use crate::cli::support::campaign::{Campaign, LastInput, PointFailure, Tally, bar};
use crate::cli::support::options::word_or_auto;
use crate::cli::support::point_set::{Distributions, fits_memory};
use crate::gpu;
use crate::gpu::measure::hull::PreparedHull;
use crate::grid::Grid;
use crate::measure::engines::hull::{HullInput, bytes, cores};
use crate::measure::hull::{HullEngine, HullRepetition, HullSubject};
use crate::measure::{Engine as _, HULL};

/// Measure engines on random points, repetition by repetition
///
/// The vertices of every engine are compared with those of the engine cpu before it is timed, and
/// those of the engine cpu with those of the engine workers. Each repetition is a row of DIR/hull.csv,
/// with the machine described in DIR/device.json. Points are saved as they are finished: the same
/// command goes on where it was interrupted. Points that do not fit the GPU's memory are refused and
/// named.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm hull measure -o measured                                every engine, to 2^27 points; on a GPU, too
  umm hull measure -n 65536..16777216*4 --engine sequential,cpu -o measured
  umm hull measure -n 16777216 --engine workers --workers 1..64*2 --distribution disk -o measured")]
pub(in crate::cli) struct Measure {
    /// Points, as in 65536..134217728*2
    #[arg(short, value_name = "GRID", default_value = "65536..134217728*2")]
    n: Grid,
    #[arg(
        long,
        value_parser = word_or_auto(HullEngine::Cpu, AUTO),
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "sequential,workers,cpu,gpu,gpu-paper"
    )]
    engine: Vec<HullEngine>,
    /// Workers of the engines workers, workers-prefetch and cpu, each with SIMD and without [default: powers of two up
    /// to the number of cores, and that]
    #[arg(long, value_name = "GRID")]
    workers: Option<Grid>,
    #[command(flatten)]
    spreads: Distributions,
    #[command(flatten)]
    campaign: Campaign,
}

impl Measure {
    pub(in crate::cli) fn run(&self) -> Result<(), Failure> {
        self.check()?;
        let (gpu, _) = self.campaign.open(self.engine.iter().copied())?;
        let kernels = gpu.as_ref().map(gpu::hull::HullKernels::new).transpose()?;
        let mut tally = Tally::default();
        let mut table = self.campaign.table(HULL, &mut tally)?;
        let mut last = LastInput::new();
        for subject in bar(&self.subjects()) {
            table.point(subject, || {
                let key = (subject.distribution, subject.n);
                let input = last.of(key, || Ok(HullInput::new(subject)))?;
                self.rows(subject, input, kernels.as_ref())
            })?;
        }
        tally.print(&self.campaign.output)
    }

    fn check(&self) -> Result<(), Failure> {
        if let Some(n) = self.n.0.iter().find(|n| **n < 1 || u32::try_from(**n).is_err()) {
            let most = u32::MAX;
            return Err(Failure::input(format_args!("-n {n}: give from 1 to {most} points")));
        }
        let most = self.n.0.iter().copied().max().unwrap_or(0);
        let bytes = self.engine.iter().map(|it| bytes(*it)).max().unwrap_or(0);
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
    fn subjects(&self) -> Vec<HullSubject> {
        self.spreads.subjects(&self.n, |distribution, n| {
            let subject = |engine, workers, simd| HullSubject {
                distribution,
                engine,
                n,
                seed: self.campaign.seed,
                workers,
                simd,
            };
            let of = |&engine: &HullEngine| {
                if !engine.has_workers() {
                    return vec![subject(engine, None, None)];
                }
                let with =
                    |workers| [false, true].map(|simd| subject(engine, Some(workers), Some(simd)));
                self.workers().into_iter().flat_map(with).collect()
            };
            self.engine.iter().flat_map(of).collect()
        })
    }

    fn rows(
        &self,
        subject: &HullSubject,
        input: &HullInput,
        gpu: Option<&gpu::hull::HullKernels<'_>>,
    ) -> Result<Vec<HullRepetition>, PointFailure> {
        let engine = subject.engine;
        let threads = (subject.workers.unwrap_or(1) as usize, subject.simd.unwrap_or(false));
        let gpu = gpu.filter(|_| engine.is_on_gpu());
        let hull = PreparedHull::new(engine, &input.points, threads, gpu)?;
        Ok(input.measure(subject, self.campaign.repetitions, || hull.run())?)
    }
}
