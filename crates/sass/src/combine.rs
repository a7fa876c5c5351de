//! What atomic operations of a warp do to memory, and how long they take.

use super::access::groups;
use super::block::BlockExecution;
use super::instruction::Instruction;
use super::lanes::MapLanes;
use super::opcode::{AddressSpace, Atomic, AtomicElement, AtomicOperation, Opcode};
use super::operand::Operand;
use super::store_buffer::touched;
use super::timing::STAGE_CYCLES;
use super::warp::Warp;
use memory_machine_core::units::{BANK_BYTES, SECTOR_BYTES, WARP};

/// Cycles that a slice of the last-level cache takes for a sector of a warp's operation, and for each further
/// thread at the word of it that most of them update: measured on an H200
/// (`models/measurements/nvidia-h200/2026-11-29/atomics/micro.csv`).
const SECTOR_CYCLES: f64 = 1.18;
const SAME_WORD_CYCLES: f64 = 1.43;
/// How many times as long a sector takes where words are compared or are of binary64.
const SLOW_SECTOR: f64 = 2.0;
/// Cycles from one sum of floating-point numbers in a word to the next one there.
const FLOAT_CHAIN_CYCLES: f64 = 3.44;
/// Stages of shared memory for a thread whose word is compared and swapped, for any other.
const SWAP_STAGES: f64 = 2.0;

/// What an operation of a warp takes of the slice of the last-level cache where it is done, in cycles.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct SliceCycles {
    /// That the slice is busy.
    busy: f64,
    /// Until what follows at the same words can be done.
    chain: f64,
}

impl BlockExecution<'_> {
    /// An atomic operation; how many cycles its result comes later than that of one without conflicts.
    pub(super) fn combine(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        of: Atomic,
        now: f64,
        active: u32,
        decides: bool,
    ) -> f64 {
        let bytes = u64::from(instruction.bytes);
        let places = self.places(warp, instruction, of.space, active);
        let mut before = [0_u64; 32];
        for &place in places.iter().filter(|_| decides) {
            let (lane, _) = place;
            let registers = self.registers(warp);
            let operand = |from: Operand| match bytes {
                8 => registers.long(from)[lane],
                _ => registers.word(from, 0)[lane].into(),
            };
            let (with, swapped) = (operand(instruction.b), operand(instruction.c));
            before[lane] = self.get(warp, of.space, place, bytes);
            let new = of.apply(before[lane], with, swapped, instruction.bytes);
            self.set(warp, of.space, place, (bytes, new));
        }
        for word in (0..u16::from(instruction.words)).filter(|_| decides) {
            let lanes = before.each(|it| (it >> (32 * word)) as u32);
            self.registers(warp).put_word(instruction.to, word, &lanes, active);
        }
        let later = match of.space {
            AddressSpace::Shared => self.combine_shared(of, now, &places),
            _ => {
                self.combine_global(warp, instruction, of, now, &places);
                0.0
            }
        };
        self.places = places;
        later
    }

    /// Shared memory serves threads of a bank one by one; those that count at one word, together.
    fn combine_shared(&mut self, of: Atomic, now: f64, places: &[(usize, u64)]) -> f64 {
        let mut words: Vec<u64> = places.iter().map(|it| it.1 / BANK_BYTES).collect();
        if of.operation == AtomicOperation::Count {
            words.sort_unstable();
            words.dedup();
        }
        let mut banks = [0.0; WARP as usize];
        words.iter().for_each(|it| banks[(it % WARP) as usize] += 1.0);
        let each = if of.is_swap() { SWAP_STAGES } else { 1.0 };
        let stages = each * banks.into_iter().fold(0.0, f64::max);
        self.counts.shared_stages += stages;
        let queued = self.queue(now, stages);
        queued + STAGE_CYCLES * (stages - 1.0).max(0.0)
    }

    /// The last-level cache reads, computes and writes, where the words stand.
    fn combine_global(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        of: Atomic,
        now: f64,
        places: &[(usize, u64)],
    ) {
        if places.is_empty() {
            return;
        }
        let bytes = u64::from(instruction.bytes);
        let cycles = of.slice_cycles(places, bytes);
        self.counts.atomic_cycles += cycles.busy;
        self.counts.atomic_chain_cycles += cycles.chain;
        let is_indirect = self.is_indirect(warp, of.space);
        let mut all = std::mem::take(&mut self.groups);
        groups(places, bytes, &mut all);
        self.counts.l1_stored_groups += all.len() as f64;
        for &(group, bytes) in &all {
            self.memory.note_atomic(group);
            if is_indirect {
                self.pending_stores.entry(group).or_default().is_indirect = true;
            }
            let sharing = self.memory.sharing(group);
            self.distances.write(group, bytes, sharing, now, self.timing);
            let sectors = f64::from(touched(bytes).count_ones());
            self.counts.atomic_sectors += sectors;
            self.moves(self.at, sectors, 0.0);
            self.leave_written((group, bytes, self.at));
            if matches!(instruction.opcode, Opcode::Atom(_)) {
                self.counts.l2_groups += 1.0;
                self.counts.l2_sectors += sectors;
                self.moves(self.at, sectors, 0.0);
            }
        }
        self.groups = all;
    }
}

impl Atomic {
    /// Threads at one word follow each other; different words of a sector are done together.
    fn slice_cycles(self, places: &[(usize, u64)], bytes: u64) -> SliceCycles {
        let mut words: Vec<u64> = places.iter().map(|it| it.1).collect();
        words.sort_unstable();
        let is_float = !matches!(self.element, AtomicElement::Unsigned | AtomicElement::Signed);
        let is_slow = self.is_swap() || is_float && bytes == 8;
        let sector = if is_slow { SLOW_SECTOR * SECTOR_CYCLES } else { SECTOR_CYCLES };
        let most = |words: &[u64]| {
            words.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0) as f64
        };
        let sectors = words.chunk_by(|a, b| a / SECTOR_BYTES == b / SECTOR_BYTES);
        let busy = sectors.map(|it| sector + SAME_WORD_CYCLES * (most(it) - 1.0)).sum();
        SliceCycles { busy, chain: if is_float { FLOAT_CHAIN_CYCLES * most(&words) } else { 0.0 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLOBAL: Atomic = Atomic {
        operation: AtomicOperation::Add,
        element: AtomicElement::Unsigned,
        space: AddressSpace::Global,
    };

    fn places(word: impl Fn(u64) -> u64) -> Vec<(usize, u64)> {
        (0..WARP).map(|lane| (lane as usize, 4 * word(lane))).collect()
    }

    /// Threads of a warp at one word, at neighbours, at one word of each sector: measured on an H200, in
    /// nanoseconds of the slice that has them all.
    #[test]
    fn a_slice_takes_as_long_as_was_measured() {
        let cycle_ns = 0.511;
        for (measured, atomic, places) in [
            (32.0 * 0.733, GLOBAL, places(|_| 0)),
            (32.0 * 0.0754, GLOBAL, places(|lane| lane)),
            (32.0 * 0.0739, GLOBAL, places(|lane| lane / 2)),
        ] {
            let told = atomic.slice_cycles(&places, 4).busy * cycle_ns;
            assert!((0.8..1.7).contains(&(told / measured)), "{told} and {measured}");
        }
        let float = Atomic { element: AtomicElement::Float, ..GLOBAL };
        let told = float.slice_cycles(&places(|_| 0), 4).chain * cycle_ns;
        assert!((told / (32.0 * 1.7585) - 1.0).abs() < 0.05);
    }
}
