//! `umm opt measure`

use clap::Args;

use super::engine::TypeOption;
use crate::algorithms::polygon::chords::MOST_VERTICES;
use crate::cli::support::Failure;
use crate::cli::support::campaign::{Campaign, Table, Tally, bar};
use crate::cli::support::options::one_of;
use crate::gpu::Gpu;
use crate::gpu::measure::VerifiedTimes;
use crate::gpu::measure::opt::{self, bytes};
use crate::gpu::measure::{Protocol, regime};
use crate::gpu::opt::tiled::{Number, SMALL};
use crate::grid::Grid;
use crate::host::memory;
use crate::keyword::Keyword;
use crate::measure::opt::OptEngine;
use crate::measure::{Device, Engine as _, OPT, Subject};
use crate::sample::Settings;

/// Measure engines on random weights, repetition by repetition
///
/// Every table of a GPU is compared with that of the host's engine before it is timed, from weights
/// in memory to the last value; of polygons with more than 16,384 vertices, a sample of cells is.
/// Each repetition is a row of DIR/opt.csv, with the machine described in DIR/device.json. Points are
/// saved as they are finished: the same command goes on where it was interrupted.
#[derive(Debug, Args)]
#[command(
    mut_arg("repetitions", |it| it.help("Repetitions of every point; 7 of those that take over a second")),
    mut_arg("seed", |it| it.help("Seed of random weights")),
)]
#[command(after_help = "\
Examples:
  umm opt measure -n 1024..65536*2 -o measured
  umm opt measure -n 128..2048*2 --engine cpu,plain -o measured
  umm opt measure -n 8,64 --polygons 1024..65536*4 --engine tiled,small -o measured")]
pub(super) struct Measure {
    /// Vertices, as in 128..8192*2
    #[arg(short, value_name = "GRID", default_value = "1024..8192*2")]
    n: Grid,
    #[arg(
        long,
        value_parser = one_of(asked()),
        value_delimiter = ',',
        value_name = "LIST",
        default_value = "ceiling,tiled"
    )]
    engine: Vec<OptEngine>,
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
    #[arg(long, value_name = "GRID", default_value = "1")]
    polygons: Grid,
    #[command(flatten)]
    campaign: Campaign,
}

/// The engines that one asks for, with their words: the natural ceiling goes with the other.
fn asked() -> Vec<(OptEngine, &'static str, &'static str)> {
    OptEngine::WORDS.iter().copied().filter(|it| it.0 != OptEngine::NaturalCeiling).collect()
}

/// A ceiling is measured in the form of `f32` for numbers that are not negative, too.
fn engines(engine: OptEngine, kind: TypeOption) -> Vec<OptEngine> {
    match (engine, kind) {
        (OptEngine::Ceiling, TypeOption::F32) => {
            vec![OptEngine::Ceiling, OptEngine::NaturalCeiling]
        }
        _ => vec![engine],
    }
}

/// More take more memory than any GPU has, of three vertices each.
const MOST_POLYGONS: i64 = 1 << 28;

/// What is measured into.
struct Session<'a> {
    /// There is one if an engine needs it.
    gpu: Option<&'a Gpu>,
    device: &'a Device,
    table: Table<'a>,
    protocol: Protocol,
}

