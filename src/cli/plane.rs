//! Points of the plane as commands take them: a file, or `random`.

use std::fmt;
use std::path::Path;

use clap::{Args, ValueEnum};

use super::Failure;
use crate::algorithms::points::random::{self, Distribution};
use crate::algorithms::points::{self, Point};

#[derive(Debug, Clone, Args)]
pub(super) struct PointsOptions {
    /// Number of random points [default: 1024]
    #[arg(short, value_name = "N")]
    n: Option<usize>,
    /// How random points are spread [default: square]
    #[arg(long, value_enum)]
    distribution: Option<DistributionOption>,
    /// Seed of random points [default: 1]
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DistributionOption {
    /// Uniform in the unit square
    Square,
    /// Uniform in a disk
    Disk,
    /// On a circle, but for rounding
    Circle,
    /// Normal
    Gauss,
    /// Normal around 64 centres
    Clusters,
}

impl DistributionOption {
    pub(super) const fn distribution(self) -> Distribution {
        match self {
            Self::Square => Distribution::Square,
            Self::Disk => Distribution::Disk,
            Self::Circle => Distribution::Circle,
            Self::Gauss => Distribution::Gauss,
            Self::Clusters => Distribution::Clusters,
        }
    }
}

/// As the option is written.
impl fmt::Display for DistributionOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Square => "square",
            Self::Disk => "disk",
            Self::Circle => "circle",
            Self::Gauss => "gauss",
            Self::Clusters => "clusters",
        })
    }
}

/// What was read or drawn.
pub(super) struct Points {
    /// As they were given, copies and all; at least one.
    pub(super) given: Vec<Point>,
    /// For a title: the file's name, or distribution and seed.
    pub(super) name: String,
}

impl PointsOptions {
    pub(super) const fn is_given(&self) -> bool {
        self.n.is_some() || self.distribution.is_some() || self.seed.is_some()
    }

    /// The points of a file, checked, or random ones.
    pub(super) fn load(&self, path: &Path) -> Result<Points, Failure> {
        if path == "random" {
            let (n, seed) = (self.n.unwrap_or(1024), self.seed.unwrap_or(1));
            if n == 0 || u32::try_from(n).is_err() {
                let most = u32::MAX;
                return Err(Failure::input(format_args!("-n {n}: give from 1 to {most} points")));
            }
            let spread = self.distribution.unwrap_or(DistributionOption::Square);
            return Ok(Points {
                given: random::points(spread.distribution(), n, seed),
                name: format!("Random points, {spread}, seed {seed}"),
            });
        }
        if self.is_given() {
            return Err(Failure::input(
                "-n, --distribution and --seed are for random points; leave them out",
            ));
        }
        let given = points::read(path).map_err(Failure::input)?;
        let name =
            path.file_stem().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        Ok(Points { given, name })
    }
}
