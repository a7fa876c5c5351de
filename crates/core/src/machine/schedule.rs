//! When each warp's accesses entered the pipeline.

use serde::Serialize;

use crate::trace::{Event, Space, Trace, replay};
use crate::units::{Threads, TimeUnits};

use super::asynchronous::Asynchronous;
use super::hmm::Hierarchical;
use super::listener::{OfBlock, Watch};
use super::stages::Warps;
use super::synchronous::Synchronous;
use super::{Machine, Mode};

/// One warp's access on its way: it enters the pipeline in time units `start … start+stages−1`
/// and is complete at `start + stages − 1 + l`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Dispatch {
    /// From 0.
    pub warp: u64,
    /// Index of the step among the trace's events.
    pub step: usize,
    /// When its first stage enters, in time units from 0.
    pub start: TimeUnits,
    /// Pipeline stages that it takes, at least 1.
    pub stages: u64,
    /// In a loop on DMMs: the block, and whose pipeline.
    #[serde(skip)]
    pub block: Option<OfBlock>,
}

impl Watch for &mut Vec<Dispatch> {
    fn dispatched(&mut self, warps: Warps, event: usize, start: TimeUnits) {
        self.extend(dispatches(warps, event, start, None));
    }

    fn dispatched_in(&mut self, block: OfBlock, warps: Warps, start: TimeUnits) {
        self.extend(dispatches(warps, 0, start, Some(block)));
    }
}

fn dispatches(
    warps: Warps,
    step: usize,
    start: TimeUnits,
    block: Option<OfBlock>,
) -> impl Iterator<Item = Dispatch> {
    (0..warps.count).map(move |i| Dispatch {
        warp: warps.first + i,
        step,
        start: start + TimeUnits(u128::from(i * warps.stages)),
        stages: warps.stages,
        block,
    })
}

impl Dispatch {
    /// Of the memory to which it goes.
    fn complete(&self, machine: Machine) -> TimeUnits {
        let space = self.block.map_or(Space::Global, |it| it.space);
        let latency = machine.of_memory(space).latency.get();
        self.start + TimeUnits(u128::from(self.stages) - 1 + u128::from(latency))
    }
}

/// The dispatches of `trace` in the order of their start, or loop by loop of that. O(dispatches) in
/// time and memory.
#[must_use]
pub fn schedule(machine: Machine, mode: Mode, trace: &Trace) -> Vec<Dispatch> {
    let is_loop = |it: &Event| matches!(it, Event::Blocks(_));
    let (mut all, mut begun, mut first) = (vec![], TimeUnits(0), 0);
    // A loop on DMMs begins when everything before it is complete, and what follows it likewise.
    for part in trace.events.chunk_by(|a, b| !is_loop(a) && !is_loop(b)) {
        let mut dispatches = of_part(machine, mode, trace.threads, part);
        let mut end = begun;
        for dispatch in &mut dispatches {
            dispatch.step += first;
            dispatch.start += begun;
            end = end.max(dispatch.complete(machine));
        }
        (begun, first) = (end, first + part.len());
        all.extend(dispatches);
    }
    all
}

/// A loop on DMMs, or events without any.
fn of_part(machine: Machine, mode: Mode, threads: Threads, part: &[Event]) -> Vec<Dispatch> {
    let mut dispatches = vec![];
    let global = machine.of_memory(Space::Global);
    match (mode, machine.kind.dmms(), part) {
        (_, Some(dmms), [Event::Blocks(blocks)]) => {
            let mut clock = Hierarchical::watched(machine, dmms, mode, threads, &mut dispatches);
            blocks.replay(&mut clock);
            clock.finish();
        }
        (Mode::Sync, ..) => replay(part, &mut Synchronous::watched(global, &mut dispatches)),
        (Mode::Async, ..) => {
            let mut clock = Asynchronous::watched(global, threads, &mut dispatches);
            replay(part, &mut clock);
            clock.finish();
        }
    }
    dispatches.sort_by_key(|it| it.start);
    dispatches
}
