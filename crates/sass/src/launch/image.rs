//! A module as it is loaded: variables of the device, constants, and where functions are.

use super::memory::GlobalMemory;
use super::texture::Texture;
use super::{LOCAL_WINDOW, Launch};
use crate::cubin::{
    BLOCKS_OFFSET, DESCRIPTOR_OFFSET, GRID_OFFSET, GROUPS_OFFSET, GROUPS_SHARED, KernelCode,
    LOCAL_WINDOW_OFFSET, Module, PARAMETERS_OFFSET, PARAMETERS_PLACE_OFFSET, THREADS_OFFSET,
};
use crate::linkage::{MOST_VARIABLE_BYTES, SymbolKind};
use crate::values::Constants;

/// Functions that the device's run time has are at such addresses.
pub(super) const FUNCTIONS: u64 = 1 << 62;
const FUNCTION_BYTES: u64 = 16;
/// What blocks of a cooperative launch synchronize at.
const GRID_BYTES: usize = 64;

/// A module's variables and constants.
#[derive(Debug, Clone)]
pub struct Image {
    pub(super) constants: Vec<u8>,
    /// Bank 4: addresses.
    pub(super) addresses: Vec<u8>,
    pub(super) functions: Vec<String>,
    /// Where blocks of a cooperative launch count who came to a barrier of the grid.
    pub(super) grid: u64,
    /// Where a launch's parameters stand, if its kernel asks for it.
    parameters: u64,
    textures: Vec<Texture>,
}

impl Image {
    /// Puts a module's variables into memory, behind the arrays that are there; none, if there are too
    /// many, or they are too large.
    pub fn load(module: &Module, memory: &mut GlobalMemory) -> Option<Self> {
        let mut functions: Vec<String> = vec![];
        let mut addresses = module.addresses.clone();
        let mut known: Vec<(&str, u64)> = vec![];
        let mut size = 0;
        for it in &module.relocations {
            let symbol = &module.symbols[it.symbol];
            let address = match known.iter().find(|known| known.0 == symbol.name) {
                Some(found) => found.1,
                None => {
                    let address = match &symbol.kind {
                        SymbolKind::Variable(bytes) => {
                            size += bytes.len() as u64;
                            if size > MOST_VARIABLE_BYTES {
                                return None;
                            }
                            memory.add(&symbol.name, bytes.clone())?
                        }
                        SymbolKind::Function => {
                            functions.push(symbol.name.clone());
                            FUNCTIONS + (functions.len() as u64 - 1) * FUNCTION_BYTES
                        }
                    };
                    known.push((&symbol.name, address));
                    address
                }
            };
            let address = address.wrapping_add_signed(it.addend);
            if let Some(to) = addresses.get_mut(it.offset..it.offset + 8) {
                to.copy_from_slice(&address.to_le_bytes());
            }
        }
        let grid = match module.kernels.iter().any(KernelCode::synchronizes_grid) {
            true => memory.add("the grid's barrier", vec![0; GRID_BYTES])?,
            false => 0,
        };
        Some(Self {
            constants: module.constants.clone(),
            addresses,
            functions,
            grid,
            parameters: 0,
            textures: vec![],
        })
    }

    /// Puts a launch's parameters into memory, if its kernel asks where they are; none, if there are too many arrays.
    pub fn place_parameters(
        &mut self,
        kernel: &KernelCode,
        memory: &mut GlobalMemory,
        parameters: &[u8],
    ) -> Option<()> {
        if kernel.reads_constant(PARAMETERS_PLACE_OFFSET) {
            // From where most begin, though these may begin later, at a multiple of what they need.
            let mut bytes = vec![0; kernel.parameters_begin().saturating_sub(PARAMETERS_OFFSET)];
            bytes.extend_from_slice(parameters);
            match self.parameters {
                0 => self.parameters = memory.add("the parameters", bytes)?,
                // Those of a launch before are no longer asked for.
                before => memory.replace(before, bytes),
            }
        }
        Some(())
    }

    /// Sets a `__constant__` of the source from a byte on; whether it has this many.
    pub fn set_constant(&mut self, module: &Module, name: &str, at: usize, bytes: &[u8]) -> bool {
        let found = module.constant(name).filter(|it| at + bytes.len() <= it.bytes);
        let begin = found.map(|it| it.offset + at);
        let to = begin.and_then(|it| self.constants.get_mut(it..it + bytes.len()));
        to.map(|to| to.copy_from_slice(bytes)).is_some()
    }

    /// Makes a texture or surface; what the kernel knows it by.
    pub fn add_texture(&mut self, texture: Texture) -> u64 {
        self.textures.push(texture);
        self.textures.len() as u64
    }

    /// The texture of a handle.
    pub(super) fn texture(&self, handle: u32) -> Option<&Texture> {
        self.textures.get((handle as usize).checked_sub(1)?)
    }

    /// The function at an address.
    pub(super) fn function(&self, address: u64) -> Option<&str> {
        let number = address.checked_sub(FUNCTIONS)? / FUNCTION_BYTES;
        self.functions.get(number as usize).map(String::as_str)
    }
}

/// The constants of a launch, by bank: its shape and parameters, those of the module, and addresses.
pub(crate) fn constants(
    module: &Module,
    kernel: &KernelCode,
    launch: &Launch<'_>,
    image: &Image,
) -> Constants {
    let blank = module.constants(kernel, (0, 0), &[]);
    let [mut own, _, jumps, ..] = blank;
    let mut put = |at: usize, bytes: &[u8]| {
        if own.len() < at + bytes.len() {
            own.resize(at + bytes.len(), 0);
        }
        own[at..at + bytes.len()].copy_from_slice(bytes);
    };
    for axis in 0..3 {
        put(THREADS_OFFSET + 4 * axis, &launch.block[axis].to_le_bytes());
        put(BLOCKS_OFFSET + 4 * axis, &launch.grid[axis].to_le_bytes());
    }
    put(LOCAL_WINDOW_OFFSET, &(LOCAL_WINDOW << 32).to_le_bytes());
    put(DESCRIPTOR_OFFSET, &[0; 8]);
    let [low, high] = [image.grid as u32, (image.grid >> 32) as u32];
    put(GRID_OFFSET, &high.to_le_bytes());
    put(GRID_OFFSET + 4, &low.to_le_bytes());
    put(PARAMETERS_PLACE_OFFSET, &image.parameters.to_le_bytes());
    put(GROUPS_OFFSET, &(GROUPS_SHARED[0] as u32).to_le_bytes());
    put(kernel.parameters_begin(), launch.parameters);
    [own, vec![], jumps, image.constants.clone(), image.addresses.clone()]
}
