//! All rounds of a nest together, where they do not cut warps: stages do not depend on the round in
//! which they are taken, and of the rounds it matters only in how many of them a thread is active.

use super::Setting;
use super::nest::AccessSink;
use super::periodicity::{RowPart, Unit};
use crate::machine::{Counts, StageCounter};
use crate::trace::{AccessKind, Phase, StridedRun};
use crate::units::TimeUnits;

impl Setting<'_> {
    /// After whole warps whose addresses have moved by whole address groups all is as before.
    pub(super) const fn unit(&self) -> Unit {
        let width = self.machine.width.get();
        Unit { length: width, advance: width }
    }
}

/// Counts a nest, access by access.
pub(super) struct AllRounds<'a> {
    setting: &'a Setting<'a>,
    stages: StageCounter,
    /// By phase.
    counts: Vec<Counts>,
    access: AccessCost,
}

/// What the present access has taken.
#[derive(Debug, Clone, Copy, Default)]
struct AccessCost {
    /// Iterations that have been told, from the first of a round on.
    position: u64,
    accesses: u128,
    dispatches: u128,
    stages: u128,
    /// Rounds with an active thread.
    rounds: u128,
    /// The first of which that is not known.
    next_round: u64,
}

impl<'a> AllRounds<'a> {
    pub(super) fn new(setting: &'a Setting<'a>) -> Self {
        let counts = vec![Counts::default(); setting.program.phases.len()];
        Self {
            setting,
            stages: StageCounter::new(setting.machine),
            counts,
            access: AccessCost::default(),
        }
    }

    /// What each phase takes.
    pub(super) fn finish(self) -> Vec<Counts> {
        self.counts
    }

    /// The stages of a part, once.
    fn once(&mut self, base: u64, part: &RowPart) {
        let Self { stages, access, .. } = self;
        let mut taken = |warps: crate::machine::Warps| {
            let count = u128::from(warps.count);
            access.accesses += count * u128::from(warps.active);
            access.dispatches += count;
            access.stages += count * u128::from(warps.stages);
        };
        let mut at = 0;
        for stretch in &part.stretches {
            stages.idle(stretch.from - at, &mut taken);
            stages.run(stretch.run(base), &mut taken);
            at = stretch.to;
        }
        stages.idle(part.length - at, &mut taken);
    }

    /// A part several times: after the first time, the present warp's threads are of the time before,
    /// as in every other.
    fn again(&mut self, base: u64, part: &RowPart) {
        let before = self.access;
        self.once(base.wrapping_add_signed(part.advance), part);
        let more = u128::from(part.times - 2);
        let now = &mut self.access;
        now.accesses += more * (now.accesses - before.accesses);
        now.dispatches += more * (now.dispatches - before.dispatches);
        now.stages += more * (now.stages - before.stages);
        // The present warp's threads are now the last ones of the last time.
        let passed = part.advance * (part.times - 1).cast_signed();
        let base = base.wrapping_add_signed(passed);
        let open = part.length - self.stages.filled();
        let last = part.stretches.iter().filter(|it| it.to > open);
        self.stages.replace(last.map(|it| {
            let run: StridedRun = it.run(base);
            run.after(open.saturating_sub(it.from))
        }));
    }
}

impl AccessCost {
    /// Notes the rounds in which threads from..to, counted from the present position, are active.
    fn active(&mut self, threads: u64, from: u64, to: u64) {
        let first = ((self.position + from) / threads).max(self.next_round);
        let end = (self.position + to - 1) / threads + 1;
        if first < end {
            self.rounds += u128::from(end - first);
            self.next_round = end;
        }
    }

    fn rounds(&mut self, threads: u64, part: &RowPart) {
        // Between active threads nearer to each other than that no round passes without one.
        let mut clusters: Vec<(u64, u64)> = vec![];
        for stretch in &part.stretches {
            match clusters.last_mut() {
                Some(last) if stretch.from - last.1 < threads => last.1 = stretch.to,
                _ => clusters.push((stretch.from, stretch.to)),
            }
        }
        let whole = part.length * (part.times - 1);
        match clusters[..] {
            [(from, to)] if part.length - to + from < threads => {
                self.active(threads, from, whole + to);
            }
            _ => {
                for passed in (0..part.times).map(|time| time * part.length) {
                    for &(from, to) in &clusters {
                        self.active(threads, passed + from, passed + to);
                    }
                }
            }
        }
    }
}

impl AccessSink for AllRounds<'_> {
    fn unit(&self) -> Option<Unit> {
        Some(self.setting.unit())
    }

    fn part(&mut self, base: u64, part: &RowPart) {
        self.once(base, part);
        if part.times > 1 {
            self.again(base, part);
        }
        if !part.stretches.is_empty() {
            self.access.rounds(self.setting.threads.get(), part);
        }
        self.access.position += part.length * part.times;
    }

    fn end(&mut self, phase: Phase, _: AccessKind) {
        let Self { stages, access, .. } = self;
        stages.end(&mut |warps| {
            let count = u128::from(warps.count);
            access.accesses += count * u128::from(warps.active);
            access.dispatches += count;
            access.stages += count * u128::from(warps.stages);
        });
        let AccessCost { accesses, dispatches, stages, rounds, .. } = std::mem::take(access);
        let waiting = rounds * u128::from(self.setting.machine.latency.get() - 1);
        let time_units = TimeUnits(stages + waiting);
        self.counts[phase.0 as usize] +=
            Counts { accesses, dispatches, stages, time_units, ..Counts::default() };
    }
}
