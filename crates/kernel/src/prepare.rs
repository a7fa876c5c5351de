//! A launch with its arguments, before it is executed.

use std::collections::BTreeMap;

use super::argument::{Argument, ArgumentSource, ArrayBytes};
use super::element::Element;
use super::plan::{Given, KernelError, Plan};
use super::signature::{Parameter, ParameterType, Signature};
use super::texture::TextureOptions;
use memory_machine_sass::launch::{ARRAY_STRIDE, GlobalMemory, Image, Texture};
use memory_machine_sass::{KernelCode, Module};

/// A kernel's arguments and memory.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The kernel's name and parameters.
    pub signature: Signature,
    /// By parameter.
    pub given: Vec<Given>,
    /// All arrays.
    pub memory: GlobalMemory,
    /// Variables and constants of the module.
    pub image: Image,
    /// The parameters as they stand in memory.
    pub parameters: Vec<u8>,
    /// Of all blocks, those that are executed: every so many.
    pub every: u64,
}

impl Prepared {
    /// With what the source says of the kernel's parameters, if it is known.
    ///
    /// # Errors
    /// Arguments that are missing or do not fit.
    pub fn new(
        module: &Module,
        kernel: &KernelCode,
        known: Option<&[Parameter]>,
        plan: &Plan,
    ) -> Result<Self, KernelError> {
        Self::after(Carried::default(), module, kernel, known, plan)
    }

    /// The same on the memory that launches before it left.
    ///
    /// # Errors
    /// As [`Prepared::new`].
    pub fn after(
        before: Carried,
        module: &Module,
        kernel: &KernelCode,
        known: Option<&[Parameter]>,
        plan: &Plan,
    ) -> Result<Self, KernelError> {
        let given = KernelError::Given;
        check_shape(kernel, plan).map_err(given)?;
        let signature = Self::signature(kernel, known);
        let Carried { mut memory, image, arrays } = before;
        let mut textures = vec![];
        let (all, parameters) =
            arguments(kernel, &signature, plan, (&mut memory, &mut textures), &arrays)
                .map_err(given)?;
        let too_many =
            || KernelError::Given("too many arrays, or variables of more than 1 GiB".to_owned());
        let mut image = match image {
            Some(image) => image,
            None => Image::load(module, &mut memory).ok_or_else(too_many)?,
        };
        // Handles count from 1: only a launch alone has textures.
        for it in textures {
            image.add_texture(it);
        }
        for it in &plan.constants {
            set_constant(module, &mut image, it, plan.seed).map_err(given)?;
        }
        let blocks: u64 = plan.grid.0.iter().map(|it| u64::from(*it)).product();
        let every = plan.sample.map_or(1, |it| blocks.div_ceil(it.max(1)).max(1));
        Ok(Self { signature, given: all, memory, image, parameters, every })
    }

    /// The kernel's, with names, and as many parameters as the code has; their types are those of the mangled name, where it
    /// is one, else those that the source says, if they are as large as the code's.
    pub fn signature(kernel: &KernelCode, known: Option<&[Parameter]>) -> Signature {
        let count = kernel.parameters().len();
        let mut signature = Signature::of(&kernel.name);
        let found = signature.parameters.take().filter(|it| it.len() == count);
        let mut parameters = found
            .unwrap_or_else(|| vec![Parameter { name: None, of: ParameterType::Other }; count]);
        let known = known.filter(|it| it.len() == count).unwrap_or_default();
        for ((it, known), (_, size)) in parameters.iter_mut().zip(known).zip(kernel.parameters()) {
            it.name.clone_from(&known.name);
            let bytes = match known.of {
                ParameterType::Number(of) => of.bytes(),
                _ => 8,
            };
            if it.of == ParameterType::Other && bytes == size {
                it.of = known.of;
            }
        }
        Signature { parameters: Some(parameters), ..signature }
    }
}

/// What launches leave to those after them.
#[derive(Debug, Clone, Default)]
pub struct Carried {
    /// All arrays.
    pub memory: GlobalMemory,
    /// Variables and constants of the module, once it was loaded.
    pub image: Option<Image>,
    /// Arrays that have a name for all launches: their numbers in memory, types and columns.
    pub arrays: BTreeMap<String, (usize, Element, usize)>,
}

impl Carried {
    /// Makes an array for all launches.
    ///
    /// # Errors
    /// A type that nobody says; a file that cannot be read.
    pub fn add(&mut self, name: &str, source: &ArgumentSource, seed: u64) -> Result<(), String> {
        let seed = seed.wrapping_add(self.arrays.len() as u64);
        let array = ArrayBytes::of(source, None, seed)?;
        let (element, columns) = (array.element, array.columns);
        let address = match array.is_written {
            true => self.memory.add(name, array.bytes),
            false => self.memory.add_unwritten(name, array.bytes.len()),
        };
        address.ok_or(TOO_MANY)?;
        self.arrays.insert(name.to_owned(), (self.memory.len() - 1, element, columns));
        Ok(())
    }

