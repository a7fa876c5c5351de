//! The machine itself: every warp goes on as soon as its own access is complete.

use std::collections::VecDeque;

use crate::trace::{Phase, Sink, Step};
use crate::units::{Threads, TimeUnits};

use super::listener::Watch;
use super::ready_set::ReadySet;
use super::round_robin::RoundRobin;
use super::stages::{StageCounter, Warps};
use super::{Counts, Machine, of_phase};

/// The asynchronous clock. In each time unit at most one stage enters the pipeline; when the
/// entrance is free, the next ready warp in round-robin order is dispatched.
///
/// What lies between two barriers is a *segment*: segments do not overlap, so their times add.
/// While every warp takes part in every step of a segment, steps are taken in turn as they come
/// (`in_turn`). From the first other step on, a segment is kept until its barrier comes, because a
/// warp that idles in the first million steps may begin at once with its access in the step after
/// them.
///
/// Time grows with the dispatches, whatever the latency: O(1) for each in turn, or for each step
/// of equal warps; O(log₆₄ warps) otherwise. Memory is O(warps) in turn, otherwise O(dispatches of
/// the longest segment), 40 bytes each.
///
/// A dispatch completes later than those before it. The time from the last completion to its own
/// is counted to its phase, so that the phases add up to the total.
#[derive(Debug, Clone)]
pub struct Asynchronous<W = ()> {
    stages: StageCounter,
    latency: u128,
    now: u128,
    events: usize,
    counts: Vec<Counts>,
    watch: W,
    /// Warps of the machine.
    all_warps: u64,
    /// The steps so far of the segment, as long as all warps take part.
    in_turn: Option<RoundRobin>,
    segment: Segment,
    pipeline: InFlight,
    /// Scratch: a step's warps.
    warps: Vec<Warps>,
}

/// The accesses since the last barrier, in the order of the trace.
#[derive(Debug, Clone, Default)]
struct Segment {
    steps: Vec<StepOf>,
    accesses: Vec<Access>,
    /// For each access, the same warp's next one.
    next: Vec<Option<Index>>,
    /// The warps of the segment in order. A warp's *rank* is its index here: warp numbers may be
    /// large where few warps are active.
    warps: Vec<u64>,
}

/// One more than an index, so that an optional one takes no more room.
type Index = std::num::NonZeroUsize;

#[derive(Debug, Clone, Copy)]
struct StepOf {
    phase: Phase,
    event: usize,
}

#[derive(Debug, Clone, Copy)]
struct Access {
    warp: u64,
    active: u64,
    stages: u64,
    step: usize,
}

/// The state of a run of one segment; between segments, only memory to use again.
#[derive(Debug, Clone, Default)]
struct InFlight {
    /// What went in turn before the first queued step: when the entrance was free after it and the
    /// last access complete, and when each warp is ready.
    entrance: u128,
    completed: u128,
    begun_ready: Vec<u128>,
    /// For each rank, its next access.
    pending: Vec<Option<Index>>,
    ready: ReadySet,
    /// Dispatched and not known to be complete: `(time of completion, rank)`. The entrance lets
    /// warps in one by one, so they complete in the order of their dispatch.
    in_flight: VecDeque<(u128, usize)>,
}

impl Asynchronous {
    /// A clock of a machine with this many threads: no step may have more.
    pub fn new(machine: Machine, threads: Threads) -> Self {
        Self::watched(machine, threads, ())
    }
}

impl<W: Watch> Asynchronous<W> {
    /// A clock that tells `watch` of every dispatch, in the order of dispatches.
    pub fn watched(machine: Machine, threads: Threads, watch: W) -> Self {
        let all_warps = threads.get().div_ceil(machine.width.get());
        Self {
            stages: StageCounter::new(machine),
            latency: machine.latency.get().into(),
            now: 0,
            events: 0,
            counts: Vec::new(),
            watch,
            all_warps,
            in_turn: Some(RoundRobin::new(all_warps, 0)),
            segment: Segment::default(),
            pipeline: InFlight::default(),
            warps: Vec::new(),
        }
    }

    /// What each phase took, by its index; up to the last phase that had a step.
    pub fn finish(mut self) -> Vec<Counts> {
        self.run_segment();
        self.counts
    }

    fn run_segment(&mut self) {
        if let Some(in_turn) = &self.in_turn {
            self.now = in_turn.completed;
        } else {
            self.run_queues();
        }
        self.in_turn = Some(RoundRobin::new(self.all_warps, self.now));
    }

    /// A step in which not every warp takes part: from here on accesses are queued. What has gone
    /// in turn before is in the pipeline.
    fn leave_turn(&mut self) {
        let Some(in_turn) = self.in_turn.take() else { return };
        let pipeline = &mut self.pipeline;
        pipeline.entrance = in_turn.entrance;
        pipeline.completed = in_turn.completed;
        pipeline.begun_ready = in_turn.into_ready();
    }

