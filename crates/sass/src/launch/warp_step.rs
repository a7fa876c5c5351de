//! What an instruction does to a warp.

use super::execution::{Launched, Running, Step};
use super::image::FUNCTIONS;
use super::observer::LaunchObserver;
use super::{Fault, FaultCause, Launch};
use crate::decode::{INSTRUCTION_BYTES, mnemonic};
use crate::instruction::Instruction;
use crate::lanes::{Lanes, MapLanes, each};
use crate::opcode::{AddressSpace, BarrierKind, Opcode, SpecialRegister};
use crate::operand::{Operand, OperandSource};
use crate::values::{constant, signed};
use crate::warp::{BLOCK_SYNC, DivergentThreads, WARP_SYNC};
use memory_machine_core::units::WARP;

/// Where `__constant__` variables are.
const CONSTANTS_BANK: u8 = 3;
/// The upper words of addresses of shared memory and of threads' own, among all.
pub(super) const SHARED_WINDOW: u64 = 0x7e00;
pub(super) const LOCAL_WINDOW: u64 = 0x7d00;

impl<O: LaunchObserver> Running<'_, O> {
    #[inline(always)]
    pub(super) fn step(&mut self, number: usize, it: &Instruction) -> Result<Step, Box<Fault>> {
        let warp = &mut self.block.warps[number];
        let active = match it.is_guarded() {
            true => warp.mask & warp.holding(it.guard),
            false => warp.mask,
        };
        let place = warp.place;
        if !matches!(it.opcode, Opcode::Bar(_)) {
            self.observer.instruction(self.place(number, place as usize, active));
        }
        self.block.warps[number].place += 1;
        if matches!(it.opcode, Opcode::Unknown) {
            let name = mnemonic(self.of.kernel.bits[place as usize]);
            return Err(self.fault(number, place, None, FaultCause::Instruction(name)));
        }
        match it.opcode {
            _ if it.is_access() && active != 0 => {
                self.block.is_idle &= it.opcode == Opcode::Ld(AddressSpace::Shared);
                self.access(number, place, it, active)?;
            }
            Opcode::Bra | Opcode::BraAny | Opcode::Brx | Opcode::Call | Opcode::Ret => {
                self.branch(number, it, active);
            }
            Opcode::Mma(_) | Opcode::GroupMma(_) | Opcode::MoveMatrix(_) => {
                self.matrices(number, place, it, active)?;
            }
            Opcode::MemoryBarrier(step) => self.memory_barrier(number, place, it, step, active)?,
            Opcode::BulkCopy(copy) => self.bulk_copy(number, place, it, (copy, active))?,
            Opcode::TensorCopy(copy) => self.tensor_copy(number, place, it, (copy, active))?,
            Opcode::WarpsyncExclusive => self.part(number, it, active),
            Opcode::Texture(of) if active != 0 => self.texture(number, place, it, active, of)?,
            Opcode::Surface(of) if active != 0 => self.surface(number, place, it, active, of)?,
            Opcode::CallAbsolute => self.call(number, place, it, active)?,
            Opcode::Exit
            | Opcode::Bssy
            | Opcode::Break
            | Opcode::BmovSave
            | Opcode::BmovRestore
            | Opcode::Bsync => self.converge(number, it, active),
            Opcode::Warpsync | Opcode::BranchIfDivergent => {
                let wanted = self.registers(number).word(it.a, 0);
                let first = active.trailing_zeros() as usize % WARP as usize;
                if active != 0 {
                    self.meets(number, active, WARP_SYNC, wanted[first]);
                }
            }
            Opcode::Bar(kind) if active != 0 => return self.barrier(number, it, kind, active),
            Opcode::B2r => {
                let (holding, is) = self.block.told;
                let mut registers = self.registers(number);
                registers.put(it.to, &[holding; 32], active);
                registers.put_condition(it.conditions_to[0], [is; 32], active);
            }
            Opcode::S2r(special) | Opcode::Cs2r(special) => {
                self.special(number, it, special, active);
            }
            Opcode::R2ur if active != 0 => self.share(number, it, active),
            Opcode::Ldc(bank) if active != 0 => self.constant(number, place, it, bank, active)?,
            Opcode::Lepc => {
                let value = [u64::from(it.target) * INSTRUCTION_BYTES; 32];
                self.registers(number).put_long(it.to, &value, active);
            }
            Opcode::Qspc(space) => {
                let address = self.registers(number).long(it.a);
                let is = address.each(|at| self::space(at) == space);
                self.registers(number).put_condition(it.conditions_to[0], is, active);
            }
            Opcode::Trap if active != 0 => {
                let lane = Some(active.trailing_zeros() as usize);
                return Err(self.fault(number, place, lane, FaultCause::Trap));
            }
            Opcode::Fence => self.observer.fence(self.place(number, place as usize, active)),
            Opcode::Nop
            | Opcode::Nanosleep
            | Opcode::Trap
            | Opcode::Bar(_)
            | Opcode::R2ur
            | Opcode::Ldc(_)
            | Opcode::Ldgdepbar
            | Opcode::Depbar(_) => {}
            _ if active != 0 => {
                if let Some((bank, at)) = self.unknown_constants[place as usize] {
                    let cause = FaultCause::Constant { bank, at };
                    return Err(self.fault(number, place, None, cause));
                }
                self.registers(number).compute(it, active);
            }
            _ => {}
        }
        Ok(Step::On)
    }

    /// What a whole warp does with matrices.
    fn matrices(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        match it.opcode {
            _ if active != u32::MAX => {
                let name = mnemonic(self.of.kernel.bits[place as usize]);
                let cause = FaultCause::Instruction(format!("{name} by a part of a warp"));
                Err(self.fault(number, place, None, cause))
            }
            Opcode::Mma(of) => {
                self.registers(number).multiply_matrices(it, of);
                Ok(())
            }
            Opcode::GroupMma(of) => self.group_product(number, place, it, of),
            _ => self.access(number, place, it, active),
        }
    }

    /// A register of the warp from that of a thread; and which threads have another value in it.
    fn share(&mut self, number: usize, it: &Instruction, active: u32) {
        let first = active.trailing_zeros() as usize;
        let value = self.registers(number).word(it.a, 0)[first];
        let all = self.registers(number).word(it.a, 0);
        let before = self.registers(number).condition(it.conditions[0]);
        let mut registers = self.registers(number);
        registers.put(it.to, &[value; 32], it.for_all(active));
        let differs = each!(|lane| all[lane] != value || before[lane]);
        registers.put_condition(it.conditions_to[0], differs, active);
    }

    /// Of a function that the device's run time has.
    fn call(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        if active == 0 {
            return Ok(());
        }
        let address = self.registers(number).long(it.a);
        let first = active.trailing_zeros() as usize;
        let address = address[first];
        if address < FUNCTIONS {
            let cause = FaultCause::Call(format!("code at {address:#x}"));
            return Err(self.fault(number, place, Some(first), cause));
        }
        let name = self.of.image.function(address).unwrap_or_default().to_owned();
        self.external(number, place, &name, active)?;
        // The caller says where to go on.
        let back = self.registers(number).word(Operand::of(OperandSource::Register(20)), 0)[first];
        let warp = &mut self.block.warps[number];
        if active != warp.mask {
            let (place, mask) = (warp.place, warp.mask & !active);
            warp.divergent.push(DivergentThreads { place, mask, barrier: None });
            warp.mask = active;
        }
        warp.place = back / INSTRUCTION_BYTES as u32;
        Ok(())
    }

    fn barrier(
        &mut self,
        number: usize,
        it: &Instruction,
        kind: BarrierKind,
        active: u32,
    ) -> Result<Step, Box<Fault>> {
        // Some of those that are together skip it: a barrier is of whole warps.
        let warp = &self.block.warps[number];
        if warp.mask & !active != 0 {
            let lane = active.trailing_zeros() as usize;
            return Err(self.fault(
                number,
                warp.place - 1,
                Some(lane),
                FaultCause::Deadlock("warp"),
            ));
        }
        // A barrier and how many come there, packed in one register where it is no number.
        let (barrier, expected) = match it.a {
            Operand::NONE => (it.barrier, it.target),
            a => {
                let first = active.trailing_zeros() as usize;
                let word = self.registers(number).word(a, 0)[first];
                ((word & 15) as u8, word >> 16 & 0xfff)
            }
        };
        // Threads that are apart come here together, once all of the warp have.
        self.block.warps[number].place -= 1;
        if !self.meets(number, active, BLOCK_SYNC, u32::MAX) {
            return Ok(Step::On);
        }
        let warp = &mut self.block.warps[number];
        let place = warp.place as usize;
        warp.place += 1;
        let holding = active & warp.holding(it.conditions[0]);
        self.observer.instruction(self.place(number, place, active));
        Ok(self.comes(number, kind, (barrier, expected), (active, holding)))
    }

    fn special(&mut self, number: usize, it: &Instruction, special: SpecialRegister, active: u32) {
        let clock = self.block.clock;
        let at = (self.block.number, number as u64);
        let value = self.of.launch.special(special, at, (clock, self.block.shared.len() as u32));
        let active = it.for_all(active);
        self.registers(number).put(it.to, &value, active);
        if it.words == 2 {
            let upper = if special == SpecialRegister::Clock { (clock >> 32) as u32 } else { 0 };
            self.registers(number).put_word(it.to, 1, &[upper; 32], active);
        }
    }

    fn constant(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        bank: u8,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let constants = self.of.constants;
        let value = |at: u32| {
            let value = constant(constants, bank, at as usize, it.bytes);
            if it.is_signed { signed(value, it.bytes).cast_unsigned() } else { value }
        };
        let values: [u64; 32] = match it.a {
            // All threads look the same one up.
            Operand::NONE => {
                let at = it.offset.cast_unsigned();
                if active != 0 {
                    self.check_constant((number, place, None), (bank, at), it)?;
                }
                [value(at); 32]
            }
            a => {
                let index = self.registers(number).word(a, 0);
                let at = index.each(|index| index.wrapping_add_signed(it.offset));
                for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
                    self.check_constant((number, place, Some(lane)), (bank, at[lane]), it)?;
                }
                at.each(value)
            }
        };
        let active = it.for_all(active);
        for word in 0..u16::from(it.words) {
            let lanes = values.each(|value| (value >> (32 * word)) as u32);
            self.registers(number).put_word(it.to, word, &lanes, active);
        }
        Ok(())
    }

    fn check_constant(
        &self,
        (number, place, lane): (usize, u32, Option<usize>),
        (bank, at): (u8, u32),
        it: &Instruction,
    ) -> Result<(), Box<Fault>> {
        let at = u64::from(at);
        let cause = match (self.of.has_constant(bank, at, it.bytes.into()), bank) {
            (true, _) => return Ok(()),
            (false, CONSTANTS_BANK) => {
                let size = self.of.constants[usize::from(bank)].len();
                FaultCause::OutOfBounds {
                    access: format!("a load of {} bytes", it.bytes),
                    place: format!("at byte {at} of the module's constants, of {size}"),
                }
            }
            (false, _) => FaultCause::Constant { bank, at },
        };
        Err(self.fault(number, place, lane, cause))
    }
}

