//! A launch's accesses as a trace of the memory machines.
//!
//! Each warp's accesses are made in the order of its program; those that warps make as the k-th between two
//! barriers are one step. Addresses become words of four bytes; an access of 8 or 16 bytes a thread is made in
//! passes of 16 or 8 threads, each an access of its own, as shared memory makes it.

use std::collections::BTreeMap;
use std::ops::Range;

use memory_machine_core::machine::{Machine, MachineKind};
use memory_machine_core::trace::{
    AccessKind, BlockAt, BlockEvent, BlockLoop, Event, Piece, Space, Step, Trace,
};
use memory_machine_core::units::{Address, BANK_BYTES, Threads, WARP};
use memory_machine_sass::launch::{ARRAY_STRIDE, MemorySpace, WarpAccess};
use thiserror::Error;

/// Warp accesses that are kept, at most.
const MOST_ACCESSES: u64 = 1 << 23;

/// Why a trace cannot be timed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TraceError {
    /// It would not fit.
    #[error(
        "more than {MOST_ACCESSES} warp accesses are too many to time; launch fewer blocks, or sample \
         them"
    )]
    TooLong,
    /// A memory that the machine does not have.
    #[error(
        "the kernel accesses shared memory, which the {0} does not have; time it on an HMM: -m hmm"
    )]
    Shared(String),
}

/// Where a step stands: a block, the barriers before it, its number among those between two, and what it
/// does to which memory.
type StepKey = (u64, u64, u64, bool, bool);

/// Of a warp, its threads' words and the instruction.
type AccessOfWarp = (Vec<Option<u64>>, usize);

/// Keeps accesses as steps of blocks.
#[derive(Debug)]
pub(crate) struct Recorder {
    threads: u64,
    /// By block and warp: how many accesses since the last barrier.
    made: BTreeMap<(u64, u64), u64>,
    barriers: BTreeMap<u64, u64>,
    /// By block and warp: barriers that it alone is told to have passed.
    own_barriers: BTreeMap<(u64, u64), u64>,
    /// By step: of each warp its threads' words, and the instruction.
    steps: BTreeMap<StepKey, BTreeMap<u64, AccessOfWarp>>,
    accesses: u64,
}

impl Recorder {
    pub(crate) fn new(threads: u64) -> Self {
        Self {
            threads: threads.next_multiple_of(WARP),
            made: BTreeMap::new(),
            barriers: BTreeMap::new(),
            own_barriers: BTreeMap::new(),
            steps: BTreeMap::new(),
            accesses: 0,
        }
    }

    pub(crate) fn begin_block(&mut self, block: u64) {
        self.barriers.insert(block, 0);
    }

    pub(crate) fn barrier(&mut self, block: u64) {
        *self.barriers.entry(block).or_default() += 1;
        let of_block = (block, 0)..=(block, u64::MAX);
        let warps: Vec<(u64, u64)> = self.made.range(of_block).map(|it| *it.0).collect();
        for warp in warps {
            self.made.remove(&warp);
        }
    }

    /// A warp passes a barrier, of which others are told where their accesses are.
    pub(crate) fn warp_barrier(&mut self, block: u64, warp: u64) {
        *self.own_barriers.entry((block, warp)).or_default() += 1;
        self.made.remove(&(block, warp));
    }

