//! What travels through the pipeline, stage by stage: small runs spelled out, for pictures.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use thiserror::Error;

use crate::trace::{
    AccessKind, BlockAt, BlockEvent, BlockLoop, Event, Piece, Space, Step, StridedRun, Trace,
};
use crate::units::{Address, Threads, TimeUnits};

use super::contents::contents;
use super::listener::OfBlock;
use super::schedule::{Dispatch, schedule};
use super::{Machine, Mode};

/// More pipeline stages than these are no picture any more.
pub const MOST_STAGES: u64 = 60;
/// More requests than these cannot be listed: a warp that reads one word may be as wide as 2⁴⁸.
pub const MOST_REQUESTS: u64 = 10_000;

/// A run that is too large to be spelled out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// As many stages.
    #[error("what is to be shown takes {0} pipeline stages; a picture holds at most {MOST_STAGES}")]
    Stages(u128),
    /// As many requests, idle threads aside.
    #[error("the threads ask {requests} times; at most {most} requests are kept for a picture")]
    Requests {
        /// What they ask.
        requests: u128,
        /// What is kept.
        most: u64,
    },
}

/// A small run on a machine, with the content of every pipeline stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipelineDiagram {
    /// What it ran on.
    pub machine: Machine,
    /// Synchronous or asynchronous.
    pub mode: Mode,
    /// p; warp `i` has threads `i·w` to `i·w + w − 1`.
    pub threads: Threads,
    /// In the order of dispatch.
    pub accesses: Vec<WarpAccess>,
    /// The warps that are not dispatched in a step in which others are.
    pub idle: Vec<IdleWarps>,
    /// Steps in which no thread asks for anything: they take no time.
    pub empty_steps: usize,
    /// All steps, those too.
    pub steps: usize,
    /// When the last access is complete.
    pub time: TimeUnits,
}

/// One warp's access and its way into the pipeline: `stages[i]` enters in time unit `start + i`,
/// counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarpAccess {
    /// From 0.
    pub warp: u64,
    /// In a loop on DMMs, the block and whose pipeline.
    pub block: Option<OfBlock>,
    /// The memory to which it goes, as a machine of its own.
    pub memory: Machine,
    /// Number of the step, from 1; barriers do not count. Blocks that would go in step make their steps
    /// of one number together.
    pub step: usize,
    /// Whether it reads or writes.
    pub kind: AccessKind,
    /// What the warp's threads ask for, in order, idle ones included.
    pub requests: Vec<Piece>,
    /// When its first stage enters, in time units from 0.
    pub start: TimeUnits,
    /// The distinct addresses that each stage holds. On the UMM, one address group a stage, in
    /// ascending order; on the DMM, stage `i` holds the `i`-th address of each bank, in the order
    /// of banks.
    pub stages: Vec<Vec<Address>>,
    /// A barrier lies between this access and the one dispatched before it.
    pub after_barrier: bool,
    /// Which of the trace's access steps it is of, from 0 in the order in which the trace was recorded;
    /// each block's count for themselves.
    pub event: usize,
    /// Active threads of that step in warps before this one.
    pub rank: u64,
}

impl PipelineDiagram {
    /// Those dispatches of a trace that `is_shown`, by the number of their step and [`WarpAccess::event`]; the times are those of
    /// the whole trace.
    /// O(dispatches + pieces of the steps shown, once for each warp).
    #[must_use]
    pub fn of(
        machine: Machine,
        mode: Mode,
        trace: &Trace,
        is_shown: impl Fn(&Dispatch, usize, usize) -> bool,
    ) -> Self {
        let (places, steps) = places(trace);
        let mut pipeline = Self {
            machine,
            mode,
            threads: trace.threads,
            accesses: Vec::new(),
            idle: Vec::new(),
            empty_steps: 0,
            steps,
            time: TimeUnits(0),
        };
        let mut passed = 0;
        // The warps that each step dispatches, and the steps of which some are shown.
        let mut dispatched: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        let mut shown = BTreeSet::new();
        for dispatch in schedule(machine, mode, trace) {
            let Some(place) = places.get(&(dispatch.step, dispatch.block.map(|it| it.at))) else {
                continue;
            };
            let StepPlace { step, number, event, barriers, threads } = *place;
            let memory = machine.of_memory(dispatch.block.map_or(Space::Global, |it| it.space));
            let complete = dispatch.start.0 + u128::from(dispatch.stages) - 1;
            let complete = TimeUnits(complete + u128::from(memory.latency.get()));
            pipeline.time = pipeline.time.max(complete);
            let warps = dispatched.entry(number).or_default();
            // Of a block's warps it is not said which are idle.
            warps.extend(dispatch.block.is_none().then_some(dispatch.warp));
            if !is_shown(&dispatch, number, event) {
                continue;
            }
            let (rank, requests) = requests(step, dispatch.warp, machine, threads);
            shown.insert(number);
            pipeline.accesses.push(WarpAccess {
                warp: dispatch.warp,
                block: dispatch.block,
                memory,
                step: number,
                kind: step.kind,
                stages: contents(memory, &requests, (step.words, step.is_atomic)),
                requests,
                start: dispatch.start,
                after_barrier: barriers > passed && !pipeline.accesses.is_empty(),
                event,
                rank,
            });
            passed = barriers;
        }
        pipeline.empty_steps = steps - dispatched.len();
        dispatched.retain(|step, warps| !warps.is_empty() && shown.contains(step));
        let warps = trace.threads.get().div_ceil(machine.width.get());
        for (step, mut busy) in dispatched {
            busy.sort_unstable();
            let mut first = 0;
            for warp in busy.into_iter().chain([warps]) {
                if warp > first {
                    pipeline.idle.push(IdleWarps { step, first, last: warp - 1 });
                }
                first = warp + 1;
            }
        }
        pipeline
    }

