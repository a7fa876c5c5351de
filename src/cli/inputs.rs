//! Sources of arrays: `--input ARRAY=SOURCE`.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::algorithms::catalogue::Distribution;
use crate::algorithms::matrix::{self, Matrix};
use crate::algorithms::opt::{Weights, paper};
use crate::algorithms::polygon::{self, Polygon};
use crate::language::program::{Array, Program};
use crate::language::syntax::Type;
use crate::run::memory::{self, Bits};
use crate::sweep::input;

/// What an array holds before the run.
pub(super) enum Source {
    Random {
        distribution: Distribution,
        seed: u64,
    },
    Matrix {
        /// As the array holds them.
        bits: Matrix<u64>,
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
                let bits = Matrix::read(Path::new(text), |field| parse(array.element, field));
                Ok(Self::Matrix { bits: bits.map_err(Failure::input)?, from: text.into() })
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
            Self::Matrix { bits, .. } => match rank {
                1 => Some(vec![bits.numbers.len() as u64]),
                2 => Some(vec![bits.rows as u64, bits.columns as u64]),
                _ => None,
            },
            Self::Paper => Some(vec![paper::N as u64; 2]),
            Self::Polygon { weights, .. } => Some(vec![weights.n() as u64; 2]),
        }
    }

    /// What one input's array holds before the run, row-major. Each random input of a bulk run, and
    /// each array, has a seed of its own.
    pub(super) fn bits(
        &self,
        array: &Array,
        number: usize,
        extents: &[u64],
        bulk_input: u64,
    ) -> Result<Vec<u64>, Failure> {
        let widen = |weights: &Weights| weights.as_slice().iter().map(|&it| it.into()).collect();
        let (fits, from, numbers): (_, _, Vec<f64>) = match self {
            Self::Random { distribution, seed } => {
                let numbers = input::random(*distribution, number, extents, bulk_input, *seed);
                return encode(array, &numbers);
            }
            Self::Matrix { bits, .. } if bits.fits(extents) => return Ok(bits.numbers.clone()),
            Self::Matrix { bits, from } => {
                let has = format!("{} × {} numbers", bits.rows, bits.columns);
                (false, format!("{}: has {has}", from.display()), vec![])
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
            return encode(array, &numbers);
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

fn encode(array: &Array, numbers: &[f64]) -> Result<Vec<u64>, Failure> {
    memory::encode(array.element, numbers).map_err(|index| {
        let (name, element) = (&array.name, array.element.word());
        let number = numbers[index];
        Failure::input(format_args!(
            "--input {name}: number {}, {number:?}, is no {element}; change it, or the array's type",
            index + 1
        ))
    })
}

/// A field of a CSV file as an element's bits; else what is wrong with it.
fn parse(element: Type, field: &str) -> Result<u64, String> {
    fn integer<I: TryFrom<i64> + Bits>(field: &str, range: &str) -> Result<u64, String> {
        // A number such as 1e3 is read as a float, of which each is one integer below 2⁵³ only.
        let float =
            || matrix::float::<f64>(field).ok().filter(|it| it.abs() < (1_u64 << 53) as f64);
        let whole = || float().filter(|it| it.fract() == 0.0).map(|it| it as i64);
        let value = field.parse::<i64>().ok().or_else(whole).and_then(|it| I::try_from(it).ok());
        let why = || format!("does not fit the array; write {range}, or change its type");
        value.map(Bits::to_bits).ok_or_else(why)
    }
    match element {
        Type::F32 => matrix::float::<f32>(field).map(Bits::to_bits),
        Type::F64 => matrix::float::<f64>(field).map(Bits::to_bits),
        Type::I32 => integer::<i32>(field, "a whole number from -2147483648 to 2147483647"),
        Type::U32 => integer::<u32>(field, "a whole number from 0 to 4294967295"),
        Type::I64 => integer::<i64>(field, "a whole number from -2^63 to 2^63 - 1"),
        Type::Bool => match field {
            "0" => Ok(Bits::to_bits(false)),
            "1" => Ok(Bits::to_bits(true)),
            _ => Err("does not fit the array; write 0 or 1, or change its type".to_owned()),
        },
    }
}