    /// Whether no more accesses are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.accesses > MOST_ACCESSES
    }

    /// What was recorded, so that nothing is left.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(self.threads))
    }

    pub(crate) fn access(&mut self, it: &WarpAccess<'_>) {
        if self.is_full() {
            return;
        }
        let (block, warp) = (it.warp.block, it.warp.warp);
        let own = self.own_barriers.get(&(block, warp)).copied().unwrap_or(0);
        let barriers = self.barriers.get(&block).copied().unwrap_or(0) + own;
        let per_pass = (WARP * BANK_BYTES / it.bytes.max(BANK_BYTES)) as usize;
        let is_shared = it.space == MemorySpace::Shared;
        let writes = it.access.writes();
        // Global memory serves a thread's words of one group at once.
        let per_pass = if is_shared { per_pass } else { WARP as usize };
        for first in (0..WARP as usize).step_by(per_pass) {
            let lanes = first..first + per_pass;
            if !lanes.clone().any(|lane| it.warp.active >> lane & 1 == 1) {
                continue;
            }
            let word = |lane: usize| {
                let is = lanes.contains(&lane) && it.warp.active >> lane & 1 == 1;
                is.then(|| it.addresses[lane] / BANK_BYTES)
            };
            let words = (0..WARP as usize).map(word).collect();
            let made = self.made.entry((block, warp)).or_default();
            let key = (block, barriers, *made, is_shared, writes);
            *made += 1;
            self.accesses += 1;
            self.steps.entry(key).or_default().insert(warp, (words, it.warp.instruction));
        }
    }

    /// What another recorded of later blocks.
    pub(crate) fn join(&mut self, later: Self) {
        self.made.extend(later.made);
        self.barriers.extend(later.barriers);
        self.own_barriers.extend(later.own_barriers);
        self.steps.extend(later.steps);
        self.accesses += later.accesses;
    }

    pub(crate) fn trace(self) -> Recording {
        let warps = self.steps.values().filter_map(|it| it.last_key_value()).map(|it| it.0 + 1);
        let threads = self.threads.max(warps.max().unwrap_or(0) * WARP);
        let threads = Threads::at_least_one(threads);
        let mut events: Vec<(BlockAt, BlockEvent)> = vec![];
        let mut sites: Vec<StepSites> = vec![];
        let (mut number, mut before) = (0, (u64::MAX, 0));
        for ((block, barriers, _, is_shared, writes), warps) in self.steps {
            if block != before.0 {
                (number, before) = (0, (block, 0));
            }
            for _ in before.1..barriers {
                events.push((BlockAt { block, number }, BlockEvent::Barrier));
            }
            before.1 = barriers;
            let mut step = Step::new(if writes { AccessKind::Write } else { AccessKind::Read });
            let mut at = 0;
            sites.push(warps.iter().map(|(warp, it)| (warp * WARP, it.1)).collect());
            for (warp, (words, _)) in warps {
                step.push_idle((warp - at) * WARP);
                for word in words {
                    match word {
                        Some(word) => step.push(Address(word)),
                        None => step.push_idle(1),
                    }
                }
                at = warp + 1;
            }
            let space = if is_shared { Space::Shared } else { Space::Global };
            events.push((BlockAt { block, number }, BlockEvent::Step(space, step)));
            number += 1;
        }
        let blocks = renumbered(events);
        let mut trace = Trace::new(threads);
        trace.events.push(Event::Blocks(BlockLoop { threads, events: blocks }));
        if self.accesses > MOST_ACCESSES {
            trace.events.clear();
        }
        Recording { trace, sites }
    }
}

/// Of a step, by the first thread of each of its warps, the instruction that asks.
type StepSites = Vec<(u64, usize)>;

/// A block's step with them.
type SitedStep<'a> = (&'a Step, &'a StepSites);

/// What a launch's warps access, step by step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// A loop on DMMs.
    pub trace: Trace,
    /// Of each of its steps.
    sites: Vec<StepSites>,
}

/// A launch's accesses as a machine times them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineTrace {
    /// The steps.
    pub trace: Trace,
    /// By block (on machines without DMMs 0) and number of the step in it.
    sites: BTreeMap<(u64, usize), StepSites>,
    /// Of global memory's arrays, which one begins at which word.
    arrays: Vec<(Address, u64)>,
}

impl MachineTrace {
    /// The instruction that asks in a step, for threads of the machine's warp.
    pub fn instruction(&self, (block, event): (u64, usize), threads: Range<u64>) -> Option<usize> {
        let of_step = self.sites.get(&(block, event))?;
        of_step.iter().find(|it| it.0 < threads.end && threads.start < it.0 + WARP).map(|it| it.1)
    }

    /// Of which array of global memory a word is, from 1 on in the order of parameters; 0 is what is a thread's
    /// own. And its place there.
    pub fn place(&self, word: Address) -> (u64, u64) {
        let before = self.arrays.iter().rev().find(|it| it.0 <= word);
        before.map_or((0, word.0), |it| (it.1, word.0 - it.0.0))
    }
}

/// Blocks are numbered without gaps, as those of a sample are not.
fn renumbered(mut events: Vec<(BlockAt, BlockEvent)>) -> Vec<(BlockAt, BlockEvent)> {
    let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
    for (at, _) in &mut events {
        let next = numbers.len() as u64;
        at.block = *numbers.entry(at.block).or_insert(next);
    }
    events
}

