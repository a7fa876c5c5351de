//! Sources of arrays: `--input ARRAY=SOURCE`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::CaseError;
use super::schedule::{self, Permutation};
use crate::algorithms::matrix::{self, Matrix};
use crate::algorithms::opt::{Weights, paper};
use crate::algorithms::polygon::{self, Polygon};
use crate::algorithms::random::{self, Distribution};
use crate::algorithms::reference::Numbers;
use crate::host::split_once;
use crate::language::program::{Array, Program};
use crate::language::syntax::Type;
use crate::run::memory::{self, Bits};

/// Bits of an element type, made as they are asked for, or a number that the type does not hold.
pub(super) type GivenBits<'a> = Box<dyn Iterator<Item = Result<u64, f64>> + 'a>;

/// What an array holds before the run.
#[derive(Debug, Clone)]
pub(super) enum Source {
    Random(Random),
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
    Schedule(Permutation),
}

/// Numbers that follow from a seed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Random {
    /// `None`: the schedule of a random permutation.
    distribution: Option<Distribution>,
    seed: u64,
}

impl Random {
    /// What makes sense for an array.
    pub(super) fn of(program: &Program, array: &Array, seed: u64) -> Self {
        let is_schedule = random::is_schedule(program, array);
        let distribution = (!is_schedule).then(|| random::distribution(program, array));
        Self { distribution, seed }
    }

    /// As [`Source::bits`].
    pub(super) fn bits(
        self,
        element: Type,
        number: usize,
        extents: &[u64],
        bulk_input: u64,
    ) -> GivenBits<'static> {
        let of_array = |distribution, extents: &[u64]| {
            random::of_array(distribution, number, extents, bulk_input, self.seed)
        };
        bits(
            element,
            match self.distribution {
                Some(distribution) => of_array(distribution, extents),
                None => schedule::numbers(extents, |numbers| {
                    of_array(Distribution::Permutation, &[numbers]).map(|it| it as u32).collect()
                }),
            },
        )
    }

    /// As [`Source::check`].
    pub(super) fn check(self, array: &Array, extents: &[u64]) -> Result<(), CaseError> {
        match self.distribution {
            Some(_) => Ok(()),
            None => schedule::check(&array.name, extents),
        }
    }
}

impl Source {
    /// Reads `value` as a source for an array of `program`.
    pub(super) fn parse(
        program: &Program,
        array: &Array,
        value: &OsStr,
        default_seed: u64,
    ) -> Result<Self, CaseError> {
        let (word, rest) = match split_once(value, b':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (value, None),
        };
        let (name, path) = (&array.name, Path::new(value));
        let bad =
            |why: &str| CaseError::Given(format!("--input {name}={}: {why}", value.display()));
        let seed = || match rest {
            None => Ok(default_seed),
            Some(seed) => {
                let seed = seed.to_str().and_then(|it| it.parse().ok());
                seed.ok_or_else(|| bad("the seed must be a whole number"))
            }
        };
        match word.to_str().unwrap_or_default() {
            "random" => Ok(Self::Random(Random::of(program, array, seed()?))),
            "permutation" => {
                let distribution = Some(Distribution::Permutation);
                Ok(Self::Random(Random { distribution, seed: seed()? }))
            }
            "paper" if rest.is_none() => Ok(Self::Paper),
            "polygon" => {
                let path = rest.filter(|path| !path.is_empty());
                let path = Path::new(path.ok_or_else(|| bad("name a file: polygon:FILE"))?);
                let polygon = Box::new(polygon::read(path).map_err(given)?);
                let weights = polygon::chords::weights(&polygon).map_err(given)?;
                Ok(Self::Polygon { polygon, weights, from: path.into() })
            }
            "schedule" => {
                let path = rest.filter(|path| !path.is_empty());
                let path = path.ok_or_else(|| bad("name a file: schedule:FILE"))?;
                Ok(Self::Schedule(Permutation::read(Path::new(path))?))
            }
            _ if path == "-" || path.exists() || path.extension().is_some_and(|it| it == "csv") => {
                let bits = Matrix::read(path, |field| parse(array.element, field));
                Ok(Self::Matrix { bits: bits.map_err(given)?, from: path.into() })
            }
            _ => Err(bad(
                "no such source or file; give random[:seed], permutation[:seed], a file of \
                 comma-separated numbers, - for standard input, paper, polygon:FILE or schedule:FILE",
            )),
        }
    }