    /// Whether it has a loop on DMMs.
    #[must_use]
    pub fn has_blocks(&self) -> bool {
        self.accesses.iter().any(|it| it.block.is_some())
    }
}

impl WarpAccess {
    /// The last of several stages is complete `l` after it entered.
    #[must_use]
    pub fn complete(&self) -> TimeUnits {
        let TimeUnits(start) = self.start;
        let k = self.stages.len() as u128;
        TimeUnits(start + k - 1 + u128::from(self.memory.latency.get()))
    }

    /// The DMM whose shared memory it goes to; `None` if it goes to global memory.
    #[must_use]
    pub fn dmm(&self) -> Option<u64> {
        self.block.filter(|it| it.space == Space::Shared).map(|it| it.dmm)
    }
}

/// Warps `first ..= last`, which have no active thread in step `step` (from 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdleWarps {
    /// From 1.
    pub step: usize,
    /// From 0.
    pub first: u64,
    /// From 0; at least `first`.
    pub last: u64,
}

/// An access step of a trace.
#[derive(Clone, Copy)]
struct StepPlace<'a> {
    step: &'a Step,
    /// From 1; see [`WarpAccess::step`].
    number: usize,
    /// See [`WarpAccess::event`].
    event: usize,
    /// That lie before it.
    barriers: usize,
    /// That make it: all, or those of its block.
    threads: Threads,
}

/// Every access step by the index of its event and where its block stands; and how many numbers they
/// have.
fn places(trace: &Trace) -> (HashMap<(usize, Option<BlockAt>), StepPlace<'_>>, usize) {
    let mut places = HashMap::new();
    let (mut steps, mut barriers) = (0, 0);
    for (index, it) in trace.events.iter().enumerate() {
        let event = places.len();
        match it {
            Event::Step(step) => {
                steps += 1;
                let threads = trace.threads;
                let place = StepPlace { step, number: steps, event, barriers, threads };
                places.insert((index, None), place);
            }
            Event::Barrier => barriers += 1,
            Event::Blocks(blocks) => {
                let numbers: Vec<u64> = step_numbers(blocks).into_iter().collect();
                barriers += 1;
                for (at, it) in &blocks.events {
                    if let BlockEvent::Step(_, step) = it {
                        let number = steps + 1 + numbers.partition_point(|&it| it < at.number);
                        let event = places.len();
                        let threads = blocks.threads;
                        let place = StepPlace { step, number, event, barriers, threads };
                        places.insert((index, Some(*at)), place);
                    }
                }
                steps += numbers.len();
                barriers += 1;
            }
        }
    }
    (places, steps)
}

/// The numbers of the steps of a loop's blocks.
fn step_numbers(blocks: &BlockLoop) -> BTreeSet<u64> {
    let steps = blocks.events.iter().filter(|it| matches!(it.1, BlockEvent::Step(..)));
    steps.map(|(at, _)| at.number).collect()
}