    fn run_queues(&mut self) {
        let Self { segment, pipeline, .. } = self;
        segment.link(&mut pipeline.pending);
        pipeline.ready.reset(segment.warps.len());
        for (rank, &warp) in segment.warps.iter().enumerate() {
            if pipeline.pending[rank].is_none() {
                continue;
            }
            // Warps that have gone in turn complete in the order of their numbers.
            match pipeline.begun_ready.get(warp as usize) {
                Some(&completion) => pipeline.in_flight.push_back((completion, rank)),
                None => pipeline.ready.insert(rank),
            }
        }
        // The time at which the entrance is free, the last completion, and where the search for
        // a ready warp begins: after the warp dispatched last.
        let (mut entrance, mut completed) = (pipeline.entrance, pipeline.completed);
        let begun = pipeline.begun_ready.len() as u64;
        let mut turn = segment.warps.partition_point(|&warp| warp < begun);
        loop {
            while let Some(&(completion, rank)) = pipeline.in_flight.front()
                && completion <= entrance
            {
                pipeline.in_flight.pop_front();
                if pipeline.pending[rank].is_some() {
                    pipeline.ready.insert(rank);
                }
            }
            let Some((rank, index)) = pipeline.next_access(turn) else {
                match pipeline.in_flight.front() {
                    Some(&(completion, _)) => entrance = completion,
                    None => break,
                }
                continue;
            };
            pipeline.ready.remove(rank);
            pipeline.pending[rank] = segment.next[index];
            turn = rank + 1;

            let access = segment.accesses[index];
            let step = segment.steps[access.step];
            let start = entrance;
            entrance += u128::from(access.stages);
            let completion = entrance - 1 + self.latency;
            pipeline.in_flight.push_back((completion, rank));
            of_phase(&mut self.counts, step.phase).time_units += TimeUnits(completion - completed);
            completed = completion;
            let warps = Warps {
                first: access.warp,
                count: 1,
                active: access.active,
                stages: access.stages,
            };
            self.watch.dispatched(warps, step.event, TimeUnits(start));
        }
        self.now = completed;
        pipeline.in_flight.clear();
        segment.clear();
    }
}

impl<W: Watch> Sink for Asynchronous<W> {
    fn step(&mut self, phase: Phase, step: &Step) {
        let counts = of_phase(&mut self.counts, phase);
        let step_warps = &mut self.warps;
        step_warps.clear();
        self.stages.visit(step, |warps| {
            counts.accesses += u128::from(warps.count * warps.active);
            counts.dispatches += u128::from(warps.count);
            counts.stages += u128::from(warps.count * warps.stages);
            step_warps.push(warps);
        });
        let event = self.events;
        self.events += 1;
        if step_warps.is_empty() {
            return;
        }
        if let Some(in_turn) = &mut self.in_turn {
            let before = in_turn.completed;
            let watch = &mut self.watch;
            if in_turn.step(step_warps, self.latency, W::LISTENS, |warps, start| {
                watch.dispatched(warps, event, TimeUnits(start));
            }) {
                counts.time_units += TimeUnits(in_turn.completed - before);
                return;
            }
            self.leave_turn();
        }
        let segment = &mut self.segment;
        let step_index = segment.steps.len();
        for warps in &self.warps {
            let each = warps.first..warps.first + warps.count;
            segment.accesses.extend(each.map(|warp| Access {
                warp,
                active: warps.active,
                stages: warps.stages,
                step: step_index,
            }));
        }
        segment.steps.push(StepOf { phase, event });
    }

    fn barrier(&mut self) {
        self.run_segment();
        self.events += 1;
    }
}

impl InFlight {
    /// The ready rank whose turn it is, from `turn` on in cyclic order, and its next access.
    fn next_access(&self, turn: usize) -> Option<(usize, usize)> {
        let rank = self.ready.next_cyclic(turn)?;
        let index = self.pending[rank]?;
        Some((rank, index.get() - 1))
    }
}

impl Segment {
    /// Links each warp's accesses in the order of the trace, and leaves each rank's first in
    /// `first`.
    fn link(&mut self, first: &mut Vec<Option<Index>>) {
        let warps = &mut self.warps;
        let largest = self.accesses.iter().map(|access| access.warp).max();
        // Where most warps take part, a rank is simply the warp's number.
        let all = largest.is_none_or(|largest| largest < 2 * self.accesses.len() as u64);
        if all {
            warps.extend(0..largest.map_or(0, |largest| largest + 1));
        } else {
            warps.extend(self.accesses.iter().map(|access| access.warp));
            warps.sort_unstable();
            warps.dedup();
        }
        first.clear();
        first.resize(warps.len(), None);
        self.next.resize(self.accesses.len(), None);
        for (index, access) in self.accesses.iter().enumerate().rev() {
            let rank = if all {
                access.warp as usize
            } else {
                warps.partition_point(|&warp| warp < access.warp)
            };
            self.next[index] = first[rank];
            first[rank] = Index::new(index + 1);
        }
    }

    fn clear(&mut self) {
        self.steps.clear();
        self.accesses.clear();
        self.next.clear();
        self.warps.clear();
    }
}
