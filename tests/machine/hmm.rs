//! The hierarchical memory machine, time unit after time unit, as plain as the page that defines it:
//! it shares no code with the crate's clocks.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use memory_machine::machine::{Counts, Dmms, Machine, MachineKind, Mode, schedule, time};
use memory_machine::trace::{BlockAt, BlockEvent, BlockLoop, Event, Space, Trace};
use memory_machine::units::{Latency, Threads};
use proptest::prelude::*;

use super::{oracle, traces};

pub fn hmm(width: u64, latency: u64, dmms: [u64; 3]) -> Machine {
    let [number, shared, resident] = dmms;
    let dmms = Dmms { number, latency: Latency::new(shared).unwrap(), resident };
    traces::machine_of(MachineKind::Hmm(dmms), width, latency)
}

/// Its UMM, and one of its DMMs.
fn memories(machine: Machine) -> [Machine; 2] {
    let MachineKind::Hmm(dmms) = machine.kind else { panic!("not an HMM") };
    let kinds = [(MachineKind::Umm, machine.latency), (MachineKind::Dmm, dmms.latency)];
    kinds.map(|(kind, latency)| Machine { kind, latency, ..machine })
}

fn dmms(machine: Machine) -> [usize; 2] {
    let MachineKind::Hmm(dmms) = machine.kind else { panic!("not an HMM") };
    [dmms.number as usize, dmms.resident as usize]
}

/// Stages of each warp of a block.
fn stages(machine: Machine, space: Space, step: &memory_machine::trace::Step, q: u64) -> Vec<u64> {
    let [global, shared] = memories(machine);
    let memory = if space == Space::Global { global } else { shared };
    oracle::stages(memory, &oracle::addresses(step, q as usize))
}

/// Wave after wave, number after number.
fn synchronous(machine: Machine, blocks: &BlockLoop) -> u128 {
    let [d, r] = dmms(machine);
    let [global, shared] = memories(machine);
    let q = blocks.threads.get();
    let waves: BTreeSet<u64> =
        blocks.events.iter().map(|(at, _)| at.block / (d * r) as u64).collect();
    let numbers: BTreeSet<u64> = blocks.events.iter().map(|(at, _)| at.number).collect();
    let mut time = 0;
    for wave in waves {
        for &number in &numbers {
            let mut all = 0;
            let mut by_dmm = vec![0; d];
            for (at, event) in &blocks.events {
                if at.block / (d * r) as u64 != wave || at.number != number {
                    continue;
                }
                let BlockEvent::Step(space, step) = event else { continue };
                let k: u64 = stages(machine, *space, step, q).iter().sum();
                match space {
                    Space::Global => all += k,
                    Space::Shared => by_dmm[at.block as usize % d] += k,
                }
            }
            if all > 0 {
                time += u128::from(all + global.latency.get() - 1);
            }
            let most = by_dmm.into_iter().max().unwrap();
            if most > 0 {
                time += u128::from(most + shared.latency.get() - 1);
            }
        }
    }
    time
}

/// What a warp asks for next: its segment, memory and stages.
type Ask = (usize, Space, u64);

struct Block {
    warps: Vec<VecDeque<Ask>>,
    /// When each warp's last access is complete.
    complete: Vec<u128>,
    segment: usize,
}

impl Block {
    fn has_accesses(&self) -> bool {
        self.warps.iter().any(|it| !it.is_empty())
    }

    /// Passes what barriers it can, at time `now`; returns whether it is done.
    fn goes_on(&mut self, now: u128) -> bool {
        if self.complete.iter().any(|&it| it > now) {
            return false;
        }
        let next = self.warps.iter().filter_map(|it| it.front()).map(|it| it.0).min();
        match next {
            None => return true,
            Some(next) => self.segment = next,
        }
        false
    }
}

