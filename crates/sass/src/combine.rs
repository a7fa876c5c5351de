//! What atomic operations of a warp do to memory, and how long they take.

use super::block::BlockExecution;
use super::instruction::Instruction;
use super::lanes::MapLanes;
use super::opcode::{AddressSpace, Atomic};
use super::operand::Operand;
use super::warp::Warp;
use memory_machine_core::units::{BANK_BYTES, WARP};

impl BlockExecution<'_> {
    /// An atomic operation. What it takes beside its instruction is told of launches of any shape: shared
    /// memory serves threads at one word one by one, and global memory as what is written.
    pub(super) fn combine(
        &mut self,
        warp: &mut Warp,
        instruction: &Instruction,
        of: Atomic,
        now: f64,
        active: u32,
        decides: bool,
    ) {
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
        match (self.of.launch, of.space) {
            (Some(_), AddressSpace::Shared) => {
                let mut banks = [0.0; WARP as usize];
                places.iter().for_each(|it| banks[(it.1 / BANK_BYTES % WARP) as usize] += 1.0);
                let stages = banks.into_iter().fold(0.0, f64::max);
                self.counts.shared_stages += stages;
                self.queue(now, stages);
            }
            (Some(_), space) => {
                let is_indirect = self.is_indirect(warp, space);
                self.store_words(warp, now, is_indirect, space, &places, bytes);
            }
            (None, _) => {}
        }
        self.places = places;
    }
}
