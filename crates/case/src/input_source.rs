//! Sources of arrays: `--input ARRAY=SOURCE`.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::error::{CaseError, given};
use super::permutation_schedule::{self, Permutation};
use super::table::{picture, table};
use memory_machine_algorithms::generators::{self, Generator};
use memory_machine_algorithms::random::{self, Distribution};
use memory_machine_algorithms::reference::Numbers;
use memory_machine_core::diagnostic::{Diagnostic, Located};
use memory_machine_core::host::files::{ends, path_text};
use memory_machine_core::host::split_once;
use memory_machine_core::language::program::{Array, Program};
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::memory;
use memory_machine_geometry::matrix::Matrix;
use memory_machine_geometry::opt::{Weights, paper};
use memory_machine_geometry::polygon::{self, Polygon};

/// Bits of an element type, made as they are asked for, or a number that the type does not hold.
pub(super) type GivenBits<'a> = Box<dyn Iterator<Item = Result<u64, f64>> + 'a>;

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

/// Numbers that follow from a seed.
#[derive(Debug, Clone)]
pub(super) struct RandomSource {
    kind: SourceKind,
    seed: u64,
    /// See [`generators::literal_extent`].
    literal: Option<usize>,
}

#[derive(Debug, Clone)]
enum SourceKind {
    Distribution(Distribution),
    /// Of a random permutation.
    Schedule,
    Generator(Generator),
}

/// As a reader of a report is told.
impl fmt::Display for RandomSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SourceKind::Distribution(it) => it.fmt(f),
            SourceKind::Schedule => f.write_str("the schedule of a random permutation"),
            SourceKind::Generator(it) => it.fmt(f),
        }
    }
}

impl RandomSource {
    /// What an array holds by default: what its listing says, else what makes sense for it.
    ///
    /// # Errors
    /// What the listing says makes no sense.
    pub(super) fn of(program: &Program, array: &Array, seed: u64) -> Result<Self, CaseError> {
        let literal = generators::literal_extent(array);
        let origin = program.listing.clauses.origins.iter().find(|it| it.array == array.name);
        let origin = origin.filter(|it| it.word.text != "random" || !it.arguments.is_empty());
        let Some(origin) = origin else {
            let kind = if random::is_schedule(program, array) {
                SourceKind::Schedule
            } else {
                SourceKind::Distribution(random::distribution(program, array))
            };
            return Ok(Self { kind, seed, literal });
        };
        let arguments: Vec<&str> = origin.arguments.iter().map(String::as_str).collect();
        let kind =
            SourceKind::of(&origin.word.text, &arguments).unwrap_or_else(|| Err(sources(", ")));
        kind.map(|kind| Self { kind, seed, literal }).map_err(|why| {
            let diagnostic = Diagnostic::new(origin.word.span, "no array is filled so").help(why);
            let located = Located { source: program.source.clone(), diagnostic };
            CaseError::Program(Box::new(located))
        })
    }

    /// Whether a GPU makes numbers as good by itself: any from [0, 1) or 0 … 99 do, or a permutation.
    /// Others are places in a table, or what keeps a divisor from 0: the host makes them.
    pub(super) fn is_of_gpu(&self, element: Type) -> bool {
        use Distribution::{Chords, Coin, Integers, Permutation, Unit};
        let SourceKind::Distribution(it) = &self.kind else { return false };
        match it {
            Permutation => true,
            Unit | Chords => element.is_float(),
            Coin => element == Type::Bool,
            Integers => !element.is_float() && element != Type::Bool,
            _ => false,
        }
    }

    /// Whether it is a permutation.
    pub(super) fn is_permutation(&self) -> bool {
        matches!(self.kind, SourceKind::Distribution(Distribution::Permutation))
    }

