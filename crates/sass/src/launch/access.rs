//! Accesses to memory: every thread's is inside an array and at a multiple of its size, or an error.

use super::Fault;
use super::execution::Running;
use super::observer::{LaunchObserver, MemoryAccess, MemorySpace, WarpAccess};
use super::stretch::{Cause, Stretch};
use super::warp_step::space;
use crate::cubin::STACK_END_ADDRESS;
use crate::instruction::Instruction;
use crate::lanes::{Lanes, MapLanes, each};
use crate::opcode::{AddressSpace, AtomicOperation, Opcode};
use crate::operand::OperandSource;
use crate::values::{signed, word_at};
use crate::warp::LOCAL_ADDRESS;
use memory_machine_core::units::WARP;

/// Who accesses memory, and how: a warp, at a place in the code.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) warp: usize,
    pub(super) place: u32,
    pub(super) it: &'a Instruction,
    pub(super) word: &'static str,
}

impl<O: LaunchObserver> Running<'_, O> {
    #[inline(always)]
    pub(super) fn access(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let (of, access, word) = match it.opcode {
            Opcode::Ld(of) => (of, MemoryAccess::Load, "a load"),
            Opcode::St(of) => (of, MemoryAccess::Store, "a store"),
            Opcode::Atom(it) | Opcode::Red(it) => {
                (it.space, MemoryAccess::Atomic, "an atomic operation")
            }
            Opcode::MoveMatrix(of) => {
                let word = if of.is_store { "a store" } else { "a load" };
                return self.move_matrices(At { warp: number, place, it, word }, of);
            }
            _ => {
                let fills = it.opcode == Opcode::Ldgsts { fills: true };
                return self.copy(At { warp: number, place, it, word: "a copy" }, active, fills);
            }
        };
        let at = At { warp: number, place, it, word };
        let addresses = self.addresses(number, it, of);
        if of != AddressSpace::Generic {
            return self.perform(at, (of, access), &addresses, active);
        }
        for own in [AddressSpace::Global, AddressSpace::Shared, AddressSpace::Local] {
            let is_own = |lane: &usize| space(addresses[*lane]) == own;
            let lanes = active & (0..32).filter(is_own).fold(0, |all, lane| all | 1 << lane);
            if lanes == 0 {
                continue;
            }
            let addresses = match own {
                AddressSpace::Global => addresses,
                _ => addresses.each(|it| it & u64::from(u32::MAX)),
            };
            self.perform(at, (own, access), &addresses, lanes)?;
        }
        Ok(())
    }

    /// Of all lanes; of shared memory and their own from its beginning on.
    #[inline(always)]
    pub(super) fn addresses(
        &mut self,
        number: usize,
        it: &Instruction,
        of: AddressSpace,
    ) -> [u64; 32] {
        let registers = self.registers(number);
        match of {
            AddressSpace::Global | AddressSpace::Generic => {
                registers.long(it.a).each(|at| at.wrapping_add_signed(it.offset.into()))
            }
            _ => {
                let address = registers.word(it.a, 0);
                // Of what swaps, the third operand is no address.
                let swaps = matches!(it.opcode, Opcode::Atom(of) if of.is_swap());
                let more = if swaps { [0; 32] } else { registers.word(it.c, 0) };
                each!(|lane| {
                    address[lane].wrapping_add_signed(it.offset).wrapping_add(more[lane]).into()
                })
            }
        }
    }

    /// Where lanes' bytes are, of as many as lie in one stretch of memory with the first.
    #[inline(always)]
    pub(super) fn stretch(
        &self,
        at: At<'_>,
        of: AddressSpace,
        addresses: &[u64; 32],
        lanes: u32,
    ) -> Result<Stretch, Box<Fault>> {
        let bytes = u64::from(at.it.bytes);
        let found = match of {
            AddressSpace::Shared => {
                Stretch::of_shared(self.block.shared.len() as u64, addresses, lanes, bytes)
            }
            AddressSpace::Local => {
                let size = self.block.warps[at.warp].local_bytes as u64;
                Stretch::of_local(size, addresses, lanes, bytes)
            }
            _ => Stretch::of_global(self.memory, addresses, lanes, bytes),
        };
        found.map_err(|(lane, cause)| self.refused(at, lane, cause))
    }

    #[cold]
    fn refused(&self, at: At<'_>, lane: usize, cause: Cause) -> Box<Fault> {
        // What a store is given to write.
        let value = match (at.it.opcode, at.it.b.source) {
            (Opcode::St(_), OperandSource::Register(register)) => {
                let word = self.block.warps[at.warp].registers[usize::from(register)][lane];
                Some(word & u32::MAX >> (32 - 8 * u32::from(at.it.bytes.min(4))))
            }
            _ => None,
        };
        self.fault(at.warp, at.place, Some(lane), cause.named(at.word, at.it.bytes.into(), value))
    }

    #[inline(always)]
    fn perform(
        &mut self,
        at: At<'_>,
        (space, access): (AddressSpace, MemoryAccess),
        addresses: &[u64; 32],
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let bytes = u64::from(at.it.bytes);
        let (mut unwritten, mut unchanged, mut loaded) = (0, 0, [0; 32]);
        let mut left = active;
        while left != 0 {
            let stretch = self.stretch(at, space, addresses, left)?;
            left &= !stretch.lanes;
            if access != MemoryAccess::Store {
                unwritten |= self.read(at.warp, &stretch, bytes);
            }
            match access {
                MemoryAccess::Load => {
                    let first = self.load(at, &stretch);
                    if self.observer.asks_for_values() {
                        stretch.lanes().for_each(|lane| loaded[lane] = first[lane]);
                    }
                    unchanged |= stretch.lanes;
                }
                MemoryAccess::Store => unchanged |= self.store(at, &stretch),
                MemoryAccess::Atomic => self.combine(at, &stretch),
            }
        }
        let spread;
        let addresses = match space {
            AddressSpace::Local => {
                spread = self.spread(at.warp, addresses);
                &spread
            }
            _ => addresses,
        };
        let space = match space {
            AddressSpace::Shared => MemorySpace::Shared,
            AddressSpace::Local => MemorySpace::Local,
            _ => MemorySpace::Global,
        };
        let warp = self.place(at.warp, at.place as usize, active);
        let values = &match (self.observer.asks_for_values(), access) {
            (false, _) => [0; 32],
            (true, MemoryAccess::Load) => loaded,
            (true, _) => self.registers(at.warp).word(at.it.b, 0),
        };
        let is_request = true;
        let access = WarpAccess {
            warp,
            space,
            access,
            bytes,
            addresses,
            unwritten,
            unchanged,
            values,
            is_request,
        };
        self.observer.access(&access);
        Ok(())
    }

    /// Of the threads' own memory each word of 32 bits stands beside those of the warp's other threads.
    fn spread(&self, number: usize, addresses: &[u64; 32]) -> [u64; 32] {
        let size = self.block.warps[number].local_bytes as u64;
        let first = LOCAL_ADDRESS + number as u64 * size * WARP;
        // Of lanes that take no part anything may stand there.
        each!(|lane| {
            let at = addresses[lane].wrapping_sub(STACK_END_ADDRESS - size);
            let word = (at / 4).wrapping_mul(WARP).wrapping_add(lane as u64);
            first.wrapping_add(word.wrapping_mul(4)).wrapping_add(at % 4)
        })
    }

    /// The first word of each lane.
    #[inline(always)]
    fn load(&mut self, at: At<'_>, stretch: &Stretch) -> Lanes {
        let it = at.it;
        let mut first = [0; 32];
        let each_bytes = it.bytes.min(4);
        for word in 0..it.words {
            let more = usize::from(word) * usize::from(each_bytes);
            let mut lanes = stretch.gather(self.bytes_of(at.warp, stretch), more, each_bytes);
            if it.is_signed {
                lanes = lanes.each(|value| signed(value.into(), it.bytes) as u32);
            }
            if word == 0 {
                first = lanes;
            }
            self.registers(at.warp).put_word(it.to, word.into(), &lanes, stretch.lanes);
        }
        first
    }

    /// Lanes whose write changes nothing, if the observer asks for them.
    #[inline(always)]
    fn store(&mut self, at: At<'_>, stretch: &Stretch) -> u32 {
        let it = at.it;
        let each_bytes = it.bytes.min(4);
        let asks = self.observer.asks_for_values();
        let mut changed = 0_u32;
        for word in 0..it.words {
            let lanes = self.registers(at.warp).word(it.b, word.into());
            let more = usize::from(word) * usize::from(each_bytes);
            let bytes = self.bytes_to(at.warp, stretch);
            changed |= stretch.scatter(bytes, more, (each_bytes, asks), &lanes);
        }
        let bytes = usize::from(it.bytes);
        let (written, shares) = self.marks_of(at.warp, stretch);
        if let Some([_, of_share]) = shares {
            stretch.mark(of_share, bytes);
        }
        if let Some(written) = written.filter(|_| asks) {
            changed |= stretch.unmarked(written, bytes);
            stretch.mark(written, bytes);
        }
        !changed
    }

    /// Lane after lane.
    fn combine(&mut self, at: At<'_>, stretch: &Stretch) {
        let it = at.it;
        let (Opcode::Atom(atomic) | Opcode::Red(atomic)) = it.opcode else { return };
        let registers = self.registers(at.warp);
        let operand = |of| match it.bytes {
            8 => registers.long(of),
            _ => registers.word(of, 0).each(u64::from),
        };
        let (with, swapped) = (operand(it.b), operand(it.c));
        let mut given = [0_u64; 32];
        let size = usize::from(it.bytes);
        let bytes = self.bytes_to(at.warp, stretch);
        for lane in stretch.lanes() {
            let place = stretch.at(lane);
            let old = word_at(bytes, place, size);
            let new = atomic.apply(old, with[lane], swapped[lane], it.bytes);
            bytes[place..place + size].copy_from_slice(&new.to_le_bytes()[..size]);
            given[lane] = match atomic.operation {
                AtomicOperation::CompareAndTry => u64::from(old == with[lane]),
                _ => old,
            };
        }
        let (written, shares) = self.marks_of(at.warp, stretch);
        for marks in written.into_iter().chain(shares.map(|[_, written]| written)) {
            stretch.mark(marks, size);
        }
        let active = stretch.lanes;
        self.registers(at.warp).put_condition(it.conditions_to[0], [true; 32], active);
        if matches!(it.opcode, Opcode::Atom(_)) {
            for word in 0..u16::from(it.words) {
                let lanes = given.each(|it| (it >> (32 * word)) as u32);
                self.registers(at.warp).put_word(it.to, word, &lanes, active);
            }
        }
    }
}
