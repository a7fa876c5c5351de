//! Blocks of a launch one after another; of a block, each warp goes on until it waits.

use std::ops::Range;

use super::fault::Wait;
use super::image::Image;
use super::marks::Marks;
use super::memory::GlobalMemory;
use super::observer::{LaunchObserver, WarpPlace};
use super::{Fault, FaultCause, Launch};
use crate::cubin::KernelCode;
use crate::opcode::BarrierKind;
use crate::operand::Register;
use crate::values::{Constants, Registers};
use crate::warp::{Warp, WarpState};
use memory_machine_core::units::WARP;

/// Instructions after which a warp that others may be waiting for lets them go on.
const SLICE: u64 = 1 << 12;
/// After this many slices of all its warps a block lets others begin: they may wait for each other.
const BLOCK_SLICES: u64 = 1 << 8;
/// After this many turns of all its warps in which they do nothing but wait at a barrier in shared memory,
/// nobody comes there any more.
const IDLE_TURNS: u32 = 4;
/// Barriers of a block.
const BARRIERS: usize = 16;

/// Why blocks are not executed to their end.
pub(super) enum Stop {
    Fault(Box<Fault>),
    /// A block may wait for another.
    Waits,
}

/// A kernel with its launch.
#[derive(Clone, Copy)]
pub(super) struct Launched<'a> {
    pub(super) kernel: &'a KernelCode,
    pub(super) image: &'a Image,
    pub(super) launch: &'a Launch<'a>,
    pub(super) constants: &'a Constants,
}

impl Launched<'_> {
    /// Executes some of the blocks one after another; those that wait for each other by turns, if they may.
    pub(super) fn execute<O: LaunchObserver>(
        &self,
        blocks: Range<u64>,
        may_wait: bool,
        memory: &mut GlobalMemory,
        observer: &mut O,
    ) -> Result<u64, Stop> {
        let number = |it: u64| self.launch.chosen.map_or(it, |chosen| chosen[it as usize]);
        let mut left = blocks.map(number);
        let registers = self.kernel.registers_written();
        let unknown_constants = &self.unknown_constants()[..];
        let mut done = 0;
        // More than one only where blocks wait for each other.
        let mut resident: Vec<BlockState> = vec![];
        let mut free: Vec<BlockState> = vec![];
        loop {
            let next = left.next();
            if let Some(number) = next {
                observer.begin_block(number);
                let mut block =
                    free.pop().unwrap_or_else(|| BlockState::new(self.kernel, self.launch));
                block.begin(number, self.launch, &registers);
                resident.push(block);
            }
            let mut waiting = vec![];
            for mut block in resident {
                let of_block = &mut block;
                let mut running = Running {
                    of: *self,
                    unknown_constants,
                    memory,
                    observer,
                    block: of_block,
                    done,
                };
                let is_over = running.run().map_err(Stop::Fault)?;
                done = running.done;
                if is_over {
                    free.push(block);
                } else if may_wait {
                    waiting.push(block);
                } else {
                    return Err(Stop::Waits);
                }
            }
            resident = waiting;
            if resident.is_empty() && next.is_none() {
                return Ok(done);
            }
        }
    }
}

/// A block that is under way.
pub(super) struct BlockState {
    pub(super) number: u64,
    pub(super) warps: Vec<Warp>,
    pub(super) shared: Vec<u8>,
    /// Bytes of it that were written.
    pub(super) written: Marks,
    /// Of each warp, bytes of its threads' own memory that were.
    pub(super) local_written: Vec<Marks>,
    barriers: [Barrier; BARRIERS],
    /// Of each warp, the barrier that it waits at.
    waits_at: Vec<Option<u8>>,
    /// Where barriers are that were set in shared memory.
    pub(super) memory_barriers: Vec<u64>,
    /// Of each warp, whether it last waited at one of them in vain, in this turn.
    pub(super) waits: Vec<Option<Wait>>,
    /// Whether in this turn nothing was written, nor read that others may write.
    pub(super) is_idle: bool,
    /// What the last barrier with a condition was told: of how many it holds, and whether of all or any.
    pub(super) told: (u32, bool),
    /// Instructions of all its warps.
    pub(super) clock: u64,
}

/// A barrier of a block: what came there.
#[derive(Debug, Clone, Copy, Default)]
struct Barrier {
    threads: u32,
    /// How many of them for whom a condition holds.
    holding: u32,
}

impl BlockState {
    fn new(kernel: &KernelCode, launch: &Launch<'_>) -> Self {
        let threads = launch.threads();
        let warps = threads.div_ceil(WARP);
        let shared = (kernel.shared_end() + u64::from(launch.dynamic_shared_bytes)) as usize;
        Self {
            number: 0,
            warps: (0..warps).map(|it| Warp::new(kernel, threads, it)).collect(),
            shared: vec![0; shared],
            written: Marks::none(shared),
            local_written: (0..warps)
                .map(|_| Marks::none(kernel.local_bytes as usize * WARP as usize))
                .collect(),
            barriers: [Barrier::default(); BARRIERS],
            waits_at: vec![None; warps as usize],
            memory_barriers: vec![],
            waits: vec![None; warps as usize],
            is_idle: false,
            told: (0, false),
            clock: 0,
        }
    }

