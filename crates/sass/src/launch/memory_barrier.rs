//! Barriers in shared memory (`mbarrier`): a word of 64 bits with how many are still to arrive, and how many in
//! each phase, both as what is missing to 2^20; what is to come by copies; and the phase. Copies are there as
//! soon as they are begun, so that nobody waits for one that was.

use super::access::At;
use super::execution::Running;
use super::fault::Wait;
use super::observer::LaunchObserver;
use super::{Fault, FaultCause};
use crate::instruction::Instruction;
use crate::linkage::RESERVED_SHARED_BYTES;
use crate::opcode::{AddressSpace, MemoryBarrierStep};

/// Where the parts of a barrier begin, and how many bits those have that count.
const PENDING: u32 = 1;
const COMING: u32 = 21;
const EXPECTED: u32 = 43;
const PHASE: u32 = 63;
const COUNT_MASK: u64 = (1 << 20) - 1;
const COMING_MASK: u64 = (1 << 22) - 1;
/// So many bytes may be to come, or have come too early.
const MOST_COMING: i64 = (1 << 20) - 1;

/// The parts of a barrier that change.
#[derive(Debug, Clone, Copy)]
struct State {
    /// How many are still to arrive.
    lacking: u64,
    /// Bytes that are still to come; below 0 more came than were expected.
    coming: i64,
}

impl State {
    fn of(barrier: u64) -> Self {
        let lacking = (barrier >> PENDING).wrapping_neg() & COUNT_MASK;
        // With its sign, of 22 bits.
        let coming = ((barrier >> COMING & COMING_MASK) << 42).cast_signed() >> 42;
        Self { lacking, coming }
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} arrivals lack", self.lacking)?;
        match self.coming {
            0 => Ok(()),
            more @ 1.. => write!(f, ", and {more} bytes that are expected"),
            less => write!(f, ", and {} bytes came that nobody expects", -less),
        }
    }
}

