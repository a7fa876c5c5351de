//! A simulator as plain as the page that defines the machine: every address spelled out, time unit
//! after time unit, with an explicit pipeline. It shares no code with the crate's clocks.

use std::collections::{HashMap, HashSet, VecDeque};

use memory_machine::machine::{Machine, MachineKind};
use memory_machine::trace::{Event, Piece, Step, Trace};

/// One warp's access, as it happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Happened {
    pub warp: usize,
    pub event: usize,
    pub start: u128,
    pub stages: u64,
    pub complete: u128,
}

/// The address that each thread asks for.
pub fn addresses(step: &Step, threads: usize) -> Vec<Option<u64>> {
    let mut all = Vec::new();
    for piece in &step.pieces {
        match piece {
            Piece::Idle(count) => all.extend((0..*count).map(|_| None)),
            Piece::Run(run) => all.extend((0..run.count).map(|i| {
                let address = i128::from(run.base.0) + i128::from(run.stride) * i128::from(i);
                Some(u64::try_from(address).unwrap())
            })),
        }
    }
    assert!(all.len() <= threads);
    all.resize(threads, None);
    all
}

/// The stages that each warp's access takes; 0 if the warp is not dispatched.
pub fn stages(machine: Machine, threads: &[Option<u64>]) -> Vec<u64> {
    let w = machine.width.get();
    threads
        .chunks(w as usize)
        .map(|warp| {
            let distinct: HashSet<u64> = warp.iter().flatten().copied().collect();
            match machine.kind {
                // Of an HMM, its global memory.
                MachineKind::Umm | MachineKind::Hmm(_) => {
                    let groups: HashSet<u64> = distinct.iter().map(|a| a / w).collect();
                    groups.len() as u64
                }
                MachineKind::Dmm => {
                    let mut banks = HashMap::new();
                    for address in distinct {
                        *banks.entry(address % w).or_insert(0) += 1;
                    }
                    banks.into_values().max().unwrap_or(0)
                }
            }
        })
        .collect()
}

/// `Σ k(warp) + l − 1` for every step in which a thread asks for something.
pub fn synchronous(machine: Machine, trace: &Trace) -> u128 {
    let threads = trace.threads.get() as usize;
    let mut time = 0;
    for event in &trace.events {
        if let Event::Step(step) = event {
            let k: u64 = stages(machine, &addresses(step, threads)).iter().sum();
            if k > 0 {
                time += u128::from(k + machine.latency.get() - 1);
            }
        }
    }
    time
}

/// Every dispatch of the asynchronous run, in order.
pub fn asynchronous(machine: Machine, trace: &Trace) -> Vec<Happened> {
    let threads = trace.threads.get() as usize;
    let warps = threads.div_ceil(machine.width.get() as usize);
    let mut happened = Vec::new();
    let mut now = 0;
    let mut queues = vec![VecDeque::new(); warps];
    for (event, what) in trace.events.iter().enumerate() {
        match what {
            Event::Step(step) => {
                let stages = stages(machine, &addresses(step, threads));
                for (queue, k) in queues.iter_mut().zip(stages) {
                    if k > 0 {
                        queue.push_back((event, k));
                    }
                }
            }
            Event::Barrier | Event::Blocks(_) => {
                now = segment(machine, &mut queues, now, &mut happened);
            }
        }
    }
    segment(machine, &mut queues, now, &mut happened);
    happened
}

/// A stage of the pipeline: the dispatch that is in it, and whether it is the access's last.
type Slot = Option<(usize, bool)>;

/// Runs everything in `queues` from time `now` on; returns when the last access is complete.
fn segment(
    machine: Machine,
    queues: &mut [VecDeque<(usize, u64)>],
    mut now: u128,
    happened: &mut Vec<Happened>,
) -> u128 {
    let warps = queues.len();
    let latency = machine.latency.get() as usize;
    let mut pipeline: VecDeque<Slot> = vec![None; latency].into();
    let mut waiting = vec![false; warps];
    // The dispatch at the entrance, and how many of its stages have not entered.
    let mut entering: Option<(usize, u64)> = None;
    let mut turn = 0;
    loop {
        // What entered l time units ago leaves.
        if let Some((dispatch, true)) = pipeline.pop_front().unwrap() {
            happened[dispatch].complete = now;
            waiting[happened[dispatch].warp] = false;
        }
        let idle = entering.is_none() && pipeline.iter().all(Option::is_none);
        if idle && queues.iter().all(VecDeque::is_empty) {
            return now;
        }
        if entering.is_none() {
            let mut in_turn = (0..warps).map(|i| (turn + i) % warps);
            if let Some(warp) = in_turn.find(|&warp| !waiting[warp] && !queues[warp].is_empty()) {
                let (event, stages) = queues[warp].pop_front().unwrap();
                entering = Some((happened.len(), stages));
                happened.push(Happened { warp, event, start: now, stages, complete: 0 });
                waiting[warp] = true;
                turn = warp + 1;
            }
        }
        pipeline.push_back(entering.map(|(dispatch, left)| (dispatch, left == 1)));
        entering =
            entering.map(|(dispatch, left)| (dispatch, left - 1)).filter(|&(_, left)| left > 0);
        now += 1;
    }
}
