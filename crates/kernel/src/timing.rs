//! A launch's accesses as a trace of the memory machines.
//!
//! Each warp's accesses are made in the order of its program; those that warps make as the k-th between two
//! barriers are one step. Addresses become words of four bytes; an access of 8 or 16 bytes a thread is made in
//! passes of 16 or 8 threads, each an access of its own, as shared memory makes it.

use std::collections::BTreeMap;

use memory_machine_core::machine::{Machine, MachineKind};
use memory_machine_core::trace::{
    AccessKind, BlockAt, BlockEvent, BlockLoop, Event, Space, Step, Trace,
};
use memory_machine_core::units::{Address, BANK_BYTES, Threads, WARP};
use memory_machine_sass::launch::{MemoryAccess, MemorySpace, WarpAccess};
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

/// Keeps accesses as steps of blocks.
#[derive(Debug)]
pub(crate) struct Recorder {
    threads: u64,
    /// By block and warp: how many accesses since the last barrier.
    made: BTreeMap<(u64, u64), u64>,
    barriers: BTreeMap<u64, u64>,
    /// By block and warp: barriers that it alone is told to have passed.
    own_barriers: BTreeMap<(u64, u64), u64>,
    /// By step: of each warp its threads' words.
    steps: BTreeMap<StepKey, BTreeMap<u64, Vec<Option<u64>>>>,
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
        let writes = it.access != MemoryAccess::Load;
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
            self.steps.entry(key).or_default().insert(warp, words);
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

    pub(crate) fn trace(self) -> Trace {
        let warps = self.steps.values().filter_map(|it| it.last_key_value()).map(|it| it.0 + 1);
        let threads = self.threads.max(warps.max().unwrap_or(0) * WARP);
        let threads = Threads::at_least_one(threads);
        let mut events: Vec<(BlockAt, BlockEvent)> = vec![];
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
            for (warp, words) in warps {
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
        trace
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
/// other, and a barrier of all where blocks have one.
///
/// # Errors
/// Too many accesses; shared memory, where the machine has none.
pub fn machine_trace(trace: &Trace, machine: Machine) -> Result<Trace, TraceError> {
    let [Event::Blocks(blocks)] = &trace.events[..] else {
        return Err(TraceError::TooLong);
    };
    if machine.kind.dmms().is_some() {
        return Ok(trace.clone());
    }
    let is_shared = |it: &(BlockAt, BlockEvent)| matches!(it.1, BlockEvent::Step(Space::Shared, _));
    if blocks.events.iter().any(is_shared) {
        return Err(TraceError::Shared(kind_name(machine.kind)));
    }
    let of_block = blocks.threads.get();
    let count = blocks.events.iter().map(|it| it.0.block + 1).max().unwrap_or(1);
    let mut steps: BTreeMap<(u64, u64, bool), BTreeMap<u64, &Step>> = BTreeMap::new();
    let (mut barriers, mut made, mut last) = (0, 0, u64::MAX);
    for (at, event) in &blocks.events {
        if at.block != last {
            (barriers, made, last) = (0, 0, at.block);
        }
        match event {
            BlockEvent::Barrier => (barriers, made) = (barriers + 1, 0),
            BlockEvent::Step(_, step) => {
                let key = (barriers, made, step.kind == AccessKind::Write);
                steps.entry(key).or_default().insert(at.block, step);
                made += 1;
            }
        }
    }
    let mut all = Trace::new(Threads::at_least_one(of_block * count));
    let mut before = 0;
    for ((barriers, _, writes), of) in steps {
        for _ in before..barriers {
            all.events.push(Event::Barrier);
        }
        before = barriers;
        let mut step = Step::new(if writes { AccessKind::Write } else { AccessKind::Read });
        let mut at = 0;
        for (block, own) in of {
            step.push_idle(block * of_block - at);
            let mut own_threads = 0;
            for piece in &own.pieces {
                match *piece {
                    memory_machine_core::trace::Piece::Idle(count) => {
                        step.push_idle(count);
                        own_threads += count;
                    }
                    memory_machine_core::trace::Piece::Run(run) => {
                        (0..run.count).for_each(|it| step.push(run.at(it)));
                        own_threads += run.count;
                    }
                }
            }
            at = block * of_block + own_threads;
        }
        all.events.push(Event::Step(step));
    }
    Ok(all)
}

fn kind_name(kind: MachineKind) -> String {
    kind.name().to_owned()
}
