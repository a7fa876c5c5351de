//! Blocks on their own: every warp goes on as soon as its own access is complete, up to the next
//! barrier of its block; a slot whose block is done takes the next.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

use crate::machine::kind::Dmms;
use crate::machine::listener::{OfBlock, Watch};
use crate::machine::ready_set::ReadySet;
use crate::machine::stages::Warps;
use crate::machine::{Counts, of_phase};
use crate::trace::{BlockAt, Phase, Space};
use crate::units::TimeUnits;

/// The blocks of a loop are kept until it ends, 32 bytes a dispatch; then they run. Time is
/// O(log dispatches) for each.
///
/// A dispatch that completes later than all before it is counted the time from their last completion
/// to its own, so that the phases add up to the total.
pub(super) struct IndependentBlocks<W> {
    dmms: Dmms,
    /// Of global and of shared memory.
    latencies: [u128; 2],
    /// Those with an access.
    blocks: BTreeMap<u64, BlockQueue>,
    watch: W,
}

/// What is to come of a block: its accesses from barrier to barrier.
#[derive(Default)]
struct BlockQueue {
    number: u64,
    segments: VecDeque<Segment>,
    /// A barrier stands behind the last segment.
    is_closed: bool,
}

/// Of each warp with an access, by its number, the accesses in order.
#[derive(Default)]
struct Segment {
    accesses: BTreeMap<u64, VecDeque<Access>>,
    /// Accesses that are not complete.
    left: usize,
}

#[derive(Clone, Copy)]
struct Access {
    /// Of its step.
    number: u64,
    phase: Phase,
    space: Space,
    stages: u64,
}

impl<W: Watch> IndependentBlocks<W> {
    pub(super) const fn new(dmms: Dmms, latencies: [u128; 2], watch: W) -> Self {
        Self { dmms, latencies, blocks: BTreeMap::new(), watch }
    }

    pub(super) fn step(&mut self, at: BlockAt, phase: Phase, space: Space, warps: &[Warps]) {
        if warps.is_empty() {
            return;
        }
        let BlockAt { block: number, .. } = at;
        let block = self
            .blocks
            .entry(number)
            .or_insert_with(|| BlockQueue { number, ..BlockQueue::default() });
        if std::mem::take(&mut block.is_closed) || block.segments.is_empty() {
            block.segments.push_back(Segment::default());
        }
        let Some(segment) = block.segments.back_mut() else { return };
        for group in warps {
            for warp in group.first..group.first + group.count {
                let access = Access { number: at.number, phase, space, stages: group.stages };
                segment.accesses.entry(warp).or_default().push_back(access);
                segment.left += 1;
            }
        }
    }

    pub(super) fn barrier(&mut self, block: u64) {
        if let Some(block) = self.blocks.get_mut(&block) {
            block.is_closed = true;
        }
    }

    /// Runs the loop.
    pub(super) fn end(&mut self, counts: &mut Vec<Counts>) {
        let blocks = std::mem::take(&mut self.blocks);
        Simulation::new(self.dmms, self.latencies, blocks).run(counts, &mut self.watch);
    }
}

/// A place for a block on a DMM: `(DMM, slot)`.
type Slot = (u64, u64);

/// A loop as it runs. Slots are numbered in the order of DMM and slot; those that never hold a block
/// with an access are left out; so are warps that have none in any block: a warp's *rank* is its number
/// among the others. Its *place* is its slot's number times the number of ranks, plus its rank.
struct Simulation {
    latencies: [u128; 2],
    /// By rank.
    warps: Vec<u64>,
    /// By slot, the block that it holds.
    slots: Vec<Option<BlockQueue>>,
    /// By slot, its DMM, numbered likewise.
    dmm_of: Vec<usize>,
    /// Numbers of those DMMs.
    dmms: Vec<u64>,
    waiting: VecDeque<BlockQueue>,
    free: BTreeSet<usize>,
    /// That of global memory, then one a DMM.
    pipelines: Vec<Pipeline>,
    /// What happens next, by time: a warp's access is complete, or the entrance of a pipeline is free.
    events: BinaryHeap<Reverse<(u128, Event)>>,
    completed: u128,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Complete { place: usize },
    Entrance { pipeline: usize },
}

