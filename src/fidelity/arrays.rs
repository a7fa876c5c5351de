//! The arrays of a run at the addresses of a device, for compiled code.

use std::collections::{BTreeSet, HashMap};

use crate::case::{Case, CaseError};
use crate::emission;
use crate::language::program::{ArrayId, LoopId, Nest, Program};
use crate::run::layout::{Arrangement, Layout};
use crate::run::{self, Accesses, Observer};
use crate::sass::Memory;
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

/// A launch: of a loop, for the time after so many.
pub(super) type LaunchOf = (LoopId, usize);

impl Arrays {
    /// Visits these launches with what arrays are before them, in one run of the program, which ends at
    /// the last of them. Those that it does not come to, as all where it has loops on DMMs, find the
    /// arrays as it leaves them.
    pub(super) fn before(
        case: &Case,
        layout: &Layout,
        launches: BTreeSet<LaunchOf>,
        mut visit: impl FnMut(LaunchOf, Self),
    ) -> Result<(), CaseError> {
        let (program, mut memory) = (&*case.program, case.memory(layout)?);
        let mut left = launches;
        if program.blocks.is_empty() {
            let comes_to = |launch, memory: &run::memory::Memory| {
                if left.remove(&launch) {
                    visit(launch, Self::of(program, layout, memory));
                }
                left.is_empty()
            };
            let mut until = Until { comes_to, turns: HashMap::new(), is_over: false };
            // It ends in the middle, which is a failure; as is what the case itself would say.
            let _ = case.execute(layout, &mut memory, &mut until);
        }
        left.into_iter().for_each(|it| visit(it, Self::of(program, layout, &memory)));
        Ok(())
    }

    fn of(program: &Program, layout: &Layout, memory: &run::memory::Memory) -> Self {
        let cells = |number| cells(program, layout, 1, ArrayId(number), memory);
        Self((0..program.global_arrays().count()).map(cells).collect())
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

/// Ends a run at a launch after which none is asked for.
struct Until<F> {
    comes_to: F,
    /// How often each loop has been come to.
    turns: HashMap<LoopId, usize>,
    is_over: bool,
}

impl<F: FnMut(LaunchOf, &run::memory::Memory) -> bool> Observer for Until<F> {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn memory_before(&mut self, nest: &Nest, memory: &run::memory::Memory) {
        let turn = self.turns.entry(nest.id()).or_default();
        self.is_over = (self.comes_to)((nest.id(), *turn), memory);
        *turn += 1;
    }

    fn has_seen_enough(&self) -> bool {
        self.is_over
    }
}

/// Zeros where there is none, as where no program's time depends on it.
impl<M: Memory> Memory for Option<M> {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        self.as_mut().map_or(0, |it| it.load(address, bytes))
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        if let Some(it) = self {
            it.store(address, bytes, value);
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
