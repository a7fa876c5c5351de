//! `umm opt measure`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::solve::TypeOption;
use crate::cli::gpu::DeviceOptions;
use crate::cli::gpu::record::{bar, described, lost, save};
use crate::cli::{Failure, files};
use crate::cuda::measure::opt::{self, Outcome, bytes};
use crate::cuda::measure::{Manner, regime};
use crate::cuda::opt::tiled::{Number, SMALL};
use crate::cuda::{CudaError, Gpu};
use crate::diagnostic::visible;
use crate::grid::Grid;
use crate::measurement::opt::Engine;
use crate::measurement::{Device, Log, OPT, Subject};
use crate::sample::Settings;

/// Measure engines on random weights, repetition by repetition
///
/// Every table of a GPU is compared with that of the host's engine before it is timed, from weights
/// in memory to the last value; of polygons with more than 16,384 vertices, a sample of cells is.
/// Each repetition is a row of DIR/opt.csv, with the machine described in DIR/device.json. Points are
/// saved as they are finished: the same command goes on where it was interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm opt measure -n 1024..65536*2 -o measured
  umm opt measure -n 128..2048*2 --engine cpu,plain -o measured
  umm opt measure -n 8,64 --polygons 1024..65536*4 --engine tiled,small -o measured")]
pub(super) struct Measure {
    /// Vertices, as in 128..8192*2
    #[arg(short, value_name = "LIST", default_value = "1024..8192*2")]
    n: Grid,
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "ceiling,tiled"
    )]
    engine: Vec<EngineOption>,
    /// Numbers to compute with
    #[arg(
        long = "type",
        value_enum,
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "f32"
    )]
    kind: Vec<TypeOption>,
    /// Polygons that a GPU triangulates at once
    #[arg(long, value_name = "LIST", default_value = "1")]
    polygons: Grid,
    /// Repetitions of every point; 7 of those that take over a second
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(7..=1000))]
    repetitions: u32,
    /// Seed of random weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    device: DeviceOptions,
    /// The folder to write into
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EngineOption {
    /// By tiles, on the GPU
    Tiled,
    /// In the GPU's shared memory, up to 64 vertices
    Small,
    /// Blocked and vectorised, on all cores of the host
    Cpu,
    /// The plain triple loop on one of them
    Plain,
    /// What the GPU does in registers alone
    Ceiling,
}

impl EngineOption {
    /// The engines for numbers of a type.
    fn engines(self, kind: TypeOption) -> Vec<Engine> {
        match self {
            Self::Tiled => vec![Engine::Tiled],
            Self::Small => vec![Engine::Small],
            Self::Cpu => vec![Engine::Cpu],
            Self::Plain => vec![Engine::Plain],
            Self::Ceiling if matches!(kind, TypeOption::F32) => {
                vec![Engine::Ceiling, Engine::NaturalCeiling]
            }
            Self::Ceiling => vec![Engine::Ceiling],
        }
    }
}

/// What is measured into.
struct Session<'a> {
    /// There is one if an engine needs it.
    gpu: Option<&'a Gpu>,
    device: &'a Device,
    log: Log,
    manner: Manner,
    refused: Vec<String>,
    measured: usize,
    before: usize,
}

