//! Sources of arrays: `--input ARRAY=SOURCE`.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::error::{CaseError, given};
use super::permutation_schedule::{self, Permutation};
use super::random_source::{GivenBits, RandomSource, SourceKind, bits, sources};
use super::table::{picture, table};
use memory_machine_algorithms::generators::Generator;
use memory_machine_algorithms::random;
use memory_machine_algorithms::reference::Numbers;
use memory_machine_core::host::files::{ends, path_text};
use memory_machine_core::host::split_once;
use memory_machine_core::language::program::{Array, Program};
use memory_machine_core::language::syntax::Type;
use memory_machine_geometry::matrix::Matrix;
use memory_machine_geometry::opt::{Weights, paper};
use memory_machine_geometry::polygon::{self, Polygon};

/// What an array holds before the run.
#[derive(Debug, Clone)]
pub(super) enum InputSource {
    Random(RandomSource),
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

/// As a report prints it.
impl fmt::Display for InputSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random(random) => random.fmt(f),
            Self::Matrix { from, .. } | Self::Polygon { from, .. } => path_text(from).fmt(f),
            Self::Paper => f.write_str("the papers' 8-gon"),
            Self::Schedule(_) => f.write_str("the schedule of a permutation"),
        }
    }
}

impl InputSource {
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
            |why: &str| CaseError::Given(format!("--input {name}={}: {why}", path_text(value)));
        let text = value.to_str().unwrap_or_default();
        if let Some(random) = RandomSource::parse(program, array, text, default_seed) {
            return random.map(Self::Random).map_err(|why| bad(&why));
        }
        match word.to_str().unwrap_or_default() {
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
            "image" => {
                let path = rest.filter(|path| !path.is_empty());
                let path = Path::new(path.ok_or_else(|| bad("name a file: image:FILE.png"))?);
                Ok(Self::Matrix { bits: picture(array.element, path)?, from: path.into() })
            }
            _ if path == "-" || path.exists() || ends(path, "csv") || ends(path, "npy") => {
                Ok(Self::Matrix { bits: table(array, path)?, from: path.into() })
            }
            _ => Err(bad(&format!(
                "no such source or file; give {}, a file .csv or .npy of numbers, a folder of such \
                 files, - for standard input, image:FILE.png, paper, polygon:FILE or schedule:FILE",
                sources(", ")
            ))),
        }
    }

    /// The extents that the source has by itself, for an array; of a bulk run, with its inputs.
    pub(super) fn extents(&self, array: &Array, inputs: Option<u64>) -> Option<Vec<u64>> {
        match self {
            Self::Random(RandomSource { kind: SourceKind::Generator(made), .. }) => match made {
                Generator::Graph { vertices: Some(n), .. } if random::is_square(array) => {
                    Some(vec![*n; 2])
                }
                _ => None,
            },
            Self::Random(_) | Self::Schedule(_) => None,
            Self::Matrix { bits, .. } => {
                // With a row for each input of a bulk run, an input's shape is not the table's.
                let is_table = inputs == Some(bits.rows as u64);
                match (array.extents.len(), is_table) {
                    (1, true) => Some(vec![bits.columns as u64]),
                    (1, false) => Some(vec![bits.numbers.len() as u64]),
                    (2, false) => Some(vec![bits.rows as u64, bits.columns as u64]),
                    _ => None,
                }
            }
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
        (parameters, extents): (&[i64], &[u64]),
        bulk_input: u64,
    ) -> GivenBits<'_> {
        let numbers: Numbers<'_> = match self {
            Self::Random(random) => {
                return random.bits(element, number, (parameters, extents), bulk_input);
            }
            Self::Matrix { bits, .. } => {
                let cells = extents.iter().product::<u64>() as usize;
                // A table has a row for each input of a bulk run.
                let is_table = bits.numbers.len() > cells;
                let from = if is_table { bulk_input as usize * cells } else { 0 };
                return Box::new(bits.numbers[from..].iter().take(cells).map(|&it| Ok(it)));
            }
            Self::Paper => {
                let weights = paper::weights();
                let cells = weights.as_slice().len();
                Box::new((0..cells).map(move |cell| weights.as_slice()[cell].into()))
            }
            Self::Polygon { weights, .. } => {
                Box::new(weights.as_slice().iter().map(|&it| it.into()))
            }
            Self::Schedule(permutation) => {
                permutation_schedule::numbers(extents, |_| permutation.places.clone())
            }
        };
        bits(element, numbers)
    }

    /// Refuses numbers of another shape than the array's.
    pub(super) fn check(
        &self,
        array: &Array,
        (parameters, extents): (&[i64], &[u64]),
        inputs: Option<u64>,
    ) -> Result<(), CaseError> {
        let (fits, from) = match self {
            Self::Random(random) => return random.check(array, (parameters, extents)),
            Self::Schedule(permutation) => return permutation.check(&array.name, extents),
            Self::Matrix { bits, from } => {
                let has = format!("{} × {} numbers", bits.rows, bits.columns);
                let cells = extents.iter().product::<u64>();
                let is_table = inputs == Some(bits.rows as u64) && bits.columns as u64 == cells;
                (is_table || bits.fits(extents), format!("{}: has {has}", path_text(from)))
            }
            Self::Paper => (
                extents == [paper::N as u64; 2],
                "paper: the papers' 8-gon has 8 × 8 weights".to_owned(),
            ),
            Self::Polygon { weights, from, .. } => {
                let n = weights.n();
                let has = format!("{}: has {n} vertices, so {n} × {n} weights", path_text(from));
                (extents == [n as u64; 2], has)
            }
        };
        if fits {
            return Ok(());
        }
        let shape: Vec<String> = extents.iter().map(u64::to_string).collect();
        let (name, shape) = (&array.name, shape.join(", "));
        let remedy = match extents {
            _ if inputs.is_some() => {
                "give one input, or a row for each of the -p inputs, or change --set"
            }
            [_] => "change --set, or give one row or one column",
            _ => "change --set",
        };
        Err(given(format_args!("{from}, but the array is {name}[{shape}]; {remedy}")))
    }
}
