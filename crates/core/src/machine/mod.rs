//! The memory machines: DMM and UMM of width `w` and latency `l`, and the HMM that is made of them,
//! synchronous and asynchronous.

mod asynchronous;
mod conflict;
mod contents;
mod distinct;
mod divisor;
mod hmm;
mod kind;
mod listener;
mod pipeline;
mod ready_set;
mod recorder;
mod round_robin;
mod schedule;
mod stages;
mod straddling_warp;
mod synchronous;

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::trace::{BlockAt, Phase, Sink, Space, Step, Trace};
use crate::units::{Latency, Threads, TimeUnits, Width};

pub use asynchronous::Asynchronous;
pub(crate) use conflict::gcd;
pub use hmm::Hierarchical;
pub(crate) use hmm::time_of_step;
pub use kind::{Dmms, MachineKind, Mode};
pub use listener::{OfBlock, Watch};
pub use pipeline::{IdleWarps, MOST_REQUESTS, MOST_STAGES, PipelineDiagram, TooLarge, WarpAccess};
pub use recorder::Recorder;
pub use schedule::{Dispatch, schedule};
pub use stages::{StageCounter, Warps};
pub use synchronous::Synchronous;

/// A memory machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Machine {
    /// UMM, DMM or HMM.
    pub kind: MachineKind,
    /// w: threads of a warp, words of an address group, banks.
    pub width: Width,
    /// l: time units from the pipeline's entrance to its end; of an HMM, that of global memory.
    pub latency: Latency,
}

impl Machine {
    /// The Unified Memory Machine.
    pub const fn umm(width: Width, latency: Latency) -> Self {
        Self { kind: MachineKind::Umm, width, latency }
    }

    /// The Discrete Memory Machine.
    pub const fn dmm(width: Width, latency: Latency) -> Self {
        Self { kind: MachineKind::Dmm, width, latency }
    }

    /// A machine with one of the memories of an HMM; any other machine is itself.
    pub fn of_memory(self, space: Space) -> Self {
        match (self.kind.dmms(), space) {
            (None, _) => self,
            (Some(_), Space::Global) => Self::umm(self.width, self.latency),
            (Some(dmms), Space::Shared) => Self::dmm(self.width, dmms.latency),
        }
    }
}

impl Serialize for Machine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { kind, width, latency } = self;
        let mut fields = serializer.serialize_struct("Machine", 6)?;
        fields.serialize_field("kind", kind)?;
        fields.serialize_field("width", width)?;
        fields.serialize_field("latency", latency)?;
        if let Some(Dmms { number, latency, resident }) = kind.dmms() {
            fields.serialize_field("dmms", &number)?;
            fields.serialize_field("shared_latency", &latency)?;
            fields.serialize_field("resident", &resident)?;
        }
        fields.end()
    }
}

/// The UMM of w = 32 and l = 100: where nobody says another.
impl Default for Machine {
    fn default() -> Self {
        Self::umm(Width::at_least_one(32), Latency::at_least_one(100))
    }
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
    /// From the start to the end of the last access. Of a phase, its share: phases sum to the whole.
    pub time_units: TimeUnits,
    /// Those of the accesses that went to the shared memory of a DMM.
    #[serde(skip)]
    pub shared: Traffic,
}

/// What went to a memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Traffic {
    /// As those of [`Counts`]; likewise below.
    pub accesses: u128,
    /// Warp accesses.
    pub dispatches: u128,
    /// Pipeline stages.
    pub stages: u128,
}

impl Traffic {
    /// That of `warps` alike.
    pub(crate) fn of(warps: Warps) -> Self {
        Self {
            accesses: u128::from(warps.count) * u128::from(warps.active),
            dispatches: warps.count.into(),
            stages: u128::from(warps.count) * u128::from(warps.stages),
        }
    }

    /// That of this many alike.
    pub(crate) const fn times(self, times: u128) -> Self {
        Self {
            accesses: self.accesses * times,
            dispatches: self.dispatches * times,
            stages: self.stages * times,
        }
    }
}

impl Add for Traffic {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            accesses: self.accesses + other.accesses,
            dispatches: self.dispatches + other.dispatches,
            stages: self.stages + other.stages,
        }
    }
}

/// What went to each memory of an HMM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Memories {
    /// The UMM's.
    pub global: Traffic,
    /// Those of all DMMs.
    pub shared: Traffic,
}

impl Machine {
    /// What went to each of its memories, if it has several.
    pub fn memories(self, counts: &Counts) -> Option<Memories> {
        self.kind.dmms().map(|_| Memories { global: counts.global(), shared: counts.shared })
    }
}

impl Counts {
    /// What went to global memory.
    pub const fn global(&self) -> Traffic {
        Traffic {
            accesses: self.accesses - self.shared.accesses,
            dispatches: self.dispatches - self.shared.dispatches,
            stages: self.stages - self.shared.stages,
        }
    }