#[derive(Default)]
struct Pipeline {
    /// The place of its first warp.
    first: usize,
    /// When its entrance is free.
    entrance: u128,
    /// Warps whose next access goes here, by place from `first` on.
    ready: ReadySet,
    /// Where the search for a ready warp begins.
    turn: usize,
}

impl Simulation {
    fn new(dmms: Dmms, latencies: [u128; 2], blocks: BTreeMap<u64, BlockQueue>) -> Self {
        let segments = blocks.values().flat_map(|it| &it.segments);
        let warps: BTreeSet<u64> = segments.flat_map(|it| it.accesses.keys().copied()).collect();
        let warps: Vec<u64> = warps.into_iter().collect();
        let together = dmms.blocks();
        let mut first: BTreeMap<Slot, BlockQueue> = BTreeMap::new();
        let mut waiting = VecDeque::new();
        for (number, block) in blocks {
            if number < together {
                first.insert((number % dmms.number, number / dmms.number), block);
            } else {
                waiting.push_back(block);
            }
        }
        // Slots whose first block has no access take the next blocks at once.
        let all = (0..dmms.number).flat_map(|dmm| (0..dmms.resident).map(move |slot| (dmm, slot)));
        let empty = all.filter(|it| !first.contains_key(it)).take(waiting.len());
        let empty: Vec<Slot> = empty.collect();
        for slot in empty {
            if let Some(block) = waiting.pop_front() {
                first.insert(slot, block);
            }
        }
        let (mut slots, mut dmm_of, mut pipelines) = (vec![], vec![], vec![Pipeline::default()]);
        let mut numbers: Vec<u64> = vec![];
        for ((on, _), block) in first {
            if numbers.last() != Some(&on) {
                numbers.push(on);
                let first = slots.len() * warps.len();
                pipelines.push(Pipeline { first, ..Pipeline::default() });
            }
            dmm_of.push(pipelines.len() - 2);
            slots.push(Some(block));
        }
        let places = slots.len() * warps.len();
        let ends: Vec<usize> =
            pipelines.iter().skip(2).map(|it| it.first).chain([places]).collect();
        pipelines[0].ready.reset(places);
        for (pipeline, end) in pipelines[1..].iter_mut().zip(ends) {
            pipeline.ready.reset(end - pipeline.first);
        }
        let mut run = Self {
            latencies,
            warps,
            free: BTreeSet::new(),
            slots,
            dmm_of,
            dmms: numbers,
            waiting,
            pipelines,
            events: BinaryHeap::new(),
            completed: 0,
        };
        for slot in 0..run.slots.len() {
            run.begin_segment(slot, 0);
        }
        run
    }

    fn run(mut self, counts: &mut Vec<Counts>, watch: &mut impl Watch) {
        while let Some(&Reverse((now, _))) = self.events.peek() {
            let mut entrances = BTreeSet::new();
            while let Some(&Reverse((time, event))) = self.events.peek()
                && time == now
            {
                self.events.pop();
                match event {
                    Event::Complete { place } => self.complete(place, now),
                    Event::Entrance { pipeline } => {
                        entrances.insert(pipeline);
                    }
                }
            }
            self.fill_slots(now);
            // What became ready in this time unit has asked for the entrance, too.
            while let Some(&Reverse((time, Event::Entrance { pipeline }))) = self.events.peek()
                && time == now
            {
                self.events.pop();
                entrances.insert(pipeline);
            }
            for pipeline in entrances {
                self.dispatch(pipeline, now, counts, watch);
            }
        }
    }

