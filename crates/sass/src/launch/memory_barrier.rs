//! Barriers in shared memory (`mbarrier`). A barrier is a word of 64 bits: how many are still to arrive, and
//! how many in each phase, both as what is missing to 2^20; what is to come by copies; and the phase. Copies
//! are there as soon as they are begun, so that nobody waits for one that was.

use super::Fault;
use super::access::At;
use super::execution::Running;
use super::observer::{LaunchObserver, MemoryAccess, MemorySpace, WarpAccess};
use crate::instruction::Instruction;
use crate::lanes::each;
use crate::opcode::{AddressSpace, MemoryBarrierStep};

/// Where the parts of a barrier begin, and how many bits those have that count.
const PENDING: u32 = 1;
const COMING: u32 = 21;
const EXPECTED: u32 = 43;
const PHASE: u32 = 63;
const COUNT_MASK: u64 = (1 << 20) - 1;
const COMING_MASK: u64 = (1 << 22) - 1;
/// A unit of copies of many bytes.
const COPY_UNIT: u64 = 16;

/// A barrier after arrivals, and with more or less that is to come; whether a phase ended.
fn stepped(barrier: u64, arrivals: u64, coming: i64) -> (u64, bool) {
    let part = |first: u32, mask: u64| barrier >> first & mask;
    let pending = (part(PENDING, COUNT_MASK) + arrivals) & COUNT_MASK;
    let coming = part(COMING, COMING_MASK).wrapping_add_signed(coming) & COMING_MASK;
    let expected = part(EXPECTED, COUNT_MASK);
    let ends = pending == 0 && coming == 0;
    let phase = (barrier >> PHASE) ^ u64::from(ends);
    let pending = if ends { expected } else { pending };
    let word = pending << PENDING | coming << COMING | expected << EXPECTED | phase << PHASE;
    (word, ends)
}

impl<O: LaunchObserver> Running<'_, O> {
    pub(super) fn memory_barrier(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        step: MemoryBarrierStep,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        if active == 0 {
            return Ok(());
        }
        let at = At { warp: number, place, it, word: "a barrier" };
        let addresses = self.addresses(number, it, AddressSpace::Shared);
        let given = self.registers(number).long(it.b);
        let word = self.registers(number).word(it.b, 0);
        let (mut old, mut is_over) = ([0_u64; 32], [false; 32]);
        // What the warp has once it does once.
        let lanes =
            if step == MemoryBarrierStep::Set { active & active.wrapping_neg() } else { active };
        for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
            let barrier = self.barrier_at(at, &addresses, lane)?;
            old[lane] = barrier;
            let new = match step {
                MemoryBarrierStep::Set => given[lane],
                MemoryBarrierStep::Arrive => self.step_barrier(barrier, 1, 0),
                MemoryBarrierStep::Expect { from_register } => {
                    let more = if from_register { i64::from(word[lane]) } else { 1 };
                    self.step_barrier(barrier, 0, more)
                }
                MemoryBarrierStep::CopiesArrive => self.step_barrier(barrier, 0, -1),
                MemoryBarrierStep::Test => {
                    is_over[lane] = barrier >> PHASE != u64::from(word[lane] >> 31);
                    continue;
                }
            };
            self.put_barrier(addresses[lane] as usize, new);
        }
        if step == MemoryBarrierStep::Test {
            self.registers(number).put_condition(it.conditions_to[0], is_over, active);
        } else {
            self.registers(number).put_long(it.to, &old, active);
        }
        Ok(())
    }

    /// A barrier of a lane.
    fn barrier_at(
        &mut self,
        at: At<'_>,
        addresses: &[u64; 32],
        lane: usize,
    ) -> Result<u64, Box<Fault>> {
        self.stretch(at, AddressSpace::Shared, addresses, 1 << lane)?;
        let place = addresses[lane] as usize;
        Ok(crate::values::word_at(&self.block.shared, place, 8))
    }

    fn put_barrier(&mut self, place: usize, barrier: u64) {
        self.block.shared[place..place + 8].copy_from_slice(&barrier.to_le_bytes());
        self.block.written.set(place, 8);
    }

    fn step_barrier(&mut self, barrier: u64, arrivals: u64, coming: i64) -> u64 {
        let (new, ends) = stepped(barrier, arrivals, coming);
        if ends {
            self.observer.partial_barrier(self.block.number);
        }
        new
    }

    /// The second word of the place in shared memory is where the barrier is that is told.
    pub(super) fn bulk_copy(
        &mut self,
        number: usize,
        place: u32,
        it: &Instruction,
        active: u32,
    ) -> Result<(), Box<Fault>> {
        if active == 0 {
            return Ok(());
        }
        let registers = self.registers(number);
        let from = registers.long(it.a)[0];
        let [to, barrier] = [0, 1].map(|word| registers.word(it.b, word)[0]);
        let units = u64::from(registers.word(it.c, 0)[0]);
        let piece = Instruction { bytes: COPY_UNIT as u8, ..*it };
        let at = At { warp: number, place, it: &piece, word: "a copy" };
        for unit in 0..units {
            let [from, to] = [from, u64::from(to)].map(|it| [it + COPY_UNIT * unit; 32]);
            let source = self.stretch(at, AddressSpace::Global, &from, 1)?;
            let target = self.stretch(at, AddressSpace::Shared, &to, 1)?;
            let unwritten = self.read(number, &source, COPY_UNIT);
            for part in (0..COPY_UNIT as usize).step_by(4) {
                let words = source.gather(self.bytes_of(number, &source).0, part, 4);
                target.scatter(self.bytes_of(number, &target).0, part, 4, &words);
            }
            self.block.written.set(to[0] as usize, COPY_UNIT as usize);
            let warp = self.place(number, place as usize, 1);
            for (space, access, addresses, unwritten) in [
                (MemorySpace::Global, MemoryAccess::Load, &from, unwritten),
                (MemorySpace::Shared, MemoryAccess::Store, &to, 0),
            ] {
                let (bytes, unchanged) = (COPY_UNIT, 0);
                let access =
                    WarpAccess { warp, space, access, bytes, addresses, unwritten, unchanged };
                self.observer.access(&access);
            }
        }
        let whole = Instruction { bytes: 8, ..*it };
        let at = At { it: &whole, word: "a barrier", ..at };
        let addresses = each(|_| u64::from(barrier));
        let old = self.barrier_at(at, &addresses, 0)?;
        let new = self.step_barrier(old, 0, -((COPY_UNIT * units).cast_signed()));
        self.put_barrier(barrier as usize, new);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_end_with_the_last_arrival_and_the_last_byte() {
        let missing = (1 << 20) - 2_u64;
        let barrier = missing << PENDING | missing << EXPECTED;
        let (one, ends) = stepped(barrier, 1, 16);
        assert!(!ends && one >> PHASE == 0);
        let (two, ends) = stepped(one, 1, 0);
        assert!(!ends, "bytes are still to come");
        let (next, ends) = stepped(two, 0, -16);
        assert!(ends && next == barrier | 1 << PHASE);
    }
}
