//! What each parameter is given: as a whole, or a structure part by part.

use std::collections::BTreeMap;

use super::argument::{Argument, ArgumentSource, ArrayBytes, Filling};
use super::element::Element;
use super::part::{POINTER_BYTES, Part, behind, called};
use super::plan::{Given, GivenValue};
use super::signature::{Parameter, ParameterType, Signature};
use super::texture::{TensorOptions, TextureOptions};
use memory_machine_sass::KernelCode;
use memory_machine_sass::launch::{GlobalMemory, MAP_BYTES, Texture};

/// What there is no place for.
pub(super) const TOO_MANY: &str = "too many arrays, or 4 GiB and more in one";

/// Arrays of all launches, by name: their numbers in memory, types and columns.
pub(super) type NamedArrays = BTreeMap<String, (usize, Element, usize)>;

/// The device while arguments are put there.
pub(super) struct Device<'a> {
    pub(super) memory: &'a mut GlobalMemory,
    pub(super) textures: Vec<Texture>,
    pub(super) arrays: &'a NamedArrays,
    pub(super) seed: u64,
}

/// What each part of the parameters is given, and all of them as they stand in memory.
pub(super) fn arguments(
    kernel: &KernelCode,
    signature: &Signature,
    all: &[Argument],
    device: &mut Device<'_>,
) -> Result<(Vec<Given>, Vec<u8>), String> {
    let parameters = signature.parameters.as_deref().unwrap_or_default();
    let rest = |at: usize, it: &Parameter, argument: &Argument| {
        let own = it.name.as_deref().and_then(|name| behind(&argument.name, name));
        own.or_else(|| behind(&argument.name, &at.to_string())).map(str::to_owned)
    };
    let name = |(at, it): (usize, &Parameter)| it.name.clone().unwrap_or_else(|| at.to_string());
    for it in all {
        if !parameters.iter().enumerate().any(|(at, of)| rest(at, of, it).is_some()) {
            let known: Vec<String> = parameters.iter().enumerate().map(name).collect();
            let known: Vec<String> = known.iter().map(|it| called(it)).collect();
            return Err(format!(
                "--arg {}: `{}` has no such parameter; it has {}",
                it.name,
                signature.name,
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            ));
        }
    }
    let mut bytes = vec![0; kernel.parameter_bytes()];
    let mut given = vec![];
    for (at, (it, (offset, size))) in parameters.iter().zip(kernel.parameters()).enumerate() {
        let whole = Part {
            name: name((at, it)),
            place: at.to_string(),
            offset,
            begin: 0,
            bytes: size,
            of: it.of,
            members: &it.members,
            alignment: 1,
        };
        let mut parts: Vec<Part<'_>> = vec![];
        for argument in all {
            let Some(rest) = rest(at, it, argument) else { continue };
            let fail = |why: String| format!("--arg {}: {why}", argument.name);
            let part = whole.at(&rest, &argument.source).map_err(fail)?;
            if let Some(again) = parts.iter().find(|it| it.meets(&part)) {
                return Err(fail(format!("parameter {} is given twice", again.called())));
            }
            // Parts of a structure have other numbers than each other and than other parameters.
            let seed = device.seed.wrapping_add(at as u64 | (part.begin as u64) << 32);
            let (value, bits) = device.give(&part, &argument.source, seed).map_err(fail)?;
            bytes[part.offset..part.offset + part.bytes].copy_from_slice(&bits);
            given.push(Given { name: part.name.clone(), place: part.place.clone(), value });
            parts.push(part);
        }
        if let Some((what, example)) = whole.missing(&parts) {
            return Err(format!("{what} of `{}` is not given: {example}", signature.name));
        }
    }
    Ok((given, bytes))
}

/// What a part is given, and its bytes.
pub(super) type GivenBytes = (GivenValue, Vec<u8>);

