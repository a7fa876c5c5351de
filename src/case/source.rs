//! Sources of arrays: `--input ARRAY=SOURCE`.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::error::{CaseError, given};
use super::schedule::{self, Permutation};
use crate::algorithms::made::{self, Made};
use crate::algorithms::matrix::{self, Matrix};
use crate::algorithms::npy;
use crate::algorithms::opt::{Weights, paper};
use crate::algorithms::polygon::{self, Polygon};
use crate::algorithms::random::{self, Distribution};
use crate::algorithms::reference::Numbers;
use crate::diagnostic::{Diagnostic, Located};
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
#[derive(Debug, Clone)]
pub(super) struct Random {
    kind: Kind,
    seed: u64,
}

#[derive(Debug, Clone)]
enum Kind {
    Distribution(Distribution),
    /// Of a random permutation.
    Schedule,
    Made(Made),
}

/// As a reader of a report is told.
impl fmt::Display for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Distribution(it) => it.fmt(f),
            Kind::Schedule => f.write_str("the schedule of a random permutation"),
            Kind::Made(it) => it.fmt(f),
        }
    }
}

impl Random {
    /// What an array holds by default: what its listing says, else what makes sense for it.
    ///
    /// # Errors
    /// What the listing says makes no sense.
    pub(super) fn of(program: &Program, array: &Array, seed: u64) -> Result<Self, CaseError> {
        let origin = program.listing.clauses.origins.iter().find(|it| it.array == array.name);
        let origin = origin.filter(|it| it.word.text != "random" || !it.arguments.is_empty());
        let Some(origin) = origin else {
            let kind = if random::is_schedule(program, array) {
                Kind::Schedule
            } else {
                Kind::Distribution(random::distribution(program, array))
            };
            return Ok(Self { kind, seed });
        };
        let arguments: Vec<&str> = origin.arguments.iter().map(String::as_str).collect();
        let kind = Kind::of(&origin.word.text, &arguments).unwrap_or_else(|| Err(sources(", ")));
        kind.map(|kind| Self { kind, seed }).map_err(|why| {
            let diagnostic = Diagnostic::new(origin.word.span, "no array is filled so").help(why);
            let located = Located { source: program.source.clone(), diagnostic };
            CaseError::Program(Box::new(located))
        })
    }

    /// Whether a GPU makes numbers as good by itself: any from [0, 1) or 0 … 99 do, or a permutation.
    /// Others are places in a table, or what keeps a divisor from 0: the host makes them.
    pub(super) fn is_of_gpu(&self) -> bool {
        use Distribution::{Chords, Coin, Integers, Permutation, Unit};
        let Kind::Distribution(it) = &self.kind else { return false };
        matches!(it, Unit | Integers | Coin | Permutation | Chords)
    }

    /// As [`Source::bits`].
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
                Kind::Distribution(distribution) => of_array(*distribution, extents),
                Kind::Schedule => schedule::numbers(extents, |numbers| {
                    of_array(Distribution::Permutation, &[numbers]).map(|it| it as u32).collect()
                }),
                Kind::Made(made) => {
                    let seed = random::seed_of(number, bulk_input, self.seed);
                    made.numbers(element.is_float(), extents, seed)
                }
            },
        )
    }

    /// As [`Source::check`].
    pub(super) fn check(&self, array: &Array, extents: &[u64]) -> Result<(), CaseError> {
        let fail = |why| given(format_args!("--input {}: {why}", array.name));
        match &self.kind {
            Kind::Distribution(_) => Ok(()),
            Kind::Schedule => schedule::check(&array.name, extents),
            Kind::Made(made) => made.check(array.element.is_float(), extents).map_err(fail),
        }
    }
}

impl Kind {
    /// What a word with its arguments means; `None` for a word that means nothing, and for `random`
    /// alone.
    fn of(word: &str, arguments: &[&str]) -> Option<Result<Self, String>> {
        if let ("permutation", []) = (word, arguments) {
            return Some(Ok(Self::Distribution(Distribution::Permutation)));
        }
        Made::of(word, arguments).map(|it| it.map(Self::Made))
    }
}

/// How sources that follow from a seed are written.
fn sources(between: &str) -> String {
    made::WORDS.iter().map(|it| it.1).collect::<Vec<_>>().join(between)
}

