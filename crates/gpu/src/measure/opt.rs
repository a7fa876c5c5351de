//! Engines of optimal polygon triangulation on random weights.

use std::hint::black_box;
use std::time::Instant;

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;

use super::{Protocol, VerifiedTimes, WARM_UP};
use crate::CudaError;
use crate::gpu::Gpu;
use crate::opt::tiled::{Number, Polygons, SMALL, Tiled};
use crate::random::{Random, seed_of, word};
use memory_machine_geometry::opt::{self, Problem, reference};
use memory_machine_measure::opt::OptEngine;
use memory_machine_measure::{Engine as _, FEWEST, LONG};

/// Why an engine could not be measured.
#[derive(Debug, Error)]
pub enum OptError {
    /// The GPU, its driver or its compiler fails.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// A cell that the host's engine fills with another number.
    #[error(
        "T[{a}][{b}] of polygon {polygon} is {found}, and should be {wanted}; this is a mistake of \
         the kernels: please report it"
    )]
    Differs {
        /// Which of the polygons, from 0.
        polygon: usize,
        /// The lower end of the cell's chord.
        a: usize,
        /// Its higher end.
        b: usize,
        /// What the GPU computed.
        found: String,
        /// What the host computed.
        wanted: String,
    },
}

impl OptError {
    fn differs<T: Number>(polygon: usize, (a, b): (usize, usize), found: T, wanted: T) -> Self {
        let (found, wanted) = (found.to_string(), wanted.to_string());
        Self::Differs { polygon, a, b, found, wanted }
    }
}

/// Vertices up to which whole tables are compared with the host's engine.
const COMPARED: usize = 16_384;
/// Cells that are compared of larger tables.
const SAMPLE: usize = 32;

/// Weights that the GPU's random numbers give.
struct DeviceWeights {
    n: usize,
    first: u64,
    seed: u64,
}

impl<T: Number> Problem<T> for DeviceWeights {
    fn n(&self) -> usize {
        self.n
    }

    fn whole(&self, a: usize, b: usize) -> T {
        T::from_bits(word(T::TYPE, self.seed, self.first + (a * self.n + b) as u64))
    }
}

/// Measures an engine of the host with an `n`-gon, `n ≥ 3`.
///
/// # Panics
/// If the engine is [of a GPU](memory_machine_measure::Engine::is_on_gpu).
pub fn measure_on_host<T: Number>(
    engine: OptEngine,
    n: usize,
    protocol: Protocol,
) -> VerifiedTimes {
    assert!(!engine.is_on_gpu(), "{engine:?} is no engine of the host");
    let weights = DeviceWeights { n, first: 0, seed: seed_of(protocol.seed, 0) };
    let weights = opt::Weights::<T>::from_chords(n, |a, b| weights.whole(a, b));
    let run = || {
        let begin = Instant::now();
        if engine == OptEngine::Plain {
            black_box(reference::solve(&weights));
        } else {
            black_box(opt::solve(&weights, &|_| ()));
        }
        begin.elapsed().as_secs_f64()
    };
    // The first run warms up.
    let first = run();
    let times =
        if first > LONG { vec![first] } else { (0..protocol.repetitions).map(|_| run()).collect() };
    VerifiedTimes { verified: "none", times }
}

/// Measures an engine of a GPU with `polygons` `n`-gons, `n ≥ 3`.
///
/// # Errors
/// What the GPU says; a table that is not that of the host.
///
/// # Panics
/// If the engine is of the host.
pub fn measure_on_gpu<T: Number>(
    gpu: &Gpu,
    engine: OptEngine,
    n: usize,
    polygons: usize,
    protocol: Protocol,
) -> Result<VerifiedTimes, OptError> {
    match engine {
        OptEngine::Cpu | OptEngine::Plain => unreachable!("{engine:?} is an engine of the host"),
        OptEngine::Ceiling | OptEngine::NaturalCeiling => {
            let tiled = Tiled::<T>::new(gpu, false);
            let run = |_| tiled.ceiling(engine == OptEngine::NaturalCeiling);
            // The first run warms up.
            let mut times = (0..=protocol.repetitions).map(run).collect::<Result<Vec<_>, _>>()?;
            times.remove(0);
            Ok(VerifiedTimes { verified: "none", times })
        }
        OptEngine::Tiled | OptEngine::Small => on_gpu::<T>(gpu, engine, n, polygons, protocol),
    }
}