    /// Adds what went to a memory.
    pub(crate) fn add_traffic(&mut self, space: Space, traffic: Traffic) {
        self.accesses += traffic.accesses;
        self.dispatches += traffic.dispatches;
        self.stages += traffic.stages;
        if space == Space::Shared {
            self.shared = self.shared + traffic;
        }
    }
}

impl Add for Counts {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            accesses: self.accesses + other.accesses,
            dispatches: self.dispatches + other.dispatches,
            stages: self.stages + other.stages,
            time_units: self.time_units + other.time_units,
            shared: self.shared + other.shared,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Self::add)
    }
}

/// The clock of a machine in either mode.
pub enum Clock {
    /// Steps one after another.
    Sync(Synchronous),
    /// Warps on their own.
    Async(Asynchronous),
    /// Either, of an HMM.
    Hmm(Hierarchical),
}

impl Clock {
    /// The clock of a machine with this many threads: no step may have more.
    pub fn new(machine: Machine, mode: Mode, threads: Threads) -> Self {
        match (machine.kind.dmms(), mode) {
            (Some(dmms), _) => Self::Hmm(Hierarchical::new(machine, dmms, mode, threads)),
            (None, Mode::Sync) => Self::Sync(Synchronous::new(machine)),
            (None, Mode::Async) => Self::Async(Asynchronous::new(machine, threads)),
        }
    }

    /// What each phase took, by its index; up to the last phase that had a step.
    pub fn finish(self) -> Vec<Counts> {
        match self {
            Self::Sync(clock) => clock.finish(),
            Self::Async(clock) => clock.finish(),
            Self::Hmm(clock) => clock.finish(),
        }
    }

    /// The clock of blocks, which only a machine with DMMs is given.
    fn blocks(&mut self) -> &mut Hierarchical {
        match self {
            Self::Sync(_) | Self::Async(_) => unreachable!("this machine has no DMMs"),
            Self::Hmm(clock) => clock,
        }
    }
}

impl Sink for Clock {
    fn step(&mut self, phase: Phase, step: &Step) {
        match self {
            Self::Sync(clock) => clock.step(phase, step),
            Self::Async(clock) => clock.step(phase, step),
            Self::Hmm(clock) => clock.step(phase, step),
        }
    }

    fn repeat(&mut self, phase: Phase, step: &Step, times: u64) {
        match self {
            Self::Sync(clock) => clock.repeat(phase, step, times),
            Self::Async(clock) => clock.repeat(phase, step, times),
            Self::Hmm(clock) => clock.repeat(phase, step, times),
        }
    }

    fn barrier(&mut self) {
        match self {
            Self::Sync(clock) => clock.barrier(),
            Self::Async(clock) => clock.barrier(),
            Self::Hmm(clock) => clock.barrier(),
        }
    }

    fn begin_blocks(&mut self, threads: Threads) {
        self.blocks().begin_blocks(threads);
    }

    fn block_step(&mut self, at: BlockAt, phase: Phase, space: Space, step: &Step) {
        self.blocks().block_step(at, phase, space, step);
    }

    fn block_barrier(&mut self, at: BlockAt) {
        self.blocks().block_barrier(at);
    }

    fn end_blocks(&mut self) {
        self.blocks().end_blocks();
    }

    fn blocks_in_step(&self) -> Option<u64> {
        match self {
            Self::Hmm(clock) => clock.blocks_in_step(),
            Self::Sync(_) | Self::Async(_) => None,
        }
    }
}

/// What `trace` takes on `machine`: the sum over its phases.
///
/// # Panics
/// If the trace has loops on DMMs, and the machine has no DMMs.
///
/// ```
/// use memory_machine_core::machine::{Machine, MachineKind, Mode, time};
/// use memory_machine_core::trace::text;
/// use memory_machine_core::units::{Latency, Width};
///
/// // The papers' pipeline figure: W(0) in three address groups, W(1) in one.
/// let trace = text::parse("threads 8\nR 0 5 2 9 12+1x4\n")?;
/// let machine = Machine {
///     kind: MachineKind::Umm,
///     width: Width::new(4)?,
///     latency: Latency::new(5)?,
/// };
/// assert_eq!(time(machine, Mode::Sync, &trace).time_units.0, 3 + 1 + 5 - 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn time(machine: Machine, mode: Mode, trace: &Trace) -> Counts {
    let mut clock = Clock::new(machine, mode, trace.threads);
    trace.replay(&mut clock);
    clock.finish().into_iter().sum()
}

/// The entry of `phase`, which is made if need be.
fn of_phase(counts: &mut Vec<Counts>, phase: Phase) -> &mut Counts {
    let index = phase.0 as usize;
    if index >= counts.len() {
        counts.resize(index + 1, Counts::default());
    }
    &mut counts[index]
}