impl Device<'_> {
    pub(super) fn give(
        &mut self,
        part: &Part<'_>,
        source: &ArgumentSource,
        seed: u64,
    ) -> Result<GivenBytes, String> {
        let is_pointer = part.bytes == POINTER_BYTES;
        match source {
            ArgumentSource::Numbers(stated, texts) => numbers(part, *stated, texts),
            ArgumentSource::Bytes(bytes) => of_size(part, bytes.clone()),
            ArgumentSource::Named(name) if is_pointer => self.named(name),
            ArgumentSource::Texture(of, source) if is_pointer => self.bind(part, of, source, seed),
            ArgumentSource::Tensor(of, source) if part.bytes == MAP_BYTES => {
                self.map(part, of, source, seed)
            }
            ArgumentSource::Tensor(..) => {
                Err(format!("has {} bytes, and a tensor map has {MAP_BYTES}", part.bytes))
            }
            _ if !part.members.is_empty() => row(part, source, seed),
            _ => self.array(part, source, seed),
        }
    }

    /// An array that all launches have: its number, type and columns.
    fn number(&self, name: &str) -> Result<(usize, Element, usize), String> {
        self.arrays.get(name).copied().ok_or_else(|| {
            let known: Vec<&str> = self.arrays.keys().map(String::as_str).collect();
            format!("there is no array `{name}`; there are {}", known.join(", "))
        })
    }

    fn named(&self, name: &str) -> Result<GivenBytes, String> {
        let (number, element, columns) = self.number(name)?;
        let address = GlobalMemory::address(number);
        Ok((GivenValue::Array { number, element, columns }, address.to_le_bytes().to_vec()))
    }

    /// A texture, the array of which is put into memory.
    fn bind(
        &mut self,
        part: &Part<'_>,
        of: &TextureOptions,
        source: &ArgumentSource,
        seed: u64,
    ) -> Result<GivenBytes, String> {
        let (number, array) = self.put(part, source, None, seed)?;
        let texture = of.texture(number, array, made(source))?;
        self.textures.push(texture);
        let handle = self.textures.len() as u64;
        let (element, _, columns) = array;
        Ok((GivenValue::Array { number, element, columns }, handle.to_le_bytes().to_vec()))
    }

    /// The map of a tensor, which is put into memory if it is not there.
    fn map(
        &mut self,
        part: &Part<'_>,
        of: &TensorOptions,
        source: &ArgumentSource,
        seed: u64,
    ) -> Result<GivenBytes, String> {
        let (number, array) = match source {
            ArgumentSource::Named(name) => {
                let (number, element, columns) = self.number(name)?;
                let bytes = self.memory.array(number).map_or(0, |it| it.bytes.len());
                (number, (element, bytes, columns))
            }
            _ => self.put(part, source, None, seed)?,
        };
        let map = of.map(GlobalMemory::address(number), array, made(source))?;
        let (element, _, columns) = array;
        Ok((GivenValue::Array { number, element, columns }, map.bytes().to_vec()))
    }

    /// Puts a part's array into memory; its number, the type of its numbers, its bytes and its columns.
    fn put(
        &mut self,
        part: &Part<'_>,
        source: &ArgumentSource,
        typed: Option<Element>,
        seed: u64,
    ) -> Result<(usize, (Element, usize, usize)), String> {
        let array = ArrayBytes::of(source, typed, seed)?;
        let of = (array.element, array.bytes.len(), array.columns);
        Ok((array.put(&part.name, self.memory).ok_or(TOO_MANY)?, of))
    }

    /// An array, and its address.
    fn array(
        &mut self,
        part: &Part<'_>,
        source: &ArgumentSource,
        seed: u64,
    ) -> Result<GivenBytes, String> {
        let typed = match part.of {
            ParameterType::Number(of) => {
                return Err(format!("is a number ({}), and no array", of.name()));
            }
            ParameterType::VirtualTable => return Err(VIRTUAL.to_owned()),
            ParameterType::Linked if !is_blank(source) => return Err(LINKED.to_owned()),
            _ if part.bytes != POINTER_BYTES => {
                return Err(format!("has {} bytes, and an array's address has 8", part.bytes));
            }
            ParameterType::Array(of) => of,
            ParameterType::Linked | ParameterType::Other => None,
        };
        if let (Some(stated), Some(typed)) = (source.element(), typed)
            && !stated.is_read_as(typed)
        {
            return Err(format!(
                "holds {}, and the kernel reads {}: leave the type out, or write {}",
                stated.name(),
                typed.name(),
                typed.name()
            ));
        }
        let (number, (element, _, columns)) = self.put(part, source, typed, seed)?;
        let address = GlobalMemory::address(number);
        Ok((GivenValue::Array { number, element, columns }, address.to_le_bytes().to_vec()))
    }
}