impl Launched<'_> {
    /// By instruction, the constant that it has for an operand though nobody knows what is there.
    pub(super) fn unknown_constants(&self) -> Vec<Option<(u8, u64)>> {
        let of = |it: &Instruction| {
            [it.a, it.b, it.c].into_iter().find_map(|operand| match operand.source {
                OperandSource::Constant(bank, at) => {
                    let (at, bytes) = (u64::from(at), 4 * u64::from(operand.words));
                    (!self.has_constant(bank, at, bytes)).then_some((bank, at))
                }
                _ => None,
            })
        };
        self.kernel.instructions.iter().map(of).collect()
    }

    fn has_constant(&self, bank: u8, at: u64, bytes: u64) -> bool {
        let bank_of = self.constants.get(usize::from(bank));
        bank_of.is_some_and(|it| at + bytes <= it.len() as u64)
            && (bank != 0 || self.kernel.has_constant(at, bytes))
    }
}

impl Launch<'_> {
    /// What a special register has for the threads of a block's warp, at a time and with so much shared
    /// memory.
    pub(crate) fn special(
        &self,
        special: SpecialRegister,
        (block, warp): (u64, u64),
        (clock, shared): (u64, u32),
    ) -> Lanes {
        match special {
            SpecialRegister::Thread(axis) => self.on_axis(WARP * warp, usize::from(axis)),
            SpecialRegister::Block(axis) => [self.place(block, 0).block[usize::from(axis)]; 32],
            SpecialRegister::Clock => [clock as u32; 32],
            SpecialRegister::ClockUpper => [(clock >> 32) as u32; 32],
            SpecialRegister::SharedWindow => [SHARED_WINDOW as u32; 32],
            SpecialRegister::SharedBytes => [shared; 32],
            SpecialRegister::Multiprocessor | SpecialRegister::Zero => [0; 32],
            SpecialRegister::Lane => each!(|lane| lane as u32),
            SpecialRegister::LanesLess => each!(|lane| (1 << lane) - 1),
            SpecialRegister::LanesUpTo => each!(|lane| u32::MAX >> (31 - lane)),
            SpecialRegister::LanesEqual => each!(|lane| 1 << lane),
            SpecialRegister::LanesFrom => each!(|lane| u32::MAX << lane),
            SpecialRegister::LanesGreater => each!(|lane| u32::MAX << lane << 1),
        }
    }

    /// Of the threads of a warp from this one on, where they stand on an axis.
    fn on_axis(&self, first: u64, axis: usize) -> Lanes {
        let mut at = self.place(0, first).thread;
        let mut all = [0; 32];
        for it in &mut all {
            *it = at[axis];
            at[0] += 1;
            for axis in 0..2 {
                if at[axis] == self.block[axis] {
                    at[axis] = 0;
                    at[axis + 1] += 1;
                }
            }
        }
        all
    }
}

/// The memory of a generic address.
pub(super) fn space(address: u64) -> AddressSpace {
    match address >> 32 {
        SHARED_WINDOW => AddressSpace::Shared,
        LOCAL_WINDOW => AddressSpace::Local,
        _ => AddressSpace::Global,
    }
}
