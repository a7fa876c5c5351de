//! A warp: its registers, scoreboards and units, and where its threads are. Branches part them; they
//! meet again where the code says so, and those that are furthest behind go first.

use super::cost::{SCOREBOARDS, SWITCH_CYCLES, UNIT_COUNT};
use super::cubin::KernelCode;
use super::lanes::Lanes;
use super::opcode::AddressSpace;
use super::operand::{Condition, REGISTERS, Register, TRUE, UNIFORM_TRUE};
use super::store_buffer::StoreBuffer;
use memory_machine_core::units::{BANK_BYTES, WARP};

/// Barriers of a warp at which its threads meet: those that code names, and where it is synchronized, as a
/// warp and as a part of its block.
const WARP_BARRIERS: usize = 18;
pub(super) const WARP_SYNC: u8 = 16;
pub(super) const BLOCK_SYNC: u8 = 17;
/// Where a thread's own memory begins; no array of a run lies there.
pub(super) const LOCAL_ADDRESS: u64 = 1 << 61;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WarpState {
    Runs,
    Waits,
    Ended,
}

/// Threads of a warp that are elsewhere than others, a bit each.
#[derive(Debug, Clone, Copy)]
pub(super) struct DivergentThreads {
    pub(super) place: u32,
    pub(super) mask: u32,
    /// If they wait at a barrier, its number.
    pub(super) barrier: Option<u8>,
}

pub(super) struct Warp {
    pub(super) registers: Vec<Lanes>,
    /// When each scoreboard is clear.
    pub(super) boards: [f64; SCOREBOARDS],
    /// Those that wait for memory beyond the multiprocessor's units, a bit each.
    pub(super) far_boards: u8,
    /// When its scheduler's units can take the next of its instructions.
    pub(super) units: [f64; UNIT_COUNT],
    pub(super) now: f64,
    pub(super) place: u32,
    /// Threads that are at `place`, a bit each.
    pub(super) mask: u32,
    pub(super) divergent: Vec<DivergentThreads>,
    /// Those that are together are not to be joined by others until they wait.
    pub(super) is_apart: bool,
    /// By barrier and thread, those that are to meet there.
    pub(super) barriers: [Lanes; WARP_BARRIERS],
    pub(super) state: WarpState,
    /// When each group of asynchronous copies is there, and the one that is being made.
    pub(super) groups: Vec<f64>,
    pub(super) open: f64,
    /// Writes that others may complete.
    pub(super) store_buffer: StoreBuffer,
    /// A thread's own memory, thread after thread.
    pub(super) local: Vec<u8>,
    pub(super) local_bytes: usize,
    /// Of the block.
    pub(super) number: u64,
}

impl Warp {
    pub(super) fn new(kernel: &KernelCode, of_block: u64, number: u64) -> Self {
        let mut registers = vec![[0; WARP as usize]; REGISTERS];
        for always in [TRUE, UNIFORM_TRUE] {
            registers[usize::from(always)] = [1; WARP as usize];
        }
        let threads = (of_block - WARP * number).min(WARP);
        let local_bytes = kernel.local_bytes as usize;
        Self {
            registers,
            boards: [0.0; SCOREBOARDS],
            far_boards: 0,
            units: [0.0; UNIT_COUNT],
            now: 0.0,
            place: 0,
            mask: u32::MAX >> (WARP - threads),
            divergent: vec![],
            is_apart: false,
            barriers: [[0; WARP as usize]; WARP_BARRIERS],
            state: WarpState::Runs,
            groups: vec![],
            open: 0.0,
            store_buffer: StoreBuffer::default(),
            local: vec![0; local_bytes * WARP as usize],
            local_bytes,
            number,
        }
    }

    /// Begins anew in a block of this many threads, where only these registers were written.
    pub(super) fn begin(&mut self, of_block: u64, registers: &[Register]) {
        for it in registers {
            self.registers[usize::from(*it)] = [0; WARP as usize];
        }
        let threads = (of_block - WARP * self.number).min(WARP);
        self.place = 0;
        self.mask = u32::MAX >> (WARP - threads);
        self.divergent.clear();
        self.is_apart = false;
        self.barriers = [[0; WARP as usize]; WARP_BARRIERS];
        self.state = WarpState::Runs;
        self.local.fill(0);
    }

    /// Those that each of these threads is to meet at a barrier.
    pub(super) fn expects(&mut self, barrier: u8, threads: u32, of: impl Fn(usize) -> u32) {
        let lanes = (0..WARP as usize).filter(|it| threads >> it & 1 == 1);
        lanes.for_each(|it| self.barriers[usize::from(barrier)][it] = of(it));
    }

