//! A folder into which points are measured.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::device::DeviceOptions;
use super::options::{ANY, whole};
use super::{Failure, files};
use crate::diagnostic::visible;
use crate::gpu::execution::ExecutionError;
use crate::gpu::measure::greedy::GreedyError;
use crate::gpu::measure::hull::HullError;
use crate::gpu::measure::opt::OptError;
use crate::gpu::{self, CudaError, Gpu};
use crate::host::files::path_text;
use crate::host::today;
use crate::measure::engines::EngineError;
use crate::measure::{DEVICE, Device, Engine, MeasurementLog, Repetition, Row, read_device};

/// How engines are measured, and into which folder.
#[derive(Debug, Args)]
pub(crate) struct Campaign {
    /// Repetitions of every point, 7 to 1000; 7 of those that take over a second, 1 over 20 seconds
    #[arg(long, default_value_t = 11, value_parser = whole::<u32>(7..=1000))]
    pub(crate) repetitions: u32,
    /// Seed of random points
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(ANY))]
    pub(crate) seed: u64,
    #[command(flatten)]
    device: DeviceOptions,
    /// The folder to write into
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

impl Campaign {
    /// The GPU, if one of the engines needs one, and the folder with its description: of the GPU
    /// that there is, else of the host.
    pub(crate) fn open(
        &self,
        mut engines: impl Iterator<Item = impl Engine>,
    ) -> Result<(Option<Gpu>, Device), Failure> {
        let needed = engines.any(Engine::is_on_gpu);
        let count = match gpu::count() {
            Ok(count) => count,
            Err(error) if needed => return Err(error.into()),
            Err(_) => 0,
        };
        if count == 0 && !needed {
            return Ok((None, describe(&self.output, gpu::describe_host())?));
        }
        let gpu = self.device.open()?;
        let device = describe(&self.output, gpu::describe(&gpu, count as u64)?)?;
        Ok((needed.then_some(gpu), device))
    }

    /// The table in the folder.
    pub(crate) fn table<'t, R: Row<Subject: Display>>(
        &self,
        name: &str,
        tally: &'t mut Tally,
    ) -> Result<Table<'t, R>, Failure> {
        Table::open(&self.output.join(name), tally)
    }
}

/// The input of the last point: engines of the same input follow one another.
pub(crate) struct LastInput<K, I>(Option<(K, I)>);

impl<K: PartialEq, I> LastInput<K, I> {
    pub(crate) const fn new() -> Self {
        Self(None)
    }

    pub(crate) fn of(
        &mut self,
        key: K,
        make: impl FnOnce() -> Result<I, Failure>,
    ) -> Result<&mut I, Failure> {
        // Another input goes first: both may not fit the memory.
        let kept = self.0.take().filter(|it| it.0 == key);
        let input = match kept {
            Some(it) => it,
            None => (key, make()?),
        };
        Ok(&mut self.0.insert(input).1)
    }
}

/// The device's description, which stands in the folder from the first point on.
pub(crate) fn describe(folder: &Path, found: Device) -> Result<Device, Failure> {
    let fail = |error: std::io::Error| {
        Failure::of_file(format_args!("{}: {error}; change -o", path_text(folder)), &error)
    };
    std::fs::create_dir_all(folder).map_err(fail)?;
    let path = folder.join(DEVICE);
    let date = today();
    let mut device = Device { date, ..found };
    if path.exists() {
        let before = read_device(folder).map_err(Failure::input)?;
        if (&before.name, &before.driver) != (&device.name, &device.driver) {
            return Err(Failure::input(format_args!(
                "{}: measured on {}, but this is {}; give another -o",
                path_text(&path),
                before.with_driver(),
                device.with_driver()
            )));
        }
        if device.count <= before.count {
            return Ok(Device { count: device.count, ..before });
        }
        device = Device { count: device.count, ..before };
    }
    let text = serde_json::to_string_pretty(&device).map_err(Failure::run)? + "\n";
    files::update(&path, |file| file.write_all(text.as_bytes()))?;
    Ok(device)
}

/// Goes through points, and shows how far it has come.
pub(crate) fn bar<T>(points: &[T]) -> impl Iterator<Item = &T> {
    // Hidden by itself where standard error is no terminal.
    let bar = ProgressBar::new(points.len() as u64);
    match ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} points, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
    .wrap_iter(points.iter())
}

