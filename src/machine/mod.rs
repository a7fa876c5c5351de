//! The memory machines: DMM and UMM of width `w` and latency `l`, synchronous and asynchronous.

use std::ops::{Add, AddAssign};

use serde::Serialize;

use crate::units::{Latency, TimeUnits, Width};

/// What makes two requests of one warp conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MachineKind {
    /// Discrete Memory Machine: distinct addresses in one bank `B[b] = {b, b+w, b+2w, …}`.
    Dmm,
    /// Unified Memory Machine: distinct address groups `A[g] = {g·w, …, g·w+w−1}`.
    Umm,
}

/// How the steps of a trace follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Steps one after another, as the papers analyse them.
    Sync,
    /// Every warp goes on as soon as its own access is complete, up to the next barrier.
    Async,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Machine {
    pub kind: MachineKind,
    pub width: Width,
    pub latency: Latency,
}

/// What a run, or one phase of it, took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Requests by active threads, before equal addresses merge.
    pub accesses: u128,
    /// Warp accesses with at least one active thread.
    pub dispatches: u128,
    /// Pipeline stages taken, summed over dispatches.
    pub stages: u128,
    pub time_units: TimeUnits,
}

impl Add for Counts {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            accesses: self.accesses + other.accesses,
            dispatches: self.dispatches + other.dispatches,
            stages: self.stages + other.stages,
            time_units: self.time_units + other.time_units,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