    /// As [`InputSource::bits`].
    pub(super) fn bits(
        &self,
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
            match &self.kind {
                SourceKind::Distribution(distribution) => of_array(*distribution, extents),
                SourceKind::Schedule => permutation_schedule::numbers(extents, |numbers| {
                    of_array(Distribution::Permutation, &[numbers]).map(|it| it as u32).collect()
                }),
                SourceKind::Generator(made) => {
                    let seed = random::seed_of(number, bulk_input, self.seed);
                    made.numbers(element.is_float(), extents, self.literal, seed)
                }
            },
        )
    }

    /// As [`InputSource::check`].
    pub(super) fn check(&self, array: &Array, extents: &[u64]) -> Result<(), CaseError> {
        let fail = |why| given(format_args!("--input {}: {why}", array.name));
        match &self.kind {
            SourceKind::Distribution(_) => Ok(()),
            SourceKind::Schedule => permutation_schedule::check(&array.name, extents),
            SourceKind::Generator(made) => {
                made.check(array.element.is_float(), extents, self.literal).map_err(fail)
            }
        }
    }
}

impl SourceKind {
    /// What a word with its arguments means; `None` for a word that means nothing, and for `random`
    /// alone.
    fn of(word: &str, arguments: &[&str]) -> Option<Result<Self, String>> {
        if let ("permutation", []) = (word, arguments) {
            return Some(Ok(Self::Distribution(Distribution::Permutation)));
        }
        Generator::of(word, arguments).map(|it| it.map(Self::Generator))
    }
}

/// How sources that follow from a seed are written.
fn sources(between: &str) -> String {
    generators::WORDS.iter().map(|it| it.1).collect::<Vec<_>>().join(between)
}

/// As a reader of a report is told.
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
        if let Some(random) = Self::random(program, array, text, default_seed) {
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
                Ok(Self::Matrix { bits: table(array.element, path)?, from: path.into() })
            }
            _ => Err(bad(&format!(
                "no such source or file; give {}, a file .csv or .npy of numbers, a folder of such \
                 files, - for standard input, image:FILE.png, paper, polygon:FILE or schedule:FILE",
                sources(", ")
            ))),
        }
    }

    /// The source that follows from a seed, if `text` is one, or why it is none.
    fn random(
        program: &Program,
        array: &Array,
        text: &str,
        default_seed: u64,
    ) -> Option<Result<RandomSource, String>> {
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        generators::WORDS.iter().find(|it| it.0 == word)?;
        let mut parts: Vec<&str> = rest.split(':').filter(|it| !it.is_empty()).collect();
        let mut arguments: Vec<&str> = vec![];
        let arguments_at = match word {
            "random" => parts.iter().position(|it| it.contains("..")),
            "graph" | "text" => (!parts.is_empty()).then_some(0),
            _ => None,
        };
        if let Some(at) = arguments_at {
            let part = parts.remove(at);
            match word {
                "random" => arguments.extend(part.split("..")),
                "graph" => arguments.extend(part.split(',')),
                _ => arguments.push(part),
            }
        }
        let seed = match parts[..] {
            [] => Ok(default_seed),
            [seed] => seed.parse().map_err(|_| "the seed must be a whole number".to_owned()),
            _ => Err(format!("there is too much behind `{word}`; give {}", sources(", "))),
        };
        Some(seed.and_then(|seed| {
            if let ("random", []) = (word, &arguments[..]) {
                return RandomSource::of(program, array, seed).map_err(|error| error.to_string());
            }
            let kind = SourceKind::of(word, &arguments).unwrap_or_else(|| Err(sources(", ")));
            kind.map(|kind| RandomSource { kind, seed, literal: generators::literal_extent(array) })
        }))
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
        extents: &[u64],
        bulk_input: u64,
    ) -> GivenBits<'_> {
        let numbers: Numbers<'_> = match self {
            Self::Random(random) => return random.bits(element, number, extents, bulk_input),
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
        extents: &[u64],
        inputs: Option<u64>,
    ) -> Result<(), CaseError> {
        let (fits, from) = match self {
            Self::Random(random) => return random.check(array, extents),
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

/// Numbers as bits of a type.
pub(super) fn bits(element: Type, numbers: Numbers<'_>) -> GivenBits<'_> {
    Box::new(numbers.map(move |it| memory::bits(element, it).ok_or(it)))
}