    /// The extents that the source has by itself, for an array of a given rank.
    pub(super) fn extents(&self, rank: usize) -> Option<Vec<u64>> {
        match self {
            Self::Random(_) | Self::Schedule(_) => None,
            Self::Matrix { bits, .. } => match rank {
                1 => Some(vec![bits.numbers.len() as u64]),
                2 => Some(vec![bits.rows as u64, bits.columns as u64]),
                _ => None,
            },
            Self::Paper => Some(vec![paper::N as u64; 2]),
            Self::Polygon { weights, .. } => Some(vec![weights.n() as u64; 2]),
        }
    }

    /// What one input's array holds before the run, row-major, one by one: bits of its type, or a
    /// number that the type does not hold. Each random input of a bulk run, and each array, has a
    /// seed of its own.
    pub(super) fn bits(
        &self,
        element: Type,
        number: usize,
        extents: &[u64],
        bulk_input: u64,
    ) -> GivenBits<'_> {
        let numbers: Numbers<'_> = match self {
            Self::Random(random) => return random.bits(element, number, extents, bulk_input),
            Self::Matrix { bits, .. } => return Box::new(bits.numbers.iter().map(|&it| Ok(it))),
            Self::Paper => {
                let weights = paper::weights();
                let cells = weights.as_slice().len();
                Box::new((0..cells).map(move |cell| weights.as_slice()[cell].into()))
            }
            Self::Polygon { weights, .. } => {
                Box::new(weights.as_slice().iter().map(|&it| it.into()))
            }
            Self::Schedule(permutation) => {
                schedule::numbers(extents, |_| permutation.places.clone())
            }
        };
        bits(element, numbers)
    }

    /// Refuses numbers of another shape than the array's.
    pub(super) fn check(&self, array: &Array, extents: &[u64]) -> Result<(), CaseError> {
        let (fits, from) = match self {
            Self::Random(random) => return random.check(array, extents),
            Self::Schedule(permutation) => return permutation.check(&array.name, extents),
            Self::Matrix { bits, from } => {
                let has = format!("{} × {} numbers", bits.rows, bits.columns);
                (bits.fits(extents), format!("{}: has {has}", from.display()))
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
        Err(given(format_args!("{from}, but the array is {name}[{shape}]; {remedy}")))
    }
}

/// Numbers as bits of a type.
pub(super) fn bits(element: Type, numbers: Numbers<'_>) -> GivenBits<'_> {
    Box::new(numbers.map(move |it| memory::bits(element, it).ok_or(it)))
}

pub(super) fn given(error: impl std::fmt::Display) -> CaseError {
    CaseError::Given(error.to_string())
}

/// A field of a CSV file as an element's bits; else what is wrong with it.
fn parse(element: Type, field: &str) -> Result<u64, String> {
    fn integer<I: TryFrom<i128> + Bits>(field: &str, range: &str) -> Result<u64, String> {
        // A number such as 1e3 is read as a float, of which each is one integer below 2⁵³ only.
        let float =
            || matrix::float::<f64>(field).ok().filter(|it| it.abs() < (1_u64 << 53) as f64);
        let whole = || float().filter(|it| it.fract() == 0.0).map(|it| it as i128);
        let value = field.parse::<i128>().ok().or_else(whole).and_then(|it| I::try_from(it).ok());
        let why = || format!("does not fit the array; write {range}, or change its type");
        value.map(Bits::to_bits).ok_or_else(why)
    }
    match element {
        Type::F32 => matrix::float::<f32>(field).map(Bits::to_bits),
        Type::F64 => matrix::float::<f64>(field).map(Bits::to_bits),
        Type::I32 => integer::<i32>(field, "a whole number from -2147483648 to 2147483647"),
        Type::U32 => integer::<u32>(field, "a whole number from 0 to 4294967295"),
        Type::I64 => integer::<i64>(field, "a whole number from -2^63 to 2^63 - 1"),
        Type::U64 => integer::<u64>(field, "a whole number from 0 to 2^64 - 1"),
        Type::Bool => match field {
            "0" => Ok(Bits::to_bits(false)),
            "1" => Ok(Bits::to_bits(true)),
            _ => Err("does not fit the array; write 0 or 1, or change its type".to_owned()),
        },
    }
}