    /// Where words are, and their bytes: of the threads' own memory each word of 32 bits beside those of
    /// the warp's other threads.
    pub(super) fn spread(
        &self,
        space: AddressSpace,
        places: Vec<(usize, u64)>,
        bytes: u64,
    ) -> (Vec<(usize, u64)>, u64) {
        if space != AddressSpace::Local {
            return (places, bytes);
        }
        let first = LOCAL_ADDRESS + self.number * self.local_bytes as u64 * WARP;
        let words = |(lane, at): (usize, u64)| {
            let words = at / BANK_BYTES..(at + bytes).div_ceil(BANK_BYTES);
            words.map(move |it| (lane, first + BANK_BYTES * (WARP * it + lane as u64)))
        };
        (places.into_iter().flat_map(words).collect(), BANK_BYTES)
    }

    /// Of threads that are apart and wait for none those that are furthest behind go on, together.
    pub(super) fn gather(&mut self) {
        let ran = (self.place, self.mask);
        self.is_apart = false;
        if self.mask != 0 {
            self.divergent.push(DivergentThreads {
                place: self.place,
                mask: self.mask,
                barrier: None,
            });
        }
        self.mask = 0;
        let goes = |it: &&DivergentThreads| it.barrier.is_none();
        let Some(least) = self.divergent.iter().filter(goes).map(|it| it.place).min() else {
            debug_assert!(self.divergent.is_empty(), "threads wait for each other");
            self.state = WarpState::Ended;
            return;
        };
        self.place = least;
        let mask = &mut self.mask;
        self.divergent.retain(|it| {
            let is_here = it.barrier.is_none() && it.place == least;
            if is_here {
                *mask |= it.mask;
            }
            !is_here
        });
        let go_on = ran.1 != 0 && (self.place, self.mask & ran.1) == ran;
        self.now += if go_on { 0.0 } else { SWITCH_CYCLES };
    }

    /// Its threads wait at a barrier for those that are to meet them there and are elsewhere: threads that
    /// came together since may wait for different ones.
    pub(super) fn waits(&mut self, barrier: u8) {
        // Alone, it is passed at once.
        if self.divergent.is_empty() {
            return;
        }
        let (here, mut left) = (self.mask, self.mask);
        let wanted = |lane: usize| self.barriers[usize::from(barrier)][lane];
        while left != 0 {
            let first = wanted(left.trailing_zeros() as usize);
            let alike = (0..WARP as usize).filter(|it| left >> it & 1 == 1 && wanted(*it) == first);
            let mask = alike.fold(0, |mask, it| mask | 1 << it);
            left &= !mask;
            if first & !here != 0 {
                self.mask &= !mask;
                self.divergent.push(DivergentThreads {
                    place: self.place,
                    mask,
                    barrier: Some(barrier),
                });
            }
        }
        self.meet();
    }

    /// Lets threads go on that have all met.
    pub(super) fn meet(&mut self) {
        let ended = !self.divergent.iter().fold(self.mask, |all, it| all | it.mask);
        let barriers = &self.barriers;
        let has_met = |it: &DivergentThreads, all: &[DivergentThreads]| {
            let Some(barrier) = it.barrier else { return true };
            let lane = it.mask.trailing_zeros() as usize;
            let wanted = barriers[usize::from(barrier)][lane] & !ended;
            let here = all.iter().filter(|at| at.barrier == it.barrier && at.place == it.place);
            wanted & !here.fold(0, |mask, it| mask | it.mask) == 0
        };
        let all = self.divergent.clone();
        for it in &mut self.divergent {
            if has_met(it, &all) {
                it.barrier = None;
            }
        }
    }

    /// Threads for which a condition holds.
    #[inline(always)]
    pub(super) fn holding(&self, condition: Condition) -> u32 {
        let lanes = &self.registers[usize::from(condition.register)];
        let mut bits = [0; WARP as usize];
        for (lane, bit) in bits.iter_mut().enumerate() {
            *bit = if lanes[lane] != 0 { 1_u32 << lane } else { 0 };
        }
        let mask = bits.into_iter().fold(0, |all, it| all | it);
        if condition.is_negated { !mask } else { mask }
    }

    pub(super) fn lane(&self) -> usize {
        (self.mask.trailing_zeros() as usize).min(WARP as usize - 1)
    }
}
