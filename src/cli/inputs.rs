//! Sources of arrays: `--input ARRAY=SOURCE`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Failure;
use super::options::split_once;
use crate::algorithms::catalogue::Distribution;
use crate::algorithms::matrix::Matrix;
use crate::algorithms::opt::{Weights, paper};
use crate::algorithms::polygon::{self, Polygon};
use crate::algorithms::reference::{Given, Numbers};
use crate::language::program::{Array, Program};
use crate::sweep::input;

/// What an array holds before the run.
pub(super) enum Source {
    Random {
        distribution: Distribution,
        seed: u64,
    },
    Matrix {
        numbers: Matrix,
        from: PathBuf,
    },
    /// The papers' 8-gon.
    Paper,
    Polygon {
        polygon: Box<Polygon>,
        weights: Weights,
        from: PathBuf,
    },
}

impl Source {
    /// Reads `value` as a source for an array of `program`.
    pub(super) fn parse(
        program: &Program,
        array: &Array,
        value: &OsStr,
        default_seed: u64,
    ) -> Result<Self, Failure> {
        let (word, rest) = match split_once(value, b':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (value, None),
        };
        let (name, path) = (&array.name, Path::new(value));
        let bad =
            |why: &str| Failure::input(format_args!("--input {name}={}: {why}", value.display()));
        let seed = || match rest {
            None => Ok(default_seed),
            Some(seed) => {
                let seed = seed.to_str().and_then(|it| it.parse().ok());
                seed.ok_or_else(|| bad("the seed must be a whole number"))
            }
        };
        match word.to_str().unwrap_or_default() {
            "random" => {
                let distribution = input::distribution(program, array);
                Ok(Self::Random { distribution, seed: seed()? })
            }
            "permutation" => {
                Ok(Self::Random { distribution: Distribution::Permutation, seed: seed()? })
            }
            "paper" if rest.is_none() => Ok(Self::Paper),
            "polygon" => {
                let path = rest.filter(|path| !path.is_empty());
                let path = Path::new(path.ok_or_else(|| bad("name a file: polygon:FILE"))?);
                let polygon = Box::new(polygon::read(path).map_err(Failure::input)?);
                let weights = polygon::chords::weights(&polygon).map_err(Failure::input)?;
                Ok(Self::Polygon { polygon, weights, from: path.into() })
            }
            _ if path == "-" || path.exists() || path.extension().is_some_and(|it| it == "csv") => {
                let numbers = Matrix::read_csv(path).map_err(Failure::input)?;
                Ok(Self::Matrix { numbers, from: path.into() })
            }
            _ => Err(bad(
                "no such source or file; give random[:seed], permutation[:seed], a file of \
                 comma-separated numbers, - for standard input, paper or polygon:FILE",
            )),
        }
    }

    /// The extents that the source has by itself, for an array of a given rank.
    pub(super) fn extents(&self, rank: usize) -> Option<Vec<u64>> {
        match self {
            Self::Random { .. } => None,
            Self::Matrix { numbers, .. } => match rank {
                1 => Some(vec![numbers.numbers.len() as u64]),
                2 => Some(vec![numbers.rows as u64, numbers.columns as u64]),
                _ => None,
            },
            Self::Paper => Some(vec![paper::N as u64; 2]),
            Self::Polygon { weights, .. } => Some(vec![weights.n() as u64; 2]),
        }
    }

    /// The numbers of one input's array, row-major, one by one. Each random input of a bulk run, and
    /// each array, has a seed of its own.
    pub(super) fn numbers(&self, number: usize, extents: &[u64], bulk_input: u64) -> Numbers<'_> {
        match self {
            Self::Random { distribution, seed } => {
                input::numbers(*distribution, number, extents, bulk_input, *seed)
            }
            Self::Matrix { numbers, .. } => numbers.numbers.numbers(),
            Self::Paper => {
                let weights = paper::weights();
                let cells = weights.as_slice().len();
                Box::new((0..cells).map(move |cell| weights.as_slice()[cell].into()))
            }
            Self::Polygon { weights, .. } => {
                Box::new(weights.as_slice().iter().map(|&it| it.into()))
            }
        }
    }

    /// Refuses numbers of another shape than the array's.
    pub(super) fn check(&self, array: &Array, extents: &[u64]) -> Result<(), Failure> {
        let (fits, from) = match self {
            Self::Random { .. } => return Ok(()),
            Self::Matrix { numbers, from } => {
                let has = format!("{} × {} numbers", numbers.rows, numbers.columns);
                (numbers.fits(extents), format!("{}: has {has}", from.display()))
            }
            Self::Paper => (
                extents == [paper::N as u64; 2],
                "paper: the papers' 8-gon has 8 × 8 weights".to_owned(),
            ),
            Self::Polygon { weights, from, .. } => {
                let n = weights.n();
                let has = format!("{}: has {n} vertices, so {n} × {n} weights", from.display());
                (extents == [n as u64; 2], has)
            }
        };
        if fits {
            return Ok(());
        }
        let shape: Vec<String> = extents.iter().map(u64::to_string).collect();
        let (name, shape) = (&array.name, shape.join(", "));
        let remedy = match extents {
            [_] => "change --set, or give one row or one column",
            _ => "change --set",
        };
        Err(Failure::input(format_args!("{from}, but the array is {name}[{shape}]; {remedy}")))
    }
}