/// The extents with which an array is made, if it is.
fn made(source: &ArgumentSource) -> Option<&[u64]> {
    match source {
        ArgumentSource::Filled { extents, .. } => Some(extents),
        _ => None,
    }
}

/// Why an object is not given.
const VIRTUAL: &str = "is the table of an object's virtual functions, which lies on the device: let the kernel \
    make the object, or call functions that are not virtual";
/// Why an array is not given.
const LINKED: &str = "points to what holds pointers itself, which no file says: give it as @NAME, an array of \
    a .toml (zeros:u8[BYTES]), and let a launch before this one write them";

/// Whether an array may hold pointers that a kernel is to write.
fn is_blank(source: &ArgumentSource) -> bool {
    matches!(source, ArgumentSource::Filled { filling: Filling::Zeros | Filling::Nothing, .. })
}

fn of_size(part: &Part<'_>, bytes: Vec<u8>) -> Result<GivenBytes, String> {
    match bytes.len() == part.bytes {
        true => Ok((GivenValue::Value(bytes.clone()), bytes)),
        false => Err(format!("is {} bytes, and the parameter {}", bytes.len(), part.bytes)),
    }
}

/// The bits of a number.
pub(super) fn parse(of: Element, text: &str) -> Result<u64, String> {
    of.parse(text).map_err(|why| format!("`{text}` {why}"))
}

/// Numbers of one type, or of a structure's members each of its own.
fn numbers(
    part: &Part<'_>,
    stated: Option<Element>,
    texts: &[String],
) -> Result<GivenBytes, String> {
    if stated.is_none() && !part.members.is_empty() {
        if part.members.len() != texts.len() {
            let (has, given) = (part.members.len(), texts.len());
            return Err(format!("has {has} members, and {given} numbers are given"));
        }
        let mut bytes = vec![0; part.bytes];
        for (it, text) in part.members.iter().zip(texts) {
            let bits = match it.of {
                ParameterType::Number(of) => parse(of, text)?,
                ParameterType::Array(_) | ParameterType::Linked if text.trim() == "0" => 0,
                _ => {
                    let own = &it.path;
                    return Err(format!("`{own}` is no number: give each member by its name"));
                }
            };
            let begin = it.offset - part.begin;
            bytes[begin..begin + it.bytes].copy_from_slice(&bits.to_le_bytes()[..it.bytes]);
        }
        return of_size(part, bytes);
    }
    let typed = match part.of {
        ParameterType::Number(of) => Some(of),
        ParameterType::VirtualTable => return Err(VIRTUAL.to_owned()),
        ParameterType::Array(_) | ParameterType::Linked if texts == ["0"] => {
            return of_size(part, vec![0; part.bytes]);
        }
        ParameterType::Array(_) | ParameterType::Linked => {
            return Err("is an array: write random:f32[1000], zeros:f32[1000] or a file".to_owned());
        }
        ParameterType::Other => None,
    };
    let of = stated.or(typed);
    let of = of.ok_or_else(|| "its type is not known: say it, as in i32:1000".to_owned())?;
    let mut bytes = vec![];
    for text in texts {
        bytes.extend_from_slice(&parse(of, text)?.to_le_bytes()[..of.bytes()]);
    }
    of_size(part, bytes)
}

/// An array that stands in a structure itself.
fn row(part: &Part<'_>, source: &ArgumentSource, seed: u64) -> Result<GivenBytes, String> {
    let first = part.members[0].of;
    let ParameterType::Number(of) = first else {
        return Err("is a structure: give each member by its name".to_owned());
    };
    if part.members.iter().any(|it| it.of != first) {
        return Err("holds numbers of several types: give each member by its name".to_owned());
    }
    if source.element().is_some_and(|it| it != of) {
        return Err(format!("holds {}: leave the type out", of.name()));
    }
    of_size(part, ArrayBytes::of(source, Some(of), seed)?.bytes)
}
