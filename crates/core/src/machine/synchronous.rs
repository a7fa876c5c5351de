//! Steps run one after another, as the papers analyse them.

use crate::trace::{Phase, Sink, Step};
use crate::units::TimeUnits;

use super::listener::Watch;
use super::stages::StageCounter;
use super::{Counts, Machine, of_phase};

/// The synchronous clock: a step in which `k` stages are taken in all costs `k + l − 1` time
/// units, or 0 if no thread asks for anything. Barriers are free.
///
/// A step costs O(pieces) as [`StageCounter::visit`] says; memory is O(phases).
#[derive(Debug, Clone)]
pub struct Synchronous<W = ()> {
    stages: StageCounter,
    latency: u128,
    now: u128,
    events: usize,
    counts: Vec<Counts>,
    watch: W,
}

impl Synchronous {
    /// A clock at time 0.
    pub fn new(machine: Machine) -> Self {
        Self::watched(machine, ())
    }
}

impl<W: Watch> Synchronous<W> {
    /// A clock that tells `watch` of every dispatch.
    pub fn watched(machine: Machine, watch: W) -> Self {
        Self {
            stages: StageCounter::new(machine),
            latency: machine.latency.get().into(),
            now: 0,
            events: 0,
            counts: Vec::new(),
            watch,
        }
    }

    /// What each phase took, by its index; up to the last phase that had a step.
    pub fn finish(self) -> Vec<Counts> {
        self.counts
    }
}

impl<W: Watch> Sink for Synchronous<W> {
    fn step(&mut self, phase: Phase, step: &Step) {
        self.repeat(phase, step, 1);
    }

    /// Counts the step once; its watch is told of every time.
    fn repeat(&mut self, phase: Phase, step: &Step, times: u64) {
        // None of these exceeds the number of threads.
        let (mut accesses, mut dispatches, mut stages) = (0, 0, 0);
        let (event, start) = (self.events, self.now);
        self.stages.visit(step, |warps| {
            self.watch.dispatched(warps, event, TimeUnits(start + u128::from(stages)));
            accesses += warps.count * warps.active;
            dispatches += warps.count;
            stages += warps.count * warps.stages;
        });
        let time = match stages {
            0 => 0,
            k => u128::from(k) + self.latency - 1,
        };
        self.now += time;
        self.events += 1;
        let times = u128::from(times);
        *of_phase(&mut self.counts, phase) += Counts {
            accesses: times * u128::from(accesses),
            dispatches: times * u128::from(dispatches),
            stages: times * u128::from(stages),
            time_units: TimeUnits(times * time),
            ..Counts::default()
        };
    }

    fn barrier(&mut self) {
        self.events += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::MachineKind;
    use crate::trace::{AccessKind, Piece, StridedRun};
    use crate::units::{Address, Latency, Width};

    fn step(base: u64, stride: i64, count: u64) -> Step {
        let base = Address(base);
        let mut step = Step::new(AccessKind::Read);
        step.pieces.push(Piece::Run(StridedRun { base, stride, count }));
        step
    }

    #[test]
    fn bulk_runs_take_the_closed_forms_of_the_model() {
        let (w, l, p, t, m) = (32, 100, 1 << 10, 64_u64, 64);
        let machine = Machine {
            kind: MachineKind::Umm,
            width: Width::new(w).unwrap(),
            latency: Latency::new(l).unwrap(),
        };
        let mut row_wise = Synchronous::new(machine);
        let mut column_wise = Synchronous::new(machine);
        for a in 0..t {
            row_wise.step(Phase(0), &step(a, m, p));
            column_wise.step(Phase(1), &step(a * p, 1, p));
        }
        let row_wise = row_wise.finish();
        let column_wise = column_wise.finish();
        assert_eq!(
            row_wise[0].time_units.0,
            u128::from((p + l - 1) * t) // (p + l − 1)·t
        );
        assert_eq!(
            column_wise[1].time_units.0,
            u128::from((p / w + l - 1) * t) // (p/w + l − 1)·t
        );
        assert_eq!(column_wise[0], Counts::default());
        assert_eq!(column_wise[1].dispatches, u128::from(p / w * t));
        assert_eq!(column_wise[1].accesses, u128::from(p * t));
    }

    #[test]
    fn a_step_without_requests_is_free() {
        let machine = Machine {
            kind: MachineKind::Dmm,
            width: Width::new(4).unwrap(),
            latency: Latency::new(9).unwrap(),
        };
        let mut clock = Synchronous::new(machine);
        clock.step(Phase(0), &Step::new(AccessKind::Write));
        clock.barrier();
        assert_eq!(clock.finish(), [Counts::default()]);
    }
}
