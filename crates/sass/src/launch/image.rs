//! A module as it is loaded: variables of the device, constants, and where functions are.

use super::memory::GlobalMemory;
use crate::cubin::{KernelCode, Module};
use crate::linkage::SymbolKind;

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
}

impl Image {
    /// Puts a module's variables into memory, behind the arrays that are there; none, if there are too
    /// many.
    pub fn load(module: &Module, memory: &mut GlobalMemory) -> Option<Self> {
        let mut functions: Vec<String> = vec![];
        let mut addresses = module.addresses.clone();
        let mut known: Vec<(&str, u64)> = vec![];
        for it in &module.relocations {
            let symbol = &module.symbols[it.symbol];
            let address = match known.iter().find(|known| known.0 == symbol.name) {
                Some(found) => found.1,
                None => {
                    let address = match &symbol.kind {
                        SymbolKind::Variable(bytes) => memory.add(&symbol.name, bytes.clone())?,
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
        Some(Self { constants: module.constants.clone(), addresses, functions, grid })
    }

    /// Sets a `__constant__` of the source from its first byte on; whether it has this many.
    pub fn set_constant(&mut self, module: &Module, name: &str, bytes: &[u8]) -> bool {
        let found = module.constant(name).filter(|it| bytes.len() <= it.bytes);
        let to = found.and_then(|it| self.constants.get_mut(it.offset..it.offset + bytes.len()));
        to.map(|to| to.copy_from_slice(bytes)).is_some()
    }

    /// The function at an address.
    pub(super) fn function(&self, address: u64) -> Option<&str> {
        let number = address.checked_sub(FUNCTIONS)? / FUNCTION_BYTES;
        self.functions.get(number as usize).map(String::as_str)
    }
}