/// The number of active threads in warps before this one, and what its threads ask for in a step.
fn requests(step: &Step, warp: u64, machine: Machine, threads: Threads) -> (u64, Vec<Piece>) {
    let first = warp * machine.width.get();
    let end = first.saturating_add(machine.width.get()).min(threads.get());
    let mut of_warp = Step::new(step.kind);
    let (mut at, mut rank) = (0, 0);
    for &piece in &step.pieces {
        let (Piece::Idle(count) | Piece::Run(StridedRun { count, .. })) = piece;
        let (from, to) = (first.max(at), end.min(at + count));
        match piece {
            Piece::Idle(_) if from < to => of_warp.push_idle(to - from),
            Piece::Run(run) => {
                rank += first.saturating_sub(at).min(count);
                (from..to).for_each(|i| of_warp.push(run.at(i - at)));
            }
            Piece::Idle(_) => {}
        }
        at += count;
        if at >= end {
            break;
        }
    }
    of_warp.push_idle(end.saturating_sub(at.max(first)));
    (rank, of_warp.pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::MachineKind::{self, Dmm, Umm};
    use crate::machine::Recorder;
    use crate::trace::text;
    use crate::units::{Latency, Width};

    fn pipeline(kind: MachineKind, mode: Mode, trace: &str) -> Result<PipelineDiagram, TooLarge> {
        let (width, latency) = (Width::new(4).unwrap(), Latency::new(5).unwrap());
        let machine = Machine { kind, width, latency };
        let trace = text::parse(trace).unwrap();
        let mut recorder = Recorder::new(machine, trace.threads);
        trace.replay(&mut recorder);
        recorder.finish(mode)
    }

    /// Warp, start and stages of each access.
    fn rows(pipeline: &PipelineDiagram) -> Vec<(u64, u128, Vec<Vec<u64>>)> {
        let plain = |stage: &Vec<Address>| stage.iter().map(|address| address.0).collect();
        let row = |it: &WarpAccess| (it.warp, it.start.0, it.stages.iter().map(plain).collect());
        pipeline.accesses.iter().map(row).collect()
    }

    #[test]
    fn the_papers_figure() {
        let figure = pipeline(Umm, Mode::Sync, "threads 8\nR 7 5 15 0 10 11 8 9").unwrap();
        assert_eq!(
            rows(&figure),
            [(0, 0, vec![vec![0], vec![5, 7], vec![15]]), (1, 3, vec![vec![8, 9, 10, 11]])]
        );
        assert_eq!(figure.time, TimeUnits(3 + 1 + 5 - 1));
        assert_eq!((figure.idle.len(), figure.empty_steps), (0, 0));
    }

    #[test]
    fn on_the_dmm_a_stage_holds_one_address_of_each_bank() {
        let trace = "threads 8\nW 7 5 15 0 9 1 5 13";
        assert_eq!(
            rows(&pipeline(Dmm, Mode::Sync, trace).unwrap()),
            [
                (0, 0, vec![vec![0, 5, 7], vec![15]]),
                (1, 2, vec![vec![1], vec![5], vec![9], vec![13]])
            ]
        );
    }

    #[test]
    fn words_of_a_thread_go_together() {
        let trace = "threads 4\nR4 0+4x2 -x1 0";
        // Of the UMM two groups; on four banks a thread goes at a time.
        let [first, second] = [vec![0, 1, 2, 3], vec![4, 5, 6, 7]];
        assert_eq!(
            rows(&pipeline(Umm, Mode::Sync, trace).unwrap()),
            [(0, 0, vec![first.clone(), second.clone()])]
        );
        assert_eq!(
            rows(&pipeline(Dmm, Mode::Sync, trace).unwrap()),
            [(0, 0, vec![first.clone(), second, first])]
        );
    }

    #[test]
    fn equal_addresses_merge() {
        for kind in [Umm, Dmm] {
            let broadcast = pipeline(kind, Mode::Sync, "threads 4\nR 6+0x3 6").unwrap();
            assert_eq!(rows(&broadcast), [(0, 0, vec![vec![6]])]);
        }
    }

    #[test]
    fn idle_threads_warps_and_steps() {
        let trace = "threads 18\nR\nR -x5 3\nB\nW 0 -x12 8";
        let pipeline = pipeline(Umm, Mode::Async, trace).unwrap();
        assert_eq!(
            rows(&pipeline),
            [(1, 0, vec![vec![3]]), (0, 5, vec![vec![0]]), (3, 6, vec![vec![8]])]
        );
        let idle: Vec<_> = pipeline.idle.iter().map(|it| (it.step, it.first, it.last)).collect();
        assert_eq!(idle, [(2, 0, 0), (2, 2, 4), (3, 1, 2), (3, 4, 4)]);
        assert_eq!(pipeline.empty_steps, 1);
        let [first, second, third] = &pipeline.accesses[..] else { panic!() };
        assert_eq!([first.step, second.step, third.step], [2, 3, 3]);
        assert_eq!(
            [first.after_barrier, second.after_barrier, third.after_barrier],
            [false, true, false]
        );
        let three = Piece::Run(StridedRun { base: Address(3), stride: 0, count: 1 });
        assert_eq!(first.requests, [Piece::Idle(1), three, Piece::Idle(2)]);
    }

    #[test]
    fn a_large_run_is_refused_and_counted_without_being_kept() {
        let large = "threads 1000000\nR 0+4x1000000\nB\nR 0+4x1000000";
        let refused = pipeline(Umm, Mode::Async, large).unwrap_err();
        assert_eq!(refused, TooLarge::Stages(2_000_000));
        let wide = "threads 9223372036854775807\nR -x1000000000001 7";
        assert_eq!(rows(&pipeline(Umm, Mode::Sync, wide).unwrap()).len(), 1);
    }
}
