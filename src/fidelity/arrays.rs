//! The arrays of a run at the addresses of a device, for compiled code.

use std::collections::{BTreeSet, HashMap};

use rustc_hash::FxHashMap;

use crate::case::{Case, CaseError};
use crate::emission;
use crate::language::program::{ArrayId, LoopId, Nest, Program};
use crate::run::layout::{Arrangement, Layout};
use crate::run::{self, Accesses, Budget, Flow, Observer};
use crate::sass::{GROUP, Memory, Sharing};
use crate::units::Threads;

/// Operations of a run that is to find out what arrays are, at most: some seconds.
const MOST_OPERATIONS: u64 = 1 << 28;
/// So many of them at its end are shared by all launches that are left.
const LAST_OPERATIONS: u64 = 1 << 26;
/// Iterations of a launch that are done at a time, so that it ends where it should.
const ROUND: u64 = 1 << 13;
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

    /// Where a warp's words of a cell are less than an address group, other warps have the rest.
    fn sharing(&self, group: u64) -> Sharing {
        let array = (group * GROUP / APART).checked_sub(1);
        let array = array.and_then(|it| self.arrays.get(it as usize));
        let room = match (array, self.arrangement) {
            (Some(array), Arrangement::ColumnWise) => (WARP * array.bytes) as f64 / GROUP as f64,
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
) -> Cells {
    let bytes = emission::bytes_of(program.arrays[array.0].element);
    let cells = layout.regions[array.0].cells;
    let mut values = Vec::with_capacity((known * cells * bytes) as usize);
    for input in 0..known {
        for word in memory.into_iter().flat_map(|it| it.cells(layout, array, input)) {
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
    /// Visits these launches of `all` with what arrays are before them, in one run of the program. Where it
    /// takes long, the rest of its launches do only as many of their first iterations as there is time
    /// for; what was not computed for later ones is taken to be like that of the first. It visits none
    /// of a loop that it does not come to, if it came to others of that loop. Loops that it does not come
    /// to at all, as all where there are loops on DMMs, find the arrays as it leaves them.
    pub(super) fn before(
        case: &Case,
        layout: &Layout,
        launches: BTreeSet<LaunchOf>,
        all: usize,
        mut visit: impl FnMut(LaunchOf, Arrays<'_>),
    ) -> Result<(), CaseError> {
        let program = &*case.program;
        let (mut memory, mut left, mut reached) = (case.memory(layout)?, launches, BTreeSet::new());
        let comes_to = |launch, memory: &run::memory::Memory, known| {
            if left.remove(&launch) {
                reached.insert(launch.0);
                visit(launch, Arrays::of(program, layout, memory, known));
            }
            left.is_empty()
        };
        let threads = case.threads.get().min(ROUND);
        let case = &Case { threads: Threads::at_least_one(threads), ..case.clone() };
        let mut until = Until::new(comes_to, program, layout, all as u64);
        // It ends in the middle, which is a failure; as is what the case itself would say.
        if program.blocks.is_empty() {
            let _ = case.execute(layout, &mut memory, &mut until);
        }
        let known = until.known;
        left.retain(|it| !reached.contains(&it.0));
        left.into_iter().for_each(|it| visit(it, Arrays::of(program, layout, &memory, known)));
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

/// Ends a run at a launch after which none is asked for. Once most of its time is over, each launch ends
/// after its share of what is left.
struct Until<'a, F> {
    comes_to: F,
    program: &'a Program,
    layout: &'a Layout,
    /// How often each loop has been come to.
    turns: HashMap<LoopId, usize>,
    is_over: bool,
    /// Operations of the run, and of the launch, that are left.
    left: Budget,
    left_of_launch: Budget,
    /// Launches that are left.
    launches: u64,
    /// First iterations that the launch has done, and that all have which ended early.
    done: u64,
    known: u64,
    /// Whether all cells have values.
    is_whole: bool,
}

impl<'a, F> Until<'a, F> {
    fn new(comes_to: F, program: &'a Program, layout: &'a Layout, launches: u64) -> Self {
        Self {
            comes_to,
            program,
            layout,
            turns: HashMap::new(),
            is_over: false,
            left: Budget(MOST_OPERATIONS),
            left_of_launch: Budget(0),
            launches,
            done: 0,
            known: u64::MAX,
            is_whole: false,
        }
    }
}

impl<F: FnMut(LaunchOf, &run::memory::Memory, u64) -> bool> Observer for Until<'_, F> {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn memory_before(&mut self, nest: &Nest, memory: &mut run::memory::Memory) {
        let is_cut = self.known < u64::MAX;
        if is_cut && !self.is_whole {
            let arrays = self.program.global_arrays().count();
            (0..arrays).for_each(|it| memory.repeat(self.layout, ArrayId(it)));
            self.is_whole = true;
        }
        let turn = self.turns.entry(nest.id()).or_default();
        self.is_over = (self.comes_to)((nest.id(), *turn), memory, self.known);
        *turn += 1;
        let share = match self.left.0.checked_sub(LAST_OPERATIONS).filter(|_| !is_cut) {
            Some(left) => left,
            None => self.left.0 / self.launches.max(1),
        };
        (self.done, self.left_of_launch) = (0, Budget(share));
        self.launches = self.launches.saturating_sub(1);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two loops, for whose iterations there is no time, each does its first; the second finds the
    /// first one's results there, and the same again where it has none.
    #[test]
    fn a_long_run_does_first_iterations_of_all_loops() {
        let text = "algorithm gathers(n)
input a[n] : i32 from random(0, 1000)
output b[n] : i32
output c[n] : i32
for i ← 0 to n-1 do in parallel
  b[i] ← a[i] + 1
for i ← 0 to n-1 do in parallel
  c[i] ← b[n - 1 - i]
";
        let case = Case::parse("gathers", text).unwrap().set("n", 3 * ROUND as i64);
        let case = Case { threads: Threads::at_least_one(ROUND), ..case };
        let (program, layout) = (&*case.program, case.layout().unwrap());
        let mut memory = case.memory(&layout).unwrap();
        let mut found = vec![];
        let comes_to = |launch: LaunchOf, memory: &run::memory::Memory, known| {
            found.push((launch.1, known, memory.values(&layout, ArrayId(1), 0)));
            false
        };
        let mut until = Until::new(comes_to, program, &layout, 3);
        until.left = Budget(15 * ROUND);
        case.execute(&layout, &mut memory, &mut until).unwrap();
        assert!(until.left.0 > 0);
        let a = memory.values(&layout, ArrayId(0), 0);
        let [first, second] = &found[..] else { panic!("{} launches", found.len()) };
        assert_eq!((first.0, first.1), (0, u64::MAX));
        assert!(first.2.iter().all(Option::is_none));
        let known = second.1;
        assert!(second.0 == 0 && [ROUND, 2 * ROUND].contains(&known), "{known}");
        for (cell, value) in second.2.iter().enumerate() {
            assert_eq!(*value, a[cell % known as usize].map(|it| it + 1), "{cell}");
        }
        let c = memory.values(&layout, ArrayId(2), 0);
        assert!(c[..ROUND as usize].iter().all(Option::is_some));
    }
}
