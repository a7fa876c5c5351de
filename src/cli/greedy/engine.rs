//! What finds a greedy triangulation.

use std::time::Instant;

use clap::ValueEnum;

use crate::algorithms::greedy::{fast, paper};
use crate::algorithms::points::Point;
use crate::cli::Failure;
use crate::cli::gpu::DeviceOptions;
use crate::cli::outcome::grouped;
use crate::cli::progress::{Bar, spin};
use crate::cuda::greedy::{Greedy, MOST_POINTS};
use crate::measurement::greedy::{FAST, GPU, PAPER};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineOption {
    /// Without generating all lines: near-linear time on the CPU
    Fast,
    /// Shoemaker's algorithm on one core: all lines, sorted, then a round an edge
    Paper,
    /// Shoemaker's algorithm on a GPU, in --blocks blocks of --threads threads
    Gpu,
    /// Fast
    Auto,
}

impl EngineOption {
    pub(super) const fn resolved(self) -> Self {
        match self {
            Self::Auto => Self::Fast,
            other => other,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Fast | Self::Auto => FAST,
            Self::Paper => PAPER,
            Self::Gpu => GPU,
        }
    }

    /// The edges of distinct points, and the seconds that they took.
    pub(super) fn find(
        self,
        points: &[Point],
        (blocks, threads): (u32, u32),
        device: DeviceOptions,
    ) -> Result<(Vec<[u32; 2]>, f64), Failure> {
        let n = points.len();
        // Nearly as many as there are.
        let edges = || Bar::new(3 * n as u64, "edges");
        match self {
            Self::Fast | Self::Auto => {
                let bar = edges();
                let started = Instant::now();
                let run = fast::run(points, &|edges| bar.add(edges));
                Ok((run.edges, started.elapsed().as_secs_f64()))
            }
            Self::Paper => {
                let bar = edges();
                let run = paper::run(points, |_| bar.add(1)).map_err(Failure::input)?;
                Ok((run.edges, run.generate_s + run.sort_s + run.triangulate_s))
            }
            Self::Gpu => {
                if n > MOST_POINTS {
                    return Err(Failure::input(format_args!(
                        "the engine gpu numbers points in 16 bits: give at most {MOST_POINTS} \
                         distinct points, or choose the engine fast"
                    )));
                }
                let gpu = device.open()?;
                let engine = Greedy::new(&gpu)?;
                let what = format!("a round for each edge of {} points", grouped(n as u128));
                let run = spin(what, || engine.triangulate(points, blocks, threads))?;
                Ok((run.edges, run.generate_s + run.sort_s + run.triangulate_s))
            }
        }
    }
}
