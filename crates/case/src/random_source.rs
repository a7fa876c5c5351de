//! Sources that follow from a seed: `random:7`, and what a listing says, `from random(0, n-1)`.

use std::borrow::Cow;
use std::fmt;

use super::error::{CaseError, given};
use super::permutation_schedule;
use memory_machine_algorithms::generators::{self, Generator};
use memory_machine_algorithms::random::{self, Distribution};
use memory_machine_algorithms::reference::Numbers;
use memory_machine_core::diagnostic::{Diagnostic, Located};
use memory_machine_core::language::program::{Array, OriginValue, Program};
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::layout::constant;
use memory_machine_core::run::memory;

/// Bits of an element type, made as they are asked for, or a number that the type does not hold.
pub(super) type GivenBits<'a> = Box<dyn Iterator<Item = Result<u64, f64>> + 'a>;

/// Numbers that follow from a seed.
#[derive(Debug, Clone)]
pub(super) struct RandomSource {
    pub(super) kind: SourceKind,
    seed: u64,
    /// See [`generators::literal_extent`].
    literal: Option<usize>,
}

#[derive(Debug, Clone)]
pub(super) enum SourceKind {
    Distribution(Distribution),
    /// Of a random permutation.
    Schedule,
    Generator(Generator),
    /// What the listing says, whose arguments depend on sizes.
    OfSizes {
        word: String,
        array: Box<Array>,
        written: String,
    },
}

/// As a report prints it.
impl fmt::Display for RandomSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SourceKind::Distribution(it) => it.fmt(f),
            SourceKind::Schedule => f.write_str("the schedule of a random permutation"),
            SourceKind::Generator(it) => it.fmt(f),
            SourceKind::OfSizes { written, .. } => f.write_str(written),
        }
    }
}

impl RandomSource {
    /// The source that follows from a seed, if `text` is one, or why it is none.
    pub(super) fn parse(
        program: &Program,
        array: &Array,
        text: &str,
        default_seed: u64,
    ) -> Option<Result<Self, String>> {
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
                return Self::of(program, array, seed).map_err(|error| error.to_string());
            }
            let kind = SourceKind::of(word, &arguments).unwrap_or_else(|| Err(sources(", ")));
            kind.map(|kind| Self { kind, seed, literal: generators::literal_extent(array) })
        }))
    }

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
        let word = origin.word.text.clone();
        if array.origin.iter().any(|it| matches!(it, OriginValue::Integer(_))) {
            let written = origin.to_string().replacen("from ", "", 1);
            let kind = SourceKind::OfSizes { word, array: Box::new(array.clone()), written };
            return Ok(Self { kind, seed, literal });
        }
        let kind = SourceKind::of_sizes(&word, array, &[]);
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
        (parameters, extents): (&[i64], &[u64]),
        bulk_input: u64,
    ) -> GivenBits<'static> {
        let of_array = |distribution, extents: &[u64]| {
            random::of_array(distribution, number, extents, bulk_input, self.seed)
        };
        let kind = match self.kind.for_sizes(parameters) {
            Ok(kind) => kind,
            // Found by [`Self::check`] before.
            Err(_) => return Box::new(std::iter::empty()),
        };
        bits(
            element,
            match &*kind {
                SourceKind::OfSizes { .. } => Box::new(std::iter::empty()),
                SourceKind::Distribution(distribution) => {
                    let numbers = of_array(*distribution, extents);
                    match distribution {
                        // Rounded, the largest ones would be 1.
                        Distribution::Unit => cut(element, numbers),
                        _ => numbers,
                    }
                }
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
    pub(super) fn check(
        &self,
        array: &Array,
        (parameters, extents): (&[i64], &[u64]),
    ) -> Result<(), CaseError> {
        let fail = |why| given(format_args!("--input {}: {why}", array.name));
        let of_listing = |why| {
            let (name, what) = (&array.name, &self);
            given(format_args!("`{name}` is filled from {what}, but {why}; change --set"))
        };
        match &*self.kind.for_sizes(parameters).map_err(of_listing)? {
            SourceKind::Distribution(_) | SourceKind::OfSizes { .. } => Ok(()),
            SourceKind::Schedule => permutation_schedule::check(&array.name, extents),
            SourceKind::Generator(made) => {
                made.check(array.element.is_float(), extents, self.literal).map_err(fail)
            }
        }
    }
}

impl SourceKind {
    /// The same, where what it says depends on sizes with theirs.
    fn for_sizes(&self, parameters: &[i64]) -> Result<Cow<'_, Self>, String> {
        match self {
            Self::OfSizes { word, array, .. } => {
                Self::of_sizes(word, array, parameters).map(Cow::Owned)
            }
            known => Ok(Cow::Borrowed(known)),
        }
    }

    /// What a listing says of an array.
    fn of_sizes(word: &str, array: &Array, parameters: &[i64]) -> Result<Self, String> {
        let arguments = origin(array, parameters).ok_or("its arguments have no value")?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Self::of(word, &arguments).unwrap_or_else(|| Err(sources(", ")))
    }

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
pub(super) fn sources(between: &str) -> String {
    generators::WORDS.iter().map(|it| it.1).collect::<Vec<_>>().join(between)
}

/// The arguments of what an array is filled with, for these sizes; `None` where one has no value.
fn origin(array: &Array, parameters: &[i64]) -> Option<Vec<String>> {
    let text = |it: &OriginValue| match it {
        OriginValue::Text(text) => Some(text.clone()),
        OriginValue::Integer(it) => Some(constant(it, parameters)?.to_string()),
    };
    array.origin.iter().map(text).collect()
}

/// Numbers from [0, 1) without the bits beyond those of a float of 16 bits.
fn cut(element: Type, numbers: Numbers<'static>) -> Numbers<'static> {
    match random::places_of_unit(element) {
        None => numbers,
        Some(places) => Box::new(numbers.map(move |it| (it * places).floor() / places)),
    }
}

/// Numbers as bits of a type.
pub(super) fn bits(element: Type, numbers: Numbers<'_>) -> GivenBits<'_> {
    Box::new(numbers.map(move |it| memory::bits(element, it).ok_or(it)))
}
