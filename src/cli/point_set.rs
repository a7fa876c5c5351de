//! The points that a command is about.

use std::collections::HashSet;
use std::ffi::OsString;
use std::hash::Hash;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::options::word;
use crate::algorithms::points::random::{self, PointDistribution};
use crate::algorithms::points::{self, Point};
use crate::grid::Grid;
use crate::host::memory;

/// A file of points, or random ones.
#[derive(Debug, Args)]
pub(super) struct PointSet {
    /// Points (CSV x,y a line or GeoJSON), or `random`
    // `None` only beside a subcommand. (As an `Option` of all options, with a plain file in it, it
    // would be `None` always: clap does not count arguments of nested structures.)
    #[arg(value_name = "POINTS|random", required = true)]
    file: Option<PathBuf>,
    /// Random points [default: 1000]
    #[arg(short, value_name = "N")]
    n: Option<usize>,
    /// How random points are spread [default: square]
    #[arg(long, value_parser = word::<PointDistribution>())]
    distribution: Option<PointDistribution>,
    /// Seed of random points [default: 1]
    #[arg(long)]
    seed: Option<u64>,
}

/// Random points of several kinds, which engines are measured on.
#[derive(Debug, Args)]
pub(super) struct Distributions {
    /// How points are spread
    #[arg(long, value_parser = word::<PointDistribution>(), value_delimiter = ',', value_name = "LIST", default_value = "square")]
    distribution: Vec<PointDistribution>,
}

impl Distributions {
    /// What is measured on `n` points of each, every one once.
    pub(super) fn subjects<S: Copy + Eq + Hash>(
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

/// Points that [`points::check`] allows.
pub(super) struct Loaded {
    pub(super) points: Vec<Point>,
    /// Of random points.
    pub(super) drawn: Option<(PointDistribution, u64)>,
}

impl PointSet {
    fn file(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new("random"))
    }

    /// As reports call them.
    pub(super) fn name(&self) -> String {
        self.file().display().to_string()
    }

    /// As pictures call them.
    pub(super) fn title(&self, drawn: Option<(PointDistribution, u64)>) -> String {
        match drawn {
            Some((spread, seed)) => format!("Random points, {spread}, seed {seed}"),
            None => self.file().file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// Reads or draws the points. What is done with them takes about `bytes` of memory a point,
    /// their own 16 included.
    pub(super) fn load(&self, bytes: u64) -> Result<Loaded, Failure> {
        let file = self.file();
        if file != Path::new("random") {
            if self.n.is_some() || self.distribution.is_some() || self.seed.is_some() {
                return Err(Failure::input(
                    "-n, --distribution and --seed are for random; leave them out",
                ));
            }
            let points = points::read(file).map_err(Failure::input)?;
            fits_memory(points.len(), bytes)?;
            return Ok(Loaded { points, drawn: None });
        }
        let (n, seed) = (self.n.unwrap_or(1000), self.seed.unwrap_or(1));
        if n < 1 || u32::try_from(n).is_err() {
            return Err(Failure::input(format_args!("-n {n}: choose from 1 to {}", u32::MAX)));
        }
        fits_memory(n, bytes)?;
        let spread = self.distribution.unwrap_or(PointDistribution::Square);
        let points = random::points(spread, n, seed);
        Ok(Loaded { points, drawn: Some((spread, seed)) })
    }
}

/// What a report says of random points, after their number.
pub(super) fn of_random(drawn: Option<(PointDistribution, u64)>) -> String {
    drawn.map_or_else(String::new, |(spread, seed)| format!("  {spread}  seed {seed}"))
}

/// The value of `--csv`: a file named as it is written.
pub(super) fn csv(value: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    match path.extension().and_then(|it| it.to_str()) {
        Some("csv") => Ok(path),
        _ => Err("written is .csv; name it so".to_owned()),
    }
}

/// Refuses points that memory cannot hold, where the system tells how much it has.
pub(super) fn fits_memory(n: usize, bytes: u64) -> Result<(), Failure> {
    let need = n as u64 * bytes;
    memory::check(need).map_err(|too_much| {
        Failure::input(format_args!("{n} points need about {too_much}; choose fewer"))
    })
}