    /// An array as launches left it: its bytes, type and columns.
    pub fn array(&self, name: &str) -> Option<(&[u8], Element, usize)> {
        let (number, element, columns) = *self.arrays.get(name)?;
        Some((&self.memory.array(number)?.bytes, element, columns))
    }
}

/// What there is no place for.
const TOO_MANY: &str = "too many arrays, or 4 GiB and more in one";

/// Threads of a block, and bytes of shared memory, that devices have at most.
const MOST_THREADS: u64 = 1024;
const MOST_SHARED_BYTES: u64 = 227 << 10;

fn check_shape(kernel: &KernelCode, plan: &Plan) -> Result<(), String> {
    let threads: u64 = plan.block.0.iter().map(|it| u64::from(*it)).product();
    if threads > MOST_THREADS || plan.block.0[2] > 64 {
        return Err(format!(
            "a block of {} has {threads} threads; there are at most {MOST_THREADS}, and 64 along z",
            plan.block
        ));
    }
    if plan.grid.0[1].max(plan.grid.0[2]) > 65535 || plan.grid.0[0] > i32::MAX as u32 {
        return Err(format!("a grid of {}: at most 65535 blocks along y and z", plan.grid));
    }
    let shared = kernel.shared_bytes + u64::from(plan.shared_bytes);
    if shared > MOST_SHARED_BYTES {
        return Err(format!(
            "{shared} bytes of shared memory a block; there are at most {MOST_SHARED_BYTES}"
        ));
    }
    Ok(())
}

/// What each parameter is given, and all of them as they stand in memory.
fn arguments(
    kernel: &KernelCode,
    signature: &Signature,
    plan: &Plan,
    device: (&mut GlobalMemory, &mut Vec<Texture>),
    arrays: &BTreeMap<String, (usize, Element, usize)>,
) -> Result<(Vec<Given>, Vec<u8>), String> {
    let parameters = signature.parameters.as_deref().unwrap_or_default();
    let called = |at: usize, it: &Parameter| match &it.name {
        Some(name) => format!("`{name}`"),
        None => format!("{at}"),
    };
    let is_of = |at: usize, it: &Parameter, argument: &Argument| {
        it.name.as_deref() == Some(&argument.name) || argument.name == at.to_string()
    };
    for argument in &plan.arguments {
        if !parameters.iter().enumerate().any(|(at, it)| is_of(at, it, argument)) {
            let known: Vec<String> =
                parameters.iter().enumerate().map(|(at, it)| called(at, it)).collect();
            return Err(format!(
                "--arg {}: `{}` has no such parameter; it has {}",
                argument.name,
                signature.name,
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            ));
        }
    }
    let (memory, textures) = device;
    let mut bytes = vec![0; kernel.parameter_bytes()];
    let mut all = vec![];
    for (at, (it, (offset, size))) in parameters.iter().zip(kernel.parameters()).enumerate() {
        let mut found = plan.arguments.iter().filter(|argument| is_of(at, it, argument));
        let (argument, again) = (found.next(), found.next());
        if let Some(again) = again {
            return Err(format!(
                "--arg {}: parameter {} is given twice",
                again.name,
                called(at, it)
            ));
        }
        let Some(argument) = argument else {
            return Err(format!(
                "parameter {} of `{}` is not given: {}",
                called(at, it),
                signature.name,
                example(at, it, size)
            ));
        };
        let fail = |why: String| format!("--arg {}: {why}", argument.name);
        let given = match &argument.source {
            ArgumentSource::Named(name) if size == 8 => named(name, arrays).map_err(fail)?,
            ArgumentSource::Texture(of, source) if size == 8 => {
                let seed = plan.seed.wrapping_add(at as u64);
                let name = it.name.as_deref().unwrap_or(&argument.name);
                let array = ArrayBytes::of(source, None, seed).map_err(fail)?;
                let (given, texture) = bind(of, source, name, array, memory).map_err(fail)?;
                textures.push(texture);
                (given, textures.len() as u64)
            }
            _ => {
                one(it, size, argument, plan.seed.wrapping_add(at as u64), memory).map_err(fail)?
            }
        };
        let value = match &given {
            (Given::Value(value), _) => value.clone(),
            (Given::Array { .. }, address) => address.to_le_bytes().to_vec(),
        };
        bytes[offset..offset + size].copy_from_slice(&value[..size]);
        all.push(given.0);
    }
    Ok((all, bytes))
}

/// A texture, the array of which is put into memory.
fn bind(
    of: &TextureOptions,
    source: &ArgumentSource,
    name: &str,
    array: ArrayBytes,
    memory: &mut GlobalMemory,
) -> Result<(Given, Texture), String> {
    let ArrayBytes { element, columns, bytes, .. } = array;
    let made = match source {
        ArgumentSource::Filled { extents, .. } => Some(&extents[..]),
        _ => None,
    };
    let number = memory.len();
    let texture = of.texture(number, (element, bytes.len(), columns), made)?;
    memory.add(name, bytes).ok_or(TOO_MANY)?;
    Ok((Given::Array { number, element, columns }, texture))
}

