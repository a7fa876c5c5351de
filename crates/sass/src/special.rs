//! What a warp is told: special registers and constants.

use super::block::BlockExecution;
use super::instruction::Instruction;
use super::lanes::{Lanes, MapLanes, each};
use super::opcode::SpecialRegister;
use super::operand::Operand;
use super::values::{constant, signed};
use super::warp::Warp;
use memory_machine_core::units::WARP;

impl BlockExecution<'_> {
    pub(super) fn special(
        &self,
        warp: &mut Warp,
        instruction: &Instruction,
        special: SpecialRegister,
        active: u32,
    ) {
        let value: Lanes = match (self.of.launch, special) {
            (Some((launch, _)), _) => {
                let now = (warp.now as u64, self.shared.len() as u32);
                launch.special(special, (self.of.block, warp.number), now)
            }
            (None, SpecialRegister::Lane) => each!(|lane| lane as u32),
            (None, SpecialRegister::Thread(0)) => {
                each!(|lane| (WARP * warp.number) as u32 + lane as u32)
            }
            (None, SpecialRegister::Block(0)) => [self.of.block as u32; 32],
            // Of a dimension that no launch here has; others are refused.
            _ => [0; 32],
        };
        let active = instruction.for_all(active);
        self.registers(warp).put(instruction.to, &value, active);
    }

    /// Looks constants up; how many different ones.
    pub(super) fn constant(
        &self,
        warp: &mut Warp,
        instruction: &Instruction,
        bank: u8,
        active: u32,
        decides: bool,
    ) -> usize {
        let index = match instruction.a {
            Operand::NONE => [0; 32],
            a => self.registers(warp).word(a, 0),
        };
        let bytes = instruction.bytes;
        let at = |lane: usize| index[lane].wrapping_add_signed(instruction.offset) as usize;
        let mut different: Vec<u32> =
            (0..32).filter(|it| active >> it & 1 == 1).map(|it| index[it]).collect();
        different.sort_unstable();
        different.dedup();
        let values: [u64; 32] = each!(|lane| {
            let value = constant(&self.constants, bank, at(lane), bytes);
            if instruction.is_signed { signed(value, bytes).cast_unsigned() } else { value }
        });
        let active = instruction.for_all(active);
        for word in (0..u16::from(instruction.words)).filter(|_| decides) {
            let lanes = values.each(|it| (it >> (32 * word)) as u32);
            self.registers(warp).put_word(instruction.to, word, &lanes, active);
        }
        different.len()
    }
}