fn on_gpu<T: Number>(
    gpu: &Gpu,
    engine: OptEngine,
    n: usize,
    polygons: usize,
    protocol: Protocol,
) -> Result<VerifiedTimes, OptError> {
    let tiled = Tiled::<T>::new(gpu, false);
    let (cells, seed) = ((polygons * n * n) as u64, seed_of(protocol.seed, 0));
    let weights = gpu.allocate(cells * size_of::<T>() as u64)?;
    let random = Random::new(gpu)?;
    let fill = || random.fill(&weights, T::TYPE, cells, None, seed);
    fill()?;
    let problem = |polygon| DeviceWeights { n, first: (polygon * n * n) as u64, seed };
    let small = engine == OptEngine::Small;
    assert!(!small || n <= SMALL, "small polygons");
    let tables = if small { None } else { Some(tiled.polygons(n, polygons)?) };
    let run = || match &tables {
        Some(tables) => {
            gpu.synchronize()?;
            gpu.seconds(|| tables.triangulate_weights(&weights))
        }
        // Tables take the place of the weights.
        None => {
            fill()?;
            gpu.synchronize()?;
            gpu.seconds(|| tiled.small(n, polygons, &weights))
        }
    };
    let first = run()?;
    let verified = match &tables {
        Some(tables) => {
            verify(tables, n, polygons - 1, &problem(polygons - 1))?;
            if polygons == 1 && n <= COMPARED { "all" } else { "sample" }
        }
        None => {
            let mut found = vec![T::ZERO; n * n];
            let polygon = polygons - 1;
            let from = (polygon * n * n * size_of::<T>()) as u64;
            gpu.download_at(&weights, from, bytemuck::cast_slice_mut(&mut found))?;
            compare(&problem(polygon), polygon, |a, b| found[a * n + b])?;
            "sample"
        }
    };
    for _ in 1..if first > 1.0 { 1 } else { WARM_UP } {
        run()?;
    }
    let repetitions = if first > 1.0 { FEWEST as usize } else { protocol.repetitions };
    let times = (0..repetitions).map(|_| run()).collect::<Result<_, _>>()?;
    Ok(VerifiedTimes { verified, times })
}

/// Compares a table of a GPU with the host's, all of it or that a sample of cells agrees with
/// what they are computed from.
fn verify<T: Number>(
    tables: &Polygons<'_, T>,
    n: usize,
    polygon: usize,
    problem: &DeviceWeights,
) -> Result<(), OptError> {
    if n <= COMPARED {
        let found = tables.table(polygon)?;
        return compare(problem, polygon, |a, b| found.get(a, b));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(problem.seed);
    for _ in 0..SAMPLE {
        let a = rng.random_range(0..n - 2);
        let b = rng.random_range(a + 2..n);
        let (row, column) = (tables.at_vertex(polygon, a)?, tables.at_vertex(polygon, b)?);
        let sums = (a + 1..b).map(|k| row[k].plus(column[k]));
        let least = sums.fold(T::INFINITY, T::least).settled();
        let whole: T = problem.whole(a, b);
        let (found, wanted) = (row[b], least.plus(whole).settled());
        if found != wanted || column[a] != wanted {
            return Err(OptError::differs(polygon, (a, b), found, wanted));
        }
    }
    Ok(())
}

fn compare<T: Number>(
    problem: &DeviceWeights,
    polygon: usize,
    found: impl Fn(usize, usize) -> T,
) -> Result<(), OptError> {
    let wanted = opt::solve::<T>(problem, &|_| ());
    for a in 0..problem.n {
        for b in a + 1..problem.n {
            let (found, wanted) = (found(a, b), wanted.get(a, b));
            if found != wanted {
                return Err(OptError::differs(polygon, (a, b), found, wanted));
            }
        }
    }
    Ok(())
}

/// Bytes that a point takes on its processor: weights and tables.
pub fn bytes<T: Number>(engine: OptEngine, n: usize, polygons: usize) -> u64 {
    let weights = (polygons * n * n * size_of::<T>()) as u64;
    match engine {
        OptEngine::Tiled => weights + Tiled::<T>::bytes(n, polygons),
        OptEngine::Small => weights,
        OptEngine::Cpu => weights + weights / 2,
        OptEngine::Plain => 2 * weights,
        OptEngine::Ceiling | OptEngine::NaturalCeiling => 0,
    }
}
