//! What a warp does to shared memory besides plain accesses. Small matrices: each row lies where one lane
//! says. And barriers (`mbarrier`): a word of 64 bits with how many are still to arrive, and how many in each
//! phase, both as what is missing to 2^20; what is to come by copies; and the phase. Copies are there as soon
//! as they are begun, so that nobody waits for one that was.

use super::Fault;
use super::access::At;
use super::execution::Running;
use super::observer::{LaunchObserver, MemoryAccess, MemorySpace, WarpAccess};
use crate::instruction::Instruction;
use crate::lanes::{Lanes, each};
use crate::opcode::{AddressSpace, MatrixAccess, MemoryBarrierStep};

/// Rows of a matrix, and bytes of a row.
const ROWS: usize = 8;
const ROW_BYTES: usize = 16;

impl<O: LaunchObserver> Running<'_, O> {
    pub(super) fn move_matrices(&mut self, at: At<'_>, of: MatrixAccess) -> Result<(), Box<Fault>> {
        let addresses = self.addresses(at.warp, at.it, AddressSpace::Shared);
        let active = u32::MAX >> (32 - ROWS * usize::from(of.count));
        // Rows lie in shared memory, so all in one stretch, or the first that does not is refused.
        let mut unwritten = 0;
        let mut left = active;
        while left != 0 {
            let stretch = self.stretch(at, AddressSpace::Shared, &addresses, left)?;
            left &= !stretch.lanes;
            if !of.is_store {
                unwritten |= self.read(at.warp, &stretch, ROW_BYTES as u64);
            }
        }
        for matrix in 0..usize::from(of.count) {
            let places: [usize; ROWS] =
                std::array::from_fn(|row| addresses[ROWS * matrix + row] as usize);
            let word = matrix as u16;
            if of.is_store {
                let lanes = self.registers(at.warp).word(at.it.b, word);
                for (row, place) in matrix_rows(&lanes, of.is_transposed).iter().zip(places) {
                    self.block.shared[place..place + ROW_BYTES].copy_from_slice(row);
                    self.block.written.set(place, ROW_BYTES);
                }
            } else {
                let mut rows = [[0; ROW_BYTES]; ROWS];
                for (row, place) in rows.iter_mut().zip(places) {
                    row.copy_from_slice(&self.block.shared[place..place + ROW_BYTES]);
                }
                let lanes = matrix_lanes(&rows, of.is_transposed);
                self.registers(at.warp).put_word(at.it.to, word, &lanes, u32::MAX);
            }
        }
        let access = if of.is_store { MemoryAccess::Store } else { MemoryAccess::Load };
        let values = first_words(&self.block.shared, &addresses, active);
        let warp = self.place(at.warp, at.place as usize, active);
        let access = WarpAccess {
            warp,
            space: MemorySpace::Shared,
            access,
            bytes: ROW_BYTES as u64,
            addresses: &addresses,
            unwritten,
            unchanged: if of.is_store { 0 } else { active },
            values: &values,
        };
        self.observer.access(&access);
        Ok(())
    }
}

/// At lanes' places.
fn first_words(shared: &[u8], places: &[u64; 32], lanes: u32) -> Lanes {
    each!(|lane| match lanes >> lane & 1 {
        1 => crate::values::word_at(shared, places[lane] as usize, 4) as u32,
        _ => 0,
    })
}

/// Of a matrix of halves, 8 × 8, whose rows these are, the word of each lane.
fn matrix_lanes(rows: &[[u8; ROW_BYTES]; ROWS], is_transposed: bool) -> Lanes {
    let half = |row: usize, column: usize| {
        u32::from(u16::from_le_bytes([rows[row][2 * column], rows[row][2 * column + 1]]))
    };
    each!(|lane| {
        let (row, column) = (lane / 4, 2 * (lane % 4));
        match is_transposed {
            false => half(row, column + 1) << 16 | half(row, column),
            true => half(column + 1, row) << 16 | half(column, row),
        }
    })
}

/// And the rows, of the lanes' words.
fn matrix_rows(lanes: &Lanes, is_transposed: bool) -> [[u8; ROW_BYTES]; ROWS] {
    let mut rows = [[0; ROW_BYTES]; ROWS];
    for (lane, word) in lanes.iter().enumerate() {
        for part in 0..2 {
            let half = (word >> (16 * part)) as u16;
            let (mut row, mut column) = (lane / 4, 2 * (lane % 4) + part);
            if is_transposed {
                (row, column) = (column, row);
            }
            rows[row][2 * column..2 * column + 2].copy_from_slice(&half.to_le_bytes());
        }
    }
    rows
}

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
                let words = source.gather(self.bytes_of(number, &source), part, 4);
                target.scatter(self.bytes_to(number, &target), part, (4, false), &words);
            }
            self.block.written.set(to[0] as usize, COPY_UNIT as usize);
            let warp = self.place(number, place as usize, 1);
            let values = first_words(&self.block.shared, &to, 1);
            let copied = WarpAccess {
                warp,
                space: MemorySpace::Shared,
                access: MemoryAccess::Store,
                bytes: COPY_UNIT,
                addresses: &to,
                unwritten: 0,
                unchanged: 0,
                values: &values,
            };
            for (space, access, addresses, unwritten) in [
                (MemorySpace::Global, MemoryAccess::Load, &from, unwritten),
                (MemorySpace::Shared, MemoryAccess::Store, &to, 0),
            ] {
                let it = WarpAccess { space, access, addresses, unwritten, ..copied };
                self.observer.access(&it);
            }
        }
        let whole = Instruction { bytes: 8, ..*it };
        let at = At { it: &whole, word: "a barrier", ..at };
        let addresses = each!(|_| u64::from(barrier));
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

    #[test]
    fn rows_come_back_from_lanes() {
        let rows: [[u8; 16]; 8] =
            std::array::from_fn(|row| std::array::from_fn(|at| (16 * row + at) as u8));
        for is_transposed in [false, true] {
            let lanes = matrix_lanes(&rows, is_transposed);
            assert_eq!(matrix_rows(&lanes, is_transposed), rows);
        }
        assert_eq!(matrix_lanes(&rows, false)[5], 0x1716_1514);
    }
}
