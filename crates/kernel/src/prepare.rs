//! A launch with its arguments, before it is executed.

use super::argument::{ArgumentSource, ArrayBytes};
use super::constants::set_constants;
use super::element::Element;
use super::parameter_values::{Device, NamedArrays, TOO_MANY, arguments};
use super::plan::{Given, KernelError, Plan};
use super::sample::chosen_blocks;
use super::signature::{Parameter, ParameterType, Signature};
use memory_machine_sass::launch::{GlobalMemory, Image};
use memory_machine_sass::{KernelCode, Module};

/// A kernel's arguments and memory.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The kernel's name and parameters.
    pub signature: Signature,
    /// By parameter, and by member of a structure.
    pub given: Vec<Given>,
    /// All arrays.
    pub memory: GlobalMemory,
    /// Variables and constants of the module.
    pub image: Image,
    /// The parameters as they stand in memory.
    pub parameters: Vec<u8>,
    /// Of all blocks, those that are executed, if not all are.
    pub chosen: Option<Vec<u64>>,
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
        let mut device =
            Device { memory: &mut memory, textures: vec![], arrays: &arrays, seed: plan.seed };
        let (mut all, parameters) =
            arguments(kernel, &signature, &plan.arguments, &mut device).map_err(given)?;
        let textures = device.textures;
        let too_many =
            || KernelError::Given("too many arrays, or variables of more than 1 GiB".to_owned());
        let mut image = match image {
            Some(image) => image,
            None => Image::load(module, &mut memory).ok_or_else(too_many)?,
        };
        let mut device = Device { memory: &mut memory, textures, arrays: &arrays, seed: plan.seed };
        all.extend(set_constants(module, &mut image, plan, &mut device).map_err(given)?);
        // Handles count from 1: only a launch alone has textures.
        for it in device.textures {
            image.add_texture(it);
        }
        image.place_parameters(kernel, &mut memory, &parameters).ok_or_else(too_many)?;
        let chosen = chosen_blocks(plan).map_err(given)?;
        Ok(Self { signature, given: all, memory, image, parameters, chosen })
    }

    /// The kernel's, with names, and as many parameters as the code has; their types are those of the mangled
    /// name, where it is one, else those that the source says, if they are as large as the code's.
    pub fn signature(kernel: &KernelCode, known: Option<&[Parameter]>) -> Signature {
        let count = kernel.parameters().len();
        let mut signature = Signature::of(&kernel.name);
        let found = signature.parameters.take().filter(|it| it.len() == count);
        let mut parameters =
            found.unwrap_or_else(|| vec![Parameter::plain(None, ParameterType::Other); count]);
        let known = known.filter(|it| it.len() == count).unwrap_or_default();
        for ((it, known), (_, size)) in parameters.iter_mut().zip(known).zip(kernel.parameters()) {
            it.name.clone_from(&known.name);
            let bytes = match known.of {
                ParameterType::Number(of) => of.bytes(),
                _ => 8,
            };
            let is_open = matches!(it.of, ParameterType::Other | ParameterType::Array(None));
            if is_open && bytes == size && known.of != ParameterType::Other {
                it.of = known.of;
            }
            if it.of == ParameterType::Other && known.bytes() <= size {
                it.members.clone_from(&known.members);
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
    pub arrays: NamedArrays,
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
        let number = array.put(name, &mut self.memory).ok_or(TOO_MANY)?;
        self.arrays.insert(name.to_owned(), (number, element, columns));
        Ok(())
    }

    /// An array as launches left it: its bytes, type and columns.
    pub fn array(&self, name: &str) -> Option<(&[u8], Element, usize)> {
        let (number, element, columns) = *self.arrays.get(name)?;
        Some((&self.memory.array(number)?.bytes, element, columns))
    }
}

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