impl Measure {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.check()?;
        let points = self.points();
        let (gpu, device) = self.campaign.open(points.iter().map(|it| it.0))?;
        let Campaign { repetitions, seed, .. } = self.campaign;
        let most_accesses = Protocol::MOST_ACCESSES.into();
        let protocol = Protocol { repetitions: repetitions as usize, seed, most_accesses };
        let (mut tally, gpu) = (Tally::default(), gpu.as_ref());
        let table = self.campaign.table(OPT, &mut tally)?;
        let mut session = Session { gpu, device: &device, table, protocol };
        for &(engine, kind, n, polygons) in bar(&points) {
            match kind {
                TypeOption::F32 => session.point::<f32>(engine, n, polygons)?,
                TypeOption::F64 => session.point::<f64>(engine, n, polygons)?,
                TypeOption::I32 => session.point::<i32>(engine, n, polygons)?,
            }
        }
        tally.print(&self.campaign.output)
    }

    fn check(&self) -> Result<(), Failure> {
        let refuse = |text: String| Err(Failure::input(text));
        if let Some(n) = self.n.0.iter().find(|n| **n < 3) {
            return refuse(format!("-n {n}: a polygon has at least three vertices"));
        }
        let most = MOST_VERTICES as i64;
        if let Some(n) = self.n.0.iter().find(|n| **n > most) {
            return refuse(format!("-n {n}: at most {most} vertices are triangulated"));
        }
        if let Some(p) = self.polygons.0.iter().find(|p| !(1..=MOST_POLYGONS).contains(*p)) {
            return refuse(format!("--polygons {p}: give from 1 to {MOST_POLYGONS}"));
        }
        for (engine, kind, n, _) in self.points().into_iter().filter(|it| !it.0.is_on_gpu()) {
            let bytes = match kind {
                TypeOption::F32 => bytes::<f32>(engine, n, 1),
                TypeOption::F64 => bytes::<f64>(engine, n, 1),
                TypeOption::I32 => bytes::<i32>(engine, n, 1),
            };
            if let Err(too_much) = memory::check(bytes) {
                return refuse(format!(
                    "-n {n}: weights and table of the engine {engine} take {too_much}; choose fewer \
                     vertices"
                ));
            }
        }
        let small = self.engine.contains(&OptEngine::Small);
        match self.n.0.iter().find(|n| small && **n > SMALL as i64) {
            Some(n) => refuse(format!(
                "-n {n}: --engine small has room for {SMALL} vertices; choose tiled"
            )),
            None => Ok(()),
        }
    }

    /// The ceiling once for each type; on the host, one polygon.
    fn points(&self) -> Vec<(OptEngine, TypeOption, usize, usize)> {
        let mut points = vec![];
        for &kind in &self.kind {
            for engine in self.engine.iter().flat_map(|it| engines(*it, kind)) {
                let ceiling = engine.is_ceiling();
                for &n in self.n.0.iter().take(if ceiling { 1 } else { usize::MAX }) {
                    let most = if engine.is_on_gpu() && !ceiling { usize::MAX } else { 1 };
                    for &polygons in self.polygons.0.iter().take(most) {
                        let polygons = if most == 1 { 1 } else { polygons };
                        points.push((engine, kind, n as usize, polygons as usize));
                    }
                }
            }
        }
        points
    }
}

impl Session<'_> {
    fn point<T: Number>(
        &mut self,
        engine: OptEngine,
        n: usize,
        polygons: usize,
    ) -> Result<(), Failure> {
        let bytes = bytes::<T>(engine, n, polygons);
        let mut set = Settings::default();
        if !engine.is_ceiling() {
            set.0.insert("n".to_owned(), n as i64);
        }
        let on_gpu = engine.is_on_gpu();
        let subject = Subject {
            name: engine.name(T::NAME),
            set,
            threads: (polygons > 1).then_some(polygons as u64),
            launch: on_gpu.then(|| "plain".to_owned()),
            prefetch: 1,
            processor: if on_gpu { "gpu" } else { "cpu" }.to_owned(),
            devices: 1,
            regime: regime(bytes, self.device.l2_bytes).to_owned(),
            bytes,
            ..Subject::default()
        };
        let protocol = self.protocol;
        self.table.point(&subject, || {
            let VerifiedTimes { verified, times } = match self.gpu {
                Some(gpu) if on_gpu => {
                    opt::measure_on_gpu::<T>(gpu, engine, n, polygons, protocol)?
                }
                _ => opt::measure_on_host::<T>(engine, n, protocol),
            };
            Ok(subject.repetitions(verified, protocol.seed, &times))
        })
    }
}