/// Why a point has no times.
pub(crate) enum PointFailure {
    /// It does not fit the GPU's memory: the others can be measured.
    Refused(CudaError),
    Failed(Failure),
}

impl From<CudaError> for PointFailure {
    fn from(error: CudaError) -> Self {
        match error {
            CudaError::Memory { .. } => Self::Refused(error),
            error => Self::Failed(error.into()),
        }
    }
}

impl From<ExecutionError> for PointFailure {
    fn from(error: ExecutionError) -> Self {
        match error {
            ExecutionError::Cuda(error) => error.into(),
            error @ ExecutionError::Listing(_) => Self::Failed(error.into()),
        }
    }
}

impl From<OptError> for PointFailure {
    fn from(error: OptError) -> Self {
        match error {
            OptError::Cuda(error) => error.into(),
            error @ OptError::Differs { .. } => Self::Failed(Failure::run(error)),
        }
    }
}

impl From<GreedyError> for PointFailure {
    fn from(error: GreedyError) -> Self {
        match error {
            GreedyError::Cuda(error) => error.into(),
            error @ GreedyError::TooMany(_) => Self::Failed(Failure::input(error)),
        }
    }
}

impl From<HullError> for PointFailure {
    fn from(error: HullError) -> Self {
        match error {
            HullError::Cuda(error) => error.into(),
            error @ HullError::Threads { .. } => Self::Failed(Failure::run(error)),
        }
    }
}

impl<E: Into<Self>> From<EngineError<E>> for PointFailure {
    fn from(error: EngineError<E>) -> Self {
        match error {
            EngineError::Run(error) => error.into(),
            EngineError::Differs(text) => Self::Failed(Failure::run(text)),
        }
    }
}

impl From<Failure> for PointFailure {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Where there is one point alone.
impl From<PointFailure> for Failure {
    fn from(missing: PointFailure) -> Self {
        match missing {
            PointFailure::Refused(error) => error.into(),
            PointFailure::Failed(failure) => failure,
        }
    }
}

/// What was done.
#[derive(Default)]
pub(crate) struct Tally {
    measured: usize,
    before: usize,
    refused: Vec<String>,
}

impl Tally {
    pub(crate) fn refuse(&mut self, subject: &impl Display, why: &impl Display) {
        self.refused.push(format!("{subject}: {why}"));
    }

    pub(crate) fn print(&self, folder: &Path) -> Result<(), Failure> {
        for refused in &self.refused {
            eprintln!("refused: {}", visible(refused));
        }
        files::print(&format!(
            "{}: {} points measured, {} were there, {} refused\n",
            path_text(folder),
            self.measured,
            self.before,
            self.refused.len()
        ))
    }
}

/// A table that points are measured into.
pub(crate) struct Table<'t, R: Row = Repetition> {
    pub(crate) log: MeasurementLog<R>,
    pub(crate) tally: &'t mut Tally,
}

impl<'t, R: Row<Subject: Display>> Table<'t, R> {
    pub(crate) fn open(path: &Path, tally: &'t mut Tally) -> Result<Self, Failure> {
        Ok(Self { log: MeasurementLog::open(path)?, tally })
    }

    /// Measures a point and writes its rows, unless they are there.
    pub(crate) fn point(
        &mut self,
        subject: &R::Subject,
        measure: impl FnOnce() -> Result<Vec<R>, PointFailure>,
    ) -> Result<(), Failure> {
        if self.log.is_done(subject) {
            self.tally.before += 1;
            return Ok(());
        }
        let path = path_text(self.log.path());
        match measure() {
            Ok(rows) => {
                let written = self.log.append(&rows);
                written.map_err(|error| Failure::run(format_args!("{path}: {error}")))?;
                self.tally.measured += 1;
                Ok(())
            }
            Err(PointFailure::Refused(error)) => {
                self.tally.refuse(subject, &error);
                Ok(())
            }
            Err(PointFailure::Failed(failure)) => Err(failure.after(&format!(
                "at {subject} (all points before it stand in {path}; the same command goes on \
                 there)"
            ))),
        }
    }
}
