//! When each warp's accesses entered the pipeline.

use serde::Serialize;

use crate::trace::Trace;
use crate::units::TimeUnits;

use super::asynchronous::Asynchronous;
use super::stages::Warps;
use super::synchronous::Synchronous;
use super::watch::Watch;
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
}

impl Watch for &mut Vec<Dispatch> {
    fn dispatched(&mut self, warps: Warps, event: usize, start: TimeUnits) {
        self.extend((0..warps.count).map(|i| Dispatch {
            warp: warps.first + i,
            step: event,
            start: start + TimeUnits(u128::from(i * warps.stages)),
            stages: warps.stages,
        }));
    }
}

/// The dispatches of `trace` in the order of their start. O(dispatches) in time and memory.
#[must_use]
pub fn schedule(machine: Machine, mode: Mode, trace: &Trace) -> Vec<Dispatch> {
    let mut dispatches = Vec::new();
    match mode {
        Mode::Sync => trace.replay(&mut Synchronous::watched(machine, &mut dispatches)),
        Mode::Async => {
            let mut clock = Asynchronous::watched(machine, trace.threads, &mut dispatches);
            trace.replay(&mut clock);
            clock.finish();
        }
    }
    dispatches
}
