//! The memory machines: DMM and UMM of width `w` and latency `l`, synchronous and asynchronous.

mod asynchronous;
mod border;
mod conflict;
mod divisor;
mod in_turn;
mod kind;
mod pipeline;
mod ready;
mod schedule;
mod stages;
mod synchronous;
mod tally;
mod watch;

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::Serialize;

use crate::trace::{Phase, Sink, Step, Trace};
use crate::units::{Latency, Threads, TimeUnits, Width};

pub use asynchronous::Asynchronous;
pub(crate) use conflict::gcd;
pub use kind::{MachineKind, Mode};
pub use pipeline::{
    IdleWarps, MOST_REQUESTS, MOST_STAGES, Pipeline, Recorder, TooLarge, WarpAccess,
};
pub use schedule::{Dispatch, schedule};
pub use stages::{Stages, Warps};
pub use synchronous::Synchronous;
pub use watch::Watch;

/// A memory machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Machine {
    /// UMM or DMM.
    pub kind: MachineKind,
    /// w: threads of a warp, words of an address group, banks.
    pub width: Width,
    /// l: time units from the pipeline's entrance to its end.
    pub latency: Latency,
}

/// The UMM of w = 32 and l = 100: where nobody says another.
impl Default for Machine {
    fn default() -> Self {
        let (width, latency) = (Width::at_least_one(32), Latency::at_least_one(100));
        Self { kind: MachineKind::Umm, width, latency }
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

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Self::add)
    }
}

/// The clock of a machine in either mode.
#[expect(clippy::large_enum_variant, reason = "few clocks live at a time")]
pub enum Clock {
    /// Steps one after another.
    Sync(Synchronous),
    /// Warps on their own.
    Async(Asynchronous),
}

impl Clock {
    /// The clock of a machine with this many threads: no step may have more.
    pub fn new(machine: Machine, mode: Mode, threads: Threads) -> Self {
        match mode {
            Mode::Sync => Self::Sync(Synchronous::new(machine)),
            Mode::Async => Self::Async(Asynchronous::new(machine, threads)),
        }
    }

    /// What each phase took, by its index; up to the last phase that had a step.
    pub fn finish(self) -> Vec<Counts> {
        match self {
            Self::Sync(clock) => clock.finish(),
            Self::Async(clock) => clock.finish(),
        }
    }
}

impl Sink for Clock {
    fn step(&mut self, phase: Phase, step: &Step) {
        match self {
            Self::Sync(clock) => clock.step(phase, step),
            Self::Async(clock) => clock.step(phase, step),
        }
    }

    fn repeat(&mut self, phase: Phase, step: &Step, times: u64) {
        match self {
            Self::Sync(clock) => clock.repeat(phase, step, times),
            Self::Async(clock) => clock.repeat(phase, step, times),
        }
    }

    fn barrier(&mut self) {
        match self {
            Self::Sync(clock) => clock.barrier(),
            Self::Async(clock) => clock.barrier(),
        }
    }
}

/// What `trace` takes on `machine`: the sum over its phases.
///
/// ```
/// use memory_machine::machine::{Machine, MachineKind, Mode, time};
/// use memory_machine::trace::text;
/// use memory_machine::units::{Latency, Width};
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