/// Time unit after time unit.
fn asynchronous(machine: Machine, blocks: &BlockLoop) -> u128 {
    let [d, r] = dmms(machine);
    let [global, shared] = memories(machine);
    let q = blocks.threads.get();
    let w = q.div_ceil(machine.width.get()) as usize;
    let count = blocks.events.iter().map(|(at, _)| at.block + 1).max().unwrap_or(0);
    let mut waiting: VecDeque<Block> = (0..count)
        .map(|number| {
            let mut block =
                Block { warps: vec![VecDeque::new(); w], complete: vec![0; w], segment: 0 };
            let mut segment = 0;
            for (_, event) in blocks.events.iter().filter(|(at, _)| at.block == number) {
                match event {
                    BlockEvent::Barrier => segment += 1,
                    BlockEvent::Step(space, step) => {
                        let all = stages(machine, *space, step, q);
                        for (warp, k) in all.into_iter().enumerate().filter(|it| it.1 > 0) {
                            block.warps[warp].push_back((segment, *space, k));
                        }
                    }
                }
            }
            block
        })
        .collect();
    // By DMM, then slot.
    let mut slots: Vec<Option<Block>> = (0..d * r).map(|_| None).collect();
    for b in 0..d * r {
        if let Some(block) = waiting.pop_front() {
            slots[b % d * r + b / d] = Some(block).filter(Block::has_accesses);
        }
    }
    // The entrance, then the place dispatched last, of global memory and of each DMM.
    let mut entrances = vec![0_u128; 1 + d];
    let mut last: Vec<Option<usize>> = vec![None; 1 + d];
    let mut now = 0;
    let mut end = 0;
    loop {
        for slot in &mut slots {
            if slot.as_mut().is_some_and(|it| it.goes_on(now)) {
                *slot = None;
            }
        }
        for slot in &mut slots {
            while slot.is_none()
                && let Some(block) = waiting.pop_front()
            {
                *slot = Some(block).filter(Block::has_accesses);
                if let Some(block) = slot {
                    block.complete.fill(now);
                    block.goes_on(now);
                }
            }
        }
        if slots.iter().all(Option::is_none) {
            return end;
        }
        for pipeline in 0..=d {
            if entrances[pipeline] > now {
                continue;
            }
            let (space, first, places) = match pipeline {
                0 => (Space::Global, 0, d * r * w),
                dmm => (Space::Shared, (dmm - 1) * r * w, r * w),
            };
            let begin = last[pipeline].map_or(0, |it| it + 1);
            for i in 0..places {
                let place = (begin + i) % places;
                let (slot, warp) = ((first + place) / w, (first + place) % w);
                let Some(block) = &mut slots[slot] else { continue };
                if block.complete[warp] > now {
                    continue;
                }
                match block.warps[warp].front() {
                    Some(&(segment, to, k)) if segment == block.segment && to == space => {
                        block.warps[warp].pop_front();
                        let memory = if space == Space::Global { global } else { shared };
                        entrances[pipeline] = now + u128::from(k);
                        let complete = now + u128::from(k - 1 + memory.latency.get());
                        block.complete[warp] = complete;
                        end = end.max(complete);
                        last[pipeline] = Some(place);
                        break;
                    }
                    _ => {}
                }
            }
        }
        now += 1;
    }
}

/// A trace: what lies outside loops on DMMs is the UMM's.
pub fn plain_time(machine: Machine, mode: Mode, trace: &Trace) -> u128 {
    let [global, _] = memories(machine);
    let mut total = 0;
    let mut outside = Trace::new(trace.threads);
    let flush = |outside: &mut Trace| {
        let taken = std::mem::replace(outside, Trace::new(trace.threads));
        match mode {
            Mode::Sync => oracle::synchronous(global, &taken),
            Mode::Async => {
                oracle::asynchronous(global, &taken).iter().map(|it| it.complete).max().unwrap_or(0)
            }
        }
    };
    for event in &trace.events {
        let Event::Blocks(blocks) = event else {
            outside.events.push(event.clone());
            continue;
        };
        total += flush(&mut outside);
        total += match mode {
            Mode::Sync => synchronous(machine, blocks),
            Mode::Async => asynchronous(machine, blocks),
        };
    }
    total + flush(&mut outside)
}

/// Accesses, dispatches and stages, of both memories and of shared ones.
pub fn plain_counts(machine: Machine, trace: &Trace) -> [[u128; 3]; 2] {
    let mut counts = [[0; 3]; 2];
    let mut add = |space: Space, step: &memory_machine::trace::Step, threads: u64| {
        let asked = oracle::addresses(step, threads as usize).iter().flatten().count();
        let k = stages(machine, space, step, threads);
        let dispatched = k.iter().filter(|&&k| k > 0).count();
        for (of, counts) in counts.iter_mut().enumerate() {
            if of == 0 || space == Space::Shared {
                counts[0] += asked as u128;
                counts[1] += dispatched as u128;
                counts[2] += u128::from(k.iter().sum::<u64>());
            }
        }
    };
    for event in &trace.events {
        match event {
            Event::Step(step) => add(Space::Global, step, trace.threads.get()),
            Event::Barrier => {}
            Event::Blocks(blocks) => {
                for (_, event) in &blocks.events {
                    if let BlockEvent::Step(space, step) = event {
                        add(*space, step, blocks.threads.get());
                    }
                }
            }
        }
    }
    counts
}

