//! A folder of measurements as a whole.

use std::path::{Path, PathBuf};

use super::greedy::GreedyMeasurements;
use super::hull;
use super::opt::OptMeasurements;
use super::read::read_if_there;
use super::{
    ALGORITHMS, DEVICE, Device, HULL, MICROBENCHMARKS, MeasurementError, Repetitions, Timing,
    read_device, repetitions,
};

/// What a folder holds. A file of rows that is not there has none.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    /// Where it was read from.
    pub path: PathBuf,
    /// On what it was measured.
    pub device: Device,
    /// Of [`MICROBENCHMARKS`].
    pub microbenchmarks: Vec<Timing>,
    /// Of [`ALGORITHMS`].
    pub algorithms: Vec<Timing>,
    /// Engines of optimal polygon triangulation.
    pub opt: OptMeasurements,
    /// Engines of greedy triangulation.
    pub greedy: GreedyMeasurements,
    /// Engines of convex hulls, of [`HULL`].
    pub hull: Vec<Repetitions<hull::HullRepetition>>,
}

impl Folder {
    /// # Errors
    /// [`MeasurementError`] if the device is not described, or a file that is there is malformed.
    pub fn read(folder: &Path) -> Result<Self, MeasurementError> {
        let rows = |name: &str| read_if_there(&folder.join(name)).map(repetitions);
        Ok(Self {
            path: folder.into(),
            device: read_device(folder)?,
            microbenchmarks: rows(MICROBENCHMARKS)?,
            algorithms: rows(ALGORITHMS)?,
            opt: OptMeasurements::read(folder)?,
            greedy: GreedyMeasurements::read(folder)?,
            hull: repetitions(read_if_there(&folder.join(HULL))?),
        })
    }

    /// Whether there is no time in it.
    pub fn is_empty(&self) -> bool {
        self.algorithms.is_empty()
            && self.microbenchmarks.is_empty()
            && self.opt.is_empty()
            && self.greedy.is_empty()
            && self.hull.is_empty()
    }
}

/// The folder of the latest day in `root` with times of listings; in it they stand as `DEVICE/DAY`,
/// and of one day the last by name is taken.
pub fn latest(root: &Path) -> Option<std::path::PathBuf> {
    let folders = |path: &Path| {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.map(|it| it.path()).filter(|it| it.is_dir()).collect::<Vec<_>>()
    };
    let days = folders(root).into_iter().flat_map(|device| folders(&device));
    let dated = days.filter(|it| it.join(DEVICE).exists() && it.join(ALGORITHMS).exists());
    // A folder whose device cannot be read sorts first, and complains if it is the only one.
    dated.max_by_key(|it| (read_device(it).map(|device| device.date).ok(), it.clone()))
}
