//! The arrays of a run at the addresses of a device, for compiled code.

use crate::case::{Case, CaseError};
use crate::emission;
use crate::language::program::{ArrayId, LoopId, Nest, Program};
use crate::ptx::Memory;
use crate::run::layout::{Arrangement, Layout};
use crate::run::{self, Accesses, Observer};
use crate::units::Threads;

/// Of a bulk run, the inputs that have values: those of a warp.
const WARP: u64 = 32;
/// Bytes between the beginnings of two arrays; the first begins there.
pub(super) const APART: u64 = 1 << 48;

/// The arrays of the first inputs of a bulk run, at the addresses that they have among all.
pub(super) struct InputsOfAWarp {
    arrays: Vec<Cells>,
    arrangement: Arrangement,
    /// Of the run.
    inputs: u64,
    /// That have values.
    known: u64,
}

/// An array, input after input.
struct Cells {
    /// Bytes of a cell.
    bytes: u64,
    /// Of one input.
    cells: u64,
    values: Vec<u8>,
}

impl InputsOfAWarp {
    pub(super) fn of(case: &Case, arrangement: Arrangement) -> Result<Self, CaseError> {
        let inputs = case.threads.get();
        let known = inputs.min(WARP);
        let case = Case { threads: Threads::at_least_one(known), ..case.clone() };
        let (program, layout) = (&*case.program, case.layout()?);
        let memory = case.memory(&layout)?;
        let cells = |number| cells(program, &layout, known, ArrayId(number), &memory);
        let arrays = (0..program.global_arrays().count()).map(cells).collect();
        Ok(Self { arrays, arrangement, inputs, known })
    }

    /// The bytes from an address on, to the end of the input.
    fn bytes(&mut self, address: u64) -> Option<&mut [u8]> {
        let array = self.arrays.get_mut((address / APART).checked_sub(1)? as usize)?;
        let (cell, rest) = (address % APART / array.bytes, address % APART % array.bytes);
        let (input, cell) = match self.arrangement {
            Arrangement::RowWise => (cell / array.cells, cell % array.cells),
            Arrangement::ColumnWise => (cell % self.inputs, cell / self.inputs),
        };
        let place = (input < self.known && cell < array.cells)
            .then_some((input * array.cells + cell) * array.bytes + rest)?;
        array.values.get_mut(place as usize..)
    }
}

impl Memory for InputsOfAWarp {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        value(self.bytes(address), bytes)
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        put(self.bytes(address), bytes, value);
    }
}

fn cells(
    program: &Program,
    layout: &Layout,
    known: u64,
    array: ArrayId,
    memory: &run::memory::Memory,
) -> Cells {
    let bytes = emission::bytes_of(program.arrays[array.0].element);
    let cells = layout.regions[array.0].cells;
    let mut values = Vec::with_capacity((known * cells * bytes) as usize);
    for input in 0..known {
        for word in memory.cells(layout, array, input) {
            values.extend_from_slice(&word.unwrap_or(0).to_le_bytes()[..bytes as usize]);
        }
    }
    Cells { bytes, cells, values }
}

/// All arrays, as they are before a launch.
pub(super) struct Arrays(Vec<Cells>);

impl Arrays {
    /// Before the loop is come to for the time after so many: the program runs until then. With loops on
    /// DMMs in it, as they are before the run.
    pub(super) fn before(
        case: &Case,
        layout: &Layout,
        (of, turn): (LoopId, usize),
    ) -> Result<Self, CaseError> {
        let (program, mut memory) = (&*case.program, case.memory(layout)?);
        if program.blocks.is_empty() {
            let mut until = Until { of, left: turn, is_there: false };
            // It ends in the middle, which is a failure; as is what the case itself would say.
            let _ = case.execute(layout, &mut memory, &mut until);
        }
        let cells = |number| cells(program, layout, 1, ArrayId(number), &memory);
        Ok(Self((0..program.global_arrays().count()).map(cells).collect()))
    }

    fn bytes(&mut self, address: u64) -> Option<&mut [u8]> {
        let array = self.0.get_mut((address / APART).checked_sub(1)? as usize)?;
        array.values.get_mut((address % APART) as usize..)
    }
}

impl Memory for Arrays {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        value(self.bytes(address), bytes)
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        put(self.bytes(address), bytes, value);
    }
}

/// Ends a run where it comes to a loop.
struct Until {
    of: LoopId,
    left: usize,
    is_there: bool,
}

impl Observer for Until {
    fn access(&mut self, _: &Accesses<'_>) {}

    fn enter_nest(&mut self, nest: &Nest) {
        if nest.id() == self.of {
            self.is_there = self.left == 0;
            self.left = self.left.saturating_sub(1);
        }
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn has_seen_enough(&self) -> bool {
        self.is_there
    }
}

/// What no program's time depends on.
pub(super) struct Unknown;

impl Memory for Unknown {
    fn load(&mut self, _: u64, _: u64) -> u64 {
        0
    }

    fn store(&mut self, _: u64, _: u64, _: u64) {}
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