/// A launch's trace for a machine: of an HMM as it is, of others with the threads of all blocks beside each
/// other, and a barrier of all where blocks have one. Arrays begin at multiples of the width.
///
/// # Errors
/// Too many accesses; shared memory, where the machine has none.
pub fn machine_trace(of: &Recording, machine: Machine) -> Result<MachineTrace, TraceError> {
    let [Event::Blocks(blocks)] = &of.trace.events[..] else {
        return Err(TraceError::TooLong);
    };
    let mut blocks = blocks.clone();
    let arrays = place_arrays(&mut blocks.events, machine);
    let steps = blocks.events.iter().filter(|it| matches!(it.1, BlockEvent::Step(..)));
    if machine.kind.dmms().is_some() {
        let mut made: BTreeMap<u64, usize> = BTreeMap::new();
        let numbered = steps.zip(&of.sites).map(|((at, _), of_step)| {
            let event = made.entry(at.block).or_default();
            *event += 1;
            ((at.block, *event - 1), of_step.clone())
        });
        let sites = numbered.collect();
        let mut trace = Trace::new(of.trace.threads);
        trace.events.push(Event::Blocks(blocks));
        return Ok(MachineTrace { trace, sites, arrays });
    }
    let is_shared = |it: &(BlockAt, BlockEvent)| matches!(it.1, BlockEvent::Step(Space::Shared, _));
    if blocks.events.iter().any(is_shared) {
        return Err(TraceError::Shared(kind_name(machine.kind)));
    }
    let of_block = blocks.threads.get();
    let count = blocks.events.iter().map(|it| it.0.block + 1).max().unwrap_or(1);
    let mut steps: BTreeMap<(u64, u64, bool), BTreeMap<u64, SitedStep<'_>>> = BTreeMap::new();
    let (mut barriers, mut made, mut last) = (0, 0, u64::MAX);
    let mut sites = of.sites.iter();
    for (at, event) in &blocks.events {
        if at.block != last {
            (barriers, made, last) = (0, 0, at.block);
        }
        match event {
            BlockEvent::Barrier => (barriers, made) = (barriers + 1, 0),
            BlockEvent::Step(_, step) => {
                let key = (barriers, made, step.kind == AccessKind::Write);
                let Some(of_step) = sites.next() else { continue };
                steps.entry(key).or_default().insert(at.block, (step, of_step));
                made += 1;
            }
        }
    }
    let mut all = Trace::new(Threads::at_least_one(of_block * count));
    let (mut before, mut sites) = (0, BTreeMap::new());
    for (event, ((barriers, _, writes), of)) in steps.into_iter().enumerate() {
        for _ in before..barriers {
            all.events.push(Event::Barrier);
        }
        before = barriers;
        let mut step = Step::new(if writes { AccessKind::Write } else { AccessKind::Read });
        let mut at = 0;
        let mut of_all: StepSites = vec![];
        for (block, (own, of_step)) in of {
            step.push_idle(block * of_block - at);
            of_all.extend(of_step.iter().map(|it| (block * of_block + it.0, it.1)));
            at = block * of_block + append(&mut step, own);
        }
        sites.insert((0, event), of_all);
        all.events.push(Event::Step(step));
    }
    Ok(MachineTrace { trace: all, sites, arrays })
}

/// Adds what threads of another step do; how many.
fn append(step: &mut Step, other: &Step) -> u64 {
    let mut threads = 0;
    for piece in &other.pieces {
        match *piece {
            Piece::Idle(count) => {
                step.push_idle(count);
                threads += count;
            }
            Piece::Run(run) => {
                (0..run.count).for_each(|it| step.push(run.at(it)));
                threads += run.count;
            }
        }
    }
    threads
}

/// Words from the beginning of one array to that of the next, in the launch's memory.
const ARRAY_WORDS: u64 = ARRAY_STRIDE / BANK_BYTES;

/// Arrays of global memory are placed one behind another, each at a multiple of the width; at which words.
fn place_arrays(events: &mut [(BlockAt, BlockEvent)], machine: Machine) -> Vec<(Address, u64)> {
    let mut ends: BTreeMap<u64, u64> = BTreeMap::new();
    for (_, event) in &mut *events {
        let BlockEvent::Step(Space::Global, step) = event else { continue };
        for piece in &step.pieces {
            let Piece::Run(run) = piece else { continue };
            for Address(word) in [run.base, run.last()] {
                let end = ends.entry(word / ARRAY_WORDS).or_default();
                *end = (*end).max(word % ARRAY_WORDS + 1);
            }
        }
    }
    let mut next = 0_u64;
    let mut begins: BTreeMap<u64, u64> = BTreeMap::new();
    for (array, end) in ends {
        begins.insert(array, next);
        next = (next + end).next_multiple_of(machine.width.get());
    }
    for (_, event) in events {
        let BlockEvent::Step(Space::Global, step) = event else { continue };
        let mut placed = Step { pieces: vec![], ..*step };
        for piece in &step.pieces {
            match *piece {
                Piece::Idle(count) => placed.push_idle(count),
                Piece::Run(run) => (0..run.count).for_each(|it| {
                    let Address(word) = run.at(it);
                    let begin = begins.get(&(word / ARRAY_WORDS)).copied().unwrap_or(0);
                    placed.push(Address(begin + word % ARRAY_WORDS));
                }),
            }
        }
        *step = placed;
    }
    begins.into_iter().map(|(array, begin)| (Address(begin), array)).collect()
}

fn kind_name(kind: MachineKind) -> String {
    kind.name().to_owned()
}
