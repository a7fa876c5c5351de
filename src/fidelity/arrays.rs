//! The arrays of a run at the addresses of a device, for compiled code.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxHashMap;

use crate::case::{Budget, Case, CaseError};
use crate::emission;
use crate::language::program::{ArrayId, LoopId, Nest, Program};
use crate::run::layout::{Arrangement, Layout};
use crate::run::{self, Accesses, Flow, Observer};
use crate::sass::Memory;
use crate::units::Threads;

/// Operations of a run that is to find out what arrays are, at most: some seconds.
const MOST_OPERATIONS: u64 = 1 << 28;
/// Inputs of a warp.
const WARP: u64 = 32;
/// Bytes between the beginnings of two arrays; the first begins there.
pub(super) const APART: u64 = 1 << 48;

/// The arrays of the inputs of the first warps of blocks of a bulk run, at the addresses that they have
/// among all.
pub(super) struct InputsOfWarps {
    arrays: Vec<Cells>,
    arrangement: Arrangement,
    /// Of the run.
    inputs: u64,
    /// That have values.
    known: u64,
    /// Threads of a block.
    block: u64,
}

/// An array, input after input.
struct Cells {
    /// Bytes of a cell.
    bytes: u64,
    /// Of one input.
    cells: u64,
    values: Vec<u8>,
}

impl InputsOfWarps {
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
        let memory = case.memory(&layout)?;
        let cells = |number| cells(program, &layout, known, ArrayId(number), &memory);
        let arrays = (0..program.global_arrays().count()).map(cells).collect();
        Ok(Self { arrays, arrangement, inputs, known, block })
    }

    /// The bytes from an address on, to the end of the input.
    fn bytes(&mut self, address: u64) -> Option<&mut [u8]> {
        let array = self.arrays.get_mut((address / APART).checked_sub(1)? as usize)?;
        let (cell, rest) = (address % APART / array.bytes, address % APART % array.bytes);
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

impl Memory for InputsOfWarps {
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

/// All arrays, as they are before a launch, and what its blocks write.
pub(super) struct Arrays<'a> {
    memory: &'a run::memory::Memory,
    layout: &'a Layout,
    /// By array, the bytes of a cell.
    bytes: Vec<u64>,
    /// By array and cell.
    written: FxHashMap<(usize, u64), u64>,
    /// So many first iterations all launches before did.
    pub(super) known: u64,
}

/// A launch: of a loop, for the time after so many.
pub(super) type LaunchOf = (LoopId, usize);

impl<'a> Arrays<'a> {
    /// Visits these launches of `all` with what arrays are before them, in one run of the program, which
    /// ends at the last of them, or where it takes long. It visits none of a loop that it does not come
    /// to, if it came to others of that loop. Loops that it does not come to at all are visited in a
    /// second run, whose launches do only as many of their first iterations as there is time for; those
    /// that this one does not come to either, as all where there are loops on DMMs, find the arrays as
    /// it leaves them.
    pub(super) fn before(
        case: &Case,
        layout: &Layout,
        launches: BTreeSet<LaunchOf>,
        all: usize,
        mut visit: impl FnMut(LaunchOf, Arrays<'_>),
    ) -> Result<(), CaseError> {
        let program = &*case.program;
        let mut left = launches;
        let mut run = |left: &mut BTreeSet<LaunchOf>, shares| {
            let (mut memory, mut reached) = (case.memory(layout)?, BTreeSet::new());
            let comes_to = |launch, memory: &run::memory::Memory, known| {
                if left.remove(&launch) {
                    reached.insert(launch.0);
                    visit(launch, Arrays::of(program, layout, memory, known));
                }
                left.is_empty()
            };
            // It ends in the middle, which is a failure; as is what the case itself would say.
            let mut until = Until::new(comes_to, shares);
            if program.blocks.is_empty() {
                let _ = case.execute(layout, &mut memory, &mut until);
            }
            left.retain(|it| !reached.contains(&it.0));
            Ok::<_, CaseError>(memory)
        };
        let mut memory = run(&mut left, 1)?;
        if !left.is_empty() && program.blocks.is_empty() {
            memory = run(&mut left, all as u64)?;
        }
        left.into_iter().for_each(|it| visit(it, Arrays::of(program, layout, &memory, u64::MAX)));
        Ok(())
    }

    fn of(
        program: &Program,
        layout: &'a Layout,
        memory: &'a run::memory::Memory,
        known: u64,
    ) -> Self {
        let arrays = program.global_arrays().count();
        let bytes = program.arrays[..arrays].iter().map(|it| emission::bytes_of(it.element));
        Self { memory, layout, bytes: bytes.collect(), written: FxHashMap::default(), known }
    }

    /// The parts of so many bytes from an address on: an array and a cell of it, the first byte there and
    /// how many, and how many were before.
    fn parts(
        &self,
        address: u64,
        bytes: u64,
    ) -> impl Iterator<Item = ((usize, u64), u64, u64, u64)> + use<> {
        let array = (address / APART).checked_sub(1).unwrap_or(u64::MAX) as usize;
        let size = self.bytes.get(array).copied();
        let cells = if size.is_some() { self.layout.regions[array].cells } else { 0 };
        let (place, size) = (address % APART, size.unwrap_or(1));
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
            let address = self.layout.address(ArrayId(array), cell, 0);
            self.memory.read(address.0).unwrap_or(0)
        })
    }
}

/// The lowest bits of so many bytes.
fn mask(bytes: u64) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

impl Memory for Arrays<'_> {
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

/// Ends a run at a launch after which none is asked for, or where it takes long; and each launch after
/// its share of the operations that are left.
struct Until<F> {
    comes_to: F,
    /// How often each loop has been come to.
    turns: HashMap<LoopId, usize>,
    is_over: bool,
    /// Operations of the run, and of the launch, that are left.
    left: Budget,
    left_of_launch: Budget,
    /// Launches that share what is left.
    shares: u64,
    /// First iterations that the launch has done, and that all have which ended early.
    done: u64,
    known: u64,
}

impl<F> Until<F> {
    fn new(comes_to: F, shares: u64) -> Self {
        Self {
            comes_to,
            turns: HashMap::new(),
            is_over: false,
            left: Budget(MOST_OPERATIONS),
            left_of_launch: Budget(0),
            shares,
            done: 0,
            known: u64::MAX,
        }
    }
}

impl<F: FnMut(LaunchOf, &run::memory::Memory, u64) -> bool> Observer for Until<F> {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn memory_before(&mut self, nest: &Nest, memory: &run::memory::Memory) {
        let turn = self.turns.entry(nest.id()).or_default();
        self.is_over = (self.comes_to)((nest.id(), *turn), memory, self.known);
        *turn += 1;
        (self.done, self.left_of_launch) = (0, Budget(self.left.0 / self.shares));
        self.shares = (self.shares - 1).max(1);
    }

    fn ends_nest(&mut self) -> bool {
        let ends = self.left_of_launch.has_seen_enough() && self.done > 0;
        if ends {
            self.known = self.known.min(self.done);
        }
        ends
    }

    fn flow(&mut self, flow: Flow<'_>) {
        if let Flow::RoundBegins { count } = flow {
            self.done += count as u64;
        }
        self.left.flow(flow.clone());
        self.left_of_launch.flow(flow);
    }

    fn has_seen_enough(&self) -> bool {
        self.is_over || self.left.has_seen_enough()
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
