//! The points that a command is about.

use std::collections::HashSet;
use std::ffi::OsString;
use std::hash::Hash;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::layer_options::LayerOptions;
use super::options::{ANY, whole, word};
use crate::algorithms::layer::CoordinateUnit;
use crate::algorithms::points::Point;
use crate::algorithms::points::random::{self, PointDistribution};
use crate::grid::Grid;
use crate::host::files::{ends, path_text};
use crate::host::memory;

/// A file of points, or random ones.
#[derive(Debug, Args)]
pub(crate) struct PointSet {
    /// Points (CSV x,y a line, GeoJSON, WKT, .npy, .obj, .shp, …, packed or not; - for standard
    /// input), or `random`
    // `None` only beside a subcommand. (As an `Option` of all options, with a plain file in it, it
    // would be `None` always: clap does not count arguments of nested structures.)
    #[arg(value_name = "POINTS|random", required = true)]
    file: Option<PathBuf>,
    /// Random points [default: 1000]
    #[arg(short, value_name = "N", value_parser = whole::<usize>(ANY))]
    n: Option<usize>,
    /// How random points are spread [default: square]
    #[arg(long, value_parser = word::<PointDistribution>())]
    distribution: Option<PointDistribution>,
    /// Seed of random points [default: 1]
    #[arg(long, value_parser = whole::<u64>(ANY))]
    seed: Option<u64>,
    #[command(flatten)]
    layer: LayerOptions,
}

/// Random points of several kinds, which engines are measured on.
#[derive(Debug, Args)]
pub(crate) struct Distributions {
    /// How points are spread
    #[arg(long, value_parser = word::<PointDistribution>(), value_delimiter = ',', value_name = "LIST", default_value = "square")]
    distribution: Vec<PointDistribution>,
}

impl Distributions {
    /// What is measured on `n` points of each, every one once.
    pub(crate) fn subjects<S: Copy + Eq + Hash>(
        &self,
        n: &Grid,
        of: impl Fn(PointDistribution, u64) -> Vec<S>,
    ) -> Vec<S> {
        let sizes = |&spread: &PointDistribution| n.0.iter().map(move |&n| (spread, n as u64));
        let inputs = self.distribution.iter().flat_map(sizes);
        let mut seen = HashSet::new();
        inputs.flat_map(|(spread, n)| of(spread, n)).filter(|it| seen.insert(*it)).collect()
    }
}

/// Bytes of memory that a point takes with the greedy engine fast, about; the other ones tell
/// themselves.
pub(crate) const GREEDY_BYTES: u64 = 300;

/// Points that `points::check` allows.
pub(crate) struct PointList {
    pub(crate) points: Vec<Point>,
    /// Of random points.
    pub(crate) drawn: Option<(PointDistribution, u64)>,
    pub(crate) unit: CoordinateUnit,
    /// The reference system, if the file names one.
    pub(crate) crs: Option<String>,
    /// What was inferred or left out.
    pub(crate) notes: Vec<String>,
}

impl PointSet {
    fn file(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new("random"))
    }

    /// As reports call them.
    pub(crate) fn name(&self) -> String {
        path_text(self.file())
    }

    /// As pictures call them.
    pub(crate) fn title(&self, drawn: Option<(PointDistribution, u64)>) -> String {
        match drawn {
            Some((spread, seed)) => format!("Random points, {spread}, seed {seed}"),
            None => self.file().file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// Reads or draws the points. What is done with them takes about `bytes` of memory a point,
    /// their own 16 included.
    pub(crate) fn load(&self, bytes: u64) -> Result<PointList, Failure> {
        let file = self.file();
        if file != Path::new("random") {
            if self.n.is_some() || self.distribution.is_some() || self.seed.is_some() {
                return Err(Failure::input(
                    "-n, --distribution and --seed are for random; leave them out",
                ));
            }
            let mut layer = self.layer.read(file)?;
            let (unit, crs) = (layer.unit, layer.crs.take());
            let notes = std::mem::take(&mut layer.notes);
            let points = layer.points(file).map_err(Failure::input)?;
            fits_memory(points.len(), bytes)?;
            return Ok(PointList { points, drawn: None, unit, crs, notes });
        }
        if !self.layer.is_empty() {
            return Err(Failure::input(
                "--columns, --missing and --member are for files; leave them out",
            ));
        }
        let (n, seed) = (self.n.unwrap_or(1000), self.seed.unwrap_or(1));
        if n < 1 || u32::try_from(n).is_err() {
            return Err(Failure::input(format_args!("-n {n}: choose from 1 to {}", u32::MAX)));
        }
        fits_memory(n, bytes)?;
        let spread = self.distribution.unwrap_or(PointDistribution::Square);
        let points = random::points(spread, n, seed);
        let unit = CoordinateUnit::Unknown;
        Ok(PointList { points, drawn: Some((spread, seed)), unit, crs: None, notes: vec![] })
    }
}

/// What a report says of random points, after their number.
pub(crate) fn of_random(drawn: Option<(PointDistribution, u64)>) -> String {
    drawn.map_or_else(String::new, |(spread, seed)| format!("  {spread}  seed {seed}"))
}

/// The value of an option that names a CSV file: one named as it is written.
pub(crate) fn csv(value: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    if ends(&path, "csv") { Ok(path) } else { Err("written is .csv; name it so".to_owned()) }
}

/// The value of `--csv`, which is GeoJSON, too.
pub(crate) fn table(value: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    if path == Path::new("-") || ends(&path, "csv") || is_geojson(&path) {
        return Ok(path);
    }
    Err("written is .csv or .geojson; name it so".to_owned())
}

/// Whether a file is written as GeoJSON.
pub(crate) fn is_geojson(path: &Path) -> bool {
    ends(path, "geojson") || ends(path, "json")
}

/// Refuses points that memory cannot hold, where the system tells how much it has.
pub(crate) fn fits_memory(n: usize, bytes: u64) -> Result<(), Failure> {
    let need = n as u64 * bytes;
    memory::check(need).map_err(|too_much| {
        Failure::input(format_args!("{n} points need about {too_much}; choose fewer"))
    })
}