/// The crate's clocks against these.
pub fn check(machine: Machine, trace: &Trace) -> Result<(), TestCaseError> {
    for mode in [Mode::Sync, Mode::Async] {
        let Counts { accesses, dispatches, stages, time_units, shared } =
            time(machine, mode, trace);
        prop_assert_eq!(time_units.0, plain_time(machine, mode, trace), "{:?}", mode);
        let found =
            [[accesses, dispatches, stages], [shared.accesses, shared.dispatches, shared.stages]];
        prop_assert_eq!(found, plain_counts(machine, trace));
    }
    Ok(())
}

fn machine() -> impl Strategy<Value = Machine> {
    let dmms = [1_u64..5, 1_u64..6, 1_u64..4];
    (1_u64..6, 1_u64..20, dmms).prop_map(|(w, l, dmms)| hmm(w, l, dmms))
}

/// Blocks in the order of the numbers of their steps, or each for itself.
fn blocks() -> impl Strategy<Value = Event> {
    let address = prop_oneof![5 => (0_u64..40).prop_map(Some), 1 => Just(None)];
    let lanes = prop::collection::vec(address, 0..12);
    let step = (0_u64..9, 0_u64..3, prop_oneof![Just(None), lanes.prop_map(Some)], any::<bool>());
    let all = prop::collection::vec(step, 0..40);
    (1_u64..13, all, any::<bool>()).prop_map(|(q, all, is_by_block)| {
        let mut next: BTreeMap<u64, u64> = BTreeMap::new();
        let mut events = vec![];
        for (block, more, lanes, is_shared) in all {
            let number = next.entry(block).or_default();
            *number += more;
            let at = BlockAt { block, number: *number };
            events.push((
                at,
                match lanes {
                    None => BlockEvent::Barrier,
                    Some(lanes) => {
                        *number += 1;
                        let mut step = memory_machine::trace::Step::new(
                            memory_machine::trace::AccessKind::Read,
                        );
                        for lane in lanes.into_iter().take(q as usize) {
                            match lane {
                                Some(address) => step.push(memory_machine::units::Address(address)),
                                None => step.push_idle(1),
                            }
                        }
                        let space = if is_shared { Space::Shared } else { Space::Global };
                        BlockEvent::Step(space, step)
                    }
                },
            ));
        }
        if is_by_block {
            events.sort_by_key(|(at, _)| at.block);
        }
        Event::Blocks(BlockLoop { threads: Threads::new(q).unwrap(), events })
    })
}

fn trace() -> impl Strategy<Value = Trace> {
    (traces::trace(), blocks(), 0_usize..8, blocks(), 0_usize..8).prop_map(
        |(mut trace, one, at, other, beside)| {
            trace.events.truncate(4);
            trace.events.insert(at.min(trace.events.len()), one);
            if beside > 3 {
                trace.events.insert((beside - 4).min(trace.events.len()), other);
            }
            trace
        },
    )
}

proptest! {
    #![proptest_config(crate::cases(3_000))]

    #[test]
    fn both_clocks_equal_the_plain_ones(machine in machine(), trace in trace()) {
        check(machine, &trace)?;
    }

    /// One after another, dispatches use a pipeline's entrance; the last one to be complete ends the run.
    #[test]
    fn a_schedule_is_what_the_clock_times(machine in machine(), trace in trace()) {
        for mode in [Mode::Sync, Mode::Async] {
            let (mut end, mut taken, mut entrances) = (0, 0, BTreeMap::new());
            for it in schedule(machine, mode, &trace) {
                let shared = it.block.filter(|it| it.space == Space::Shared);
                let memory = memories(machine)[usize::from(shared.is_some())];
                let left = it.start.0 + u128::from(it.stages);
                let free = entrances.insert(shared.map(|it| it.dmm), left).unwrap_or(0);
                prop_assert!(it.start.0 >= free, "{:?}", it);
                end = end.max(left - 1 + u128::from(memory.latency.get()));
                taken += u128::from(it.stages);
            }
            let counts = time(machine, mode, &trace);
            prop_assert_eq!((end, taken), (counts.time_units.0, counts.stages));
        }
    }

    #[test]
    fn a_printed_trace_is_the_same_trace(trace in trace()) {
        let text = trace.to_string();
        prop_assert_eq!(memory_machine::trace::text::parse(&text).unwrap(), trace, "{}", text);
    }
}