impl Measure {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.check()?;
        let points: Vec<_> = self.points().collect();
        let on_gpu = points.iter().any(|it| it.0.is_on_gpu());
        let (gpu, device) = described(&self.output, self.device, on_gpu)?;
        let log = Log::open(&self.output.join(OPT)).map_err(Failure::input)?;
        let manner = Manner { repetitions: self.repetitions as usize, seed: self.seed };
        let (gpu, device) = (gpu.as_ref(), &device);
        let mut session =
            Session { gpu, device, log, manner, refused: vec![], measured: 0, before: 0 };
        let bar = bar(points.len());
        for (engine, kind, n, polygons) in points {
            match kind {
                TypeOption::F32 => session.point::<f32>(engine, n, polygons)?,
                TypeOption::F64 => session.point::<f64>(engine, n, polygons)?,
                TypeOption::I32 => session.point::<i32>(engine, n, polygons)?,
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        for refused in &session.refused {
            eprintln!("refused: {}", visible(refused));
        }
        let Session { measured, before, refused, .. } = session;
        files::print(&format!(
            "{}: {measured} points measured, {before} were there, {} refused\n",
            self.output.display(),
            refused.len()
        ))
    }

    fn check(&self) -> Result<(), Failure> {
        let refuse = |text: String| Err(Failure::input(text));
        if let Some(n) = self.n.0.iter().find(|n| **n < 3) {
            return refuse(format!("-n {n}: a polygon has at least three vertices"));
        }
        if let Some(p) = self.polygons.0.iter().find(|p| **p < 1) {
            return refuse(format!("--polygons {p}: it must be at least 1"));
        }
        let small = self.engine.iter().any(|it| matches!(it, EngineOption::Small));
        match self.n.0.iter().find(|n| small && **n > SMALL as i64) {
            Some(n) => refuse(format!(
                "-n {n}: --engine small has room for {SMALL} vertices; choose tiled"
            )),
            None => Ok(()),
        }
    }

    /// The ceiling once for each type; on the host, one polygon.
    fn points(&self) -> impl Iterator<Item = (Engine, TypeOption, usize, usize)> {
        let mut points = vec![];
        for &kind in &self.kind {
            for engine in self.engine.iter().flat_map(|it| it.engines(kind)) {
                let ceiling = matches!(engine, Engine::Ceiling | Engine::NaturalCeiling);
                for &n in self.n.0.iter().take(if ceiling { 1 } else { usize::MAX }) {
                    let most = if engine.is_on_gpu() && !ceiling { usize::MAX } else { 1 };
                    for &polygons in self.polygons.0.iter().take(most) {
                        let polygons = if most == 1 { 1 } else { polygons };
                        points.push((engine, kind, n as usize, polygons as usize));
                    }
                }
            }
        }
        points.into_iter()
    }
}

impl Session<'_> {
    fn point<T: Number>(
        &mut self,
        engine: Engine,
        n: usize,
        polygons: usize,
    ) -> Result<(), Failure> {
        let bytes = bytes::<T>(engine, n, polygons);
        let mut set = Settings::default();
        match engine {
            Engine::Ceiling | Engine::NaturalCeiling => {}
            _ => {
                set.0.insert("n".to_owned(), n as i64);
            }
        }
        let on_gpu = engine.is_on_gpu();
        let subject = Subject {
            name: format!("{}_{}", engine.name(), T::NAME),
            set,
            threads: (polygons > 1).then_some(polygons as u64),
            launch: on_gpu.then(|| "plain".to_owned()),
            ahead: 1,
            processor: if on_gpu { "gpu" } else { "cpu" }.to_owned(),
            devices: 1,
            regime: regime(bytes, self.device.l2_bytes).to_owned(),
            bytes,
            ..Subject::default()
        };
        if self.log.is_done(&subject) {
            self.before += 1;
            return Ok(());
        }
        let outcome = match self.gpu {
            Some(gpu) if on_gpu => opt::measure_on_gpu::<T>(gpu, engine, n, polygons, self.manner),
            _ => Ok(opt::measure_on_host::<T>(engine, n, self.manner)),
        };
        match outcome {
            Ok(Outcome { verified, times }) => {
                save(&mut self.log, &subject, verified, self.manner.seed, &times)?;
                self.measured += 1;
            }
            Err(opt::OptError::Cuda(error @ CudaError::Memory { .. })) => {
                self.refused.push(format!("{subject}: {error}"));
            }
            Err(opt::OptError::Cuda(error)) => {
                return Err(lost(&self.log, &subject, error.into()));
            }
            Err(error) => return Err(lost(&self.log, &subject, Failure::run(error))),
        }
        Ok(())
    }
}