/// As a reader of a report is told.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random(random) => random.fmt(f),
            Self::Matrix { from, .. } | Self::Polygon { from, .. } => from.display().fmt(f),
            Self::Paper => f.write_str("the papers' 8-gon"),
            Self::Schedule(_) => f.write_str("the schedule of a permutation"),
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
            _ if path == "-"
                || path.exists()
                || path.extension().is_some_and(|it| it == "csv" || it == "npy") =>
            {
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
    ) -> Option<Result<Random, String>> {
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        made::WORDS.iter().find(|it| it.0 == word)?;
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
                return Random::of(program, array, seed).map_err(|error| error.to_string());
            }
            let kind = Kind::of(word, &arguments).unwrap_or_else(|| Err(sources(", ")));
            kind.map(|kind| Random { kind, seed })
        }))
    }

    /// The extents that the source has by itself, for an array; of a bulk run, with its inputs.
    pub(super) fn extents(&self, array: &Array, inputs: Option<u64>) -> Option<Vec<u64>> {
        match self {
            Self::Random(Random { kind: Kind::Made(made), .. }) => match made {
                Made::Graph { vertices: Some(n), .. } if random::is_square(array) => {
                    Some(vec![*n; 2])
                }
                _ => None,
            },
            Self::Random(_) | Self::Schedule(_) => None,
            Self::Matrix { bits, .. } => match array.extents.len() {
                1 if inputs == Some(bits.rows as u64) => Some(vec![bits.columns as u64]),
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
                schedule::numbers(extents, |_| permutation.places.clone())
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
                (is_table || bits.fits(extents), format!("{}: has {has}", from.display()))
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
            _ if inputs.is_some() => {
                "give one input, or a row for each of the -p inputs, or change --set"
            }
            [_] => "change --set, or give one row or one column",
            _ => "change --set",
        };
        Err(given(format_args!("{from}, but the array is {name}[{shape}]; {remedy}")))
    }
}

/// The numbers of a file, or of a folder of files, one input each, in the order of their names.
pub(super) fn table(element: Type, path: &Path) -> Result<Matrix<u64>, CaseError> {
    let read = |path: &Path| {
        let parse = |field: &str| parse(element, field);
        let is_npy = path.extension().is_some_and(|it| it == "npy");
        if is_npy { npy::read(path, parse) } else { Matrix::read(path, parse) }.map_err(given)
    };
    if !path.is_dir() {
        return read(path);
    }
    let fail = |why: &dyn fmt::Display| given(format_args!("{}: {why}", path.display()));
    let entries = std::fs::read_dir(path).map_err(|error| fail(&error))?;
    let files = entries.filter_map(|it| it.ok().map(|it| it.path()));
    let mut files: Vec<PathBuf> =
        files.filter(|it| it.extension().is_some_and(|it| it == "csv" || it == "npy")).collect();
    files.sort();
    let (mut numbers, mut columns) = (vec![], None);
    for file in &files {
        let one = read(file)?.numbers;
        let columns = *columns.get_or_insert(one.len());
        if one.len() != columns {
            return Err(given(format_args!(
                "{}: has {} numbers, but the files before it {columns}; give every input as many",
                file.display(),
                one.len()
            )));
        }
        numbers.extend(one);
    }
    match columns {
        Some(columns) => Ok(Matrix::new(columns, numbers)),
        None => Err(fail(&"no file .csv or .npy is in this folder; put one there for each input")),
    }
}

/// A picture's grey levels: 0 … 255, of reals 0 … 1, of booleans whether it is rather white.
#[cfg(feature = "plot")]
fn picture(element: Type, path: &Path) -> Result<Matrix<u64>, CaseError> {
    let picture = crate::algorithms::image::read(path).map_err(given)?;
    let level = |it: u8| match element {
        Type::F32 | Type::F64 => f64::from(it) / 255.0,
        Type::Bool => f64::from(u8::from(it > 127)),
        _ => f64::from(it),
    };
    let of = |&it: &u8| memory::bits(element, level(it)).unwrap_or_default();
    Ok(Matrix::new(picture.columns, picture.numbers.iter().map(of).collect()))
}

#[cfg(not(feature = "plot"))]
fn picture(_: Type, path: &Path) -> Result<Matrix<u64>, CaseError> {
    Err(given(format_args!("{}: this build reads no pictures; build with `plot`", path.display())))
}

/// Numbers as bits of a type.
pub(super) fn bits(element: Type, numbers: Numbers<'_>) -> GivenBits<'_> {
    Box::new(numbers.map(move |it| memory::bits(element, it).ok_or(it)))
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
        Type::I8 => integer::<i8>(field, "a whole number from -128 to 127"),
        Type::U8 => integer::<u8>(field, "a whole number from 0 to 255"),
        Type::I16 => integer::<i16>(field, "a whole number from -32768 to 32767"),
        Type::U16 => integer::<u16>(field, "a whole number from 0 to 65535"),
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