/// A barrier after arrivals, and with more or less that is to come; whether a phase ended. Or what is wrong.
fn stepped(barrier: u64, arrivals: u64, coming: i64) -> Result<(u64, bool), String> {
    let State { lacking, coming: before } = State::of(barrier);
    let Some(lacking) = lacking.checked_sub(arrivals) else {
        return Err(format!("{arrivals} arrivals at a barrier at which {lacking} lack"));
    };
    let coming = before + coming;
    if coming.abs() > MOST_COMING {
        return Err(format!("{coming} bytes are to come to a barrier, which counts {MOST_COMING}"));
    }
    let ends = lacking == 0 && coming == 0;
    let expected = barrier >> EXPECTED & COUNT_MASK;
    let phase = (barrier >> PHASE) ^ u64::from(ends);
    let pending = if ends { expected } else { lacking.wrapping_neg() & COUNT_MASK };
    let coming = coming.cast_unsigned() & COMING_MASK;
    let word = pending << PENDING | coming << COMING | expected << EXPECTED | phase << PHASE;
    Ok((word, ends))
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
            let barrier = self.barrier_at(at, addresses[lane], lane, step)?;
            old[lane] = barrier;
            let (arrivals, coming) = match step {
                MemoryBarrierStep::Set => {
                    self.put_barrier(addresses[lane] as usize, given[lane]);
                    continue;
                }
                MemoryBarrierStep::Invalidate => {
                    self.block.memory_barriers.retain(|it| *it != addresses[lane]);
                    continue;
                }
                MemoryBarrierStep::Test => {
                    let parity = word[lane] >> 31;
                    is_over[lane] = barrier >> PHASE != u64::from(parity);
                    let barrier = addresses[lane] as usize;
                    self.block.waits[number] =
                        (!is_over[lane]).then_some(Wait { place, lane, barrier, parity });
                    continue;
                }
                MemoryBarrierStep::Arrive { counted: false } => (1, 0),
                MemoryBarrierStep::Arrive { counted: true } => (word[lane].into(), 0),
                MemoryBarrierStep::ArriveExpecting => (1, word[lane].into()),
                MemoryBarrierStep::Expect { from_register: true } => (0, word[lane].into()),
                MemoryBarrierStep::Expect { from_register: false } => (0, 1),
                MemoryBarrierStep::CopiesArrive => (0, -1),
            };
            self.step_barrier(at, (addresses[lane], lane), barrier, (arrivals, coming))?;
        }
        if step == MemoryBarrierStep::Test {
            self.registers(number).put_condition(it.conditions_to[0], is_over, active);
        } else {
            self.block.is_idle = false;
            self.registers(number).put_long(it.to, &old, active);
        }
        Ok(())
    }

    /// A barrier of a lane, which somebody has set unless this does.
    pub(super) fn barrier_at(
        &mut self,
        at: At<'_>,
        address: u64,
        lane: usize,
        step: MemoryBarrierStep,
    ) -> Result<u64, Box<Fault>> {
        self.stretch(at, AddressSpace::Shared, &[address; 32], 1 << lane)?;
        let is_set = self.block.memory_barriers.contains(&address);
        if step == MemoryBarrierStep::Set {
            self.block.memory_barriers.extend((!is_set).then_some(address));
        } else if !is_set {
            let what = "what is no barrier: none was set there, or it was invalidated";
            return Err(self.barrier_fault(at, (address, lane), what));
        }
        Ok(crate::values::word_at(&self.block.shared, address as usize, 8))
    }

    #[cold]
    fn barrier_fault(&self, at: At<'_>, (address, lane): (u64, usize), what: &str) -> Box<Fault> {
        let byte = address.saturating_sub(RESERVED_SHARED_BYTES);
        let cause = FaultCause::MemoryBarrier(format!("{what} (shared memory, byte {byte})"));
        self.fault(at.warp, at.place, Some(lane), cause)
    }

    fn put_barrier(&mut self, place: usize, barrier: u64) {
        self.block.shared[place..place + 8].copy_from_slice(&barrier.to_le_bytes());
        self.block.written.set(place, 8);
    }

    pub(super) fn step_barrier(
        &mut self,
        at: At<'_>,
        (address, lane): (u64, usize),
        barrier: u64,
        (arrivals, coming): (u64, i64),
    ) -> Result<(), Box<Fault>> {
        let (new, ends) = stepped(barrier, arrivals, coming)
            .map_err(|what| self.barrier_fault(at, (address, lane), &what))?;
        if ends {
            self.observer.partial_barrier(self.block.number);
        }
        self.put_barrier(address as usize, new);
        Ok(())
    }

    /// Of a warp that waits at a barrier, where nobody is left who could end its phase.
    pub(super) fn endless_wait(&self, warp: usize, wait: Wait) -> Box<Fault> {
        let Wait { place, lane, barrier, parity } = wait;
        let state = State::of(crate::values::word_at(&self.block.shared, barrier, 8));
        let byte = (barrier as u64).saturating_sub(RESERVED_SHARED_BYTES);
        let cause = FaultCause::MemoryBarrier(format!(
            "a wait for a phase of parity {parity} that never ends: {state}, and no thread is left to bring \
             them (barrier in shared memory, byte {byte})"
        ));
        self.fault(warp, place, Some(lane), cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_end_with_the_last_arrival_and_the_last_byte() {
        let missing = (1 << 20) - 2_u64;
        let barrier = missing << PENDING | missing << EXPECTED;
        let (one, ends) = stepped(barrier, 1, 16).unwrap();
        assert!(!ends && one >> PHASE == 0);
        let (two, ends) = stepped(one, 1, 0).unwrap();
        assert!(!ends, "bytes are still to come");
        assert_eq!(State::of(two).to_string(), "0 arrivals lack, and 16 bytes that are expected");
        let (next, ends) = stepped(two, 0, -16).unwrap();
        assert!(ends && next == barrier | 1 << PHASE);
    }

    #[test]
    fn what_a_barrier_cannot_count_is_wrong() {
        let missing = (1 << 20) - 2_u64;
        let barrier = missing << PENDING | missing << EXPECTED;
        assert_eq!(
            stepped(barrier, 3, 0),
            Err("3 arrivals at a barrier at which 2 lack".to_owned())
        );
        assert!(stepped(barrier, 0, 1 << 20).is_err());
        let (early, _) = stepped(barrier, 2, -32).unwrap();
        assert_eq!(
            State::of(early).to_string(),
            "0 arrivals lack, and 32 bytes came that nobody expects"
        );
        assert!(stepped(early, 1, 0).is_err(), "all have arrived");
    }
}
