//! What finds a hull.

use std::time::Instant;

use clap::ValueEnum;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::algorithms::hull;
use crate::algorithms::points::Point;
use crate::cli::Failure;
use crate::cli::gpu::DeviceOptions;
use crate::cuda::hull::Hull;
use crate::measurement::hull::{CPU, GPU, GPU_PAPER, SEQUENTIAL, WORKERS};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EngineOption {
    /// The iterative quickhull of Srikanth et al., on one thread
    Sequential,
    /// Their version for the Cell processor, in one chunk for each of --workers
    Workers,
    /// One pass drops what the hull of a sample contains; the rest is sorted
    Cpu,
    /// The same pass on a GPU
    Gpu,
    /// The seven phases of Srikanth et al. on a GPU
    GpuPaper,
    /// Cpu: to bring points to a GPU would take longer
    Auto,
}

impl EngineOption {
    pub(super) const fn resolved(self) -> Self {
        match self {
            Self::Auto => Self::Cpu,
            other => other,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sequential => SEQUENTIAL,
            Self::Workers => WORKERS,
            Self::Cpu | Self::Auto => CPU,
            Self::Gpu => GPU,
            Self::GpuPaper => GPU_PAPER,
        }
    }

    pub(super) const fn has_workers(self) -> bool {
        matches!(self, Self::Workers | Self::Cpu | Self::Auto)
    }

    pub(super) const fn is_on_gpu(self) -> bool {
        matches!(self, Self::Gpu | Self::GpuPaper)
    }

    /// Bytes of the host's memory that a point takes, at most.
    pub(super) const fn bytes(self) -> u64 {
        match self {
            Self::Sequential => 80,
            Self::Workers | Self::Cpu | Self::Auto | Self::Gpu | Self::GpuPaper => 64,
        }
    }

    /// The vertices, and the seconds from points in the engine's memory to vertices in the host's.
    pub(super) fn find(
        self,
        points: &[Point],
        (workers, simd): (usize, bool),
        device: DeviceOptions,
    ) -> Result<(Vec<u32>, f64), Failure> {
        if self.is_on_gpu() {
            let gpu = device.open()?;
            let engine = Hull::new(&gpu)?;
            let resident = engine.load(points)?;
            let run = if self == Self::Gpu { resident.hull()? } else { resident.paper()? };
            return Ok((run.vertices, run.seconds));
        }
        let pool = self.pool(workers)?;
        let started = Instant::now();
        let vertices = self.on_host(points, workers, simd, pool.as_ref());
        Ok((vertices, started.elapsed().as_secs_f64()))
    }

    /// The threads that the engine cpu runs on; the others have their own.
    pub(super) fn pool(self, workers: usize) -> Result<Option<ThreadPool>, Failure> {
        if self.resolved() != Self::Cpu {
            return Ok(None);
        }
        let pool = ThreadPoolBuilder::new().num_threads(workers).build();
        pool.map(Some)
            .map_err(|error| Failure::run(format_args!("cannot start {workers} threads: {error}")))
    }

    /// The vertices, by an engine on the host.
    pub(super) fn on_host(
        self,
        points: &[Point],
        workers: usize,
        simd: bool,
        pool: Option<&ThreadPool>,
    ) -> Vec<u32> {
        match (self, pool) {
            (Self::Sequential, _) => hull::sequential(points),
            (Self::Workers, _) => hull::workers(points, workers, simd),
            (_, Some(pool)) => pool.install(|| hull::cpu(points, simd)),
            (_, None) => hull::cpu(points, simd),
        }
    }
}
