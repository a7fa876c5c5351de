//! What a kernel is launched with, as the command line says it: `n=1000`, `x=random:f32[1000]`, `x=FILE.csv`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::element::Element;
use super::texture::{TensorOptions, TextureOptions};
use memory_machine_algorithms::npy;
use memory_machine_core::host::files::ends;
use memory_machine_geometry::matrix::Matrix;
use memory_machine_sass::launch::GlobalMemory;

/// A parameter's name or place, and what it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// A name, or a number from 0 on.
    pub name: String,
    /// What.
    pub source: ArgumentSource,
}

/// What a parameter is given.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentSource {
    /// Numbers that are written out, of a stated type or that of the signature: one for a number, several
    /// for a structure.
    Numbers(Option<Element>, Vec<String>),
    /// An array that is made.
    Filled {
        /// With what.
        filling: Filling,
        /// Of a stated type or that of the signature.
        element: Option<Element>,
        /// Elements: the extents.
        extents: Vec<u64>,
    },
    /// An array that is read.
    File(Option<Element>, PathBuf),
    /// A texture or a surface.
    Texture(TextureOptions, Box<ArgumentSource>),
    /// The map of a tensor.
    Tensor(TensorOptions, Box<ArgumentSource>),
    /// An array that several launches have, by its name: `@x`.
    Named(String),
    /// An array that is there already.
    Array(Arc<ArrayBytes>),
    /// The bytes of a number or a structure.
    Bytes(Vec<u8>),
}

impl ArgumentSource {
    /// An array as a texture, a surface or a tensor, by the words for it: `texture,linear`.
    ///
    /// # Errors
    /// Words that say nothing of one; what is no array.
    pub fn view(words: &str, array: Self) -> Result<Self, String> {
        let is_tensor = words.split(',').next() == Some("tensor");
        let is_array = matches!(array, Self::Filled { .. } | Self::File(..) | Self::Array(_));
        if !(is_array || is_tensor && matches!(array, Self::Named(_))) {
            return Err(format!(
                "`{words}`: it holds an array, as in texture,linear:random:f32[64x64]"
            ));
        }
        if is_tensor {
            return Ok(Self::Tensor(TensorOptions::read(words)?, Box::new(array)));
        }
        Ok(Self::Texture(TextureOptions::read(words)?, Box::new(array)))
    }

    /// The type that it states.
    pub fn element(&self) -> Option<Element> {
        match self {
            Self::Numbers(element, _) | Self::File(element, _) => *element,
            Self::Filled { element, .. } => *element,
            Self::Array(it) => Some(it.element),
            Self::Texture(_, it) | Self::Tensor(_, it) => it.element(),
            Self::Named(_) | Self::Bytes(_) => None,
        }
    }
}

/// What an array is filled with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Filling {
    /// Numbers that follow from a seed: in [0, 1), or whole ones in [0, 100).
    Random,
    /// 0.
    Zeros,
    /// 1.
    Ones,
    /// 0, 1, 2 …
    Count,
    /// Nothing: reading it is an error.
    Nothing,
}

/// Elements of an array, at most.
const MOST_ELEMENTS: u64 = 1 << 32;

impl std::str::FromStr for Argument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, as in n=1000")?;
        if name.is_empty() || value.is_empty() {
            return Err("write NAME=VALUE, as in n=1000".to_owned());
        }
        Ok(Self { name: name.to_owned(), source: value.parse()? })
    }
}

impl std::str::FromStr for ArgumentSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(name) = text.strip_prefix('@') {
            return Ok(Self::Named(name.to_owned()));
        }
        let (head, rest) = text.split_once(':').unwrap_or((text, ""));
        if matches!(head.split(',').next(), Some("texture" | "surface" | "tensor")) {
            return Self::view(head, rest.parse()?);
        }
        let filling = match head {
            "random" => Some(Filling::Random),
            "zeros" => Some(Filling::Zeros),
            "ones" => Some(Filling::Ones),
            "count" => Some(Filling::Count),
            "unwritten" => Some(Filling::Nothing),
            _ => None,
        };
        if let Some(filling) = filling {
            let (element, extents) = array(rest)?;
            return Ok(Self::Filled { filling, element, extents });
        }
        let (element, value) = match Element::of(head) {
            Some(element) if !rest.is_empty() => (Some(element), rest),
            _ => (None, text),
        };
        let is_number =
            |it: &str| Element::Float(8).parse(it).is_ok() || Element::Signed(8).parse(it).is_ok();
        let is_word = |it: &str| matches!(it.trim(), "true" | "false");
        if value.split(',').all(|it| is_number(it) || is_word(it)) {
            return Ok(Self::Numbers(element, value.split(',').map(str::to_owned).collect()));
        }
        let path = PathBuf::from(value);
        if ends(&path, "csv") || ends(&path, "npy") {
            return Ok(Self::File(element, path));
        }
        Err(format!(
            "`{text}` is no number, no array such as random:f32[1000] (random, zeros, ones, count, \
             unwritten), and no file .csv or .npy"
        ))
    }
}

/// `f32[1000]`, `[64x64]`.
fn array(text: &str) -> Result<(Option<Element>, Vec<u64>), String> {
    let wrong = || format!("`{text}`: write a type and extents, as in f32[1000] or i32[64x64]");
    let (of, extents) =
        text.strip_suffix(']').and_then(|it| it.split_once('[')).ok_or_else(wrong)?;
    let element = match of {
        "" => None,
        of => Some(Element::of(of).ok_or_else(|| {
            format!("`{of}` is no type of number; there are {}", Element::names())
        })?),
    };
    let extents: Option<Vec<u64>> =
        extents.split(['x', ',']).map(|it| it.trim().parse::<u64>().ok()).collect();
    let extents = extents.ok_or_else(wrong)?;
    match extents.iter().try_fold(1_u64, |all, it| all.checked_mul(*it)) {
        Some(1..=MOST_ELEMENTS) => Ok((element, extents)),
        _ => Err(format!("`{text}`: 1 to {MOST_ELEMENTS} elements")),
    }
}

