//! Steps in which every warp takes part, one after another.
//!
//! As long as all warps of the machine are active in every step of a segment, they are dispatched strictly in
//! turn: accesses complete in the order of their dispatch, so of all waiting warps the one whose
//! turn it is becomes ready first, and the round-robin search begins with it. The start of warp
//! `i` in a step is then `S(i) = max(S(i−1) + k(i−1), ready(i))`, which needs no queues.
//!
//! Where moreover all warps of a step take equally many stages, as in a bulk run, the time at
//! which warp `i` is ready is the largest of a few linear functions of `i`, and a step costs no
//! more for a million warps than for one.

use super::stages::Warps;

/// The warps' state between two steps of a segment.
#[derive(Debug, Clone)]
pub(super) struct RoundRobin {
    /// Warps of the machine.
    warps: u64,
    /// Whether there was a step.
    begun: bool,
    /// When the entrance of the pipeline is free again.
    pub(super) entrance: u128,
    /// When the last access is complete.
    pub(super) completed: u128,
    ready: Ready,
}

/// When each warp's last access is complete.
#[derive(Debug, Clone)]
enum Ready {
    /// For warp `i`, the largest of `start + slope · i`.
    Lines(Vec<(u128, u64)>),
    Each(Vec<u128>),
}

/// More warps than this are not looked at one by one.
const MOST: u64 = 1 << 28;

impl RoundRobin {
    pub(super) fn new(warps: u64, now: u128) -> Self {
        let ready = Ready::Lines(vec![(now, 0)]);
        Self { warps, begun: false, entrance: now, completed: now, ready }
    }

    /// Takes a step of these `warps`, if every one of the machine takes part; calls `dispatched`
    /// for each with its start, in order. With `listens` false it need not.
    pub(super) fn step(
        &mut self,
        warps: &[Warps],
        latency: u128,
        listens: bool,
        mut dispatched: impl FnMut(Warps, u128),
    ) -> bool {
        if contiguous(warps) != Some(self.warps) {
            return false;
        }
        let stages = warps[0].stages;
        let uniform = warps.iter().all(|it| it.stages == stages);
        if let Ready::Lines(lines) = &mut self.ready
            && uniform
            && !listens
        {
            let start = first_start(lines, self.entrance, stages);
            lines.retain(|&(_, slope)| slope > stages);
            lines.push((start, stages));
            let busy = u128::from(stages) + latency - 1;
            lines.iter_mut().for_each(|(start, _)| *start += busy);
            self.begun = true;
            self.completed = largest(lines, self.warps - 1);
            self.entrance = self.completed + 1 - latency;
            return true;
        }
        if self.warps > MOST {
            return false;
        }
        self.begun = true;
        let mut ready = self.each();
        let (mut entrance, mut rank) = (self.entrance, 0);
        for group in warps {
            for warp in group.first..group.first + group.count {
                let start = entrance.max(ready[rank]);
                dispatched(Warps { first: warp, count: 1, ..*group }, start);
                entrance = start + u128::from(group.stages);
                ready[rank] = entrance - 1 + latency;
                rank += 1;
            }
        }
        self.entrance = entrance;
        self.completed = entrance - 1 + latency;
        self.ready = Ready::Each(ready);
        true
    }

    /// When each warp is ready, in order, if there was a step.
    pub(super) fn into_ready(mut self) -> Vec<u128> {
        if self.begun { self.each() } else { vec![] }
    }

    fn each(&mut self) -> Vec<u128> {
        match std::mem::replace(&mut self.ready, Ready::Lines(vec![])) {
            Ready::Each(each) => each,
            Ready::Lines(lines) => (0..self.warps).map(|warp| largest(&lines, warp)).collect(),
        }
    }
}

/// Where lines no steeper than `stages` and the entrance let a step of `stages` each begin.
fn first_start(lines: &[(u128, u64)], entrance: u128, stages: u64) -> u128 {
    let flatter = lines.iter().filter(|(_, slope)| *slope <= stages);
    flatter.map(|&(start, _)| start).fold(entrance, u128::max)
}

fn largest(lines: &[(u128, u64)], warp: u64) -> u128 {
    let values = lines.iter().map(|&(start, slope)| start + u128::from(slope) * u128::from(warp));
    values.max().unwrap_or(0)
}

/// One more than the last warp, if the groups are all warps from 0 on.
fn contiguous(warps: &[Warps]) -> Option<u64> {
    let mut next = 0;
    for group in warps {
        if group.first != next {
            return None;
        }
        next += group.count;
    }
    (next > 0).then_some(next)
}
