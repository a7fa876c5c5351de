//! The arrays of a run at the addresses of a device, for compiled code.

use rustc_hash::FxHashMap;

use memory_machine_case::{Case, CaseError};
use memory_machine_codegen as codegen;
use memory_machine_core::language::program::{ArrayId, Program};
use memory_machine_core::run;
use memory_machine_core::run::layout::{Arrangement, Layout};
use memory_machine_core::units::{GROUP_BYTES, Threads, WARP};
use memory_machine_sass::launch::ARRAY_STRIDE;
use memory_machine_sass::{DeviceMemory, Sharing};

/// Bytes between the beginnings of two arrays; the first begins there.
pub(super) const ARRAY_ADDRESS_STRIDE: u64 = ARRAY_STRIDE;

/// The arrays of the inputs of the first warps of blocks of a bulk run, at the addresses that they have
/// among all.
pub(super) struct BulkInputs {
    arrays: Vec<InputCells>,
    arrangement: Arrangement,
    /// Of the run.
    inputs: u64,
    /// That have values.
    known: u64,
    /// Threads of a block.
    block: u64,
}

/// An array, input after input.
struct InputCells {
    /// Bytes of a cell.
    bytes: u64,
    /// Of one input.
    cells: u64,
    values: Vec<u8>,
}

impl BulkInputs {
    /// With values of the first warps' inputs.
    pub(super) fn of(
        case: &Case,
        arrangement: Arrangement,
        warps: u64,
        block: u64,
    ) -> Result<Self, CaseError> {
        let inputs = case.threads.get();
        let known = inputs.min(WARP * warps);
        let case = Case { threads: Threads::at_least_one(known), ..case.clone() };
        let (program, layout) = (&*case.program, case.layout()?);
        let memory = (known > 0).then(|| case.memory(&layout)).transpose()?;
        let cells = |number| cells(program, &layout, known, ArrayId(number), memory.as_ref());
        let arrays = (0..program.global_arrays().count()).map(cells).collect();
        Ok(Self { arrays, arrangement, inputs, known, block })
    }

    /// The bytes from an address on, to the end of the input.
    fn bytes(&mut self, address: u64) -> Option<&mut [u8]> {
        let array =
            self.arrays.get_mut((address / ARRAY_ADDRESS_STRIDE).checked_sub(1)? as usize)?;
        let (cell, rest) = (
            address % ARRAY_ADDRESS_STRIDE / array.bytes,
            address % ARRAY_ADDRESS_STRIDE % array.bytes,
        );
        let (input, cell) = match self.arrangement {
            Arrangement::RowWise => (cell / array.cells, cell % array.cells),
            Arrangement::ColumnWise => (cell % self.inputs, cell / self.inputs),
        };
        let (warp, lane) = (input / self.block, input % self.block);
        let input = if lane < WARP { warp * WARP + lane } else { self.known };
        let place = (input < self.known && cell < array.cells)
            .then_some((input * array.cells + cell) * array.bytes + rest)?;
        array.values.get_mut(place as usize..)
    }
}

impl DeviceMemory for BulkInputs {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        value(self.bytes(address), bytes)
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        put(self.bytes(address), bytes, value);
    }

    /// Where a warp's words of a cell are less than an address group, other warps have the rest.
    fn sharing(&self, group: u64) -> Sharing {
        let array = (group * GROUP_BYTES / ARRAY_ADDRESS_STRIDE).checked_sub(1);
        let array = array.and_then(|it| self.arrays.get(it as usize));
        let room = match (array, self.arrangement) {
            (Some(array), Arrangement::ColumnWise) => {
                (WARP * array.bytes) as f64 / GROUP_BYTES as f64
            }
            _ => 1.0,
        };
        Sharing { room: room.min(1.0), ..Sharing::NONE }
    }
}

fn cells(
    program: &Program,
    layout: &Layout,
    known: u64,
    array: ArrayId,
    memory: Option<&run::memory::Memory>,
) -> InputCells {
    let bytes = codegen::bytes_of(program.arrays[array.0].element);
    let cells = layout.regions[array.0].cells;
    let mut values = Vec::with_capacity((known * cells * bytes) as usize);
    for input in 0..known {
        for word in memory.into_iter().flat_map(|it| it.cells(layout, array, input)) {
            values.extend_from_slice(&word.unwrap_or(0).to_le_bytes()[..bytes as usize]);
        }
    }
    InputCells { bytes, cells, values }
}

/// All arrays, as they are before a launch, and what its blocks write.
pub(super) struct Arrays<'a> {
    pub(super) memory: &'a run::memory::Memory,
    layout: &'a Layout,
    /// By array, the bytes of a cell.
    bytes: Vec<u64>,
    /// By array and word of it.
    written: FxHashMap<(usize, u64), u64>,
    /// This many first iterations all launches before did.
    pub(super) known: u64,
}

impl<'a> Arrays<'a> {
    pub(super) fn of(
        program: &Program,
        layout: &'a Layout,
        memory: &'a run::memory::Memory,
        known: u64,
    ) -> Self {
        let arrays = program.global_arrays().count();
        let bytes = program.arrays[..arrays].iter().map(|it| codegen::bytes_of(it.element));
        Self { memory, layout, bytes: bytes.collect(), written: FxHashMap::default(), known }
    }

    /// The parts of this many bytes from an address on: an array and a cell of it, the first byte there and
    /// how many, and how many were before.
    fn parts(
        &self,
        address: u64,
        bytes: u64,
    ) -> impl Iterator<Item = ((usize, u64), u64, u64, u64)> + use<> {
        let array = (address / ARRAY_ADDRESS_STRIDE).checked_sub(1).unwrap_or(u64::MAX) as usize;
        let size = self.bytes.get(array).copied();
        let cells = if size.is_some() { self.layout.regions[array].words } else { 0 };
        let (place, size) = (address % ARRAY_ADDRESS_STRIDE, size.unwrap_or(1));
        let mut before = 0;
        std::iter::from_fn(move || {
            let (cell, first) = ((place + before) / size, (place + before) % size);
            let part = ((array, cell), first, (size - first).min(bytes - before), before);
            before += part.2;
            (part.2 > 0 && cell < cells).then_some(part)
        })
    }

    fn cell(&self, (array, cell): (usize, u64)) -> u64 {
        self.written.get(&(array, cell)).copied().unwrap_or_else(|| {
            self.memory.read(self.layout.regions[array].base.0 + cell).unwrap_or(0)
        })
    }
}

/// The lowest bits of this many bytes.
fn mask(bytes: u64) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

impl DeviceMemory for Arrays<'_> {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        self.parts(address, bytes).fold(0, |value, (cell, first, count, before)| {
            value | (self.cell(cell) >> (8 * first) & mask(count)) << (8 * before)
        })
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        for (cell, first, count, before) in self.parts(address, bytes) {
            let part = (value >> (8 * before) & mask(count)) << (8 * first);
            let kept = self.cell(cell) & !(mask(count) << (8 * first));
            self.written.insert(cell, kept | part);
        }
    }
}

/// The first bytes as a number; 0 where there are none.
fn value(from: Option<&mut [u8]>, bytes: u64) -> u64 {
    let mut value = [0; 8];
    if let Some(from) = from.and_then(|it| it.get(..bytes as usize)) {
        value[..bytes as usize].copy_from_slice(from);
    }
    u64::from_le_bytes(value)
}

fn put(to: Option<&mut [u8]>, bytes: u64, value: u64) {
    if let Some(to) = to.and_then(|it| it.get_mut(..bytes as usize)) {
        to.copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
    }
}