    /// Begins a block, where another one may have ended that wrote these registers.
    fn begin(&mut self, number: u64, launch: &Launch<'_>, registers: &[Register]) {
        self.number = number;
        self.warps.iter_mut().for_each(|it| it.begin(launch.threads(), registers));
        self.shared.fill(0);
        self.written.clear();
        self.local_written.iter_mut().for_each(Marks::clear);
        self.barriers = [Barrier::default(); BARRIERS];
        self.waits_at.fill(None);
        self.memory_barriers.clear();
        self.told = (0, false);
        self.clock = 0;
    }
}

/// What a warp comes to after an instruction.
pub(super) enum Step {
    On,
    /// It waits at a barrier of its block.
    Waits,
}

pub(super) struct Running<'a, O> {
    pub(super) of: Launched<'a>,
    pub(super) unknown_constants: &'a [Option<(u8, u64)>],
    pub(super) memory: &'a mut GlobalMemory,
    pub(super) observer: &'a mut O,
    pub(super) block: &'a mut BlockState,
    /// Warp instructions of the launch so far.
    pub(super) done: u64,
}

impl<O: LaunchObserver> Running<'_, O> {
    /// Goes on with a block until it is done, or has had its turn; whether it is done.
    fn run(&mut self) -> Result<bool, Box<Fault>> {
        let mut idle_turns = 0;
        for _ in 0..BLOCK_SLICES {
            let mut has_run = false;
            self.block.is_idle = true;
            self.block.waits.fill(None);
            for number in 0..self.block.warps.len() {
                if self.block.waits_at[number].is_none()
                    && self.block.warps[number].state == WarpState::Runs
                {
                    has_run = true;
                    self.turn(number)?;
                }
            }
            if self.block.warps.iter().all(|it| it.state == WarpState::Ended) {
                return Ok(true);
            }
            if !has_run {
                return Err(self.deadlock());
            }
            idle_turns = if self.only_waits() { idle_turns + 1 } else { 0 };
            let mut waits = self.block.waits.iter().enumerate();
            if idle_turns == IDLE_TURNS
                && let Some((number, wait)) = waits.find_map(|(at, it)| Some((at, (*it)?)))
            {
                return Err(self.endless_wait(number, wait));
            }
        }
        Ok(false)
    }

    /// Whether all warps that run did nothing in this turn but wait at barriers in shared memory, in vain.
    fn only_waits(&self) -> bool {
        let of = self.block.warps.iter().zip(&self.block.waits_at).zip(&self.block.waits);
        let mut runs = of.filter(|((it, at), _)| it.state == WarpState::Runs && at.is_none());
        self.block.is_idle && runs.all(|(_, wait)| wait.is_some())
    }

    /// Threads wait at barriers, and nobody is left to come there.
    fn deadlock(&self) -> Box<Fault> {
        let waiting = self.block.waits_at.iter().position(Option::is_some).unwrap_or(0);
        let place = self.block.warps[waiting].place.saturating_sub(1);
        self.fault(waiting, place, None, FaultCause::Deadlock("block"))
    }

    #[cold]
    pub(super) fn fault(
        &self,
        warp: usize,
        place: u32,
        lane: Option<usize>,
        cause: FaultCause,
    ) -> Box<Fault> {
        let line = self.of.kernel.line(place as usize);
        Box::new(Fault {
            kernel: self.of.kernel.name.clone(),
            line: line.map_or_else(String::new, |it| format!(", {}:{}", it.file, it.line)),
            offset: u64::from(place) * crate::decode::INSTRUCTION_BYTES,
            thread: lane
                .map(|it| self.of.launch.place(self.block.number, warp as u64 * WARP + it as u64)),
            cause,
        })
    }

    /// A warp goes on until it waits, ends, or has had its turn.
    fn turn(&mut self, number: usize) -> Result<(), Box<Fault>> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the CPU has the features.
            return unsafe { self.turn_wide(number) };
        }
        self.turn_any(number)
    }

    /// The same with vectors of 32 bytes.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn turn_wide(&mut self, number: usize) -> Result<(), Box<Fault>> {
        self.turn_any(number)
    }

    #[inline(always)]
    fn turn_any(&mut self, number: usize) -> Result<(), Box<Fault>> {
        for _ in 0..SLICE {
            let warp = &mut self.block.warps[number];
            let begins = self.of.kernel.begins.get(warp.place as usize).is_none_or(|it| *it);
            if warp.mask == 0 || begins && !warp.is_apart && !warp.divergent.is_empty() {
                if warp.mask == 0 && warp.divergent.is_empty() {
                    warp.state = WarpState::Ended;
                    self.pass_barriers();
                    return Ok(());
                }
                if warp.mask == 0 && warp.divergent.iter().all(|it| it.barrier.is_some()) {
                    let place = warp.divergent[0].place.saturating_sub(1);
                    return Err(self.fault(number, place, None, FaultCause::Deadlock("warp")));
                }
                warp.gather();
            }
            let place = warp.place;
            let Some(instruction) = self.of.kernel.instructions.get(place as usize) else {
                let at = u64::from(place) * crate::decode::INSTRUCTION_BYTES;
                return Err(self.fault(number, place, None, FaultCause::Jump(at)));
            };
            self.done += 1;
            if self.done > self.of.launch.limit {
                let cause = FaultCause::TooLong(self.of.launch.limit);
                return Err(self.fault(number, place, None, cause));
            }
            self.block.clock += 1;
            if let Step::Waits = self.step(number, instruction)? {
                return Ok(());
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn place(&self, warp: usize, instruction: usize, active: u32) -> WarpPlace {
        WarpPlace { block: self.block.number, warp: warp as u64, instruction, active }
    }

    #[inline(always)]
    pub(super) fn registers(&mut self, warp: usize) -> Registers<'_> {
        Registers { lanes: &mut self.block.warps[warp].registers, constants: self.of.constants }
    }

    /// A warp comes to a barrier of its block, once all its threads have.
    pub(super) fn comes(
        &mut self,
        warp: usize,
        kind: BarrierKind,
        (barrier, expected): (u8, u32),
        (active, holding): (u32, u32),
    ) -> Step {
        let threads = self.of.launch.threads();
        let it = &mut self.block.barriers[usize::from(barrier)];
        it.threads += active.count_ones();
        it.holding += holding.count_ones();
        let (came, held) = (it.threads, it.holding);
        match kind {
            BarrierKind::Wait | BarrierKind::Arrive => {}
            BarrierKind::Count | BarrierKind::Any => self.block.told = (held, held != 0),
            BarrierKind::All => self.block.told = (held, held == came),
        }
        if kind != BarrierKind::Arrive {
            self.block.waits_at[warp] = Some(barrier);
        }
        if expected != 0 && u64::from(expected) < threads {
            self.observer.partial_barrier(self.block.number);
            if came >= expected {
                self.pass(barrier);
            }
        } else {
            self.pass_barriers();
        }
        if self.block.waits_at[warp].is_some() { Step::Waits } else { Step::On }
    }

    /// Barriers of the whole block are passed once all of its threads that are left have come.
    fn pass_barriers(&mut self) {
        let block = &*self.block;
        let runs = block.warps.iter().filter(|it| it.state == WarpState::Runs);
        let left: u32 = runs
            .map(|it| it.divergent.iter().fold(it.mask, |all, it| all | it.mask).count_ones())
            .sum();
        for barrier in 0..BARRIERS as u8 {
            let came = self.block.barriers[usize::from(barrier)].threads;
            if came != 0 && came >= left && self.block.waits_at.contains(&Some(barrier)) {
                if self.observer.asks_for_values() {
                    self.tell_apart(barrier);
                }
                self.pass(barrier);
                self.observer.barrier(self.block.number);
            }
        }
    }

    /// Says which warp waits at another place than the first that waits.
    fn tell_apart(&mut self, barrier: u8) {
        let waits = self.block.waits_at.iter().zip(&self.block.warps).enumerate();
        let mut waits = waits.filter(|(_, (at, _))| **at == Some(barrier));
        let Some((_, (_, first))) = waits.next() else { return };
        if let Some((number, (_, warp))) = waits.find(|(_, (_, it))| it.place != first.place) {
            let [own, other] = [warp, first].map(|it| it.place.saturating_sub(1) as usize);
            let place = self.place(number, own, warp.mask);
            self.observer.barrier_apart(place, other);
        }
    }

    fn pass(&mut self, barrier: u8) {
        self.block.barriers[usize::from(barrier)] = Barrier::default();
        for at in self.block.waits_at.iter_mut().filter(|it| **it == Some(barrier)) {
            *at = None;
        }
    }

    /// Threads of a warp that are apart wait at a barrier of it for those that are wanted there; whether
    /// all are there.
    pub(super) fn meets(&mut self, warp: usize, active: u32, barrier: u8, wanted: u32) -> bool {
        let warp = &mut self.block.warps[warp];
        let all = warp.divergent.iter().fold(warp.mask, |all, it| all | it.mask);
        if wanted & all & !active == 0 {
            return true;
        }
        warp.expects(barrier, active, |_| wanted & all);
        warp.waits(barrier);
        false
    }
}
