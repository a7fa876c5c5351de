//! Sources of arrays: `--input ARRAY=SOURCE`.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::algorithms::catalogue::Distribution;
use crate::algorithms::matrix::Matrix;
use crate::algorithms::opt::{Weights, paper};
use crate::algorithms::polygon::{self, Polygon};
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
    /// Reads `text` as a source for an array of `program`.
    pub(super) fn parse(
        program: &Program,
        array: &Array,
        text: &str,
        default_seed: u64,
    ) -> Result<Self, Failure> {
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (text, None),
        };
        let bad = |why: &str| Failure::input(format_args!("--input {}={text}: {why}", array.name));
        let seed = || match rest {
            None => Ok(default_seed),
            Some(seed) => seed.parse().map_err(|_| bad("the seed must be a whole number")),
        };
        match word {
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
            _ if Path::new(text).extension().is_some_and(|it| it.eq_ignore_ascii_case("csv")) => {
                let numbers = Matrix::read_csv(Path::new(text)).map_err(Failure::input)?;
                Ok(Self::Matrix { numbers, from: text.into() })
            }
            _ => Err(bad(
                "no such source; give random[:seed], permutation[:seed], FILE.csv, paper or \
                 polygon:FILE",
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

    /// The numbers of one input's array, row-major. Each random input of a bulk run, and each
    /// array, has a seed of its own.
    pub(super) fn numbers(
        &self,
        array: &Array,
        number: usize,
        extents: &[u64],
        bulk_input: u64,
    ) -> Result<Vec<f64>, Failure> {
        let widen = |weights: &Weights| weights.as_slice().iter().map(|&it| it.into()).collect();
        let (fits, from, numbers) = match self {
            Self::Random { distribution, seed } => {
                return Ok(input::random(*distribution, number, extents, bulk_input, *seed));
            }
            Self::Matrix { numbers, from } => {
                let has = format!("{} × {} numbers", numbers.rows, numbers.columns);
                (
                    numbers.fits(extents),
                    format!("{}: has {has}", from.display()),
                    numbers.numbers.clone(),
                )
            }
            Self::Paper => (
                extents == [paper::N as u64; 2],
                "paper: the papers' 8-gon has 8 × 8 weights".to_owned(),
                widen(&paper::weights()),
            ),
            Self::Polygon { weights, from, .. } => {
                let n = weights.n();
                let has = format!("{}: has {n} vertices, so {n} × {n} weights", from.display());
                (extents == [n as u64; 2], has, widen(weights))
            }
        };
        if fits {
            return Ok(numbers);
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