/// An array as a device holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayBytes {
    /// Of which numbers.
    pub element: Element,
    /// Of the last dimension.
    pub columns: usize,
    /// All.
    pub bytes: Vec<u8>,
    /// Whether anything is in it.
    pub is_written: bool,
}

impl ArrayBytes {
    /// An array that is made or read, of elements of the signature's type unless it says another.
    ///
    /// # Errors
    /// A type that nobody says; a file that cannot be read, or holds what is no such number.
    pub fn of(source: &ArgumentSource, typed: Option<Element>, seed: u64) -> Result<Self, String> {
        let need = |stated: &Option<Element>| {
            stated.or(typed).ok_or_else(|| {
                "its type is not known: say it, as in random:f32[1000] or f32:FILE.csv".to_owned()
            })
        };
        match source {
            ArgumentSource::Named(_) => {
                Err("only launches of a file .toml have arrays by name".to_owned())
            }
            ArgumentSource::Array(it) => Ok(Self::clone(it)),
            ArgumentSource::Texture(_, it) | ArgumentSource::Tensor(_, it) => {
                Self::of(it, typed, seed)
            }
            ArgumentSource::Numbers(..) | ArgumentSource::Bytes(_) => {
                Err("is an array: write random:f32[1000], zeros:f32[1000] or a file".to_owned())
            }
            ArgumentSource::Filled { filling, element, extents } => {
                let element = need(element)?;
                let count = extents.iter().product::<u64>() as usize;
                let columns = extents.last().map_or(1, |it| *it as usize);
                let is_written = *filling != Filling::Nothing;
                Ok(Self {
                    element,
                    columns,
                    bytes: fill(*filling, element, count, seed),
                    is_written,
                })
            }
            ArgumentSource::File(element, path) => {
                let of_file = || npy::kind(path).and_then(|it| Element::of_numpy(&it));
                let element = need(&element.or(typed).or_else(of_file))?;
                let found = read(path, element)?;
                let bytes = found.numbers.iter().flat_map(|it| bytes(*it, element)).collect();
                Ok(Self { element, columns: found.columns, bytes, is_written: true })
            }
        }
    }

    /// Puts it into memory; its number there, or none, if there are too many or it is too large.
    pub(super) fn put(self, name: &str, memory: &mut GlobalMemory) -> Option<usize> {
        match self.is_written {
            true => memory.add(name, self.bytes)?,
            false => memory.add_unwritten(name, self.bytes.len())?,
        };
        Some(memory.len() - 1)
    }
}

/// The numbers of a file, as bits of a type.
pub(crate) fn read(path: &Path, element: Element) -> Result<Matrix<u64>, String> {
    let parse = |text: &str| match element.parse(text) {
        // A file may write whole numbers as floating-point ones do.
        Err(why) if !element.is_float() => match text.trim().parse::<f64>() {
            Ok(it) if it.fract() == 0.0 => Ok(element.bits(it)),
            _ => Err(why),
        },
        it => it,
    };
    let found = if ends(path, "npy") { npy::read(path, parse) } else { Matrix::read(path, parse) };
    found.map_err(|it| it.to_string())
}

fn bytes(bits: u64, element: Element) -> impl Iterator<Item = u8> {
    bits.to_le_bytes().into_iter().take(element.bytes())
}

fn fill(filling: Filling, element: Element, count: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut all = Vec::with_capacity(count * element.bytes());
    for at in 0..count {
        let number = match filling {
            Filling::Random => {
                let random = next(&mut state);
                match element {
                    Element::Bool => (random & 1) as f64,
                    it if it.is_float() => (random >> 40) as f64 / f64::from(1 << 24),
                    _ => (random >> 33) as f64 % 100.0,
                }
            }
            Filling::Ones => 1.0,
            Filling::Count => at as f64,
            Filling::Zeros | Filling::Nothing => 0.0,
        };
        all.extend(bytes(element.bits(number), element));
    }
    all
}

/// Steele, Lea and Flood's SplitMix64 (2014).
pub(super) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut it = *state;
    it = (it ^ it >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ it >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ it >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_as_they_are_typed() {
        let of = |text: &str| text.parse::<Argument>().unwrap().source;
        assert_eq!(of("n=1000"), ArgumentSource::Numbers(None, vec!["1000".into()]));
        let filled = of("x=random:f32[64x2]");
        let ArgumentSource::Filled { filling, element, extents } = &filled else { panic!() };
        assert_eq!(
            (*filling, *element, &extents[..]),
            (Filling::Random, Some(Element::Float(4)), &[64, 2][..])
        );
        assert_eq!(
            of("x=f32:a.npy"),
            ArgumentSource::File(Some(Element::Float(4)), "a.npy".into())
        );
        for wrong in ["x", "x=", "x=random:f33[1]", "x=random:f32[0]", "x=random:f32", "x=a.txt"] {
            assert!(wrong.parse::<Argument>().is_err(), "{wrong}");
        }
        let array = ArrayBytes::of(&filled, None, 7).unwrap();
        assert_eq!((array.bytes.len(), array.columns), (512, 2));
        let all: Vec<f64> = array.bytes.chunks(4).map(|it| Element::Float(4).number(it)).collect();
        assert!(all.iter().all(|it| (0.0..1.0).contains(it)) && all[0] != all[1]);
        assert!(ArrayBytes::of(&of("x=zeros:[4]"), None, 7).is_err());
    }
}