    /// The warps of a slot's block whose next access lies in its first segment are ready.
    fn begin_segment(&mut self, slot: usize, now: u128) {
        let Some(segment) = self.slots[slot].as_ref().and_then(|it| it.segments.front()) else {
            return;
        };
        let next: Vec<_> = (segment.accesses.iter())
            .filter_map(|(warp, accesses)| {
                Some((self.warps.binary_search(warp).ok()?, accesses.front()?.space))
            })
            .collect();
        for (rank, space) in next {
            self.ready(slot * self.warps.len() + rank, space, now);
        }
    }

    fn ready(&mut self, place: usize, space: Space, now: u128) {
        let number = match space {
            Space::Global => 0,
            Space::Shared => 1 + self.dmm_of[place / self.warps.len()],
        };
        let pipeline = &mut self.pipelines[number];
        pipeline.ready.insert(place - pipeline.first);
        // Where it is not free yet, it comes to itself.
        if pipeline.entrance <= now {
            self.events.push(Reverse((now, Event::Entrance { pipeline: number })));
        }
    }

    fn slot_and_warp(&self, place: usize) -> (usize, u64) {
        (place / self.warps.len(), self.warps[place % self.warps.len()])
    }

    fn complete(&mut self, place: usize, now: u128) {
        let (slot, warp) = self.slot_and_warp(place);
        let Some(block) = &mut self.slots[slot] else { return };
        let Some(segment) = block.segments.front_mut() else { return };
        segment.left -= 1;
        if segment.left > 0 {
            let next = segment.accesses.get(&warp).and_then(|it| it.front());
            if let Some(space) = next.map(|it| it.space) {
                self.ready(place, space, now);
            }
            return;
        }
        block.segments.pop_front();
        if block.segments.is_empty() {
            self.slots[slot] = None;
            self.free.insert(slot);
        } else {
            self.begin_segment(slot, now);
        }
    }

    /// Slots whose blocks are done take the next blocks.
    fn fill_slots(&mut self, now: u128) {
        while !self.free.is_empty()
            && let Some(block) = self.waiting.pop_front()
            && let Some(slot) = self.free.pop_first()
        {
            self.slots[slot] = Some(block);
            self.begin_segment(slot, now);
        }
    }

    /// Lets the next ready warp into a pipeline.
    fn dispatch(
        &mut self,
        number: usize,
        now: u128,
        counts: &mut Vec<Counts>,
        watch: &mut impl Watch,
    ) {
        let pipeline = &mut self.pipelines[number];
        if pipeline.entrance > now {
            return;
        }
        let Some(ready) = pipeline.ready.next_cyclic(pipeline.turn) else { return };
        pipeline.ready.remove(ready);
        pipeline.turn = ready + 1;
        let place = pipeline.first + ready;
        let (slot, warp) = self.slot_and_warp(place);
        let pipeline = &mut self.pipelines[number];
        let Some(block) = self.slots[slot].as_mut() else { return };
        let at_block = block.number;
        let segment = block.segments.front_mut();
        let accesses = segment.and_then(|it| it.accesses.get_mut(&warp));
        let Some(access) = accesses.and_then(VecDeque::pop_front) else { return };
        let at = BlockAt { block: at_block, number: access.number };
        let of = OfBlock { at, dmm: self.dmms[self.dmm_of[slot]], space: access.space };
        let warps = Warps { first: warp, count: 1, active: 1, stages: access.stages };
        watch.dispatched_in(of, warps, TimeUnits(now));
        pipeline.entrance = now + u128::from(access.stages);
        let completion = pipeline.entrance - 1 + self.latencies[access.space as usize];
        self.events.push(Reverse((pipeline.entrance, Event::Entrance { pipeline: number })));
        self.events.push(Reverse((completion, Event::Complete { place })));
        let later = completion.saturating_sub(self.completed);
        of_phase(counts, access.phase).time_units += TimeUnits(later);
        self.completed += later;
    }
}
