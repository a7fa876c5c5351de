//! A warp: its registers, scoreboards and units, and where its threads are. Branches part them; they
//! meet again where the code says so, and those that are furthest behind go first.

use super::combining::Waiting;
use super::cost::{BOARDS, ELSEWHERE, UNITS};
use super::cubin::Kernel;
use super::instruction::{Condition, REGISTERS, Space, TRUE, UNIFORM_TRUE};
use super::lanes::Lanes;

/// Threads of a warp.
pub(super) const WARP: u64 = 32;
/// Bytes of a bank of shared memory, and of the first cache.
pub(super) const BANK: u64 = 4;
/// Barriers of a warp at which its threads meet.
const BARRIERS: usize = 16;
/// Where a thread's own memory begins; no array of a run lies there.
pub(super) const LOCALS: u64 = 1 << 61;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Runs,
    Waits,
    Ended,
}

/// Threads of a warp that are elsewhere than others, a bit each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart {
    pub(super) place: u32,
    pub(super) mask: u32,
    /// If they wait at a barrier, its number.
    pub(super) barrier: Option<u8>,
}

pub(super) struct Warp {
    pub(super) registers: Vec<Lanes>,
    /// When each scoreboard is clear.
    pub(super) boards: [f64; BOARDS],
    /// When its scheduler's units can take the next of its instructions.
    pub(super) units: [f64; UNITS],
    pub(super) now: f64,
    pub(super) place: u32,
    /// Threads that are at `place`, a bit each.
    pub(super) mask: u32,
    pub(super) apart: Vec<Apart>,
    /// By barrier and thread, those that are to meet there.
    pub(super) barriers: [Lanes; BARRIERS],
    pub(super) state: State,
    /// When each group of asynchronous copies is there, and the one that is being made.
    pub(super) groups: Vec<f64>,
    pub(super) open: f64,
    /// Writes that others may complete.
    pub(super) waiting: Waiting,
    /// A thread's own memory, thread after thread.
    pub(super) local: Vec<u8>,
    pub(super) local_bytes: usize,
    /// Of the block.
    pub(super) number: u64,
}

impl Warp {
    pub(super) fn new(kernel: &Kernel, of_block: u64, number: u64) -> Self {
        let mut registers = vec![[0; WARP as usize]; REGISTERS];
        for always in [TRUE, UNIFORM_TRUE] {
            registers[usize::from(always)] = [1; WARP as usize];
        }
        let threads = (of_block - WARP * number).min(WARP);
        let local_bytes = kernel.local_bytes as usize;
        Self {
            registers,
            boards: [0.0; BOARDS],
            units: [0.0; UNITS],
            now: 0.0,
            place: 0,
            mask: u32::MAX >> (WARP - threads),
            apart: vec![],
            barriers: [[0; WARP as usize]; BARRIERS],
            state: State::Runs,
            groups: vec![],
            open: 0.0,
            waiting: Waiting::default(),
            local: vec![0; local_bytes * WARP as usize],
            local_bytes,
            number,
        }
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
        space: Space,
        places: Vec<(usize, u64)>,
        bytes: u64,
    ) -> (Vec<(usize, u64)>, u64) {
        if space != Space::Local {
            return (places, bytes);
        }
        let first = LOCALS + self.number * self.local_bytes as u64 * WARP;
        let words = |(lane, at): (usize, u64)| {
            let words = at / BANK..(at + bytes).div_ceil(BANK);
            words.map(move |it| (lane, first + BANK * (WARP * it + lane as u64)))
        };
        (places.into_iter().flat_map(words).collect(), BANK)
    }

    /// Of threads that are apart and wait for none those that are furthest behind go on, together.
    pub(super) fn gather(&mut self) {
        let ran = (self.place, self.mask);
        if self.mask != 0 {
            self.apart.push(Apart { place: self.place, mask: self.mask, barrier: None });
        }
        self.mask = 0;
        let goes = |it: &&Apart| it.barrier.is_none();
        let Some(least) = self.apart.iter().filter(goes).map(|it| it.place).min() else {
            debug_assert!(self.apart.is_empty(), "threads wait for each other");
            self.state = State::Ended;
            return;
        };
        self.place = least;
        let mask = &mut self.mask;
        self.apart.retain(|it| {
            let is_here = it.barrier.is_none() && it.place == least;
            if is_here {
                *mask |= it.mask;
            }
            !is_here
        });
        let go_on = ran.1 != 0 && (self.place, self.mask & ran.1) == ran;
        self.now += if go_on { 0.0 } else { ELSEWHERE };
    }

    /// Its threads wait at a barrier for those that are to meet them there and are elsewhere: threads that
    /// came together since may wait for different ones.
    pub(super) fn waits(&mut self, barrier: u8) {
        // Alone, it is passed at once.
        if self.apart.is_empty() {
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
                self.apart.push(Apart { place: self.place, mask, barrier: Some(barrier) });
            }
        }
        self.meet();
    }

    /// Lets threads go on that have all met.
    pub(super) fn meet(&mut self) {
        let ended = !self.apart.iter().fold(self.mask, |all, it| all | it.mask);
        let barriers = &self.barriers;
        let has_met = |it: &Apart, all: &[Apart]| {
            let Some(barrier) = it.barrier else { return true };
            let lane = it.mask.trailing_zeros() as usize;
            let wanted = barriers[usize::from(barrier)][lane] & !ended;
            let here = all.iter().filter(|at| at.barrier == it.barrier && at.place == it.place);
            wanted & !here.fold(0, |mask, it| mask | it.mask) == 0
        };
        let all = self.apart.clone();
        for it in &mut self.apart {
            if has_met(it, &all) {
                it.barrier = None;
            }
        }
    }

    /// Threads for which a condition holds.
    pub(super) fn holding(&self, condition: Condition) -> u32 {
        let lanes = &self.registers[usize::from(condition.register)];
        let is = |lane: usize| (lanes[lane] != 0) != condition.is_negated;
        (0..WARP as usize).fold(0, |mask, lane| mask | u32::from(is(lane)) << lane)
    }

    pub(super) fn lane(&self) -> usize {
        (self.mask.trailing_zeros() as usize).min(WARP as usize - 1)
    }
}
