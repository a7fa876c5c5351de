//! Accesses to memory: every thread's is inside an array and at a multiple of its size, or an error.

use super::execution::Running;
use super::observer::{LaunchObserver, MemoryAccess, MemorySpace, WarpAccess};
use super::warp_step::space;
use super::{ArrayPlace, Fault, FaultCause};
use crate::cubin::{RESERVED_SHARED_BYTES, STACK_END_ADDRESS};
use crate::instruction::Instruction;
use crate::lanes::{Lanes, MapLanes};
use crate::opcode::{AddressSpace, AtomicOperation, Opcode};
use crate::values::{signed, word_at};
use crate::warp::LOCAL_ADDRESS;
use memory_machine_core::units::WARP;

/// Where a lane's bytes are.
#[derive(Clone, Copy)]
enum Bytes {
    Global(ArrayPlace),
    Shared(usize),
    Local(usize),
}

impl<O: LaunchObserver> Running<'_, O> {
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
            _ => return self.copy(number, place, it, active),
        };
        let addresses = self.addresses(number, it, of);
        let spaces = [AddressSpace::Global, AddressSpace::Shared, AddressSpace::Local];
        for own in spaces {
            let lanes = match of {
                AddressSpace::Generic => (0..32)
                    .filter(|lane| space(addresses[*lane]) == own)
                    .fold(0, |all, lane| all | 1 << lane),
                it if it == own => u32::MAX,
                _ => 0,
            } & active;
            if lanes == 0 {
                continue;
            }
            let addresses = match of {
                AddressSpace::Generic if own != AddressSpace::Global => {
                    addresses.each(|it| it & u64::from(u32::MAX))
                }
                _ => addresses,
            };
            let mut places = [None; 32];
            for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
                let found = self.find(number, own, lane, addresses[lane], it.bytes.into());
                let found = found.map_err(|cause| {
                    self.fault(number, place, Some(lane), cause.named(word, it.bytes.into()))
                })?;
                places[lane] = Some(found);
            }
            self.perform(number, place, it, (own, access), &addresses, &places);
        }
        Ok(())
    }

    /// Of all lanes; of shared memory and their own from its beginning on.
    fn addresses(&mut self, number: usize, it: &Instruction, of: AddressSpace) -> [u64; 32] {
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
                crate::lanes::each(|lane| {
                    address[lane].wrapping_add_signed(it.offset).wrapping_add(more[lane]).into()
                })
            }
        }
    }

    fn find(
        &self,
        number: usize,
        of: AddressSpace,
        lane: usize,
        address: u64,
        bytes: u64,
    ) -> Result<Bytes, Cause> {
        let misaligned = !address.is_multiple_of(bytes);
        match of {
            AddressSpace::Shared => {
                let size = self.block.shared.len() as u64;
                let place = || {
                    format!("shared memory at byte {}", {
                        let at = address.cast_signed() - RESERVED_SHARED_BYTES.cast_signed();
                        format!("{at}, of {}", size - RESERVED_SHARED_BYTES)
                    })
                };
                match () {
                    () if address < RESERVED_SHARED_BYTES || address + bytes > size => {
                        Err(Cause::Beyond(place()))
                    }
                    () if misaligned => Err(Cause::Misaligned(place())),
                    () => Ok(Bytes::Shared(address as usize)),
                }
            }
            AddressSpace::Local => {
                let size = self.block.warps[number].local_bytes as u64;
                let at = address.wrapping_sub(STACK_END_ADDRESS - size);
                let place =
                    || format!("the thread's own memory at byte {}, of {size}", at.cast_signed());
                match () {
                    () if at >= size || at + bytes > size => Err(Cause::Beyond(place())),
                    () if misaligned => Err(Cause::Misaligned(place())),
                    () => Ok(Bytes::Local(lane * size as usize + at as usize)),
                }
            }
            _ => match self.memory.place(address, bytes) {
                None => Err(Cause::Beyond(self.memory.describe(address))),
                Some(_) if misaligned => Err(Cause::Misaligned(self.memory.describe(address))),
                Some(place) => Ok(Bytes::Global(place)),
            },
        }
    }

    fn read(&self, number: usize, at: Bytes, more: u64, bytes: u64) -> u64 {
        let (more_bytes, size) = (more as usize, bytes as usize);
        match at {
            Bytes::Global(at) => self.memory.load(ArrayPlace { byte: at.byte + more, ..at }, bytes),
            Bytes::Shared(at) => word_at(&self.block.shared, at + more_bytes, size),
            Bytes::Local(at) => word_at(&self.block.warps[number].local, at + more_bytes, size),
        }
    }

    fn write(&mut self, number: usize, at: Bytes, (more, bytes): (u64, u64), value: u64) {
        let (more_bytes, size) = (more as usize, bytes as usize);
        let value_bytes = &value.to_le_bytes()[..size];
        match at {
            Bytes::Global(at) => {
                self.memory.store(ArrayPlace { byte: at.byte + more, ..at }, bytes, value);
            }
            Bytes::Shared(at) => {
                let range = at + more_bytes..at + more_bytes + size;
                self.block.shared[range.clone()].copy_from_slice(value_bytes);
                self.block.written[range].fill(true);
            }
            Bytes::Local(at) => {
                self.block.warps[number].local[at + more_bytes..][..size]
                    .copy_from_slice(value_bytes);
            }
        }
    }

    fn is_written(&self, at: Bytes, bytes: u64) -> bool {
        match at {
            Bytes::Global(at) => self.memory.is_written(at, bytes),
            Bytes::Shared(at) => self.block.written[at..at + bytes as usize].iter().all(|it| *it),
            Bytes::Local(_) => true,
        }
    }

    fn perform(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        (space, access): (AddressSpace, MemoryAccess),
        addresses: &[u64; 32],
        places: &[Option<Bytes>; 32],
    ) {
        let bytes = u64::from(it.bytes);
        let lanes = || (0..32_usize).filter_map(|lane| Some((lane, places[lane]?)));
        let active = lanes().fold(0, |all, (lane, _)| all | 1 << lane);
        let mut unwritten = 0;
        if access != MemoryAccess::Store {
            for (lane, at) in lanes() {
                unwritten |= u32::from(!self.is_written(at, bytes)) << lane;
            }
        }
        let unchanged = match access {
            MemoryAccess::Load => active,
            MemoryAccess::Store => self.store(number, it, places),
            MemoryAccess::Atomic => {
                self.combine(number, it, places);
                0
            }
        };
        if access == MemoryAccess::Load {
            self.load(number, it, places, active);
        }
        let spread;
        let addresses = match space {
            AddressSpace::Local => {
                spread = self.spread(number, addresses);
                &spread
            }
            _ => addresses,
        };
        let space = match space {
            AddressSpace::Shared => MemorySpace::Shared,
            AddressSpace::Local => MemorySpace::Local,
            _ => MemorySpace::Global,
        };
        let warp = self.place(number, place as usize, active);
        self.observer.access(&WarpAccess {
            warp,
            space,
            access,
            bytes,
            addresses,
            unwritten,
            unchanged,
        });
    }

    /// Of the threads' own memory each word of 32 bits stands beside those of the warp's other threads.
    fn spread(&self, number: usize, addresses: &[u64; 32]) -> [u64; 32] {
        let size = self.block.warps[number].local_bytes as u64;
        let first = LOCAL_ADDRESS + number as u64 * size * WARP;
        // Of lanes that take no part anything may stand there.
        crate::lanes::each(|lane| {
            let at = addresses[lane].wrapping_sub(STACK_END_ADDRESS - size);
            let word = (at / 4).wrapping_mul(WARP).wrapping_add(lane as u64);
            first.wrapping_add(word.wrapping_mul(4)).wrapping_add(at % 4)
        })
    }

    fn load(&mut self, number: usize, it: &Instruction, places: &[Option<Bytes>; 32], active: u32) {
        let each_bytes = u64::from(it.bytes.min(4));
        for word in 0..it.words {
            let mut lanes: Lanes = [0; 32];
            for (lane, at) in places.iter().enumerate().filter_map(|it| Some((it.0, (*it.1)?))) {
                let value = self.read(number, at, u64::from(word) * each_bytes, each_bytes);
                lanes[lane] = match it.is_signed {
                    true => signed(value, it.bytes) as u32,
                    false => value as u32,
                };
            }
            self.registers(number).put(it.to + u16::from(word), &lanes, active);
        }
    }

    /// Lanes whose write changes nothing.
    fn store(&mut self, number: usize, it: &Instruction, places: &[Option<Bytes>; 32]) -> u32 {
        let each_bytes = u64::from(it.bytes.min(4));
        let mut changed = 0_u32;
        for word in 0..it.words {
            let lanes = self.registers(number).word(it.b, word.into());
            let more = u64::from(word) * each_bytes;
            for (lane, at) in places.iter().enumerate().filter_map(|it| Some((it.0, (*it.1)?))) {
                let value = u64::from(lanes[lane]) & u64::MAX >> (64 - 8 * each_bytes);
                if !self.is_written(at, each_bytes)
                    || self.read(number, at, more, each_bytes) != value
                {
                    changed |= 1 << lane;
                }
                self.write(number, at, (more, each_bytes), value);
            }
        }
        !changed
    }

    /// Lane after lane.
    fn combine(&mut self, number: usize, it: &Instruction, places: &[Option<Bytes>; 32]) {
        let (Opcode::Atom(atomic) | Opcode::Red(atomic)) = it.opcode else { return };
        let bytes = it.bytes;
        let registers = self.registers(number);
        let operand = |of| match bytes {
            8 => registers.long(of),
            _ => registers.word(of, 0).each(u64::from),
        };
        let (with, swapped) = (operand(it.b), operand(it.c));
        let mut given = [0_u64; 32];
        let mut active = 0;
        for (lane, at) in places.iter().enumerate().filter_map(|it| Some((it.0, (*it.1)?))) {
            let old = self.read(number, at, 0, bytes.into());
            let new = atomic.apply(old, with[lane], swapped[lane], bytes);
            self.write(number, at, (0, bytes.into()), new);
            given[lane] = match atomic.operation {
                AtomicOperation::CompareAndTry => u64::from(old == with[lane]),
                _ => old,
            };
            active |= 1 << lane;
        }
        self.registers(number).put_condition(it.conditions_to[0], [true; 32], active);
        if matches!(it.opcode, Opcode::Atom(_)) {
            for word in 0..u16::from(it.words) {
                let lanes = given.each(|it| (it >> (32 * word)) as u32);
                self.registers(number).put(it.to + word, &lanes, active);
            }
        }
    }

    /// From global memory to shared; what is said of its place is of that in shared memory.
    fn copy(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        let to = self.registers(number).word(it.b, 0);
        let from = self.registers(number).long(it.a);
        let to = to.each(|at| u64::from(at.wrapping_add_signed(it.offset)));
        let bytes = u64::from(it.bytes);
        let mut found = [[None; 32]; 2];
        for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
            for (side, (of, at)) in
                [(AddressSpace::Global, from[lane]), (AddressSpace::Shared, to[lane])]
                    .into_iter()
                    .enumerate()
            {
                let at = self.find(number, of, lane, at, bytes);
                found[side][lane] = Some(at.map_err(|cause| {
                    self.fault(number, place, Some(lane), cause.named("a copy", bytes))
                })?);
            }
        }
        let mut unwritten = 0;
        for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
            let [Some(from), Some(to)] = [found[0][lane], found[1][lane]] else { continue };
            unwritten |= u32::from(!self.is_written(from, bytes)) << lane;
            for part in (0..bytes).step_by(4) {
                let value = self.read(number, from, part, 4);
                self.write(number, to, (part, 4), value);
            }
        }
        let warp = self.place(number, place as usize, active);
        let access = |space, access, addresses: &[u64; 32], unwritten, observer: &mut O| {
            observer.access(&WarpAccess {
                warp,
                space,
                access,
                bytes,
                addresses,
                unwritten,
                unchanged: 0,
            });
        };
        access(MemorySpace::Global, MemoryAccess::Load, &from, unwritten, self.observer);
        access(MemorySpace::Shared, MemoryAccess::Store, &to, 0, self.observer);
        Ok(())
    }
}

/// Why an address is refused.
enum Cause {
    Beyond(String),
    Misaligned(String),
}

impl Cause {
    fn named(self, access: &'static str, bytes: u64) -> FaultCause {
        match self {
            Self::Beyond(place) => {
                FaultCause::OutOfBounds { access, bytes, place: format!("at {place}") }
            }
            Self::Misaligned(place) => FaultCause::Misaligned { access, bytes, place },
        }
    }
}