/// How an argument is written.
fn example(at: usize, it: &Parameter, size: usize) -> String {
    let name = it.name.clone().unwrap_or_else(|| at.to_string());
    match it.of {
        ParameterType::Number(of) => {
            let value = if of.is_float() { "2.5" } else { "1000" };
            format!("--arg {name}={value} ({})", of.name())
        }
        ParameterType::Array(of) => {
            format!("--arg {name}=random:{}[1000]", of.map_or("f32", Element::name))
        }
        ParameterType::Other if size > 8 && size.is_multiple_of(4) => {
            let numbers = vec!["1"; size / 4].join(",");
            let numbers = if size > 64 { "1,2,3,…" } else { &numbers };
            format!("it has {size} bytes: --arg {name}=i32:{numbers}")
        }
        ParameterType::Other => {
            format!("it has {size} bytes: --arg {name}=i32:1000, --arg {name}=random:f32[1000]")
        }
    }
}

/// An array that all launches have, and its address.
fn named(
    name: &str,
    arrays: &BTreeMap<String, (usize, Element, usize)>,
) -> Result<(Given, u64), String> {
    let &(number, element, columns) = arrays.get(name).ok_or_else(|| {
        let known: Vec<&str> = arrays.keys().map(String::as_str).collect();
        format!("there is no array `{name}`; there are {}", known.join(", "))
    })?;
    Ok((Given::Array { number, element, columns }, (number as u64 + 1) * ARRAY_STRIDE))
}

/// What a parameter of so many bytes is given, and an array's address.
fn one(
    it: &Parameter,
    size: usize,
    argument: &Argument,
    seed: u64,
    memory: &mut GlobalMemory,
) -> Result<(Given, u64), String> {
    let typed = match it.of {
        ParameterType::Number(of) => Some(of),
        ParameterType::Array(of) => of,
        ParameterType::Other => None,
    };
    match (&argument.source, it.of) {
        (ArgumentSource::Numbers(_, texts), ParameterType::Array(_)) if texts != &["0"] => {
            Err("is an array: write random:f32[1000], zeros:f32[1000] or a file".to_owned())
        }
        (ArgumentSource::Numbers(..), ParameterType::Array(_)) => {
            Ok((Given::Value(vec![0; size]), 0))
        }
        (ArgumentSource::Numbers(stated, texts), _) => {
            let of = stated
                .or(typed)
                .ok_or_else(|| "its type is not known: say it, as in i32:1000".to_owned())?;
            let mut bytes = vec![];
            for text in texts {
                let bits = of.parse(text).map_err(|why| format!("`{text}` {why}"))?;
                bytes.extend_from_slice(&bits.to_le_bytes()[..of.bytes()]);
            }
            match bytes.len() == size {
                true => Ok((Given::Value(bytes), 0)),
                false => Err(format!("is {} bytes, and the parameter {size}", bytes.len())),
            }
        }
        (ArgumentSource::Bytes(bytes), _) => match bytes.len() == size {
            true => Ok((Given::Value(bytes.clone()), 0)),
            false => Err(format!("is {} bytes, and the parameter {size}", bytes.len())),
        },
        (_, ParameterType::Number(of)) => Err(format!("is a number ({}), and no array", of.name())),
        _ if size != 8 => Err(format!("has {size} bytes, and an array's address has 8")),
        (source, _) => {
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
            let array = ArrayBytes::of(source, typed, seed)?;
            let ArrayBytes { element, columns, bytes, is_written } = array;
            let name = it.name.as_deref().unwrap_or(&argument.name);
            let count = bytes.len();
            let address = match is_written {
                true => memory.add(name, bytes),
                false => memory.add_unwritten(name, count),
            };
            let address = address.ok_or(TOO_MANY)?;
            let number = memory.len() - 1;
            Ok((Given::Array { number, element, columns }, address))
        }
    }
}

fn set_constant(
    module: &Module,
    image: &mut Image,
    it: &Argument,
    seed: u64,
) -> Result<(), String> {
    let fail = |why: String| format!("--constant {}: {why}", it.name);
    let found = module.constant(&it.name).ok_or_else(|| {
        let known: Vec<&str> = module.named_constants().iter().map(|it| &*it.name).collect();
        fail(match known.is_empty() {
            true => "there is no `__constant__`".to_owned(),
            false => format!("there is no such `__constant__`; there are {}", known.join(", ")),
        })
    })?;
    let bytes = match &it.source {
        ArgumentSource::Numbers(of, texts) => {
            let of = of.ok_or_else(|| fail("say its type, as in f32:1,2,3".to_owned()))?;
            let bits: Result<Vec<u64>, String> = texts.iter().map(|it| of.parse(it)).collect();
            let bits = bits.map_err(fail)?;
            bits.iter().flat_map(|it| it.to_le_bytes().into_iter().take(of.bytes())).collect()
        }
        ArgumentSource::Bytes(bytes) => bytes.clone(),
        source => ArrayBytes::of(source, None, seed).map_err(fail)?.bytes,
    };
    match image.set_constant(module, &it.name, &bytes) {
        true => Ok(()),
        false => Err(fail(format!("is {} bytes, and there are {}", bytes.len(), found.bytes))),
    }
}
